package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleSum() {
	m := np.FromSlice([][]int{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(np.Sum(m), np.Sum(m, np.Axis(0)), np.Sum(m, np.Axis(1)))
	fmt.Println(np.Sum(m.Gt(2))) // how many are above 2
	fmt.Println(np.Sum([]uint8{200, 100}), np.Sum([]float64{}))
	// Output:
	// 21 [5 7 9] [ 6 15]
	// 4
	// 300 0.0
}

func ExampleProd() {
	m := [][]int{{1, 2}, {3, 4}}
	fmt.Println(np.Prod(m), np.Prod(m, np.Axis(0)))
	fmt.Println(np.Prod([]float64{})) // of nothing
	// Output:
	// 24 [3 8]
	// 1.0
}

func ExampleMean() {
	m := np.FromSlice([][]int{{1, 2, 3}, {5, 5, 8}})
	fmt.Println(np.Mean(m), np.Mean(m, np.Axis(1)))
	fmt.Println(m.Sub(np.Mean(m, np.Axis(1), np.KeepDims()))) // each row less its mean
	// Output:
	// 4.0 [2. 6.]
	// [[-1.  0.  1.]
	//  [-1. -1.  2.]]
}

func ExampleVar() {
	x := []float64{1, 2, 3, 4}
	fmt.Println(np.Var(x), np.Var(x, np.DDof(1)).Round(4)) // of all there is; estimated from a sample
	// Output: 1.25 1.6667
}

func ExampleStd() {
	m := np.FromSlice([][]float64{{1, 3}, {2, 6}})
	fmt.Println(np.Std(m, np.Axis(0)), np.Std(m, np.Axis(1)))
	// Output: [0.5 1.5] [1. 2.]
}

func ExampleMin() {
	m := np.FromSlice([][]float64{{4, 1}, {3, math.NaN()}})
	fmt.Println(np.Min(m), np.Min(m, np.Axis(1)), np.NanMin(m))
	// Output: nan [ 1. nan] 1.0
}

func ExamplePtp() {
	m := np.FromSlice([][]int{{1, 9}, {5, 7}})
	fmt.Println(np.Ptp(m), np.Ptp(m, np.Axis(1)))
	// Output: 8 [8 2]
}

func ExampleMedian() {
	fmt.Println(np.Median([]int{1, 2, 100}), np.Median([]int{1, 2, 3, 100}))
	m := [][]float64{{1, 9}, {2, 5}, {3, 7}}
	fmt.Println(np.Median(m, 0), np.Median(m, np.Axis(0, 1), np.KeepDims()))
	// Output:
	// 2.0 2.5
	// [2. 7.] [[4.]]
}

func ExampleQuantile() {
	x := []float64{1, 2, 3, 4}
	fmt.Println(np.Quantile(x, 0.25), np.Quantile(x, 0.5), np.Quantile(x, 1)) // between elements too
	fmt.Println(np.Quantile([][]int{{1, 2, 3}, {10, 20, 40}}, 0.75, 1))
	fmt.Println(np.Quantile(x, []float64{0.25, 0.75}, np.QuantileHazen))
	// Output:
	// 1.75 2.5 4.0
	// [ 2.5 30. ]
	// [1.5 3.5]
}

func ExampleWeights() {
	wages, people := []int{20, 30, 90}, []int{8, 5, 2}
	fmt.Println(np.Quantile(wages, 0.5, np.Weights(people), np.QuantileInvertedCDF)) // of half of the people
	// Output: 20
}

func ExamplePercentile() {
	x := np.Arange(101).Mul(2)
	fmt.Println(np.Percentile(x, 5), np.Percentile(x, 95))
	// Output: 10.0 190.0
}

func ExampleNorm() {
	points := np.FromSlice([][]float64{{3, 4}, {6, 8}})
	fmt.Println(np.Norm(points, 1)) // the length of each row
	fmt.Println(np.Norm([]complex128{3i, 4}))
	// Output:
	// [ 5. 10.]
	// 5.0
}

func ExampleVectorNorm() {
	x := []float64{3, 0, -4}
	fmt.Println(np.VectorNorm(x, 2), np.VectorNorm(x, 1), np.VectorNorm(x, math.Inf(1)), np.VectorNorm(x, 0))
	fmt.Println(np.VectorNorm(np.Ones(2, 3, 4), 1, np.Axis(0, 2)))
	// Output:
	// 5.0 7.0 4.0 2.0
	// [8. 8. 8.]
}

func ExampleTrapezoid() {
	h := 0.5
	x := np.Arange(0, 2.25, h)
	fmt.Println(np.Trapezoid(x.Square(), h)) // the integral is 8/3
	// Output: 2.75
}

func ExampleReduce() {
	m := np.FromSlice([][]int{{1, 2}, {4, 8}})
	fmt.Println(np.Reduce(np.ReduceMax, m, np.Axis(1)))
	fmt.Println(np.Reduce(func(a, b int64) int64 { return a | b }, m)) // NumPy's bitwise_or.reduce
	// Output:
	// [2 8]
	// 15
}
