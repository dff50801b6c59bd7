package brook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Map calls a Go function with the elements of streams, all at once as far as anybody can tell, and returns the stream
// of its results. Its parameters are numbers, bools, and structs and fixed arrays of them, or [Gather]; each gets a
// stream, an array or a slice, whose elements it gets one by one, or a constant: a number or a struct. A function with
// several results is for [Maps]. The function is compiled into the kernel that computes it, with the operations before
// and after it, and runs on the device that np.Use has chosen.
//
// The result has the largest size that inputs have along each axis, or the [Shape] among the arguments. Along each
// axis an input that is shorter repeats each element, 123 as 111222333, one that is longer is read in strides,
// 123456789 as 13579. Shapes that do neither are an *Error, as are arguments of other types and functions that cannot
// be compiled.
//
// For example:
//
//	func saxpy(a float32, x, y brook.F4) (r brook.F4) { return x.Scale(a).Add(y) }
//	R := brook.Map(saxpy, 2, X, Y)
func Map(f any, args ...any) *Stream { return (*Settings)(nil).Map(f, args...) }

// Maps is [Map] of a function with any number of results: a stream for each.
func Maps(f any, args ...any) []*Stream { return (*Settings)(nil).Maps(f, args...) }

// Map is the function [Map] with the settings.
func (s *Settings) Map(f any, args ...any) *Stream {
	c := newCall("brook.Map", s, f, args)
	if n := len(c.results); n > 1 {
		c.fail("it has %d results: brook.Maps returns a stream for each", n)
	}
	return c.run()[0]
}

// Maps is the function [Maps] with the settings.
func (s *Settings) Maps(f any, args ...any) []*Stream { return newCall("brook.Maps", s, f, args).run() }

// run makes the streams of the results.
func (c *call) run() []*Stream {
	if len(c.results) == 0 {
		c.fail("it emits elements: brook.Flat collects them")
	}
	c.domain = domain(c.op, c.settings, c.args)
	c.addressed()
	if c.settings.on == reference {
		return c.interpreted()
	}
	size := c.elements()
	var columns []*np.Array
	switch {
	case size == 0:
		for _, d := range c.resultDTypes() {
			columns = append(columns, np.New(d, c.domain...))
		}
	case c.settings.launches() || c.gathers():
		columns = c.launched(size)
	default:
		columns = np.Wiring{}.MapBy(c.code(), c.resultDTypes(), append(c.inputs(), c.places()...)...)
		out := c.streams(columns)
		out[0].made = c.remember(columns)
		return out
	}
	return c.streams(columns)
}

// launches reports whether kernels are launches of their own, and not part of others.
func (s *Settings) launches() bool {
	return s.on != "" || s.splits() || s.mask != nil || s.copies || s.bypass
}

// gathers reports whether the kernel reads elements by numbers.
func (c *call) gathers() bool {
	for _, a := range c.args {
		if a.value.Gather {
			return true
		}
	}
	return false
}

func (c *call) resultDTypes() (out []np.DType) {
	for _, r := range c.results {
		out = append(out, r.dtypes...)
	}
	return out
}

func (c *call) resultTypes() (out []kir.Type) {
	for _, r := range c.s.Results {
		out = append(out, r.Parts...)
	}
	return out
}

// streams are the results that columns belong to.
func (c *call) streams(columns []*np.Array) []*Stream {
	out := make([]*Stream, len(c.results))
	for i, r := range c.results {
		out[i] = withColumns(c.op, r, columns[:len(r.names)])
		columns = columns[len(r.names):]
	}
	return out
}

// code is the function for fused kernels.
func (c *call) code() *gosrc.Inline {
	return c.s.Keep("fused", func() any {
		params := c.s.Args()
		n := len(params)
		for range c.s.Indexes {
			params = append(params, kir.I32, kir.I32, kir.I32, kir.I32)
		}
		return gosrc.NewCode(c.s.Name, params, c.resultTypes(), func(b *kir.Builder, args []*kir.Value) ([]*kir.Value, error) {
			return c.s.Emit(b, args[:n], gosrc.StreamHooks{Index: func(param int) [4]*kir.Value {
				return [4]*kir.Value(args[n+4*slices.Index(c.s.Indexes, param):])
			}})
		})
	}).(*gosrc.Inline)
}

// places are arrays over the domain for the places that the function asks for.
func (c *call) places() (out []*np.Array) {
	for _, param := range c.s.Indexes {
		shape, repeat, step := c.domain, []int(nil), []int(nil)
		if param >= 0 {
			if shape = []int{1}; c.args[param].stream != nil {
				shape = c.args[param].stream.shape
			}
			repeat, step, _ = fits(shape, c.domain) // it fits: its elements are an input
		}
		for _, column := range Indices(Shape(shape...)).columns {
			if param >= 0 {
				column = filled(column, repeat, step, c.domain)
			}
			out = append(out, column)
		}
	}
	return out
}

// inputs are arrays over the domain for all numbers of the parameters.
func (c *call) inputs() []*np.Array {
	out := make([]*np.Array, 0, len(c.args)+4)
	for _, a := range c.args {
		out = append(out, c.over(a)...)
	}
	if len(out) == 0 { // of a function without parameters
		c.fail("it has no parameters: all elements would be one")
	}
	return out
}

// over are arrays over the domain for the numbers of a parameter.
func (c *call) over(a *argument) (out []*np.Array) {
	if a.stream == nil {
		for k, v := range a.parts {
			if array, ok := v.(*np.Array); ok { // of no axes
				out = append(out, np.BroadcastTo(array, c.domain...))
				continue
			}
			out = append(out, np.Wiring{}.Constant(a.form.dtypes[k], v, c.domain...))
		}
		return out
	}
	if slices.Equal(a.stream.shape, c.domain) {
		return a.stream.columns
	}
	repeat, step, err := fits(a.stream.shape, c.domain)
	if err != nil {
		c.fail("the stream of parameter %s: %v", a.value.Name, err)
	}
	for _, column := range a.stream.columns {
		out = append(out, filled(column, repeat, step, c.domain))
	}
	return out
}

// count is n of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}
