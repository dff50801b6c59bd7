package arrays

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestVectorLoops: vector loops give the bits of the plain ones, but for the payloads of NaNs, for every length up to
// some rounds.
func TestVectorLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e-40, 1e308, 3e38, 0.1, math.MaxInt64, math.MinInt64, 2147483648}
	const most = 70
	for u, op := range allOperations {
		u := Ufunc(u)
		if op.vectors == nil && op.others == nil {
			continue
		}
		plain := op.plain()
		op.half(&plain)
		for d := range DType(numDTypes) {
			want, got := plain[d], op.loops()[d]
			if u == OpWhere {
				want = map[int]loop{1: choose[uint8], 2: choose[uint16], 4: choose[uint32], 8: choose[uint64]}[d.Size()]
			}
			if want == nil || got == nil || u == OpPow && !d.IsFloat() { // an int to a negative power is an error
				continue
			}
			_, out, err := u.Resolve([]Operand{{DType: d}, {DType: d}, {DType: d}}[:u.NIn()]...)
			if err != nil {
				continue
			}
			for n := range most {
				var in [3][]byte
				for i := range u.NIn() {
					wide := Float64
					if d.IsComplex() {
						wide = Complex128
					}
					x := New(wide, n)
					v := elements[float64](x.data)
					for k := range v {
						v[k] = special[r.IntN(len(special))]
						if r.IntN(2) == 0 {
							v[k] = r.NormFloat64() * 100
						}
					}
					to := d
					if u == OpWhere && i == 0 {
						to = Bool
					}
					in[i] = x.AsType(to).data
					if in[i] == nil {
						in[i] = []byte{}
					}
				}
				a, b := New(out, n), New(out, n)
				want(a.data, in[0], in[1], in[2])
				got(b.data, in[0], in[1], in[2])
				if !bytes.Equal(a.data, b.data) && !((out.IsFloat() || out.IsComplex()) && sameButNaN(a, b)) {
					t.Errorf("%v of %d %v: %v, the plain loop gives %v", u, n, d, b, a)
					break
				}
			}
		}
	}
}

// TestComplexOrder: numbers are in the order of their real parts, then of their imaginary ones, and NaNs in none.
func TestComplexOrder(t *testing.T) {
	parts := []float64{math.Inf(-1), -1, math.Copysign(0, -1), 0, 2, math.Inf(1), math.NaN()}
	var x []complex128
	for _, re := range parts {
		for _, im := range parts {
			x = append(x, complex(re, im))
		}
	}
	for _, d := range []DType{Complex64, Complex128} {
		a := FromSlice(x).AsType(d)
		rows, columns := a.Reshape(-1, 1), a.Reshape(1, -1)
		less, lessEqual, greater, greaterEqual := Less(rows, columns).Bytes(), LessEqual(rows, columns).Bytes(), Greater(rows, columns).Bytes(), GreaterEqual(rows, columns).Bytes()
		for i, v := range x {
			for j, w := range x {
				k, order := i*len(x)+j, compareComplex(v, w)
				both := !cmplxNaN(v) && !cmplxNaN(w)
				got := [4]uint8{less[k], lessEqual[k], greater[k], greaterEqual[k]}
				if want := [4]uint8{bit(both && order < 0), bit(both && order <= 0), bit(both && order > 0), bit(both && order >= 0)}; got != want {
					t.Errorf("%v: %v and %v are %v, not %v", d, v, w, got, want)
				}
			}
		}
	}
}

func sameButNaN(a, b *Array) bool {
	x, y := elements[float64](a.AsType(Complex128).data), elements[float64](b.AsType(Complex128).data)
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
			return false
		}
	}
	return true
}

