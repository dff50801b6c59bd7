package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleAbs() {
	fmt.Println(np.Abs([]float64{-1.5, 0, 2}), np.Abs(3+4i))
	fmt.Println(np.Abs([]int8{-128, -127})) // no int8 is 128
	// Output:
	// [1.5 0.  2. ] 5.0
	// [-128  127]
}

func ExampleAngle() {
	z := []complex128{1, 1i, -1, 1 - 1i}
	fmt.Println(np.Rad2Deg(np.Angle(z)))
	// Output: [  0.  90. 180. -45.]
}

func ExampleCbrt() {
	x := np.FromSlice([]float64{27, -8})
	fmt.Println(np.Cbrt(x), x.Pow(1.0/3)) // Pow gives NaN below zero
	// Output: [ 3. -2.] [ 3. nan]
}

func ExampleCeil() {
	fmt.Println(np.Ceil([]float64{1.2, 2, -1.7}))
	fmt.Println(np.Ceil([]int{1, 2}).DType()) // ints are as they are
	// Output:
	// [ 2.  2. -1.]
	// int64
}

func ExampleClip() {
	x := np.FromSlice([]int{-3, 4, 12})
	fmt.Println(np.Clip(x, 0, 9), np.Clip(x, nil, 9)) // nil leaves an end open
	fmt.Println(np.Clip(x, []int{0, 5, 0}, 10))
	// Output:
	// [0 4 9] [-3  4  9]
	// [ 0  5 10]
}

func ExampleCopySign() {
	fmt.Println(np.CopySign(3, []float64{-2, 0, math.Inf(-1)}))
	// Output: [-3.  3. -3.]
}

func ExampleDeg2Rad() {
	turn := np.Deg2Rad([]int{0, 90, 180, 360})
	fmt.Println(turn, turn.Div(math.Pi))
	// Output: [0.         1.57079633 3.14159265 6.28318531] [0.  0.5 1.  2. ]
}

func ExampleDiv() {
	fmt.Println(np.Div([]int{1, 2, 3}, 2))
	fmt.Println(np.Div([]float64{1, 0, -1}, 0))
	// Output:
	// [0.5 1.  1.5]
	// [ inf  nan -inf]
}

func ExampleFloor() {
	x := []float64{1.7, -1.7}
	fmt.Println(np.Floor(x), np.Trunc(x)) // Trunc goes towards zero
	// Output: [ 1. -2.] [ 1. -1.]
}

func ExampleFloorDivide() {
	fmt.Println(-7/2, np.FloorDivide(-7, 2)) // Go rounds towards zero, arrays round down
	fmt.Println(np.FloorDivide([]int{7, -7, 7}, []int{2, 2, 0}))
	fmt.Println(np.FloorDivide(7.5, []float64{2, -2}))
	// Output:
	// -3 -4
	// [ 3 -4  0]
	// [ 3. -4.]
}

func ExampleFMax() {
	x := []float64{1, -1, math.NaN()}
	fmt.Println(np.FMax(x, 0), np.Maximum(x, 0)) // FMax passes over NaN
	// Output: [1. 0. 0.] [ 1.  0. nan]
}

func ExampleFMin() {
	x := []float64{1, -1, math.NaN()}
	fmt.Println(np.FMin(x, 0), np.Minimum(x, 0)) // FMin passes over NaN
	// Output: [ 0. -1.  0.] [ 0. -1. nan]
}

func ExampleHeaviside() {
	fmt.Println(np.Heaviside([]float64{-2, 0, 3}, 0.5))
	// Output: [0.  0.5 1. ]
}

func ExampleHypot() {
	legs := np.FromSlice([]float64{3, 3e200})
	fmt.Println(np.Hypot(legs, []float64{4, 4e200})) // the squares would be infinite
	fmt.Println(legs.Square())
	// Output:
	// [5.e+000 5.e+200]
	// [ 9. inf]
}

func ExampleImag() {
	fmt.Println(np.Imag([]complex128{3 + 4i, -1i}), np.Imag([]float64{1, 2}))
	// Output: [ 4. -1.] [0. 0.]
}
