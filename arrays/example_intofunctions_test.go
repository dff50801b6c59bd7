package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Functions of numbers into an array that exists.

func ExampleOut_Sqrt() {
	x := np.FromSlice([]float64{1, 4, 9})
	np.Into(x).Sqrt(x) // in place
	fmt.Println(x)
	// Output: [1. 2. 3.]
}

func ExampleOut_Cbrt() {
	fmt.Println(np.Into(np.Zeros(3)).Cbrt([]float64{1, 8, 27}))
	// Output: [1. 2. 3.]
}

func ExampleOut_Exp() {
	x := np.FromSlice([]float64{0, 1})
	np.Into(x).Exp(x) // in place
	fmt.Println(x)
	// Output: [1.         2.71828183]
}

func ExampleOut_Exp2() {
	fmt.Println(np.Into(np.Zeros(3)).Exp2([]float64{0, 1, 10}))
	// Output: [1.000e+00 2.000e+00 1.024e+03]
}

func ExampleOut_Expm1() {
	fmt.Println(np.Into(np.Zeros(2)).Expm1([]float64{0, 1e-10}))
	// Output: [0.e+00 1.e-10]
}

func ExampleOut_Log() {
	fmt.Println(np.Into(np.Zeros(2)).Log([]float64{1, math.E}))
	// Output: [0. 1.]
}

func ExampleOut_Log2() {
	fmt.Println(np.Into(np.Zeros(2)).Log2([]float64{1, 8}))
	// Output: [0. 3.]
}

func ExampleOut_Log10() {
	fmt.Println(np.Into(np.Zeros(2)).Log10([]float64{1, 1000}))
	// Output: [0. 3.]
}

func ExampleOut_Log1p() {
	fmt.Println(np.Into(np.Zeros(2)).Log1p([]float64{0, 1e-10}))
	// Output: [0.e+00 1.e-10]
}

func ExampleOut_Sin() {
	fmt.Println(np.Into(np.Zeros(2)).Sin([]float64{0, math.Pi / 2}))
	// Output: [0. 1.]
}

func ExampleOut_Cos() {
	fmt.Println(np.Into(np.Zeros(2)).Cos([]float64{0, math.Pi}))
	// Output: [ 1. -1.]
}

func ExampleOut_Tan() {
	fmt.Println(np.Into(np.Zeros(2)).Tan([]float64{0, math.Pi / 4}))
	// Output: [0. 1.]
}

func ExampleOut_Asin() {
	fmt.Println(np.Into(np.Zeros(2)).Asin([]float64{0, 1}))
	// Output: [0.         1.57079633]
}

func ExampleOut_Acos() {
	fmt.Println(np.Into(np.Zeros(2)).Acos([]float64{1, -1}))
	// Output: [0.         3.14159265]
}

func ExampleOut_Atan() {
	fmt.Println(np.Into(np.Zeros(2)).Atan([]float64{0, 1}))
	// Output: [0.         0.78539816]
}

func ExampleOut_Sinh() {
	fmt.Println(np.Into(np.Zeros(2)).Sinh([]float64{0, 1}))
	// Output: [0.         1.17520119]
}

func ExampleOut_Cosh() {
	fmt.Println(np.Into(np.Zeros(2)).Cosh([]float64{0, 1}))
	// Output: [1.         1.54308063]
}

func ExampleOut_Tanh() {
	fmt.Println(np.Into(np.Zeros(2)).Tanh([]float64{0, 1}))
	// Output: [0.         0.76159416]
}

func ExampleOut_Asinh() {
	fmt.Println(np.Into(np.Zeros(2)).Asinh([]float64{0, 1}))
	// Output: [0.         0.88137359]
}

func ExampleOut_Acosh() {
	fmt.Println(np.Into(np.Zeros(2)).Acosh([]float64{1, 2}))
	// Output: [0.        1.3169579]
}

func ExampleOut_Atanh() {
	fmt.Println(np.Into(np.Zeros(2)).Atanh([]float64{0, 0.5}))
	// Output: [0.         0.54930614]
}

func ExampleOut_Erf() {
	fmt.Println(np.Into(np.Zeros(2)).Erf([]float64{0, 1}))
	// Output: [0.         0.84270079]
}

func ExampleOut_Erfc() {
	fmt.Println(np.Into(np.Zeros(2)).Erfc([]float64{0, 1}))
	// Output: [1.         0.15729921]
}

func ExampleOut_Gamma() {
	fmt.Println(np.Into(np.Zeros(2)).Gamma([]float64{1, 5}))
	// Output: [ 1. 24.]
}

func ExampleOut_LGamma() {
	fmt.Println(np.Into(np.Zeros(2)).LGamma([]float64{1, 5}))
	// Output: [0.         3.17805383]
}

func ExampleOut_Sinc() {
	fmt.Println(np.Into(np.Zeros(2)).Sinc([]float64{0, 0.5}))
	// Output: [1.         0.63661977]
}

func ExampleOut_Deg2Rad() {
	x := np.FromSlice([]float64{0, 180})
	np.Into(x).Deg2Rad(x) // in place
	fmt.Println(x)
	// Output: [0.         3.14159265]
}

func ExampleOut_Rad2Deg() {
	fmt.Println(np.Into(np.Zeros(2)).Rad2Deg([]float64{0, math.Pi}))
	// Output: [  0. 180.]
}

func ExampleOut_Atan2() {
	fmt.Println(np.Into(np.Zeros(2)).Atan2([]float64{1, 0}, []float64{0, -1}))
	// Output: [1.57079633 3.14159265]
}

func ExampleOut_Hypot() {
	fmt.Println(np.Into(np.Zeros(2)).Hypot([]float64{3, 5}, []float64{4, 12}))
	// Output: [ 5. 13.]
}

func ExampleOut_LogAddExp() {
	fmt.Println(np.Into(np.Zeros(2)).LogAddExp([]float64{0, 1000}, []float64{0, 1000}))
	// Output: [6.93147181e-01 1.00069315e+03]
}
