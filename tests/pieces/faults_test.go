package pieces

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
)

// faulty is a simulated GPU on which the step with the number at goes wrong: steps are allocations, loads, copies,
// launches and waits, counted as they come.
type faulty struct {
	device.Device
	steps, at int
	kind      string       // of the step that went wrong
	happen    func() error // what goes wrong: its error, or nil for something else that it did
	pending   error        // of a stream, for its next Sync
}

var errFault = errors.New("the card fell off the bus")

// step counts one, and returns the error that it has.
func (f *faulty) step(kind string) error {
	f.steps++
	if f.steps != f.at {
		return nil
	}
	f.kind = kind
	return f.happen()
}

func (f *faulty) Alloc(n int) (device.Buffer, error) {
	if err := f.step("allocation"); err != nil {
		return nil, err
	}
	return f.Device.Alloc(n)
}

func (f *faulty) Reserve(n int) (device.Buffer, error) {
	if err := f.step("reservation"); err != nil {
		return nil, err
	}
	return f.Device.(device.Reserver).Reserve(n)
}

func (f *faulty) Carve(from device.Buffer, off, n int) (device.Buffer, error) {
	if err := f.step("carving"); err != nil {
		return nil, err
	}
	return f.Device.(device.Reserver).Carve(from, off, n)
}

func (f *faulty) Load(k *kir.Func) (device.Kernel, error) {
	if err := f.step("load"); err != nil {
		return nil, err
	}
	return f.Device.Load(k)
}

func (f *faulty) NewStream(priority int) (device.Stream, error) {
	s, err := f.Device.NewStream(priority)
	return &faultyStream{s, f}, err
}

type faultyStream struct {
	device.Stream
	f *faulty
}

// failed is the end of a step that went wrong.
type failed struct{ err error }

func (e failed) Wait(context.Context) error { return e.err }
func (e failed) Done() bool                 { return true }
func (e failed) Trace() trace.Event         { return trace.Event{} }

func (s *faultyStream) queued(kind string, queue func() device.Event) device.Event {
	if err := s.f.step(kind); err != nil {
		s.f.pending = err
		return failed{err}
	}
	return queue()
}

func (s *faultyStream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	return s.queued("copy in", func() device.Event { return s.Stream.CopyIn(dst, off, src) })
}

func (s *faultyStream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	return s.queued("copy out", func() device.Event { return s.Stream.CopyOut(dst, src, off) })
}

func (s *faultyStream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, n int) device.Event {
	return s.queued("copy", func() device.Event { return s.Stream.CopyPeer(dst, dstOff, src, srcOff, n) })
}

func (s *faultyStream) Launch(k device.Kernel, grid, block kir.Dim3, shared int, params []byte) device.Event {
	return s.queued("launch", func() device.Event { return s.Stream.Launch(k, grid, block, shared, params) })
}

func (s *faultyStream) Wait(e device.Event) {
	if _, bad := e.(failed); !bad {
		s.Stream.Wait(e)
	}
}

func (s *faultyStream) Sync(ctx context.Context) error {
	if err := s.f.step("wait"); err != nil {
		return err
	}
	err := s.Stream.Sync(ctx)
	if s.f.pending != nil {
		err, s.f.pending = s.f.pending, nil
	}
	return err
}

// evaluate returns the error of an evaluation, of an interrupted one too.
func evaluate(xs ...*lazy.Array) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = p.(error)
		}
	}()
	lazy.Eval(xs...)
	return nil
}

// riskyPrograms are evaluations in pieces: what they compute, on a device of how much memory, and what is wrong with
// the result.
var riskyPrograms = []struct {
	name   string
	memory int64
	make   func() []*lazy.Array
	wrong  func(xs []*lazy.Array) string
}{
	{"options", 96 << 10, func() []*lazy.Array {
		call, put := workloads.BlackScholes(workloads.Options(4096))
		return []*lazy.Array{call, put}
	}, func(xs []*lazy.Array) string {
		for i, v := range xs[0].Float64s() {
			if put := xs[1].Float64(i); math.Abs(v-workloads.Call) > 1e-12 || math.Abs(put-workloads.Put) > 1e-12 {
				return fmt.Sprintf("option %d is %v, %v", i, v, put)
			}
		}
		return ""
	}},
	{"views", 16 << 10, func() []*lazy.Array { // packed pieces, an assignment, results along an axis
		x := lazy.Arange(2400).Reshape(40, 60).AsType(lazy.Float64).Add(0)
		lazy.Eval(x)
		z := x.T().Mul(2)
		z.Set(x.T().At(lazy.S(1, lazy.End, 2)), lazy.S(0, lazy.End, 2))
		return []*lazy.Array{z, x.At(lazy.S(1, lazy.End)).Sub(x.At(lazy.S(0, -1))).Sum(lazy.Axis(0))}
	}, func(xs []*lazy.Array) string {
		z, sums := xs[0].Array(), xs[1].Float64s()
		for i := range 60 {
			for k := range 40 {
				want := float64(2 * (60*k + i))
				if i%2 == 0 {
					want = float64(60*k + i + 1)
				}
				if got := z.Float64(i, k); got != want {
					return fmt.Sprintf("element %d, %d is %v, not %v", i, k, got, want)
				}
			}
			if sums[i] != 39*60 {
				return fmt.Sprintf("sum %d is %v", i, sums[i])
			}
		}
		return ""
	}},
}

