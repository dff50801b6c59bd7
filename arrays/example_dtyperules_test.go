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

func ExampleMixesSigns() {
	fmt.Println(np.MixesSigns(np.Uint64, np.Int64), np.MixesSigns(np.Uint32, np.Int64)) // int64 holds every uint32
	fmt.Println(np.Less([]int64{-1}, []uint64{math.MaxUint64}))                         // exact all the same
	// Output:
	// true false
	// [ True]
}
