package mempool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

const mib = 1 << 20

// fake is a device that gives out addresses.
type fake struct {
	size, used int64
	next       uint64
	carved     map[uint64]int // what is in use
	t          *testing.T
}

func newFake(t *testing.T, size int64) *fake {
	return &fake{size: size, next: 1 << 32, carved: map[uint64]int{}, t: t}
}

func (f *fake) ID() string                            { return "fake" }
func (f *fake) Properties() device.Properties         { return device.Properties{MemoryBytes: f.size} }
func (f *fake) NewStream(int) (device.Stream, error)  { return &queue{}, nil }
func (f *fake) Load(*kir.Func) (device.Kernel, error) { return nil, nil }
func (f *fake) Close() error                          { return nil }
func (f *fake) Alloc(int) (device.Buffer, error)      { panic("a pool reserves") }

func (f *fake) Reserve(bytes int) (device.Buffer, error) {
	if f.used+int64(bytes) > f.size {
		return nil, &device.OutOfMemory{Device: "fake", Need: int64(bytes), Free: f.size - f.used, Size: f.size}
	}
	f.used += int64(bytes)
	b := &memory{f: f, addr: f.next, bytes: bytes, head: true}
	f.next += uint64(bytes) + 1<<20
	return b, nil
}

func (f *fake) Carve(from device.Buffer, off, bytes int) (device.Buffer, error) {
	h := from.(*memory)
	if off+bytes > h.bytes {
		f.t.Fatalf("bytes %d to %d of a reservation of %d", off, off+bytes, h.bytes)
	}
	b := &memory{f: f, addr: h.addr + uint64(off), bytes: bytes}
	for addr, n := range f.carved {
		if b.addr < addr+uint64(n) && addr < b.addr+uint64(bytes) {
			f.t.Fatalf("blocks overlap: %d bytes at %#x, %d at %#x", bytes, b.addr, n, addr)
		}
	}
	f.carved[b.addr] = bytes
	return b, nil
}

type memory struct {
	f     *fake
	addr  uint64
	bytes int
	head  bool
}

func (m *memory) Bytes() int   { return m.bytes }
func (m *memory) Addr() uint64 { return m.addr }
func (m *memory) Free() error {
	if m.head {
		m.f.used -= int64(m.bytes)
	} else {
		delete(m.f.carved, m.addr)
	}
	return nil
}

// queue is a stream that notes what it waits for; event an event that is done when it is told.
type queue struct {
	device.Stream
	waits []device.Event
}

func (q *queue) Wait(e device.Event) { q.waits = append(q.waits, e) }

type event struct{ done bool }

func (e *event) Wait(context.Context) error { return nil }
func (e *event) Done() bool                 { return e.done }
func (e *event) Trace() trace.Event         { return trace.Event{} }

// TestGrowth: the sequences of RMM's pool, worked out by its rule: as much again as there is, or half of what is left
// to a maximum.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		max  int64
		want []int64
	}{
		{0, []int64{64, 128, 256}},
		{256, []int64{64, 160, 208, 232}},
	} {
		p, s := New(newFake(t, 1<<40), Options{Initial: 64 * mib, Max: c.max * mib}), &queue{}
		var got []int64
		for len(got) < len(c.want) {
			if _, err := p.Alloc(mib, s); err != nil {
				t.Fatal(err)
			}
			if n := p.Stats().Reserved / mib; !slices.Contains(got, n) {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("with a maximum of %d MiB the pool has %v MiB, want %v", c.max, got, c.want)
		}
	}
}

// TestRandom: blocks never overlap (fake looks), are aligned, and when all have come back there is one stretch a head.
func TestRandom(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := newFake(t, 64*mib)
		p := New(f, Options{Initial: mib})
		streams := []*queue{{}, {}, {}}
		type held struct {
			b *Block
			s *queue
		}
		var live []held
		inUse := int64(0)
		for range 2000 {
			s := streams[r.IntN(len(streams))]
			if r.IntN(5) < 3 || len(live) == 0 {
				n := 1 + r.IntN(1<<r.IntN(22))
				b, err := p.Alloc(n, s)
				if err != nil {
					if !errors.Is(err, device.ErrOutOfMemory) || inUse+Rounded(n) < 8*mib {
						t.Fatalf("seed %d: %v with %d bytes in use", seed, err, inUse)
					}
					continue
				}
				if b.Addr()%Align != 0 || b.Bytes() != n {
					t.Fatalf("seed %d: %d bytes at %#x for %d", seed, b.Bytes(), b.Addr(), n)
				}
				live, inUse = append(live, held{b, s}), inUse+Rounded(n)
			} else {
				k := r.IntN(len(live))
				h := live[k]
				live = slices.Delete(live, k, k+1)
				inUse -= Rounded(h.b.Bytes())
				p.Free(h.b, h.s, &event{done: r.IntN(2) == 0})
			}
			if got := p.Stats().InUse; got != inUse {
				t.Fatalf("seed %d: %d bytes in use, by hand %d", seed, got, inUse)
			}
		}
		for _, h := range live {
			p.Free(h.b, h.s, &event{done: true})
		}
		one := len(p.heads) == 1
		if _, err := p.Alloc(int(p.Stats().Reserved), streams[0]); err != nil && one { // joins all
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, l := range p.lists {
			for i := 1; i < len(l.pieces); i++ {
				if l.pieces[i-1].joins(l.pieces[i]) {
					t.Errorf("seed %d: neighbours are not joined", seed)
				}
			}
		}
	}
}

