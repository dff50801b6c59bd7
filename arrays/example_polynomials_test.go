package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExamplePolyVal() {
	p := []float64{1, -3, 2} // x² - 3x + 2
	fmt.Println(np.PolyVal(p, []float64{0, 1, 2, 3}))
	// Output: [2. 0. 0. 2.]
}

func ExamplePolyAdd() {
	fmt.Println(np.PolyAdd([]int{1, 2, 3}, []int{10, 20})) // aligned at the constant
	// Output: [ 1 12 23]
}

func ExamplePolyMul() {
	fmt.Println(np.PolyMul([]int{1, -1}, []int{1, -2})) // (x - 1)·(x - 2)
	// Output: [ 1 -3  2]
}

func ExamplePolyDer() {
	fmt.Println(np.PolyDer([]float64{1, -3, 2, 7}))
	// Output: [ 3. -6.  2.]
}

func ExamplePolyInt() {
	p := []float64{3, -6, 2}
	fmt.Println(np.PolyInt(p), np.PolyDer(np.PolyInt(p)))
	// Output: [ 1. -3.  2.  0.] [ 3. -6.  2.]
}

func ExamplePolyFit() {
	x := np.FromSlice([]float64{0, 1, 2, 3})
	y := x.Square().Mul(2).Sub(x).Sub(5) // 2x² - x - 5
	fmt.Println(np.PolyFit(x, y, 2).Round(6))
	fmt.Println(np.PolyFit(x, y, 1).Round(6)) // the nearest line
	// Output:
	// [ 2. -1. -5.]
	// [ 5. -7.]
}
