package offload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// slowly is a task that works for long on each of 64 I64 elements, the sums of its inputs': with two warps.
func slowly(t *testing.T, rt *Runtime, name string, in ...*Value) *Task {
	t.Helper()
	b := kir.NewBuilder(name)
	out, rounds := b.Param("out", kir.U64), b.Param("rounds", kir.I64)
	task := &Task{Name: name, In: in, Out: []*Value{rt.NewValue(64 * 8)}}
	args := []Arg{Pointer(task.Out[0]), Int(20_000)}
	i := b.GlobalIDX()
	sum := b.Int(kir.I64, 0)
	for k, v := range in {
		p := b.Param(string(rune('a'+k)), kir.U64)
		sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.I64, b.Index(p, i, kir.I64)))
		args = append(args, Pointer(v))
	}
	loop, end := b.NewBlock("loop", kir.I64, kir.I64), b.NewBlock("end", kir.I64)
	b.Jump(loop, sum, b.Int(kir.I64, 0))
	b.SetBlock(loop)
	x, k := loop.Params[0], loop.Params[1]
	more, next := b.Op(kir.OpXor, b.Op(kir.OpMul, x, b.Int(kir.I64, 3)), k), b.Op(kir.OpAdd, k, b.Int(kir.I64, 1))
	b.BranchTo(b.Op(kir.OpLt, next, rounds), kir.Edge{To: loop, Args: []*kir.Value{more, next}}, kir.Edge{To: end, Args: []*kir.Value{more}})
	b.SetBlock(end)
	b.Store(kir.Global, b.Index(out, i, kir.I64), end.Params[0])
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	task.Launches = []Launch{{Func: f, Grid: kir.D1(2), Block: kir.D1(32), Args: args}}
	return task
}

// slow is what slowly makes of x.
func slow(x int64) int64 {
	for k := range int64(20_000) {
		x = 3*x ^ k
	}
	return x
}

func simulated(t *testing.T, name string) *Runtime {
	t.Helper()
	var r device.Registry
	r.Add("gpu", func() (device.Device, error) {
		p, err := simgpu.PresetByName(name)
		return simgpu.New(p), err
	})
	rt, err := New(&r, "gpu")
	require.NoError(t, err)
	return rt
}

// kernelsOf returns the kernels of a trace in the order of their launches, and from when to when they ran together.
func kernelsOf(log *trace.Log) (kernels []trace.Event, start, end trace.Time) {
	for _, e := range log.Events() {
		if e.Kind == trace.Kernel {
			kernels = append(kernels, e)
		}
	}
	slices.SortFunc(kernels, func(a, b trace.Event) int { return a.ID - b.ID })
	start, end = kernels[0].Start, kernels[0].End
	for _, e := range kernels {
		start, end = min(start, e.Start), max(end, e.End)
	}
	return kernels, start, end
}

// TestIndependentTasksOverlap: kernels of one evaluation that do not need each other run at once on a machine that has
// room for them and runs kernels of several streams, and take about the time of one; those that need each other, and
// all on a machine of compute capability 1, run one after the other.
func TestIndependentTasksOverlap(t *testing.T) {
	testsize.InTurn(t, 2)
	for _, c := range []struct {
		device          string
		chain, together bool
	}{
		{"sim:v100", false, true}, {"sim:gtx480", false, true}, {"sim:g80", false, false}, {"sim:gtx280", false, false},
		{"sim:v100", true, false},
	} {
		rt := simulated(t, c.device)
		p := Program{}
		var x *Value
		for i := range 4 {
			if x == nil || !c.chain {
				x = rt.HostValue(ints(64, i))
			}
			task := slowly(t, rt, "slowly", x)
			x = task.Out[0]
			p.Tasks, p.Want = append(p.Tasks, task), append(p.Want, x)
		}
		log, err := rt.Run(p)
		require.NoError(t, err)
		for i, v := range p.Want {
			want := slow(int64(i + 7))
			if c.chain {
				want = 7
				for range i + 1 {
					want = slow(want)
				}
			}
			require.Equal(t, int(want), at(v.Host(), 7), "%s, chain %v, task %d", c.device, c.chain, i)
		}
		kernels, start, end := kernelsOf(log)
		require.Len(t, kernels, 4)
		all, one := float64(end-start), float64(kernels[0].End-kernels[0].Start)
		streams := map[int]bool{}
		for i, e := range kernels {
			streams[e.Stream] = true
			if i > 0 && !c.together {
				require.GreaterOrEqual(t, e.Start, kernels[i-1].End, "%s: kernel %d", c.device, i)
			}
		}
		if c.together {
			require.Less(t, all, 1.2*one, "%s: all of four take %.2f of one", c.device, all/one)
			require.Len(t, streams, 4)
			continue
		}
		require.Greater(t, all, 3.9*one, "%s: all of four take %.2f of one", c.device, all/one)
		require.Len(t, streams, 1, "%s", c.device)
	}
}

// TestTasksWaitForTheirMakers: of a diamond the two in the middle overlap; what joins them begins when both are done,
// also in a second evaluation. A task that reads what several make goes on with one of their streams.
func TestTasksWaitForTheirMakers(t *testing.T) {
	rt := simulated(t, "sim:v100")
	for range 2 {
		top := slowly(t, rt, "top", rt.HostValue(ints(64, 1)))
		left, right := slowly(t, rt, "left", top.Out[0]), slowly(t, rt, "right", top.Out[0])
		join := slowly(t, rt, "join", left.Out[0], right.Out[0])
		log, err := rt.Run(Program{Tasks: []*Task{top, left, right, join}, Want: join.Out})
		require.NoError(t, err)
		require.Equal(t, int(slow(2*slow(slow(1)))), at(join.Out[0].Host(), 0))
		k, _, _ := kernelsOf(log)
		require.Len(t, k, 4)
		require.GreaterOrEqual(t, k[1].Start, k[0].End)
		require.GreaterOrEqual(t, k[2].Start, k[0].End)
		require.Less(t, k[2].Start, k[1].End, "the two in the middle overlap")
		require.GreaterOrEqual(t, k[3].Start, max(k[1].End, k[2].End))
		require.Equal(t, k[0].Stream, k[1].Stream)
		require.NotEqual(t, k[1].Stream, k[2].Stream)
		require.Equal(t, k[1].Stream, k[3].Stream)
	}
}
