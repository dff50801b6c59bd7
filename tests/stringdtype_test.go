package tests

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// The sides of a call: texts of one width, whose results judge those of any length, and both in lazy arrays.
const (
	fixedSide = iota
	textSide
	lazyFixedSide
	lazyTextSide
	textSides
)

// textCalls makes calls with texts among their arguments.
type textCalls struct {
	r     *rand.Rand
	texts bool // the call at hand has some
}

// textWords are at most 8 characters long, the width of the fixed ones.
var textWords = []string{"", "a", "b", "ab", "é", "日本", "zz", "12", "-3", "1.5", "2020-01-02", "True"}

// array returns an array of texts on all sides; other arrays, which are given as they are, have numbers.
func (c *textCalls) array() (sides [textSides]reflect.Value) {
	shapes := [][]int{{}, {0}, {1}, {3}, {6}, {3, 3}, {2, 3}, {3, 2}, {0, 3}, {2, 3, 3}}
	shape := shapes[c.r.IntN(len(shapes))]
	n := arrays.Contiguous(shape...).Size()
	var fixed, text *arrays.Array
	switch c.r.IntN(6) {
	case 0:
		fixed = arrays.Arange(n).Mod(3).Reshape(shape...)
		text = fixed.Copy()
	case 1:
		fixed = arrays.Arange(n).Mod(2).Equal(0).Reshape(shape...)
		text = fixed.Copy()
	default:
		v := make([]string, n)
		words := textWords
		if c.r.IntN(3) == 0 {
			words = []string{"1", "23", "-4", "7"}
		}
		for i := range v {
			v[i] = words[c.r.IntN(len(words))]
		}
		fixed = arrays.FromSlice(v).AsType(arrays.Str(32)).Reshape(shape...)
		text = arrays.FromSlice(v).AsType(arrays.StringDType).Reshape(shape...)
		if c.r.IntN(3) == 0 && len(shape) > 0 { // a view backwards
			idx := arrays.S(arrays.End, arrays.End, -1)
			fixed, text = fixed.At(idx), text.At(idx)
		}
		c.texts = true
	}
	return [textSides]reflect.Value{reflect.ValueOf(fixed), reflect.ValueOf(text), reflect.ValueOf(lazy.FromArray(fixed.Copy())), reflect.ValueOf(lazy.FromArray(text.Copy()))}
}

// argument returns an argument of type t of the eager function.
func (c *textCalls) argument(t reflect.Type) (sides [textSides]reflect.Value) {
	same := func(v any) [textSides]reflect.Value {
		x := reflect.ValueOf(v)
		return [textSides]reflect.Value{x, x, x, x}
	}
	switch {
	case t == eagerType:
		return c.array()
	case t == reflect.TypeFor[arrays.Out]():
		a := c.array()
		return [textSides]reflect.Value{reflect.ValueOf(arrays.Into(a[fixedSide].Interface().(*arrays.Array))),
			reflect.ValueOf(arrays.Into(a[textSide].Interface().(*arrays.Array))),
			reflect.ValueOf(lazy.Into(a[lazyFixedSide].Interface().(*lazy.Array))), reflect.ValueOf(lazy.Into(a[lazyTextSide].Interface().(*lazy.Array)))}
	case t == anyType:
		switch c.r.IntN(9) {
		case 0:
			return same(c.r.IntN(5) - 1)
		case 1:
			return same([]int{c.r.IntN(3), c.r.IntN(3) - 1})
		case 2:
			return same(textWords[c.r.IntN(len(textWords))])
		case 3:
			return same([]any{arrays.S(0, arrays.End, 2), arrays.All, arrays.NewAxis, true, 1.5, []string{"a", "zz", ""}}[c.r.IntN(6)])
		}
		return c.array()
	case t.Kind() == reflect.Slice:
		for i := range sides {
			s := t
			if t.Elem() == eagerType && i >= lazyFixedSide {
				s = reflect.SliceOf(lazyType)
			}
			sides[i] = reflect.MakeSlice(s, 0, 4)
		}
		for range c.r.IntN(4) {
			a := c.argument(t.Elem())
			for i := range sides {
				sides[i] = reflect.Append(sides[i], a[i])
			}
		}
		return sides
	case t == reflect.TypeFor[arrays.DType]():
		return same([]arrays.DType{arrays.StringDType, arrays.Str(3), arrays.Str(32), arrays.Int64, arrays.Bool, arrays.Float64, arrays.DateTime(arrays.Day)}[c.r.IntN(7)])
	}
	s := surface{r: c.r}
	s.rng.eager, s.rng.lazy = arrays.DefaultRNG(1), lazy.DefaultRNG(1)
	e, l := s.argument(t)
	if t == reflect.TypeFor[*arrays.RNG]() {
		return [textSides]reflect.Value{e, reflect.ValueOf(arrays.DefaultRNG(1)), l, reflect.ValueOf(lazy.DefaultRNG(1))}
	}
	return [textSides]reflect.Value{e, e, l, l}
}

