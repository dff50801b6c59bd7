package arrays_test

import (
	"errors"
	"fmt"
	"io/fs"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// What dtypes, units, operations and errors say of themselves, for programs that ask.

func ExampleDType_String() {
	fmt.Println(np.Float64, np.Str(5), np.DateTime(np.Day), np.TimeDelta(np.Second))
	// Output: float64 <U5 datetime64[D] timedelta64[s]
}

func ExampleDType_Size() {
	fmt.Println(np.Bool.Size(), np.Float32.Size(), np.Complex128.Size(), np.Str(5).Size()) // four bytes a character
	// Output: 1 4 16 20
}

// Kinds of numbers are ordered as promotion climbs.
func ExampleDType_Kind() {
	fmt.Println(np.Uint8.Kind() == np.KindInt, np.Int64.Kind() < np.Float16.Kind(), np.Promote(np.Int64, np.Float16))
	// Output: true true float64
}

func ExampleDType_IsBool() {
	x := np.Arange(3)
	fmt.Println(x.DType().IsBool(), x.Gt(1).DType().IsBool())
	// Output: false true
}

func ExampleDType_IsInt() {
	fmt.Println(np.Int8.IsInt(), np.Uint64.IsInt(), np.Bool.IsInt())
	// Output: true true false
}

func ExampleDType_IsUnsigned() {
	fmt.Println(np.Uint8.IsUnsigned(), np.Int8.IsUnsigned())
	// Output: true false
}

func ExampleDType_IsFloat() {
	fmt.Println(np.Float16.IsFloat(), np.Complex64.IsFloat(), np.Int64.IsFloat())
	// Output: true false false
}

func ExampleDType_IsComplex() {
	values := np.EigVals(np.From2D([][]float64{{0, -1}, {1, 0}})) // a quarter turn has no real ones
	fmt.Println(values.DType().IsComplex())
	// Output: true
}

// Inexact dtypes are those that round, and that have NaN.
func ExampleDType_IsInexact() {
	fmt.Println(np.Float32.IsInexact(), np.Complex64.IsInexact(), np.Int64.IsInexact())
	// Output: true true false
}

func ExampleDType_IsNumber() {
	fmt.Println(np.Bool.IsNumber(), np.Complex64.IsNumber(), np.Str(3).IsNumber(), np.DateTime(np.Day).IsNumber())
	// Output: true true false false
}

func ExampleDType_IsString() {
	fmt.Println(np.FromSlice([]string{"oak"}).DType().IsString(), np.Uint8.IsString())
	// Output: true false
}

// Dates and the spans between them are both times.
func ExampleDType_IsTime() {
	fmt.Println(np.DateTime(np.Day).IsTime(), np.TimeDelta(np.Hour).IsTime(), np.Int64.IsTime())
	// Output: true true false
}

func ExampleUnit_String() {
	fmt.Println(np.Day, np.Millisecond, np.DateTime(np.Millisecond))
	// Output: Day Millisecond datetime64[ms]
}

// The index values print by name, as in messages.
func ExampleAxisIndex_String() {
	fmt.Println([]any{np.All, np.NewAxis, np.Dots, -1})
	// Output: [All NewAxis Dots -1]
}

// The names are NumPy's.
func ExampleUfunc_String() {
	fmt.Println(np.OpAdd, np.OpFloorDiv, np.OpLGamma)
	// Output: add floor_divide lgamma
}

// The operations can be listed: here those of three inputs.
func ExampleUfunc_NIn() {
	fmt.Println(np.OpSqrt.NIn(), np.OpAdd.NIn())
	for u := range np.Ufunc(np.NumUfuncs) {
		if u.NIn() == 3 {
			fmt.Println(u)
		}
	}
	// Output:
	// 1 2
	// where
}

func ExampleReduction_String() {
	fmt.Println(np.ReduceSum, np.ReduceArgMax)
	// Output: sum argmax
}

// Those that find a place go along one axis or none.
func ExampleReduction_IsIndex() {
	for r := range np.Reduction(np.NumReductions) {
		if r.IsIndex() {
			fmt.Print(r, " ")
		}
	}
	// Output: argmax argmin
}

// Decide once, apply to each array of that dtype and shape.
func ExampleReduceSpec_Apply() {
	spec, err := np.ReduceMean.Resolve(np.Int64, []int{2, 3}, np.Axis(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(spec.Out, spec.OutShape)
	fmt.Println(spec.Apply(np.Arange(6).Reshape(2, 3)), spec.Apply(np.Ones(2, 3).AsType(np.Int64)))
	// Output:
	// float64 [2]
	// [1. 4.] [1. 1.]
}

// Transposed so, the elements of each sum lie along the last axes.
func ExampleReduceSpec_LastAxes() {
	shape := []int{2, 3, 4}
	spec, _ := np.ReduceSum.Resolve(np.Float64, shape, np.Axis(1))
	order := spec.LastAxes(len(shape))
	fmt.Println(order, np.Zeros(shape...).T(order).Shape())
	// Output: [0 2 1] [2 4 3]
}

// One line: the operation, what was wrong, what to do.
func ExampleError_Error() {
	defer func() { fmt.Println(recover().(*np.Error).Error()) }()
	np.Zeros(2, 3).Reshape(4)
	// Output: reshape: shape (2,3) has 6 elements, which do not fit shape (4,); the sizes must multiply to 6 (one may be -1)
}

// The cause is there for errors.Is.
func ExampleError_Unwrap() {
	_, err := np.TryInv(np.Zeros(2, 2))
	fmt.Println(errors.Is(err, np.ErrSingular))
	_, err = np.Load("no such file.npy")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// true
	// true
}
