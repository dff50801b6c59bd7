package elementary_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/elementary/exact"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// span is an interval of arguments.
type span struct{ lo, hi float64 }

// judge is what the accuracy test knows of a function: the exact one, and where to look besides the whole domain.
type judge struct {
	unary  func(x *big.Float) *big.Float
	binary func(x, y *big.Float) *big.Float
	domain span                    // where the function is a finite number, or beyond that over- or underflows
	spans  []span                  // of interest: zeros, ends, where the formula changes
	points []float64               // around these the neighbours are tried
	edge   func(x float64) bool    // arguments with a special result, which the table of special values covers
	slack  func(w float64) float64 // an absolute error that is allowed besides the bound
}

var everywhere = span{-math.MaxFloat64, math.MaxFloat64}

func integerBelow(limit float64) func(float64) bool {
	return func(x float64) bool { return x <= limit && math.Floor(x) == x }
}

var judges = map[string]judge{
	"exp":   {unary: exact.Exp, domain: span{-760, 720}, spans: []span{{-1, 1}, {-746, -700}, {700, 710}}, points: []float64{709.782712893384, -708.3964185322641, -745.1332191019411}},
	"exp2":  {unary: exp2, domain: span{-1100, 1030}, spans: []span{{-1, 1}, {-1076, -1020}, {1000, 1024}}, points: []float64{1024, -1022, -1074, -1075}},
	"expm1": {unary: exact.Expm1, domain: span{-760, 720}, spans: []span{{-1, 1}, {-45, 45}, {-1e-5, 1e-5}, {700, 710}}, points: []float64{709.782712893384, -0.35, 0.35, -37.4, 36.7, 60}},

	"log":   {unary: exact.Log, domain: span{5e-324, math.MaxFloat64}, spans: []span{{0.5, 2}, {0.999, 1.001}}, points: []float64{1, 0.7071067811865476, 1.4142135623730951, 0x1p-1022}},
	"log2":  {unary: log2, domain: span{5e-324, math.MaxFloat64}, spans: []span{{0.5, 2}, {0.999, 1.001}}, points: []float64{1, 0.7071067811865476, 2, 8, 0x1p-1022}},
	"log10": {unary: log10, domain: span{5e-324, math.MaxFloat64}, spans: []span{{0.5, 2}, {0.999, 1.001}}, points: []float64{1, 0.7071067811865476, 10, 1000, 1e22, 0x1p-1022}},
	"log1p": {unary: exact.Log1p, domain: span{-0.9999999999999999, math.MaxFloat64}, spans: []span{{-0.999999, 1}, {-1e-5, 1e-5}}, points: []float64{-0.29289, 0.41421, 1}},

	"sin":  {unary: exact.Sin, domain: everywhere, spans: []span{{-1, 1}, {-100, 100}, {-1e9, 1e9}}, points: multiplesOfPi},
	"cos":  {unary: exact.Cos, domain: everywhere, spans: []span{{-1, 1}, {-100, 100}, {-1e9, 1e9}}, points: multiplesOfPi},
	"tan":  {unary: exact.Tan, domain: everywhere, spans: []span{{-1, 1}, {-100, 100}, {-1e9, 1e9}}, points: multiplesOfPi},
	"sinc": {unary: exact.Sinc, domain: span{-1e6, 1e6}, spans: []span{{-1, 1}, {-100, 100}, {-1e-6, 1e-6}}, points: []float64{0.25, 0.5, 1, 1.5, 1024}, edge: func(x float64) bool { return math.Floor(x) == x }},

	"asin":  {unary: exact.Asin, domain: span{-1, 1}, spans: []span{{-1, 1}, {0.5, 0.6}, {0.99, 1}}, points: []float64{0.5, 0.8414709848078965}, edge: atEnds},
	"acos":  {unary: exact.Acos, domain: span{-1, 1}, spans: []span{{-1, 1}, {0.99, 1}, {-1, -0.99}}, points: []float64{0.5, -0.5, 0.5403023058681398}, edge: atEnds},
	"atan":  {unary: exact.Atan, domain: everywhere, spans: []span{{-1, 1}, {-10, 10}}, points: []float64{1, 0.41421356, 2.414213562}},
	"atan2": {binary: exact.Atan2, domain: everywhere, spans: []span{{-1, 1}, {-10, 10}}},

	"sinh":  {unary: exact.Sinh, domain: span{-720, 720}, spans: []span{{-1, 1}, {-50, 50}, {708, 711}}, points: []float64{710.4758600739439, 0.3465735902799726, 60}},
	"cosh":  {unary: exact.Cosh, domain: span{-720, 720}, spans: []span{{-1, 1}, {-50, 50}, {708, 711}}, points: []float64{710.4758600739439, 0.3465735902799726, 60}},
	"tanh":  {unary: exact.Tanh, domain: span{-720, 720}, spans: []span{{-1, 1}, {0.6, 0.7}, {-20, 20}}, points: []float64{0.625, 19.06, 20}},
	"asinh": {unary: exact.Asinh, domain: everywhere, spans: []span{{-1, 1}, {-30, 30}}, points: []float64{0.17, 0x1p30}},
	"acosh": {unary: exact.Acosh, domain: span{1, math.MaxFloat64}, spans: []span{{1, 1.001}, {1, 3}}, points: []float64{1, 2, 0x1p30}, edge: atEnds},
	"atanh": {unary: exact.Atanh, domain: span{-1, 1}, spans: []span{{-1, 1}, {0.99, 1}}, points: []float64{0.17, 1}, edge: atEnds},

	"hypot":     {binary: exact.Hypot, domain: everywhere, spans: []span{{-1, 1}, {-1e-300, 1e-300}}},
	"logaddexp": {binary: exact.Logaddexp, domain: everywhere, spans: []span{{-2, 2}, {-50, 50}, {-740, -700}}, slack: func(float64) float64 { return 0x1p-62 }},
	"pow":       {binary: powOf, domain: span{5e-324, math.MaxFloat64}, spans: []span{{0.5, 2}, {0.99, 1.01}, {1, 300}}},
	"cbrt":      {unary: exact.Cbrt, domain: everywhere, spans: []span{{-1, 1}, {-100, 100}, {5e-324, 1e-310}}, points: []float64{1, 8, 27, 1000, 0x1p-1022}},

	"erf":   {unary: exact.Erf, domain: span{-7, 7}, spans: []span{{-1, 1}, {1.1, 1.3}, {-3, 3}, {5, 6}}, points: []float64{1.2, 6}},
	"erfc":  {unary: exact.Erfc, domain: span{-7, 29}, spans: []span{{-1, 1}, {0.4, 0.9}, {26, 27.3}}, points: []float64{0.5, 26.5432587, 27.2264}},
	"gamma": {unary: exact.Gamma, domain: span{-186, 172}, spans: []span{{0, 10}, {-10, 0}, {170, 172}, {-184, -170}}, points: []float64{1, 2, 9, 10, 23, 171.6243769563027, -1.5}, edge: integerBelow(0)},
	"lgamma": {unary: exact.Lgamma, domain: span{-1e6, 1e300}, spans: []span{{0, 10}, {-10, 0}, {0.8, 1.2}, {1.8, 2.2}, {-3, -2}}, points: []float64{0.875, 1.125, 1.875, 2.125, 9, -2.4570247382208006, -2.7476826467274127}, edge: func(x float64) bool { return x == 1 || x == 2 || integerBelow(0)(x) }, slack: func(x float64) float64 {
		if x < 0 {
			return 0x1p-54
		}
		return 0
	}},
}

