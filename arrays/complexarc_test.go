package arrays

import (
	"math"
	"testing"
)

// complexPoints are on and beside branch cuts, by both signs of zero, and where the textbook's formulas cancel or
// overflow. They are written as pairs, as Go has no literal of a negative zero.
var complexPoints = [][2]float64{
	{-67000000.0, 0.0},
	{-67000000.0, math.Copysign(0, -1)},
	{0.0, 2.0},
	{math.Copysign(0, -1), 2.0},
	{0.0, -2.0},
	{2.0, 0.0},
	{2.0, math.Copysign(0, -1)},
	{-2.0, 0.0},
	{1e+300, 1e+300},
	{0.3, -0.4},
	{1e-09, 1e-09},
	{1000.0, 1.0},
	{-1000.0, 1.0},
}

// TestComplexArcs: the values are those of CPython 3.11's cmath, which follows Kahan; signs of zero count.
func TestComplexArcs(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(any) *Array
		want [][2]float64
	}{
		"asin": {Asin, [][2]float64{
			{-1.5707963267948966, 18.713350357915186},
			{-1.5707963267948966, -18.713350357915186},
			{0.0, 1.4436354751788103},
			{math.Copysign(0, -1), 1.4436354751788103},
			{0.0, -1.4436354751788103},
			{1.5707963267948966, 1.3169578969248166},
			{1.5707963267948966, -1.3169578969248166},
			{-1.5707963267948966, 1.3169578969248166},
			{0.7853981633974483, 691.8152486690535},
			{0.28062956229180586, -0.4051123371780309},
			{1e-09, 1e-09},
			{1.5697963266282304, 7.600902709542488},
			{-1.5697963266282304, 7.600902709542488},
		}},
		"acos": {Acos, [][2]float64{
			{3.141592653589793, -18.713350357915186},
			{3.141592653589793, 18.713350357915186},
			{1.5707963267948966, -1.4436354751788103},
			{1.5707963267948966, -1.4436354751788103},
			{1.5707963267948966, 1.4436354751788103},
			{0.0, -1.3169578969248166},
			{0.0, 1.3169578969248166},
			{3.141592653589793, -1.3169578969248166},
			{0.7853981633974483, -691.8152486690535},
			{1.2901667645030908, 0.4051123371780309},
			{1.5707963257948965, -1e-09},
			{0.0010000001666662416, -7.600902709542488},
			{3.140592653423127, -7.600902709542488},
		}},
		"atan": {Atan, [][2]float64{
			{-1.5707963118695234, 0.0},
			{-1.5707963118695234, math.Copysign(0, -1)},
			{1.5707963267948966, 0.5493061443340549},
			{-1.5707963267948966, 0.5493061443340549},
			{1.5707963267948966, -0.5493061443340549},
			{1.1071487177940904, 0.0},
			{1.1071487177940904, math.Copysign(0, -1)},
			{-1.1071487177940904, 0.0},
			{1.5707963267948966, 4.999999999999999e-301},
			{0.3373704711117763, -0.37908687234202215},
			{1e-09, 9.999999999999999e-10},
			{1.5697963281282268, 9.999980000053332e-07},
			{-1.5697963281282268, 9.999980000053332e-07},
		}},
		"asinh": {Asinh, [][2]float64{
			{-18.713350357915186, 0.0},
			{-18.713350357915186, math.Copysign(0, -1)},
			{1.3169578969248166, 1.5707963267948966},
			{-1.3169578969248166, 1.5707963267948966},
			{1.3169578969248166, -1.5707963267948966},
			{1.4436354751788103, 0.0},
			{1.4436354751788103, math.Copysign(0, -1)},
			{-1.4436354751788103, 0.0},
			{691.8152486690535, 0.7853981633974483},
			{0.3189624333048183, -0.3903162045220237},
			{1e-09, 1e-09},
			{7.600903209540989, 0.0009999991666682416},
			{-7.600903209540989, 0.0009999991666682416},
		}},
		"acosh": {Acosh, [][2]float64{
			{18.713350357915186, 3.141592653589793},
			{18.713350357915186, -3.141592653589793},
			{1.4436354751788103, 1.5707963267948966},
			{1.4436354751788103, 1.5707963267948966},
			{1.4436354751788103, -1.5707963267948966},
			{1.3169578969248166, 0.0},
			{1.3169578969248166, math.Copysign(0, -1)},
			{1.3169578969248166, 3.141592653589793},
			{691.8152486690535, 0.7853981633974483},
			{0.4051123371780309, -1.2901667645030908},
			{1e-09, 1.5707963257948965},
			{7.600902709542488, 0.0010000001666662416},
			{7.600902709542488, 3.140592653423127},
		}},
		"atanh": {Atanh, [][2]float64{
			{-1.4925373134328357e-08, 1.5707963267948966},
			{-1.4925373134328357e-08, -1.5707963267948966},
			{0.0, 1.1071487177940904},
			{math.Copysign(0, -1), 1.1071487177940904},
			{0.0, -1.1071487177940904},
			{0.5493061443340549, 1.5707963267948966},
			{0.5493061443340549, -1.5707963267948966},
			{-0.5493061443340549, 1.5707963267948966},
			{4.999999999999999e-301, 1.5707963267948966},
			{0.2614921387956719, -0.4088225229163512},
			{9.999999999999999e-10, 1e-09},
			{0.0009999993333325333, 1.5707953267948966},
			{-0.0009999993333325333, 1.5707953267948966},
		}},
		"tan": {Tan, [][2]float64{
			{-2.3995730144388463, 0.0},
			{-2.3995730144388463, math.Copysign(0, -1)},
			{0.0, 0.9640275800758169},
			{math.Copysign(0, -1), 0.9640275800758169},
			{0.0, -0.9640275800758169},
			{-2.185039863261519, 0.0},
			{-2.185039863261519, math.Copysign(0, -1)},
			{2.185039863261519, 0.0},
			{0.0, 1.0},
			{0.261073681841663, -0.41063347084255636},
			{1e-09, 1e-09},
			{0.2739651818338138, 1.068377704821748},
			{-0.2739651818338138, 1.068377704821748},
		}},
		"tanh": {Tanh, [][2]float64{
			{-1.0, 0.0},
			{-1.0, math.Copysign(0, -1)},
			{0.0, -2.185039863261519},
			{math.Copysign(0, -1), -2.185039863261519},
			{0.0, 2.185039863261519},
			{0.9640275800758169, 0.0},
			{0.9640275800758169, math.Copysign(0, -1)},
			{-0.9640275800758169, 0.0},
			{1.0, 0.0},
			{0.3382547432654715, -0.38113207427244283},
			{1e-09, 1e-09},
			{1.0, 0.0},
			{-1.0, 0.0},
		}},
	} {
		for i, z := range complexPoints {
			got := c.f(Scalar(complex(z[0], z[1]))).Complex128()
			for k, v := range []float64{real(got), imag(got)} {
				want := c.want[i][k]
				if math.Signbit(v) != math.Signbit(want) || math.Abs(v-want) > 4e-15*math.Abs(want) {
					t.Errorf("%s of %v: part %d is %v; cmath gives %v", name, z, k, v, want)
				}
			}
		}
	}
}

