package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleIndices() {
	fmt.Println(np.Indices(2, 3))
	// Output:
	// [[[0 0 0]
	//   [1 1 1]]
	//
	//  [[0 1 2]
	//   [0 1 2]]]
}

func ExampleFromFunction() {
	fmt.Println(np.FromFunction(func(i, j int) int { return 10*i + j }, 2, 3))
	fmt.Println(np.FromFunction(func(i, j *np.Array) *np.Array { return i.Eq(j) }, 2, 2))
	// Output:
	// [[ 0  1  2]
	//  [10 11 12]]
	// [[ True False]
	//  [False  True]]
}

func ExampleTri() {
	fmt.Println(np.Tri(3, 4, 1))
	// Output:
	// [[1. 1. 0. 0.]
	//  [1. 1. 1. 0.]
	//  [1. 1. 1. 1.]]
}

func ExampleTrilIndices() {
	m := np.Arange(9).Reshape(3, 3)
	fmt.Println(m.At(np.TrilIndices(3)))
	rows, columns := np.TrilIndices(3, -1)
	m.Set(-1, rows, columns)
	fmt.Println(m)
	// Output:
	// [0 3 4 6 7 8]
	// [[ 0  1  2]
	//  [-1  4  5]
	//  [-1 -1  8]]
}

func ExampleTriuIndices() {
	fmt.Println(np.Arange(9).Reshape(3, 3).At(np.TriuIndices(3, 1)))
	// Output:
	// [1 2 5]
}

func ExampleDiagFlat() {
	fmt.Println(np.DiagFlat([][]int{{1, 2}, {3, 4}}, -1))
	// Output:
	// [[0 0 0 0 0]
	//  [1 0 0 0 0]
	//  [0 2 0 0 0]
	//  [0 0 3 0 0]
	//  [0 0 0 4 0]]
}

func ExampleFillDiagonal() {
	m := np.Zeros(3, 4)
	np.FillDiagonal(m, []int{1, 2, 3})
	fmt.Println(m)
	// Output:
	// [[1. 0. 0. 0.]
	//  [0. 2. 0. 0.]
	//  [0. 0. 3. 0.]]
}

func ExampleFlatNonZero() {
	fmt.Println(np.FlatNonZero([][]int{{0, 5}, {7, 0}}))
	// Output:
	// [1 2]
}

func ExampleIx() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(m.At(np.Ix([]int{0, 2}, []int{1, 3})...))
	fmt.Println(m.At(np.Ix([]bool{true, false, true}, []int{3, 0})...))
	// Output:
	// [[ 1  3]
	//  [ 9 11]]
	// [[ 3  0]
	//  [11  8]]
}

func ExampleUnravelIndex() {
	at := np.UnravelIndex([]int{5, 22}, 4, 6)
	fmt.Println(at[0], at[1])
	// Output:
	// [0 3] [5 4]
}

func ExampleRavelMultiIndex() {
	fmt.Println(np.RavelMultiIndex([][]int{{0, 3}, {5, 4}}, 4, 6))
	// Output:
	// [ 5 22]
}
