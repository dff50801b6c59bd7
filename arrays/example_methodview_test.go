package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Methods that rearrange axes, share memory and write to it.

// Writing to a copy leaves the original as it is; writing to a view does not.
func ExampleArray_Copy() {
	x := np.Arange(4)
	copied, view := x.Copy(), x.At(np.To(2))
	copied.Set(-1, np.All)
	view.Set(9, 0)
	fmt.Println(x, copied, view)
	// Output: [9 1 2 3] [-1 -1 -1 -1] [9 1]
}

func ExampleArray_Set() {
	m := np.Zeros(2, 3)
	m.Set(7, 0, -1)              // one element
	m.Set([]int{1, 2, 3}, 1)     // a row
	m.Set(-1, m.Eq(0))           // where a mask is true
	m.Set(5, np.All, np.S(0, 1)) // a column
	m.Set(m.At(0).Mul(10), 0)    // computed from itself
	m.At(1).Set(8, []int{1, 2})  // through a view
	fmt.Println(m)
	// Output:
	// [[ 50. -10.  70.]
	//  [  5.   8.   8.]]
}

// An index that comes twice adds twice, which Set with a sum does not.
func ExampleArray_AddAt() {
	votes := []int{2, 0, 2, 2}
	counts, wrong := np.Zeros(3), np.Zeros(3)
	counts.AddAt(1, votes)
	wrong.Set(wrong.At(votes).Add(1), votes)
	fmt.Println(counts, wrong)
	// Output: [1. 0. 3.] [1. 0. 1.]
}

// What a cell writes as counts[1:] += 2. A result of another kind than the elements is refused.
func ExampleArray_Update() {
	counts := np.Arange(3)
	counts.Update(counts.At(np.From(1)).Add(2), np.From(1))
	fmt.Println(counts)
	defer func() { fmt.Println(recover()) }()
	counts.Update(counts.Mul(0.5))
	// Output:
	// [0 3 4]
	// update: the result is of float64 and does not go back into elements of int64; convert the array first, or assign the result as x[...] = (...).AsType(...)
}

// The diagonal is a view, to write to as well (NumPy's is for reading).
func ExampleArray_Diagonal() {
	m := np.Arange(9).Reshape(3, 3)
	fmt.Println(m.Diagonal(), m.Diagonal(1), m.Diagonal(-1))
	m.Diagonal().Set(0, np.All)
	fmt.Println(m)
	// Output:
	// [0 4 8] [1 5] [3 7]
	// [[0 1 2]
	//  [3 0 5]
	//  [6 7 0]]
}

// A column less a row: all differences at once.
func ExampleArray_ExpandDims() {
	x := np.FromSlice([]int{1, 4, 9})
	fmt.Println(x.ExpandDims(0).Shape(), x.ExpandDims(-1).Shape())
	fmt.Println(x.ExpandDims(1).Sub(x))
	// Output:
	// [1 3] [3 1]
	// [[ 0 -3 -8]
	//  [ 3  0 -5]
	//  [ 8  5  0]]
}

func ExampleArray_Squeeze() {
	x := np.Zeros(1, 3, 1)
	fmt.Println(x.Squeeze().Shape(), x.Squeeze(0).Shape())
	// Output: [3] [3 1]
}

func ExampleArray_Flip() {
	m := np.From2D([][]int{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(m.Flip(1))
	fmt.Println(m.Flip()) // along all axes
	// Output:
	// [[3 2 1]
	//  [6 5 4]]
	// [[6 5 4]
	//  [3 2 1]]
}

func ExampleArray_T() {
	m := np.From2D([][]int{{1, 2, 3}, {4, 5, 6}})
	fmt.Println(m.T())
	fmt.Println(np.Zeros(2, 3, 4).T().Shape(), np.Zeros(2, 3, 4).T(0, 2, 1).Shape())
	// Output:
	// [[1 4]
	//  [2 5]
	//  [3 6]]
	// [4 3 2] [2 4 3]
}

// Each of many matrices transposed; T would reverse all axes.
func ExampleArray_SwapAxes() {
	matrices := np.Zeros(10, 2, 3)
	fmt.Println(matrices.SwapAxes(-1, -2).Shape(), matrices.T().Shape())
	// Output: [10 3 2] [3 2 10]
}

// Pictures with the colours as the last axis, and as the first.
func ExampleArray_MoveAxis() {
	picture := np.New(np.Uint8, 480, 640, 3)
	fmt.Println(picture.MoveAxis(-1, 0).Shape(), picture.SwapAxes(-1, 0).Shape())
	// Output: [3 480 640] [3 640 480]
}

// Flatten copies, so that writing to the list leaves the matrix as it is.
func ExampleArray_Flatten() {
	m := np.From2D([][]int{{1, 2}, {3, 4}})
	list := m.Flatten()
	list.Set(0, np.All)
	fmt.Println(m.T().Flatten(), list, m.At(0))
	// Output: [1 3 2 4] [0 0 0 0] [1 2]
}

// Ravel is a view where it can be, and here it can.
func ExampleArray_Ravel() {
	m := np.From2D([][]int{{1, 2}, {3, 4}})
	m.Ravel().Set(0, np.S(0, np.End, 3))
	fmt.Println(m)
	// Output:
	// [[0 2]
	//  [3 0]]
}

func ExampleArray_Rows() {
	table := np.From2D([][]float64{{1, 2, 3}, {40, 50, 60}})
	for i, row := range table.Rows() {
		fmt.Println(i, row, row.Mean())
	}
	// Output:
	// 0 [1. 2. 3.] 2.0
	// 1 [40. 50. 60.] 50.0
}

// A transposed matrix is the same storage, walked with other strides.
func ExampleArray_Layout() {
	m := np.Zeros(2, 3)
	fmt.Printf("%+v\n", m.Layout())
	fmt.Printf("%+v\n", m.T().Layout())
	fmt.Printf("%+v\n", m.At(1, np.S(np.End, np.End, -1)).Layout())
	// Output:
	// {Shape:[2 3] Strides:[3 1] Offset:0}
	// {Shape:[3 2] Strides:[1 3] Offset:0}
	// {Shape:[3] Strides:[-1] Offset:5}
}

// Windows that overlap, without a copy: each begins one element behind the one before.
func ExampleArray_View() {
	x := np.FromSlice([]int{1, 5, 2, 8, 3})
	windows := x.View(np.Layout{Shape: []int{3, 3}, Strides: []int{1, 1}})
	fmt.Println(windows)
	fmt.Println(windows.Max(np.Axis(1)))
	// Output:
	// [[1 5 2]
	//  [5 2 8]
	//  [2 8 3]]
	// [5 8 8]
}
