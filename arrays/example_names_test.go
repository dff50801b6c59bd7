package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleArray_Equal() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).Equal([]int{1, 3, 2}).Bools())
	// Output: [true false false]
}

func ExampleArray_NotEqual() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).NotEqual([]int{1, 3, 2}).Bools())
	// Output: [false true true]
}

func ExampleArray_Less() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).Less([]int{1, 3, 2}).Bools())
	// Output: [false true false]
}

func ExampleArray_LessEqual() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).LessEqual([]int{1, 3, 2}).Bools())
	// Output: [true true false]
}

func ExampleArray_Greater() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).Greater([]int{1, 3, 2}).Bools())
	// Output: [false false true]
}

func ExampleArray_GreaterEqual() {
	fmt.Println(np.FromSlice([]int{1, 2, 3}).GreaterEqual([]int{1, 3, 2}).Bools())
	// Output: [true false true]
}

func ExampleArray_LogicalAnd() {
	fmt.Println(np.FromSlice([]int{1, 2, 0}).LogicalAnd([]bool{true, false, false}).Bools())
	// Output: [true false false]
}

func ExampleArray_LogicalOr() {
	fmt.Println(np.FromSlice([]int{1, 2, 0}).LogicalOr([]bool{true, false, false}).Bools())
	// Output: [true true false]
}

func ExampleArray_LogicalNot() {
	fmt.Println(np.FromSlice([]int{1, 0}).LogicalNot().Bools())
	// Output: [false true]
}

func ExampleArray_AllTrue() {
	fmt.Println(np.FromSlice([]int{1, 0}).AllTrue().Bool())
	// Output: false
}

func ExampleArray_AnyTrue() {
	fmt.Println(np.FromSlice([]int{1, 0}).AnyTrue().Bool())
	// Output: true
}

func ExampleArray_Dense() {
	m := np.Arange(6).Reshape(2, 3).Dense()
	fmt.Println(m.At(1, 2))
	// Output: 5
}
