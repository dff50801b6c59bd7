package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleNanSum() {
	m := np.FromSlice([][]float64{{1, math.NaN()}, {3, 4}})
	fmt.Println(np.Sum(m, np.Axis(0)), np.NanSum(m, np.Axis(0)))
	// Output: [ 4. nan] [4. 4.]
}

func ExampleNanProd() {
	fmt.Println(np.NanProd([]float64{2, math.NaN(), 5}))
	fmt.Println(np.NanProd([]float64{math.NaN()})) // NaN counts as 1
	// Output:
	// 10.0
	// 1.0
}

func ExampleNanMean() {
	m := np.FromSlice([][]float64{{1, math.NaN(), 3}, {math.NaN(), math.NaN(), math.NaN()}})
	fmt.Println(np.NanMean(m, np.Axis(1))) // the second row has no elements that count
	// Output: [ 2. nan]
}

func ExampleNanVar() {
	x := []float64{1, math.NaN(), 3}
	fmt.Println(np.NanVar(x), np.NanVar(x, np.DDof(1)))
	// Output: 1.0 2.0
}

func ExampleNanStd() {
	m := np.FromSlice([][]float64{{1, 3}, {math.NaN(), 7}})
	fmt.Println(np.NanStd(m, np.Axis(0)))
	// Output: [0. 2.]
}

func ExampleNanMax() {
	x := np.FromSlice([]float64{2, math.NaN(), 7})
	fmt.Println(np.Max(x), np.NanMax(x))
	fmt.Println(np.NanMax([]float64{math.NaN()})) // where NumPy warns
	// Output:
	// nan 7.0
	// nan
}

func ExampleNanMin() {
	x := np.FromSlice([]float64{2, math.NaN(), 7})
	fmt.Println(np.Min(x), np.NanMin(x))
	// Output: nan 2.0
}

func ExampleNanArgMax() {
	x := np.FromSlice([]float64{2, math.NaN(), 7})
	fmt.Println(np.ArgMax(x), np.NanArgMax(x)) // ArgMax finds the NaN
	// Output: 1 2
}

func ExampleNanArgMin() {
	m := np.FromSlice([][]float64{{math.NaN(), 5, 1}, {4, math.NaN(), 6}})
	fmt.Println(np.NanArgMin(m), np.NanArgMin(m, np.Axis(1)))
	// Output: 2 [2 0]
}

func ExampleNanMedian() {
	x := []float64{1, math.NaN(), 3, 100}
	fmt.Println(np.Median(x), np.NanMedian(x))
	// Output: nan 3.0
}

func ExampleNanQuantile() {
	m := [][]float64{{1, 2, 3}, {10, math.NaN(), 20}}
	fmt.Println(np.NanQuantile(m, 0.5, 1))
	// Output: [ 2. 15.]
}

func ExampleNanCumSum() {
	x := []float64{1, math.NaN(), 3}
	fmt.Println(np.CumSum(x), np.NanCumSum(x))
	// Output: [ 1. nan nan] [1. 1. 4.]
}

func ExampleNanCumProd() {
	m := [][]float64{{2, math.NaN(), 5}, {1, 2, 3}}
	fmt.Println(np.NanCumProd(m, 1))
	// Output:
	// [[ 2.  2. 10.]
	//  [ 1.  2.  6.]]
}
