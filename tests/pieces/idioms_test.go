package pieces

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// idioms are everyday cells on a matrix of 140 by 500 numbers, or a vector of 70,000, that are larger than the device:
// how lazy arrays have them, and how eager ones.
var idioms = map[string]struct {
	lazy func(x, v *lazy.Array) *lazy.Array
	// nil where sums of floats have another order: then it is the device with room that judges
	eager func(x, v *arrays.Array) *arrays.Array
}{
	"sum of rows":         {func(x, v *lazy.Array) *lazy.Array { return x.Sum(lazy.Axis(1)) }, nil},
	"sum of columns":      {func(x, v *lazy.Array) *lazy.Array { return x.Sum(lazy.Axis(0)) }, nil},
	"mean of columns":     {func(x, v *lazy.Array) *lazy.Array { return x.Mean(lazy.Axis(0), lazy.KeepDims()) }, nil},
	"sum of wide columns": {func(x, v *lazy.Array) *lazy.Array { return v.Reshape(40, 1750).Sum(lazy.Axis(0)) }, nil},
	"extremes": {func(x, v *lazy.Array) *lazy.Array { return x.Max(lazy.Axis(0)).Sub(x.Min(lazy.Axis(0))) },
		func(x, v *arrays.Array) *arrays.Array { return x.Max(arrays.Axis(0)).Sub(x.Min(arrays.Axis(0))) }},
	"sum of all":                      {func(x, v *lazy.Array) *lazy.Array { return x.Sum() }, nil},
	"sum of a middle axis":            {func(x, v *lazy.Array) *lazy.Array { return v.Reshape(14, 50, 100).Sum(lazy.Axis(1)) }, nil},
	"running sums":                    {func(x, v *lazy.Array) *lazy.Array { return x.Add(1).CumSum(0) }, nil},
	"running sums of rows":            {func(x, v *lazy.Array) *lazy.Array { return x.Add(1).CumSum(1).Mul(2) }, nil},
	"running sums in the middle":      {func(x, v *lazy.Array) *lazy.Array { return v.Reshape(7, 100, 100).CumSum(1) }, nil},
	"running products of short lines": {func(x, v *lazy.Array) *lazy.Array { return v.Reshape(-1, 20).CumProd(1) }, nil},
	"running sums of many columns": {func(x, v *lazy.Array) *lazy.Array { return v.Reshape(50, 1400).CumSum(0) },
		func(x, v *arrays.Array) *arrays.Array { return v.Reshape(50, 1400).CumSum(0) }},
	"one running sum": {func(x, v *lazy.Array) *lazy.Array { return v.CumSum(0) }, nil},
	"running maxima": {func(x, v *lazy.Array) *lazy.Array { return lazy.CumMax(x.Add(1), 1) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.CumMax(x.Add(1), 1) }},
	"what a mask picks": {func(x, v *lazy.Array) *lazy.Array { return x.At(x.Greater(0.25)).Add(1) },
		func(x, v *arrays.Array) *arrays.Array { return x.At(x.Greater(0.25)).Add(1) }},
	"slice of rows": {func(x, v *lazy.Array) *lazy.Array { return x.At(lazy.S(10, 130)).Mul(2) },
		func(x, v *arrays.Array) *arrays.Array { return x.At(arrays.S(10, 130)).Mul(2) }},
	"slice of columns": {func(x, v *lazy.Array) *lazy.Array { return x.At(lazy.All, lazy.S(3, 480)).Mul(2) },
		func(x, v *arrays.Array) *arrays.Array { return x.At(arrays.All, arrays.S(3, 480)).Mul(2) }},
	"differences": {func(x, v *lazy.Array) *lazy.Array { return v.At(lazy.S(1, lazy.End)).Sub(v.At(lazy.S(0, -1))) },
		func(x, v *arrays.Array) *arrays.Array {
			return v.At(arrays.S(1, arrays.End)).Sub(v.At(arrays.S(0, -1)))
		}},
	"differences of columns": {func(x, v *lazy.Array) *lazy.Array {
		return x.At(lazy.All, lazy.S(1, lazy.End)).Sub(x.At(lazy.All, lazy.S(0, -1)))
	},
		func(x, v *arrays.Array) *arrays.Array {
			return x.At(arrays.All, arrays.S(1, arrays.End)).Sub(x.At(arrays.All, arrays.S(0, -1)))
		}},
	"every other": {func(x, v *lazy.Array) *lazy.Array {
		return v.At(lazy.S(0, lazy.End, 2)).Add(v.At(lazy.S(1, lazy.End, 2)))
	},
		func(x, v *arrays.Array) *arrays.Array {
			return v.At(arrays.S(0, arrays.End, 2)).Add(v.At(arrays.S(1, arrays.End, 2)))
		}},
	"reversed": {func(x, v *lazy.Array) *lazy.Array { return lazy.Flip(v).Add(v) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Flip(v).Add(v) }},
	"transposed": {func(x, v *lazy.Array) *lazy.Array { return x.T().Add(1) },
		func(x, v *arrays.Array) *arrays.Array { return x.T().Add(1) }},
	"with its transpose": {func(x, v *lazy.Array) *lazy.Array {
		y := x.Reshape(-1).At(lazy.S(0, 62_500)).Reshape(250, 250)
		return y.T().Add(y)
	},
		func(x, v *arrays.Array) *arrays.Array {
			y := x.Reshape(-1).At(arrays.S(0, 62_500)).Reshape(250, 250)
			return y.T().Add(y)
		}},
	"stencil": {func(x, v *lazy.Array) *lazy.Array {
		in := lazy.S(1, -1)
		return x.At(lazy.S(0, -2), in).Add(x.At(lazy.S(2, lazy.End), in)).Add(x.At(in, lazy.S(0, -2))).Add(x.At(in, lazy.S(2, lazy.End)))
	}, func(x, v *arrays.Array) *arrays.Array {
		in := arrays.S(1, -1)
		return x.At(arrays.S(0, -2), in).Add(x.At(arrays.S(2, arrays.End), in)).Add(x.At(in, arrays.S(0, -2))).Add(x.At(in, arrays.S(2, arrays.End)))
	}},
	"softmax": {func(x, v *lazy.Array) *lazy.Array {
		e := x.Sub(x.Max(lazy.Axis(1), lazy.KeepDims())).Exp()
		return e.Div(e.Sum(lazy.Axis(1), lazy.KeepDims()))
	}, nil},
	"standardised": {func(x, v *lazy.Array) *lazy.Array { return x.Sub(x.Mean(lazy.Axis(0))).Div(x.Std(lazy.Axis(0))) }, nil},
	"rows by numbers": {func(x, v *lazy.Array) *lazy.Array { return x.At([]int{139, 2, 2, -7}).Mul(2) },
		func(x, v *arrays.Array) *arrays.Array { return x.At([]int{139, 2, 2, -7}).Mul(2) }},
	"columns by numbers": {func(x, v *lazy.Array) *lazy.Array { return lazy.Take(x, []int{499, 0, -3}, 1) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Take(x, []int{499, 0, -3}, 1) }},
	"numbers in the middle": {func(x, v *lazy.Array) *lazy.Array {
		return lazy.Take(v.Reshape(7, 100, 100), lazy.Arange(99, -1, -1), 1)
	},
		func(x, v *arrays.Array) *arrays.Array {
			return arrays.Take(v.Reshape(7, 100, 100), arrays.Arange(99, -1, -1), 1)
		}},
	"places in a list": {func(x, v *lazy.Array) *lazy.Array { return lazy.SearchSorted(lazy.Linspace(-2, 2, 90), v) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.SearchSorted(arrays.Linspace(-2, 2, 90), v) }},
	"repeated": {func(x, v *lazy.Array) *lazy.Array { return lazy.Repeat(v, 3) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Repeat(v, 3) }},
	"tiled": {func(x, v *lazy.Array) *lazy.Array { return lazy.Tile(x, 2, 2) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Tile(x, 2, 2) }},
	"every other assigned": {func(x, v *lazy.Array) *lazy.Array {
		z := v.Mul(3)
		z.Set(v.At(lazy.S(1, lazy.End, 2)), lazy.S(0, lazy.End, 2))
		return z
	}, func(x, v *arrays.Array) *arrays.Array {
		z := v.Mul(3)
		z.Set(v.At(arrays.S(1, arrays.End, 2)), arrays.S(0, arrays.End, 2))
		return z
	}},
	"inner part assigned": {func(x, v *lazy.Array) *lazy.Array {
		z := x.Copy()
		z.Set(x.At(lazy.S(0, -2), lazy.S(2, lazy.End)), lazy.S(1, -1), lazy.S(1, -1))
		return z.Add(x)
	}, func(x, v *arrays.Array) *arrays.Array {
		z := x.Copy()
		z.Set(x.At(arrays.S(0, -2), arrays.S(2, arrays.End)), arrays.S(1, -1), arrays.S(1, -1))
		return z.Add(x)
	}},
	"shifted onto itself": {func(x, v *lazy.Array) *lazy.Array {
		z := v.Add(1)
		z.Set(z.At(lazy.S(0, -1)), lazy.S(1, lazy.End))
		return z
	}, func(x, v *arrays.Array) *arrays.Array {
		z := v.Add(1)
		z.Set(z.At(arrays.S(0, -1)).Copy(), arrays.S(1, arrays.End))
		return z
	}},
	"two rows": {func(x, v *lazy.Array) *lazy.Array {
		return v.Reshape(2, -1).Mul(v.Reshape(2, -1).At(lazy.S(lazy.End, -3, -1)))
	},
		func(x, v *arrays.Array) *arrays.Array {
			return v.Reshape(2, -1).Mul(v.Reshape(2, -1).At(arrays.S(arrays.End, -3, -1)))
		}},
	"trace": {func(x, v *lazy.Array) *lazy.Array { return lazy.Trace(v.At(lazy.S(0, 62_500)).Reshape(250, 250)) }, nil},
	"a few of all": {func(x, v *lazy.Array) *lazy.Array {
		return x.At(lazy.S(0, lazy.End, 20), lazy.S(0, lazy.End, 50)).Max()
	}, nil},
	"product from the left": {func(x, v *lazy.Array) *lazy.Array { return lazy.Dot(lazy.Ones(3, 140), x) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Dot(arrays.Ones(3, 140), x) }},
	"product with a part of itself": {func(x, v *lazy.Array) *lazy.Array { return lazy.Dot(x, x.At(lazy.S(0, 2)).T()) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Dot(x, x.At(arrays.S(0, 2)).T()) }},
	"product": {func(x, v *lazy.Array) *lazy.Array { return lazy.Dot(x, lazy.Ones(500, 3)).Add(1) },
		func(x, v *arrays.Array) *arrays.Array { return arrays.Dot(x, arrays.Ones(500, 3)).Add(1) }},
}

