package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleNonZero() {
	m := np.FromSlice([][]int{{0, 7, 0}, {8, 0, 9}})
	at := np.NonZero(m)
	fmt.Println(at[0], at[1])
	fmt.Println(m.At(at[0], at[1]))
	// Output:
	// [0 1 1] [1 0 2]
	// [7 8 9]
}

func ExampleSelect() {
	x := np.Arange(-3, 4)
	small, positive := x.Abs().Le(1), x.Gt(0)
	fmt.Println(np.Select([]any{small, positive}, []any{0, x.Mul(10)}, -1)) // the first that is true counts
	// Output: [-1 -1  0  0  0 20 30]
}

func ExampleTake() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(np.Take(m, []int{0, -1}, 1)) // the first and the last column
	fmt.Println(np.Take(m, []int{0, -1}))    // of the flattened array
	// Output:
	// [[ 0  3]
	//  [ 4  7]
	//  [ 8 11]]
	// [ 0 11]
}

func ExampleTakeAlongAxis() {
	scores := np.FromSlice([][]int{{3, 9, 5}, {8, 1, 2}})
	order := np.ArgSort(scores, 1)
	fmt.Println(np.TakeAlongAxis(scores, order, 1))
	best := np.ArgMax(scores, np.Axis(1), np.KeepDims())
	fmt.Println(np.TakeAlongAxis(scores, best, 1))
	// Output:
	// [[3 5 9]
	//  [1 2 8]]
	// [[9]
	//  [8]]
}

func ExampleSort() {
	m := np.FromSlice([][]float64{{3, math.NaN(), 1}, {2, 0, 5}})
	fmt.Println(np.Sort(m)) // each row; NaN comes last
	fmt.Println(np.Sort(m, 0))
	fmt.Println(np.Sort([]string{"pear", "fig", "apple"}))
	// Output:
	// [[ 1.  3. nan]
	//  [ 0.  2.  5.]]
	// [[ 2.  0.  1.]
	//  [ 3. nan  5.]]
	// ['apple' 'fig' 'pear']
}

func ExampleSearchSorted() {
	limits := []float64{10, 20, 30}
	fmt.Println(np.SearchSorted(limits, []float64{5, 20, 25, 99}))
	// Output: [0 1 2 3]
}

func ExampleSearchSortedRight() {
	x := []int{1, 2, 2, 2, 3}
	lo, hi := np.SearchSorted(x, 2), np.SearchSortedRight(x, 2)
	fmt.Println(lo, hi, hi.Sub(lo)) // how many are 2
	// Output: 1 4 3
}

func ExampleUnique() {
	fmt.Println(np.Unique([][]int{{3, 1, 3}, {2, 1, 1}}))
	fmt.Println(np.Unique([]string{"oak", "ash", "oak"}))
	fmt.Println(np.Unique([]float64{math.NaN(), 1, math.NaN()}))
	// Output:
	// [1 2 3]
	// ['ash' 'oak']
	// [ 1. nan]
}

func ExampleUniqueCounts() {
	values, counts := np.UniqueCounts([]string{"oak", "ash", "oak", "elm", "oak"})
	fmt.Println(values, counts)
	fmt.Println(values.At(counts.ArgMax())) // the most frequent
	// Output:
	// ['ash' 'elm' 'oak'] [1 1 3]
	// oak
}

func ExampleUniqueInverse() {
	x := np.FromSlice([]string{"oak", "ash", "oak"})
	values, codes := np.UniqueInverse(x)
	fmt.Println(values, codes, np.Take(values, codes))
	// Output: ['ash' 'oak'] [1 0 1] ['oak' 'ash' 'oak']
}

func ExampleUniqueAll() {
	values, first, inverse, counts := np.UniqueAll([]int{7, 5, 7, 9, 5, 7})
	fmt.Println(values, first, inverse, counts)
	// Output: [5 7 9] [1 0 3] [1 0 1 2 0 1] [2 3 1]
}

func ExampleUnion() {
	fmt.Println(np.Union([]int{3, 1, 3}, []int{2, 3}))
	// Output: [1 2 3]
}

func ExampleSetDiff() {
	planned, done := []string{"a", "b", "c", "d"}, []string{"b", "d", "e"}
	fmt.Println(np.SetDiff(planned, done), np.SetDiff(done, planned))
	// Output: ['a' 'c'] ['e']
}

func ExampleSetXor() {
	fmt.Println(np.SetXor([]int{1, 2, 3}, []int{3, 4}))
	// Output: [1 2 4]
}
