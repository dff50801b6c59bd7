package brook_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Views are what NumPy's slices, repeat and tile make of the same numbers.
func TestViewsOfStreams(t *testing.T) {
	use(t)
	a := np.Arange(24).Reshape(4, 6)
	s := brook.Of(a)
	same := func(want *np.Array, got *brook.Stream) {
		t.Helper()
		require.Equal(t, want.String(), got.String())
	}
	same(a.At(np.S(1, 3), np.S(2, 6)), s.Region([]int{1, 2}, []int{3, 6}))
	same(a.At(np.S(0, 4, 2), np.S(0, 6, 3)), s.Stride(2, 3))
	same(np.Repeat(np.Repeat(a, 2, 0), 3, 1), s.Repeat(2, 3))
	same(np.Concat(np.Axis(0), a, a.At(np.S(0, 1))), s.Wrap(5, 6))
	require.Equal(t, [][2]int{{0, 1}, {2, 3}, {4, 5}}, brook.Slice[[2]int](brook.Of([]int{0, 1, 2, 3, 4, 5}).Group(2)))
	require.Equal(t, []float32{0, 2, 4, 6}, brook.Slice[float32](brook.Iter(0, 8, 4)))
	require.Equal(t, []brook.F2{{}, {X: 2}, {X: 4}, {X: 6}, {Y: 2}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 6, Y: 2}}, brook.Slice[brook.F2](brook.Iter(brook.F2{}, brook.F2{X: 8, Y: 4}, 2, 4)))
	for want, run := range map[string]func(){
		"brook.Group: a stream of shape [4 6] has no groups of 4 along its last axis":                           func() { s.Group(4) },
		"brook.Region: the region goes from [0 0] to [5 1] in a stream of shape [4 6]: it is not within axis 0": func() { s.Region([]int{0, 0}, []int{5, 1}) },
		"brook.Stride: the numbers are [0 1] for a stream of shape [4 6]: give one for each axis, 1 or more":    func() { s.Stride(0, 1) },
		"brook.Wrap: a stream of shape [4 6] does not wrap into shape [3]: give a size for each axis":           func() { s.Wrap(3) },
		"brook.Iter: it goes from a string to a int; give two numbers, or two vectors of one type":              func() { brook.Iter("a", 1, 3) },
	} {
		require.Equal(t, want, message(t, run))
	}
}

// What is emitted keeps the order of calls, on all machines.
func TestFlatIsALoop(t *testing.T) {
	use(t)
	keep, four, times := kernel(t, "Keep", streamed.Keep), kernel(t, "Four", streamed.Four), kernel(t, "Times", streamed.Times)
	for _, m := range append(slices.Clone(machines), "go") {
		n := 1 + rand.IntN(200)
		xs, ns := make([]float32, n), make([]int32, n)
		want, some := []float32{}, []struct{ N, K int32 }{} // which may stay empty
		for i := range xs {
			xs[i], ns[i] = rand.Float32()-0.5, rand.Int32N(5)
			streamed.Keep(xs[i], func(x float32) { want = append(want, x) })
			streamed.Times(ns[i], 3, func(x struct{ N, K int32 }) { some = append(some, x) })
		}
		with := brook.With(brook.On(m))
		require.Equal(t, want, brook.Slice[float32](with.Flat(keep, append(xs, 1)))[:len(want)], m)
		require.Equal(t, some, brook.Slice[struct{ N, K int32 }](with.Flat(times, append(ns, 1), 3))[:len(some)], m)
		require.Equal(t, []int{0}, with.Flat(keep, []float32{-1, -2}).Shape())
		tris := []streamed.Triangle{{V1: brook.F3{X: 4}, V2: brook.F3{Y: 4}}}
		require.Equal(t, []streamed.Triangle{
			{V1: brook.F3{X: 2}, V2: brook.F3{Y: 2}}, {V0: brook.F3{X: 2}, V1: brook.F3{X: 4}, V2: brook.F3{X: 2, Y: 2}},
			{V0: brook.F3{Y: 2}, V1: brook.F3{X: 2, Y: 2}, V2: brook.F3{Y: 4}}, {V0: brook.F3{X: 2}, V1: brook.F3{X: 2, Y: 2}, V2: brook.F3{Y: 2}},
		}, brook.Write(with.Flat(four, tris)), m)
	}
	require.Contains(t, message(t, func() { brook.Map(keep, []float32{1}) }), "it emits elements: brook.Flat collects them")
}