func atEnds(x float64) bool { return math.Abs(x) == 1 }

// multiplesOfPi are arguments near zeros of sine and cosine, among them the float64 nearest to one of all,
// 6381956970095103*2^797 (Muller, "Elementary Functions", 3rd edition, section 11.3.2), and where the reduction
// changes.
var multiplesOfPi = func() []float64 {
	points := []float64{0x1p27, 0x1p22, math.Ldexp(6381956970095103, 797), math.MaxFloat64, 1e22}
	for k := 1.0; k < 1e12; k = math.Floor(k*1.7) + 1 {
		points = append(points, k*math.Pi/4)
	}
	return points
}()

var (
	bigTwo = new(big.Float).SetPrec(exact.Prec).SetInt64(2)
	bigTen = new(big.Float).SetPrec(exact.Prec).SetInt64(10)
)

func exp2(x *big.Float) *big.Float  { return exact.Pow(bigTwo, x) }
func log2(x *big.Float) *big.Float  { return new(big.Float).Quo(exact.Log(x), exact.Log(bigTwo)) }
func log10(x *big.Float) *big.Float { return new(big.Float).Quo(exact.Log(x), exact.Log(bigTen)) }

// powOf cuts off what over- and underflows anyway, where the exact power would have a giant exponent.
func powOf(x, y *big.Float) *big.Float {
	e := new(big.Float).Mul(y, exact.Log(x))
	if e.Cmp(big.NewFloat(1000)) > 0 {
		e.SetFloat64(1000)
	}
	if e.Cmp(big.NewFloat(-1000)) < 0 {
		e.SetFloat64(-1000)
	}
	return exact.Exp(e)
}

