package stat_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/stat"
)

var (
	x = np.FromSlice([]float64{1, 2, 4, 9})
	y = np.FromSlice([]float64{2, 3, 5, 10})
)

func ExampleMean() {
	fmt.Println(stat.Mean(x, nil), stat.Mean(x, []float64{1, 1, 1, 0}).Float64() < 3)
	// Output: 4.0 true
}

func ExampleVariance() {
	fmt.Printf("%.3f\n", stat.Variance(x, nil).Float64())
	// Output: 12.667
}

func ExampleStdDev() {
	fmt.Printf("%.3f\n", stat.StdDev(x, nil).Float64())
	// Output: 3.559
}

func ExampleCovariance() {
	fmt.Printf("%.3f\n", stat.Covariance(x, y, nil).Float64())
	// Output: 12.667
}

func ExampleCorrelation() {
	fmt.Printf("%.3f\n", stat.Correlation(x, y, nil).Float64())
	// Output: 1.000
}

func ExampleSkew() {
	fmt.Println(stat.Skew([]float64{1, 2, 3}, nil))
	// Output: 0.0
}

func ExampleExKurtosis() {
	fmt.Printf("%.3f\n", stat.ExKurtosis([]float64{1, 2, 3, 4}, nil).Float64())
	// Output: -1.200
}

func ExampleQuantile() {
	fmt.Println(stat.Quantile(0.5, stat.Empirical, np.Sort(x), nil))
	// Output: 2.0
}
