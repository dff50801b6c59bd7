//go:build !portable

package vector

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestFunctionsHaveTheBitsOfTheirDefinitions compares the loops with the Go functions of package elementary, whose
// accuracy is tested there against math/big. Any NaN stands for any other.
func TestFunctionsHaveTheBitsOfTheirDefinitions(t *testing.T) {
	testsize.InTurn(t, 0)
	definitions := map[string]elementary.Function{}
	for _, f := range elementary.Functions {
		definitions[f.Name] = f
	}
	for _, set := range []struct {
		name      string
		runs      bool
		functions []function
		least     int // that most functions are there is tested too
	}{{"AVX-512", hasAVX512, avx512Functions, 58}, {"AVX2", hasAVX2, avx2Functions, 58}} {
		if !set.runs {
			t.Logf("this processor has no %s", set.name)
			continue
		}
		if n := len(set.functions); n < set.least {
			t.Errorf("%s has %d functions", set.name, n)
		}
		for _, f := range set.functions {
			l := functionLoops([]function{f})[0]
			e := definitions[f.name]
			xs, ys := arguments(e.Arity())
			if f.typ == "f64" {
				compareBits(t, set.name+" "+f.name+" f64", l.Forms[0], xs, ys, e.Unary, e.Binary)
			} else {
				compareBits(t, set.name+" "+f.name+" f32", l.Forms[0], singles(xs), singles(ys), e.Unary32, e.Binary32)
			}
		}
	}
}

// arguments are random ones of all sizes, as bits and in usual ranges, and of a list of special values and their
// neighbours, or of pairs of them.
func arguments(arity int) (xs, ys []float64) {
	rng := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64,
		math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32}
	for _, v := range []float64{0.25, 0.5, 0.625, 0.84, 1, 1.2, 1.5, 2, 3, 3.5, 6, 7, 10, 20, 28, 40, 60, 88.5, 89, 104, 127, 128, 150, 308, 700, 709.78, 710, 712, 745.2, 746, 1024, 1025, 1074, 1076, 0x1p27, 0x1p31,
		0x1p52, 0x1p53, 0x1p63, 1e300, 0x1p-13, 0x1p-27, 0x1p-28, 0x1p-54, 1e-300, math.Pi / 4, math.Pi / 2, math.Pi, math.Ln2, math.Sqrt2 / 2, math.Sqrt2} {
		special = append(special, v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)), float64(math.Nextafter32(float32(v), 0)))
	}
	for _, v := range special {
		special = append(special, -v)
	}
	if arity == 1 {
		xs = append(xs, special...)
		ys = append(ys, special...)
	} else {
		for i, x := range special {
			for j := i % 7; j < len(special); j += 7 {
				xs, ys = append(xs, x), append(ys, special[j])
			}
		}
	}
	add := func(n int, draw func() float64) {
		for range n {
			xs, ys = append(xs, draw()), append(ys, draw())
		}
	}
	for _, size := range []float64{0.5, 1, 2, 8, 50, 800, 1e5, 1e10} {
		add(5000, func() float64 { return size * (2*rng.Float64() - 1) })
	}
	add(20000, func() float64 { return math.Float64frombits(rng.Uint64()) })
	add(20000, func() float64 { return float64(math.Float32frombits(rng.Uint32())) })
	add(5000, func() float64 { return math.Round(40 * (2*rng.Float64() - 1)) })
	zeros := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
	add(5000, func() float64 { // small integers, and what the loops leave among them
		if rng.IntN(20) == 0 {
			return zeros[rng.IntN(len(zeros))]
		}
		return float64(1 + rng.IntN(100))
	})
	add(5000, func() float64 { return 1 + 0x1p-20*(2*rng.Float64()-1) })
	return xs, ys
}

func singles(xs []float64) []float32 {
	out := make([]float32, len(xs))
	for i, x := range xs {
		out[i] = float32(x)
	}
	return out
}

func compareBits[T float32 | float64](t *testing.T, name string, f Func, xs, ys []T, unary func(T) T, binary func(x, y T) T) {
	n := len(xs) &^ (Step - 1)
	got := make([]T, n)
	f(n, unsafe.Pointer(&got[0]), unsafe.Pointer(&xs[0]), unsafe.Pointer(&ys[0]), nil)
	wrong := 0
	for i, g := range got {
		var want T
		if unary != nil {
			want = unary(xs[i])
		} else {
			want = binary(xs[i], ys[i])
		}
		if g != want && (g == g || want == want) || g == 0 && math.Signbit(float64(g)) != math.Signbit(float64(want)) {
			if wrong++; wrong <= 3 {
				t.Errorf("%s(%v, %v) is %v, not %v", name, xs[i], ys[i], g, want)
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s: %d of %d differ", name, wrong, n)
	}
}

// TestFunctionsStopWhereTheyMust: usual arguments do not leave the loops, others do, in the round of the first.
func TestFunctionsStopWhereTheyMust(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	sets := [][]function{avx2Functions}
	if hasAVX512 {
		sets = append(sets, avx512Functions)
	}
	for _, set := range sets {
		for _, f := range set {
			if f.name != "sin" || f.typ != "f64" {
				continue
			}
			x, d := make([]float64, 64), make([]float64, 64)
			for i := range x {
				x[i] = float64(i) + 0.5
			}
			run := func() int { return f.run(64, unsafe.Pointer(&d[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&x[0])) }
			if done := run(); done != 64 {
				t.Errorf("%d lanes: %d of 64 are done", f.lanes, done)
			}
			x[37] = 1e300 // needs hundreds of bits of pi
			if done := run(); done != 37/f.lanes*f.lanes {
				t.Errorf("%d lanes: %d are done before number 37", f.lanes, done)
			}
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	const n = 1024
	x, y, d := make([]float64, n), make([]float64, n), make([]float64, n)
	pointer := func(x []float64, typ string) unsafe.Pointer {
		if typ == "f32" {
			return unsafe.Pointer(&singles(x)[0])
		}
		return unsafe.Pointer(&x[0])
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i], y[i] = 0.01+0.98*rng.Float64(), 0.01+0.98*rng.Float64()
	}
	for _, set := range []struct {
		name      string
		runs      bool
		functions []function
	}{{"AVX512", hasAVX512, avx512Functions}, {"AVX2", hasAVX2, avx2Functions}} {
		if !set.runs {
			continue
		}
		for _, f := range set.functions {
			l := functionLoops([]function{f})[0]
			px, py := pointer(x, f.typ), pointer(y, f.typ)
			b.Run(set.name+"/"+f.name+"/"+f.typ, func(b *testing.B) {
				for range b.N {
					l.Forms[0](n, unsafe.Pointer(&d[0]), px, py, nil)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
			})
		}
	}
}
