package tests

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

var (
	axisType     = reflect.TypeFor[arrays.AxisOption]()
	reduceType   = reflect.TypeFor[arrays.ReduceOption]()
	fftType      = reflect.TypeFor[arrays.FFTOption]()
	quantileType = reflect.TypeFor[arrays.QuantileOption]()
	gradientType = reflect.TypeFor[arrays.GradientOption]()
)

// withAxes are the types of options that are any because an int names an axis.
var withAxes = []reflect.Type{axisType, reduceType, fftType, quantileType, gradientType}

// alongAxes are arguments in the place of the usual ones, where both axes of a matrix must do.
var alongAxes = map[string][]any{
	"Compress": {line, square}, "TakeAlongAxis": {square, arrays.Zeros(3, 3).AsType(arrays.Int64)}, "PutAlongAxis": {square.Copy(), arrays.Zeros(3, 3).AsType(arrays.Int64), 1.0},
	"Take": {square, ordinals}, "Out.Take": {nil, square, ordinals}, "Average": {square, nil}, "VectorNorm": {square, 2.0}, "Quantile": {square, 0.5}, "NanQuantile": {square, 0.5}, "Percentile": {square, 50},
	"NanPercentile": {square, 50}, "Gradients": {square, 1.0}, "Split": {square, 3}, "ArraySplit": {square, 2}, "Concat": {nil, square, square}, "Stack": {nil, square, square},
	"Out.Concat": {nil, nil, square, square}, "Out.Stack": {nil, nil, square, square}, "ApplyAlongAxis": {nil, nil, square}, "Array.Squeeze": {arrays.Zeros(1, 1, 1)},
	"CountNonZero": {square}, "Repeat": {square, 2}, "Roll": {square, 1}, "Trapezoid": {square, 1.0}, "Reduce": {arrays.ReduceSum, square},
}

// notOfOneAxis are functions that take axes or their options, but not one axis alone, with the reason.
var notOfOneAxis = map[string]string{
	"Array.T": "all axes are named", "Trace": "two axes are named", "Cov": "variables are in rows", "CorrCoef": "variables are in rows",
	"FFT2": "two axes are named", "IFFT2": "two axes are named", "RFFT2": "two axes are named", "IRFFT2": "two axes are named",
}

