package brook

import (
	"fmt"
	"reflect"

	"github.com/visualfc/gid"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// reference is the name by which [On] calls the function itself.
const reference = "go"

// interpreted calls the function for each element, one after the other.
func (c *call) interpreted() []*Stream {
	size := c.elements()
	f := reflect.ValueOf(c.f.Value)
	lists := make([]reflect.Value, len(c.results))
	for i, r := range c.results {
		lists[i] = reflect.MakeSlice(reflect.SliceOf(r.of), size, size)
	}
	at := c.goArgs()
	in := make([]reflect.Value, len(c.args))
	on := c.on()
	for i := range size {
		if !on(i) {
			continue
		}
		for k := range in {
			in[k] = at[k](i)
		}
		c.element(i, func() {
			for k, r := range f.Call(in) {
				lists[k].Index(i).Set(r)
			}
		})
	}
	out := make([]*Stream, len(c.results))
	for i := range out {
		s, _ := streamOf(c.op, lists[i].Interface())
		out[i] = s.Reshape(c.domain...)
	}
	return out
}

// element runs a call of the function, and says for which element it panics.
func (c *call) element(i int, run func()) {
	done := false
	if len(c.s.Indexes) > 0 {
		elements.Store(gid.Get(), &element{c, i})
		defer elements.Delete(gid.Get())
	}
	defer func() {
		if done {
			return
		}
		if r := recover(); r != nil {
			if err, ok := r.(error); ok {
				panic(&Error{Op: c.op, Msg: fmt.Sprintf("kernel %s, element %d: %v", c.s.Name, i, err), Err: err})
			}
			panic(r)
		}
	}()
	run()
	done = true
}

// goArgs are functions that give the arguments for an element.
func (c *call) goArgs() []func(i int) reflect.Value {
	t := reflect.TypeOf(c.f.Value)
	out := make([]func(i int) reflect.Value, len(c.args))
	for k, a := range c.args {
		switch {
		case a.value.Gather:
			g := reflect.New(t.In(k)).Elem()
			g.Field(0).Set(reflect.ValueOf(Write(a.stream)))
			sizes := [maxAxes]int(padded(a.stream.shape, maxAxes))
			g.Field(1).Set(reflect.ValueOf(sizes))
			out[k] = func(int) reflect.Value { return g }
		case a.stream == nil:
			one := a.one
			if array, ok := one.(*np.Array); ok {
				one = array.Item()
			}
			v := reflect.ValueOf(one).Convert(t.In(k))
			out[k] = func(int) reflect.Value { return v }
		default:
			list := reflect.ValueOf(Write(withColumns(c.op, a.form, c.over(a))))
			out[k] = list.Index
		}
	}
	return out
}

// on says which elements the kernel runs for.
func (c *call) on() func(i int) bool {
	m := c.settings.mask
	if m == nil {
		return func(int) bool { return true }
	}
	repeat, step, err := fits(m.Shape(), c.domain)
	if err != nil {
		c.fail("the mask: %v", err)
	}
	list := filled(m, repeat, step, c.domain).DataLike(false).([]bool)
	return func(i int) bool { return list[i] }
}
