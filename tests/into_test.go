package tests

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// intoCall is a method of Out, of both packages, and the function that makes what it writes.
type intoCall struct {
	name        string
	function    reflect.Value
	eager, lazy reflect.Value // the methods, with their receivers first
}

// intoCalls returns those of all methods of Out.
func intoCalls(t *testing.T) (out []intoCall) {
	symbols.Register()
	p, ok := ixgo.LookupPackage("github.com/arrayrepl/arrayrepl/arrays")
	if !ok {
		t.Fatal("there is no package arrays")
	}
	lz := reflect.TypeFor[lazy.Out]()
	for m := range reflect.TypeFor[arrays.Out]().Methods() {
		l, ok := lz.MethodByName(m.Name)
		f, is := p.Funcs[m.Name]
		if !ok || !is {
			t.Fatalf("Out.%s: in lazy %v, a function %v", m.Name, ok, is)
		}
		if w, g := f.Type(), m.Func.Type(); w.NumIn()+1 != g.NumIn() || w.IsVariadic() != g.IsVariadic() {
			t.Fatalf("Out.%s takes other arguments than %s: %v, %v", m.Name, m.Name, g, w)
		}
		out = append(out, intoCall{m.Name, f, m.Func, l.Func})
	}
	if len(out) < arrays.NumUfuncs {
		t.Fatalf("only %d methods", len(out))
	}
	return out
}

// intoRun is a random program of arrays that write into each other: views of a few storages, the same in both packages.
type intoRun struct {
	r        *rand.Rand
	storages []pair
}

func newIntoRun(seed uint64) *intoRun {
	s := &intoRun{r: rand.New(rand.NewPCG(seed, 11))}
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e10, -1e20, 70000, math.Copysign(0, -1), 127, 255}
	main := dtypes[s.r.IntN(len(dtypes))]
	for i, d := range []arrays.DType{main, main, dtypes[s.r.IntN(len(dtypes))], arrays.Float64} {
		n := []int{36, 36, 36, 2 * 2 * 1080}[i]
		vals := make([]float64, n)
		for k := range vals {
			vals[k] = math.Round(s.r.NormFloat64()*24) / 8
			if s.r.IntN(25) == 0 {
				vals[k] = special[s.r.IntN(len(special))]
			}
		}
		a := arrays.FromSlice(vals).AsType(d)
		if d.IsComplex() {
			a = a.Add(a.Flip().Mul(0.5i).AsType(d))
		}
		s.storages = append(s.storages, pair{a, lazy.FromArray(a.Copy()), true, fmt.Sprint("storage ", i)})
	}
	return s
}

// view returns a view of a random storage, mostly a small one.
func (s *intoRun) view() pair {
	p := s.storages[min(s.r.IntN(8)/2, 3)]
	if p.eager.Size() > 1000 && s.r.IntN(4) > 0 {
		p = s.storages[0]
	}
	e, l := p.eager, p.lazy
	switch s.r.IntN(5) {
	case 0:
		shape := [][]int{{6, -1}, {3, -1}, {2, 3, -1}, {-1, 1}, {-1, 2}}[s.r.IntN(5)]
		e, l = e.Reshape(shape...), l.Reshape(shape...)
	case 1: // of the same size, but elsewhere
		lo := s.r.IntN(e.Size() - 5)
		e, l = e.At(arrays.S(lo, lo+6)), l.At(arrays.S(lo, lo+6))
	}
	for range s.r.IntN(3) {
		switch s.r.IntN(6) {
		case 0:
			e, l = e.T(), l.T()
		case 1:
			e, l = e.Flip(), l.Flip()
		case 2:
			idx := arrays.S(s.r.IntN(3), arrays.End, 1+s.r.IntN(2))
			e, l = e.At(arrays.Dots, idx), l.At(arrays.Dots, idx)
		case 3:
			if e.NDim() > 1 {
				e, l = e.At(arrays.S(0, 1)), l.At(arrays.S(0, 1))
			}
		case 4:
			if e.NDim() < 3 {
				e, l = e.At(arrays.NewAxis), l.At(arrays.NewAxis)
			}
		case 5:
			e, l = e.At(arrays.To(3)), l.At(arrays.To(3))
		}
	}
	return pair{eager: e, lazy: l}
}

