package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Running results, joins, picks, products and reductions into an array that exists.

func ExampleOut_CumSum() {
	x := np.FromSlice([]float64{1, 2, 3, 4})
	np.Into(x).CumSum(x) // in place
	fmt.Println(x)
	// Output: [ 1.  3.  6. 10.]
}

func ExampleOut_CumProd() {
	fmt.Println(np.Into(np.New(np.Int64, 2, 3)).CumProd([][]int{{1, 2, 3}, {4, 5, 6}}, 0))
	// Output:
	// [[ 1  2  3]
	//  [ 4 10 18]]
}

func ExampleOut_Concat() {
	z := np.New(np.Int64, 2, 4)
	fmt.Println(np.Into(z.At(0)).Concat(0, []int{1, 2, 3}, []int{4}))
	fmt.Println(z)
	// Output:
	// [1 2 3 4]
	// [[1 2 3 4]
	//  [0 0 0 0]]
}

func ExampleOut_Stack() {
	fmt.Println(np.Into(np.New(np.Int64, 2, 2)).Stack(1, []int{1, 2}, []int{3, 4}))
	// Output:
	// [[1 3]
	//  [2 4]]
}

func ExampleOut_Take() {
	x := np.FromSlice([]float64{10, 20, 30})
	fmt.Println(np.Into(np.Zeros(4)).Take(x, []int{2, 0, 0, -1}))
	// Output: [30. 10. 10. 30.]
}

func ExampleOut_MatMul() {
	a, z := np.Arange(4.0).Reshape(2, 2), np.Zeros(2, 2)
	fmt.Println(np.Into(z).MatMul(a, a))
	// Output:
	// [[ 2.  3.]
	//  [ 6. 11.]]
}

func ExampleOut_Dot() {
	fmt.Println(np.Into(np.New(np.Int64)).Dot([]int{1, 2, 3}, []int{4, 5, 6}))
	// Output: 32
}

func ExampleOut_Sum() {
	m := np.Arange(6.0).Reshape(2, 3)
	fmt.Println(np.Into(np.Zeros(3)).Sum(m, np.Axis(0)))
	// Output: [3. 5. 7.]
}

func ExampleOut_Prod() {
	m := np.Arange(6.0).Reshape(2, 3)
	fmt.Println(np.Into(np.Zeros(2)).Prod(m, np.Axis(1)))
	// Output: [ 0. 60.]
}

func ExampleOut_Mean() {
	m := np.Arange(6.0).Reshape(2, 3)
	fmt.Println(np.Into(np.Zeros(2, 1)).Mean(m, np.Axis(1), np.KeepDims()))
	// Output:
	// [[1.]
	//  [4.]]
}

func ExampleOut_Min() {
	m := np.Arange(6.0).Reshape(2, 3)
	fmt.Println(np.Into(np.Zeros(2)).Min(m, np.Axis(1)))
	// Output: [0. 3.]
}

func ExampleOut_Max() {
	m := np.Arange(6.0).Reshape(2, 3)
	fmt.Println(np.Into(np.Zeros(2)).Max(m, np.Axis(1)))
	// Output: [2. 5.]
}

func ExampleLayout_Receives() {
	l := np.Contiguous(2, 3)
	row := np.Spec{DType: np.Float64, Shape: []int{3}}
	fmt.Println(l.Receives(row, np.Float32, true)) // both rows
	fmt.Println(l.Receives(row, np.Float32, false))
	fmt.Println(l.Receives(row, np.Int64, true))
	// Output:
	// <nil>
	// the result has shape (3,) and is not written into an array of shape (2,3); write into one of shape (3,)
	// the result, of float64, is not written into an array of int64; write into one of float64, or convert and assign it: z.Set(result.AsType(z.DType()))
}
