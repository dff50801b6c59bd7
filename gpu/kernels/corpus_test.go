package kernels_test

import (
	"math"
	"reflect"
	"sort"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// Each kernel of the corpus, compiled and run on the CPU engine, gives what its Go
// function gives under emulation, and what plain Go gives.
func TestCorpus(t *testing.T) {
	for _, k := range kernels.All {
		t.Run(k.Name, func(t *testing.T) {
			c, err := kernels.Compile(k.Name, gosrc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := k.Args()
			k.Want(want)

			emulated := k.Args()
			if err := emulate.Run(k.Grid, k.Block, k.Dynamic, k.Call(emulated)); err != nil {
				t.Fatal("emulation:", err)
			}
			compare(t, k, "emulated", emulated, want)

			bare, err := kernels.Compile(k.Name, gosrc.Options{Unchecked: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []*gosrc.Kernel{c, bare} {
				run := k.Args()
				if err := k.Run(c, run); err != nil {
					t.Fatal("engine:", err)
				}
				compare(t, k, "engine", run, want)

				optimised := *c
				optimised.Func = kir.Optimize(c.Func)
				run = k.Args()
				if err := k.Run(&optimised, run); err != nil {
					t.Fatal("optimised:", err)
				}
				compare(t, k, "optimised", run, want)
			}
		})
	}
}

// compare tests the slices among the arguments.
func compare(t *testing.T, k kernels.Kernel, who string, got, want []any) {
	t.Helper()
	for i := range got {
		g, w := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		if g.Kind() != reflect.Slice {
			continue
		}
		if k.Unordered {
			g, w = sorted(g), sorted(w)
		}
		for j := range g.Len() {
			x, y := g.Index(j), w.Index(j)
			if alike(x, y, k.Within) {
				continue
			}
			t.Fatalf("%s: argument %d, element %d is %v, plain Go has %v", who, i, j, x, y)
		}
	}
}

// alike compares numbers, and arrays of them.
func alike(x, y reflect.Value, within float64) bool {
	switch {
	case x.Kind() == reflect.Array:
		for i := range x.Len() {
			if !alike(x.Index(i), y.Index(i), within) {
				return false
			}
		}
		return true
	case x.CanFloat():
		return near(x.Float(), y.Float(), within)
	case x.CanComplex():
		return near(real(x.Complex()), real(y.Complex()), within) && near(imag(x.Complex()), imag(y.Complex()), within)
	}
	return x.Equal(y)
}

func near(x, y, within float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= within*max(math.Abs(x), math.Abs(y), 1)
}

func sorted(v reflect.Value) reflect.Value {
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(out, v)
	if v.Len() > 0 && v.Index(0).CanInt() {
		sort.Slice(out.Interface(), func(i, j int) bool { return out.Index(i).Int() < out.Index(j).Int() })
	}
	return out
}
