package arrays

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestMatMulTiles: products in tiles have the bits of the plain loop, at all edges of tiles and panels, for any number
// of goroutines.
func TestMatMulTiles(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(11)
	for _, s := range [][3]int{{20, 20, 20}, {4, 300, 8}, {5, 257, 17}, {64, 64, 64}, {67, 256, 33}, {130, 513, 31}, {3, 100, 100}, {100, 1, 100}, {129, 65, 7}} {
		for _, d := range []DType{Float64, Float32} {
			x, y := rng.Normal(0, 1, s[0], s[1]).AsType(d), rng.Normal(0, 1, s[1], s[2]).AsType(d)
			x.Set(1e30, 0, 0)
			want := New(d, s[0], s[2])
			if d == Float64 {
				matMulFused(elements[float64](want.data), elements[float64](x.data), elements[float64](y.data), s[1], s[2])
			} else {
				matMulFused(elements[float32](want.data), elements[float32](x.data), elements[float32](y.data), s[1], s[2])
			}
			for _, threads := range []int{1, 2, 5} {
				workers.SetCount(threads)
				if got := MatMul(x, y); !bytes.Equal(got.data, want.data) {
					t.Errorf("%v of %v, %d threads: the tiles give other bits than the plain loop", s, d, threads)
				}
			}
		}
	}
}

// TestMatMulLayouts: operands of any strides and kinds, batches, and complex numbers as the definition has them.
func TestMatMulLayouts(t *testing.T) {
	rng := DefaultRNG(12)
	back := S(End, End, -1)
	views := map[string]func(a *Array) *Array{
		"as it is":      func(a *Array) *Array { return a },
		"transposed":    func(a *Array) *Array { return a.T().Copy().T() },
		"backwards":     func(a *Array) *Array { return a.At(back, back).Copy().At(back, back) },
		"columns apart": func(a *Array) *Array { return Stack(2, a, a).At(All, All, 1) },
	}
	for _, s := range [][3]int{{5, 3, 1}, {1, 700, 60}, {60, 700, 1}, {30, 40, 50}, {40, 600, 90}, {2, 9, 800}, {150, 20, 4}, {1, 1, 1}} {
		for _, d := range []DType{Float64, Float32, Complex128, Complex64} {
			x, y := rng.Normal(0, 1, s[0], s[1]).AsType(Float16).AsType(d), rng.Normal(0, 1, s[1], s[2]).AsType(Float16).AsType(d)
			if d.IsComplex() {
				i := FromSlice([]complex128{1i}).AsType(d)
				x, y = x.Add(rng.Normal(0, 1, s[0], s[1]).AsType(Float16).AsType(d).Mul(i)), y.Add(rng.Normal(0, 1, s[1], s[2]).AsType(Float16).AsType(d).Mul(i))
			}
			want := byDefinition(x, y)
			for left, v := range views {
				for right, w := range views {
					if got := MatMul(v(x), w(y)); !bytes.Equal(got.data, want.data) {
						t.Errorf("%v of %v, %s and %s: other bits than the definition's", s, d, left, right)
					}
				}
			}
			if got := MatMul(Stack(0, x, x, x), y); !bytes.Equal(got.At(2).Copy().data, want.data) || !bytes.Equal(got.At(0).Copy().data, want.data) {
				t.Errorf("%v of %v: other bits in a batch", s, d)
			}
		}
	}
}

// byDefinition adds the products of each element one by one; those of columns in chains.
func byDefinition(x, y *Array) *Array {
	n, k, m := x.Shape()[0], x.Shape()[1], y.Shape()[1]
	if m == 1 {
		return byChains(x, y)
	}
	out := New(x.DType(), n, m)
	x64, y64 := x.AsType(Complex128).Complex128s(), y.AsType(Complex128).Complex128s()
	wide := x.DType().Size() == 8 && !x.DType().IsComplex() || x.DType() == Complex128
	add := func(a, b, c float64) float64 {
		if wide {
			return multiplyAdd(a, b, c)
		}
		return float64(multiplyAdd(float32(a), float32(b), float32(c)))
	}
	for i := range n {
		for j := range m {
			var re, im float64
			for p := range k {
				a, b := x64[i*k+p], y64[p*m+j]
				re = add(real(a), real(b), re)
				im = add(real(a), imag(b), im)
				if x.DType().IsComplex() {
					re = add(imag(a), -imag(b), re)
					im = add(imag(a), real(b), im)
				}
			}
			if x.DType().IsComplex() {
				out.Set(complex(re, im), i, j)
			} else {
				out.Set(re, i, j)
			}
		}
	}
	return out
}