// result is what a call came to, for comparison: elements, shapes and dtypes, of texts without their width.
func textResult(out []reflect.Value) string {
	var b strings.Builder
	one := func(a *arrays.Array) {
		d := a.DType().String()
		if a.DType().IsString() {
			d = "text"
		}
		fmt.Fprintf(&b, "%s%v%q;", d, a.Shape(), a.Strings())
	}
	for _, v := range out {
		eager, lz := arraysOf[*arrays.Array](v), arraysOf[*lazy.Array](v)
		for _, a := range lz {
			eager = append(eager, a.Array())
		}
		for _, a := range eager {
			one(a)
		}
		if eager == nil && v.Kind() != reflect.Func && v.Kind() != reflect.Pointer {
			fmt.Fprintf(&b, "%v;", v)
		}
	}
	return strings.NewReplacer("<U32", "text", "<U3", "text", "StringDType()", "text").Replace(b.String())
}

// textsDiffer are calls that may differ between texts of one width and of any length, with the reason.
var textsDiffer = map[string]string{
	"Array.NBytes": "elements are as large as they are",
	"Array.DType":  "dtypes are others", "Promote": "dtypes are others", "ResultType": "dtypes are others", "CanCast": "texts of a width are of any length, not the other way round",
	"Array.GoString": "the dtype is part of it",
}

// TestStringDTypeEverywhere: every public function and method, eager and lazy, that is given texts of any length comes
// to what it comes to for texts of one width, or is an error of the package in both.
func TestStringDTypeEverywhere(t *testing.T) {
	all := calls(t)
	tried, agreed := map[string]bool{}, map[string]bool{}
	for k, c := range all {
		for seed := range testsize.Seeds("tests.TestStringDTypeEverywhere") {
			r := &textCalls{r: rand.New(rand.NewPCG(seed, uint64(k)))}
			in := c.eager.Type()
			var args [textSides][]reflect.Value
			add := func(t reflect.Type) {
				for i, v := range r.argument(t) {
					args[i] = append(args[i], v)
				}
			}
			for i := range in.NumIn() {
				if in.IsVariadic() && i == in.NumIn()-1 {
					for range r.r.IntN(4) {
						add(in.In(i).Elem())
					}
					break
				}
				if c.name == "Repeat" && i == 1 { // how often, which is rarely what any argument is
					n := reflect.ValueOf(r.r.IntN(4))
					for side := range args {
						args[side] = append(args[side], n)
					}
					continue
				}
				add(in.In(i))
			}
			if !r.texts {
				continue
			}
			tried[c.name] = true
			what := fmt.Sprintf("%s, seed %d, %s", c.name, seed, textArguments(args[textSide]))
			var got [textSides]caught
			var text [textSides]string
			for side := range got {
				f := c.eager
				if side >= lazyFixedSide {
					f = c.lazy
				}
				got[side] = catch(func() []reflect.Value {
					out := f.Call(args[side])
					// what was assigned to, too: an array or an Out
					if in.NumOut() == 0 && len(args[side]) > 0 {
						out = append(out, args[side][0])
					}
					text[side] = textResult(out)
					return out
				})
				if got[side].bad != nil {
					t.Errorf("%s: side %d panics with %v", what, side, got[side].bad)
				}
			}
			if textsDiffer[c.name] != "" {
				continue
			}
			for _, side := range []int{textSide, lazyTextSide} {
				judge := side - 1
				if failed := got[judge].err != nil; failed != (got[side].err != nil) {
					t.Errorf("%s: one width gives %.200s %v, side %d %.200s %v", what, text[judge], got[judge].err, side, text[side], got[side].err)
				} else if !failed && text[judge] != text[side] {
					t.Errorf("%s: one width gives %.300s, side %d %.300s", what, text[judge], side, text[side])
				} else if !failed {
					agreed[c.name] = true
				}
			}
			if t.Failed() && testing.Short() {
				break
			}
		}
	}
	t.Logf("%d of %d functions tried with texts, %d have results", len(tried), len(all), len(agreed))
	assert.Greater(t, len(tried), 350)
	assert.Greater(t, len(agreed), 150)
	if testsize.Short() {
		return // its few seeds do not give every function arguments that fit
	}
	for _, name := range []string{"Sort", "ArgSort", "Unique", "UniqueAll", "Concat", "Where", "Take", "SearchSorted", "IsIn", "Array.At", "Array.Set", "Array.Eq", "Less", "Roll", "Tile", "Repeat", "Pad", "ArgMax", "Array.AsType", "Array.Strings", "Partition", "LexSort"} {
		assert.True(t, agreed[name], name)
	}
}

func textArguments(args []reflect.Value) string {
	var parts []string
	for _, v := range args {
		switch x := v.Interface().(type) {
		case *arrays.Array:
			parts = append(parts, fmt.Sprintf("%v%v", x.DType(), x.Shape()))
		default:
			parts = append(parts, fmt.Sprintf("%.60v", x))
		}
	}
	return strings.Join(slices.Clip(parts), ", ")
}
