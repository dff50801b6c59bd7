package mempool

import (
	"errors"
	"testing"
)

// hostPinner is a device that pins memory of the host.
type hostPinner struct {
	*fake
	pinned map[*byte]int
	refuse bool
}

func (h *hostPinner) HostAlloc(bytes int) ([]byte, error) {
	if h.refuse {
		return nil, errors.New("no memory")
	}
	b := make([]byte, bytes)
	h.pinned[&b[0]] = bytes
	return b, nil
}

func (h *hostPinner) HostFree(b []byte) error {
	if h.pinned[&b[0]] != len(b) {
		h.t.Errorf("%d bytes are freed that are not pinned", len(b))
	}
	delete(h.pinned, &b[0])
	return nil
}

// Blocks come back for others when nothing copies from them any more, never beyond the limit, and go back to the
// device.
func TestPinned(t *testing.T) {
	if NewPinned(newFake(t, mib), mib) != nil {
		t.Error("a device that pins nothing has pinned memory")
	}
	h := &hostPinner{fake: newFake(t, mib), pinned: map[*byte]int{}}
	p := NewPinned(h, 4*mib)
	a, b := p.Alloc(mib-5), p.Alloc(2*mib)
	if a == nil || b == nil || len(a.Bytes) != mib-5 || p.Alloc(mib+1) != nil {
		t.Fatal("3 of 4 MiB are given, more than the fourth is not")
	}
	copying := &event{}
	a.UsedBy(copying)
	p.Free(a)
	if c := p.Alloc(mib - 5); c == nil || &c.Bytes[0] == &a.Bytes[0] {
		t.Error("what is copied from was given out again, or nothing")
	} else {
		copying.done = true
		p.Free(c)
	}
	if c := p.Alloc(mib - 7); c == nil || len(h.pinned) != 2 {
		t.Errorf("%d blocks are pinned, want 2", len(h.pinned))
	} else {
		p.Free(c)
	}
	p.Free(b)
	if s := p.Stats(); s.InUse != 0 || s.Kept > mib {
		t.Errorf("%+v: more than a quarter of the limit is kept", s)
	}
	p.SetLimit(0)
	if s := p.Stats(); s.Kept != 0 || len(h.pinned) != 0 || p.Alloc(1) != nil {
		t.Errorf("%+v, %d blocks pinned, though nothing may be", s, len(h.pinned))
	}
	p.SetLimit(mib)
	if h.refuse = true; p.Alloc(1) != nil {
		t.Error("a block of what the device has not given")
	}
}
