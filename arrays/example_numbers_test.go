package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleSub() {
	x := np.FromSlice([]float64{1, 3, 7})
	fmt.Println(np.Sub(x.Reshape(-1, 1), x))          // each with each
	fmt.Println(np.Sub([]uint8{1, 3}, []uint8{2, 2})) // wraps, as uint8 does
	// Output:
	// [[ 0. -2. -6.]
	//  [ 2.  0. -4.]
	//  [ 6.  4.  0.]]
	// [255   1]
}

func ExampleMul() {
	rows := np.Arange(1, 4).Reshape(3, 1)
	fmt.Println(np.Mul(rows, np.Arange(1, 5)))
	fmt.Println(np.Mul([]uint8{100, 200}, 2)) // the number 2 leaves them uint8
	// Output:
	// [[ 1  2  3  4]
	//  [ 2  4  6  8]
	//  [ 3  6  9 12]]
	// [200 144]
}

func ExampleNeg() {
	fmt.Println(np.Neg([]float64{1, -2, 0}))
	fmt.Println(np.Neg([]uint8{1, 2}))
	// Output:
	// [-1.  2. -0.]
	// [255 254]
}

func ExamplePositive() {
	x := np.FromSlice([]float64{-1, 2})
	y := np.Positive(x)
	y.Set(5, 0)
	fmt.Println(x, y) // y is a copy, and -1 stayed -1: Abs is another function
	// Output: [-1.  2.] [5. 2.]
}

func ExampleMod() {
	fmt.Println(-7%3, 7%-3) // Go: the sign of the left
	fmt.Println(np.Mod([]int{-7, 7}, []int{3, -3}))
	// Output:
	// -1 1
	// [ 2 -2]
}

func ExampleRemainder() {
	fmt.Println(np.Remainder([]float64{370, -10, 360}, 360))
	fmt.Println(np.Remainder([]int{7}, 0), np.Remainder([]float64{7}, 0))
	// Output:
	// [ 10. 350.   0.]
	// [0] [nan]
}

func ExamplePow() {
	fmt.Println(np.Pow(2, np.Arange(6)))
	fmt.Println(np.Pow(2.0, []int{-1, 0, 1}))
	fmt.Println(np.Pow([]float64{-8}, 1.0/3)) // Cbrt takes negative numbers
	// Output:
	// [ 1  2  4  8 16 32]
	// [0.5 1.  2. ]
	// [nan]
}

func ExampleSquare() {
	fmt.Println(np.Square([]int{-3, 4}))
	fmt.Println(np.Square([]complex128{2i})) // not the square of the absolute value
	// Output:
	// [ 9 16]
	// [-4.+0.j]
}

func ExampleSqrt() {
	fmt.Println(np.Sqrt([]float64{16, 2, -1}))
	fmt.Println(np.Sqrt([]complex128{-1}))
	// Output:
	// [4.         1.41421356        nan]
	// [0.+1.j]
}

func ExampleReciprocal() {
	fmt.Println(np.Reciprocal([]int{1, 2, 4})) // a float, where NumPy gives ints
	fmt.Println(np.Reciprocal([]float64{0}))
	// Output:
	// [1.   0.5  0.25]
	// [inf]
}

func ExampleSign() {
	fmt.Println(np.Sign([]float64{-2.5, 0, 3, math.NaN()}))
	// Output: [-1.  0.  1. nan]
}

func ExampleSignBit() {
	x := np.FromSlice([]float64{-1, math.Copysign(0, -1), 0, 1})
	fmt.Println(np.SignBit(x))
	fmt.Println(np.Less(x, 0)) // -0 is not less than 0
	// Output:
	// [ True  True False False]
	// [ True False False False]
}

func ExampleRightShift() {
	fmt.Println(np.RightShift([]int{255, 8, -8}, 1))
	fmt.Println(np.RightShift(0b1101, np.Arange(4))) // from the last bit up
	// Output:
	// [127   4  -4]
	// [13  6  3  1]
}

func ExampleNextAfter() {
	fmt.Println(np.NextAfter([]float64{1, 1}, []float64{2, 0}).Sub(1))
	fmt.Println(np.NextAfter([]float32{1}, 2).Sub(1))
	// Output:
	// [ 2.22044605e-16 -1.11022302e-16]
	// [1.1920929e-07]
}

