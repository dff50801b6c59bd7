package host

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

var (
	_ device.Device = (*Device)(nil)
	_ device.Stream = (*stream)(nil)
	_ device.Buffer = (*buffer)(nil)
	_ device.Kernel = (*kernel)(nil)
)

// double is x[i] *= 2 for n elements of f64.
func double(t *testing.T, d *Device) device.Kernel {
	b := kir.NewBuilder("double")
	n, x := b.Param("n", kir.I64), b.Param("x", kir.U64)
	i := b.GlobalIDX()
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), body, end)
	b.SetBlock(body)
	at := b.Index(x, i, kir.F64)
	b.Store(kir.Global, at, b.Op(kir.OpMul, b.Load(kir.Global, kir.F64, at), b.Const(kir.F64, 2)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return load(t, d, b)
}

// forever is a loop without an end.
func forever(t *testing.T, d *Device) device.Kernel {
	b := kir.NewBuilder("forever")
	loop := b.NewBlock("loop")
	b.Jump(loop)
	b.SetBlock(loop)
	b.Jump(loop)
	return load(t, d, b)
}

func load(t *testing.T, d *Device, b *kir.Builder) device.Kernel {
	t.Helper()
	f, err := b.Func()
	require.NoError(t, err)
	k, err := d.Load(f)
	require.NoError(t, err)
	return k
}

func open(t *testing.T, limit int64) (*Device, device.Stream) {
	t.Helper()
	d := Open(limit)
	t.Cleanup(func() { d.Close() })
	s, err := d.NewStream(0)
	require.NoError(t, err)
	return d, s
}

func alloc(t *testing.T, d *Device, n int) device.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	require.NoError(t, err)
	return b
}

func params(n int, addr uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(n)), addr)
}

func TestCopyLaunchCopy(t *testing.T) {
	d, s := open(t, 1<<20)
	const n = 1000
	var src []byte
	for i := range n {
		src = binary.LittleEndian.AppendUint64(src, math.Float64bits(float64(i)))
	}
	buf, dst := alloc(t, d, len(src)), make([]byte, len(src))
	in := s.CopyIn(buf, 0, src)
	run := s.Launch(double(t, d), kir.D1(4), kir.D1(256), 0, params(n, buf.Addr()))
	out := s.CopyOut(dst, buf, 0)
	require.NoError(t, s.Sync(context.Background()))
	for i := range n {
		if x := math.Float64frombits(binary.LittleEndian.Uint64(dst[8*i:])); x != 2*float64(i) {
			t.Fatalf("element %d is %v, not %v", i, x, 2*float64(i))
		}
	}
	last := trace.Time(0)
	for i, e := range []device.Event{in, run, out} {
		require.NoError(t, e.Wait(context.Background()))
		tr := e.Trace()
		if want := []trace.Kind{trace.CopyIn, trace.Kernel, trace.CopyOut}[i]; tr.Kind != want || tr.Device != "host" || tr.Modelled {
			t.Errorf("event %d: %+v", i, tr)
		}
		if tr.Start < last || tr.End < tr.Start {
			t.Errorf("event %d is from %v to %v, after one that ended at %v", i, tr.Start, tr.End, last)
		}
		last = tr.End
	}
}

