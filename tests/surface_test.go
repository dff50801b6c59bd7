package tests

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// call is a function or a method of both packages, found by reflection: what is added to them is tried from then on.
type call struct {
	name        string
	eager, lazy reflect.Value // a method's with its receiver first
}

var (
	eagerType, lazyType = reflect.TypeFor[*arrays.Array](), reflect.TypeFor[*lazy.Array]()
	anyType             = reflect.TypeFor[any]()
)

// notTried are those that random arguments tell nothing of: options that are arguments of others, what has no elements,
// and what keeps a setting; and sums into an array, whose last bits may differ wherever that is seen from then on
// (TestInto has them).
var notTried = map[string]bool{
	"Axis": true, "KeepDims": true, "DDof": true, "Length": true, "Scaled": true, "SetPrintOptions": true, "SetUnpackTimes": true, "Must": true, "Into": true,
	"Out.Sum": true, "Out.Prod": true, "Out.Mean": true, "Out.CumSum": true, "Out.CumProd": true,
	"MapNPY": true, "MapArrow": true, "FromImage": true, "ToImage": true, "FromFunction": true, "Map": true, "ApplyAlongAxis": true,
	"Array.Format": true, "Array.DataLike": true, "Array.UnmarshalJSON": true, "Array.Rows": true, "Array.Values": true, "Array.String": true, "Array.Array": true,
}

// calls returns all that both packages have, by name.
func calls(t *testing.T) (out []call) {
	symbols.Register()
	funcs := func(name string) map[string]reflect.Value {
		p, ok := ixgo.LookupPackage("github.com/arrayrepl/arrayrepl/" + name)
		if !ok {
			t.Fatal("there is no package " + name)
		}
		return p.Funcs
	}
	eager, lz := funcs("arrays"), funcs("lazy")
	for m := range lazyType.Methods() {
		if e, ok := eagerType.MethodByName(m.Name); ok {
			eager["Array."+m.Name], lz["Array."+m.Name] = e.Func, m.Func
		}
	}
	for m := range reflect.TypeFor[lazy.Out]().Methods() {
		if e, ok := reflect.TypeFor[arrays.Out]().MethodByName(m.Name); ok {
			eager["Out."+m.Name], lz["Out."+m.Name] = e.Func, m.Func
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lz)) {
		skip := notTried[name]
		for _, prefix := range []string{"Load", "Save", "Read", "Write"} {
			skip = skip || strings.HasPrefix(name, prefix)
		}
		if e, ok := eager[name]; ok && !skip {
			out = append(out, call{name, e, lz[name]})
		}
	}
	rngE, rngL := reflect.TypeFor[*arrays.RNG](), reflect.TypeFor[*lazy.RNG]()
	for m := range rngL.Methods() {
		if e, ok := rngE.MethodByName(m.Name); ok && m.Name != "String" {
			out = append(out, call{"RNG." + m.Name, e.Func, m.Func})
		}
	}
	if len(out) < 400 {
		t.Fatalf("only %d functions and methods", len(out))
	}
	return out
}

// surface is a random program over calls.
type surface struct {
	r     *rand.Rand
	calls []call
	pairs []pair
	rng   struct {
		eager *arrays.RNG
		lazy  *lazy.RNG
	}
	now bool // each result is compared at once, else all at the end
	// functions that were seen to add in another order: what they give is compared and not followed
	rounds map[string]bool
}

// newSurface returns a program with inputs of all dtypes, of no, one and several axes, empty ones, and views.
func newSurface(calls []call, seed uint64, now bool, rounds map[string]bool) *surface {
	s := &surface{r: rand.New(rand.NewPCG(seed, 7)), calls: calls, now: now, rounds: rounds}
	s.rng.eager, s.rng.lazy = arrays.DefaultRNG(int(seed)), lazy.DefaultRNG(int(seed))
	shapes := [][]int{{}, {0}, {1}, {3}, {6}, {3, 3}, {2, 3}, {3, 2}, {1, 3}, {0, 3}, {2, 3, 3}}
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e10, -1e20, 70000, math.Copysign(0, -1), 127, 255}
	for range 8 {
		d, shape := dtypes[s.r.IntN(len(dtypes))], shapes[s.r.IntN(len(shapes))]
		if s.r.IntN(3) == 0 {
			d = []arrays.DType{arrays.Float64, arrays.Int64, arrays.Bool}[s.r.IntN(3)]
		}
		vals := make([]float64, arrays.Contiguous(shape...).Size())
		for k := range vals {
			vals[k] = math.Round(s.r.NormFloat64()*24) / 8
			if s.r.IntN(25) == 0 {
				vals[k] = special[s.r.IntN(len(special))]
			}
		}
		a := arrays.FromSlice(vals).Reshape(shape...).AsType(d)
		if d.IsComplex() {
			a = a.Add(a.T().Reshape(shape...).Mul(0.5i).AsType(d))
		}
		s.pairs = append(s.pairs, pair{a, lazy.FromArray(a.Copy()), true, "input"})
	}
	return s
}

