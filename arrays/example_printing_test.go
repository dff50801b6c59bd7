package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExamplePrecision() {
	defer np.SetPrintOptions() // as at first
	x := np.FromSlice([]float64{1. / 3, 0.5})
	np.SetPrintOptions(np.Precision(3))
	fmt.Println(x, x.At(0)) // elements alone are shown with all digits
	// Output: [0.333 0.5  ] 0.3333333333333333
}

func ExampleSuppress() {
	defer np.SetPrintOptions() // as at first
	x := np.FromSlice([]float64{1e-6, 1, 100})
	fmt.Println(x)
	np.SetPrintOptions(np.Suppress(true))
	fmt.Println(x)
	// Output:
	// [1.e-06 1.e+00 1.e+02]
	// [  0.000001   1.       100.      ]
}

func ExampleThreshold() {
	defer np.SetPrintOptions() // as at first
	np.SetPrintOptions(np.Threshold(10))
	fmt.Println(np.Arange(10), np.Arange(11))
	// Output: [0 1 2 3 4 5 6 7 8 9] [ 0  1  2 ...  8  9 10]
}

func ExampleArray_Format() {
	x := np.FromSlice([]float64{1. / 3, 12.5})
	fmt.Printf("%.2f %6.1f %v\n", x, x, x)
	fmt.Printf("mean %.3f of %d elements, the last %g\n", x.Mean(), x.Size(), x.At(-1))
	fmt.Printf("%.1f\n", np.Arange(4).Reshape(2, 2)) // ints too
	// Output:
	// [ 0.33 12.50] [   0.3   12.5] [ 0.33333333 12.5       ]
	// mean 6.417 of 2 elements, the last 12.5
	// [[0.0 1.0]
	//  [2.0 3.0]]
}
