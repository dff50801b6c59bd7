package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleArgSort() {
	names := np.FromSlice([]string{"Eve", "Bob", "Ada"})
	ages := np.FromSlice([]int{40, 30, 40})
	order := np.ArgSort(ages) // equal ages keep their order
	fmt.Println(order, names.At(order))
	// Output: [1 0 2] ['Bob' 'Eve' 'Ada']
}

func ExampleArgWhere() {
	x := np.From2D([][]int{{1, 8, 2}, {9, 3, 7}})
	fmt.Println(np.ArgWhere(x.Gt(6))) // a row of indices for each
	// Output:
	// [[0 1]
	//  [1 0]
	//  [1 2]]
}

func ExampleBinCount() {
	fmt.Println(np.BinCount([]int{1, 3, 1, 0, 1}))
	fmt.Println(np.BinCount([]int{1, 3, 1, 0, 1}, np.MinLength(6))) // at least 6 counts
	// Output:
	// [1 3 0 1]
	// [1 3 0 1 0 0]
}

func ExampleConvolve() {
	fmt.Println(np.Convolve([]float64{1, 2, 3}, []float64{0, 1, 0.5}))
	fmt.Println(np.Convolve([]int{1, 1}, []int{1, 2, 1})) // (x+1)(x+1)² as coefficients
	// Output:
	// [0.  1.  2.5 4.  1.5]
	// [1 3 3 1]
}

func ExampleCorrelate() {
	x := []int{0, 1, 2, 3, 0}
	at := np.Correlate(x, []int{1, 2, 3}) // where is the pattern?
	fmt.Println(at, at.ArgMax().Int()-2)
	// Output: [ 0  3  8 14  8  3  0] 1
}

func ExampleDiff() {
	x := np.From2D([][]int{{1, 4, 9}, {0, 1, 8}})
	fmt.Println(np.Diff(x))
	fmt.Println(np.Diff(x, 0))
	// Output:
	// [[3 5]
	//  [1 7]]
	// [[-1 -3 -1]]
}

func ExampleDigitize() {
	grades := []float64{50, 70, 90}
	fmt.Println(np.Digitize([]float64{49, 50, 89.5, 100}, grades)) // an edge belongs to the bin above it
	// Output: [0 1 2 3]
}

func ExampleGradient() {
	x := np.Linspace(0, 4, 5)
	fmt.Println(np.Gradient(x.Square(), 1)) // 2x, at the ends only nearly
	fmt.Println(np.Gradient([]int{1, 3, 7}, 0.5))
	// Output:
	// [1. 2. 4. 6. 7.]
	// [4. 6. 8.]
}

func ExampleHistogram() {
	counts, edges := np.Histogram([]float64{1, 2, 2, 3, 5}, 4)
	fmt.Println(counts, edges)                                             // the last bin includes its right edge
	counts, _ = np.Histogram([]float64{1, 2, 2, 3, 5}, 2, np.Limits(0, 4)) // 5 is outside
	fmt.Println(counts)
	// Output:
	// [1 2 1 1] [1. 2. 3. 4. 5.]
	// [1 3]
}

func ExampleInterp() {
	px, py := []float64{0, 10, 20}, []float64{0, 100, 50}
	fmt.Println(np.Interp([]float64{-5, 5, 10, 18, 30}, px, py)) // the end values go on outside
	// Output: [  0.  50. 100.  60.  50.]
}

func ExampleIntersect() {
	fmt.Println(np.Intersect([]int{3, 1, 2, 3}, []int{3, 4, 1}))
	fmt.Println(np.Intersect([]string{"oak", "ash"}, []string{"elm", "oak"}))
	// Output:
	// [1 3]
	// ['oak']
}

func ExampleIsIn() {
	x := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(np.IsIn(x, []int{2, 3, 9}))
	fmt.Println(x.At(np.IsIn(x, []int{2, 3, 9})))
	// Output:
	// [[False  True]
	//  [ True False]]
	// [2 3]
}

func ExampleLimits() {
	counts, edges := np.Histogram([]float64{-3, 1, 1.5, 7}, 2, np.Limits(0, 2))
	fmt.Println(counts, edges)
	// Output: [0 2] [0. 1. 2.]
}

func ExampleMinLength() {
	fmt.Println(np.BinCount([]int{0, 2}, np.MinLength(5)))
	// Output: [1 0 1 0 0]
}

func ExampleDensity() {
	density, _ := np.Histogram([]float64{1, 2, 2, 7}, []int{0, 2, 10}, np.Density())
	fmt.Println(density) // a quarter in a bin of width 2, the rest in one of width 8
	// Output: [0.125   0.09375]
}

func ExampleEdgeOrder() {
	x := np.Arange(4)
	fmt.Println(np.Gradient(x.Square(), 1, np.EdgeOrder(2))) // 2x, at the ends too
	fmt.Println(np.Gradient([]float64{0, 1, 9, 16}, []int{0, 1, 3, 4}, np.EdgeOrder(2)))
	// Output:
	// [0. 2. 4. 6.]
	// [0. 2. 6. 8.]
}

func ExampleLeft() {
	fmt.Println(np.Interp([]float64{-1, 0.5, 3}, []int{0, 1}, []int{2, 4}, np.Left(0)))
	// Output: [0. 3. 4.]
}

func ExampleRight() {
	fmt.Println(np.Interp([]float64{-1, 0.5, 3}, []int{0, 1}, []int{2, 4}, np.Right(0)))
	fmt.Println(np.Digitize([]int{1, 2, 3}, []int{1, 3}))
	fmt.Println(np.Digitize([]int{1, 2, 3}, []int{1, 3}, np.Right(true))) // 1 is in the bin that ends there
	// Output:
	// [2. 3. 0.]
	// [1 1 2]
	// [0 1 1]
}

func ExamplePeriod() {
	heading := np.Interp([]int{-10, 365}, []int{0, 90, 180, 270}, []int{0, 3, 6, 3}, np.Period(360))
	fmt.Println(heading) // 350 degrees is between 270 and 0
	// Output: [0.33333333 0.16666667]
}

func ExampleSorter() {
	x := np.FromSlice([]int{30, 10, 20})
	fmt.Println(np.SearchSorted(x, []int{15, 25}, np.Sorter(x.ArgSort())))
	// Output: [1 2]
}

func ExampleFrequencies() {
	fmt.Println(np.Cov([]int{1, 2, 5}, np.Frequencies([]int{1, 1, 2})))
	fmt.Println(np.Cov([]int{1, 2, 5, 5}))
	// Output:
	// 4.25
	// 4.25
}

func ExampleGradients() {
	x := np.From2D([][]float64{{1, 4, 9}, {2, 5, 10}})
	slopes := np.Gradients(x, []any{1, []int{0, 1, 2}}) // rows are 1 apart, columns at these places
	fmt.Println(slopes[0])
	fmt.Println(slopes[1])
	// Output:
	// [[1. 1. 1.]
	//  [1. 1. 1.]]
	// [[3. 4. 5.]
	//  [3. 4. 5.]]
}
