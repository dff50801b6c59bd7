package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Methods that summarize, run along an axis, sort and multiply matrices.

func ExampleArray_Max() {
	m := np.From2D([][]float64{{1, 4}, {5, 2}})
	fmt.Println(m.Max(), m.Max(np.Axis(0)))
	fmt.Println(m.Div(m.Max(np.Axis(1), np.KeepDims()))) // each row by its own
	// Output:
	// 5.0 [5. 4.]
	// [[0.25 1.  ]
	//  [1.   0.4 ]]
}

// One NaN makes the result NaN; NanMin passes it over.
func ExampleArray_Min() {
	x := np.FromSlice([]float64{3, math.NaN(), 1})
	fmt.Println(x.Min(), np.NanMin(x), x.At(np.To(1)).Min())
	// Output: nan 1.0 3.0
}

// Of equal elements the first counts. Without an axis the place is that in the flattened array.
func ExampleArray_ArgMax() {
	m := np.From2D([][]int{{3, 9, 9}, {8, 1, 2}})
	fmt.Println(m.ArgMax(), m.ArgMax(np.Axis(1)))
	// Output: 1 [1 0]
}

// The number of a list that is nearest to a value.
func ExampleArray_ArgMin() {
	x := np.FromSlice([]float64{0, 2.5, 5, 7.5})
	fmt.Println(x.At(x.Sub(4.1).Abs().ArgMin().Int()))
	// Output: 5.0
}

// The mean of ints is a float.
func ExampleArray_Mean() {
	m := np.From2D([][]int{{1, 2}, {3, 5}})
	fmt.Println(m.Mean(), m.Mean(np.Axis(0)), m.Mean(np.Axis(1), np.KeepDims()).Shape())
	// Output: 2.75 [2.  3.5] [2 1]
}

func ExampleArray_Prod() {
	fmt.Println(np.Arange(1, 6).Prod(), np.Zeros(0).Prod()) // of no factors it is 1
	// Output: 120 1.0
}

// The variance of the numbers themselves, and its estimate when they are a sample.
func ExampleArray_Var() {
	x := np.FromSlice([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	fmt.Println(x.Var(), x.Var(np.DDof(1)).Round(6))
	// Output: 4.0 4.571429
}

// Columns with mean 0 and deviation 1.
func ExampleArray_Std() {
	m := np.From2D([][]float64{{1, 10}, {3, 50}})
	fmt.Println(m.Sub(m.Mean(np.Axis(0))).Div(m.Std(np.Axis(0))))
	// Output:
	// [[-1. -1.]
	//  [ 1.  1.]]
}

// All of no elements is true.
func ExampleArray_All() {
	m := np.From2D([][]int{{1, 0}, {3, 4}})
	fmt.Println(m.All(), m.All(np.Axis(1)), np.Zeros(0).All())
	// Output: False [False  True] True
}

func ExampleArray_Any() {
	m := np.From2D([][]float64{{1, math.NaN()}, {3, 4}})
	fmt.Println(np.IsNaN(m).Any(), np.IsNaN(m).Any(np.Axis(1)))
	// Output: True [ True False]
}

func ExampleArray_CumSum() {
	deposits := np.From2D([][]int{{100, -30, 5}, {0, 20, 20}})
	fmt.Println(deposits.CumSum(1)) // each row by itself
	fmt.Println(deposits.CumSum())  // without an axis all in a row
	// Output:
	// [[100  70  75]
	//  [  0  20  40]]
	// [100  70  75  75  95 115]
}

// What 100 become at three yearly rates.
func ExampleArray_CumProd() {
	rates := np.FromSlice([]float64{0.5, 0.25, -0.5})
	fmt.Println(rates.Add(1).CumProd().Mul(100))
	// Output: [150.   187.5   93.75]
}

// Sort returns a copy, along the last axis when none is named; NaNs come last.
func ExampleArray_Sort() {
	m := np.From2D([][]float64{{3, math.NaN(), 1}, {2, 9, 0}})
	fmt.Println(m.Sort())
	fmt.Println(m.Sort(0))
	// Output:
	// [[ 1.  3. nan]
	//  [ 0.  2.  9.]]
	// [[ 2.  9.  0.]
	//  [ 3. nan  1.]]
}

// One list in the order of another, and the other way round.
func ExampleArray_ArgSort() {
	names, ages := np.FromSlice([]string{"Ada", "Bo", "Cleo"}), np.FromSlice([]int{36, 7, 21})
	order := ages.ArgSort()
	fmt.Println(order, names.At(order), names.At(order.Flip()))
	// Output: [1 2 0] ['Bo' 'Cleo' 'Ada'] ['Ada' 'Cleo' 'Bo']
}

func ExampleArray_Dot() {
	x := np.FromSlice([]int{1, 2, 3})
	fmt.Println(x.Dot([]int{4, 5, 6}), x.Dot(10))
	// Output: 32 [10 20 30]
}

// A list is a row on the left and a column on the right; further axes are many products at once.
func ExampleArray_MatMul() {
	m := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(m.MatMul([]int{1, 10}), np.FromSlice([]int{1, 10}).MatMul(m))
	fmt.Println(np.Ones(7, 2, 3).MatMul(np.Ones(3, 4)).Shape())
	// Output:
	// [21 43] [31 42]
	// [7 2 4]
}
