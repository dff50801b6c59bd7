package blas_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	np "github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/arrays/blas"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// libraries are those that may be here: the one that the environment names, or the system's OpenBLAS or MKL and that in
// the NumPy of the tests' Python, which takes a quarter of a second to say where it is.
var libraries = sync.OnceValue(func() []string {
	if name := os.Getenv(blas.Variable); name != "" {
		return []string{name}
	}
	names := []string{"libopenblas.so.0", "libmkl_rt.so.2", "libmkl_rt.so"}
	if python := os.Getenv(judges.PythonVariable); python != "" {
		out, _ := exec.Command(python, "-c", "import numpy; print(numpy.__file__)").Output()
		found, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(strings.TrimSpace(string(out)))), "numpy.libs", "lib*openblas*"))
		names = append(names, found...)
	}
	return names
})

// use opens one of the libraries.
func use(t *testing.T) {
	t.Helper()
	for _, name := range libraries() {
		if blas.Use(name) == nil {
			t.Cleanup(func() { blas.Use("") })
			return
		}
	}
	judges.Missing(t, "there is no OpenBLAS and no MKL here; %s names one", blas.Variable)
}

// TestLibrary: what a library computes is what package arrays computes, but for rounding, or puts together what was
// taken apart.
func TestLibrary(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	rng := np.DefaultRNG(5)
	for _, d := range []np.DType{np.Float64, np.Float32, np.Complex128, np.Complex64} {
		random := func(shape ...int) *np.Array {
			a := rng.Normal(0, 1, shape...)
			if d.IsComplex() {
				a = a.Add(rng.Normal(0, 1, shape...).Mul(1i))
			}
			return a.AsType(d)
		}
		square, tall, sides := random(2, 40, 40), random(50, 33), random(2, 40, 3)
		wide, large := tall.T(), random(150, 170)
		system := np.Eye(410).AsType(d).Add(random(410, 410).Div(60)).AsType(d)
		hermitian := np.MatMul(square, np.MatrixTranspose(square).Conj()).Add(np.Eye(40).Mul(0.1)).AsType(d)
		column := square.At(0, np.All, 0)
		scale := func(v, s, vh *np.Array) *np.Array { return np.MatMul(v.Mul(s.ExpandDims(-2)), vh) }
		same := map[string]func() *np.Array{
			"product":       func() *np.Array { return np.MatMul(large, large.T()) },
			"of transposes": func() *np.Array { return np.MatMul(large.T(), large.At(np.All, np.To(150)).T()) },
			"every second": func() *np.Array {
				return np.MatMul(np.Concat(1, large, large).At(np.All, np.S(0, np.End, 2)), large.T())
			},
			"backwards":       func() *np.Array { return np.MatMul(large.T().At(np.S(np.End, np.End, -1)), large) },
			"solve for many":  func() *np.Array { return np.Solve(large.At(np.All, np.To(150)), large) },
			"solve":           func() *np.Array { return np.Solve(square, sides) },
			"one side":        func() *np.Array { return np.Solve(square.At(1), column) },
			"large, one side": func() *np.Array { return np.Solve(system, system.At(0)) },
			"inv":             func() *np.Array { return np.Inv(square) },
			"det":             func() *np.Array { return np.Det(square.Div(5)) },
			"cholesky":        func() *np.Array { return np.Cholesky(hermitian) },
			"singular":        func() *np.Array { return np.SVDVals(wide) },
			"eigenvalues":     func() *np.Array { return np.EigValsH(hermitian) },
			"pseudo-inverse":  func() *np.Array { return np.PInv(tall) },
			"qr":              func() *np.Array { q, r := np.QR(tall); return np.MatMul(q, r) },
			"qr of wide":      func() *np.Array { q, r := np.QR(wide); return np.MatMul(q, r) },
			"whole qr":        func() *np.Array { q, r := np.QRComplete(tall); return np.MatMul(q, r) },
			"whole q":         func() *np.Array { q, _ := np.QRComplete(tall); return np.MatMul(q.T().Conj(), q) },
			"svd":             func() *np.Array { return scale(np.SVDThin(tall)) },
			"svd of wide":     func() *np.Array { return scale(np.SVDThin(wide)) },
			"whole svd":       func() *np.Array { u, s, vh := np.SVD(tall); return scale(u.At(np.All, np.To(33)), s, vh) },
			"unitary":         func() *np.Array { _, _, vh := np.SVD(wide); return np.MatMul(vh, vh.T().Conj()) },
			"least squares": func() *np.Array {
				x, _, _, _ := np.LstSq(tall, np.Concat(1, tall.At(np.All, np.To(2)), tall.At(np.All, np.To(1)).Mul(tall.At(np.All, np.From(32)))))
				return x
			},
			"shortest":  func() *np.Array { x, _, _, _ := np.LstSq(wide, wide.At(np.All, 0).Abs()); return x },
			"residuals": func() *np.Array { _, r, _, _ := np.LstSq(tall, tall.At(np.All, np.To(2)).Square()); return r },
			"rank": func() *np.Array {
				_, _, r, _ := np.LstSq(np.MatMul(tall, np.MatMul(wide, np.Ones(50, 2).AsType(d))), tall)
				return r
			},
			"eigh": func() *np.Array {
				w, v := np.EigH(hermitian)
				return scale(v, w, np.MatrixTranspose(v).Conj())
			},
			"eig": func() *np.Array {
				w, v := np.Eig(square)
				return np.Abs(np.MatMul(square, v).Sub(v.Mul(w.ExpandDims(-2)))).Add(1)
			},
		}
		for name, f := range same {
			got := f()
			if err := blasOff(func() {
				want := f()
				tolerance := 1e-10
				if d == np.Float32 || d == np.Complex64 {
					tolerance = 2e-3
				}
				worst := np.Abs(got.Sub(want)).Max().Float64s()[0] / max(1, np.Abs(want).Max().Float64s()[0])
				if got.DType() != want.DType() || !(worst < tolerance) {
					t.Errorf("%s of %v: %g from what package arrays computes", name, d, worst)
				}
			}); err != nil {
				t.Fatal(err)
			}
			use(t)
		}
	}
	for name, f := range map[string]func(){
		"a singular matrix": func() { np.Solve(np.Ones(3, 3), np.Ones(3)) },
		"no inverse":        func() { np.Inv(np.Zeros(2, 2)) },
		"not definite":      func() { np.Cholesky(np.Eye(2).Mul(-1)) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*np.Error); !ok {
					t.Errorf("%s: no error", name)
				}
			}()
			f()
		}()
	}
}

func blasOff(f func()) error {
	err := blas.Use("")
	f()
	return err
}

// TestUseOfNothing: what cannot be used is an error that says so, and changes nothing.
func TestUseOfNothing(t *testing.T) {
	for _, name := range []string{"/nowhere/libopenblas.so", "libc.so.6"} {
		if err := blas.Use(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
