package arrays

import (
	"bytes"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestMatMulTiles: products in tiles have the bits of the plain loop, at all edges of tiles and panels, for any number of goroutines.
func TestMatMulTiles(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(11)
	for _, s := range [][3]int{{20, 20, 20}, {1, 9000, 1}, {4, 300, 8}, {5, 257, 17}, {64, 64, 64}, {67, 256, 33}, {130, 513, 31}, {3, 100, 100}, {100, 1, 100}, {129, 65, 7}} {
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
	for _, s := range [][3]int{{5, 3, 1}, {1, 700, 300}, {300, 700, 1}, {30, 40, 50}, {40, 600, 90}, {2, 9, 2000}, {150, 20, 4}, {1, 1, 1}} {
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

// byDefinition adds the products of each element one by one.
func byDefinition(x, y *Array) *Array {
	n, k, m := x.Shape()[0], x.Shape()[1], y.Shape()[1]
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