func byChains(x, y *Array) *Array {
	n, m, k := x.Shape()[0], y.Shape()[1], x.Shape()[1]
	out := New(x.DType(), n, m)
	numbers := func(a *Array) []float64 { return a.AsType(Float64).Float64s() }
	sum := func(x, y []float64) float64 {
		if x64 := x; out.DType().Size() == 8 && !out.DType().IsComplex() || out.DType() == Complex128 {
			return sumOfChains(x64, y)
		}
		narrow := func(x []float64) (to []float32) {
			for _, v := range x {
				to = append(to, float32(v))
			}
			return to
		}
		return float64(sumOfChains(narrow(x), narrow(y)))
	}
	for i := range n {
		for j := range m {
			if !x.DType().IsComplex() {
				out.Set(sum(numbers(x.At(i)), numbers(y.At(All, j))), i, j)
				continue
			}
			a, b := x.At(i).AsType(Complex128).Complex128s(), y.At(All, j).AsType(Complex128).Complex128s()
			left, re, im := make([]float64, 2*k), make([]float64, 2*k), make([]float64, 2*k)
			for p := range k {
				left[2*p], left[2*p+1] = real(a[p]), imag(a[p])
				re[2*p], re[2*p+1] = real(b[p]), -imag(b[p])
				im[2*p], im[2*p+1] = imag(b[p]), real(b[p])
			}
			out.Set(complex(sum(left, re), sum(left, im)), i, j)
		}
	}
	return out
}

// TestVectorProducts: rows and columns of all lengths, beside products in exact numbers and in the order of the
// definition.
func TestVectorProducts(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(13)
	for _, k := range []int{1, 2, 31, 32, 33, 64, 100, chainPiece, chainPiece + 7, 3*chainPiece - 1} {
		for _, d := range []DType{Float64, Float32} {
			x, y := rng.Normal(0, 1, k).AsType(d), rng.Normal(0, 1, k).AsType(d)
			want := New(d, 1)
			for lo := 0; lo < k; lo += chainPiece {
				hi := min(lo+chainPiece, k)
				piece := byChains(x.At(NewAxis, S(lo, hi)), y.At(S(lo, hi), NewAxis)).Reshape(1)
				if lo == 0 {
					want.Set(piece)
				} else {
					want.Set(want.Add(piece))
				}
			}
			for _, threads := range []int{1, 2, 5} {
				workers.SetCount(threads)
				tall := MatMul(Stack(0, x, x), y)
				for name, got := range map[string]*Array{"dot": MatMul(x, y), "matrix by column": tall.At(1), "every second": MatMul(Stack(1, x, x).At(All, 0), y)} {
					if !bytes.Equal(got.Copy().data, want.data) {
						t.Errorf("%d %v, %d threads, %s: %v, want %v", k, d, threads, name, got, want)
					}
				}
			}
		}
	}
}

// TestRowsAlone: a row of a product has the same bits whatever other rows are computed with it, one by one, in slices
// of rows, as a 1-d array, with a right side in any order of axes.
func TestRowsAlone(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(14)
	for _, s := range [][3]int{{4, 3, 5}, {7, 8, 1}, {16, 70, 16}, {33, 50, 20}, {65, 300, 40}, {9, 1000, 3}, {128, 256, 128}, {20, 2000, 257}, {5, 100, 4100}, {3, 70000, 2}} {
		for i, d := range []DType{Float32, Float64, Complex64, Complex128} {
			if !testsize.Part(i+s[0], 3) {
				continue
			}
			x := rng.Normal(0, 1, s[0], s[1]).AsType(d)
			if d.IsComplex() {
				x = x.Add(rng.Normal(0, 1, s[0], s[1]).AsType(d).Mul(1i)).AsType(d)
			}
			w := rng.Normal(0, 1, s[1], s[2]).AsType(d)
			all := Dot(x, w)
			for _, threads := range []int{1, 5} {
				workers.SetCount(threads)
				for i := 0; i < s[0]; i += max(1, s[0]/5) {
					for _, rows := range []int{1, 2, 3, 8} {
						to := min(i+rows, s[0])
						assert.True(t, ArrayEqual(Dot(x.At(S(i, to)), w), all.At(S(i, to))), "%v of %v, rows %d to %d", s, d, i, to)
					}
					assert.True(t, ArrayEqual(Dot(x.At(i), w), all.At(i)), "%v of %v, row %d", s, d, i)
					assert.True(t, ArrayEqual(Dot(x.At(S(i, i+1)), w.T().Copy().T()), all.At(S(i, i+1))), "%v of %v, row %d, by columns", s, d, i)
				}
			}
		}
	}
}
