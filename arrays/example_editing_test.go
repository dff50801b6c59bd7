package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleDelete() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(np.Delete(m, 1, 0))
	fmt.Println(np.Delete(m, []int{0, -1}, 1))
	fmt.Println(np.Delete(m, np.S(0, 12, 2))) // of the flattened array
	// Output:
	// [[ 0  1  2  3]
	//  [ 8  9 10 11]]
	// [[ 1  2]
	//  [ 5  6]
	//  [ 9 10]]
	// [ 1  3  5  7  9 11]
}

func ExampleInsert() {
	fmt.Println(np.Insert([]int{1, 2, 3}, 1, 99))
	fmt.Println(np.Insert([]int{1, 2, 3}, []int{0, 3}, []int{10, 20})) // before the first and behind the last
	fmt.Println(np.Insert([][]int{{1, 2}, {3, 4}}, 1, []int{8, 9}, 1))
	// Output:
	// [ 1 99  2  3]
	// [10  1  2  3 20]
	// [[1 8 2]
	//  [3 9 4]]
}

func ExampleResize() {
	fmt.Println(np.Resize([]int{1, 2, 3}, 2, 4))
	// Output:
	// [[1 2 3 1]
	//  [2 3 1 2]]
}

func ExampleTrimZeros() {
	x := []int{0, 0, 3, 0, 5, 0}
	fmt.Println(np.TrimZeros(x), np.TrimZeros(x, "f"))
	// Output:
	// [3 0 5] [3 0 5 0]
}

func ExampleEDiff1D() {
	fmt.Println(np.EDiff1D([][]int{{1, 4}, {9, 16}}))
	// Output:
	// [3 5 7]
}