func (s *surface) pick() pair { return s.pairs[s.r.IntN(len(s.pairs))] }

// argument returns an argument of t for both sides.
func (s *surface) argument(t reflect.Type) (e, l reflect.Value) {
	same := func(v any) (e, l reflect.Value) { return reflect.ValueOf(v), reflect.ValueOf(v) }
	switch {
	case t == eagerType:
		p := s.pick()
		return reflect.ValueOf(p.eager), reflect.ValueOf(p.lazy)
	case t == reflect.TypeFor[arrays.Out]():
		p := s.pick()
		return reflect.ValueOf(arrays.Into(p.eager)), reflect.ValueOf(lazy.Into(p.lazy))
	case t == reflect.TypeFor[*arrays.RNG]():
		return reflect.ValueOf(s.rng.eager), reflect.ValueOf(s.rng.lazy)
	case t == anyType:
		switch s.r.IntN(14) {
		case 0:
			return same(s.r.IntN(7) - 2)
		case 1:
			return same(float64(s.r.IntN(30)-10) / 4)
		case 2:
			return same([]int{s.r.IntN(3), s.r.IntN(3) - 1})
		case 3:
			return same([]any{[]float64{1.5, 2, -3}, true, 2 - 1i, "2020-01-02", uint8(200), [][]int{{1, 2, 3}, {4, 5, 6}},
				arrays.S(0, arrays.End, 2), arrays.All, arrays.NewAxis, arrays.S(arrays.End, arrays.End, -1)}[s.r.IntN(10)])
		}
		return s.argument(eagerType)
	case t.Kind() == reflect.Slice:
		n := s.r.IntN(4)
		e, l = reflect.MakeSlice(t, 0, n), reflect.MakeSlice(t, 0, n)
		if t.Elem() == eagerType {
			l = reflect.MakeSlice(reflect.SliceOf(lazyType), 0, n)
		}
		for range n {
			ev, lv := s.argument(t.Elem())
			e, l = reflect.Append(e, ev), reflect.Append(l, lv)
		}
		return e, l
	}
	switch t {
	case reflect.TypeFor[arrays.DType]():
		return same(dtypes[s.r.IntN(len(dtypes))])
	case reflect.TypeFor[arrays.Unit]():
		return same([]arrays.Unit{arrays.Day, arrays.Hour, arrays.Second}[s.r.IntN(3)])
	case reflect.TypeFor[arrays.Ufunc]():
		return same(arrays.Ufunc(s.r.IntN(int(arrays.OpWhere) + 1)))
	case reflect.TypeFor[arrays.AxisOption]():
		return same([]arrays.AxisOption{s.r.IntN(7) - 2, s.r.IntN(3) - 1, arrays.Axis(s.r.IntN(3) - 1), []int{s.r.IntN(2), s.r.IntN(2)}}[s.r.IntN(4)])
	case reflect.TypeFor[arrays.ReduceOption](), reflect.TypeFor[arrays.FFTOption]():
		return same([]arrays.ReduceOption{arrays.Axis(s.r.IntN(4) - 2), arrays.Axis(0, 1), arrays.Axis(), arrays.KeepDims(), arrays.DDof(1),
			arrays.Length(4), arrays.Scaled("ortho")}[s.r.IntN(7)])
	case reflect.TypeFor[arrays.QuantileOption]():
		return same([]arrays.QuantileOption{s.r.IntN(4) - 2, []int{0, 1}, arrays.Axis(0), arrays.KeepDims(), arrays.QuantileHazen, arrays.QuantileInvertedCDF,
			arrays.QuantileMethod("x"), arrays.Weights([]float64{1, 2, 0.5}), 1.5}[s.r.IntN(9)])
	case reflect.TypeFor[arrays.GradientOption]():
		return same([]arrays.GradientOption{s.r.IntN(4) - 2, []int{0, 1}, arrays.Axis(0), arrays.KeepDims(), arrays.EdgeOrder(2), arrays.EdgeOrder(3), 1.5}[s.r.IntN(7)])
	case reflect.TypeFor[arrays.SorterOption]():
		return same(arrays.Sorter([][]int{{0, 1, 2}, {2, 0, 1}, {0}, {5, 0, 1}}[s.r.IntN(4)]))
	case reflect.TypeFor[arrays.RightOption]():
		return same(arrays.Right([]any{true, false, 1}[s.r.IntN(3)]))
	case reflect.TypeFor[arrays.HistogramOption]():
		return same([]arrays.HistogramOption{arrays.Limits(-1, 2), arrays.Limits(3, 1), arrays.Density(), arrays.Weights([]float64{1, 2, 0.5})}[s.r.IntN(4)])
	case reflect.TypeFor[arrays.BinCountOption]():
		return same([]arrays.BinCountOption{arrays.MinLength(5), arrays.MinLength(-1), arrays.Weights([]int{1, 2, 3})}[s.r.IntN(3)])
	case reflect.TypeFor[arrays.InterpOption]():
		return same([]arrays.InterpOption{arrays.Left(1), arrays.Right(-2.5), arrays.Period(3), arrays.Period(0), arrays.Left([]int{1, 2})}[s.r.IntN(5)])
	case reflect.TypeFor[string]():
		return same([]string{"ij,jk->ik", "ij->ji", "ii", "i,i", "i,j", "ij->", "...i->...", "f", "b", "fb", "float", "x"}[s.r.IntN(12)])
	}
	switch t.Kind() {
	case reflect.Int:
		e = reflect.ValueOf(s.r.IntN(7) - 2).Convert(t)
	case reflect.Float64:
		e = reflect.ValueOf(float64(s.r.IntN(12)-3) / 4)
	case reflect.Bool:
		e = reflect.ValueOf(s.r.IntN(2) == 0)
	default:
		e = reflect.Zero(t)
	}
	return e, e
}

