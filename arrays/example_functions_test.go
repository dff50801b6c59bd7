package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleAcos() {
	fmt.Println(np.Rad2Deg(np.Acos([]float64{1, 0.5, 0, -1})).Round(6))
	fmt.Println(np.Acos(2))
	// Output:
	// [  0.  60.  90. 180.]
	// nan
}

func ExampleAcosh() {
	fmt.Println(np.Acosh([]float64{1, 2, 0.5})) // no cosh is below 1
	// Output: [0.        1.3169579       nan]
}

func ExampleAsin() {
	fmt.Println(np.Rad2Deg(np.Asin([]float64{-1, 0, 0.5, 1})).Round(6))
	// Output: [-90.   0.  30.  90.]
}

// Asinh is a logarithm that takes zero and negative numbers too.
func ExampleAsinh() {
	x := np.FromSlice([]float64{-1000, 0, 1000})
	fmt.Println(np.Asinh(x), np.Log(x.Mul(2)))
	// Output: [-7.60090271  0.          7.60090271] [       nan       -inf 7.60090246]
}

func ExampleAtan() {
	fmt.Println(np.Rad2Deg(np.Atan([]float64{-1, 0, 1, math.Inf(1)})).Round(6))
	// Output: [-45.   0.  45.  90.]
}

// Unlike Atan of y/x, Atan2 tells all four quarters apart.
func ExampleAtan2() {
	y, x := []float64{1, 1, -1, -1}, []float64{1, -1, -1, 1}
	fmt.Println(np.Rad2Deg(np.Atan2(y, x)).Round(6))
	fmt.Println(np.Rad2Deg(np.Atan(np.Div(y, x))).Round(6))
	// Output:
	// [  45.  135. -135.  -45.]
	// [ 45. -45.  45. -45.]
}

func ExampleAtanh() {
	fmt.Println(np.Atanh([]float64{0, 0.5, 1, 2}))
	// Output: [0.         0.54930614        inf        nan]
}

func ExampleCos() {
	fmt.Println(np.Cos(np.Deg2Rad([]float64{0, 60, 120, 180})).Round(6))
	// Output: [ 1.   0.5 -0.5 -1. ]
}

func ExampleCosh() {
	fmt.Println(np.Cosh([]float64{-1, 0, 1, 1000}))
	// Output: [1.54308063 1.         1.54308063        inf]
}

// Of normally distributed values these parts lie within 1, 2 and 3 standard deviations.
func ExampleErf() {
	fmt.Println(np.Erf(np.Div([]int{1, 2, 3}, math.Sqrt2)).Round(4))
	// Output: [0.6827 0.9545 0.9973]
}

// Far from zero Erfc keeps the digits that 1 - Erf loses.
func ExampleErfc() {
	x := np.FromSlice([]float64{1, 10})
	fmt.Println(np.Erfc(x), np.Sub(1, np.Erf(x)))
	// Output: [1.57299207e-01 2.08848758e-45] [0.15729921 0.        ]
}

func ExampleExp() {
	fmt.Println(np.Exp([]float64{0, 1, math.Inf(-1), 1000}))
	fmt.Println(np.Exp([]int{0, 1}), np.Exp([]float32{0, 1}).DType())
	// Output:
	// [1.         2.71828183 0.                inf]
	// [1.         2.71828183] float32
}

func ExampleExp2() {
	fmt.Println(np.Exp2([]int{-1, 0, 8}))
	// Output: [  0.5   1.  256. ]
}

// For small x Expm1 keeps the digits that Exp(x) - 1 loses.
func ExampleExpm1() {
	x := np.FromSlice([]float64{1e-10})
	fmt.Println(np.Expm1(x), np.Exp(x).Sub(1))
	// Output: [1.e-10] [1.00000008e-10]
}

func ExampleGamma() {
	fmt.Println(np.Gamma([]float64{1, 2, 3, 4, 5}).Round(6)) // of n it is (n-1)!
	fmt.Println(np.Gamma(0.5).Square().Round(6))
	// Output:
	// [ 1.  1.  2.  6. 24.]
	// 3.141593
}

// LGamma goes on where Gamma itself is too large for a float.
func ExampleLGamma() {
	fmt.Println(np.LGamma([]float64{10, 1000}), np.Gamma(1000.0))
	// Output: [  12.80182748 5905.22042321] inf
}

func ExampleLog() {
	fmt.Println(np.Log([]float64{1, math.E, 0, -1}))
	fmt.Println(np.Log([]complex128{-1}))
	// Output:
	// [  0.   1. -inf  nan]
	// [0.+3.14159265j]
}

func ExampleLog10() {
	fmt.Println(np.Log10([]float64{0.001, 1, 1000}))
	// Output: [-3.  0.  3.]
}

// For small x Log1p keeps the digits that Log(1 + x) loses.
func ExampleLog1p() {
	x := np.FromSlice([]float64{1e-10})
	fmt.Println(np.Log1p(x), np.Log(x.Add(1)))
	// Output: [1.e-10] [1.00000008e-10]
}

func ExampleLog2() {
	fmt.Println(np.Log2([]int{1, 2, 1024}), np.Log2(0.125))
	// Output: [ 0.  1. 10.] -3.0
}

// The logarithm of a sum of probabilities that are too small for a float themselves.
func ExampleLogAddExp() {
	p := np.FromSlice([]float64{-1000, -1001})
	fmt.Println(np.LogAddExp(p, -1000), np.Log(np.Exp(p).Add(math.Exp(-1000))))
	// Output: [-999.30685282 -999.68673831] [-inf -inf]
}