// TestStreamOrder: the same stream gets a block back at once, another waits for its last use, and not when that is
// over.
func TestStreamOrder(t *testing.T) {
	p := New(newFake(t, mib), Options{Initial: mib})
	a, b := &queue{}, &queue{}
	block, _ := p.Alloc(mib, a)
	used := &event{}
	p.Free(block, a, used)
	again, err := p.Alloc(mib, a)
	if err != nil || again.Addr() != block.Addr() || len(a.waits) != 0 {
		t.Fatalf("on the same stream: %v, %d waits", err, len(a.waits))
	}
	p.Free(again, a, used)
	other, err := p.Alloc(mib, b)
	if err != nil || other.Addr() != block.Addr() || !slices.Equal(b.waits, []device.Event{used}) {
		t.Fatalf("on another stream: %v, it waited for %v", err, b.waits)
	}
	used.done = true
	p.Free(other, b, used)
	if _, err := p.Alloc(mib, a); err != nil || len(a.waits) != 0 {
		t.Errorf("after its use was over: %v, %d waits", err, len(a.waits))
	}
	// Halves that two streams freed are joined for a third.
	p = New(newFake(t, mib), Options{Initial: mib})
	x, _ := p.Alloc(mib/2, a)
	y, _ := p.Alloc(mib/2, b)
	p.Free(x, a, &event{})
	p.Free(y, b, &event{})
	c := &queue{}
	if _, err := p.Alloc(mib, c); err != nil || len(c.waits) != 2 {
		t.Errorf("joined for a third stream: %v, %d waits; want 2", err, len(c.waits))
	}
}

// TestUnusedMemoryIsTakenFirst: a stream does not wait for another's work where there is memory that nothing uses, also
// beside what that work has used; when it has waited for all there is, a third stream still must.
func TestUnusedMemoryIsTakenFirst(t *testing.T) {
	p := New(newFake(t, mib), Options{Initial: mib})
	a, b, c := &queue{}, &queue{}, &queue{}
	x, _ := p.Alloc(mib/4, a)
	used := &event{}
	p.Free(x, a, used)
	y, err := p.Alloc(mib/2, b)
	if err != nil || len(b.waits) != 0 {
		t.Fatalf("beside what is used: %v, %d waits", err, len(b.waits))
	}
	p.Free(y, b, nil)
	all, err := p.Alloc(mib, b)
	if err != nil || !slices.Equal(b.waits, []device.Event{used}) {
		t.Fatalf("all of it: %v, it waited for %v", err, b.waits)
	}
	p.Free(all, b, nil)
	if _, err := p.Alloc(mib/4, c); err != nil || !slices.Equal(c.waits, []device.Event{used}) {
		t.Errorf("a third stream: %v, it waited for %v", err, c.waits)
	}
}

func TestLimits(t *testing.T) {
	p, s := New(newFake(t, 10*mib), Options{Limit: 1000}), &queue{}
	one, err := p.Alloc(500, s) // takes 512
	require.NoError(t, err)
	_, err = p.Alloc(257, s) // would take 512 more
	var full *OutOfMemory
	if !errors.As(err, &full) || !errors.Is(err, device.ErrOutOfMemory) || full.Need != 257 || !strings.Contains(err.Error(), "limit of 1 kB") {
		t.Errorf("beyond the limit: %v", err)
	}
	p.Free(one, s, nil)
	if _, err := p.Alloc(900, s); err == nil { // takes 1,024
		t.Error("1,024 bytes of a limit of 1,000 were given out")
	}
	p.SetLimit(0)
	if _, err := p.Alloc(11*mib, s); !errors.As(err, &full) || !strings.Contains(fmt.Sprint(err), "11.5 MB needed") {
		t.Errorf("beyond the device: %v", err)
	}
	if st := p.Stats(); st.Failures != 3 || st.Peak != 512 || st.InUse != 0 {
		t.Errorf("%+v", st)
	}
}

// TestMakesRoomOfWhatIsFree: free pieces that are too small are given back for a large one.
func TestMakesRoomOfWhatIsFree(t *testing.T) {
	f := newFake(t, 16*mib)
	p, s := New(f, Options{Initial: 4 * mib}), &queue{}
	var blocks []*Block
	for range 4 {
		b, err := p.Alloc(4*mib, s)
		require.NoError(t, err)
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		p.Free(b, s, nil)
	}
	if _, err := p.Alloc(16*mib, s); err != nil {
		t.Error(err)
	}
}

// TestHostMemoryIsUsedAgain: a block of the host comes back as the same memory, unless somebody has it.
func TestHostMemoryIsUsedAgain(t *testing.T) {
	d := host.Open(64 * mib)
	defer d.Close()
	s, err := d.NewStream(0)
	require.NoError(t, err)
	p := New(d, Options{})
	b, err := p.Alloc(mib, s)
	require.NoError(t, err)
	first := &b.Host[0]
	p.Free(b, s, nil)
	again, _ := p.Alloc(mib, s)
	if &again.Host[0] != first {
		t.Error("freed memory was not used again")
	}
	again.Keep()
	p.Free(again, s, nil)
	if third, _ := p.Alloc(mib, s); &third.Host[0] == first {
		t.Error("memory that somebody keeps was used again")
	}
	if _, err := p.Alloc(64*mib, s); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("beyond the limit of the host: %v", err)
	}
}
