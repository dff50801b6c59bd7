package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRoutineSort() {
	// What Call does, in steps: the result is known before there are elements.
	sort := np.RoutineSort([]int{0})
	spec, err := sort.Resolve([]np.Spec{{DType: np.Int64, Shape: []int{2, 2}}})
	fmt.Println(sort.Name, spec.DType, spec.Shape, err)
	out := np.New(spec.DType, spec.Shape...)
	sort.Run(out, []*np.Array{np.FromSlice([][]int{{3, 1}, {2, 4}})})
	fmt.Println(out)
	// Output:
	// sort int64 [2 2] <nil>
	// [[2 1]
	//  [3 4]]
}

func ExampleRoutineArgSort() {
	r := np.RoutineArgSort(nil) // the last axis
	fmt.Println(np.Call(r, []float64{3, 1, 2}))
	_, err := np.RoutineArgSort([]int{2}).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4, 5}}})
	fmt.Println(err)
	// Output:
	// [1 2 0]
	// axis 2 is out of bounds for shape (4,5); axes go from -2 to 1
}

func ExampleRoutineSearchSorted() {
	edges := []int{1, 2, 2, 3}
	fmt.Println(np.Call(np.RoutineSearchSorted(false), edges, 2), np.Call(np.RoutineSearchSorted(true), edges, 2))
	// Output: 1 3
}

func ExampleRoutineCumulate() {
	r := np.RoutineCumulate(np.ReduceMax, []int{1})
	fmt.Println(r.Name)
	fmt.Println(np.Call(r, [][]int{{1, 3, 2}, {5, 4, 6}}))
	// Output:
	// maximum.accumulate
	// [[1 3 3]
	//  [5 5 6]]
}

func ExampleRoutineConcat() {
	spec, err := np.RoutineConcat(0).Resolve([]np.Spec{
		{DType: np.Float32, Shape: []int{2, 3}},
		{DType: np.Int64, Shape: []int{5, 3}},
	})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [7 3] <nil>
}

func ExampleRoutineStack() {
	x := np.Spec{DType: np.Float64, Shape: []int{2, 3}}
	spec, err := np.RoutineStack(-1).Resolve([]np.Spec{x, x, x, x})
	fmt.Println(spec.Shape, err)
	// Output: [2 3 4] <nil>
}

func ExampleRoutineMatMul() {
	matrix, list := []int{4, 3}, []int{3}
	spec, err := np.RoutineMatMul().Resolve([]np.Spec{{DType: np.Float32, Shape: matrix}, {DType: np.Float32, Shape: list}})
	fmt.Println(spec.DType, spec.Shape, err)
	_, err = np.RoutineMatMul().Resolve([]np.Spec{{DType: np.Float32, Shape: list}, {DType: np.Float32, Shape: matrix}})
	fmt.Println(err)
	// Output:
	// float32 [4] <nil>
	// shapes (3,) and (4,3) do not multiply: 3 columns on the left, 4 rows on the right; they must be equal
}

func ExampleRoutineSolve() {
	matrices := np.Spec{DType: np.Float64, Shape: []int{10, 3, 3}}
	spec, err := np.RoutineSolve().Resolve([]np.Spec{matrices, {DType: np.Float64, Shape: []int{3}}})
	fmt.Println(spec.Shape, err) // one right side for ten matrices
	// Output: [10 3] <nil>
}

func ExampleRoutineInv() {
	_, err := np.RoutineInv().Resolve([]np.Spec{{DType: np.Float64, Shape: []int{2, 3}}})
	fmt.Println(err)
	spec, err := np.RoutineInv().Resolve([]np.Spec{{DType: np.Int64, Shape: []int{5, 3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output:
	// a matrix of shape (2,3) is not square; its last two axes must be equal
	// float64 [5 3 3] <nil>
}

func ExampleRoutinePInv() {
	r := np.RoutinePInv(nil)
	spec, err := r.Resolve([]np.Spec{{DType: np.Float64, Shape: []int{5, 2}}})
	fmt.Println(spec.Shape, err)
	// Output: [2 5] <nil>
}

func ExampleRoutineDet() {
	spec, err := np.RoutineDet().Resolve([]np.Spec{{DType: np.Int64, Shape: []int{7, 3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // one number for each of 7 matrices
	// Output: float64 [7] <nil>
}

func ExampleRoutineCholesky() {
	spec, err := np.RoutineCholesky().Resolve([]np.Spec{{DType: np.Complex64, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err)
	fmt.Println(np.Call(np.RoutineCholesky(), [][]float64{{4, 0}, {0, 9}}))
	// Output:
	// complex64 [3 3] <nil>
	// [[2. 0.]
	//  [0. 3.]]
}

func ExampleRoutineEigVals() {
	spec, err := np.RoutineEigVals().Resolve([]np.Spec{{DType: np.Float32, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // always complex
	// Output: complex64 [3] <nil>
}

func ExampleRoutineEigValsH() {
	spec, err := np.RoutineEigValsH().Resolve([]np.Spec{{DType: np.Complex128, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // always real
	// Output: float64 [3] <nil>
}

func ExampleRoutineSVDVals() {
	spec, err := np.RoutineSVDVals().Resolve([]np.Spec{{DType: np.Complex64, Shape: []int{8, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float32 [5] <nil>
}

func ExampleRoutineExpm() {
	fmt.Println(np.Call(np.RoutineExpm(), [][]float64{{0, 1}, {0, 0}}).Round(6))
	// Output:
	// [[1. 1.]
	//  [0. 1.]]
}

func ExampleRoutineFFT() {
	r := np.RoutineFFT("rfft", np.Length(1000))
	spec, err := r.Resolve([]np.Spec{{DType: np.Float64, Shape: []int{16, 900}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: complex128 [16 501] <nil>
}

func ExampleRoutineNanArg() {
	spec, err := np.RoutineNanArg("nanargmax", np.ReduceArgMax, []np.ReduceOption{np.Axis(1)}).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: int64 [4] <nil>
}

func ExampleRoutineMedian() {
	spec, err := np.RoutineMedian("median", []np.ReduceOption{1, np.KeepDims()}).Resolve([]np.Spec{{DType: np.Int64, Shape: []int{4, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [4 1] <nil>
}

func ExampleRoutineQuantile() {
	q := []float64{0.25, 0.75}
	r := np.RoutineQuantile("quantile", q, []np.QuantileOption{0})
	spec, err := r.Resolve([]np.Spec{{DType: np.Float32, Shape: []int{4, 5}}, {DType: np.Float64, Shape: []int{2}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [2 5] <nil>
}

func ExampleRoutinePartition() {
	_, err := np.RoutinePartition(4, nil).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4}}})
	fmt.Println(err)
	// Output: there is no place 4 along axis 0 of shape (4,); places go from -4 to 3
}

func ExampleRoutineArgPartition() {
	fmt.Println(np.Call(np.RoutineArgPartition(-1, nil), []int{5, 9, 1}).At(-1))
	// Output: 1
}