// TestSumOrder: sums are those of the plain loop in a balanced tree, whatever the processor has.
func TestSumOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64() * math.Exp(20*r.NormFloat64())
		}
		if got, want := sumFloats(x), sumBlock(x); got != want {
			t.Fatalf("%d elements: %v, not %v", n, got, want)
		}
	}
	for n := range foldBlock + 1 {
		narrow, wide := make([]float32, n), make([]float64, n)
		for i := range narrow {
			narrow[i] = float32(r.NormFloat64() * math.Exp(20*r.NormFloat64()))
			wide[i] = float64(narrow[i])
		}
		if got, want := sumNarrow(narrow), sumBlock(wide); got != want {
			t.Fatalf("%d elements of float32: %v, not %v", n, got, want)
		}
	}
	x := DefaultRNG(6).Normal(0, 1, 777, 601)
	columns := x.Sum(Axis(0)).Float64s()
	for j, sum := range columns { // alone, and by strides
		if got := x.At(All, j).Sum().Float64s()[0]; got != sum {
			t.Fatalf("column %d: %v alone, %v with its neighbours", j, got, sum)
		}
	}
	y := x.AsType(Float32)
	if got, want := y.Sum().AsType(Float64).Float64s()[0], float64(float32(y.AsType(Float64).Sum().Float64s()[0])); got != want {
		t.Fatalf("float32: %v, not %v", got, want)
	}
}

// TestThreads: the same bits however many goroutines compute.
func TestThreads(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(5)
	x, y := rng.Normal(0, 1, 5*share+777), rng.Normal(0, 3, 5*share+777)
	m := rng.Normal(0, 1, 700, 301)
	results := map[string]func() *Array{
		"add":       func() *Array { return x.Add(y) },
		"where":     func() *Array { return Where(x.Gt(y), x.Mul(2), y.Exp()) },
		"views":     func() *Array { return x.At(S(0, End, 3)).Sub(y.At(S(0, End, 3)).Flip(0)).Sin() },
		"transpose": func() *Array { return m.Add(m.T().At(To(301)).T().At(All, To(1))) },
		"rows":      func() *Array { return m.Div(m.At(All, To(1))) },
		"mixed":     func() *Array { return x.AsType(Float32).Add(Arange(x.Size())) },
		"sum": func() *Array {
			return Stack(0, x.Sum(), x.AsType(Float32).Mul(y).Sum().AsType(Float64), Max(y), Mean(x.At(S(0, End, 2))), Sum(m.T()))
		},
		"fft":      func() *Array { return FFT(x).Real() },
		"fft rows": func() *Array { return FFT(m, Axis(0)).Imag() },
		"any":      func() *Array { return Stack(0, x.Gt(9).Any(), x.Eq(x).All()) },
	}
	for name, f := range results {
		var first []byte
		for _, threads := range []int{1, 2, 5} {
			workers.SetCount(threads)
			got := f().Bytes()
			if first == nil {
				first = got
			}
			if !bytes.Equal(first, got) {
				t.Errorf("%s: %d threads give other bits than 1", name, threads)
			}
		}
	}
}

// TestInterruptShared: a poll that panics ends an operation that is shared, and the next one works.
func TestInterruptShared(t *testing.T) {
	workers.SetCount(3)
	defer workers.SetCount(0)
	x := Ones(200 * share)
	polls := 0
	Wiring{}.OnPoll(func() {
		if polls++; polls > 2 {
			panic("interrupted")
		}
	})
	func() {
		defer func() {
			if r := recover(); r != "interrupted" {
				t.Errorf("recovered %v", r)
			}
		}()
		for range 100 {
			x.Exp()
		}
	}()
	Wiring{}.OnPoll(nil)
	if got := x.Sum().Float64(); got != float64(x.Size()) {
		t.Error(got)
	}
}

// TestLongOperandsAsShort: operands that are read where they lie go to the loops in whole pieces, longer than a block.
func TestLongOperandsAsShort(t *testing.T) {
	n := 3*share + 5
	for _, d := range []DType{Bool, Int8, Float16, Float32, Float64, Complex64} {
		x := Remainder(Arange(n), 7).AsType(d)
		for u := range Ufunc(NumUfuncs) {
			args := slices.Repeat([]any{x}, u.NIn())
			in := make([]Operand, len(args))
			for i := range in {
				in[i] = Operand{DType: d}
			}
			if _, _, err := u.Resolve(in...); err != nil || u == OpPow {
				continue
			}
			whole := Apply(u, args...)
			for _, lo := range []int{0, blockLen - 3, 2 * share} {
				part := x.At(S(lo, lo+100))
				for i := range args {
					args[i] = part
				}
				if got, want := Apply(u, args...), whole.At(S(lo, lo+100)); !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("%v of %v: 100 elements from %d are %v, in the whole %v", u, d, lo, got, want)
				}
			}
		}
	}
}
