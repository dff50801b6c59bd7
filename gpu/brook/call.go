package brook

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// call is a kernel with what it was given.
type call struct {
	op       string
	f        *gosrc.Func
	s        *gosrc.Streaming
	settings *Settings
	args     []*argument
	results  []*form
	domain   []int
}

// argument is what a parameter gets: a stream, or a constant.
type argument struct {
	value  *gosrc.StreamValue
	form   *form
	stream *Stream // nil of a constant
	one    any     // of the constant
	parts  []any   // its numbers
}

// function compiles a kernel.
func function(op string, f any) (*gosrc.Func, *gosrc.Streaming) {
	fn, err := gosrc.FuncOf(f)
	check(op, err)
	s, err := fn.Streaming()
	if err != nil {
		var where gosrc.Errors
		if errors.As(err, &where) {
			panic(err) // it says where
		}
		check(op, err)
	}
	return fn, s
}

// newCall matches arguments with the parameters of a kernel.
func newCall(op string, s *Settings, f any, given []any) *call {
	c := &call{op: op}
	c.f, c.s = function(op, f)
	t := reflect.TypeOf(c.f.Value)
	c.settings, given = s.with(given)
	n := len(c.s.Params)
	if n > 0 && c.s.Params[n-1].Emit {
		n--
	}
	if len(given) != n {
		c.fail("it takes %d streams and constants%s, not %d", n, c.named(n), len(given))
	}
	list := make([]argument, n)
	c.args, c.results = make([]*argument, n), make([]*form, len(c.s.Results))
	for i, v := range given {
		if c.s.Params[i].Emit {
			c.fail("the parameter %s, with which it emits, is the last one", c.s.Params[i].Name)
		}
		c.args[i] = &list[i]
		c.argument(&list[i], i, t.In(i), v)
	}
	for i := range c.s.Results {
		c.results[i] = formOf(op, t.Out(i))
	}
	return c
}

// named are the first n parameters, as they are declared.
func (c *call) named(n int) string {
	var list []string
	t := reflect.TypeOf(c.f.Value)
	for i, p := range c.s.Params[:n] {
		kind := t.In(i).String()
		if p.Gather {
			kind = fmt.Sprintf("brook.Gather[%v]", t.In(i).Field(0).Type.Elem())
		}
		list = append(list, p.Name+" "+kind)
	}
	if n == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// elements is how many elements the domain has.
func (c *call) elements() int {
	n := 1
	for _, k := range c.domain {
		n *= k
	}
	return n
}

// fail panics with *Error about the kernel.
func (c *call) fail(format string, args ...any) {
	check(c.op, fmt.Errorf("kernel %s: %s", c.s.Name, fmt.Sprintf(format, args...)))
}

// argument makes a what parameter i gets of v.
func (c *call) argument(a *argument, i int, t reflect.Type, v any) {
	p := &c.s.Params[i]
	a.value = p
	if p.Gather {
		t = t.Field(0).Type.Elem()
	}
	a.form = formOf(c.op, t)
	if single := reflect.ValueOf(v); single.IsValid() && single.Type() == t && a.form.records != nil && !p.Gather {
		a.one = v
		a.parts = partsOf(a.form, v)
		return
	}
	s, ok := streamOf(c.op, v)
	switch {
	case !ok && p.Gather:
		c.fail("parameter %s reads any element of a stream of %v, and is given a value of type %T: "+
			"give a stream, an array or a slice", p.Name, t, v)
	case !ok:
		a.constant(c, t, v)
		return
	}
	if s.of != t {
		a.stream = c.converted(p, s, a.form)
	} else {
		a.stream = s
	}
}

// converted is a stream with elements of another type as those that parameter p takes: numbers where nothing is lost,
// and structs of the same numbers.
func (c *call) converted(p *gosrc.StreamValue, s *Stream, to *form) *Stream {
	if s.records == nil && to.records == nil {
		if d := to.dtypes[0]; arrays.Promote(s.dtypes[0], d) == d {
			return withColumns(c.op, to, []*np.Array{s.columns[0].AsType(d)})
		}
		name := to.dtypes[0].String()
		name = strings.ToUpper(name[:1]) + name[1:]
		c.fail("parameter %s is %s, its stream has elements of %v: convert the array by AsType(np.%s) "+
			"(of a stream s, s.Field(\"\") is the array), or declare %s as %v", p.Name, p.Type, s.dtypes[0], name, p.Name, s.of)
	}
	c.fail("parameter %s is %s, its stream has elements of type %v", p.Name, p.Type, s.of)
	return nil
}

// constant takes a number or a struct that is the same for all elements.
func (a *argument) constant(c *call, t reflect.Type, v any) {
	r := reflect.ValueOf(v)
	if array, ok := v.(*np.Array); ok && a.form.records == nil { // of no axes
		a.one = array.AsType(a.form.dtypes[0])
		a.parts = []any{array.AsType(a.form.dtypes[0])}
		return
	}
	if a.form.records != nil || !r.IsValid() {
		c.fail("parameter %s is %s, and is given a value of type %T: give one of %s, or a stream, an array or a slice of them",
			a.value.Name, a.value.Type, v, a.value.Type)
	}
	if _, err := gosrc.ScalarBits(a.value.Parts[0], v); err != nil {
		c.fail("parameter %s %s: %v", a.value.Name, a.value.Type, err)
	}
	a.one = r.Convert(t).Interface()
	a.parts = []any{reflect.ValueOf(a.one).Convert(numberTypes[numberKind(t)]).Interface()}
}

// partsOf are the numbers of a value.
func partsOf(f *form, v any) (out []any) {
	if f.records == nil {
		return []any{reflect.ValueOf(v).Convert(numberTypes[numberKind(f.of)]).Interface()}
	}
	list := reflect.MakeSlice(reflect.SliceOf(f.of), 1, 1)
	list.Index(0).Set(reflect.ValueOf(v))
	for _, column := range np.RecordsOf(list.Interface()).Columns() {
		out = append(out, column.At(0).Item())
	}
	return out
}