// TestComplexSpecials: what the array API standard 2025.12 says of infinities and NaN, where NumPy 2.3 gives NaN for
// both parts.
func TestComplexSpecials(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		f            func(any) *Array
		x, y, re, im float64
	}{{Expm1, inf, 0, inf, 0}, {Expm1, -inf, inf, -1, 0}, {Expm1, inf, inf, inf, nan}, {Expm1, -inf, nan, -1, 0}, {Expm1, inf, nan, inf, nan}, {Expm1, nan, 0, nan, 0}, {Tanh, 0, inf, 0, nan}, {Tanh, 0, nan, 0, nan}} {
		got := c.f(Scalar(complex(c.x, c.y))).Complex128()
		same := func(a, b float64) bool { return a == b || a != a && b != b }
		if !same(real(got), c.re) || !same(imag(got), c.im) {
			t.Errorf("(%v, %v): %v, not (%v, %v)", c.x, c.y, got, c.re, c.im)
		}
	}
}

// TestNextAfterItself: of equal numbers the second, as in C: zero has two signs.
func TestNextAfterItself(t *testing.T) {
	zero := math.Copysign(0, -1)
	if math.Signbit(NextAfter(zero, 0.0).Float64()) || !math.Signbit(NextAfter(0.0, zero).Float64()) {
		t.Error("the sign is that of the first")
	}
}

// TestComplexSVDOfAnySize: singular values grow with the matrix, also where its squares leave the range of numbers.
func TestComplexSVDOfAnySize(t *testing.T) {
	m := FromSlice([]complex128{1, 2i, 3, 4, 5 - 1i, 6}, 3, 2)
	want := SVDVals(m).Float64s()
	for _, size := range []float64{1e200, 1e-200, 1e300} {
		u, s, vh := SVDThin(m.Mul(size))
		back := MatMul(u.Mul(s.Div(size)), vh)
		for i, v := range s.Float64s() {
			if math.Abs(v/size-want[i]) > 1e-14*want[0] {
				t.Errorf("times %v: singular value %d is %v, not %v", size, i, v/size, want[i])
			}
		}
		if worst := back.Sub(m).Abs().Max().Float64(); !(worst < 1e-13) {
			t.Errorf("times %v: the product of the parts is off by %v", size, worst)
		}
	}
}

// TestAtanhBesideItsCut: a tiny imaginary part decides about the side, also where its quotient with the real part is 0.
// The numbers are CPython's, found missing by the array API standard's own tests.
func TestAtanhBesideItsCut(t *testing.T) {
	const y = 4.258334206325505e-307
	for z, want := range map[complex128]complex128{
		complex(587161457, y):  complex(1.7031090649398673e-09, 1.5707963267948966),
		complex(587161457, -y): complex(1.7031090649398673e-09, -1.5707963267948966),
		complex(-587161457, y): complex(-1.7031090649398673e-09, 1.5707963267948966),
		complex(1e8, 1e-320):   complex(1e-08, 1.5707963267948966),
		complex(-1e8, -1e-320): complex(-1e-08, -1.5707963267948966),
	} {
		got := Atanh([]complex128{z}).Complex128s()[0]
		if math.Abs(real(got)-real(want)) > 1e-23 || math.Abs(imag(got)-imag(want)) > 1e-15 {
			t.Errorf("atanh(%v) is %v, want %v", z, got, want)
		}
	}
}

// TestPowerOfZero: NumPy 2.3.5 gives NaN for 0 to a power whose real part is NaN; package cmplx panics.
func TestPowerOfZero(t *testing.T) {
	nan := math.NaN()
	x := Pow([]complex128{0, 0, 0}, []complex128{complex(nan, 0), complex(nan, 1), complex(1, nan)})
	if got := x.String(); got != "[nan+nanj nan+nanj  0. +0.j]" {
		t.Error(got)
	}
}
