package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRoutines_Sort() {
	// What Call does, in steps: the result is known before there are elements.
	sort := np.Routines{}.Sort([]int{0})
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

func ExampleRoutines_ArgSort() {
	r := np.Routines{}.ArgSort(nil) // the last axis
	fmt.Println(r.Call([]float64{3, 1, 2}))
	_, err := np.Routines{}.ArgSort([]int{2}).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4, 5}}})
	fmt.Println(err)
	// Output:
	// [1 2 0]
	// axis 2 is out of bounds for shape (4,5); axes go from -2 to 1
}

func ExampleRoutines_SearchSorted() {
	edges := []int{1, 2, 2, 3}
	fmt.Println(np.Routines{}.SearchSorted(false).Call(edges, 2), np.Routines{}.SearchSorted(true).Call(edges, 2))
	// Output: 1 3
}

func ExampleRoutines_Cumulate() {
	r := np.Routines{}.Cumulate(np.ReduceMax, []int{1})
	fmt.Println(r.Name)
	fmt.Println(r.Call([][]int{{1, 3, 2}, {5, 4, 6}}))
	// Output:
	// maximum.accumulate
	// [[1 3 3]
	//  [5 5 6]]
}

func ExampleRoutines_Concat() {
	spec, err := np.Routines{}.Concat(0).Resolve([]np.Spec{
		{DType: np.Float32, Shape: []int{2, 3}},
		{DType: np.Int64, Shape: []int{5, 3}},
	})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [7 3] <nil>
}

func ExampleRoutines_Stack() {
	x := np.Spec{DType: np.Float64, Shape: []int{2, 3}}
	spec, err := np.Routines{}.Stack(-1).Resolve([]np.Spec{x, x, x, x})
	fmt.Println(spec.Shape, err)
	// Output: [2 3 4] <nil>
}

func ExampleRoutines_MatMul() {
	matrix, list := []int{4, 3}, []int{3}
	spec, err := np.Routines{}.MatMul().Resolve([]np.Spec{{DType: np.Float32, Shape: matrix}, {DType: np.Float32, Shape: list}})
	fmt.Println(spec.DType, spec.Shape, err)
	_, err = np.Routines{}.MatMul().Resolve([]np.Spec{{DType: np.Float32, Shape: list}, {DType: np.Float32, Shape: matrix}})
	fmt.Println(err)
	// Output:
	// float32 [4] <nil>
	// shapes (3,) and (4,3) do not multiply: 3 columns on the left, 4 rows on the right; they must be equal
}

func ExampleRoutines_Solve() {
	matrices := np.Spec{DType: np.Float64, Shape: []int{10, 3, 3}}
	spec, err := np.Routines{}.Solve().Resolve([]np.Spec{matrices, {DType: np.Float64, Shape: []int{3}}})
	fmt.Println(spec.Shape, err) // one right side for ten matrices
	// Output: [10 3] <nil>
}

func ExampleRoutines_Inv() {
	_, err := np.Routines{}.Inv().Resolve([]np.Spec{{DType: np.Float64, Shape: []int{2, 3}}})
	fmt.Println(err)
	spec, err := np.Routines{}.Inv().Resolve([]np.Spec{{DType: np.Int64, Shape: []int{5, 3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output:
	// a matrix of shape (2,3) is not square; its last two axes must be equal
	// float64 [5 3 3] <nil>
}

func ExampleRoutines_PInv() {
	r := np.Routines{}.PInv(nil)
	spec, err := r.Resolve([]np.Spec{{DType: np.Float64, Shape: []int{5, 2}}})
	fmt.Println(spec.Shape, err)
	// Output: [2 5] <nil>
}

func ExampleRoutines_Det() {
	spec, err := np.Routines{}.Det().Resolve([]np.Spec{{DType: np.Int64, Shape: []int{7, 3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // one number for each of 7 matrices
	// Output: float64 [7] <nil>
}

func ExampleRoutines_Cholesky() {
	spec, err := np.Routines{}.Cholesky().Resolve([]np.Spec{{DType: np.Complex64, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err)
	fmt.Println(np.Routines{}.Cholesky().Call([][]float64{{4, 0}, {0, 9}}))
	// Output:
	// complex64 [3 3] <nil>
	// [[2. 0.]
	//  [0. 3.]]
}

func ExampleRoutines_EigVals() {
	spec, err := np.Routines{}.EigVals().Resolve([]np.Spec{{DType: np.Float32, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // always complex
	// Output: complex64 [3] <nil>
}

func ExampleRoutines_EigValsH() {
	spec, err := np.Routines{}.EigValsH().Resolve([]np.Spec{{DType: np.Complex128, Shape: []int{3, 3}}})
	fmt.Println(spec.DType, spec.Shape, err) // always real
	// Output: float64 [3] <nil>
}

func ExampleRoutines_SVDVals() {
	spec, err := np.Routines{}.SVDVals().Resolve([]np.Spec{{DType: np.Complex64, Shape: []int{8, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float32 [5] <nil>
}

func ExampleRoutines_Expm() {
	fmt.Println(np.Routines{}.Expm().Call([][]float64{{0, 1}, {0, 0}}).Round(6))
	// Output:
	// [[1. 1.]
	//  [0. 1.]]
}

func ExampleRoutines_FFT() {
	r := np.Routines{}.FFT("rfft", np.Length(1000))
	spec, err := r.Resolve([]np.Spec{{DType: np.Float64, Shape: []int{16, 900}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: complex128 [16 501] <nil>
}

func ExampleRoutines_NanArg() {
	spec, err := np.Routines{}.NanArg("nanargmax", np.ReduceArgMax, []np.ReduceOption{np.Axis(1)}).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: int64 [4] <nil>
}

func ExampleRoutines_Median() {
	spec, err := np.Routines{}.Median("median", []np.ReduceOption{1, np.KeepDims()}).Resolve([]np.Spec{{DType: np.Int64, Shape: []int{4, 5}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [4 1] <nil>
}

func ExampleRoutines_Quantile() {
	q := []float64{0.25, 0.75}
	r := np.Routines{}.Quantile("quantile", q, []np.QuantileOption{0})
	spec, err := r.Resolve([]np.Spec{{DType: np.Float32, Shape: []int{4, 5}}, {DType: np.Float64, Shape: []int{2}}})
	fmt.Println(spec.DType, spec.Shape, err)
	// Output: float64 [2 5] <nil>
}

func ExampleRoutines_Partition() {
	_, err := np.Routines{}.Partition(4, nil).Resolve([]np.Spec{{DType: np.Float64, Shape: []int{4}}})
	fmt.Println(err)
	// Output: there is no place 4 along axis 0 of shape (4,); places go from -4 to 3
}

func ExampleRoutines_ArgPartition() {
	fmt.Println(np.Routines{}.ArgPartition(-1, nil).Call([]int{5, 9, 1}).At(-1))
	// Output: 1
}
