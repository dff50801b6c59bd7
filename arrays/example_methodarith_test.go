package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Methods for arithmetic, rounding, comparison, logic and bits.

// A Go number takes the dtype of the array; an array or slice widens it.
func ExampleArray_Add() {
	x := np.FromSlice([]uint8{5, 250})
	fmt.Println(x.Add(10)) // still uint8: 260 wraps
	fmt.Println(x.Add([]int{10, 10}))
	// Output:
	// [15  4]
	// [ 15 260]
}

func ExampleArray_Sub() {
	m := np.From2D([][]float64{{1, 10}, {3, 30}})
	fmt.Println(m.Sub(m.Min(np.Axis(0)))) // each column from its own least element
	// Output:
	// [[ 0.  0.]
	//  [ 2. 20.]]
}

func ExampleArray_Mul() {
	column := np.FromSlice([]int{1, 2, 3}).ExpandDims(1)
	fmt.Println(column.Mul([]int{1, 10, 100}))
	// Output:
	// [[  1  10 100]
	//  [  2  20 200]
	//  [  3  30 300]]
}

// The quotient of ints is a float, and nothing panics.
func ExampleArray_Div() {
	fmt.Println(np.FromSlice([]int{7, -7, 1, 0}).Div([]int{2, 2, 0, 0}))
	// Output: [ 3.5 -3.5  inf  nan]
}

// The quotient goes down, where Go's -7/2 is -3.
func ExampleArray_FloorDivide() {
	fmt.Println(np.FromSlice([]int{7, -7}).FloorDivide(2), np.FromSlice([]float64{7, -7}).FloorDivide(2))
	// Output: [ 3 -4] [ 3. -4.]
}

// The rest has the sign of the divisor, where Go's -7%3 is -1: it suits clocks and angles.
func ExampleArray_Mod() {
	x := np.FromSlice([]int{7, -7})
	fmt.Println(x.Mod(3), x.Mod(-3))
	fmt.Println(np.FromSlice([]float64{370, -10}).Mod(360))
	// Output:
	// [1 2] [-2 -1]
	// [ 10. 350.]
}

func ExampleArray_Pow() {
	x := np.FromSlice([]int{1, 2, 4})
	fmt.Println(x.Pow(3), x.Pow(-1.0)) // a float exponent gives floats; ints have no power -1
	// Output: [ 1  8 64] [1.   0.5  0.25]
}

func ExampleArray_Neg() {
	fmt.Println(np.FromSlice([]float64{1.5, -2}).Neg(), np.FromSlice([]uint8{0, 1}).Neg())
	// Output: [-1.5  2. ] [  0 255]
}

func ExampleArray_Abs() {
	fmt.Println(np.FromSlice([]float64{-1.5, 2}).Abs())
	fmt.Println(np.FromSlice([]complex128{3 + 4i}).Abs()) // the length, a float
	fmt.Println(np.FromSlice([]int8{-127, -128}).Abs())   // 128 is not an int8
	// Output:
	// [1.5 2. ]
	// [5.]
	// [ 127 -128]
}

func ExampleArray_Sign() {
	fmt.Println(np.FromSlice([]float64{-2.5, 0, 3, math.NaN()}).Sign())
	// Output: [-1.  0.  1. nan]
}

func ExampleArray_Square() {
	x := np.FromSlice([]float64{3, -4})
	fmt.Println(x.Square(), x.Square().Sum().Sqrt())
	// Output: [ 9. 16.] 5.0
}

// Below zero there is no real root; as complex numbers there is one.
func ExampleArray_Sqrt() {
	x := np.FromSlice([]float64{2.25, 0, -1})
	fmt.Println(x.Sqrt(), x.AsType(np.Complex128).Sqrt())
	// Output: [1.5 0.  nan] [1.5+0.j 0. +0.j 0. +1.j]
}

// Negative numbers have a cube root, but no power of a third.
func ExampleArray_Cbrt() {
	x := np.FromSlice([]float64{-8, 0.125})
	fmt.Println(x.Cbrt(), x.Pow(1.0/3))
	// Output: [-2.   0.5] [nan 0.5]
}

// Unlike NumPy's, the reciprocal of ints is a float.
func ExampleArray_Reciprocal() {
	fmt.Println(np.FromSlice([]int{1, 2, 4}).Reciprocal())
	// Output: [1.   0.5  0.25]
}

func ExampleArray_Clip() {
	x := np.Arange(6)
	fmt.Println(x.Clip(1, 4), x.Clip(nil, 3))
	// Output: [1 1 2 3 4 4] [0 1 2 3 3 3]
}

func ExampleArray_Floor() {
	fmt.Println(np.FromSlice([]float64{-1.5, -0.5, 0.5, 1.5}).Floor())
	// Output: [-2. -1.  0.  1.]
}

