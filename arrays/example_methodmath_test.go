package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Methods for exponentials, logarithms, angles, special functions and complex numbers.

// Softmax: shares that sum to 1. With the largest element taken off first nothing overflows.
func ExampleArray_Exp() {
	x := np.FromSlice([]float64{1001, 1002, 1003})
	e := x.Sub(x.Max()).Exp()
	fmt.Println(e.Div(e.Sum()).Round(4))
	// Output: [0.09   0.2447 0.6652]
}

func ExampleArray_Exp2() {
	fmt.Println(np.Arange(-1, 5).Exp2())
	// Output: [ 0.5  1.   2.   4.   8.  16. ]
}

// For small numbers Exp and a subtraction lose all digits, and Expm1 none.
func ExampleArray_Expm1() {
	x := np.FromSlice([]float64{1e-17})
	fmt.Println(x.Expm1(), x.Exp().Sub(1))
	// Output: [1.e-17] [0.]
}

func ExampleArray_Log() {
	fmt.Println(np.FromSlice([]float64{1, math.E, 0, -1}).Log())
	// Output: [  0.   1. -inf  nan]
}

func ExampleArray_Log2() {
	fmt.Println(np.FromSlice([]int{1, 8, 1024}).Log2()) // ints give float64
	// Output: [ 0.  3. 10.]
}

func ExampleArray_Log10() {
	fmt.Println(np.FromSlice([]float64{1, 1000, 0.01}).Log10())
	// Output: [ 0.  3. -2.]
}

// For small numbers an addition and Log lose all digits, and Log1p none.
func ExampleArray_Log1p() {
	x := np.FromSlice([]float64{1e-17})
	fmt.Println(x.Log1p(), x.Add(1).Log())
	// Output: [1.e-17] [0.]
}

// Angles are radians; Deg2Rad makes them of degrees.
func ExampleArray_Sin() {
	degrees := np.FromSlice([]float64{0, 30, 90, 180})
	fmt.Println(np.Deg2Rad(degrees).Sin().Round(6))
	// Output: [0.  0.5 1.  0. ]
}

func ExampleArray_Cos() {
	turns := np.Arange(0, 1, 0.25)
	fmt.Println(turns.Mul(2 * math.Pi).Cos().Round(6))
	// Output: [ 1.  0. -1. -0.]
}

func ExampleArray_Tan() {
	x := np.FromSlice([]float64{0, math.Pi / 4, 1})
	fmt.Println(x.Tan().Round(6), x.Sin().Div(x.Cos()).Round(6))
	// Output: [0.       1.       1.557408] [0.       1.       1.557408]
}

// Outside of -1 to 1 there is no such angle.
func ExampleArray_Asin() {
	x := np.FromSlice([]float64{-1, 0, 0.5, 2})
	fmt.Println(np.Rad2Deg(x.Asin()).Round(6))
	// Output: [-90.   0.  30.  nan]
}

func ExampleArray_Acos() {
	x := np.FromSlice([]float64{-1, 0, 0.5, 1})
	fmt.Println(np.Rad2Deg(x.Acos()).Round(6))
	// Output: [180.  90.  60.   0.]
}

func ExampleArray_Atan() {
	slopes := np.FromSlice([]float64{0, 1, -1, math.Inf(1)})
	fmt.Println(np.Rad2Deg(slopes.Atan()).Round(6))
	// Output: [  0.  45. -45.  90.]
}

func ExampleArray_Sinh() {
	x := np.FromSlice([]float64{-1, 0, 1})
	fmt.Println(x.Sinh().Round(6), x.Exp().Sub(x.Neg().Exp()).Div(2).Round(6))
	// Output: [-1.175201  0.        1.175201] [-1.175201  0.        1.175201]
}

func ExampleArray_Cosh() {
	x := np.FromSlice([]float64{-1, 0, 1})
	fmt.Println(x.Cosh().Round(6), x.Cosh().Square().Sub(x.Sinh().Square()).Round(6))
	// Output: [1.543081 1.       1.543081] [1. 1. 1.]
}

// Tanh squeezes all numbers between -1 and 1.
func ExampleArray_Tanh() {
	fmt.Println(np.FromSlice([]float64{-50, -0.5, 0, 0.5, 50}).Tanh().Round(6))
	// Output: [-1.       -0.462117  0.        0.462117  1.      ]
}

func ExampleArray_Asinh() {
	x := np.FromSlice([]float64{-2, 0, 2})
	fmt.Println(x.Asinh().Round(6), x.Asinh().Sinh().Round(6))
	// Output: [-1.443635  0.        1.443635] [-2.  0.  2.]
}

// No hyperbolic cosine is below 1.
func ExampleArray_Acosh() {
	fmt.Println(np.FromSlice([]float64{1, 2, 0.5}).Acosh().Round(6))
	// Output: [0.       1.316958      nan]
}

func ExampleArray_Atanh() {
	fmt.Println(np.FromSlice([]float64{0, 0.5, -1, 1, 2}).Atanh().Round(6))
	// Output: [0.       0.549306     -inf      inf      nan]
}

// How much of a normal distribution lies within 1, 2 and 3 standard deviations.
func ExampleArray_Erf() {
	fmt.Println(np.FromSlice([]float64{1, 2, 3}).Div(math.Sqrt2).Erf().Round(4))
	// Output: [0.6827 0.9545 0.9973]
}

// What is left over from Erf, where 1 less that has no digits any more.
func ExampleArray_Erfc() {
	x := np.FromSlice([]float64{10})
	fmt.Println(np.Sub(1, x.Erf()), x.Erfc().Mul(1e45).Round(4))
	// Output: [0.] [2.0885]
}

// Gamma(n+1) is n factorial, and goes on between the whole numbers.
func ExampleArray_Gamma() {
	fmt.Println(np.Arange(1, 7).Gamma().Round(6), np.FromSlice([]float64{0.5}).Gamma().Square().Round(6))
	// Output: [  1.   1.   2.   6.  24. 120.] [3.141593]
}

// Of 1000 factorial, which no float64 holds, the power of ten.
func ExampleArray_LGamma() {
	x := np.FromSlice([]float64{1001})
	fmt.Println(x.Gamma(), x.LGamma().Div(math.Ln10).Round(3))
	// Output: [inf] [2567.605]
}

func ExampleArray_Sinc() {
	fmt.Println(np.FromSlice([]float64{0, 0.5, 1, 1.5}).Sinc().Round(6))
	// Output: [ 1.        0.63662   0.       -0.212207]
}

// Unlike NumPy's, the parts are copies: writing to them leaves the complex numbers as they are.
func ExampleArray_Real() {
	z := np.FromSlice([]complex128{1 + 2i, 3 - 1i})
	x := z.Real()
	x.Set(0, np.All)
	fmt.Println(x, z)
	// Output: [0. 0.] [1.+2.j 3.-1.j]
}

func ExampleArray_Imag() {
	fmt.Println(np.FromSlice([]complex64{1 + 2i, 3 - 1i}).Imag(), np.FromSlice([]float64{1, 3}).Imag())
	// Output: [ 2. -1.] [0. 0.]
}

// A number times its conjugate is the square of its length.
func ExampleArray_Conj() {
	z := np.FromSlice([]complex128{3 + 4i, 1i})
	fmt.Println(z.Mul(z.Conj()).Real())
	// Output: [25.  1.]
}

func ExampleArray_Angle() {
	z := np.FromSlice([]complex128{1, 1 + 1i, -1, -1i})
	fmt.Println(np.Rad2Deg(z.Angle()))
	// Output: [  0.  45. 180. -90.]
}
