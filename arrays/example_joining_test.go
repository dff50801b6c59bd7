package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleAppend() {
	fmt.Println(np.Append([]int{1, 2}, 3))
	fmt.Println(np.Append([][]int{{1, 2}, {3, 4}}, []float64{0.5})) // a list always; Concat goes along an axis
	// Output:
	// [1 2 3]
	// [1.  2.  3.  4.  0.5]
}

func ExampleArraySplit() {
	for _, part := range np.ArraySplit(np.Arange(7), 3, 0) {
		fmt.Println(part)
	}
	// Output:
	// [0 1 2]
	// [3 4]
	// [5 6]
}

func ExampleBroadcastArrays() {
	grid := np.BroadcastArrays([]int{1, 2, 3}, np.FromSlice([]int{10, 20}).Reshape(2, 1))
	fmt.Println(grid[0])
	fmt.Println(grid[1])
	// Output:
	// [[1 2 3]
	//  [1 2 3]]
	// [[10 10 10]
	//  [20 20 20]]
}

func ExampleBroadcastShapes() {
	fmt.Println(np.BroadcastShapes([]int{5, 1, 4}, []int{3, 1}))
	fmt.Println(np.BroadcastShapes([]int{2, 3}, []int{2}))
	// Output:
	// [5 3 4] <nil>
	// [] shapes (2,3) and (2,) do not broadcast: axis 1 has 3 and 2; sizes must be equal or 1, so reshape one or add an axis with At(All, NewAxis)
}

func ExampleBroadcastTo() {
	x := np.BroadcastTo([]int{1, 2, 3}, 2, 3)
	fmt.Println(x)
	fmt.Println(x.Layout().Strides) // both rows are the same memory
	// Output:
	// [[1 2 3]
	//  [1 2 3]]
	// [0 1]
}

func ExampleConcat() {
	a := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(np.Concat(0, a, [][]int{{5, 6}}))
	fmt.Println(np.Concat(1, a, [][]float64{{0.5}, {1.5}})) // dtypes are promoted
	// Output:
	// [[1 2]
	//  [3 4]
	//  [5 6]]
	// [[1.  2.  0.5]
	//  [3.  4.  1.5]]
}

func ExampleFlip() {
	x := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Flip(x))
	fmt.Println(np.Flip(x, 1)) // within the rows only
	// Output:
	// [[5 4 3]
	//  [2 1 0]]
	// [[2 1 0]
	//  [5 4 3]]
}

func ExampleFrom() {
	x := np.Arange(6)
	fmt.Println(x.At(np.From(2)), x.At(np.From(-2)))
	// Output: [2 3 4 5] [4 5]
}

func ExampleHStack() {
	fmt.Println(np.HStack([]int{1, 2}, []int{3}, 4))
	fmt.Println(np.HStack(np.Eye(2), [][]int{{7}, {8}})) // matrices side by side
	// Output:
	// [1 2 3 4]
	// [[1. 0. 7.]
	//  [0. 1. 8.]]
}
