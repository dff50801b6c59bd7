package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleAllClose() {
	x := np.Add(0.1, 0.2)
	fmt.Println(np.Equal(x, 0.3), np.AllClose(x, 0.3), np.AllClose([]float64{1, 2}, []float64{1, 2.1}))
	// Output: False true false
}

// Shapes count: Equal broadcasts, ArrayEqual does not.
func ExampleArrayEqual() {
	ones := np.Ones(3)
	fmt.Println(np.Equal(ones, 1), np.ArrayEqual(ones, 1), np.ArrayEqual(ones, []int{1, 1, 1}))
	// Output: [ True  True  True] false true
}

func ExampleBitAnd() {
	fmt.Println(np.BitAnd([]int{0b101, 0b110, 0b1000}, 0b011))
	// Output: [1 2 0]
}

func ExampleBitOr() {
	flags := np.FromSlice([]uint8{0, 1, 2})
	fmt.Println(np.BitOr(flags, 4), np.BitOr([]bool{true, false}, false))
	// Output: [4 5 6] [ True False]
}

func ExampleBitXor() {
	secret := np.BitXor([]int{3, 14, 15}, 42)
	fmt.Println(secret, np.BitXor(secret, 42)) // once more takes it back
	// Output: [41 36 37] [ 3 14 15]
}

func ExampleEqual() {
	nan := math.NaN()
	fmt.Println(np.Equal([]float64{1, 2, nan}, []float64{1, 3, nan})) // NaN equals nothing
	fmt.Println(np.Equal([]string{"ash", "oak"}, "oak"))
	// Output:
	// [ True False False]
	// [False  True]
}

func ExampleGreater() {
	column := np.Arange(3).Reshape(3, 1)
	fmt.Println(np.Greater(column, []int{0, 1, 2})) // below the diagonal
	// Output:
	// [[False False False]
	//  [ True False False]
	//  [ True  True False]]
}

func ExampleGreaterEqual() {
	ages := np.FromSlice([]int{17, 18, 40})
	fmt.Println(np.GreaterEqual(ages, 18), ages.At(np.GreaterEqual(ages, 18)))
	// Output: [False  True  True] [18 40]
}

func ExampleInvert() {
	fmt.Println(np.Invert([]bool{true, false}), np.Invert([]int{0, 5}), np.Invert([]uint8{0, 5}))
	// Output: [False  True] [-1 -6] [255 250]
}

func ExampleIsClose() {
	nan, inf := math.NaN(), math.Inf(1)
	fmt.Println(np.IsClose([]float64{1.000001, 1.001, inf, nan}, []float64{1, 1, inf, nan}))
	// Output: [ True False  True False]
}

func ExampleIsFinite() {
	x := np.FromSlice([]float64{1, math.Inf(1), math.NaN(), 4})
	fmt.Println(np.IsFinite(x), x.At(np.IsFinite(x)).Mean())
	// Output: [ True False False  True] 2.5
}

func ExampleIsInf() {
	fmt.Println(np.IsInf(np.Div([]float64{1, 0, -1}, 0)))
	// Output: [ True False  True]
}

func ExampleIsNaN() {
	x := np.FromSlice([]float64{1, math.NaN(), 3})
	fmt.Println(np.IsNaN(x), x.Eq(math.NaN())) // NaN equals nothing, so Eq does not find it
	fmt.Println(np.Where(np.IsNaN(x), 0, x))
	// Output:
	// [False  True False] [False False False]
	// [1. 0. 3.]
}

func ExampleLeftShift() {
	fmt.Println(np.LeftShift(1, []int{0, 1, 10}))
	fmt.Println(np.LeftShift([]uint8{1, 200}, 1)) // bits that leave a uint8 are lost
	// Output:
	// [   1    2 1024]
	// [  2 144]
}

func ExampleLess() {
	fmt.Println(np.Less([]float64{1, 2, 3}, 2), np.Less([]string{"Ada", "Grace"}, "B"))
	// Output: [ True False False] [ True False]
}

func ExampleLessEqual() {
	x := np.Arange(6)
	fmt.Println(np.LessEqual(x, 2), np.LessEqual(x, 2).Sum()) // how many
	// Output: [ True  True  True False False False] 3
}

func ExampleLogicalAnd() {
	x := np.Arange(6)
	between := np.LogicalAnd(x.Gt(1), x.Lt(4))
	fmt.Println(between, x.At(between))
	// Output: [False False  True  True False False] [2 3]
}

func ExampleLogicalNot() {
	fmt.Println(np.LogicalNot([]bool{true, false}), np.LogicalNot([]float64{0, 0.5}))
	// Output: [False  True] [ True False]
}

func ExampleLogicalOr() {
	x := np.Arange(6)
	fmt.Println(x.At(np.LogicalOr(x.Lt(1), x.Gt(4))))
	// Output: [0 5]
}

func ExampleLogicalXor() {
	fmt.Println(np.LogicalXor([]bool{true, true, false}, []bool{true, false, false}))
	fmt.Println(np.LogicalXor([]int{1, 2}, []int{2, 0}), np.BitXor([]int{1, 2}, []int{2, 0})) // truth, not bits
	// Output:
	// [False  True False]
	// [False  True] [3 2]
}
