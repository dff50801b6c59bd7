package dp_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/cm"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// machines are the CPU, GPUs without shuffles, and one with them; these look for races, and run blocks in an order of
// their own, on 1 to 30 SMs, others in each turn.
var machines = []string{"host", checked("g80", 1, 1, 16, 3), checked("gtx280", 2, 7, 1, 30), checked("v100", 3, 30, 2, 11)}

func checked(preset string, order int, sms ...int) string {
	return simgpu.Custom(preset, simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(order)), simgpu.Change(func(p *simgpu.Preset) {
		p.SMs = sms[testsize.Turn()%len(sms)]
	}))
}

// shared is the runtime of all tests, so that its devices compile each kernel once.
var shared = sync.OnceValues(func() (*offload.Runtime, error) {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cm.Register(r)
	for _, name := range append(machines[1:], "sim:v100", "sim:gtx280") {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	return offload.New(r, "host")
})

func use(t *testing.T) *offload.Runtime {
	t.Helper()
	rt, err := shared()
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	np.Use("host")
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
	return rt
}

// The vectors of Sengupta, Harris and Garland, on each machine.
func TestVectorsOfThePaper(t *testing.T) {
	use(t)
	for _, m := range machines {
		np.Use(m)
		a, flags := []int32{3, 1, 7, 0, 4, 1, 6, 3}, []int{1, 0, 1, 0, 0, 1, 0, 1}
		show := func(x *np.Array) string { return x.String() }
		require.Equal(t, "[ 3  4 11 11 15 16 22 25]", show(dp.Scan(dp.Sum, a)), m)
		require.Equal(t, "[ 0  3  4 11 11 15 16 22]", show(dp.ScanEx(dp.Sum, a)), m)
		require.Equal(t, "[ 3  4  7  7 11  1  7  3]", show(dp.SegScan(dp.Sum, a, dp.Heads(flags))), m)
		require.Equal(t, "[0 3 0 7 7 0 1 0]", show(dp.SegScanEx(dp.Sum, a, dp.Heads(flags))), m)
		require.Equal(t, "[ 4 11  7  3]", show(dp.SegReduce(dp.Sum, a, dp.Heads(flags))), m)
		require.Equal(t, "[ 4  0 11  7  3  0]", show(dp.SegReduce(dp.Sum, a, dp.Lengths([]int{2, 0, 3, 2, 1, 0}))), m)
		require.Equal(t, "[ 4  0 11  7  3]", show(dp.SegReduce(dp.Sum, a, dp.Offsets([]int{0, 2, 2, 5, 7, 8}))), m)
	}
}

var operators = []struct {
	op    *dp.Operator
	apply func(x, y int64) int64
	none  int64
}{
	{dp.Sum, func(x, y int64) int64 { return x + y }, 0}, {dp.Prod, func(x, y int64) int64 { return x * y }, 1},
	{dp.Max, func(x, y int64) int64 { return max(x, y) }, -1 << 63}, {dp.Min, func(x, y int64) int64 { return min(x, y) }, 1<<63 - 1},
	{dp.And, func(x, y int64) int64 { return x & y }, -1}, {dp.Or, func(x, y int64) int64 { return x | y }, 0}, {dp.Xor, func(x, y int64) int64 { return x ^ y }, 0},
}

// Every operator, on lengths about those of warps, blocks and tiles, whole and by segments of any density, the first
// flag set or not, is what a loop makes of it.
func TestScansAreLoops(t *testing.T) {
	use(t)
	for k, n := range []int{0, 1, 31, 32, 33, 1023, 1025, 4500} {
		for i, m := range machines {
			if i > 0 && i != 1+k%3 && testsize.Short() { // every machine has some of the lengths
				continue
			}
			np.Use(m)
			o := operators[rand.IntN(len(operators))]
			density := []float64{0, 0.01, 0.5, 1}[(k+i)%4]
			x, heads := make([]int64, n), make([]bool, n)
			scan, before, seg, segBefore := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
			all, part := o.none, o.none
			reduced := []int64{}
			for i := range x {
				x[i], heads[i] = int64(rand.Uint64()), rand.Float64() < density
				if heads[i] || i == 0 {
					part = o.none
					reduced = append(reduced, 0)
				}
				before[i], segBefore[i] = all, part
				all, part = o.apply(all, x[i]), o.apply(part, x[i])
				scan[i], seg[i], reduced[len(reduced)-1] = all, part, part
			}
			same := func(want []int64, got *np.Array) {
				t.Helper()
				require.True(t, bytes.Equal(arrays.FromSlice(want).Bytes(), got.Array().Bytes()), "%s, %v of %d, density %v", m, o.op, n, density)
			}
			s := dp.Heads(heads)
			same(scan, dp.Scan(o.op, x))
			same(before, dp.ScanEx(o.op, x))
			same(seg, dp.SegScan(o.op, x, s))
			same(segBefore, dp.SegScanEx(o.op, x, s))
			same(reduced, dp.SegReduce(o.op, x, s))
		}
	}
}

// Narrow numbers, bools, halves, axes and numbers of threads.
func TestScansOfOtherNumbers(t *testing.T) {
	use(t)
	for _, m := range machines {
		np.Use(m)
		x := np.Arange(600).Reshape(2, 300).AsType(np.Uint8)
		e := arrays.Arange(600).Reshape(2, 300).AsType(np.Uint8)
		want := e.CumSum(1).AsType(np.Uint8).Bytes()
		require.Equal(t, want, dp.Scan(dp.Sum, x, dp.Axis(1)).Array().Bytes())
		require.Equal(t, want, dp.Scan(dp.Sum, x, dp.Axis(-1), dp.PerThread(4), dp.Threads(64)).Array().Bytes())
		require.Equal(t, e.CumSum(0).AsType(np.Uint8).Bytes(), dp.Scan(dp.Sum, x, dp.Axis(0)).Array().Bytes())
		require.Equal(t, "[ True  True False False]", dp.Scan(dp.And, []bool{true, true, false, true}).String())
		require.Equal(t, np.Float16, dp.Scan(dp.Max, x.AsType(np.Float16)).DType())
		require.Equal(t, "[1. 1. 3.]", dp.Scan(dp.Max, np.FromSlice([]float32{1, 0, 3}).AsType(np.Float16)).String())
		require.Equal(t, "[nan nan]", dp.SegReduce(dp.Max, []float64{1, nan(), nan(), 0}, dp.Lengths([]int{2, 2})).String())
		require.Equal(t, "[-inf]", dp.SegReduce(dp.Max, []float32{}, dp.Lengths([]int{0})).String())
	}
}

// Counting, numbering and packing keep the order.
func TestPacking(t *testing.T) {
	use(t)
	for _, m := range machines {
		np.Use(m)
		x := np.Arange(5000).Mul(3).Mod(101)
		keep := x.Greater(50)
		var want []int
		numbers := make([]int, 5000)
		for i := range 5000 {
			numbers[i] = len(want)
			if v := 3 * i % 101; v > 50 {
				want = append(want, v)
			}
		}
		require.Equal(t, len(want), dp.Count(keep).Int(), m)
		require.Equal(t, arrays.FromSlice(numbers).Bytes(), dp.Enumerate(keep).Array().Bytes(), m)
		require.Equal(t, arrays.FromSlice(want).Bytes(), dp.Pack(x, keep).Array().Bytes(), m)
		require.Equal(t, "[1 2]", dp.Pack([]int{1, 5, 2}, []int{1, 0, -1}).String())
		require.Equal(t, "[]", dp.Pack([]int{1}, []bool{false}).String())
	}
	require.PanicsWithError(t, "dp.Pack: the array has shape [3], the flags have [2]", func() { dp.Pack([]int{1, 2, 3}, []bool{true, true}) })
}

// The passes of a radix sort as Hillis and Steele have them, and sorted ints of every width.
func TestRadixSort(t *testing.T) {
	use(t)
	for k, m := range machines {
		np.Use(m)
		keys := np.FromSlice([]uint32{5, 2, 7, 0, 3, 6, 1, 4})
		for bit, want := range []string{"[2 0 6 4 5 7 3 1]", "[0 4 5 1 2 6 7 3]", "[0 1 2 3 4 5 6 7]"} {
			keys = dp.Split(keys, keys.BitAnd(1<<bit).NotEqual(0))
			require.Equal(t, want, keys.String(), m)
		}
		for i, d := range []np.DType{np.Int8, np.Uint8, np.Int16, np.Int32, np.Uint64, np.Int64} {
			e := arrays.DefaultRNG(i).Normal(0, 40, 700).AsType(np.Int64).AsType(d)
			if d == np.Int64 || d == np.Uint64 {
				e = arrays.FromSlice([]int64{math.MinInt64, 3, math.MinInt64 + 40, 3}).AsType(d)
			}
			if k == 0 || i%3 == k-1 {
				require.Equal(t, e.Sort().Bytes(), dp.Sort(e).Array().Bytes(), "%s, %v", m, d)
			}
		}
		require.Equal(t, "[]", dp.Sort([]int{}).String())
	}
}

func nan() float64 { z := 0.0; return z / z }

// What is between scans stays on the device.
func TestScansStayOnTheDevice(t *testing.T) {
	rt := use(t)
	np.Use("sim:v100")
	x := np.Arange(10_000).Add(5)
	heads := np.Arange(10_000).Mod(7).Equal(0)
	want, sum := 0, 0
	for i := range 10_000 {
		if i%7 == 0 {
			sum = 0
		}
		sum += i + 4
		if i == 0 {
			sum = math.MinInt64
		}
		want = max(want, sum)
	}
	before := rt.Stats()
	got := dp.SegScan(dp.Sum, dp.ScanEx(dp.Max, x), dp.Heads(heads)).Max().Int()
	require.Equal(t, want, got)
	require.EqualValues(t, 8, rt.Stats().BytesOut-before.BytesOut)
	require.Zero(t, rt.Stats().BytesIn-before.BytesIn)
	require.Equal(t, before.CPUTasks, rt.Stats().CPUTasks)
}

func TestBadInput(t *testing.T) {
	use(t)
	x := np.Arange(4)
	for want, call := range map[string]func(){
		"the operator is nil":                            func() { dp.Scan(nil, x) },
		"xor is an operator of bits":                     func() { dp.Scan(dp.Xor, []float64{1}) },
		"no kernels for elements of complex128":          func() { dp.Scan(dp.Sum, []complex128{1}) },
		"axis 2 is outside of shape (4,)":                func() { dp.Scan(dp.Sum, x, dp.Axis(2)) },
		"there are flags of shape [3] for 4 elements":    func() { dp.SegScan(dp.Sum, x, dp.Heads([]int{1, 0, 0})) },
		"the segments have 3 elements together, the arr": func() { dp.SegScan(dp.Sum, x, dp.Lengths([]int{1, 2})) },
		"segment 1 has length -2":                        func() { dp.Lengths([]int{1, -2}) },
		"offset 2 is 1, after 3: offsets must not fall":  func() { dp.Offsets([]int{0, 3, 1}) },
		"the first offset must be 0":                     func() { dp.Offsets([]int{}) },
		"segments are of one axis":                       func() { dp.SegScan(dp.Sum, x.Reshape(2, 2), dp.Heads(x)) },
		"a multiple of 32":                               func() { dp.Scan(dp.Sum, np.Arange(99), dp.Threads(33)).Array() },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, want, want)
			}()
			call()
		}()
	}
}