// Scattering and gathering are loops over the indices, in their order.
func TestScatterAndGatherAreLoops(t *testing.T) {
	use(t)
	twice := kernel(t, "Twice", streamed.Twice)
	for _, m := range machines {
		np.Use(m)
		n := 1 + rand.IntN(200)
		src, idx, dst := make([]int32, n), make([]int, n), make([]int32, 7)
		for i := range src {
			src[i], idx[i] = rand.Int32N(9)+1, rand.IntN(7)
		}
		for i := range dst {
			dst[i] = rand.Int32N(9) + 1
		}
		sums, products, tickets, left := slices.Clone(dst), slices.Clone(dst), []int32{}, slices.Clone(dst)
		doubled, read := slices.Clone(dst), []int32{}
		for i, at := range idx {
			sums[at] += src[i]
			products[at] *= src[i]
			tickets = append(tickets, left[at])
			left[at]++
			read = append(read, doubled[at])
			doubled[at] *= 2
		}
		require.Equal(t, sums, brook.Write(brook.ScatterOp(src, idx, dst, brook.Add)), m)
		require.Equal(t, products, brook.Write(brook.ScatterOp(src, idx, dst, brook.Mul)), m)
		old, after := brook.GatherOp(idx, dst, brook.Increment)
		require.Equal(t, tickets, brook.Write(old), m)
		require.Equal(t, left, brook.Write(after), m)
		old, after = brook.GatherOp(idx, dst, twice)
		require.Equal(t, read, brook.Write(old), m)
		require.Equal(t, doubled, brook.Write(after), m)
	}
	require.Contains(t, message(t, func() { brook.ScatterOp([]int{1}, []int{9}, []int{1, 2}, brook.Add) }), "the places go from 9 to 9; the stream has 0 to 1")
	require.Contains(t, message(t, func() { brook.GatherOp([]int{9}, []int{1, 2}, brook.Increment) }), "the places go from 9 to 9; the stream has 0 to 1")
}

// Increment hands out each number once, whatever order blocks run in: in the order of the indices on machines that look
// for races, and in any with atomics. Sums of floats are the same bits on all machines, unless any order will do.
func TestNumbersAreHandedOutOnce(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	const n, places = 500, 3
	idx, counts := make([]int, n), make([]int, places)
	for i := range idx {
		idx[i] = rand.IntN(places)
		counts[idx[i]]++
	}
	floats, to := make([]float32, n), make([]float32, places)
	for i := range floats {
		floats[i] = rand.Float32()
	}
	sums := brook.Write(brook.ScatterOp(floats, idx, to, brook.Add))
	with := map[string]*brook.Settings{"host": brook.With(brook.AnyOrder()), "sim:v100": brook.With(brook.AnyOrder()), shuffled: brook.With(brook.AnyOrder())}
	for _, m := range append(slices.Clone(machines), "sim:v100", shuffled) {
		np.Use(m)
		old, after := with[m].GatherOp(idx, make([]int32, places), brook.Increment)
		seen := map[[2]int]bool{}
		for i, ticket := range brook.Slice[int32](old) {
			require.False(t, seen[[2]int{idx[i], int(ticket)}], "%s: %d of place %d twice", m, ticket, idx[i])
			require.True(t, ticket >= 0 && int(ticket) < counts[idx[i]], m)
			seen[[2]int{idx[i], int(ticket)}] = true
		}
		for p, c := range brook.Slice[int32](after) {
			require.EqualValues(t, counts[p], c, m)
		}
		got := brook.Write(with[m].ScatterOp(floats, idx, to, brook.Add))
		if with[m] == nil {
			require.Equal(t, sums, got, m)
		}
		require.InDeltaSlice(t, sums, got, 1e-2, m)
	}
}

// Elements that are off do nothing, and warps of them alone issue less.
func TestMask(t *testing.T) {
	use(t)
	saxpy, keep := kernel(t, "Saxpy", streamed.Saxpy), kernel(t, "Keep", streamed.Keep)
	x := []brook.F4{{X: 1}, {X: 2}, {X: 3}, {X: 4}}
	for _, m := range append(slices.Clone(machines), "go") {
		with := brook.With(brook.On(m), brook.Mask([]bool{true, false}))
		require.Equal(t, []brook.F4{{X: 2}, {X: 4}, {}, {}}, brook.Write(with.Map(saxpy, 1, x, x)), m)
		require.Equal(t, []float32{1, 2}, brook.Write(with.Flat(keep, []float32{1, 2, 3, 4})), m)
	}
}

