package tests

import (
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goplus/ixgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// failsByData reports whether f fails so that the elements alone decide it.
func failsByData(f reflect.Value, args []reflect.Value) (err error) {
	defer func() {
		e, _ := recover().(error)
		if errors.Is(e, arrays.ErrSingular) || errors.Is(e, arrays.ErrNotConverged) {
			err = e
		}
	}()
	f.Call(args)
	return nil
}

// TestTryPairs: each function that fails because of its elements has a twin that returns the error, which begins with
// Try and has the same parameters and results; and each that begins with Try is such a twin.
func TestTryPairs(t *testing.T) {
	symbols.Register()
	p, ok := ixgo.LookupPackage("github.com/arrayrepl/arrayrepl/arrays")
	require.True(t, ok)
	nan, inf := math.NaN(), math.Inf(1)
	operands := []any{
		arrays.From2D([][]float64{{1, 2}, {2, 4}}), arrays.From2D([][]float64{{1, 2}, {2, 1}}), arrays.From2D([][]float64{{nan, 0}, {0, 1}}), arrays.From2D([][]float64{{1, inf}, {0, 1}}),
		arrays.From2D([][]float64{{nan, 0}, {0, 1}, {1, 1}}), arrays.FromSlice([]float64{1, nan}), arrays.FromSlice([]float64{1, nan, 3, inf}), arrays.FromSlice([]float64{nan, 1, 1, 1}, 2, 2, 1, 1),
		arrays.FromSlice([]float64{1, 2, 2, 4}, 2, 1, 2), arrays.FromSlice([]float64{1, 2}), arrays.From2D([][]float64{{1, 2}, {2, 4}}).Mul(1i + 1), arrays.Zeros(2, 2, 2, 2), 2.0, -2.0, "nuc",
	}
	twins := 0
	for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
		f := p.Funcs[name]
		ft := f.Type()
		if base, is := strings.CutPrefix(name, "Try"); is && base != "" { // Try itself takes any function
			of, there := p.Funcs[base]
			if assert.True(t, there, "%s is the twin of nothing", name) {
				assert.Equal(t, of.Type().NumOut()+1, ft.NumOut(), name)
				assert.Equal(t, of.Type().NumIn(), ft.NumIn(), name)
				assert.Equal(t, reflect.TypeFor[error](), ft.Out(ft.NumOut()-1), name)
				twins++
			}
			continue
		}
		fixed := ft.NumIn()
		if ft.IsVariadic() {
			fixed--
		}
		var failed error
		var with []reflect.Value
		var try func(args []reflect.Value)
		try = func(args []reflect.Value) {
			if failed != nil || len(args) > 3 {
				return
			}
			if len(args) == fixed {
				if failed = failsByData(f, args); failed != nil {
					with = slices.Clone(args)
				}
				return
			}
			switch in := ft.In(len(args)); {
			case in == anyType:
				for _, o := range operands {
					try(append(args, reflect.ValueOf(o)))
				}
			case in == eagerType:
				for _, o := range operands[:12] {
					try(append(args, reflect.ValueOf(o)))
				}
			case in.Kind() == reflect.Int:
				try(append(args, reflect.ValueOf(-1).Convert(in)))
				try(append(args, reflect.ValueOf(1).Convert(in)))
			case in.Kind() == reflect.Float64:
				try(append(args, reflect.ValueOf(2.0)))
			}
		}
		if name != "OnPoll" && fixed > 0 {
			try(nil)
		}
		if failed == nil {
			continue
		}
		twin, there := p.Funcs["Try"+name]
		if !assert.True(t, there, "%s fails by its elements (%v): it needs a Try%s", name, failed, name) {
			continue
		}
		out := twin.Call(with)
		err, _ := out[len(out)-1].Interface().(error)
		assert.EqualError(t, err, failed.Error(), name)
	}
	assert.Greater(t, twins, 15)
}
