package viz

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// arrayer is any array that can become a host array: a lazy placeholder evaluates itself.
type arrayer interface{ Array() *arrays.Array }

// hostArray returns v as an array in the host's memory, evaluated, where v is an array.
func hostArray(v any) (a *arrays.Array, ok bool) {
	if lazy, ok := v.(arrayer); ok {
		v = lazy.Array()
	}
	a, ok = v.(*arrays.Array)
	return a, ok
}

// values reads v: an array (lazy ones are evaluated) or a Go slice of numbers or bools. The shape is that of the array.
// The values may share memory with v: they must not be written to.
func values(what string, v any) (vals []float64, shape []int, err error) {
	if a, ok := hostArray(v); ok {
		switch {
		case a == nil:
			return nil, nil, fmt.Errorf("%s is a nil array", what)
		case a.DType().IsTime():
			return nil, nil, fmt.Errorf("%s holds %v, not numbers; convert it first: AsType(np.Float64) counts its unit", what, a.DType())
		case a.DType().IsString():
			return nil, nil, fmt.Errorf("%s holds %v, which is text, not numbers; where the text says numbers, convert it first: AsType(np.Float64)", what, a.DType())
		}
		if shared := sharedFloats(a); shared != nil {
			return shared, a.Shape(), nil
		}
		return a.Float64s(), a.Shape(), nil
	}
	if f, ok := v.([]float64); ok && f != nil {
		return f, []int{len(f)}, nil
	}
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || (rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array) {
		return nil, nil, fmt.Errorf("%s is %T; want an array or a slice of numbers", what, v)
	}
	vals = make([]float64, rv.Len())
	for i := range vals {
		switch e := rv.Index(i); {
		case e.CanFloat():
			vals[i] = e.Float()
		case e.CanInt():
			vals[i] = float64(e.Int())
		case e.CanUint():
			vals[i] = float64(e.Uint())
		case e.Kind() == reflect.Bool:
			if e.Bool() {
				vals[i] = 1
			}
		default:
			return nil, nil, fmt.Errorf("%s is %T; want an array or a slice of numbers", what, v)
		}
	}
	return vals, []int{len(vals)}, nil
}

// sharedFloats returns the elements of a without a copy, which for hundreds of millions counts; nil where that cannot
// be.
func sharedFloats(a *arrays.Array) []float64 {
	if a.DType() != arrays.Float64 || a.Size() == 0 || !a.Layout().IsContiguous() {
		return nil
	}
	b := a.Bytes()
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(float64(0)) != 0 {
		return nil
	}
	return unsafe.Slice((*float64)(p), len(b)/8)
}

// vector reads v as one column of values.
func vector(what string, v any) ([]float64, error) {
	vals, shape, err := values(what, v)
	if err != nil {
		return nil, err
	}
	if err := oneAxis(what, shape); err != nil {
		return nil, err
	}
	return vals, nil
}

// oneAxis is an error unless shape is that of one column of values.
func oneAxis(what string, shape []int) error {
	if slices.Contains(shape, 0) {
		return fmt.Errorf("%s is empty (shape %v): there is nothing to draw", what, shape)
	}
	if longAxes(shape) > 1 {
		return fmt.Errorf("%s has shape %v; want one axis: take a row or column of it, or Reshape(-1)", what, shape)
	}
	return nil
}

// columns reads v as one column, or as several when it has two axes: shape (n, k) is k columns of n values.
func columns(what string, v any) ([][]float64, error) {
	vals, shape, err := values(what, v)
	if err != nil {
		return nil, err
	}
	if len(shape) != 2 || longAxes(shape) < 2 {
		one, err := vector(what, v)
		return [][]float64{one}, err
	}
	n, k := shape[0], shape[1]
	if k > 20 {
		return nil, fmt.Errorf("%s has shape %v, which is %d lines; draw at most 20: take some columns", what, shape, k)
	}
	cols := make([][]float64, k)
	for j := range cols {
		cols[j] = make([]float64, n)
		scan(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				cols[j][i] = vals[i*k+j]
			}
		})
	}
	return cols, nil
}

// longAxes counts the axes of more than one value.
func longAxes(shape []int) (n int) {
	for _, d := range shape {
		if d > 1 {
			n++
		}
	}
	return n
}

// maxBars is how many bars can be told apart.
const maxBars = 1000

func tooManyBars(n int) error {
	return fmt.Errorf("%s bars cannot be told apart; use Line or Hist, or take the largest", count(n))
}

// labels reads names of bars or groups: text, or dates and numbers printed. An array is evaluated.
func labels(v any) ([]string, error) {
	switch v := v.(type) {
	case []string:
		return v, nil
	case []time.Time:
		return labels(arrays.FromSlice(v))
	}
	if a, ok := hostArray(v); ok && a != nil && (a.DType().IsString() || a.DType().IsTime()) {
		if err := oneAxis("labels", a.Shape()); err != nil {
			return nil, err
		}
		if a.Size() > maxBars {
			return nil, tooManyBars(a.Size())
		}
		return a.Strings(), nil
	}
	vals, err := vector("labels", v)
	if err != nil {
		return nil, err
	}
	if len(vals) > maxBars {
		return nil, tooManyBars(len(vals))
	}
	out := make([]string, len(vals))
	for i, x := range vals {
		out[i] = number(x)
	}
	return out, nil
}

// givenLabels are labels that may be left out.
func givenLabels(v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	return labels(v)
}