// numbers are not round, so that another order of additions would show.
func numbers(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 9))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// uncut are those of idioms whose tasks cannot be cut: they run on the device where that has room for them.
var uncut = map[string]bool{"one running sum": true, "what a mask picks": true}

// onePiece are those that need little of what they read, which one piece has.
var onePiece = map[string]bool{"trace": true, "a few of all": true}

// TestIdiomsInPieces: everyday cells on arrays that are larger than the device have the same bits in pieces, and none
// but those of uncut goes to the CPU instead because it could not be cut. A short test has a third of them, each turn
// another.
func TestIdiomsInPieces(t *testing.T) {
	const n = 70_000
	data := numbers(n, 1)
	for k, name := range slices.Sorted(maps.Keys(idioms)) {
		if !testsize.Part(k, 3) {
			continue
		}
		idiom := idioms[name]
		t.Run(name, func(t *testing.T) {
			var want []byte
			for _, bytes := range []int64{0, 1 << 18} {
				rt := paged(t, bytes)
				rt.Warn = func(m string) {
					if !uncut[name] {
						t.Errorf("it said: %s", m)
					}
				}
				v := lazy.FromSlice(data)
				y := idiom.lazy(v.Reshape(140, 500), v)
				forecast := lazy.Explain(y).TooLarge
				got := y.Array()
				switch s := rt.Stats(); {
				case bytes == 0:
					want = got.Bytes()
				case uncut[name]: // on the CPU, but for what is around them
				case s.Pieces < 1 || !onePiece[name] && (s.Pieces < 2 || len(forecast) == 0):
					t.Errorf("%d pieces, %d launches; foreseen: %v", s.Pieces, s.Launches, forecast)
				}
				require.Equal(t, want, got.Bytes(), "on a device with %d bytes", bytes)
				y = nil
				settled(t, rt)
			}
			if idiom.eager != nil {
				v := arrays.FromSlice(data)
				require.Equal(t, idiom.eager(v.Reshape(140, 500), v).Copy().Bytes(), want, "eager arrays")
			}
		})
	}
}