// TestEveryStepMayFail: each step of an evaluation in pieces goes wrong once: with a device's error, for lack of
// memory, and by an interrupt. There is an error that names the cause, or the evaluation found another way; no device
// memory is kept but for the values that variables hold, and the same lines, run again, give the right values. A short
// test has one of the causes, each turn another.
func TestEveryStepMayFail(t *testing.T) {
	causes := map[string]error{"error": errFault, "memory": device.ErrOutOfMemory, "interrupt": context.Canceled}
	for i, what := range slices.Sorted(maps.Keys(causes)) {
		for k, program := range riskyPrograms {
			if testsize.Part(i+k, 3) {
				t.Run(program.name+", "+what, func(t *testing.T) {
					everyStep(t, what, causes[what], program.memory, program.make, program.wrong)
				})
			}
		}
	}
}

// inUseBy returns how many bytes of a device's memory are in use.
func inUseBy(rt *offload.Runtime, device string) int64 {
	for _, m := range rt.MemoryUse() {
		if m.Device == device {
			return m.Pool.InUse
		}
	}
	return 0
}

func everyStep(t *testing.T, what string, cause error, memory int64, program func() []*lazy.Array, wrong func(xs []*lazy.Array) string) {
	kinds := map[string]int{}
	for at := 1; ; at++ {
		tiny, err := simgpu.PresetByName("sim:tiny")
		require.NoError(t, err)
		tiny.MemoryBytes = memory
		f := &faulty{Device: simgpu.New(tiny, simgpu.SampleAbove(256))}
		var r device.Registry
		r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
		r.Add("faulty", func() (device.Device, error) { return f, nil })
		rt, err := offload.New(&r, "faulty")
		require.NoError(t, err)
		lazy.Wiring{}.SetRuntime(rt)
		ctx, cancel := context.WithCancel(context.Background())
		rt.Context = func() context.Context { return ctx }
		f.happen = func() error {
			switch what {
			case "interrupt":
				cancel()
				return nil
			case "memory":
				return &device.OutOfMemory{Device: "faulty", Need: 1, Size: memory}
			}
			return cause
		}

		xs := program()
		f.steps, f.at = 0, at
		err = evaluate(xs...)
		happened := f.kind
		f.at = 0 // nothing goes wrong any more
		if err != nil && (!errors.Is(err, cause) || strings.Contains(err.Error(), "panic")) {
			t.Errorf("at step %d, %s: the error is %v", at, happened, err)
		}
		if err == nil && happened != "" && what == "error" {
			t.Errorf("at step %d, %s: nothing was said of it", at, happened)
		}
		ctx = context.Background()
		if err := evaluate(xs...); err != nil {
			t.Fatalf("at step %d, %s: again: %v", at, happened, err)
		}
		if msg := wrong(xs); msg != "" {
			t.Fatalf("at step %d, %s: %s", at, happened, msg)
		}
		xs = nil
		var inUse int64
		for range 3 { // one is enough, but for what cleanups have let go of
			offload.Collect()
			lazy.Ones(1).Add(1).Array() // frees what was collected
			if inUse = inUseBy(rt, "faulty"); inUse <= 256 {
				break
			}
		}
		if inUse > 256 {
			t.Errorf("at step %d, %s: %d bytes are in use still", at, happened, inUse)
		}
		cancel()
		if happened == "" { // there are no more steps
			if s := rt.Stats(); s.Pieces < 3 || at < 20 || kinds["launch"] < 3 || kinds["copy in"] < 3 || kinds["copy out"] < 3 {
				t.Errorf("only %d steps, %d pieces: %v", at-1, s.Pieces, kinds)
			}
			t.Logf("%d steps: %v", at-1, kinds)
			break
		}
		kinds[happened]++
	}
}