func ExampleArray_Ceil() {
	fmt.Println(np.FromSlice([]float64{-1.5, -0.5, 0.5, 1.5}).Ceil()) // a zero keeps its sign
	// Output: [-1. -0.  1.  2.]
}

func ExampleArray_Trunc() {
	fmt.Println(np.FromSlice([]float64{-1.5, -0.5, 0.5, 1.5}).Trunc())
	// Output: [-1. -0.  0.  1.]
}

// Halves go to the even neighbour, so that sums of rounded numbers do not drift.
func ExampleArray_Rint() {
	fmt.Println(np.FromSlice([]float64{-1.5, -0.5, 0.5, 1.5, 2.5}).Rint())
	// Output: [-2. -0.  0.  2.  2.]
}

func ExampleArray_Round() {
	fmt.Println(np.FromSlice([]float64{3.14159, 2.71828}).Round(2))
	fmt.Println(np.FromSlice([]int{149, 150, 250}).Round(-2)) // to hundreds
	// Output:
	// [3.14 2.72]
	// [100 200 200]
}

// NaN equals nothing, not even itself.
func ExampleArray_Eq() {
	x := np.FromSlice([]float64{1, 2, math.NaN()})
	fmt.Println(x.Eq(2), x.Eq(x))
	// Output: [False  True False] [ True  True False]
}

func ExampleArray_Ne() {
	text := np.FromSlice([]string{"a", "", "b"})
	fmt.Println(text.Ne(""), text.At(text.Ne("")))
	// Output: [ True False  True] ['a' 'b']
}

func ExampleArray_Lt() {
	x := np.FromSlice([]float64{0.5, 3, -1})
	x.Set(0, x.Lt(0)) // comparisons are masks
	fmt.Println(x)
	// Output: [0.5 3.  0. ]
}

func ExampleArray_Le() {
	day := np.DateTime(np.Day)
	due := np.FromSlice([]string{"2024-02-28", "2024-03-01", "2024-03-02"}).AsType(day)
	fmt.Println(due.Le(due.At(1)))
	// Output: [ True  True False]
}

// The sum of a comparison counts, its mean is a share.
func ExampleArray_Gt() {
	x := np.FromSlice([]int{3, 8, 5, 9})
	fmt.Println(x.Gt(4), x.Gt(4).Sum(), x.Gt(4).Mean())
	// Output: [False  True  True  True] 3 0.75
}

// A column compared with a row is a table.
func ExampleArray_Ge() {
	fmt.Println(np.Arange(3).ExpandDims(1).Ge(np.Arange(3)))
	// Output:
	// [[ True False False]
	//  [ True  True False]
	//  [ True  True  True]]
}

func ExampleArray_And() {
	x := np.Arange(6)
	fmt.Println(x.At(x.Gt(1).And(x.Lt(5))))
	// Output: [2 3 4]
}

func ExampleArray_Or() {
	x := np.Arange(6)
	fmt.Println(x.At(x.Lt(1).Or(x.Gt(4))))
	// Output: [0 5]
}

// Not asks whether a number is zero; Invert turns its bits.
func ExampleArray_Not() {
	fmt.Println(np.FromSlice([]int{0, 1, 5}).Not(), np.FromSlice([]bool{true, false}).Not())
	// Output: [ True False False] [False  True]
}

func ExampleArray_BitAnd() {
	fmt.Println(np.FromSlice([]int{4, 5, 6, 7}).BitAnd(1)) // the lowest bit
	// Output: [0 1 0 1]
}

func ExampleArray_BitOr() {
	fmt.Println(np.FromSlice([]uint8{0b0001, 0b0110}).BitOr(0b1000))
	// Output: [ 9 14]
}

func ExampleArray_BitXor() {
	text := np.FromSlice([]uint8("secret"))
	sealed := text.BitXor(42)
	fmt.Println(sealed, string(sealed.BitXor(42).Bytes()))
	// Output: [89 79 73 88 79 94] secret
}

func ExampleArray_Invert() {
	fmt.Println(np.FromSlice([]uint8{0, 1, 255}).Invert(), np.FromSlice([]int{0, 1}).Invert(), np.FromSlice([]bool{true}).Invert())
	// Output: [255 254   0] [-1 -2] [False]
}

// Bits that leave at the upper end are gone; all have left after 64 places.
func ExampleArray_LeftShift() {
	fmt.Println(np.FromSlice([]int{1}).LeftShift([]int{0, 1, 10, 64}), np.FromSlice([]uint8{200}).LeftShift(1))
	// Output: [   1    2 1024    0] [144]
}

// The sign stays, so that a shift by one halves and rounds down.
func ExampleArray_RightShift() {
	fmt.Println(np.FromSlice([]int{9, -9}).RightShift(1))
	// Output: [ 4 -5]
}
