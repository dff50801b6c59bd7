package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Geometry without elements: each method gives a new layout over the same storage.

func ExampleLayout_NDim() {
	fmt.Println(np.Contiguous(2, 3).NDim(), np.Contiguous().NDim())
	// Output: 2 0
}

func ExampleLayout_Size() {
	fmt.Println(np.Contiguous(2, 3).Size(), np.Contiguous().Size()) // no axes hold one element
	// Output: 6 1
}

// Rows of a matrix lie side by side in memory, its columns do not.
func ExampleLayout_IsContiguous() {
	l := np.Contiguous(4, 3)
	rows, _ := l.Index(np.S(1, 3))
	column, _ := l.Index(np.All, 0)
	fmt.Println(rows.IsContiguous(), column.IsContiguous())
	// Output: true false
}

// The second column, from its end.
func ExampleLayout_Index() {
	l, err := np.Contiguous(4, 3).Index(np.S(np.End, np.End, -1), 1)
	fmt.Printf("%+v %v\n", l, err)
	_, err = np.Contiguous(4, 3).Index(4)
	fmt.Println(err)
	// Output:
	// {Shape:[4] Strides:[-3] Offset:10} <nil>
	// index: index 4 is out of bounds for axis 0 with size 4
}

// After a transpose no strides give the elements in another shape: ok is false, and it takes a copy.
func ExampleLayout_Reshape() {
	l := np.Contiguous(2, 3)
	out, ok, _ := l.Reshape(3, -1)
	fmt.Println(out.Shape, out.Strides, ok)
	transposed, _ := l.Transpose()
	_, ok, _ = transposed.Reshape(6)
	fmt.Println(ok)
	// Output:
	// [3 2] [2 1] true
	// false
}

func ExampleLayout_Transpose() {
	l, _ := np.Contiguous(2, 3, 4).Transpose(2, 0, 1)
	fmt.Println(l.Shape, l.Strides)
	// Output: [4 2 3] [1 12 4]
}

func ExampleLayout_SwapAxes() {
	l, _ := np.Contiguous(2, 3, 4).SwapAxes(0, -1)
	fmt.Println(l.Shape, l.Strides)
	// Output: [4 3 2] [1 4 12]
}

func ExampleLayout_Axis() {
	k, _ := np.Contiguous(2, 3, 4).Axis(-1)
	_, err := np.Contiguous(2, 3, 4).Axis(3)
	fmt.Println(k, err)
	// Output: 2 axis 3 is out of bounds for shape (2,3,4); axes go from -3 to 2
}

func ExampleLayout_MoveAxis() {
	l, _ := np.Contiguous(2, 3, 4).MoveAxis(0, -1)
	fmt.Println(l.Shape, l.Strides)
	// Output: [3 4 2] [4 1 12]
}

// From the last element back.
func ExampleLayout_Flip() {
	l, _ := np.Contiguous(2, 3).Flip()
	fmt.Printf("%+v\n", l)
	// Output: {Shape:[2 3] Strides:[-3 -1] Offset:5}
}

// One step along the diagonal is a row and a column further.
func ExampleLayout_Diagonal() {
	l, _ := np.Contiguous(3, 4).Diagonal(1)
	fmt.Printf("%+v\n", l)
	// Output: {Shape:[3] Strides:[5] Offset:1}
}

func ExampleLayout_ExpandDims() {
	l, _ := np.Contiguous(2, 3).ExpandDims(1)
	fmt.Println(l.Shape)
	// Output: [2 1 3]
}

// Only axes of size 1 can go.
func ExampleLayout_Squeeze() {
	l := np.Contiguous(1, 3, 1)
	all, _ := l.Squeeze()
	_, err := l.Squeeze(1)
	fmt.Println(all.Shape, err)
	// Output: [3] squeeze: axis 1 of shape (1,3,1) has size 3; only axes of size 1 can go
}

// A stretched axis has stride 0: all its elements are one in memory.
func ExampleLayout_BroadcastTo() {
	l, _ := np.Contiguous(3).BroadcastTo([]int{2, 3})
	fmt.Println(l.Shape, l.Strides)
	_, err := np.Contiguous(3).BroadcastTo([]int{2, 4})
	fmt.Println(err)
	// Output:
	// [2 3] [0 1]
	// shape (3,) does not broadcast to (2,4); sizes, aligned at the last axis, must be equal or 1
}

// What is assigned may have leading axes of size 1 too many, which BroadcastTo refuses.
func ExampleLayout_Assignable() {
	row := np.Contiguous(1, 3)
	_, err := row.BroadcastTo([]int{3})
	fmt.Println(err != nil)
	l, err := row.Assignable([]int{3})
	fmt.Println(l.Shape, err)
	// Output:
	// true
	// [3] <nil>
}

func ExampleLayout_Writable() {
	l, _ := np.Contiguous(3).BroadcastTo([]int{2, 3})
	fmt.Println(np.Contiguous(3).Writable())
	fmt.Println(l.Writable())
	// Output:
	// <nil>
	// axis 0 is stretched by broadcasting, so its elements are one in memory; assign to a Copy
}
