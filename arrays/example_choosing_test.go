package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleExtract() {
	x := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Extract(np.Remainder(x, 3).Eq(0), x))
	// Output:
	// [0 3]
}

func ExampleCompress() {
	fmt.Println(np.Compress([]bool{false, true}, [][]int{{1, 2}, {3, 4}, {5, 6}}, 0))
	// Output:
	// [[3 4]]
}

func ExampleChoose() {
	fmt.Println(np.Choose([]int{2, 0, 1}, []int{1, 2, 3}, []int{10, 20, 30}, -1))
	// Output:
	// [-1  2 30]
}

func ExamplePiecewise() {
	x := np.Linspace(-2, 2, 5)
	fmt.Println(np.Piecewise(x, []any{x.Lt(0), x.Ge(1)}, -1, func(v *np.Array) *np.Array { return v.Mul(10) }))
	// Output:
	// [-1. -1.  0. 10. 20.]
}

func ExamplePutAlongAxis() {
	m := np.FromSlice([]int{10, 30, 20, 60, 40, 50}, 2, 3)
	np.PutAlongAxis(m, np.ArgMax(m, np.Axis(1), np.KeepDims()), 99, 1)
	fmt.Println(m)
	// Output:
	// [[10 99 20]
	//  [99 40 50]]
}

func ExampleApplyAlongAxis() {
	m := [][]float64{{8, 1, 7}, {4, 3, 9}}
	fmt.Println(np.ApplyAlongAxis(np.Median, 1, m)) // np.Median(m, 1) is faster
	fmt.Println(np.ApplyAlongAxis(func(v *np.Array) float64 { return v.Float64(0) - v.Float64(-1) }, 0, m))
	fmt.Println(np.ApplyAlongAxis(func(v *np.Array) *np.Array { return np.CumSum(v).At(np.From(1)) }, 1, m))
	// Output:
	// [7. 4.]
	// [ 4. -2. -2.]
	// [[ 9. 16.]
	//  [ 7. 16.]]
}

func ExampleLexSort() {
	surnames, names := []string{"Hertz", "Galilei", "Hertz"}, []string{"Heinrich", "Galileo", "Gustav"}
	fmt.Println(np.LexSort(names, surnames)) // by surname first
	// Output:
	// [1 2 0]
}

func ExamplePartition() {
	fmt.Println(np.Partition([]int{7, 1, 5, 3}, 2).At(2))
	fmt.Println(np.Partition([]int{7, 1, 5, 3}, -1).At(-1)) // the largest
	// Output:
	// 5
	// 7
}

func ExampleArgPartition() {
	x := np.FromSlice([]int{7, 1, 5, 3})
	fmt.Println(x.At(np.ArgPartition(x, 2)).At(2))
	// Output:
	// 5
}
