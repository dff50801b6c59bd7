package main

import (
	"fmt"
	"io"
	"math/cmplx"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// libraries compares what NVIDIA's libraries, or our kernels where there are none, make of matrices of n rows with
// package arrays.
func libraries(w io.Writer, r *device.Registry, name string, n int) (bool, error) {
	rt, err := offload.New(r, name)
	if err != nil {
		return false, err
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	fmt.Fprintf(w, "## Libraries\n\nMatrices of %d rows, vectors of as many numbers. Differences to the CPU's results are relative to the largest number.\n\n| what | by | largest difference |\n|---|---|---|\n", n)
	good := true
	for _, d := range []arrays.DType{arrays.Float32, arrays.Float64, arrays.Complex64, arrays.Complex128} {
		rng := arrays.DefaultRNG(1)
		make := func(shape ...int) *arrays.Array {
			x := rng.Normal(0, 1, shape...)
			if d.IsComplex() {
				x = x.Add(rng.Normal(0, 1, shape...).Mul(1i))
			}
			return x.AsType(d)
		}
		a, b := make(n, n), make(n, n)
		well := a.Add(arrays.Eye(n).Mul(float64(n))).AsType(d) // far from singular
		la, lb, lwell := lazy.FromArray(a), lazy.FromArray(b), lazy.FromArray(well)
		for _, c := range []struct {
			what string
			got  *lazy.Array
			want *arrays.Array
		}{
			{"product", la.MatMul(lb), a.MatMul(b)},
			{"system", lazy.Solve(lwell, lb), arrays.Solve(well, b)},
			{"fft", lazy.FFT(la), arrays.FFT(a)},
			{"ifft", lazy.IFFT(la), arrays.IFFT(a)},
		} {
			steps := lazy.Explain(c.got).Steps
			by := steps[len(steps)-1].Why
			if err := lazy.TryEval(c.got); err != nil {
				return false, fmt.Errorf("%s of %v: %w", c.what, d, err)
			}
			off, most := difference(c.got.Array(), c.want), 1e-3
			if d == arrays.Float64 || d == arrays.Complex128 {
				most = 1e-10
			}
			word := fmt.Sprintf("%.1e", off)
			if !(off <= most) {
				word, good = "**"+word+"**", false
			}
			fmt.Fprintf(w, "| %s of %v | %s | %s |\n", c.what, d, by, word)
		}
	}
	fmt.Fprintln(w)
	return good, nil
}

// difference is the largest one of elements, over the largest element of want.
func difference(got, want *arrays.Array) float64 {
	g, w := got.AsType(arrays.Complex128).Ravel(), want.AsType(arrays.Complex128).Ravel()
	off, scale := 0.0, 0.0
	for i := range g.Size() {
		x, y := g.At(i).Item().(complex128), w.At(i).Item().(complex128)
		off, scale = max(off, cmplx.Abs(x-y)), max(scale, cmplx.Abs(y))
	}
	return off / scale
}
