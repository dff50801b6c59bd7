package simgpu

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

var _ device.Device = (*GPU)(nil)

var ctx = context.Background()

func TestCopyTimes(t *testing.T) {
	b := newBench(t, "v100")
	p := b.gpu.Preset()
	const n = 55_000_000
	buf := b.alloc(n)
	pinned, err := b.gpu.HostAlloc(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		e    device.Event
		want trace.Time // latency + bytes/rate
	}{
		{"pageable in", b.stream.CopyIn(buf, 0, make([]byte, n)), 10*trace.Millisecond + 6*trace.Microsecond},
		{"pageable out", b.stream.CopyOut(make([]byte, n), buf, 0), 10*trace.Millisecond + 6*trace.Microsecond},
		{"pinned in", b.stream.CopyIn(buf, 0, pinned[:12_000_000]), trace.Millisecond + 6*trace.Microsecond},
		{"nothing", b.stream.CopyIn(buf, 0, nil), 6 * trace.Microsecond},
	} {
		if err := c.e.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		e := c.e.Trace()
		if e.Duration() != c.want || !e.Modelled || e.Device != "sim:v100#0" {
			t.Errorf("%s: %v, want %v (%+v)", c.name, e.Duration(), c.want, e)
		}
	}
	if p.CopyLatency != 6000 || p.PageableRate != 55e8 || p.PinnedRate != 12e9 {
		t.Error("the preset has other rates than this test")
	}
}

func TestStreamsOverlapCopiesAndKernels(t *testing.T) {
	b := newBench(t, "v100")
	other, err := b.gpu.NewStream(0)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 20
	x, y, z := b.alloc(4*n), b.alloc(4*n), b.alloc(4*n)
	k, err := b.gpu.Load(saxpy(t))
	if err != nil {
		t.Fatal(err)
	}
	host, err := b.gpu.HostAlloc(4 * n)
	if err != nil {
		t.Fatal(err)
	}
	back, err := b.gpu.HostAlloc(4 * n)
	if err != nil {
		t.Fatal(err)
	}
	in := b.stream.CopyIn(x, 0, host)
	kernel := b.stream.Launch(k, kir.D1(n/256), kir.D1(256), 0, pack(t, x, y, n))
	in2 := other.CopyIn(z, 0, host)
	out := b.stream.CopyOut(back, y, 0)
	other.Wait(out)
	out2 := other.CopyOut(make([]byte, 4*n), z, 0)
	for _, s := range []device.Stream{b.stream, other} {
		if err := s.Sync(ctx); err != nil {
			t.Fatal(err)
		}
	}
	ev := func(e device.Event) trace.Event { return e.Trace() }
	if ev(kernel).Start < ev(in).End || ev(out).Start < ev(kernel).End {
		t.Error("a stream is not in order")
	}
	if ev(in2).Start != ev(in).End {
		t.Errorf("the engine is free at %v, the second copy in starts at %v", ev(in).End, ev(in2).Start)
	}
	if ev(kernel).Start >= ev(in2).End {
		t.Error("the kernel waits for a copy of another stream")
	}
	if ev(out).Start >= ev(in2).End {
		t.Error("copies of two directions do not overlap")
	}
	if ev(out2).Start < ev(out).End {
		t.Error("Wait does not hold")
	}
	if ev(in).Stream == ev(in2).Stream {
		t.Error("two streams have one number")
	}
}

// Copies from and to memory that is not pinned wait for kernels of other streams, and kernels for them: the driver
// stages them (CUDA C++ Best Practices Guide, 10.1.2: concurrent copy and execute needs pinned memory). From pinned
// memory they go beside kernels.
func TestPageableCopiesDoNotOverlapKernels(t *testing.T) {
	testsize.InTurn(t, 2)
	const n = 1 << 20
	for _, pinned := range []bool{false, true} {
		b := newBench(t, "v100")
		other, err := b.gpu.NewStream(0)
		require.NoError(t, err)
		memory := func() []byte {
			if pinned {
				m, err := b.gpu.HostAlloc(4 * n)
				require.NoError(t, err)
				return m
			}
			return make([]byte, 4*n)
		}
		x, y, z := b.alloc(4*n), b.alloc(4*n), b.alloc(4*n)
		k, err := b.gpu.Load(saxpy(t))
		require.NoError(t, err)
		var kernels, copies []device.Event
		for range 3 {
			kernels = append(kernels, b.stream.Launch(k, kir.D1(n/256), kir.D1(256), 0, pack(t, x, y, n)))
			copies = append(copies, other.CopyIn(z, 0, memory()), other.CopyOut(memory(), z, 0))
		}
		require.NoError(t, b.stream.Sync(ctx))
		require.NoError(t, other.Sync(ctx))
		overlap := false
		for _, a := range kernels {
			for _, c := range copies {
				a, c := a.Trace(), c.Trace()
				overlap = overlap || a.Start < c.End && c.Start < a.End
			}
		}
		assert.Equal(t, pinned, overlap)
	}
}