// settled checks that nothing is left on the device once the program has let go of its arrays.
func settled(t *testing.T, rt *offload.Runtime) {
	t.Helper()
	offload.Collect()
	lazy.Ones(1).Add(1).Array() // frees what was collected
	for _, m := range rt.MemoryUse() {
		if m.Device == "sim:tiny#0" {
			require.LessOrEqual(t, m.Pool.InUse, int64(256), "bytes that are in use still")
		}
	}
}

// program is a random one over eager and lazy arrays at once: views of views, with steps of either sign, assignments
// through them, broadcasts, reductions and gathers. All numbers are whole, so that sums have one value in whatever
// order, until the end of it.
type program struct {
	r     *rand.Rand
	eager []*arrays.Array
	lazy  []*lazy.Array
}

func newProgram(seed uint64) *program {
	p := &program{r: rand.New(rand.NewPCG(seed, 21))}
	for i, shape := range [][]int{{60, 50}, {3000}, {60, 1}, {50}, {50, 60}, {5, 12, 50}} {
		vals := make([]float64, arrays.Contiguous(shape...).Size())
		for k := range vals {
			vals[k] = float64(p.r.IntN(41) - 20)
		}
		x := arrays.FromSlice(vals, shape...)
		if i == 4 {
			x = x.AsType(arrays.Int32)
		}
		p.put(x, lazy.FromArray(x.Copy()))
	}
	return p
}

