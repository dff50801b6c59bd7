package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleBartlett() {
	fmt.Println(np.Bartlett(5))
	// Output:
	// [0.  0.5 1.  0.5 0. ]
}

func ExampleKaiser() {
	fmt.Println(np.Round(np.Kaiser(5, 14), 6))
	// Output:
	// [8.00000e-06 1.64932e-01 1.00000e+00 1.64932e-01 8.00000e-06]
}

func ExampleI0() {
	fmt.Println(np.Round(np.I0([]float64{0, 1, 10}), 4))
	// Output:
	// [1.0000000e+00 1.2661000e+00 2.8157166e+03]
}

func ExampleHistogramBinEdges() {
	fmt.Println(np.HistogramBinEdges([]float64{1, 4, 9}, 4))
	// Output:
	// [1. 3. 5. 7. 9.]
}

func ExampleHistogram2D() {
	counts, xEdges, yEdges := np.Histogram2D([]float64{0, 1, 2, 2}, []float64{0, 0, 1, 3}, []int{2, 3})
	fmt.Println(counts)
	fmt.Println(xEdges, yEdges)
	// Output:
	// [[1. 0. 0.]
	//  [1. 1. 1.]]
	// [0. 1. 2.] [0. 1. 2. 3.]
}
