package tests

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// takesMany are the functions that take any number of values at their end, by what these are.
var takesMany = map[string][]string{
	"sizes, or places in a shape": {"Array.Reshape", "Reshape", "Resize", "BroadcastTo", "FromFunction", "FromSlice", "Full", "Indices", "New", "Ones",
		"Zeros", "RavelMultiIndex", "UnravelIndex", "Contiguous", "Tile"},
	"indices": {"Array.AddAt", "Array.At", "Array.Set", "Array.Float64", "Ix"},
	"axes":    {"Array.Flip", "Array.Squeeze", "Array.T", "FFTShift", "IFFTShift", "Flip", "Norm", "Roll", "Median", "NanMedian", "Quantile", "NanQuantile", "Percentile", "NanPercentile", "Gradients"},
	"arrays": {"Apply", "BroadcastArrays", "BroadcastShapes", "Choose", "ColumnStack", "Concat", "DStack", "Einsum", "HStack", "LexSort",
		"Meshgrid", "MultiDot", "Piecewise", "ResultType", "Stack", "VStack", "Out.Concat", "Out.Stack", "IsDType"},
	"options of a type of their own, each of which says what it does": {"PadRamp", "PadValues", "PadWithin", "Columns", "Length", "Names", "Missing", "OnlyMissing"},
}

// TestNoArgumentIsDropped: a function that takes values at its end reads all of them, or refuses more than it reads;
// both packages do. The functions are found by reflection, so that one that is added must be here, among those that
// take many, or refuse.
func TestNoArgumentIsDropped(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("host")
	many := map[string]bool{}
	for _, names := range takesMany {
		for _, name := range names {
			many[name] = true
		}
	}
	tried := 0
	for _, c := range calls(t) {
		if many[c.name] || !c.eager.Type().IsVariadic() {
			continue
		}
		for _, side := range []struct {
			pkg string
			f   reflect.Value
			of  func(*arrays.Array) any
		}{{"arrays", c.eager, func(a *arrays.Array) any { return a }}, {"lazy", c.lazy, func(a *arrays.Array) any { return lazy.FromArray(a) }}} {
			ft := side.f.Type()
			last := ft.In(ft.NumIn() - 1).Elem()
			if last == reduceType || last == fftType || ft.In(0) == reflect.TypeFor[*arrays.RNG]() || ft.In(0) == reflect.TypeFor[*lazy.RNG]() {
				continue // reductions and their kin have options of a type of their own, random numbers a shape
			}
			var extra reflect.Value
			switch {
			case last.Kind() == reflect.Int, last == anyType, last == axisType, last == gradientType:
				extra = reflect.ValueOf(0)
			case last == reflect.TypeFor[arrays.RightOption]():
				extra = reflect.ValueOf(arrays.Right(true))
			case last == reflect.TypeFor[arrays.SorterOption]():
				extra = reflect.ValueOf(arrays.Sorter(ordinals))
			case last.Kind() == reflect.Float64:
				extra = reflect.ValueOf(0.5)
			case last.Kind() == reflect.String:
				extra = reflect.ValueOf("f")
			default:
				continue
			}
			tried++
			refuses := func(values int) (refused bool) {
				defer func() { refused = recover() != nil }()
				side.f.Call(append(fixedArguments(c.name, ft, side.of), slices.Repeat([]reflect.Value{extra}, values)...))
				return false
			}
			assert.False(t, refuses(0) && refuses(1) && refuses(2), "%s.%s refuses all that is tried here: give it better arguments", side.pkg, c.name)
			assert.True(t, refuses(7), "%s.%s takes seven values of %v at its end and says nothing", side.pkg, c.name, extra)
		}
	}
	assert.Greater(t, tried, 80, "functions that end in values")
}

var (
	square   = arrays.FromSlice([]float64{4, 1, 0, 1, 3, 1, 0, 1, 2}, 3, 3)
	line     = arrays.FromSlice([]float64{0, 1, 2})
	ordinals = arrays.FromSlice([]int{0, 1, 2})
)

// leading are arguments of functions that do nothing with the usual ones.
var leading = map[string][]any{
	"Vander": {line}, "Repeat": {square, 2}, "Digitize": {line, line}, "SearchSorted": {line, line}, "SearchSortedRight": {line, line}, "Histogram": {line, 3},
	"HistogramBinEdges": {line, 3}, "Histogram2D": {line, line}, "BinCount": {ordinals}, "Interp": {line, line, line}, "Take": {square, ordinals},
	"Out.Take": {nil, line, ordinals}, "TakeAlongAxis": {square, arrays.Zeros(3, 3).AsType(arrays.Int64)},
	"PutAlongAxis": {square.Copy(), arrays.Zeros(3, 3).AsType(arrays.Int64), 1.0}, "Partition": {square, 1}, "ArgPartition": {square, 1},
	"PackBits": {square.AsType(arrays.Uint8)}, "UnpackBits": {square.AsType(arrays.Uint8)}, "Insert": {square, 1, 5.0}, "Delete": {square, 1}, "Split": {square, 3}, "ArraySplit": {square, 2},
	"Compress": {line, square}, "Gradient": {square, 1.0}, "TensorInv": {arrays.Eye(6).Reshape(2, 3, 6)},
}

// fixedArguments are arguments for the parameters of a function before its last, with which it does something.
func fixedArguments(name string, ft reflect.Type, of func(*arrays.Array) any) (args []reflect.Value) {
	for i := range ft.NumIn() - 1 {
		var given any
		if l := leading[name]; i < len(l) {
			given = l[i]
		}
		switch in := ft.In(i); {
		case in == reflect.TypeFor[arrays.Out]():
			args = append(args, reflect.ValueOf(arrays.Into(arrays.Zeros(3))))
		case in == reflect.TypeFor[lazy.Out]():
			args = append(args, reflect.ValueOf(lazy.Into(lazy.Zeros(3))))
		case given != nil:
			if a, ok := given.(*arrays.Array); ok {
				given = of(a)
			}
			args = append(args, reflect.ValueOf(given))
		case in == anyType, in == eagerType, in == lazyType:
			args = append(args, reflect.ValueOf(of(square)))
		case in.Kind() == reflect.Int:
			args = append(args, reflect.ValueOf(2))
		case in == reflect.TypeFor[[]int]():
			args = append(args, reflect.ValueOf([]int{2}))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}
