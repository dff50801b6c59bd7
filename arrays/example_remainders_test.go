package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleFMod() {
	fmt.Println(np.FMod([]int{-7, 7}, 3), np.Remainder([]int{-7, 7}, 3))
	// Output:
	// [-1  1] [2 1]
}

func ExampleDivMod() {
	fmt.Println(np.DivMod([]int{-7, 7}, 3))
	// Output:
	// [-3  2] [2 1]
}

func ExampleModF() {
	fmt.Println(np.ModF([]float64{1.75, -0.5}))
	// Output:
	// [ 0.75 -0.5 ] [ 1. -0.]
}

func ExampleFabs() {
	fmt.Println(np.Fabs([]int{-1, 2}))
	// Output:
	// [1. 2.]
}

func ExampleSpacing() {
	fmt.Println(np.Spacing([]float64{1, 1e6}))
	// Output:
	// [2.22044605e-16 1.16415322e-10]
}

func ExampleFloatPower() {
	fmt.Println(np.FloatPower([]int{2, 4}, -1))
	// Output:
	// [0.5  0.25]
}

func ExampleLogAddExp2() {
	fmt.Println(np.LogAddExp2([]float64{3, -2000}, []float64{3, -2001}))
	// Output:
	// [    4.        -1999.4150375]
}

func ExampleIsPosInf() {
	fmt.Println(np.IsPosInf(np.Div([]float64{1, -1}, 0)))
	// Output:
	// [ True False]
}

func ExampleIsNegInf() {
	fmt.Println(np.IsNegInf(np.Div([]float64{1, -1}, 0)))
	// Output:
	// [False  True]
}

func ExampleIsReal() {
	fmt.Println(np.IsReal([]complex128{1 + 1i, 2}))
	// Output:
	// [False  True]
}

func ExampleIsComplex() {
	fmt.Println(np.IsComplex([]complex128{1 + 1i, 2}))
	// Output:
	// [ True False]
}

func ExampleArrayEquiv() {
	fmt.Println(np.ArrayEquiv([]int{1, 2}, [][]int{{1, 2}, {1, 2}}), np.ArrayEquiv([]int{1, 2}, []int{1, 2, 3}))
	// Output:
	// true false
}

func ExampleNanPercentile() {
	fmt.Println(np.NanPercentile([]float64{10, 20, math.NaN(), 30}, 25))
	// Output:
	// 15.0
}

func ExamplePackBits() {
	fmt.Println(np.PackBits([]bool{true, false, false, false, false, false, true, true, true}))
	// Output:
	// [131 128]
}

func ExampleUnpackBits() {
	fmt.Println(np.UnpackBits([]uint8{131, 128}))
	// Output:
	// [1 0 0 0 0 0 1 1 1 0 0 0 0 0 0 0]
}

func ExampleBitCount() {
	fmt.Println(np.BitCount([]int{0, 7, -255}))
	// Output:
	// [0 3 8]
}

func ExampleGCD() {
	fmt.Println(np.GCD([]int{12, -18, 0}, 8))
	// Output:
	// [4 2 8]
}

func ExampleLCM() {
	fmt.Println(np.LCM([]int{12, -18, 0}, 8))
	// Output:
	// [24 72  0]
}

func ExampleFRexp() {
	fmt.Println(np.FRexp([]float64{8, -0.3, 0}))
	// Output:
	// [ 0.5 -0.6  0. ] [ 4 -1  0]
}

func ExampleLDExp() {
	fmt.Println(np.LDExp([]float64{0.5, 3}, []int{4, -1}))
	// Output:
	// [8.  1.5]
}
