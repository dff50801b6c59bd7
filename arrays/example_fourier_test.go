package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleFFT() {
	x := np.Cos(np.Linspace(0, 4*math.Pi, 9).At(np.To(-1))) // 2 turns in 8 points
	fmt.Println(np.FFT(x).Abs().Round(6))                   // at frequencies 2 and -2
	fmt.Println(np.FFT(np.Eye(2), np.Axis(0)).Real())
	// Output:
	// [0. 0. 4. 0. 0. 0. 4. 0.]
	// [[ 1.  1.]
	//  [ 1. -1.]]
}

func ExampleFFT2() {
	board := np.From2D([][]float64{{1, 0}, {0, 1}})
	fmt.Println(np.FFT2(board).Real()) // the sum, and what alternates in both directions
	// Output:
	// [[2. 0.]
	//  [0. 2.]]
}

func ExampleFFTFreq() {
	fmt.Println(np.FFTFreq(8, 0.5)) // samples half a second apart: in hertz
	fmt.Println(np.FFTFreq(5, 0.2))
	// Output:
	// [ 0.    0.25  0.5   0.75 -1.   -0.75 -0.5  -0.25]
	// [ 0.  1.  2. -2. -1.]
}

func ExampleFFTN() {
	x := np.Ones(2, 2, 2)
	fmt.Println(np.FFTN(x).Abs().Sum(), np.FFTN(x).At(0, 0, 0)) // all of it at frequency 0
	fmt.Println(np.FFTN(x, np.Axis(1, 2)).Real().At(np.All, 0, 0))
	// Output:
	// 8.0 (8+0j)
	// [4. 4.]
}

func ExampleFFTShift() {
	fmt.Println(np.FFTShift(np.FFTFreq(5, 0.2)))
	fmt.Println(np.FFTShift(np.Arange(4).Reshape(2, 2), 1)) // along one axis
	// Output:
	// [-2. -1.  0.  1.  2.]
	// [[1 0]
	//  [3 2]]
}

// Three numbers stand for the four of a signal whose spectrum is real.
func ExampleHFFT() {
	half := []complex128{4, 2i, 1}
	full := []complex128{4, 2i, 1, -2i}
	fmt.Println(np.HFFT(half).Round(6), np.FFT(full).Real().Round(6))
	// Output: [ 5.  7.  5. -1.] [ 5.  7.  5. -1.]
}

func ExampleIFFT() {
	x := []float64{1, 2, 4, 8}
	fmt.Println(np.IFFT(np.FFT(x)).Real().Round(6))
	// Output: [1. 2. 4. 8.]
}

func ExampleIFFT2() {
	image := np.From2D([][]float64{{1, 2}, {3, 6}})
	f := np.FFT2(image)
	f.Set(0, 0, 0) // without its mean
	fmt.Println(np.IFFT2(f).Real())
	// Output:
	// [[-2. -1.]
	//  [ 0.  3.]]
}

func ExampleIFFTN() {
	x := np.Arange(8.0).Reshape(2, 2, 2)
	fmt.Println(np.AllClose(np.IFFTN(np.FFTN(x)), x))
	// Output: true
}

// Of an odd number of elements FFTShift does not take itself back.
func ExampleIFFTShift() {
	x := np.Arange(5)
	fmt.Println(np.IFFTShift(np.FFTShift(x)), np.FFTShift(np.FFTShift(x)))
	// Output: [0 1 2 3 4] [1 2 3 4 0]
}

func ExampleIHFFT() {
	spectrum := []float64{1, 2, 3, 4}
	half := np.IHFFT(spectrum) // of the signal, the rest are conjugates
	fmt.Println(half.Shape(), np.HFFT(half).Round(6))
	// Output: [3] [1. 2. 3. 4.]
}

func ExampleIRFFT() {
	x := []float64{1, 2, 3, 4, 5}
	f := np.RFFT(x)
	fmt.Println(np.IRFFT(f, np.Length(5)).Round(6))
	fmt.Println(np.IRFFT(f).Shape()) // without Length it is even
	// Output:
	// [1. 2. 3. 4. 5.]
	// [4]
}

func ExampleIRFFT2() {
	x := np.Arange(6.0).Reshape(2, 3)
	f := np.RFFT2(x)
	fmt.Println(f.Shape(), np.IRFFT2(f, np.Length(2, 3)).Round(6).At(1)) // the last axis is odd: say so
	// Output: [2 2] [3. 4. 5.]
}

func ExampleIRFFTN() {
	x := np.Arange(16.0).Reshape(2, 2, 4)
	f := np.RFFTN(x)
	fmt.Println(f.Shape(), np.AllClose(np.IRFFTN(f), x))
	// Output: [2 2 3] true
}

func ExampleLength() {
	x := []float64{1, 2, 3, 4}
	fmt.Println(np.RFFT(x, np.Length(2)), np.RFFT([]float64{1, 2})) // cut
	fmt.Println(np.RFFT(x, np.Length(16)).Shape())                  // zeros at the end
	// Output:
	// [ 3.+0.j -1.+0.j] [ 3.+0.j -1.+0.j]
	// [9]
}