func TestHostClockWaitsToo(t *testing.T) {
	b := newBench(t, "v100")
	buf := b.alloc(1 << 20)
	host := make([]byte, 1<<20)
	first := b.stream.CopyIn(buf, 0, host)
	if err := b.stream.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	second := b.stream.CopyIn(buf, 0, host)
	if err := second.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if got, want := second.Trace().Start, first.Trace().End+2*trace.Microsecond; got != want { // SubmitTime
		t.Errorf("after Sync a copy starts at %v, want %v", got, want)
	}
}

func TestLaunchLimits(t *testing.T) {
	b := newBench(t, "tiny")
	k, err := b.gpu.Load(saxpy(t))
	if err != nil {
		t.Fatal(err)
	}
	params := pack(t, b.alloc(4), b.alloc(4), 1)
	for _, c := range []struct {
		name         string
		grid, block  kir.Dim3
		shared       int
		value, limit int
	}{
		{"block too large", kir.D1(1), kir.Dim3{X: 64, Y: 32, Z: 1}, 0, 2048, 1024},
		{"no blocks", kir.D1(0), kir.D1(32), 0, 0, 1<<31 - 1},
		{"no threads", kir.D1(1), kir.D1(0), 0, 0, 1024},
		{"grid too tall", kir.Dim3{X: 1, Y: 70000, Z: 1}, kir.D1(32), 0, 70000, 65535},
		{"shared memory", kir.D1(1), kir.D1(32), 100000, 100000, 96 * kib},
	} {
		e := b.stream.Launch(k, c.grid, c.block, c.shared, params)
		var limit *LaunchLimit
		if err := e.Wait(ctx); !errors.As(err, &limit) || limit.Value != c.value || limit.Max != c.limit || limit.Kernel != "saxpy" {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err := b.stream.Sync(ctx); !errors.As(err, &limit) {
			t.Errorf("%s: Sync says %v", c.name, err)
		}
	}
	if err := b.stream.Launch(k, kir.D1(1), kir.D1(32), 0, params[1:]).Wait(ctx); err == nil || !strings.Contains(err.Error(), "24 bytes, 23") {
		t.Errorf("parameters cut: error %v", err)
	}
	b.stream.Sync(ctx)
	if err := b.stream.Launch(k, kir.D1(1), kir.D1(32), 0, params).Wait(ctx); err != nil {
		t.Errorf("the stream does not go on: %v", err)
	}
}

func TestTrapNamesTheKernelAndTheStreamGoesOn(t *testing.T) {
	b := newBench(t, "tiny")
	k, _ := b.gpu.Load(saxpy(t))
	x, y := b.alloc(400), b.alloc(400)
	bad := b.stream.Launch(k, kir.D1(1), kir.D1(256), 0, pack(t, x, y, 101))
	after := b.stream.CopyOut(make([]byte, 400), y, 0)
	var trap *kir.Trap
	if err := after.Wait(ctx); !errors.As(err, &trap) {
		t.Errorf("what follows the trap: %v", err)
	}
	if err := b.stream.Sync(ctx); !errors.As(err, &trap) || trap.Kernel != "saxpy" || !strings.Contains(err.Error(), "saxpy") {
		t.Errorf("Sync says %v", err)
	}
	if err := bad.Wait(ctx); !errors.As(err, &trap) {
		t.Errorf("the event says %v", err)
	}
	if err := b.stream.Sync(ctx); err != nil {
		t.Errorf("the second Sync says %v", err)
	}
	b.launch(saxpy(t), kir.D1(1), kir.D1(256), x, y, 100)
}

func TestMemoryIsLimitedAndReused(t *testing.T) {
	b := newBench(t, "tiny")
	_, err := b.gpu.Alloc(17 << 20)
	var oom *device.OutOfMemory
	if !errors.As(err, &oom) || oom.Need != 17<<20 || oom.Free != 16<<20 || oom.Size != 16<<20 || oom.Device != "sim:tiny#0" {
		t.Fatalf("error %v", err)
	}
	var bufs []device.Buffer
	for range 4 {
		bufs = append(bufs, b.alloc(4<<20))
	}
	if _, err := b.gpu.Alloc(1); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("a full device: %v", err)
	}
	at := bufs[1].Addr()
	if err := bufs[1].Free(); err != nil {
		t.Fatal(err)
	}
	if err := bufs[1].Free(); err == nil {
		t.Error("freed twice without an error")
	}
	if err := b.stream.CopyIn(bufs[1], 0, make([]byte, 4)).Wait(ctx); err == nil {
		t.Error("copy to freed memory without an error")
	}
	b.stream.Sync(ctx)
	if free, total := b.gpu.MemInfo(); free != 4<<20 || total != 16<<20 {
		t.Errorf("%d of %d free", free, total)
	}
	again := b.alloc(100)
	if again.Addr() != at || again.Addr()%256 != 0 || again.Bytes() != 100 {
		t.Errorf("%d bytes at %#x, want 100 at %#x", again.Bytes(), again.Addr(), at)
	}
	if next := b.alloc(0); next.Addr() != at+256 {
		t.Errorf("nothing lies at %#x", next.Addr())
	}
}