// format is a floating-point format: digits of the significand, and the exponents of the largest and the smallest
// number.
type format struct{ digits, top, bottom int }

var (
	float64Format = format{53, 1024, -1074}
	float32Format = format{24, 128, -149}
)

// errorIn returns |got - want| in units in the last place of want, as the format rounds it. Infinity counts as the
// first number beyond the largest.
func (f format) errorIn(got float64, want *big.Float, slack float64) float64 {
	if math.IsNaN(got) {
		return math.Inf(1)
	}
	ulp := f.bottom
	if want.Sign() != 0 {
		ulp = max(ulp, want.MantExp(nil)-f.digits)
	}
	ulp = min(ulp, f.top-f.digits)
	limit := math.Ldexp(1, f.top-f.digits)
	g := new(big.Float).SetPrec(exact.Prec).SetInt64(1)
	if math.IsInf(got, 0) {
		g.SetMantExp(g, f.top)
		if got < 0 {
			g.Neg(g)
		}
		if new(big.Float).Abs(want).Cmp(new(big.Float).Sub(new(big.Float).Abs(g), big.NewFloat(limit))) >= 0 {
			return 0
		}
	} else {
		g.SetFloat64(got)
	}
	diff := new(big.Float).SetPrec(exact.Prec).Sub(g, want)
	diff.Abs(diff)
	if slack > 0 && diff.Cmp(big.NewFloat(slack)) <= 0 {
		return 0
	}
	e, _ := diff.SetMantExp(diff, -ulp).Float64()
	return e
}

// random draws from all numbers of the format, of every size.
func (f format) random(r *rand.Rand) float64 {
	if f == float32Format {
		return float64(math.Float32frombits(r.Uint32()))
	}
	return math.Float64frombits(r.Uint64())
}

// pick draws from an interval: uniformly, or by exponent down to 2^-50, or from all numbers of the format.
func (s span) pick(r *rand.Rand, in format) float64 {
	kind := r.IntN(3)
	for range 10_000 {
		x := in.random(r)
		switch {
		case kind == 0 && s.hi-s.lo <= math.MaxFloat64 || s.hi-s.lo < 1e-3:
			x = s.lo + r.Float64()*(s.hi-s.lo)
		case kind == 1 && s.lo < 1 && s.hi > 0x1p-50:
			x = math.Ldexp(1+r.Float64(), 10-r.IntN(60)) * float64(1-2*r.IntN(2))
		case s.lo > 0 && s.hi < 0x1p10*s.lo:
			x = s.lo + r.Float64()*(s.hi-s.lo)
		}
		if x >= s.lo && x <= s.hi {
			return x
		}
	}
	return s.lo + r.Float64()*(s.hi-s.lo) // a span that the format's numbers hardly hit
}

