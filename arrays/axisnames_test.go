package arrays

import (
	"errors"
	"strings"
	"testing"
)

// A wrong axis is an error of the function that was called, whatever that is made of.
func TestWrongAxisNamesTheFunction(t *testing.T) {
	x, bits := Arange(6).Reshape(2, 3), Ones(2, 3).AsType(Uint8)
	v, z := Ones(2, 3), Zeros(2, 3).AsType(Int64)
	for op, call := range map[string]func(axis int){
		"split":           func(k int) { Split(x, k, 1) },
		"array_split":     func(k int) { ArraySplit(x, 2, k) },
		"unstack":         func(k int) { Unstack(x, k) },
		"diff":            func(k int) { Diff(x, k) },
		"gradient":        func(k int) { Gradient(x, 1, k) },
		"trapezoid":       func(k int) { Trapezoid(x, 1, k) },
		"trace":           func(k int) { Trace(x, 0, k) },
		"vecdot":          func(k int) { VecDot(x, x, k) },
		"cross":           func(k int) { Cross(v, v, k) },
		"repeat":          func(k int) { Repeat(x, 2, k) },
		"roll":            func(k int) { Roll(x, 1, k) },
		"take":            func(k int) { Take(x, 0, k) },
		"take_along_axis": func(k int) { TakeAlongAxis(x, z, k) },
		"put_along_axis":  func(k int) { PutAlongAxis(v, z, 1, k) },
		"quantile":        func(k int) { Quantile(x, 0.5, k) },
		"percentile":      func(k int) { Percentile(x, 50, k) },
		"median":          func(k int) { Median(x, k) },
		"nanquantile":     func(k int) { NanQuantile(v, 0.5, k) },
		"nanpercentile":   func(k int) { NanPercentile(v, 50, k) },
		"nanmedian":       func(k int) { NanMedian(v, k) },
		"nancumsum":       func(k int) { NanCumSum(v, k) },
		"nancumprod":      func(k int) { NanCumProd(v, k) },
		"unwrap":          func(k int) { Unwrap(v, k) },
		"packbits":        func(k int) { PackBits(bits, k) },
		"unpackbits":      func(k int) { UnpackBits(bits, k) },
		"delete":          func(k int) { Delete(x, 0, k) },
		"insert":          func(k int) { Insert(x, 0, 1, k) },
		"compress":        func(k int) { Compress([]bool{true, false}, x, k) },
		"partition":       func(k int) { Partition(x, 1, k) },
		"argpartition":    func(k int) { ArgPartition(x, 1, k) },
		"apply_along_axis": func(k int) {
			ApplyAlongAxis(func(a *Array) *Array { return a.Sum() }, k, x)
		},
		"norm":      func(k int) { Norm(x, k) },
		"sort":      func(k int) { Sort(x, k) },
		"argsort":   func(k int) { ArgSort(x, k) },
		"cumsum":    func(k int) { CumSum(x, k) },
		"fftshift":  func(k int) { FFTShift(x, k) },
		"ifftshift": func(k int) { IFFTShift(x, k) },
		"flip":      func(k int) { Flip(x, k) },
		"concat":    func(k int) { Concat(k, x, x) },
		"moveaxis":  func(k int) { x.MoveAxis(k, 0) },
	} {
		for _, axis := range []int{2, -3} {
			func() {
				defer func() {
					err, _ := recover().(error)
					var e *Error
					if !errors.As(err, &e) || e.Op != op {
						t.Errorf("%s with axis %d: %v", op, axis, err)
					}
				}()
				call(axis)
				t.Errorf("%s takes axis %d of shape (2,3)", op, axis)
			}()
		}
	}
}

func TestPercentOutOfRange(t *testing.T) {
	for op, call := range map[string]func(){
		"percentile":    func() { Percentile([]float64{1, 2}, 101) },
		"nanpercentile": func() { NanPercentile([]float64{1, 2}, -1) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				if err == nil || !strings.HasPrefix(err.Error(), op+": ") || !strings.Contains(err.Error(), "between 0 and 100") {
					t.Errorf("%s: %v", op, err)
				}
			}()
			call()
		}()
	}
}