// A buffer that was freed keeps its contents for the work that is queued before, though its address has a new owner.
func TestFreedMemoryServesQueuedWork(t *testing.T) {
	b := newBench(t, "tiny")
	const n = 4096
	x := b.put(f32s(n, func(int) float32 { return 3 }))
	y := b.put(f32s(n, func(int) float32 { return 1 }))
	k, _ := b.gpu.Load(saxpy(t))
	b.stream.Launch(k, kir.D1(n/256), kir.D1(256), 0, pack(t, x, y, n))
	x.Free()
	z := b.put(f32s(n, func(int) float32 { return 100 }))
	if z.Addr() != x.Addr() {
		t.Error("the address is not reused, so this test shows nothing")
	}
	if got := f32at(b.get(y), n-1); got != 7 {
		t.Errorf("y = %g, want 7", got)
	}
	if got := f32at(b.get(z), 0); got != 100 {
		t.Errorf("z = %g, want 100", got)
	}
}

func TestAllocationsNeverOverlap(t *testing.T) {
	h := heap{device: "test", size: 1 << 20}
	live := map[uint64]int{}
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		if r.IntN(2) == 0 {
			for addr := range live {
				h.free(addr)
				delete(live, addr)
				break
			}
			continue
		}
		n := r.IntN(20000)
		addr, err := h.alloc(n)
		if err != nil {
			continue
		}
		for a, m := range live {
			if addr < a+uint64(max(m, 1)) && a < addr+uint64(max(n, 1)) {
				t.Fatalf("%d bytes at %#x overlap %d at %#x", n, addr, m, a)
			}
		}
		live[addr] = n
	}
	sum := int64(0)
	for _, n := range live {
		sum += int64(sizeOf(n))
	}
	if h.used != sum {
		t.Errorf("%d bytes in use, counted %d", sum, h.used)
	}
}

func TestCopiesOutOfBoundsAreRefused(t *testing.T) {
	b := newBench(t, "tiny")
	foreign := newBench(t, "tiny")
	buf := b.alloc(100)
	for _, e := range []device.Event{
		b.stream.CopyIn(buf, 90, make([]byte, 11)),
		b.stream.CopyIn(buf, -1, make([]byte, 1)),
		b.stream.CopyOut(make([]byte, 101), buf, 0),
		b.stream.CopyIn(foreign.alloc(8), 0, make([]byte, 8)),
	} {
		if err := e.Wait(ctx); err == nil || !strings.Contains(err.Error(), "sim:tiny#0") {
			t.Errorf("error %v", err)
		}
		b.stream.Sync(ctx)
	}
	data := []byte("0123456789")
	b.stream.CopyIn(buf, 90, data)
	if got := b.get(buf)[90:]; !bytes.Equal(got, data) {
		t.Errorf("got %q", got)
	}
}

