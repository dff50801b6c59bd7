//go:build !nocuda

package cudabackend

import (
	"errors"
	"math/cmplx"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// librariesIn is where the libraries are looked for, in workers that start afterwards too: a folder, or "off".
func librariesIn(t *testing.T, where string) {
	t.Helper()
	t.Setenv(LibrariesVariable, where)
	forget := func() {
		for _, l := range []*toolkitLibrary{&cublas, &cusolver, &cufft} {
			l.mu.Lock()
			l.tried = false
			l.mu.Unlock()
		}
	}
	forget()
	t.Cleanup(forget)
}

// fakeLibraries returns the folder with the fake ones, which stay loaded once they are.
func fakeLibraries(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(os.Getenv(fake.Variable)), "libraries")
	if os.Mkdir(dir, 0o700) == nil {
		if err := fake.Libraries(dir); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lazyBothWays runs f with lazy arrays on a GPU in this process, and on one in a worker.
func lazyBothWays(t *testing.T, f func(t *testing.T)) {
	for name, open := range map[string]func(t *testing.T) func() (device.Device, error){
		"in this process": func(t *testing.T) func() (device.Device, error) {
			return func() (device.Device, error) {
				g, err := Open(0)
				if err != nil {
					return nil, err
				}
				t.Cleanup(func() { g.Close() })
				return g, nil
			}
		},
		"in a worker": func(t *testing.T) func() (device.Device, error) {
			fleet := newFleetHere(t)
			return func() (device.Device, error) { return openRemote(fleet, 0) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			library.Reset(1, 64*mb, 12040, 1)
			if err := initAgain(); err != nil {
				t.Fatal(err)
			}
			var r device.Registry
			r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
			r.Add("cuda:0", open(t))
			rt, err := offload.New(&r, "cuda:0")
			if err != nil {
				t.Fatal(err)
			}
			lazy.Wiring{}.SetRuntime(rt)
			t.Cleanup(func() { lazy.Wiring{}.SetRuntime(nil) })
			f(t)
		})
	}
}

// numbers returns standard normal numbers of a dtype, the same each time.
func numbers(d arrays.DType, seed uint64, shape ...int) *arrays.Array {
	r := arrays.DefaultRNG(int(seed))
	x := r.Normal(0, 1, shape...)
	if d.IsComplex() {
		return x.Add(r.Normal(0, 1, shape...).Mul(1i)).AsType(d)
	}
	return x.AsType(d)
}

// far returns by how much two arrays differ at most, over the largest element.
func far(x, y *arrays.Array) float64 {
	a, b := x.AsType(arrays.Complex128).Ravel(), y.AsType(arrays.Complex128).Ravel()
	most, scale := 0.0, 1.0
	for i := range a.Size() {
		p, q := a.At(i).Item().(complex128), b.At(i).Item().(complex128)
		most, scale = max(most, cmplx.Abs(p-q)), max(scale, cmplx.Abs(q))
	}
	return most / scale
}

// routineCalls are calls of routines, with which library does them.
var routineCalls = []struct {
	name, library string
	eager         func(x ...*arrays.Array) *arrays.Array
	lazy          func(x ...*lazy.Array) *lazy.Array
	shapes        [][]int
}{
	{"products", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{17, 40}, {40, 33}}},
	{"of views", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0].T(), x[1].At(arrays.All, 3)) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0].T(), x[1].At(lazy.All, 3)) }, [][]int{{20, 6}, {20, 5}}},
	{"of vectors", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{50}, {50}}},
	{"of a row", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{70}, {2, 70, 21}}},
	{"of long columns", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{3, 70000}, {70000}}},
	{"of many", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{2, 3, 4, 5}, {3, 5, 2}}},
	{"of many with one", "cuBLAS", func(x ...*arrays.Array) *arrays.Array { return arrays.MatMul(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.MatMul(x[0], x[1]) }, [][]int{{7, 4, 5}, {1, 1, 5, 18}}},
	{"a system", "cuSOLVER", func(x ...*arrays.Array) *arrays.Array { return arrays.Solve(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.Solve(x[0], x[1]) }, [][]int{{12, 12}, {12}}},
	{"of many sides", "cuSOLVER", func(x ...*arrays.Array) *arrays.Array { return arrays.Solve(x[0], x[1]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.Solve(x[0], x[1]) }, [][]int{{9, 9}, {9, 4}}},
	{"fft", "cuFFT", func(x ...*arrays.Array) *arrays.Array { return arrays.FFT(x[0]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.FFT(x[0]) }, [][]int{{3, 30}}},
	{"ifft", "cuFFT", func(x ...*arrays.Array) *arrays.Array { return arrays.IFFT(x[0]) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.IFFT(x[0]) }, [][]int{{2, 2, 17}}},
	{"rfft", "cuFFT", func(x ...*arrays.Array) *arrays.Array { return arrays.RFFT(x[0].Real()) },
		func(x ...*lazy.Array) *lazy.Array { return lazy.RFFT(x[0].Real()) }, [][]int{{4, 16}}},
}

// What NVIDIA's libraries compute, of all dtypes and in both processes, is what package arrays computes on the CPU, but
// for rounding; Explain says which library does it. The libraries are fake: plain loops.
func TestLibrariesDoRoutines(t *testing.T) {
	testsize.InTurn(t, 0)
	librariesIn(t, fakeLibraries(t))
	lazyBothWays(t, func(t *testing.T) {
		for _, c := range routineCalls {
			for d, close := range map[arrays.DType]float64{arrays.Float32: 1e-4, arrays.Float64: 1e-12, arrays.Complex64: 1e-4, arrays.Complex128: 1e-12} {
				var in []*arrays.Array
				var on []*lazy.Array
				for i, shape := range c.shapes {
					in = append(in, numbers(d, uint64(i+1), shape...))
					on = append(on, lazy.FromArray(in[i]))
				}
				want, got := c.eager(in...), c.lazy(on...)
				if text := lazy.Explain(got).String(); !strings.Contains(text, c.library+" does it") || !strings.Contains(text, "on cuda:0") {
					t.Errorf("%s of %v: %s", c.name, d, text)
				}
				if err := evalError(got); err != nil {
					t.Fatalf("%s of %v: %v", c.name, d, err)
				}
				if r := far(got.Array(), want); got.DType() != want.DType() || r > close {
					t.Errorf("%s of %v: %v, %g from the CPU's", c.name, d, got.DType(), r)
				}
			}
		}
	})
}

// Without libraries products of real numbers have a kernel of ours, whose bits are the CPU's; the rest stays on the
// CPU, and Explain says why.
func TestWithoutLibraries(t *testing.T) {
	for _, where := range []string{"off", t.TempDir()} {
		librariesIn(t, where)
		lazyBothWays(t, func(t *testing.T) {
			for _, c := range routineCalls {
				for _, d := range []arrays.DType{arrays.Float32, arrays.Float64, arrays.Complex128} {
					var in []*arrays.Array
					var on []*lazy.Array
					for i, shape := range c.shapes {
						in = append(in, numbers(d, uint64(i+1), shape...))
						on = append(on, lazy.FromArray(in[i]))
					}
					want, got := c.eager(in...), c.lazy(on...)
					says := "there is no kernel for"
					if c.library == "cuBLAS" && !d.IsComplex() {
						says = "in tiles by a kernel of ours"
					}
					if text := lazy.Explain(got).String(); !strings.Contains(text, says) || !strings.Contains(text, c.library) {
						t.Errorf("%s of %v: %s", c.name, d, text)
					}
					if err := evalError(got); err != nil {
						t.Fatal(err)
					}
					if string(got.Array().Bytes()) != string(want.Bytes()) {
						t.Errorf("%s of %v: other bits than the CPU's", c.name, d)
					}
				}
			}
		})
	}
}

// A library's error has its name, number and a remedy, from a worker too, and what the host has stays: the same line
// works afterwards.
func TestErrorsOfLibraries(t *testing.T) {
	librariesIn(t, fakeLibraries(t))
	lazyBothWays(t, func(t *testing.T) {
		for _, c := range []struct {
			call   string
			result int32
			do     func(x *lazy.Array) *lazy.Array
			want   []string
		}{
			{"cublasCreate_v2", 1, func(x *lazy.Array) *lazy.Array { return x.MatMul(x) }, []string{"CUBLAS_STATUS_NOT_INITIALIZED (1)", LibrariesVariable + "=off"}},
			{"cublasDgemmStridedBatched", 13, func(x *lazy.Array) *lazy.Array { return x.MatMul(x) }, []string{"CUBLAS_STATUS_EXECUTION_FAILED (13)"}},
			{"cusolverDnDgetrf", 2, func(x *lazy.Array) *lazy.Array { return lazy.Solve(x, x) }, []string{"CUSOLVER_STATUS_ALLOC_FAILED (2)", "free arrays"}},
			{"cufftPlanMany", 8, func(x *lazy.Array) *lazy.Array { return lazy.FFT(x) }, []string{"CUFFT_INVALID_SIZE (8)"}},
		} {
			x := lazy.FromArray(numbers(arrays.Float64, 5, 6, 6))
			library.Fail(c.call, 0, c.result)
			err := evalError(c.do(x))
			library.Fail("", 0, 0)
			var named *LibraryError
			if !errors.As(err, &named) || named.Call != c.call {
				t.Errorf("%s: %v", c.call, err)
				continue
			}
			for _, want := range append(c.want, "cuda:0", c.call) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if err := evalError(c.do(x)); err != nil {
				t.Errorf("%s, the next time: %v", c.call, err)
			}
		}
		err := evalError(lazy.Solve(lazy.Ones(3, 3), lazy.Ones(3)))
		if !errors.Is(err, arrays.ErrSingular) || !strings.Contains(err.Error(), "pivot 2 is 0") {
			t.Errorf("a singular matrix: %v", err)
		}
	})
}

// A product is computed again after its worker is lost, also one that nobody has kept, and on the CPU where that is
// asked for.
func TestALostProductIsComputedAgain(t *testing.T) {
	librariesIn(t, fakeLibraries(t))
	kill := lazyOnWorker(t)
	x := lazy.FromArray(numbers(arrays.Float64, 1, 8, 8))
	y := x.T().MatMul(x.Mul(2))
	z := x.MatMul(x).Add(1)
	in := x.Array()
	for _, on := range []string{"cuda:0", "host"} {
		lazy.Use("cuda:0")
		lazy.Eval(y, z)
		kill()
		lazy.Use(on)
		if err := evalError(y, z); err != nil {
			t.Fatal(err)
		}
		if a, b := far(y.Array(), arrays.MatMul(in.T(), in.Mul(2))), far(z.Array(), arrays.MatMul(in, in).Add(1)); a > 1e-12 || b > 1e-12 {
			t.Errorf("on %s: %g and %g from the CPU's", on, a, b)
		}
		y, z = x.T().MatMul(x.Mul(2)), x.MatMul(x).Add(1)
	}
}