// caught is what a call came to: its results, or what it panicked with.
type caught struct {
	out []reflect.Value
	err error
	bad any // a panic that is not an error of the packages
}

func catch(f func() []reflect.Value) (c caught) {
	defer func() {
		if p := recover(); p != nil {
			if e, ok := p.(error); !ok || !errors.As(e, new(*arrays.Error)) {
				c.bad = p
			} else {
				c.err = e
			}
		}
	}()
	return caught{out: f()}
}

// step calls one function, and says what differs, "" when nothing does.
func (s *surface) step() string {
	c := s.calls[s.r.IntN(len(s.calls))]
	t := c.eager.Type()
	var e, l []reflect.Value
	what := c.name + "("
	add := func(t reflect.Type) {
		ev, lv := s.argument(t)
		if ev.IsValid() && ev.Type() == eagerType {
			a := ev.Interface().(*arrays.Array)
			what += fmt.Sprintf("%v%v, ", a.DType(), a.Shape())
		} else if t != reflect.TypeFor[arrays.Out]() {
			what += fmt.Sprintf("%v, ", ev)
		}
		e, l = append(e, ev), append(l, lv)
	}
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			for range s.r.IntN(4) {
				add(t.In(i).Elem())
			}
			break
		}
		add(t.In(i))
	}
	what += ")"
	for _, v := range e {
		if v.Kind() == reflect.Int && (v.Int() > 100 || v.Int() < -100) {
			return ""
		}
	}
	want := catch(func() []reflect.Value { return c.eager.Call(e) })
	got := catch(func() []reflect.Value { return c.lazy.Call(l) })
	switch {
	case want.bad != nil:
		return fmt.Sprintf("%s: arrays panics with %T, %v", what, want.bad, want.bad)
	case got.bad != nil:
		return fmt.Sprintf("%s: lazy panics with %T, %v; arrays: %v", what, got.bad, got.bad, want.err)
	case want.err != nil && got.err == nil: // found in elements
		late := catch(func() []reflect.Value {
			if t.NumOut() == 0 { // it was assigned to the first
				got.out = l[:1]
			}
			for _, v := range got.out {
				for _, a := range arraysOf[*lazy.Array](v) {
					a.Array()
				}
			}
			return nil
		})
		if late.bad != nil || late.err == nil || said(late.err) != said(want.err) {
			return fmt.Sprintf("%s: arrays says %q, lazy, evaluated, %q %v", what, want.err, fmt.Sprint(late.err), late.bad)
		}
		if t.NumOut() == 0 || strings.HasPrefix(c.name, "Out.") { // what sees that assignment fails with it
			s.pairs = slices.DeleteFunc(s.pairs, func(p pair) bool { return try(func() { p.lazy.Array() }) != "" })
		}
		return ""
	case want.err != nil || got.err != nil:
		if w, g := said(want.err), said(got.err); w != g && !(got.err != nil && inElements(w)) {
			return fmt.Sprintf("%s: arrays says %q, lazy %q", what, w, g)
		}
		return ""
	}
	for i, v := range want.out {
		es, ls := arraysOf[*arrays.Array](v), arraysOf[*lazy.Array](got.out[i])
		if len(es) != len(ls) {
			return fmt.Sprintf("%s: %d arrays, lazy %d", what, len(es), len(ls))
		}
		for k, a := range es {
			p := pair{a, ls[k], true, c.name}
			if w, g := fmt.Sprint(a.Shape(), a.DType()), fmt.Sprint(p.lazy.Shape(), p.lazy.DType()); w != g {
				return fmt.Sprintf("%s: result %d is %s, lazy's %s", what, i+k, w, g)
			}
			if s.now {
				if p.differ() != "" {
					p.exact = false
					if msg := p.differ(); msg != "" {
						return fmt.Sprintf("%s, result %d: %s", what, i+k, msg)
					}
					s.rounds[c.name] = true
				}
			}
			if a.DType().IsInexact() && s.rounds[c.name] {
				continue
			}
			if a.Size() < 500 && a.NDim() < 6 {
				s.pairs = append(s.pairs, p)
			}
		}
		if es == nil {
			if w, g := fmt.Sprint(v), fmt.Sprint(got.out[i]); w != g && v.Kind() != reflect.Func && v.Kind() != reflect.Pointer {
				return fmt.Sprintf("%s: %s, lazy %s", what, w, g)
			}
		}
	}
	return ""
}

