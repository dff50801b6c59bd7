package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleFlipLR() {
	fmt.Println(np.FlipLR([][]int{{1, 2, 3}, {4, 5, 6}}))
	// Output:
	// [[3 2 1]
	//  [6 5 4]]
}

func ExampleFlipUD() {
	fmt.Println(np.FlipUD([][]int{{1, 2, 3}, {4, 5, 6}}))
	// Output:
	// [[4 5 6]
	//  [1 2 3]]
}

func ExampleAtLeast1D() {
	fmt.Println(np.AtLeast1D(2.5), np.AtLeast1D([]int{1, 2}))
	// Output:
	// [2.5] [1 2]
}

func ExampleAtLeast2D() {
	fmt.Println(np.AtLeast2D([]int{1, 2, 3}))
	// Output:
	// [[1 2 3]]
}

func ExampleAtLeast3D() {
	fmt.Println(np.AtLeast3D([]int{1, 2}))
	// Output:
	// [[[1]
	//   [2]]]
}

func ExampleColumnStack() {
	fmt.Println(np.ColumnStack([]int{1, 2, 3}, []int{10, 20, 30}))
	// Output:
	// [[ 1 10]
	//  [ 2 20]
	//  [ 3 30]]
}

func ExampleDStack() {
	fmt.Println(np.DStack([][]int{{1, 2}, {3, 4}}, [][]int{{5, 6}, {7, 8}}))
	// Output:
	// [[[1 5]
	//   [2 6]]
	//
	//  [[3 7]
	//   [4 8]]]
}

func ExampleBlock() {
	a, b := np.Eye(2), np.Full(3.0, 2, 1)
	fmt.Println(np.Block([][]any{{a, b}, {np.Zeros(1, 2), 7.0}}))
	// Output:
	// [[1. 0. 3.]
	//  [0. 1. 3.]
	//  [0. 0. 7.]]
}

func ExampleHSplit() {
	m := np.Arange(8).Reshape(2, 4)
	for _, part := range np.HSplit(m, 2) {
		fmt.Println(part)
	}
	fmt.Println(np.HSplit(m, []int{1, 3})[1]) // the columns 1 and 2
	// Output:
	// [[0 1]
	//  [4 5]]
	// [[2 3]
	//  [6 7]]
	// [[1 2]
	//  [5 6]]
}

func ExampleVSplit() {
	for _, part := range np.VSplit(np.Arange(8).Reshape(4, 2), 2) {
		fmt.Println(part)
	}
	// Output:
	// [[0 1]
	//  [2 3]]
	// [[4 5]
	//  [6 7]]
}

func ExampleDSplit() {
	parts := np.DSplit(np.Arange(8).Reshape(2, 2, 2), 2)
	fmt.Println(parts[0].Shape(), parts[1].Ravel())
	// Output:
	// [2 2 1] [1 3 5 7]
}
