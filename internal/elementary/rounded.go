package elementary

import (
	"math"

	"github.com/arrayrepl/arrayrepl/internal/fma"
)

// A function F of float64 has a third form, FRounded: it has the bits of float32(F(float64(x))), which is how Go spells
// a function of float32, and computes with float32 alone but in rare cases. A pair of float32 gives the result to a
// relative error of 2^-34 or less (tests measure it). Where the ends of that interval round to one float32, it is the
// float64 result rounded, since the float64 function is right to 2^-52; where they do not, for two arguments in a
// thousand at most, the float64 function decides (Ziv, "Fast evaluation of elementary mathematical functions with
// correctly rounded last bit", 1991). Arguments whose results overflow, are subnormal or special go there too.
//
// They are for machines on which float64 is slow or missing. A CPU takes the float64 function.

// RoundedFunction is the float32 form of one function of float64.
type RoundedFunction struct {
	Name  string // as in Functions, or "rsqrt": 1/sqrt(x)
	Unary func(float32) float32
	Wide  func(float64) float64 // the function whose result it rounds

	// of two arguments, in place of these
	Binary     func(x, y float32) float32
	WideBinary func(x, y float64) float64
}

// Arity is the number of arguments.
func (f RoundedFunction) Arity() int {
	if f.Unary != nil {
		return 1
	}
	return 2
}

// Rounded lists them.
var Rounded = []RoundedFunction{
	{Name: "exp", Unary: ExpRounded, Wide: Exp},
	{Name: "exp2", Unary: Exp2Rounded, Wide: Exp2},
	{Name: "log", Unary: LogRounded, Wide: Log},
	{Name: "log2", Unary: Log2Rounded, Wide: Log2},
	{Name: "log10", Unary: Log10Rounded, Wide: Log10},
	{Name: "sin", Unary: SinRounded, Wide: Sin},
	{Name: "cos", Unary: CosRounded, Wide: Cos},
	{Name: "tanh", Unary: TanhRounded, Wide: Tanh},
	{Name: "rsqrt", Unary: RsqrtRounded, Wide: rsqrt},
	{Name: "pow", Binary: PowRounded, WideBinary: Pow},
}

// How far the pairs are off, relatively, at most: tests measure less than half of it.
const (
	expOff       = 0x1p-36
	logarithmOff = 0x1p-35
	sinusOff     = 0x1.4p-34
	tanhOff      = 0x1p-34
	rsqrtOff     = 0x1p-40
	powOff       = 0x1p-35
)

func rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// pairf is the unevaluated sum of two float32, as pair is of two float64.
type pairf struct{ hi, lo float32 }

// fastSumf is a+b and what rounding it lost, for |a| >= |b| or a = 0.
func fastSumf(a, b float32) pairf {
	sum := a + b
	return pairf{sum, b - (sum - a)}
}

// twoSumf is fastSumf for any a and b.
func twoSumf(a, b float32) pairf {
	sum := a + b
	t := sum - a
	return pairf{sum, (a - (sum - t)) + (b - t)}
}

// mul is a*b to 2^-45.
func (a pairf) mul(b pairf) pairf {
	p := float32(a.hi * b.hi)
	return pairf{p, fma.Float32(a.hi, b.lo, fma.Float32(a.lo, b.hi, fma.Float32(a.hi, b.hi, -p)))}
}

// times is a*w to 2^-45.
func (a pairf) times(w float32) pairf {
	p := float32(a.hi * w)
	return pairf{p, fma.Float32(a.lo, w, fma.Float32(a.hi, w, -p))}
}

// plus is a + b for a of which the high part is a constant of a polynomial, larger than b.
func (a pairf) plus(b pairf) pairf {
	s := fastSumf(a.hi, b.hi)
	return pairf{s.hi, s.lo + (a.lo + b.lo)}
}

// rounds returns the float32 that a number rounds to of which a is that far off at most, relatively, and whether that
// is certain.
func (a pairf) rounds(off float32) (y float32, certain bool) {
	y = a.hi + fma.Float32(a.hi, off, a.lo)
	return y, y == a.hi+fma.Float32(a.hi, -off, a.lo)
}

// expm1Pairf is e^r - 1 for |r| <= log(2)/2: r + r^2/2 + r^3*(1/6 + r*(1/24 + ...)), where what follows 1/24 is small
// enough for one float32.
func expm1Pairf(r pairf) pairf {
	square := r.mul(r)
	w := fma.Float32(r.hi, 0x1.27e4fcp-22, 0x1.71de3ap-19) // 1/10!, 1/9!
	w = fma.Float32(r.hi, w, 0x1.a01a02p-16)
	w = fma.Float32(r.hi, w, 0x1.a01a02p-13)
	w = fma.Float32(r.hi, w, 0x1.6c16c2p-10)
	w = fma.Float32(r.hi, w, 0x1.111112p-7)
	fourth := pairf{0x1.555556p-5, -0x1.555556p-30}.plus(r.times(w)) // 1/24 + r/120 + ...
	third := pairf{0x1.555556p-3, -0x1.555556p-28}.plus(r.mul(fourth))
	cube := square.mul(r.mul(third))
	head := fma.Float32(square.hi, 0.5, r.hi)
	rest := fma.Float32(square.hi, 0.5, r.hi-head) // r.hi + square.hi/2 - head, exactly
	sum := fastSumf(head, cube.hi)
	return pairf{sum.hi, (sum.lo + rest) + (fma.Float32(square.lo, 0.5, r.lo) + cube.lo)}
}

