package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRFFTFreq() {
	rate := 100.0 // samples a second
	fmt.Println(np.RFFTFreq(8, 1/rate))
	fmt.Println(np.FFTFreq(8, 1/rate)) // with the negative ones
	// Output:
	// [ 0.  12.5 25.  37.5 50. ]
	// [  0.   12.5  25.   37.5 -50.  -37.5 -25.  -12.5]
}

func ExampleRFFT2() {
	x := np.Outer(np.Ones(4), []float64{1, -1, 1, -1}) // stripes
	f := np.RFFT2(x)
	fmt.Println(f.Shape(), f.Abs().Round(6).At(0)) // all in the highest frequency of the second axis
	// Output: [4 3] [ 0.  0. 16.]
}

func ExampleRFFTN() {
	x := np.Ones(2, 4, 6)
	fmt.Println(np.RFFTN(x).Shape(), np.FFTN(x).Shape()) // half of the last axis says all
	fmt.Println(np.RFFTN(x).At(0, 0, 0).Real().Round(6), np.RFFTN(x, np.Axis(0, 1)).Shape())
	// Output:
	// [2 4 4] [2 4 6]
	// 48.0 [2 3 6]
}

func ExampleScaled() {
	x := np.Ones(4)
	fmt.Println(np.FFT(x).At(0).Abs(), np.FFT(x, np.Scaled("forward")).At(0).Abs())
	fmt.Println(np.Norm(np.FFT(x, np.Scaled("ortho"))), np.Norm(x)) // ortho keeps the norm
	// Output:
	// 4.0 1.0
	// 2.0 2.0
}