// Floats address elements up to the size of their mantissa; integers all.
func TestAddresses(t *testing.T) {
	use(t)
	inc := kernel(t, "Inc", streamed.Inc)
	for f, n := range map[brook.AddressFormat]int{brook.S23E8: 16_777_216, brook.S16E7: 131_072} {
		require.Equal(t, -1, f.FirstWrong(n+1))
		require.Equal(t, n+1, f.FirstWrong(n+2))
		for i := range n / 1000 {
			x, y := f.Place(n-i, 2048)
			require.Equal(t, n-i, y*2048+x)
		}
		x, y := f.Place(n+1, 2048)
		require.Equal(t, n, y*2048+x, "to even")
	}
	big := brook.New[float32](131_074)
	require.Equal(t, "brook.Map: kernel Inc: the stream of parameter x of shape [131074] has 131074 elements, of which s16e7 addresses 131073: "+
		"it would read element 131073 as that in row 64 and column 0, which is element 131072", message(t, func() { brook.Map(inc, big, brook.Address(brook.S16E7)) }))
	brook.Map(inc, big, brook.Address(brook.S23E8))
	require.Contains(t, message(t, func() { brook.Map(inc, brook.New[float32](16_777_218), brook.Address(brook.S23E8)) }), "it would read element 16777217 as")
	require.Equal(t, "float32", big.Type().String())
}

// The figures of the paper's model.
func TestCostModel(t *testing.T) {
	c := brook.Cost{CPU: 7, GPU: 1, Transfer: 5.9}
	require.InDelta(t, 0.167, c.Needed(), 0.0005)
	require.True(t, c.Wins())
	c.Transfer = 6.1
	require.False(t, c.Wins(), "γ is below 1/(s-1)")
	require.True(t, c.WinsAsync())
	c.Transfer = 7.1
	require.False(t, c.WinsAsync(), "copies alone take longer")
	never := brook.Cost{CPU: 0.99, GPU: 1}
	require.False(t, never.Wins())
	require.True(t, math.IsInf(never.Needed(), 1))
	require.EqualValues(t, 14, brook.Cost{GPU: 0.5, Issue: 7}.Knee())
}

// Advice for a number of elements is that for as many zeros, on a GPU where none is named.
func TestAdviceForANumberOfElements(t *testing.T) {
	use(t)
	saxpy := kernel(t, "Saxpy", streamed.Saxpy)
	a := brook.Advise(saxpy, 1<<14)
	require.Equal(t, 1<<14, a.N)
	require.Equal(t, "sim:v100", a.Device)
	require.True(t, a.Modelled)
	zeros := brook.New[brook.F4](1 << 14)
	same := brook.Advise(saxpy, brook.New[float32](1<<14), zeros, zeros, brook.On("sim:v100"))
	require.Equal(t, []float64{same.GPU, same.Transfer, same.Issue}, []float64{a.GPU, a.Transfer, a.Issue})
	for name, f := range map[string]func(){
		"is the CPU":         func() { brook.Advise(saxpy, 16, brook.On("host")) },
		"are no elements":    func() { brook.Advise(saxpy, 0) },
		"reads or emits":     func() { brook.Advise(kernel(t, "Keep", streamed.Keep), 16) },
		"3 streams and cons": func() { brook.Advise(saxpy, 16, 16) },
	} {
		require.ErrorContains(t, arrays.Try(f), name)
	}
}

// The machines of the paper: where the knee lies with 43 products and sums, and what splitting costs.
func TestMachinesOfThePaper(t *testing.T) {
	use(t)
	mads, cloth, mat := kernel(t, "Mads", streamed.Mads), kernel(t, "Cloth", streamed.Cloth), kernel(t, "Mat4Mult", streamed.Mat4Mult)
	for m, between := range map[string][2]float64{"sim:nv40": {600e3, 700e3}, "sim:r420": {750e3, 2e6}} {
		flops := 86 * brook.Advise(mads, make([]float32, 1<<16), float32(0.5), brook.On(m)).Knee()
		require.True(t, flops > between[0] && flops < between[1], "%s: %.0f", m, flops)
	}
	n := 1 << 14
	six, two := make([]any, 6), []any{brook.New[streamed.Rows](n), brook.New[streamed.Rows](n)}
	for k := range six {
		six[k] = brook.Map(kernel(t, "Saxpy", streamed.Saxpy), 1, brook.New[brook.F4](n), brook.F4{X: float32(k), Y: 1})
	}
	for k, args := range [][]any{six, two} {
		var took [2]float64
		for i, with := range []*brook.Settings{brook.With(brook.On("sim:nv40")), brook.With(brook.On("sim:nv40"), brook.MaxOutputs(1))} {
			var all []*np.Array
			for _, s := range with.Maps([]any{cloth, mat}[k], args...) {
				for _, name := range s.Fields() {
					all = append(all, s.Field(name))
				}
			}
			np.Eval(all...)
			took[i] = busy("sim:nv40#0")
		}
		slower := 1 - took[0]/took[1]
		t.Logf("%s with one output: %.0f %% slower", []string{"Cloth", "Mat4Mult"}[k], 100*slower)
		require.True(t, slower > 0.35 && slower < 0.65, slower)
	}
}