// ExpRounded is float32(Exp(float64(x))).
func ExpRounded(x float32) float32 {
	if x >= -87 && x <= 88 { // the result is a normal number
		kf, k := nearestf(float32(x * math.Log2E))
		const ln2Hi, ln2Lo = 0x1.62e43p-1, -0x1.05c61p-29 // to 2^-50
		head := fma.Float32(kf, -ln2Hi, x)                // exact: a multiple of 2^-25 below 1/2
		hi := fma.Float32(kf, -ln2Lo, head)
		e := expm1Pairf(pairf{hi, fma.Float32(kf, -ln2Lo, head-hi)})
		if y, certain := (pairf{1, 0}).plus(e).rounds(expOff); certain {
			return float32(y * pow2f(k))
		}
	}
	return float32(Exp(float64(x)))
}

// Exp2Rounded is float32(Exp2(float64(x))).
func Exp2Rounded(x float32) float32 {
	if x >= -126 && x <= 127 {
		kf, k := nearestf(x)
		f := x - kf
		const ln2Hi, ln2Lo = 0x1.62e43p-1, -0x1.05c61p-29
		hi := float32(f * ln2Hi)
		e := expm1Pairf(pairf{hi, fma.Float32(f, ln2Lo, fma.Float32(f, ln2Hi, -hi))})
		if y, certain := (pairf{1, 0}).plus(e).rounds(expOff); certain {
			return float32(y * pow2f(k))
		}
	}
	return float32(Exp2(float64(x)))
}

// logPairf is log(m) for sqrt(1/2) <= m < sqrt(2): with s = (m-1)/(m+1), 2s + s^3*(2/3 + 2/5*s^2 + ...).
func logPairf(m float32) pairf {
	f := m - 1
	d := fastSumf(2, f)
	inverse := 1 / d.hi
	hi := float32(f * inverse)
	s := pairf{hi, float32(fma.Float32(-hi, d.lo, fma.Float32(-hi, d.hi, f)) * inverse)}
	z := s.mul(s)
	w := fma.Float32(z.hi, 0x1.3b13b2p-3, 0x1.745d18p-3) // 2/13, 2/11
	w = fma.Float32(z.hi, w, 0x1.c71c72p-3)
	w = fma.Float32(z.hi, w, 0x1.24924ap-2)
	w = fma.Float32(z.hi, w, 0x1.99999ap-2)
	p := pairf{0x1.555556p-1, -0x1.555556p-26}.plus(z.times(w)) // 2/3 + 2/5*z + ...
	rest := z.mul(s.mul(p))
	sum := fastSumf(2*s.hi, rest.hi)
	return pairf{sum.hi, sum.lo + (2*s.lo + rest.lo)}
}

// logOfPairf, log2OfPairf and log10OfPairf are the logarithms of m*2^k.
func logOfPairf(m, k float32) pairf {
	// 15 bits of log(2), whose product with k is exact, and what follows
	sum := pairf{float32(k * 0x1.62e4p-1), 0}.plus(logPairf(m))
	return pairf{sum.hi, sum.lo + float32(k*0x1.7f7d1cp-20)}
}

func log2OfPairf(m, k float32) pairf {
	return pairf{k, 0}.plus(logPairf(m).mul(pairf{0x1.715476p0, 0x1.4ae0cp-26}))
}

func log10OfPairf(m, k float32) pairf {
	const log10of2Hi, log10of2Lo = 0x1.344p-2, 0x1.3509f8p-18 // 12 bits of log(2)/log(10), and what follows
	return pairf{float32(k * log10of2Hi), float32(k * log10of2Lo)}.plus(logPairf(m).mul(pairf{0x1.bcb7b2p-2, -0x1.5b235ep-27}))
}

// LogRounded is float32(Log(float64(x))).
func LogRounded(x float32) float32 {
	if isNormalf(x) {
		if y, certain := logOfPairf(splitf(x)).rounds(logarithmOff); certain {
			return y
		}
	}
	return float32(Log(float64(x)))
}

// Log2Rounded is float32(Log2(float64(x))).
func Log2Rounded(x float32) float32 {
	if isNormalf(x) {
		if y, certain := log2OfPairf(splitf(x)).rounds(logarithmOff); certain {
			return y
		}
	}
	return float32(Log2(float64(x)))
}

// Log10Rounded is float32(Log10(float64(x))).
func Log10Rounded(x float32) float32 {
	if isNormalf(x) {
		if y, certain := log10OfPairf(splitf(x)).rounds(logarithmOff); certain {
			return y
		}
	}
	return float32(Log10(float64(x)))
}