func TestCheckOp(t *testing.T) {
	use(t)
	np.Use("host")
	for _, o := range operators {
		require.NoError(t, dp.CheckOp(o.op, []int{-3, 0, 1, 7, 1 << 40}))
	}
	require.NoError(t, dp.CheckOp(dp.Sum, []float64{0.1, 0.2, 0.3, nan()}))
	require.ErrorContains(t, dp.CheckOp(dp.Sum, []float64{1e20, -1e20, 1}), "sum is not associative: sum(sum(1e+20, -1e+20), 1) is 1, sum(1e+20, sum(-1e+20, 1)) is 0")
}

// Loops of the CPU give the bits of the kernels, which a form that is named asks for: in the order of their tiles.
func TestLoopsAreTheKernels(t *testing.T) {
	use(t)
	kernels := []dp.Option{dp.Threads(256), dp.PerThread(8)}
	for k, d := range []np.DType{np.Float32, np.Float64, np.Int8, np.Uint16, np.Int32, np.Uint64} {
		shape := [][]int{{2, 2500}, {40, 9, 7}}[rand.IntN(2)]
		if k == rand.IntN(6) { // in pieces
			shape = []int{70000}
		}
		n := 1
		for _, s := range shape {
			n *= s
		}
		x := np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n).Mul(200).AsType(d).Reshape(shape...))
		for i, o := range operators[:4] {
			if i%2 != k%2 && testsize.Short() {
				continue
			}
			if d.IsFloat() && o.op == dp.Prod {
				x = x.Div(100).AsType(d) // so that products stay finite
			}
			same := func(a, b *np.Array) {
				require.Equal(t, a.Array().Bytes(), b.Array().Bytes(), "%v of %v, %v", o.op, d, shape)
			}
			same(dp.Scan(o.op, x), dp.Scan(o.op, x, kernels...))
			for axis := range shape {
				if d.IsFloat() && shape[axis] < 1000 {
					continue // where no form is named, short lines are scanned by a thread each
				}
				same(dp.Scan(o.op, x, dp.Axis(axis)), dp.Scan(o.op, x, append(kernels, dp.Axis(axis))...))
			}
			same(dp.ScanEx(o.op, x), dp.ScanEx(o.op, x, kernels...))
			line := x.Reshape(-1)
			heads := dp.Heads(np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n)).Less(0.001))
			same(dp.SegScan(o.op, line, heads), dp.SegScan(o.op, line, heads, kernels...))
			same(dp.SegScanEx(o.op, line, heads), dp.SegScanEx(o.op, line, heads, kernels...))
			some := []float64{0.3, 0.02, 0.001, 0}[rand.IntN(4)]
			heads = dp.Heads(np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n)).Less(some))
			same(dp.SegReduce(o.op, line, heads), dp.SegReduce(o.op, line, heads, kernels...))
		}
	}
}