func ExampleMaximum() {
	x := []float64{-1, 2, math.NaN()}
	fmt.Println(np.Maximum(x, 0), np.FMax(x, 0))
	// Output: [ 0.  2. nan] [0. 2. 0.]
}

func ExampleMinimum() {
	fmt.Println(np.Minimum(np.Arange(3).Reshape(3, 1), np.Arange(4)))
	// Output:
	// [[0 0 0 0]
	//  [0 1 1 1]
	//  [0 1 2 2]]
}

func ExampleNotEqual() {
	x := np.FromSlice([]float64{1, 2, math.NaN()})
	fmt.Println(np.NotEqual(x, 2))
	fmt.Println(np.NotEqual(x, x)) // NaN is not equal to itself
	// Output:
	// [ True False  True]
	// [False False  True]
}

func ExampleNanToNum() {
	x := []float64{math.NaN(), 1, math.Inf(1)}
	fmt.Println(np.NanToNum(x))
	fmt.Println(np.NanToNum(np.FromSlice(x).AsType(np.Float32)))
	// Output:
	// [0.00000000e+000 1.00000000e+000 1.79769313e+308]
	// [0.0000000e+00 1.0000000e+00 3.4028235e+38]
}

func ExampleReal() {
	z := np.FromSlice([]complex128{1 + 2i, 3i})
	re := np.Real(z)
	re.Set(7, 0)
	fmt.Println(re, z) // a copy, where NumPy gives a view
	// Output: [7. 0.] [1.+2.j 0.+3.j]
}

func ExampleRint() {
	fmt.Println(np.Rint([]float64{-1.5, -0.2, 0.5, 1.5, 2.5})) // halves go to the even number
	// Output: [-2. -0.  0.  2.  2.]
}

func ExampleRound() {
	x := []float64{3.14159, 1234.5}
	fmt.Println(np.Round(x), np.Round(x, 2))
	fmt.Println(np.Round([]int{1234, 1250}, -2)) // to hundreds
	// Output:
	// [   3. 1234.] [   3.14 1234.5 ]
	// [1200 1200]
}

func ExampleTrunc() {
	x := []float64{-1.7, -0.2, 1.7}
	fmt.Println(np.Trunc(x), np.Floor(x))
	// Output: [-1. -0.  1.] [-2. -1.  1.]
}

func ExampleRad2Deg() {
	fmt.Println(np.Rad2Deg([]float64{0, math.Pi / 2, math.Pi}))
	// Output: [  0.  90. 180.]
}

func ExampleSin() {
	degrees := np.Arange(0, 181, 45)
	fmt.Println(np.Sin(np.Deg2Rad(degrees)).Round(4))
	// Output: [0.     0.7071 1.     0.7071 0.    ]
}

func ExampleSinh() {
	x := np.FromSlice([]float64{-1, 0, 1})
	fmt.Println(np.Sinh(x).Round(4))
	fmt.Println(np.Square(np.Cosh(x)).Sub(np.Square(np.Sinh(x))).Round(4))
	// Output:
	// [-1.1752  0.      1.1752]
	// [1. 1. 1.]
}

func ExampleTan() {
	fmt.Println(np.Tan([]float64{0, math.Pi / 4, -math.Pi / 4}).Round(4))
	// Output: [ 0.  1. -1.]
}

func ExampleTanh() {
	fmt.Println(np.Tanh([]float64{-100, -0.5, 0, 0.5, 100}).Round(4)) // between -1 and 1
	// Output: [-1.     -0.4621  0.      0.4621  1.    ]
}

func ExampleSinc() {
	fmt.Println(np.Sinc([]float64{0, 0.5, 1, 1.5}).Abs().Round(4)) // of pi times x
	// Output: [1.     0.6366 0.     0.2122]
}

func ExampleUnwrap() {
	angles := np.FromSlice([]float64{0, 2, 4, 6, 8})
	wrapped := np.Remainder(angles.Add(math.Pi), 2*math.Pi).Sub(math.Pi)
	fmt.Println(wrapped.Round(2))
	fmt.Println(np.Unwrap(wrapped).Round(2))
	// Output:
	// [ 0.    2.   -2.28 -0.28  1.72]
	// [0. 2. 4. 6. 8.]
}
