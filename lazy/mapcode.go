package lazy

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// MapBy is [Map] by code with several results, on arrays of one shape that have the types of its parameters: an array
// for each result. They are computed together, or only those that something needs. Calls with the same code share
// kernels. It panics with *Error on arrays that do not fit.
func (Wiring) MapBy(code *gosrc.Inline, results []DType, xs ...*Array) []*Array {
	views := make([]view, len(xs), len(xs)+1)
	for i, x := range xs {
		if kirTypes[x.dtype] != code.Params[i] || !slices.Equal(x.layout.Shape, xs[0].layout.Shape) {
			check(code.Name, &Error{Shapes: [][]int{xs[0].layout.Shape, x.layout.Shape}, Msg: fmt.Sprintf("argument %d is an array of %v and shape %v", i, x.dtype, x.layout.Shape)})
		}
		views[i] = x.view()
	}
	out := make([]*Array, len(results))
	for k, d := range results {
		n := newNode(kindMap, d, contiguous(xs[0].layout.Shape), &rare{inline: code, result: k}, views...)
		n.part = k > 0 // the operation is named once
		out[k] = n.writtenHere().whole()
		if k == 0 {
			views = append(views, out[0].view())
		}
	}
	return out
}

// Constant returns an array of which each element is v, a Go number or bool, converted to that dtype.
func (Wiring) Constant(dtype DType, v any, shape ...int) *Array {
	l, err := noAxes.BroadcastTo(shape)
	check("constant", err)
	s := arrays.Scalar(v)
	if s.DType() != dtype {
		s = s.AsType(dtype)
	}
	return newArray(constant(s, &noAxes), &l)
}

// Elements says what makes the elements of an array as they are now, which is the same until something is assigned to
// them, whether these lie side by side in it, and whether they are still to be computed.
func (Wiring) Elements(a *Array) (of any, sideBySide, pending bool) {
	v := a.view()
	return v.node, v.layout.IsContiguous(), !v.node.leaf()
}

// firstResult is the first result of code that has several: the value alone may be that of other code, too.
type firstResult struct {
	node  *node
	value *kir.Value
}

// mapped emits the function of a map, once for all of its results that the kernel has.
func (e *emitter) mapped(n *node, args []*kir.Value) *kir.Value {
	if n.result > 0 {
		last := len(args) - 1
		if all := e.results[firstResult{n.args[last].node, args[last]}]; all != nil {
			return all[n.result]
		}
		args = args[:last] // the kernel has the first only as an input
	}
	all, err := n.inline.EmitAll(e.b, args...)
	check(n.inline.Name, err) // it has been compiled before
	if len(all) > 1 && n.result == 0 {
		if e.results == nil {
			e.results = make(map[firstResult][]*kir.Value)
		}
		e.results[firstResult{n, all[0]}] = all
	}
	return all[n.result]
}

// RewrittenBy notes, for [Explain], the rule by which an array is computed in another way than the cell has said.
func (Wiring) RewrittenBy(a *Array, rule string) { a.view().node.rewrittenBy([]string{rule}) }