// forever loops until an element of x is not zero, which it never is.
func forever(t testing.TB) *kir.Func {
	b := kir.NewBuilder("forever")
	x := b.Param("x", kir.U64)
	loop, done := b.NewBlock("loop"), b.NewBlock("done")
	b.Jump(loop)
	b.SetBlock(loop)
	b.Branch(b.Op(kir.OpEq, b.Load(kir.Global, kir.I64, x), b.Int(kir.I64, 0)), loop, done)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

func TestSyncIsCancelled(t *testing.T) {
	b := newBench(t, "v100")
	k, err := b.gpu.Load(forever(t))
	if err != nil {
		t.Fatal(err)
	}
	x := b.alloc(8)
	e := b.stream.Launch(k, kir.D1(64), kir.D1(256), 0, pack(t, x))
	later := b.stream.CopyIn(x, 0, make([]byte, 8))
	limited, cancel := context.WithCancel(ctx)
	time.AfterFunc(30*time.Millisecond, cancel)
	begin := time.Now()
	if err := b.stream.Sync(limited); !errors.Is(err, context.Canceled) {
		t.Errorf("Sync says %v", err)
	}
	// the kernel never ends; how soon is a matter of the machine's load
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("Sync returned %v after the cancellation", took-30*time.Millisecond)
	}
	for _, e := range []device.Event{e, later} {
		if err := e.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the event says %v", err)
		}
	}
	b.launch(saxpy(t), kir.D1(1), kir.D1(32), b.alloc(128), b.alloc(128), 32)
}

// TestGivenUpWorkFailsNothingLater: what a cancelled Sync has given up may end long after it, as on a busy machine;
// what was queued since is done all the same.
func TestGivenUpWorkFailsNothingLater(t *testing.T) {
	s := newBench(t, "tiny").stream.(*stream)
	begun, held := make(chan struct{}), make(chan struct{})
	first := s.submit("held", trace.Kernel, 0, func(ctx context.Context, _ moment, _ *trace.Event) error {
		close(begun)
		<-held
		return ctx.Err()
	}, nil)
	<-begun
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, s.Sync(cancelled), context.Canceled)
	later := s.submit("later", trace.Kernel, 0, nil, nil)
	close(held)
	require.NoError(t, s.Sync(ctx))
	require.NoError(t, later.Wait(ctx))
	require.ErrorIs(t, first.Wait(ctx), context.Canceled)
}

func TestCloseGivesUpWhatIsQueued(t *testing.T) {
	p, _ := PresetByName("tiny")
	g := New(p)
	s, _ := g.NewStream(0)
	buf, _ := g.Alloc(1 << 20)
	var events []device.Event
	for range 200 {
		events = append(events, s.CopyIn(buf, 0, make([]byte, 1<<20)))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	for _, e := range append(events, s.CopyIn(buf, 0, nil)) {
		if err := e.Wait(ctx); err != nil && !errors.Is(err, errClosed) {
			t.Errorf("the event says %v", err)
		}
	}
	if _, err := g.Alloc(1); !errors.Is(err, errClosed) {
		t.Errorf("Alloc says %v", err)
	}
}

// Streams may be used from several goroutines.
func TestStreamsOfManyGoroutines(t *testing.T) {
	b := newBench(t, "tiny")
	k, _ := b.gpu.Load(saxpy(t))
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			s, err := b.gpu.NewStream(0)
			if err != nil {
				t.Error(err)
				return
			}
			for range 10 {
				x, errX := b.gpu.Alloc(4096)
				y, errY := b.gpu.Alloc(4096)
				if errX != nil || errY != nil {
					t.Error(errX, errY)
					return
				}
				s.CopyIn(x, 0, f32s(1024, func(int) float32 { return float32(g) }))
				s.Launch(k, kir.D1(4), kir.D1(256), 0, pack(t, x, y, 1024))
				out := make([]byte, 4096)
				s.CopyOut(out, y, 0)
				x.Free()
				y.Free()
				if err := s.Sync(ctx); err != nil {
					t.Error(err)
				}
				if f32at(out, 1023) != 2*float32(g) {
					t.Errorf("goroutine %d: %g", g, f32at(out, 1023))
				}
			}
		})
	}
	wg.Wait()
}
