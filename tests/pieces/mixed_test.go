package pieces

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// mixed is a random sum, or another reduction, of what several views of an array have that do not lie alike, with few
// rows: eager and lazy. Its text says what it is. All numbers are whole.
func mixed(r *rand.Rand, x *arrays.Array, y *lazy.Array) (text string, want *arrays.Array, got *lazy.Array) {
	rows := []int{1, 1, 2, 3, 6}[r.IntN(5)]
	n := x.Size() / rows
	text = "x"
	view := func() (string, *arrays.Array, *lazy.Array) {
		switch k := r.IntN(6); k {
		case 0:
			return "x", x.Reshape(rows, n), y.Reshape(rows, n)
		case 1:
			return "x[::-1]", x.At(arrays.S(arrays.End, arrays.End, -1)).Reshape(rows, n), y.At(lazy.S(lazy.End, lazy.End, -1)).Reshape(rows, n)
		case 2:
			i, j := []any{arrays.All, arrays.S(arrays.End, arrays.End, -1)}, []any{lazy.All, lazy.S(lazy.End, lazy.End, -1)}
			return "x[:, ::-1]", x.Reshape(rows, n).At(i...), y.Reshape(rows, n).At(j...)
		case 3:
			return "x.T", x.Reshape(n, rows).T(), y.Reshape(n, rows).T()
		case 4:
			return "roll", arrays.Roll(x, n/2).Reshape(rows, n), lazy.Roll(y, n/2).Reshape(rows, n)
		default:
			a, b := x.At(arrays.S(0, arrays.End, 2)), y.At(lazy.S(0, lazy.End, 2))
			return "twice x[::2]", arrays.Concat(0, a, a).Reshape(rows, n), lazy.Concat(0, b, b).Reshape(rows, n)
		}
	}
	text, want, got = view()
	for range 1 + r.IntN(2) {
		t, a, b := view()
		switch r.IntN(3) {
		case 0:
			text, want, got = text+" + "+t, want.Add(a), got.Add(b)
		case 1:
			text, want, got = text+" - "+t, want.Sub(a), got.Sub(b)
		case 2:
			text, want, got = "min("+text+", "+t+")", arrays.Minimum(want, a), lazy.Minimum(got, b)
		}
	}
	var opts []arrays.ReduceOption
	switch r.IntN(3) {
	case 0:
		opts, text = append(opts, arrays.Axis(0)), text+" along 0"
	case 1:
		opts, text = append(opts, arrays.Axis(1)), text+" along 1"
	}
	switch r.IntN(5) {
	case 0:
		return "max of " + text, want.Max(opts...), got.Max(opts...)
	case 1:
		return "argmax of " + text, want.Reshape(-1).ArgMax(), got.Reshape(-1).ArgMax()
	case 2:
		return "mean of " + text, want.Mean(opts...), got.Mean(opts...)
	case 3:
		return "dot of " + text, arrays.Dot(want, want.T()), lazy.Dot(got, got.T())
	}
	return "sum of " + text, want.Sum(opts...), got.Sum(opts...)
}

// TestMixedViewsInPieces: reductions of views that do not lie alike run in pieces on a device that is smaller than what
// they read.
func TestMixedViewsInPieces(t *testing.T) {
	for seed := range testsize.Seeds("tests/pieces.TestMixedViewsInPieces") {
		r := rand.New(rand.NewPCG(seed, 31))
		vals := make([]float64, []int{120_000, 300_000}[r.IntN(2)])
		for i := range vals {
			vals[i] = float64(r.IntN(41) - 20)
		}
		x := arrays.FromSlice(vals)
		if r.IntN(2) == 0 {
			x = x.AsType(arrays.Float32)
		}
		// Six rows of what one block of a reduction adds must have room, which is given out in round sizes.
		limit := max(int64(x.NBytes())/[]int64{2, 3, 10}[r.IntN(3)], int64(x.DType().Size())*10*4096)
		rt := paged(t, limit)
		said := ""
		rt.Warn = func(m string) { said = m }
		text, want, got := mixed(r, x, lazy.FromArray(x))
		explained := lazy.Explain(got).TooLarge
		result := got.Array()
		if said != "" {
			t.Errorf("seed %d, %s of %d %v with %d bytes: it said: %s; foreseen: %v", seed, text, x.Size(), x.DType(), limit, said, explained)
		}
		require.Equal(t, want.Copy().Bytes(), result.Copy().Bytes(), "seed %d: %s", seed, text)
	}
}

// TestRandomProductsInPieces: products of which no operand has room, nor a row of one with all of the other, have the
// bits of eager arrays: parts of the terms go on with the sums of those before.
func TestRandomProductsInPieces(t *testing.T) {
	defer lazy.SimulateProducts(lazy.SimulateProducts(1 << 30))
	for seed := range testsize.Seeds("tests/pieces.TestRandomProductsInPieces") {
		r := rand.New(rand.NewPCG(seed, 37))
		d := []arrays.DType{arrays.Float64, arrays.Float32, arrays.Int64, arrays.Uint32}[r.IntN(4)]
		rng := arrays.DefaultRNG(int(seed))
		numbers := func(shape ...int) *arrays.Array {
			x := rng.Normal(0, 1, shape...)
			if !d.IsFloat() {
				x = x.Mul(50).Abs()
			}
			return x.AsType(d)
		}
		var x, w *arrays.Array
		limit := int64(1 << 16)
		switch r.IntN(4) {
		case 0: // of a row and a column, or of some rows
			k := 60_000 + r.IntN(120_000)
			x, w = numbers(1+r.IntN(2), k), numbers(k)
		case 1: // of one array with itself
			x = numbers(70_000 + r.IntN(80_000))
			w = x
		case 2: // of matrices
			k := 700 + r.IntN(900)
			x, w = numbers(20+r.IntN(20), k), numbers(k, 20+r.IntN(20))
		case 3: // with long sums, in a batch or with a large result
			k := 16_384 + r.IntN(9000)
			x, w, limit = numbers(2, 2, k), numbers(2, k, 3), 1<<19
			if r.IntN(2) == 0 {
				x, w = numbers(3, k), numbers(k, 3)
			}
		}
		rt := paged(t, limit)
		said := ""
		rt.Warn = func(m string) { said = m }
		a, b := lazy.FromArray(x), lazy.FromArray(w)
		if x == w {
			b = a
		}
		product := lazy.MatMul(a, b)
		explained := lazy.Explain(product).TooLarge
		got := product.Array()
		require.Empty(t, said, "seed %d: %v times %v of %v; foreseen: %v", seed, x.Shape(), w.Shape(), d, explained)
		require.NotEmpty(t, explained, "seed %d: %v times %v of %v", seed, x.Shape(), w.Shape(), d)
		require.Equal(t, arrays.MatMul(x, w).Copy().Bytes(), got.Copy().Bytes(), "seed %d: %v times %v of %v; %v", seed, x.Shape(), w.Shape(), d, explained)
		require.Greater(t, rt.Stats().Pieces, int64(1), "seed %d", seed)
	}
}
