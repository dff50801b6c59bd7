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

// A sum of products of a matrix and a vector is np.MatMul on the CPU, and nothing else is: of random functions, shapes
// and inputs that repeat, and by a loop in float64 either way.
func TestSumsOfProducts(t *testing.T) {
	use(t)
	products := []struct {
		f  any
		of func(a, b float64) float64
	}{
		{kernel(t, "Mul", streamed.Mul), func(a, b float64) float64 { return a * b }},
		{kernel(t, "Less", streamed.Less), func(a, b float64) float64 { return a - b }},
		{kernel(t, "Double", streamed.Double), func(a, b float64) float64 { return a * b * 2 }},
		{kernel(t, "Square", streamed.Square), func(a, _ float64) float64 { return a * a }},
	}
	sums := []struct {
		f  any
		of func(a, b float64) float64
	}{
		{kernel(t, "Sum", streamed.Sum), func(a, b float64) float64 { return a + b }},
		{kernel(t, "Largest", streamed.Largest), func(a, b float64) float64 { return max(a, b) }},
	}
	taken := 0
	for seed := range testsize.Seeds("gpu/brook.TestSumsOfProducts") {
		r := rand.New(rand.NewPCG(seed, 3))
		product, sum := r.IntN(len(products)), 0
		if r.IntN(3) > 0 {
			product = 0
		}
		if r.IntN(8) == 0 {
			sum = 1
		}
		shape := make([]int, 1+r.IntN(3))
		for d := range shape {
			shape[d] = 1 + r.IntN(40)
		}
		axis := r.IntN(len(shape))
		to, line := slices.Clone(shape), slices.Repeat([]int{1}, len(shape))
		to[axis], line[axis] = 1, shape[axis]
		if r.IntN(6) == 0 && shape[axis]%2 == 0 {
			to[axis] = 2
		}
		x, y := slices.Clone(shape), slices.Clone(shape)
		switch r.IntN(4) {
		case 0, 1:
			y = line
		case 2:
			x = line
		case 3:
			y[r.IntN(len(y))] = 1
		}
		list := func(shape []int) (out []float32) {
			n := 1
			for _, k := range shape {
				n *= k
			}
			for range n {
				out = append(out, r.Float32()-0.5)
			}
			return out
		}
		xs, ys := list(x), list(y)
		a, b := brook.Of(xs).Reshape(x...), brook.Of(ys).Reshape(y...)
		m := brook.Map(products[product].f, a, b, brook.Shape(shape...))
		if r.IntN(3) == 0 {
			m.Eval() // whether anybody has looked changes nothing
		}
		got := brook.Reduce(sums[sum].f, m, brook.Shape(to...))

		want := make([]float64, got.Len())
		begun := make([]bool, len(want))
		total := 1
		for _, k := range shape {
			total *= k
		}
		for i := range total {
			at := func(of []int) (k int) { // of the element in a stream that repeats, or of its result
				rest, step := i, 1
				for d := len(shape) - 1; d >= 0; d-- {
					p := rest % shape[d]
					rest /= shape[d]
					k += p * of[d] / shape[d] * step
					step *= of[d]
				}
				return k
			}
			v, k := products[product].of(float64(xs[at(x)]), float64(ys[at(y)])), at(to)
			if begun[k] {
				v = sums[sum].of(want[k], v)
			}
			want[k], begun[k] = v, true
		}
		for k, v := range brook.Slice[float32](got) {
			require.InDelta(t, want[k], v, 1e-4, "%d: %v and %v to %v", seed, x, y, to)
		}

		outer, inner := 1, 1
		for d, k := range shape {
			if d < axis {
				outer *= k
			} else if d > axis {
				inner *= k
			}
		}
		other, whole := y, slices.Equal(x, shape)
		if !whole {
			other, whole = x, slices.Equal(y, shape)
		}
		is := product == 0 && sum == 0 && shape[axis] > 1 && to[axis] == 1 && (outer == 1 || inner == 1) && whole && slices.Equal(other, line)
		require.Equal(t, is, got.Plan().Note != "", "%d: %v and %v to %v: %v", seed, x, y, to, got.Plan())
		if is {
			taken++
			matrix, vector := a, b
			if !slices.Equal(x, shape) {
				matrix, vector = b, a
			}
			var p *np.Array
			if inner == 1 {
				p = np.MatMul(matrix.Field("").Reshape(outer, -1), vector.Field("").Reshape(-1, 1))
			} else {
				p = np.MatMul(vector.Field("").Reshape(1, -1), matrix.Field("").Reshape(-1, inner))
			}
			require.Equal(t, brook.Slice[float32](brook.Of(p.Reshape(-1))), brook.Slice[float32](got), "%d: %v and %v", seed, x, y)
		}
	}
	require.Positive(t, taken)
}

// The rule is seen, and who says how to reduce, or where, has the passes.
func TestSumsOfProductsAreSeen(t *testing.T) {
	use(t)
	mul, sum := kernel(t, "Mul64", streamed.Mul64), kernel(t, "Sum64", streamed.Sum64)
	a, x := brook.Of(np.Arange(2500).Reshape(50, 50).AsType(np.Float64)), brook.Of(np.Arange(50).Reshape(1, 50).AsType(np.Float64))
	y := brook.Reduce(sum, brook.Map(mul, a, x), brook.Shape(50, 1))
	require.Equal(t, []int{5, 5, 2}, y.Plan().Factors())
	require.Contains(t, y.Plan().String(), "note: on the CPU these passes are one matrix product, by the rule \"sum of products\"")
	e := np.Explain(y.Field(""))
	require.Contains(t, e.String(), "rewritten by: sum of products")
	require.Contains(t, y.Report().String(), "matmul")
	for _, how := range []brook.Option{brook.Passes(8), brook.SinglePass(), brook.On("host"), brook.On("sim:nv40")} {
		p := brook.Reduce(sum, brook.Map(mul, a, x), brook.Shape(50, 1), how)
		require.Empty(t, p.Plan().Note)
		require.Equal(t, brook.Write(y), brook.Write(p)) // whole numbers
	}
	ints := brook.Reduce(kernel(t, "Sum", streamed.Sum), brook.Map(kernel(t, "Mul", streamed.Mul), 2, np.Arange(8).AsType(np.Float32)))
	require.Empty(t, ints.Plan().Note, "a constant is no vector")
	np.Use("sim:v100")
	require.Empty(t, brook.Reduce(sum, brook.Map(mul, a, x), brook.Shape(50, 1)).Plan().Note)
}
