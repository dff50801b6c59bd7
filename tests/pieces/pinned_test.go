package pieces

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// copiedIn sums up the copies to the device of the last evaluation: bytes, those of pinned memory, and the time.
func copiedIn() (bytes, pinned int64, took trace.Time) {
	for _, e := range trace.Last().Events() {
		if e.Kind != trace.CopyIn {
			continue
		}
		bytes += e.Bytes
		took += e.Duration()
		if strings.Contains(e.Name, "pinned") {
			pinned += e.Bytes
		}
	}
	return bytes, pinned, took
}

// What is copied to a device a second time is pinned, and copied faster from then on: inputs of what runs in pieces
// again and again, whole or not. Values are the same, the memory comes back when nobody holds the array, or when
// pinning is turned off.
func TestRepeatedCopiesArePinned(t *testing.T) {
	const n = 1 << 20
	rt := paged(t, 4<<20)
	x := lazy.FromArray(arrays.Linspace(0, 1, n))
	want := arrays.Linspace(0, 1, n).Mul(3).Add(1).Float64s()
	var first trace.Time
	for turn := range 3 {
		got := x.Mul(3).Add(1).Float64s()
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("turn %d: element %d is %v, want %v", turn, i, got[i], want[i])
			}
		}
		bytes, pinned, took := copiedIn()
		switch {
		case bytes != 8*n:
			t.Errorf("turn %d: %d bytes are copied in, want %d", turn, bytes, 8*n)
		case turn == 0:
			if first = took; pinned != 0 {
				t.Errorf("%d bytes are pinned that were never copied before", pinned)
			}
		case pinned != bytes || took > first*3/4:
			t.Errorf("turn %d: %d bytes of pinned memory in %v; at first %v", turn, pinned, took, first)
		}
	}
	if s := rt.Stats(); s.PinnedIn != 2*8*n || s.Pinned < 8*n {
		t.Errorf("%d bytes are pinned, %d were copied from there, want %d", s.Pinned, s.PinnedIn, 2*8*n)
	}
	if e := lazy.Explain(x.Sin()); e.Steps[0].Pinned != 8*n || !strings.Contains(e.String(), "from pinned memory") {
		t.Errorf("not explained:\n%v", e)
	}
	if use := rt.MemoryUse().String(); !strings.Contains(use, "are pinned for it") {
		t.Errorf("not in the memory's use:\n%s", use)
	}
	rt.SetPinnedLimit(0)
	if s := rt.Stats(); s.Pinned != 0 {
		t.Errorf("%d bytes are pinned though it is turned off", s.Pinned)
	}
	lazy.Eval(x.Mul(2))
	if _, pinned, _ := copiedIn(); pinned != 0 {
		t.Errorf("%d bytes of pinned memory though it is turned off", pinned)
	}
	rt.SetPinnedLimit(n) // less than x has
	lazy.Eval(x.Mul(2))
	if s := rt.Stats(); s.Pinned != 0 {
		t.Errorf("%d bytes are pinned beyond the limit", s.Pinned)
	}
	rt.SetPinnedLimit(16 * n)
	lazy.Eval(x.Mul(2))
	if s := rt.Stats(); s.Pinned < 8*n {
		t.Errorf("%d bytes are pinned, want those of x", s.Pinned)
	}
	x = nil
	offload.Collect()
	lazy.Eval(lazy.Arange(10).Add(1))
	if s := rt.Stats(); s.Pinned != 0 {
		t.Errorf("%d bytes are pinned of an array that is gone", s.Pinned)
	}
}
