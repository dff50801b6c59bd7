package lazy_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

func Example() {
	before := np.Stats().Launches
	x := np.Linspace(0, 1, 5)
	y := x.Mul(2).Add(1).Sqrt()
	fmt.Println(y.Shape(), y.DType(), "kernels:", np.Stats().Launches-before)
	fmt.Println(y)
	// Output:
	// [5] float64 kernels: 0
	// [1.         1.22474487 1.41421356 1.58113883 1.73205081]
}

func ExampleArray_At() {
	m := np.Arange(12).Reshape(3, 4)
	fmt.Println(m.At(1))
	fmt.Println(m.At(np.All, -1))
	fmt.Println(m.At(np.S(0, 2), np.S(0, np.End, 2)))
	// Output:
	// [4 5 6 7]
	// [ 3  7 11]
	// [[0 2]
	//  [4 6]]
}

func ExampleWhere() {
	x := np.FromSlice([]float64{-2, -1, 0, 1, 2})
	fmt.Println(np.Where(x.Lt(0), 0, x))
	// Output: [0. 0. 0. 1. 2.]
}

func ExampleArray_Mean() {
	m := np.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(m.Mean(), m.Mean(np.Axis(0)), m.Sub(m.Mean(np.Axis(1), np.KeepDims())))
	// Output:
	// 3.5 [2.5 3.5 4.5] [[-1.  0.  1.]
	//  [-1.  0.  1.]]
}

// A line through points is a model: a Go value, made by one annotated function and used by another.
func ExampleAnnotateObject() {
	type line struct{ slope, start float64 }
	through := np.AnnotateObject(offload.Annotation{Name: "through", Args: offload.Types(np.Rows, np.Rows), Ret: offload.Broadcast, Whole: true,
		CPU: func(x, y []float64) *line {
			slope := (y[1] - y[0]) / (x[1] - x[0])
			return &line{slope, y[0] - slope*x[0]}
		}})
	at := np.Annotate(offload.Annotation{Name: "at", Args: offload.Types(offload.Broadcast, np.Rows), Ret: np.Rows,
		CPU: func(l *line, x []float64) []float64 { // of some rows at a time
			out := make([]float64, len(x))
			for i := range x {
				out[i] = l.start + l.slope*x[i]
			}
			return out
		}})
	l := through([]float64{0, 1}, []float64{5, 7})
	fmt.Println(at(l, np.FromSlice([]float64{10, 20})), l.Value().(*line).slope)
	// Output: [25. 45.] 2
}
