package arrays

import (
	"fmt"
	"math"
)

// Geomspace returns num float64 values from start to stop, both included, each the same factor times the one before.
//
//mirror:copy
func Geomspace(start, stop float64, num int) *Array {
	if !(start > 0 && stop > 0 || start < 0 && stop < 0) { // their product may be too small for a float64
		check("geomspace", &Error{Msg: fmt.Sprintf("there is no factor between %v and %v; both are above or below 0", start, stop)})
	}
	a := Pow(10.0, Linspace(Log10(math.Abs(start)).Float64(), Log10(math.Abs(stop)).Float64(), num))
	sign := math.Copysign(1, start)
	if num > 0 {
		a.Set(math.Abs(start), 0)
	}
	if num > 1 {
		a.Set(math.Abs(stop), num-1)
	}
	return a.Mul(sign)
}

// Logspace returns num values from 10 to the power start to 10 to the power stop, both included, evenly spaced on a log
// scale.
//
//mirror:copy
func Logspace(start, stop float64, num int) *Array { return Pow(10.0, Linspace(start, stop, num)) }
