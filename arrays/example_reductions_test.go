package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleAllTrue() {
	passed := np.From2D([][]bool{{true, true}, {true, false}})
	fmt.Println(np.AllTrue(passed), np.AllTrue(passed, np.Axis(1)))
	fmt.Println(np.AllTrue([]float64{})) // nothing is against it
	// Output:
	// False [ True False]
	// True
}

func ExampleAnyTrue() {
	x := np.From2D([][]int{{0, 0}, {0, 3}})
	fmt.Println(np.AnyTrue(x), np.AnyTrue(x, np.Axis(0)), np.AnyTrue(x.Lt(0)))
	// Output: True [False  True] False
}

func ExampleArgMax() {
	x := np.From2D([][]int{{1, 9, 3}, {9, 5, 6}})
	fmt.Println(np.ArgMax(x), np.ArgMax(x, np.Axis(1))) // the first of equals, in C order
	fmt.Println(np.ArgMax([]float64{1, math.NaN(), 3}))
	// Output:
	// 1 [1 0]
	// 1
}

func ExampleArgMin() {
	x := np.From2D([][]int{{4, 2, 8}, {3, 7, 1}})
	i := np.ArgMin(x).Int() // an index of the flattened array
	fmt.Println(i, i/3, i%3, np.ArgMin(x, np.Axis(0)))
	// Output: 5 1 2 [1 0 1]
}

func ExampleAverage() {
	fmt.Println(np.Average([]float64{1, 2, 6}, []float64{3, 1, 1}), np.Mean([]float64{1, 2, 6}))
	marks := np.From2D([][]float64{{1, 2}, {3, 6}})
	fmt.Println(np.Average(marks, []float64{3, 1}, np.Axis(1)))
	// Output:
	// 2.2 3.0
	// [1.25 3.75]
}

func ExampleAxis() {
	x := np.Arange(24).Reshape(2, 3, 4)
	fmt.Println(np.Sum(x, np.Axis(0)).Shape(), np.Sum(x, np.Axis(-1)).Shape())
	fmt.Println(np.Sum(x, np.Axis(0, 2)))
	// Output:
	// [3 4] [2 3]
	// [ 60  92 124]
}

func ExampleCorrCoef() {
	heights := []float64{150, 160, 170, 180}
	weights := []float64{50, 58, 71, 77}
	fmt.Println(np.CorrCoef([][]float64{heights, weights}).Round(3)) // one variable in each row
	// Output:
	// [[1.    0.991]
	//  [0.991 1.   ]]
}

func ExampleCountNonZero() {
	x := np.From2D([][]int{{0, 5, 0}, {7, 8, 9}})
	fmt.Println(np.CountNonZero(x), np.CountNonZero(x.Gt(7)), np.CountNonZero(x, np.Axis(1)))
	// Output: 4 2 [1 3]
}

func ExampleCov() {
	fmt.Println(np.Cov([][]float64{{1, 2, 3}, {6, 4, 2}})) // variables in the rows, divided by n-1
	fmt.Println(np.Cov([]float64{1, 2, 3}))
	// Output:
	// [[ 1. -2.]
	//  [-2.  4.]]
	// 1.0
}

func ExampleCumMax() {
	fmt.Println(np.CumMax([]float64{3, 1, 4, 1, 5}), np.CumMax([]float64{3, math.NaN(), 4}))
	// Output: [3. 3. 4. 4. 5.] [ 3. nan nan]
}

func ExampleCumMin() {
	prices := np.FromSlice([]int{5, 3, 4, 1, 2})
	fmt.Println(np.CumMin(prices), prices.Sub(np.CumMin(prices)).Max()) // the best gain
	// Output: [5 3 3 1 1] 1
}

func ExampleCumProd() {
	fmt.Println(np.CumProd([]int{1, 2, 3, 4, 5}))
	fmt.Println(np.CumProd([][]int{{1, 2}, {3, 4}}, 0))
	// Output:
	// [  1   2   6  24 120]
	// [[1 2]
	//  [3 8]]
}

func ExampleDDof() {
	x := []float64{1, 2, 3, 4}
	fmt.Println(np.Var(x), np.Var(x, np.DDof(1)).Round(6)) // all there are, or a sample
	// Output: 1.25 1.666667
}

func ExampleKeepDims() {
	x := np.From2D([][]float64{{1, 3}, {2, 2}})
	rows := x.Sum(np.Axis(1), np.KeepDims())
	fmt.Println(rows.Shape())
	fmt.Println(x.Div(rows)) // the parts of each row
	// Output:
	// [2 1]
	// [[0.25 0.75]
	//  [0.5  0.5 ]]
}