func (p *program) put(x *arrays.Array, y *lazy.Array) {
	p.eager, p.lazy = append(p.eager, x), append(p.lazy, y)
}

func (p *program) pick() (*arrays.Array, *lazy.Array) {
	i := p.r.IntN(len(p.eager))
	if p.r.IntN(2) == 0 { // mostly what is new
		i = len(p.eager) - 1 - p.r.IntN(min(5, len(p.eager)))
	}
	return p.eager[i], p.lazy[i]
}

// index is a random slice for each axis.
func (p *program) index(shape []int) []any {
	var out []any
	for _, n := range shape {
		switch lo := p.r.IntN(max(n/3, 1)); {
		case n < 4 || p.r.IntN(4) == 0:
			out = append(out, arrays.All)
		case p.r.IntN(5) == 0:
			out = append(out, arrays.S(arrays.End, lo, -1-p.r.IntN(3)))
		default:
			out = append(out, arrays.S(lo, n-p.r.IntN(n/3+1), 1+p.r.IntN(3)*p.r.IntN(2)))
		}
	}
	return out
}

func (p *program) step() {
	x, y := p.pick()
	r := p.r
	if x.Size() == 0 {
		return
	}
	switch k := r.IntN(13); k {
	case 0, 1:
		i := p.index(x.Shape())
		p.put(x.At(i...), y.At(i...))
	case 2:
		p.put(x.T(), y.T())
	case 3, 4, 5: // with something of a shape that fits
		for range 20 {
			a, b := p.pick()
			if out, err := arrays.BroadcastShapes(x.Shape(), a.Shape()); err == nil && arrays.Contiguous(out...).Size() <= 12_000 {
				switch k {
				case 3:
					p.put(x.Add(a), y.Add(b))
				case 4:
					p.put(arrays.Minimum(x, a), lazy.Minimum(y, b))
				case 5:
					p.put(arrays.Where(x.Greater(a), x, 7), lazy.Where(y.Greater(b), y, 7))
				}
				return
			}
		}
	case 6, 7:
		if x.NDim() == 0 {
			return
		}
		axis := r.IntN(x.NDim())
		switch r.IntN(4) {
		case 0:
			p.put(x.Sum(arrays.Axis(axis)), y.Sum(lazy.Axis(axis)))
		case 1:
			p.put(x.Max(arrays.Axis(axis), arrays.KeepDims()), y.Max(lazy.Axis(axis), lazy.KeepDims()))
		case 2:
			p.put(x.Sum(), y.Sum())
		case 3:
			p.put(x.Min(), y.Min())
		}
	case 8, 9: // assignment through a view of a copy
		a, b := x.Copy(), y.Copy()
		if r.IntN(2) == 0 {
			a, b = x.Add(1), y.Add(1)
		}
		if a.NDim() == 0 {
			return
		}
		i := p.index(a.Shape())
		part, twin := a.At(i...), b.At(i...)
		switch r.IntN(3) {
		case 0:
			a.Set(5, i...)
			b.Set(5, i...)
		case 1:
			v, w := part.Mul(2).Sub(1), twin.Mul(2).Sub(1)
			a.Set(v, i...)
			b.Set(w, i...)
		case 2: // through a view of a view
			j := p.index(part.Shape())
			part.Set(part.At(j...).Neg(), j...)
			twin.Set(twin.At(j...).Neg(), j...)
		}
		p.put(a, b)
	case 10:
		if x.NDim() == 0 {
			return
		}
		at := make([]int, 30)
		for i := range at {
			at[i] = r.IntN(x.Shape()[0])
		}
		p.put(arrays.Take(x, at, 0), lazy.Take(y, at, 0))
	case 11:
		p.put(x.Reshape(-1), y.Reshape(-1))
	case 12:
		p.put(x.Abs().Mod(13), y.Abs().Mod(13))
	}
}

