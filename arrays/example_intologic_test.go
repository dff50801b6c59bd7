package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Comparison, logic and bits into an array that exists.

func ExampleOut_Equal() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).Equal([]int{1, 2, 3}, 2))
	// Output: [False  True False]
}

func ExampleOut_NotEqual() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).NotEqual([]int{1, 2, 3}, 2))
	// Output: [ True False  True]
}

func ExampleOut_Less() {
	x, count := np.FromSlice([]int{1, 2, 3}), np.New(np.Int64, 3)
	fmt.Println(np.Into(count).Less(x, 3)) // truth as 0 and 1
	// Output: [1 1 0]
}

func ExampleOut_LessEqual() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).LessEqual([]int{1, 2, 3}, 2))
	// Output: [ True  True False]
}

func ExampleOut_Greater() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).Greater([]int{1, 2, 3}, 2))
	// Output: [False False  True]
}

func ExampleOut_GreaterEqual() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).GreaterEqual([]int{1, 2, 3}, 2))
	// Output: [False  True  True]
}

func ExampleOut_LogicalAnd() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).LogicalAnd([]int{0, 1, 2}, []bool{true, true, false}))
	// Output: [False  True False]
}

func ExampleOut_LogicalOr() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).LogicalOr([]int{0, 1, 2}, []bool{true, true, false}))
	// Output: [ True  True  True]
}

func ExampleOut_LogicalXor() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).LogicalXor([]int{0, 1, 2}, []bool{true, true, false}))
	// Output: [ True False  True]
}

func ExampleOut_LogicalNot() {
	m := np.FromSlice([]bool{true, false, true})
	np.Into(m).LogicalNot(m)
	fmt.Println(m)
	// Output: [False  True False]
}

func ExampleOut_IsNaN() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).IsNaN([]float64{math.NaN(), math.Inf(-1), 2}))
	// Output: [ True False False]
}

func ExampleOut_IsInf() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).IsInf([]float64{math.NaN(), math.Inf(-1), 2}))
	// Output: [False  True False]
}

func ExampleOut_IsFinite() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).IsFinite([]float64{math.NaN(), math.Inf(-1), 2}))
	// Output: [False False  True]
}

func ExampleOut_SignBit() {
	fmt.Println(np.Into(np.New(np.Bool, 3)).SignBit([]float64{math.NaN(), math.Inf(-1), 2}))
	// Output: [False  True False]
}

func ExampleOut_BitAnd() {
	fmt.Println(np.Into(np.New(np.Int64, 3)).BitAnd([]int{1, 2, 3}, 2))
	// Output: [0 2 2]
}

func ExampleOut_BitOr() {
	fmt.Println(np.Into(np.New(np.Int64, 3)).BitOr([]int{1, 2, 3}, 2))
	// Output: [3 2 3]
}

func ExampleOut_BitXor() {
	fmt.Println(np.Into(np.New(np.Int64, 3)).BitXor([]int{1, 2, 3}, 2))
	// Output: [3 0 1]
}

func ExampleOut_Invert() {
	bits := np.FromSlice([]uint8{0, 15, 255})
	np.Into(bits).Invert(bits)
	fmt.Println(bits)
	// Output: [255 240   0]
}

func ExampleOut_BitCount() {
	counts := np.New(np.Int64, 3)
	np.Into(counts).BitCount([]uint8{0, 15, 255})
	fmt.Println(counts)
	// Output: [0 4 8]
}

func ExampleOut_LeftShift() {
	fmt.Println(np.Into(np.New(np.Int64, 3)).LeftShift([]int{1, 2, 64}, 2))
	// Output: [  4   8 256]
}

func ExampleOut_RightShift() {
	fmt.Println(np.Into(np.New(np.Int64, 3)).RightShift([]int{1, 2, 64}, 2))
	// Output: [ 0  0 16]
}

func ExampleOut_Where() {
	x := np.FromSlice([]float64{1, math.NaN(), 3})
	np.Into(x).Where(np.IsNaN(x), 0, x) // in place
	fmt.Println(x)
	// Output: [1. 0. 3.]
}
