package lazy_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

func Example() {
	before := np.Stats().Launches
	x := np.Linspace(0, 1, 5)
	y := x.Mul(2).Add(1).Sqrt()
	fmt.Println(y.Shape(), y.DType(), "kernels:", np.Stats().Launches-before)
	fmt.Println(y)
	// Output:
	// [5] float64 kernels: 0
	// [1.         1.22474487 1.41421356 1.58113883 1.73205081]
}

func ExampleArray_At() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(m.At(1))
	fmt.Println(m.At(np.All, -1))
	fmt.Println(m.At(np.S(0, 2), np.S(0, np.End, 2)))
	// Output:
	// [4 5 6 7]
	// [ 3  7 11]
	// [[0 2]
	//  [4 6]]
}

func ExampleWhere() {
	x := np.FromSlice([]float64{-2, -1, 0, 1, 2})
	fmt.Println(np.Where(x.Lt(0), 0, x))
	// Output: [0. 0. 0. 1. 2.]
}

func ExampleArray_Mean() {
	m := np.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(m.Mean(), m.Mean(np.Axis(0)), m.Sub(m.Mean(np.Axis(1), np.KeepDims())))
	// Output:
	// 3.5 [2.5 3.5 4.5] [[-1.  0.  1.]
	//  [-1.  0.  1.]]
}
