package brook_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
	"github.com/arrayrepl/arrayrepl/gpu/brook/internal/streamed"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Operators in a row, of streams of structs with one to four axes, and a kernel with a mask, a repeated input and the
// places of elements behind them, are loops over the elements, on all machines.
func TestRandomOperators(t *testing.T) {
	use(t)
	places := kernel(t, "Marked", streamed.Marked)
	for seed := range testsize.Seeds("gpu/brook.TestRandomOperators") {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := make([]int, 1+r.IntN(4))
		n := 1
		for d := range shape {
			shape[d] = 1 + r.IntN(5)
			n *= shape[d]
		}
		list := make([]streamed.Hit, n)
		for i := range list {
			list[i] = streamed.Hit{T: r.Float32(), U: float32(i), V: -1, Index: float32(r.IntN(9))}
		}
		np.Use(machines[r.IntN(len(machines))])
		s := brook.Of(list).Reshape(shape...)
		what := ""
		for range 1 + r.IntN(3) {
			to, from := make([]int, len(shape)), make([]func(j int) int, len(shape)) // by axis
			numbers, more := make([]int, len(shape)), make([]int, len(shape))
			op := r.IntN(4)
			for d, k := range shape {
				switch op {
				case 0: // a region
					numbers[d] = r.IntN(k)
					more[d] = numbers[d] + 1 + r.IntN(k-numbers[d])
					first := numbers[d]
					to[d], from[d] = more[d]-first, func(j int) int { return first + j }
				case 1:
					step := 1 + r.IntN(3)
					numbers[d], to[d], from[d] = step, (k+step-1)/step, func(j int) int { return j * step }
				case 2:
					times := 1 + r.IntN(3)
					numbers[d], to[d], from[d] = times, k*times, func(j int) int { return j / times }
				case 3:
					numbers[d] = 1 + r.IntN(2*k)
					to[d], from[d] = numbers[d], func(j int) int { return j % k }
				}
			}
			switch op {
			case 0:
				s, what = s.Region(numbers, more), what+" region"
			case 1:
				s, what = s.Stride(numbers...), what+" stride"
			case 2:
				s, what = s.Repeat(numbers...), what+" repeat"
			case 3:
				s, what = s.Wrap(numbers...), what+" wrap"
			}
			list, shape = moved(list, shape, to, from), to
		}
		require.Equal(t, shape, s.Shape(), "%d:%s", seed, what)
		require.Equal(t, list, brook.Slice[streamed.Hit](s), "%d:%s", seed, what)
		// A mask over all, and an input with one element along the last axis.
		last := shape[len(shape)-1]
		mask, line, want := make([]bool, len(list)), make([]float32, len(list)/last), make([]streamed.Hit, len(list))
		for i := range line {
			line[i] = r.Float32()
		}
		for i, h := range list {
			if mask[i] = r.IntN(3) > 0; mask[i] {
				want[i] = streamed.Hit{T: h.T + line[i/last], U: h.U, V: float32(i % last), Index: h.Index}
			}
		}
		thin := slices.Clone(shape)
		thin[len(thin)-1] = 1
		for _, with := range []*brook.Settings{nil, brook.With(brook.MaxOutputs(1 + r.IntN(4))), brook.With(brook.StreamsBypass(), brook.CopyOut())} {
			got := with.Map(places, s, brook.Of(line).Reshape(thin...), brook.Mask(brook.Of(mask).Reshape(shape...)))
			require.Equal(t, want, brook.Slice[streamed.Hit](got), "%d:%s", seed, what)
		}
		if size := 1 + r.IntN(3); last%size == 0 && size == 2 {
			groups := brook.Slice[[2]streamed.Hit](s.Group(2))
			for i, g := range groups {
				require.Equal(t, [2]streamed.Hit{list[2*i], list[2*i+1]}, g)
			}
		}
	}
}

// moved are the elements of a list in another shape, where each place along an axis comes from another.
func moved(list []streamed.Hit, shape, to []int, from []func(j int) int) []streamed.Hit {
	n := 1
	for _, k := range to {
		n *= k
	}
	out := make([]streamed.Hit, n)
	for i := range out {
		rest, at, step := i, 0, 1
		for d, k := range slices.Backward(to) {
			at += from[d](rest%k) * step
			rest, step = rest/k, step*shape[d]
		}
		out[i] = list[at]
	}
	return out
}