// argument returns an argument of type t: for the eager method, for the lazy one, and a copy for the function.
func (s *intoRun) argument(t reflect.Type) (e, l, c reflect.Value) {
	same := func(v any) (e, l, c reflect.Value) {
		r := reflect.ValueOf(v)
		return r, r, r
	}
	switch t {
	case anyType:
		switch s.r.IntN(10) {
		case 0:
			return same(s.r.IntN(5) - 1)
		case 1:
			return same(float64(s.r.IntN(9)-3) / 2)
		case 2:
			return same([]int{0, s.r.IntN(3)})
		}
		v := s.view()
		return reflect.ValueOf(v.eager), reflect.ValueOf(v.lazy), reflect.ValueOf(v.eager.Copy())
	case reflect.TypeFor[arrays.ReduceOption]():
		return same([]arrays.ReduceOption{arrays.Axis(0), -1, arrays.KeepDims()}[s.r.IntN(3)])
	}
	return same(s.r.IntN(3) - 1)
}

// out returns an array for a result: of its dtype or another, of its shape or another, alone or a view of a storage
// that operands may be of.
func (s *intoRun) out(result *arrays.Array) pair {
	d, shape := result.DType(), result.Shape()
	for range 20 * s.r.IntN(2) {
		if v := s.view(); slices.Equal(v.eager.Shape(), shape) && (v.eager.DType() == d || s.r.IntN(10) == 0) {
			return v
		}
	}
	if s.r.IntN(3) == 0 {
		d = dtypes[s.r.IntN(len(dtypes))]
	}
	switch s.r.IntN(8) {
	case 0:
		shape = append([]int{2}, shape...)
	case 1:
		shape = []int{3}
	}
	e, l := arrays.New(d, shape...), lazy.New(d, shape...)
	switch last := len(shape) - 1; {
	case last >= 0 && s.r.IntN(3) == 0: // every second element of a larger one
		shape = slices.Clone(shape)
		shape[last] *= 2
		step := arrays.S(0, arrays.End, 2)
		e, l = arrays.New(d, shape...).At(arrays.Dots, step), lazy.New(d, shape...).At(arrays.Dots, step)
	case last > 0 && s.r.IntN(3) == 0:
		slices.Reverse(shape)
		e, l = arrays.New(d, shape...).T(), lazy.New(d, shape...).T()
	}
	return pair{eager: e, lazy: l}
}

