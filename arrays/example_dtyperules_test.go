package arrays_test

import (
	"fmt"
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExamplePromote() {
	fmt.Println(np.Promote(np.Int8, np.Uint8))
	fmt.Println(np.Promote(np.Int32, np.Float32)) // float32 does not hold every int32
	fmt.Println(np.Promote(np.Int64, np.Uint64))
	fmt.Println(np.Promote(np.DateTime(np.Day), np.DateTime(np.Second)))
	// Output:
	// int16
	// float64
	// float64
	// datetime64[s]
}

func ExampleResultType() {
	x := np.Ones(3).AsType(np.Float32)
	fmt.Println(np.ResultType(x, 2.5), np.ResultType(x, np.Float64)) // the Go number is weak
	fmt.Println(np.ResultType(np.Int64, 2.5))
	// Output:
	// float32 float64
	// float64
}

func ExampleRules_MixesSigns() {
	fmt.Println(np.Rules{}.MixesSigns(np.Uint64, np.Int64), np.Rules{}.MixesSigns(np.Uint32, np.Int64)) // int64 holds every uint32
	fmt.Println(np.Less([]int64{-1}, []uint64{math.MaxUint64}))                                         // exact all the same
	// Output:
	// true false
	// [ True]
}

// What is assigned to ints must fit, but for fractions.
func ExampleDType_Holds() {
	fmt.Println(np.Uint8.Holds(np.FromSlice([]float64{1.5, 2})))
	fmt.Println(np.Uint8.Holds(np.Scalar(300)))
	// Output:
	// <nil>
	// 300 does not fit uint8 (0 to 255); replace it first, as with Where or Clip, or convert the array
}

// Only the elements tell whether int64 fits uint8.
func ExampleDType_Looks() {
	fmt.Println(np.Uint8.Looks(np.Int64), np.Int64.Looks(np.Uint8))
	// Output:
	// true false
}

// The rule of x[...] op= y.
func ExampleDType_TakesBack() {
	fmt.Println(np.Float32.TakesBack(np.Float64))
	fmt.Println(np.Int64.TakesBack(np.Float64))
	// Output:
	// <nil>
	// the result is of float64 and does not go back into elements of int64; convert the array first, or assign the result as x[...] = (...).AsType(...)
}

// The rule of AddAt: ints of any size are added to ints.
func ExampleDType_Adds() {
	fmt.Println(np.Int8.Adds(np.Int64), np.Int8.Adds(np.Float32) != nil)
	// Output: <nil> true
}