// TestAxesAreWrittenBothWays: every function of both packages that takes an axis takes it as an int and as Axis of one,
// with one result, and says what is wrong about another one. The functions are found by reflection.
func TestAxesAreWrittenBothWays(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("host")
	tried := 0
	for _, c := range calls(t) {
		if notOfOneAxis[c.name] != "" {
			continue
		}
		for _, side := range []struct {
			pkg string
			f   reflect.Value
			of  func(*arrays.Array) any
		}{
			{"arrays", c.eager, func(a *arrays.Array) any { return a }},
			{"lazy", c.lazy, func(a *arrays.Array) any { return lazy.FromArray(a) }},
		} {
			ft := side.f.Type()
			last := ft.NumIn() - 1
			at := -1
			for i := range ft.NumIn() {
				if in := ft.In(i); in == axisType || ft.IsVariadic() && i == last && slices.Contains(withAxes, in.Elem()) {
					at = i
					break
				}
			}
			if at < 0 {
				continue
			}
			tried++
			call := func(axis any) (text string, wrong any) {
				defer func() { wrong = recover() }()
				given := leading[c.name]
				if g, ok := alongAxes[c.name]; ok {
					given = g
				}
				var target any // of Into
				var args []reflect.Value
				for i := range ft.NumIn() {
					in := ft.In(i)
					if i == at {
						args = append(args, reflect.ValueOf(axis))
						continue
					}
					if ft.IsVariadic() && i == last {
						if len(given) > i {
							for _, g := range given[i:] {
								args = append(args, reflect.ValueOf(side.of(g.(*arrays.Array))))
							}
						}
						break
					}
					var g any = square
					if i < len(given) {
						g = given[i]
					}
					if a, ok := g.(*arrays.Array); ok {
						g = side.of(a.Copy())
					}
					switch {
					case in == reflect.TypeFor[arrays.Out](), in == reflect.TypeFor[lazy.Out]():
						shape := []int{3}
						switch c.name {
						case "Out.CumSum", "Out.CumProd", "Out.Take":
							shape = []int{3, 3}
						case "Out.Concat":
							if shape = []int{6, 3}; axisNumber(axis) != 0 {
								shape = []int{3, 6}
							}
						case "Out.Stack":
							if shape = []int{2, 3, 3}; axisNumber(axis) == 1 {
								shape = []int{3, 2, 3}
							} else if axisNumber(axis) == -1 {
								shape = []int{3, 3, 2}
							}
						}
						if z := arrays.Zeros(shape...).AsType(outDType(c.name)); in == reflect.TypeFor[arrays.Out]() {
							target = z
							args = append(args, reflect.ValueOf(arrays.Into(z)))
						} else {
							l := lazy.FromArray(z)
							target = l
							args = append(args, reflect.ValueOf(lazy.Into(l)))
						}
					case c.name == "ApplyAlongAxis" && i == 0 && side.pkg == "arrays":
						args = append(args, reflect.ValueOf(func(a *arrays.Array) float64 { return a.Float64(0) }))
					case c.name == "ApplyAlongAxis" && i == 0:
						args = append(args, reflect.ValueOf(func(a *lazy.Array) float64 { return a.Float64(0) }))
					case in == reflect.TypeFor[*arrays.RNG](): // a fresh one: each call draws the same
						args = append(args, reflect.ValueOf(arrays.DefaultRNG(1)))
					case in == reflect.TypeFor[*lazy.RNG]():
						args = append(args, reflect.ValueOf(lazy.DefaultRNG(1)))
					case g == nil:
						args = append(args, reflect.Zero(in))
					case !reflect.TypeOf(g).AssignableTo(in):
						args = append(args, reflect.ValueOf(2).Convert(in))
					default:
						args = append(args, reflect.ValueOf(g))
					}
				}
				for _, r := range side.f.Call(args) {
					text += fmt.Sprintln(r.Type(), r.Interface())
				}
				if len(args) > 0 && c.name == "PutAlongAxis" {
					text += fmt.Sprint(args[0].Interface())
				}
				return text + fmt.Sprint(target), nil
			}
			for _, k := range []int{0, 1, -1} {
				number, wrong := call(k)
				assert.Nil(t, wrong, "%s.%s of axis %d: the test must give it better arguments", side.pkg, c.name, k)
				option, wrong := call(arrays.Axis(k))
				assert.Nil(t, wrong, "%s.%s of Axis(%d)", side.pkg, c.name, k)
				assert.Equal(t, number, option, "%s.%s of axis %d", side.pkg, c.name, k)
				list, wrong := call([]int{k})
				assert.Nil(t, wrong, "%s.%s of []int{%d}", side.pkg, c.name, k)
				assert.Equal(t, number, list, "%s.%s of axis %d", side.pkg, c.name, k)
			}
			for _, axis := range []any{7, -9, arrays.Axis(7), "rows", 1.5, true} {
				_, wrong := call(axis)
				err, ok := wrong.(*arrays.Error)
				if assert.True(t, ok, "%s.%s of axis %v: %v (%T)", side.pkg, c.name, axis, wrong, wrong) {
					assert.NotEmpty(t, err.Op, "%s.%s of axis %v: %v", side.pkg, c.name, axis, err)
				}
			}
		}
	}
	assert.Greater(t, tried, 150, "functions with an axis")
}

// axisNumber is the axis that a value of the test names.
func axisNumber(axis any) int {
	switch axis := axis.(type) {
	case int:
		return axis
	case []int:
		return axis[0]
	case interface{ NamedAxes() []int }:
		return axis.NamedAxes()[0]
	}
	return 0
}

// outDType is the dtype of what a function writes.
func outDType(name string) arrays.DType {
	switch name {
	case "Out.ArgMax", "Out.ArgMin", "Out.CountNonZero":
		return arrays.Int64
	case "Out.All", "Out.Any":
		return arrays.Bool
	}
	return arrays.Float64
}