// step writes into an array, and says what is not as the function, a copy of the operands and an assignment have it;
// "stop" where the two packages may have other bits from then on.
func (s *intoRun) step(c intoCall, evaluate bool) string {
	t := c.function.Type()
	var e, l, own []reflect.Value
	what := c.name + "("
	add := func(t reflect.Type) {
		ev, lv, cv := s.argument(t)
		if a, ok := ev.Interface().(*arrays.Array); ok {
			what += fmt.Sprintf("%v%v, ", a.DType(), a.Shape())
		} else {
			what += fmt.Sprintf("%v, ", ev)
		}
		e, l, own = append(e, ev), append(l, lv), append(own, cv)
	}
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			n := s.r.IntN(2)
			if t.In(i).Elem() == anyType {
				n = 1 + s.r.IntN(3)
			}
			for range n {
				add(t.In(i).Elem())
			}
			break
		}
		add(t.In(i))
	}
	want := catch(func() []reflect.Value { return c.function.Call(own) })
	result := arrays.Zeros(3)
	if want.err == nil && want.bad == nil {
		result = want.out[0].Interface().(*arrays.Array)
	}
	z := s.out(result)
	what += fmt.Sprintf(") into %v%v", z.eager.DType(), z.eager.Shape())
	// what it should become, and all of its storage
	whole := z.eager.View(arrays.Contiguous(wholeOf(z.eager)))
	after := whole.Copy()
	l0 := z.eager.Layout()
	got := catch(func() []reflect.Value {
		return c.eager.Call(append([]reflect.Value{reflect.ValueOf(arrays.Into(z.eager))}, e...))
	})
	late := catch(func() []reflect.Value {
		return c.lazy.Call(append([]reflect.Value{reflect.ValueOf(lazy.Into(z.lazy))}, l...))
	})
	switch {
	case want.bad != nil || got.bad != nil || late.bad != nil:
		return fmt.Sprintf("%s: panics with %v, %v, lazy %v", what, want.bad, got.bad, late.bad)
	case want.err != nil && (got.err == nil || got.err.Error() != want.err.Error() && !strings.Contains(got.err.Error(), "not written into")): // which is known before elements are
		return fmt.Sprintf("%s: the function says %v, the method %v", what, want.err, got.err)
	case want.err == nil && got.err == nil:
		if result.DType().IsInt() && after.DType().IsInt() { // they wrap, as with out= in NumPy; an assignment refuses them
			result = result.AsType(after.DType())
		}
		after.View(l0).Set(result)
	}
	if msg := (pair{after, lazy.FromArray(whole), true, ""}).differ(); msg != "" {
		return fmt.Sprintf("%s: %s; error %v", what, msg, got.err)
	}
	if got.err == nil && got.out[0].Interface().(*arrays.Array) != z.eager {
		return what + ": another array is returned"
	}
	if late.err == nil && got.err != nil && !evaluate {
		return "stop"
	}
	if late.err == nil && got.err != nil {
		late.err = catch(func() []reflect.Value { z.lazy.Array(); return nil }).err
		if late.err == nil || said(late.err) != said(got.err) {
			return fmt.Sprintf("%s: arrays says %v, lazy, evaluated, %v", what, got.err, late.err)
		}
		return "stop" // the storage cannot be evaluated any more
	}
	if fmt.Sprint(said(late.err)) != fmt.Sprint(said(got.err)) && !(late.err != nil && inElements(said(got.err))) {
		return fmt.Sprintf("%s: arrays says %v, lazy %v", what, got.err, late.err)
	}
	if signs[c.name] {
		return "stop"
	}
	if evaluate && got.err == nil {
		p := pair{z.eager, z.lazy, !rounded[c.name], ""}
		if msg := p.differ(); msg != "" {
			return fmt.Sprintf("%s: lazy: %s", what, msg)
		}
	}
	// the last bits of a sum may differ from then on
	if got.err == nil && rounded[c.name] && z.eager.DType().IsInexact() {
		return "stop"
	}
	return ""
}

// rounded are the methods that may add in another order in lazy.
var rounded = map[string]bool{"Sum": true, "Mean": true, "Prod": true, "CumSum": true, "CumProd": true}

// signs are the methods that tell the sign of a NaN, which is not the same everywhere.
var signs = map[string]bool{"SignBit": true, "CopySign": true}

// wholeOf is the number of elements of a's storage.
func wholeOf(a *arrays.Array) int {
	n := a.Size()
	for try(func() { a.View(arrays.Contiguous(n + 1)) }) == "" {
		n++
	}
	return n
}

// TestInto: every method of Out writes what the function of its name returns, converted, and nothing else; also where
// operands are views of the memory that it writes to. What the function, shape or dtype refuse leaves the array as it
// was. Lazily it is the same, whether it is evaluated step by step or at the end.
func TestInto(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("host")
	all := intoCalls(t)
	written := map[string]int{}
	for seed := range testsize.Seeds("tests.TestInto") {
		s := newIntoRun(seed)
		evaluate := seed%2 == 0
		for k := range 60 {
			c := all[s.r.IntN(len(all))]
			msg := s.step(c, evaluate)
			written[c.name]++
			if msg == "stop" {
				s = nil
				break
			}
			if msg != "" {
				t.Fatalf("seed %d, step %d: %s", seed, k, msg)
			}
		}
		if s == nil {
			continue
		}
		for _, p := range s.storages {
			if msg := p.differ(); msg != "" {
				t.Fatalf("seed %d, at last: %s: %s", seed, p.how, msg)
			}
		}
	}
	for _, c := range all {
		if written[c.name] == 0 {
			t.Errorf("%s was never tried", c.name)
		}
	}
}
