package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Arithmetic and rounding into an array that exists.

// No memory is taken for the results: they go into an array that exists.
func ExampleInto() {
	x, y, z := np.Arange(4), np.Full(10, 4), np.New(np.Int64, 4)
	np.Into(z).Add(x, y) // numpy.add(x, y, out=z)
	fmt.Println(z)
	row := np.Zeros(2, 4).At(1)
	np.Into(row).Sqrt(x) // a view of an array
	fmt.Println(row)
	// Output:
	// [10 11 12 13]
	// [0.         1.         1.41421356 1.73205081]
}

// Operands may be views of the array: the result is that of what they were.
func ExampleOut_Add() {
	x := np.FromSlice([]float64{1, 2, 3, 4})
	np.Into(x.At(np.From(1))).Add(x.At(np.To(-1)), x.At(np.From(1)))
	fmt.Println(x)
	// Output: [1. 3. 5. 7.]
}

func ExampleOut_Sub() {
	x := np.FromSlice([]float64{3, 4, 8})
	np.Into(x).Sub(x, x.Mean()) // in place
	fmt.Println(x)
	// Output: [-2. -1.  3.]
}

// Operands broadcast to the shape of the array.
func ExampleOut_Mul() {
	z := np.Zeros(2, 3)
	fmt.Println(np.Into(z).Mul([]float64{1, 2, 3}, 10)) // both rows
	// Output:
	// [[10. 20. 30.]
	//  [10. 20. 30.]]
}

// The quotient, a float64, goes into another float, but into no int.
func ExampleOut_Div() {
	z := np.Zeros(3).AsType(np.Float32)
	fmt.Println(np.Into(z).Div([]int{1, 2, 3}, 4), z.DType())
	defer func() { fmt.Println(recover()) }()
	np.Into(np.New(np.Int64, 3)).Div([]int{1, 2, 3}, 4)
	// Output:
	// [0.25 0.5  0.75] float32
	// divide: the result, of float64, is not written into an array of int64; write into one of float64, or convert and assign it: z.Set(result.AsType(z.DType()))
}

func ExampleOut_Pow() {
	fmt.Println(np.Into(np.Zeros(3)).Pow([]float64{1, 2, 3}, 2))
	// Output: [1. 4. 9.]
}

func ExampleOut_FloorDivide() {
	fmt.Println(np.Into(np.New(np.Int64, 2)).FloorDivide([]int{7, -7}, 2))
	// Output: [ 3 -4]
}

func ExampleOut_Remainder() {
	fmt.Println(np.Into(np.New(np.Int64, 2)).Remainder([]int{7, -7}, 3))
	// Output: [1 2]
}

func ExampleOut_Mod() {
	x := np.FromSlice([]float64{370, -10})
	np.Into(x).Mod(x, 360)
	fmt.Println(x)
	// Output: [ 10. 350.]
}

func ExampleOut_Minimum() {
	x := np.FromSlice([]int{1, 5, 9})
	np.Into(x).Minimum(x, 6)
	fmt.Println(x)
	// Output: [1 5 6]
}

func ExampleOut_Maximum() {
	best := np.FromSlice([]int{1, 5, 9})
	np.Into(best).Maximum(best, []int{4, 4, 4}) // the best so far
	fmt.Println(best)
	// Output: [4 5 9]
}

func ExampleOut_FMin() {
	fmt.Println(np.Into(np.Zeros(2)).FMin([]float64{math.NaN(), 3}, 2))
	// Output: [2. 2.]
}

func ExampleOut_FMax() {
	fmt.Println(np.Into(np.Zeros(2)).FMax([]float64{math.NaN(), 3}, 2))
	// Output: [2. 3.]
}

func ExampleOut_Clip() {
	x := np.FromSlice([]int{-3, 0, 200, 300})
	np.Into(x).Clip(x, 0, 255)
	fmt.Println(x)
	// Output: [  0   0 200 255]
}

func ExampleOut_Neg() {
	x := np.FromSlice([]int{1, -2})
	np.Into(x).Neg(x)
	fmt.Println(x)
	// Output: [-1  2]
}

func ExampleOut_Abs() {
	x := np.FromSlice([]int{1, -2})
	np.Into(x).Abs(x)
	fmt.Println(x)
	// Output: [1 2]
}

func ExampleOut_Sign() {
	fmt.Println(np.Into(np.Zeros(3)).Sign([]float64{-3, 0, 2}))
	// Output: [-1.  0.  1.]
}

func ExampleOut_Square() {
	fmt.Println(np.Into(np.Zeros(3)).Square([]float64{-3, 0, 2}))
	// Output: [9. 0. 4.]
}

func ExampleOut_Reciprocal() {
	fmt.Println(np.Into(np.Zeros(3)).Reciprocal([]float64{1, 2, 4}))
	// Output: [1.   0.5  0.25]
}

func ExampleOut_CopySign() {
	fmt.Println(np.Into(np.Zeros(2)).CopySign([]float64{3, -3}, -1))
	// Output: [-3. -3.]
}

func ExampleOut_Floor() {
	fmt.Println(np.Into(np.Zeros(2)).Floor([]float64{1.5, -1.5}))
	// Output: [ 1. -2.]
}

func ExampleOut_Ceil() {
	fmt.Println(np.Into(np.Zeros(2)).Ceil([]float64{1.5, -1.5}))
	// Output: [ 2. -1.]
}

func ExampleOut_Trunc() {
	fmt.Println(np.Into(np.Zeros(2)).Trunc([]float64{1.5, -1.5}))
	// Output: [ 1. -1.]
}

func ExampleOut_Rint() {
	fmt.Println(np.Into(np.Zeros(2)).Rint([]float64{1.5, 2.5}))
	// Output: [2. 2.]
}

func ExampleOut_Real() {
	fmt.Println(np.Into(np.Zeros(2)).Real([]complex128{1 + 2i, 3 - 4i}))
	// Output: [1. 3.]
}

func ExampleOut_Imag() {
	fmt.Println(np.Into(np.Zeros(2)).Imag([]complex128{1 + 2i, 3 - 4i}))
	// Output: [ 2. -4.]
}

func ExampleOut_Conj() {
	z := np.FromSlice([]complex128{1 + 2i, 3 - 4i})
	fmt.Println(np.Into(z).Conj(z))
	// Output: [1.-2.j 3.+4.j]
}

func ExampleOut_Angle() {
	fmt.Println(np.Into(np.Zeros(2)).Angle([]complex128{1i, -1}))
	// Output: [1.57079633 3.14159265]
}