// TestRandomProgramsInPieces: random programs have the bits of eager arrays on a device that has room for all and on
// ones that have room for a part, and leave nothing there.
func TestRandomProgramsInPieces(t *testing.T) {
	pieces := int64(0)
	for seed := range testsize.Seeds("tests/pieces.TestRandomProgramsInPieces") {
		for _, limit := range []int64{0, 20_000, 9_000} {
			rt := paged(t, limit)
			p := newProgram(seed)
			for range 25 {
				p.step()
			}
			n := len(p.lazy)
			last := slices.Clone(p.lazy[n-6:])
			lazy.Eval(last...)
			for i, x := range last {
				want, got := p.eager[n-6+i].Copy(), x.Array().Copy()
				require.Equal(t, want.Shape(), got.Shape())
				if !bytes.Equal(want.Bytes(), got.Bytes()) {
					t.Fatalf("seed %d with %d bytes: value %d of shape %v is\n%v, by eager arrays\n%v", seed, limit, i, want.Shape(), got, want)
				}
			}
			pieces += rt.Stats().Pieces
			p, last = nil, nil
			settled(t, rt)
		}
	}
	require.NotZero(t, pieces, "nothing ran in pieces")
	t.Logf("%d pieces", pieces)
}

// Only what takes part is counted and copied: of a view the elements that it has, and of what two views share one copy.
func TestPiecesCopyWhatTheyNeed(t *testing.T) {
	const n = 1 << 18
	data := make([]float64, n)
	for i := range data {
		data[i] = math.Sqrt(float64(i))
	}
	for name, c := range map[string]struct {
		of   func(v *lazy.Array) *lazy.Array
		most float64 // bytes copied in, for each of v's
	}{
		"a tenth":     {func(v *lazy.Array) *lazy.Array { return v.At(lazy.S(0, lazy.End, 10)).Mul(2) }, 0.1001},
		"differences": {func(v *lazy.Array) *lazy.Array { return v.At(lazy.S(1, lazy.End)).Sub(v.At(lazy.S(0, -1))) }, 1.001},
		"columns":     {func(v *lazy.Array) *lazy.Array { return v.Reshape(512, 512).At(lazy.All, lazy.S(0, 256)).Mul(2) }, 0.5001},
		"transpose":   {func(v *lazy.Array) *lazy.Array { return v.Reshape(512, 512).T().Mul(2) }, 1.0001},
	} {
		rt := paged(t, 256<<10)
		x := c.of(lazy.FromSlice(data))
		lazy.Eval(x)
		s := rt.Stats()
		require.Greater(t, s.Pieces, int64(1), name)
		require.LessOrEqual(t, float64(s.BytesIn)/(8*n), c.most, name)
		require.Equal(t, int64(8*x.Size()), s.BytesOut, name)
	}
}