// argument draws an argument of j, in the i-th of its intervals.
func (j judge) argument(r *rand.Rand, i int, in format) float64 {
	if n := len(j.points); n > 0 && r.IntN(4) == 0 {
		x := j.points[r.IntN(n)]
		for range r.IntN(4) {
			if in == float32Format {
				x = float64(math.Nextafter32(float32(x), float32(math.Inf(1-2*r.IntN(2)))))
			} else {
				x = math.Nextafter(x, math.Inf(1-2*r.IntN(2)))
			}
		}
		return x
	}
	if i%3 == 0 {
		return j.domain.pick(r, in)
	}
	return j.spans[i%len(j.spans)].pick(r, in)
}

// TestAccuracy compares every function with the exact one, a short test at a third of the points, each turn at others.
func TestAccuracy(t *testing.T) {
	for _, f := range elementary.Functions {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			j, found := judges[f.Name]
			if !found {
				t.Fatal("no judge")
			}
			n := testsize.Of("internal/elementary.TestAccuracy")
			worst64 := j.worst(t, n, f.Bound, float64Format, func(x, y float64) float64 {
				if f.Unary != nil {
					return f.Unary(x)
				}
				return f.Binary(x, y)
			})
			worst32 := j.worst(t, n, f.Bound, float32Format, func(x, y float64) float64 {
				if f.Unary32 != nil {
					return float64(f.Unary32(float32(x)))
				}
				return float64(f.Binary32(float32(x), float32(y)))
			})
			t.Logf("%-10s bound %g  worst %.4f  float32 %.4f", f.Name, f.Bound, worst64, worst32)
		})
	}
}

func (j judge) worst(t *testing.T, n int, bound float64, in format, f func(x, y float64) float64) float64 {
	r := rand.New(rand.NewPCG(1, uint64(in.digits)))
	worst := 0.0
	complaints := 0
	judged := 0
	for i := 0; judged < n && i < 3*n; i++ { // some spans hold no float32 but 0
		x, y := j.argument(r, i, in), 0.0
		if j.binary != nil {
			y = j.second(r, x, i, in)
		}
		if in == float32Format {
			x, y = float64(float32(x)), float64(float32(y))
		}
		if x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || j.binary != nil && y == 0 || j.edge != nil && j.edge(x) || x < j.domain.lo || x > j.domain.hi {
			continue
		}
		if judged++; !testsize.Part(judged, 3) {
			continue
		}
		var want *big.Float
		if j.binary != nil {
			want = j.binary(wide(x), wide(y))
		} else {
			want = j.unary(wide(x))
		}
		slack := 0.0
		if j.slack != nil {
			slack = j.slack(x)
		}
		got := f(x, y)
		e := in.errorIn(got, want, slack)
		worst = max(worst, e)
		if e > bound && complaints < 5 {
			complaints++
			t.Errorf("f(%v, %v) = %v, exactly %.20g: %.3g ulp", x, y, got, want, e)
		}
	}
	if judged < n/2 {
		t.Errorf("judged only %d points of %d", judged, n)
	}
	return worst
}

// second draws the other argument of a binary function: of the same size often enough, and an exponent of either sign.
func (j judge) second(r *rand.Rand, x float64, i int, in format) float64 {
	y := j.argument(r, i, in)
	switch r.IntN(3) {
	case 0:
		y = x * (0.5 + r.Float64())
	case 1:
		y = 40*r.Float64() - 20
	}
	return y
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(exact.Prec).SetFloat64(x) }