// arraysOf returns the arrays in v, an array or a slice of them.
func arraysOf[A any](v reflect.Value) []A {
	switch x := v.Interface().(type) {
	case A:
		return []A{x}
	case []A:
		return append([]A{}, x...)
	}
	return nil
}

// said is an error's text, with one name for the type of arrays.
func said(err error) string {
	return strings.ReplaceAll(fmt.Sprint(err), "*lazy.Array", "*arrays.Array")
}

// inElements reports whether an error is of elements: lazy says it when it evaluates, or something else at the call
// before.
func inElements(msg string) bool {
	return strings.Contains(msg, "is out of bounds for axis") || strings.Contains(msg, "the text ")
}

// TestSurface: random programs of all functions and methods that arrays and lazy have, with arguments of all kinds,
// mostly wrong ones, give the same values, dtypes and shapes and the same errors, word for word, wherever they run; and
// all memory comes back.
func TestSurface(t *testing.T) {
	if !alone.Here(t) {
		return
	}
	all := calls(t)
	rounds := make(map[string]bool)
	for _, place := range []struct {
		device string
		limit  int64
		now    bool
	}{ // those first that collect garbage for each evaluation: little is alive then
		{"sim:tiny", 1024, true}, {"sim:tiny", 1024, false}, {"host", 0, true}, {"host", 0, false}, {"sim:tiny", 0, true}, {"sim:tiny", 0, false},
	} {
		rt := testdevices.Use(t)
		lazy.Use(place.device)
		rt.SetMemLimit(place.limit)
		rt.Warn = func(string) {}
		for seed := range testsize.Seeds("tests.TestSurface") {
			if place.limit > 0 && seed%8 != 0 { // each evaluation collects garbage
				continue
			}
			s := newSurface(all, seed, place.now, rounds)
			where := fmt.Sprintf("%+v, seed %d", place, seed)
			for range 150 {
				if msg := s.step(); msg != "" {
					t.Fatalf("%s: %s", where, msg)
				}
			}
			var last []*lazy.Array
			for _, p := range s.pairs {
				last = append(last, p.lazy)
			}
			lazy.Eval(last...)
			for _, p := range s.pairs {
				if msg := p.differ(); msg != "" {
					t.Fatalf("%s, at last: %s", where, msg)
				}
			}
		}
		runtime.GC()
		runtime.GC()
		offload.Collect()
		lazy.Ones(1).Add(1).Array() // frees what was collected
		for _, m := range rt.MemoryUse() {
			if m.Device != "host" && m.Pool.InUse > 256 {
				t.Errorf("%+v: %d bytes of %s are in use still", place, m.Pool.InUse, m.Device)
			}
		}
	}
}