// TestProductsInPieces: on a card without its maker's library kernels of ours multiply, of operands that do not fit
// some rows, columns or pairs at a time, with the bits of eager arrays.
func TestProductsInPieces(t *testing.T) {
	testsize.InTurn(t, 2)
	if _, err := testdevices.Driver(); errors.Is(err, fake.ErrNone) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	rt := testdevices.Use(t)
	lazy.Use("cuda:0")
	rt.SetMemLimit(64 << 10)
	for name, shapes := range map[string][2][]int{
		"rows":    {{200, 60}, {60, 20}},
		"columns": {{20, 60}, {60, 300}},
		"pairs":   {{40, 20, 15}, {40, 15, 20}},
		"column":  {{400, 60}, {60, 1}},
	} {
		for _, dtype := range []arrays.DType{arrays.Float32, arrays.Float64} {
			rt.Warn = func(m string) { t.Errorf("%s: it said: %s", name, m) }
			before := rt.Stats().Pieces
			var eager [2]*arrays.Array
			for i, shape := range shapes {
				eager[i] = arrays.FromSlice(numbers(arrays.Contiguous(shape...).Size(), uint64(i)), shape...).AsType(dtype)
			}
			x, y := lazy.FromArray(eager[0]), lazy.FromArray(eager[1])
			got := x.MatMul(y).Mul(2).Array()
			require.Equal(t, eager[0].MatMul(eager[1]).Mul(2).Bytes(), got.Copy().Bytes(), "%s of %v", name, dtype)
			require.GreaterOrEqual(t, rt.Stats().Pieces-before, int64(2), "%s of %v", name, dtype)
		}
	}
	rt.SetMemLimit(96 << 10) // one operand is there whole, and is the other too
	rt.Warn = func(m string) { t.Errorf("with itself: it said: %s", m) }
	x := arrays.FromSlice(numbers(80*80, 7), 80, 80)
	y := lazy.FromArray(x).Add(1)
	lazy.Eval(y.At(0)) // what it is of must come back from the device
	require.Equal(t, x.Add(1).MatMul(x.Add(1)).Bytes(), y.MatMul(y).Array().Copy().Bytes(), "with itself")
}