func TestFirstErrorStopsTheStreamUntilSync(t *testing.T) {
	d, s := open(t, 1<<20)
	buf := alloc(t, d, 80)
	bad := s.Launch(double(t, d), kir.D1(1), kir.D1(64), 0, params(11, buf.Addr()))
	dst := make([]byte, 80)
	after := s.CopyOut(dst, buf, 0)
	err := s.Sync(context.Background())
	var trap *kir.Trap
	if !errors.As(err, &trap) || trap.Thread.X != 10 {
		t.Fatalf("Sync returned %v, not the trap of thread 10", err)
	}
	if err := bad.Wait(context.Background()); !errors.As(err, &trap) {
		t.Errorf("the launch's event has error %v", err)
	}
	if err := after.Wait(context.Background()); !errors.Is(err, errNotRun) || !errors.As(err, &trap) {
		t.Errorf("the copy behind it has error %v", err)
	}
	if err := s.Sync(context.Background()); err != nil {
		t.Errorf("the second Sync returned %v", err)
	}
	s.CopyOut(dst, buf, 0)
	if err := s.Sync(context.Background()); err != nil {
		t.Errorf("a copy after Sync: %v", err)
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	d, s := open(t, 1<<20)
	other, _ := open(t, 1<<20)
	buf, foreign, freed := alloc(t, d, 8), alloc(t, other, 8), alloc(t, d, 8)
	require.NoError(t, freed.Free())
	if err := freed.Free(); err == nil {
		t.Error("a buffer can be freed twice")
	}
	k := double(t, d)
	for name, c := range map[string]struct {
		event func() device.Event
		want  string
	}{
		"too long":       {func() device.Event { return s.CopyIn(buf, 4, make([]byte, 5)) }, "5 bytes at byte 4 does not fit in a buffer of 8"},
		"foreign buffer": {func() device.Event { return s.CopyIn(foreign, 0, nil) }, "another device"},
		"freed buffer":   {func() device.Event { return s.CopyOut(nil, freed, 0) }, "has been freed"},
		"block":          {func() device.Event { return s.Launch(k, kir.D1(1), kir.D1(2000), 0, params(0, 0)) }, "1024 threads"},
		"parameters":     {func() device.Event { return s.Launch(k, kir.D1(1), kir.D1(1), 0, nil) }, "16 bytes, not 0"},
		"shared memory":  {func() device.Event { return s.Launch(k, kir.D1(1), kir.D1(1), 2<<20, params(0, 0)) }, "shared memory"},
	} {
		err := c.event().Wait(context.Background())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Sync(context.Background()); err == nil {
			t.Errorf("%s: Sync returns no error", name)
		}
	}
}

func TestOutOfMemoryAndFreeBehindWork(t *testing.T) {
	d, s := open(t, 1000)
	a := alloc(t, d, 800)
	_, err := d.Alloc(300)
	var oom *device.OutOfMemory
	if !errors.As(err, &oom) || oom.Need != 300 || oom.Free != 200 || oom.Size != 1000 {
		t.Fatalf("%v", err)
	}
	gate := device.NewCompletion(trace.Event{})
	s.Wait(gate)
	src := make([]byte, 800)
	copied := s.CopyIn(a, 0, src)
	require.NoError(t, a.Free())
	got := make(chan error)
	go func() {
		_, err := d.Alloc(300) // waits for the work before the Free
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("memory came back while a copy to it was queued (%v)", err)
	case <-time.After(10 * time.Millisecond):
	}
	gate.Finish(nil)
	assert.NoError(t, <-got)
	assert.NoError(t, copied.Wait(context.Background()))
}

func TestSyncCanBeCancelled(t *testing.T) {
	d, s := open(t, 1<<20)
	s.Launch(forever(t, d), kir.D1(64), kir.D1(128), 0, nil)
	buf := alloc(t, d, 8)
	behind := s.CopyIn(buf, 0, make([]byte, 8))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	start := time.Now()
	err := s.Sync(ctx)
	if d := time.Since(start); d > 5*time.Second { // 120 ms is the contract; a busy machine may take longer
		t.Errorf("Sync took %v", d)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Sync returned %v", err)
	}
	if err := behind.Wait(context.Background()); !errors.Is(err, errNotRun) {
		t.Errorf("what was queued behind has error %v", err)
	}
	if err := s.CopyIn(buf, 0, make([]byte, 8)).Wait(context.Background()); err != nil {
		t.Errorf("the stream is of no use after a cancelled Sync: %v", err)
	}
	if err := s.Sync(context.Background()); err != nil {
		t.Errorf("Sync after a cancelled one: %v", err)
	}
}

func TestWaitOrdersStreams(t *testing.T) {
	d, first := open(t, 1<<20)
	second, err := d.NewStream(0)
	require.NoError(t, err)
	buf, dst := alloc(t, d, 8), make([]byte, 8)
	gate := device.NewCompletion(trace.Event{})
	first.Wait(gate)
	written := first.CopyIn(buf, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	second.Wait(written)
	second.CopyOut(dst, buf, 0)
	gate.Finish(nil)
	require.NoError(t, second.Sync(context.Background()))
	if dst[7] != 8 {
		t.Errorf("the second stream read %v", dst)
	}
	assert.NoError(t, d.Close())
	if _, err := d.Alloc(8); err == nil {
		t.Error("a closed device allocates")
	}
	if err := first.CopyIn(buf, 0, nil).Wait(context.Background()); err == nil {
		t.Error("a closed stream copies")
	}
}

func TestPropertiesAreMeasured(t *testing.T) {
	p := Open(0).Properties()
	if p.Modelled || p.SMs < 1 || p.MemoryBytes < 1<<20 || p.MemoryBandwidth < 1e6 || p.Name == "" {
		t.Errorf("%+v", p)
	}
}
