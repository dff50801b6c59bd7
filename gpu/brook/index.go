package brook

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Index is the place of an element in a stream: X counts along the last axis, Y along the one before.
type Index struct{ X, Y, Z, W int32 }

// Indices returns the stream of the places of s, a stream, an array or a [Shape], for a parameter of type [Index]. It
// takes no memory. Like other inputs it repeats and is read in strides. In a kernel, [IndexOf] says the same of a
// parameter.
//
// For example:
//
//	func ramp(at brook.Index) float32 { return float32(at.X) }
//	brook.Map(ramp, brook.Indices(brook.Shape(4, 8)))
func Indices(s any) *Stream {
	const op = "brook.Indices"
	var shape []int
	if o, ok := s.(Option); ok {
		var set Settings
		o.apply(&set)
		shape = set.shape
	}
	if shape == nil {
		shape = Of(s).Shape()
	}
	columns := make([]*np.Array, maxAxes)
	for k := range columns {
		axis := len(shape) - 1 - k
		if axis < 0 {
			columns[k] = np.New(np.Int32, shape...)
			continue
		}
		line := make([]int, len(shape))
		for d := range line {
			line[d] = 1
		}
		line[axis] = shape[axis]
		columns[k] = np.BroadcastTo(np.Arange(shape[axis]).Reshape(line...), shape...).AsType(np.Int32)
	}
	return withColumns(op, formOf(op, reflect.TypeFor[Index]()), columns)
}

// placeSizes is of how many axes a kernel needs the sizes to know where an element is: all but the first.
const placeSizes = maxAxes - 1

// placeArgs are what [call.placeParams] gets.
func (c *call) placeArgs() (out []int) {
	if len(c.s.Indexes) == 0 {
		return nil
	}
	out = append(out, padded(c.domain, maxAxes)[1:]...)
	for _, param := range c.s.Indexes {
		if param >= 0 {
			repeat, step := c.fitOf(param)
			out = append(append(out, repeat...), step...)
		}
	}
	return out
}

// fitOf is how the stream of a parameter fills the domain, along four axes; a constant is one element for all.
func (c *call) fitOf(param int) (repeat, step []int) {
	shape := []int{1}
	if s := c.args[param].stream; s != nil {
		shape = s.Shape()
	}
	repeat, step, err := fits(padded(shape, maxAxes), padded(c.domain, maxAxes))
	if err != nil {
		c.fail("the stream of parameter %s: %v", c.args[param].value.Name, err)
	}
	return repeat, step
}

// placeParams adds parameters for the places of elements, where the function asks for them; what it returns makes the
// places of element i in the block that is current then.
func (c *call) placeParams(b *kir.Builder) func(i *kir.Value) (index func(param int) [4]*kir.Value) {
	var sizes []*kir.Value
	rules := map[int][2][maxAxes]*kir.Value{} // repeats and steps
	if len(c.s.Indexes) > 0 {
		for k := range placeSizes {
			sizes = append(sizes, b.Param(fmt.Sprint("axis", k+1), kir.I64))
		}
	}
	for _, param := range c.s.Indexes {
		if param < 0 {
			continue
		}
		var r [2][maxAxes]*kir.Value
		for i, name := range []string{"repeat", "step"} {
			for d := range maxAxes {
				r[i][d] = b.Param(fmt.Sprintf("%s%d(%s)", name, d, c.s.Params[param].Name), kir.I64)
			}
		}
		rules[param] = r
	}
	return func(i *kir.Value) func(param int) [4]*kir.Value {
		out := map[int][4]*kir.Value{}
		if len(c.s.Indexes) > 0 {
			var at [maxAxes]*kir.Value // by axis
			rest := i
			for d := maxAxes - 1; d > 0; d-- {
				line := b.Op(kir.OpDiv, rest, sizes[d-1])
				at[d] = b.Op(kir.OpSub, rest, b.Op(kir.OpMul, line, sizes[d-1]))
				rest = line
			}
			at[0] = rest
			for _, param := range c.s.Indexes {
				var place [4]*kir.Value
				for d, x := range at {
					if r, ok := rules[param]; ok {
						x = b.Op(kir.OpMul, b.Op(kir.OpDiv, x, r[0][d]), r[1][d])
					}
					place[maxAxes-1-d] = b.Convert(kir.I32, x)
				}
				out[param] = place
			}
		}
		return func(param int) [4]*kir.Value { return out[param] }
	}
}

// elements are the elements that functions are called for by [On]("go"), by the numbers of goroutines.
var elements sync.Map // of *element

// element is one of a domain.
type element struct {
	c *call
	i int
}

// PlaceOfElement is what [IndexOf] returns where the function itself is called, by [On]("go"). Kernels call IndexOf,
// which says of what.
func PlaceOfElement() Index {
	const op = "brook.IndexOf"
	v, ok := elements.Load(gid.Get())
	if !ok {
		check(op, fmt.Errorf("it is called in kernels: run the function with brook.Map; brook.Indices makes a stream of places"))
	}
	e := v.(*element)
	var at [maxAxes]int
	rest := e.i
	for d, n := range slices.Backward(padded(e.c.domain, maxAxes)) {
		at[d], rest = rest%n, rest/n
	}
	var found Index
	for k, param := range e.c.s.Indexes {
		here := at
		if param >= 0 {
			repeat, step := e.c.fitOf(param)
			for d := range here {
				here[d] = here[d] / repeat[d] * step[d]
			}
		}
		is := Index{int32(here[3]), int32(here[2]), int32(here[1]), int32(here[0])}
		if k > 0 && is != found {
			e.c.fail("it asks for the places of streams that fill the result in different ways, which On(\"go\") cannot tell apart: it calls the function with the elements alone")
		}
		found = is
	}
	return found
}
