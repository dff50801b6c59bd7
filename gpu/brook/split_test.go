package brook_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
)

// The counts of the paper's table 1, as the functions are written.
func TestCountsOfTable1(t *testing.T) {
	use(t)
	mat, cloth := kernel(t, "Mat4Mult", streamed.Mat4Mult), kernel(t, "Cloth", streamed.Cloth)
	two, six := make([]any, 2), make([]any, 6)
	for k := range two {
		two[k] = brook.New[streamed.Rows](1)
	}
	for k := range six {
		six[k] = brook.New[brook.F4](1)
	}
	counts := func(c *brook.Counted) [3]int { return [3]int{len(c.Passes), c.Loads(), c.Arithmetic()} }
	require.Equal(t, [3]int{1, 8, 16}, counts(brook.Counts(mat, two...)))
	require.Equal(t, [3]int{4, 20, 16}, counts(brook.With(brook.MaxOutputs(1)).Counts(mat, two...)))
	require.Equal(t, [3]int{2, 12, 16}, counts(brook.With(brook.MaxOutputs(2)).Counts(mat, two...)))
	require.Equal(t, [3]int{1, 6, 54}, counts(brook.Counts(cloth, six...)))
	require.Equal(t, [3]int{2, 12, 102}, counts(brook.With(brook.MaxOutputs(1)).Counts(cloth, six...)))
	require.Equal(t, "Mat4Mult: 4 passes, 20 loads and 16 instructions for an element\n"+
		"  pass 1: c.R0; 5 loads, 4 instructions\n  pass 2: c.R1; 5 loads, 4 instructions\n  pass 3: c.R2; 5 loads, 4 instructions\n  pass 4: c.R3; 5 loads, 4 instructions\n",
		brook.With(brook.MaxOutputs(1)).Counts(mat, two...).String())
	require.Equal(t, [3]int{4, 20, 16}, counts(brook.With(brook.Within(brook.Limits{Inputs: 5})).Counts(mat, two...)))
	require.Equal(t, "brook.Counts: kernel Mat4Mult: output c.R0 alone loads 5 inputs and has 9 instructions; the limits are {Inputs:0 Instructions:8}: give larger ones, or split the function",
		message(t, func() { brook.With(brook.Within(brook.Limits{Instructions: 8})).Counts(mat, two...) }))
	require.Equal(t, "brook.MaxOutputs: 0 outputs for a pass; give 1 or more", message(t, func() { brook.MaxOutputs(0) }))
}

// Groups that a search finds share what they load: outputs that lie apart are one pass.
func TestSearchFindsWhatIsShared(t *testing.T) {
	use(t)
	pairs := kernel(t, "Pairs", streamed.Pairs)
	args := []any{[]float32{1}, []float32{2}}
	require.Equal(t, [][]string{{"a", "b"}, {"c", "d"}}, outputs(brook.With(brook.MaxOutputs(2)).Counts(pairs, args...)))
	require.Equal(t, [][]string{{"a", "c"}, {"b", "d"}}, outputs(brook.With(brook.MaxOutputs(2), brook.Search()).Counts(pairs, args...)))
	require.Equal(t, "[1. 1. 1. 1.]", brook.With(brook.MaxOutputs(2), brook.Search()).Maps(pairs, []float32{0}, []float32{0})[0].Field("").Add([]float32{0, 0, 0, 0}).String())
}

func outputs(c *brook.Counted) (out [][]string) {
	for _, p := range c.Passes {
		out = append(out, p.Outputs)
	}
	return out
}

// Results are the same for every number of outputs, also where an input is overwritten.
func TestSplitKernelsAreTheSame(t *testing.T) {
	use(t)
	mat, split := kernel(t, "Mat4Mult", streamed.Mat4Mult), kernel(t, "Split", streamed.Split)
	n := 100
	a := make([]streamed.Rows, n)
	want := make([]streamed.Rows, n)
	v := func() brook.F4 {
		return brook.F4{X: rand.Float32(), Y: rand.Float32(), Z: rand.Float32(), W: rand.Float32()}
	}
	hits, ks := make([]streamed.Hit, n), make([]int64, n)
	for i := range a {
		a[i] = streamed.Rows{R0: v(), R1: v(), R2: v(), R3: v()}
		want[i] = streamed.Mat4Mult(a[i], a[i])
		hits[i], ks[i] = streamed.Hit{T: rand.Float32(), U: 1, V: 2}, rand.Int64N(50)
	}
	whole := brook.Maps(split, hits, ks)
	for m := 1; m <= 8; m++ {
		for _, on := range machines[:2] {
			s := brook.Of(a)
			s = brook.With(brook.MaxOutputs(m), brook.On(on)).Map(mat, s, s) // in place
			require.Equal(t, want, brook.Slice[streamed.Rows](s), "%d", m)
		}
		for k, s := range brook.With(brook.MaxOutputs(m), brook.Search()).Maps(split, hits, ks) {
			require.Equal(t, brook.Write(whole[k]), brook.Write(s), "%d", m)
		}
	}
}
