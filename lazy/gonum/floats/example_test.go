package floats_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/floats"
)

func three() *np.Array { return np.FromSlice([]float64{1, 2, 4}) }

func ExampleAdd() {
	fmt.Println(floats.Add(three(), three()))
	// Output: [2. 4. 8.]
}

func ExampleSub() {
	fmt.Println(floats.Sub(three(), three()))
	// Output: [0. 0. 0.]
}

func ExampleMul() {
	fmt.Println(floats.Mul(three(), three()))
	// Output: [ 1.  4. 16.]
}

func ExampleDiv() {
	fmt.Println(floats.Div(three(), three()))
	// Output: [1. 1. 1.]
}

func ExampleAddConst() {
	fmt.Println(floats.AddConst(1, three()))
	// Output: [2. 3. 5.]
}

func ExampleScale() {
	fmt.Println(floats.Scale(2, three()))
	// Output: [2. 4. 8.]
}

func ExampleAddScaled() {
	fmt.Println(floats.AddScaled(three(), 2, three()))
	// Output: [ 3.  6. 12.]
}

func ExampleSum() {
	fmt.Println(floats.Sum(three()))
	// Output: 7.0
}

func ExampleDot() {
	fmt.Println(floats.Dot(three(), three()))
	// Output: 21.0
}

func ExampleMax() {
	fmt.Println(floats.Max(three()))
	// Output: 4.0
}

func ExampleMin() {
	fmt.Println(floats.Min(three()))
	// Output: 1.0
}

func ExampleNorm() {
	fmt.Println(floats.Norm(three(), 1))
	// Output: 7.0
}

func ExampleCumSum() {
	fmt.Println(floats.CumSum(np.Zeros(3), three()))
	// Output: [1. 3. 7.]
}
