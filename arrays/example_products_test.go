package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleMatrixTranspose() {
	stack := np.Arange(12).Reshape(2, 2, 3)
	fmt.Println(np.MatrixTranspose(stack).At(0))
	fmt.Println(np.MatrixTranspose(stack).Shape(), stack.T().Shape()) // T turns all axes round
	// Output:
	// [[0 3]
	//  [1 4]
	//  [2 5]]
	// [2 3 2] [3 2 2]
}

func ExampleOuter() {
	fmt.Println(np.Outer([]int{1, 2, 3}, []int{1, 10}))
	// Output:
	// [[ 1 10]
	//  [ 2 20]
	//  [ 3 30]]
}

func ExampleVecDot() {
	a := [][]float64{{1, 0}, {1, 1}}
	fmt.Println(np.VecDot(a, []float64{3, 4})) // of each row
	fmt.Println(np.VecDot([]complex128{1i}, []complex128{1i}))
	// Output:
	// [3. 7.]
	// (1+0j)
}

func ExampleTensorDot() {
	a, b := np.Arange(24).Reshape(2, 3, 4), np.Arange(12).Reshape(3, 4)
	fmt.Println(np.TensorDot(a, b, 2)) // the last 2 axes of a with the first 2 of b
	fmt.Println(np.TensorDot(a, b, [][]int{{1}, {0}}).Shape())
	// Output:
	// [ 506 1298]
	// [2 4 4]
}

func ExampleTrace() {
	m := np.Arange(9).Reshape(3, 3)
	fmt.Println(np.Trace(m), np.Trace(np.Ones(4, 2, 2), -2, -1)) // of each matrix of a stack
	// Output: 12 [2. 2. 2. 2.]
}