// Scans by segments by conditional indexing give the same bits, with shuffles and without. On a modelled GTX 280 the
// order of times is the paper's, 2008: the transformed operator first, conditional indexing, then reduce and downsweep.
func TestConditionalIndexing(t *testing.T) {
	use(t)
	for k, m := range []string{"host", machines[1], machines[3]} {
		np.Use(m)
		for _, n := range []int{33, 3000}[:2-k%2] {
			x := np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n).AsType(np.Float32))
			heads := dp.Heads(np.FromArray(arrays.DefaultRNG(rand.Int()).Random(n)).Less([]float64{0.5, 0.02, 0.1}[k]))
			o := []*dp.Operator{dp.Sum, dp.Max, dp.Any}[rand.IntN(3)]
			want := dp.SegScan(o, x, heads, dp.Kernel(dp.Transformed{})).Array().Bytes()
			require.Equal(t, want, dp.SegScan(o, x, heads, dp.Kernel(dp.Conditional{})).Array().Bytes(), m)
			require.Equal(t, want, dp.SegScan(o, x, heads, dp.Kernel(dp.Conditional{Shared: true})).Array().Bytes(), m)
		}
	}
	require.Contains(t, message(func() { dp.Scan(dp.Sum, []int{1}, dp.Kernel(dp.Conditional{})) }), "dp.Conditional is a method of scans by segments")
	np.Use("sim:gtx280")
	x := np.Ones(1 << 14).AsType(np.Float32).Copy()
	flags := np.Arange(1 << 14).Mod(97).Equal(0).Copy()
	np.Eval(x, flags)
	var took []trace.Time
	for _, method := range []dp.Method{dp.Transformed{}, dp.Conditional{}, dp.Downsweep{Pad: true}} {
		np.Eval(dp.SegScan(dp.Sum, x, dp.Heads(flags), dp.PerThread(1), dp.Kernel(method)))
		var all trace.Time
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				all += e.Duration()
			}
		}
		took = append(took, all)
	}
	t.Log(took)
	require.True(t, took[0] < took[1] && took[1] < took[2], "%v", took)
}
