package arrays_test

// Examples of what Go programs use that evaluate, convert or show arrays of others.

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRules_Addable() {
	fmt.Println(np.Rules{}.Addable(np.Float64))
	fmt.Println(np.Rules{}.Addable(np.Str(3)))
	// Output:
	// <nil>
	// <U3 has no sum; assign with Set
}

// An operation that a program chooses while it runs.
func ExampleApply() {
	for _, u := range []np.Ufunc{np.OpAdd, np.OpPow, np.OpLess} {
		fmt.Println(u, np.Apply(u, []int{1, 2, 3}, 2))
	}
	// Output:
	// add [3 4 5]
	// power [1 4 9]
	// less [ True False False]
}

// An evaluator remembers that 0.5 was a Go number: it takes the dtype of the array.
func ExampleUfunc_ApplyAs() {
	x, half := np.FromSlice([]float32{1, 2}), np.Scalar(0.5)
	compute, out, err := np.OpMul.Resolve(np.Operand{DType: x.DType()}, np.Operand{DType: half.DType(), Weak: true})
	fmt.Println(np.OpMul.ApplyAs(compute, out, x, half).DType(), np.Mul(x, half).DType(), err)
	// Output: float32 float64 <nil>
}

func ExampleAsArray() {
	for _, operand := range []any{2, "oak", []float32{1, 2}, struct{}{}} {
		a, weak, err := np.AsArray(operand)
		fmt.Println(a, weak, err)
	}
	// Output:
	// 2 true <nil>
	// oak false <nil>
	// [1. 2.] false <nil>
	// <nil> false a struct {} is not an operand; use an array, a Go number or a slice of numbers
}

func ExampleRoutine_Call() {
	sort := np.Routines{}.Sort([]int{0})
	fmt.Println(sort.Name)
	fmt.Println(sort.Call([][]int{{3, 1}, {2, 4}}))
	// Output:
	// sort
	// [[2 1]
	//  [3 4]]
}

func ExampleCanCast() {
	fmt.Println(np.CanCast(np.Int32, np.Float64), np.CanCast(np.Int32, np.Float32), np.CanCast(np.Uint8, np.Int16))
	// Output: true false true
}

func ExampleRules_Castable() {
	fmt.Println(np.Rules{}.Castable(np.Float64, np.Int8)) // digits may be lost
	fmt.Println(np.Rules{}.Castable(np.Complex128, np.DateTime(np.Day)))
	// Output:
	// <nil>
	// complex128 does not convert to datetime64[D]
}

func ExampleContiguous() {
	l := np.Contiguous(2, 3, 4)
	fmt.Println(l.Strides, l.Size()) // in elements; the last axis is fastest
	// Output: [12 4 1] 24
}

func ExampleEdgeItems() {
	defer np.SetPrintOptions() // as at first
	np.SetPrintOptions(np.Threshold(5), np.EdgeItems(2))
	fmt.Println(np.Arange(100))
	// Output: [ 0  1 ... 98 99]
}

func ExampleFInfo() {
	half := np.FInfo(np.Float16)
	fmt.Println(half.Bits, half.Eps, half.Max, half.SmallestNormal)
	fmt.Println(np.FInfo(np.Float64).Eps)
	// Output:
	// 16 0.0009765625 65504 6.103515625e-05
	// 2.220446049250313e-16
}

func ExampleFromNumPy() {
	for _, name := range []string{"np.argsort", "ndarray.astype", "linalg.solve", "np.lookfor"} {
		fmt.Println(np.FromNumPy(name))
	}
	// Output:
	// ArgSort true
	// x.AsType true
	// Solve true
	//  false
}

func ExampleIInfo() {
	fmt.Println(np.IInfo(np.Int8).Min, np.IInfo(np.Int8).Max, np.IInfo(np.Uint64).Max)
	// Output: -128 127 18446744073709551615
}

func ExampleRules_IndexShape() {
	shape := []int{5, 4}
	fmt.Println(np.Rules{}.IndexShape(shape, np.From(2)))
	fmt.Println(np.Rules{}.IndexShape(shape, np.All, []int{0, 3, 3}))
	fmt.Println(np.Rules{}.IndexShape(shape, 7))
	// Output:
	// [3 4] <nil>
	// [5 3] <nil>
	// [] index: index 7 is out of bounds for axis 0 with size 5
}

func ExampleIsDType() {
	fmt.Println(np.IsDType(np.Uint8, "integral"), np.IsDType(np.Uint8, "signed integer"), np.IsDType(np.Bool, "numeric"))
	fmt.Println(np.IsDType(np.Float32, "real floating", "complex floating"))
	// Output:
	// true false false
	// true
}

func ExampleLineWidth() {
	defer np.SetPrintOptions() // as at first
	np.SetPrintOptions(np.LineWidth(30))
	fmt.Println(np.Arange(20))
	// Output:
	// [ 0  1  2  3  4  5  6  7  8
	//   9 10 11 12 13 14 15 16 17
	//  18 19]
}

func ExampleMap() {
	collatz := func(n int) int {
		if n%2 == 0 {
			return n / 2
		}
		return 3*n + 1
	}
	fmt.Println(np.Map(collatz, []int{6, 7, 8}))
	fmt.Println(np.Map(math.Mod, []float64{5, -5}, 3)) // Go's own functions too; operands broadcast
	// Output:
	// [ 3 22  4]
	// [ 2. -2.]
}
