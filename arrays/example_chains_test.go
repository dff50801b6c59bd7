package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleVDot() {
	fmt.Println(np.VDot([]complex128{1 + 2i, 3}, []complex128{2i, 1}))
	// Output:
	// (7+2j)
}

func ExampleMultiDot() {
	a, b := np.Arange(6).Reshape(2, 3), np.Arange(6).Reshape(3, 2)
	fmt.Println(np.MultiDot(a, b, []int{1, -1}))
	// Output:
	// [ -3 -12]
}

func ExampleTensorSolve() {
	a := np.Eye(6).Mul(2).Reshape(2, 3, 6)
	fmt.Println(np.TensorSolve(a, [][]float64{{1, 2, 3}, {4, 5, 6}}))
	// Output:
	// [0.5 1.  1.5 2.  2.5 3. ]
}

func ExampleTensorInv() {
	fmt.Println(np.TensorInv(np.Eye(6).Reshape(2, 3, 6)).Shape())
	// Output:
	// [6 2 3]
}

func ExampleRoots() {
	fmt.Println(np.Sort(np.Roots([]float64{1, -3, 2}))) // x² - 3x + 2
	// Output:
	// [1.+0.j 2.+0.j]
}

func ExamplePoly() {
	fmt.Println(np.Poly([]float64{1, 2}))
	// Output:
	// [ 1. -3.  2.]
}

func ExamplePolySub() {
	fmt.Println(np.PolySub([]int{1, 2, 3}, []int{1, 1}))
	// Output:
	// [1 1 2]
}

func ExamplePolyDiv() {
	fmt.Println(np.PolyDiv([]int{1, -3, 2, 5}, []int{1, -1}))
	// Output:
	// [ 1. -2.  0.] [5.]
}