// sinusPairf is the sine of |x| < 805, or the cosine where quarter is 1, and false where the reduction loses too much.
func sinusPairf(x float32, quarter int32) (y pairf, ok bool) {
	const halfPiHi, halfPiMid, halfPiLo = 0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50 // to 2^-75
	kf, k := nearestf(float32(x * (2 / math.Pi)))
	head := fma.Float32(kf, -halfPiHi, x) // exact: a multiple of 2^-24 below 1
	by := float32(kf * -halfPiMid)
	r := twoSumf(head, by)
	r = fastSumf(r.hi, fma.Float32(kf, -halfPiLo, r.lo+fma.Float32(kf, -halfPiMid, -by)))
	z := r.mul(r)
	k += quarter
	// r + r*z*(-1/6 + z*(1/120 - z/5040...)) or 1 + z*(-1/2 + z*(1/24 - z/720...)).
	base, first, second := r, pairf{-0x1.555556p-3, 0x1.555556p-28}, pairf{0x1.111112p-7, -0x1.dddddep-32}
	third, fourth, fifth, sixth := float32(-0x1.a01a02p-13), float32(0x1.71de3ap-19), float32(-0x1.ae6456p-26), float32(0x1.6124613p-33)
	if k&1 != 0 {
		base, first, second = pairf{1, 0}, pairf{-0.5, 0}, pairf{0x1.555556p-5, -0x1.555556p-30}
		third, fourth, fifth, sixth = -0x1.6c16c2p-10, 0x1.a01a02p-16, -0x1.27e4fcp-22, 0x1.1eed8ep-29
	}
	w := fma.Float32(z.hi, fma.Float32(z.hi, fma.Float32(z.hi, sixth, fifth), fourth), third)
	p := first.plus(z.mul(second.plus(z.times(w))))
	y = base.plus(base.mul(z.mul(p)))
	if k&2 != 0 {
		y = pairf{-y.hi, -y.lo}
	}
	return y, r.hi >= 0x1p-20 || r.hi <= -0x1p-20
}

// SinRounded is float32(Sin(float64(x))).
func SinRounded(x float32) float32 {
	if x > -0x1p-13 && x < 0x1p-13 {
		return x
	}
	if x > -800 && x < 800 {
		if p, ok := sinusPairf(x, 0); ok {
			if y, certain := p.rounds(sinusOff); certain {
				return y
			}
		}
	}
	return float32(Sin(float64(x)))
}

// CosRounded is float32(Cos(float64(x))).
func CosRounded(x float32) float32 {
	if x > -0x1p-13 && x < 0x1p-13 {
		return 1
	}
	if x > -800 && x < 800 {
		if p, ok := sinusPairf(x, 1); ok {
			if y, certain := p.rounds(sinusOff); certain {
				return y
			}
		}
	}
	return float32(Cos(float64(x)))
}

// tanhPairf is tanh(x) for 0 < x <= 9.5: with t = exp(-2x) - 1, of which the whole part of the exponent is taken off
// exactly, -t/(2+t).
func tanhPairf(x float32) pairf {
	kf, k := nearestf(float32(x * (-2 * math.Log2E)))
	const ln2Hi, ln2Lo = 0x1.62e43p-1, -0x1.05c61p-29
	head := fma.Float32(kf, -ln2Hi, -2*x)
	hi := fma.Float32(kf, -ln2Lo, head)
	e := expm1Pairf(pairf{hi, fma.Float32(kf, -ln2Lo, head-hi)})
	power := pow2f(k)
	less := fastSumf(-1, power) // exact
	t := twoSumf(less.hi, float32(e.hi*power))
	t.lo += less.lo + float32(e.lo*power)
	d := fastSumf(2, t.hi)
	d.lo += t.lo
	inverse := 1 / d.hi
	quotient := float32(t.hi * inverse)
	rest := fma.Float32(-quotient, d.lo, fma.Float32(-quotient, d.hi, t.hi)+t.lo)
	y := fastSumf(quotient, float32(rest*inverse))
	return pairf{-y.hi, -y.lo}
}

// TanhRounded is float32(Tanh(float64(x))).
func TanhRounded(x float32) float32 {
	if x > -0x1p-13 && x < 0x1p-13 {
		return x
	}
	if x > -9.5 && x < 9.5 {
		abs := x
		if x < 0 {
			abs = -x
		}
		if y, certain := tanhPairf(abs).rounds(tanhOff); certain {
			if x < 0 {
				return -y
			}
			return y
		}
	}
	return float32(Tanh(float64(x)))
}

// rsqrtPairf is 1/sqrt(x): a step of Newton's from the quotient of float32.
func rsqrtPairf(x float32) pairf {
	r := 1 / float32(math.Sqrt(float64(x)))
	square := float32(r * r)
	rest := fma.Float32(-x, fma.Float32(r, r, -square), fma.Float32(-x, square, 1))
	return pairf{r, float32(float32(r*0.5) * rest)}
}

// RsqrtRounded is float32(1 / math.Sqrt(float64(x))).
func RsqrtRounded(x float32) float32 {
	if x >= 0x1p-100 && x <= 0x1p100 {
		if y, certain := rsqrtPairf(x).rounds(rsqrtOff); certain {
			return y
		}
	}
	return float32(rsqrt(float64(x)))
}
