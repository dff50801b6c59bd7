package lazy

import (
	"context"
	"fmt"
	"weak"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
)

// past is how the elements of a node were computed, for those that only a GPU has: it may lose its memory, and what was
// there is then computed again. What has elements of its own is referred to weakly: a past keeps no array alive.
type past struct {
	kind kind
	args []pastArg
}

// pastArg is an argument: a node that had elements, or one that had none.
type pastArg struct {
	layout *arrays.Layout
	had    weak.Pointer[node]
	none   *node // its kind, but with a past in place of its arguments
}

// maxPast is how many nodes without elements a past may have: much longer ones would outweigh what they save.
const maxPast = 1024

// remember returns n's past; nil where n's elements cannot be lost, or cannot be computed again.
func (n *node) remember() *past {
	if n.kind == kindValue || n.value == nil || !n.value.OnForgetful() {
		return nil
	}
	p, _ := n.pastOf(make(map[*node]*node))
	return p
}

// pastOf returns n's past; the nodes without elements, copied, are in copies.
func (n *node) pastOf(copies map[*node]*node) (p *past, ok bool) {
	if len(n.of) > 0 || n.kind == kindLaunch || n.kind == kindHost && (n.host.from || n.host.mutable >= 0 && n.host.fn != nil) || n.kind == kindValue {
		return nil, false // kernels and functions that write to their arguments do not find them as they were, nor does who reads a file
	}
	p = &past{kind: n.kind, args: make([]pastArg, len(n.args))}
	for i, a := range n.args {
		arg := pastArg{layout: a.layout}
		switch {
		case a.node.done() || a.node.kind == kindValue:
			arg.had = weak.Make(a.node)
		case copies[a.node] != nil:
			arg.none = copies[a.node]
		case len(copies) == maxPast:
			return nil, false
		default:
			o := a.node
			r := *o.rare
			r.rewritten = nil
			arg.none = newNode(kindValue, o.dtype, o.layout, &r)
			arg.none.ufunc, arg.none.compute, arg.none.scalar, arg.none.part = o.ufunc, o.compute, o.scalar, o.part
			copies[o] = arg.none
			if r.past, ok = o.pastOf(copies); !ok {
				return nil, false
			}
		}
		p.args[i] = arg
	}
	return p, true
}

// recompute makes what the arrays need and a device has lost something that is to be computed again, or says what of
// it cannot be.
func recompute(ctx context.Context, rt *offload.Runtime, xs []*Array) error {
	ever, err := rt.Renew(ctx)
	if err != nil || !ever {
		return err
	}
	seen := make(map[*node]bool)
	var stack []*node
	for _, a := range xs {
		stack = append(stack, a.view().node)
		if a.gathered != nil {
			stack = append(stack, a.gathered.node)
		}
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] || n.leaf() {
			continue
		}
		seen[n] = true
		if n.kind == kindValue {
			if err := n.undo(); err != nil {
				return err
			}
		}
		for _, a := range n.args {
			stack = append(stack, a.node)
		}
	}
	return nil
}

// undo makes n what it was before its elements were computed.
func (n *node) undo() error {
	p := n.past
	if p == nil {
		return n.lostError("a kernel or a function wrote to it, or too much leads to it")
	}
	args := make([]view, len(p.args))
	for i, a := range p.args {
		args[i] = view{a.none, a.layout}
		if a.none == nil {
			if args[i].node = a.had.Value(); args[i].node == nil {
				return n.lostError("no variable has any more what it was computed from")
			}
		} else if a.none.past != nil {
			if err := a.none.undo(); err != nil {
				return n.lostError("no variable has any more what it was computed from")
			}
		}
	}
	n.become(p.kind, args...)
	n.past, n.value = nil, nil
	return nil
}

func (n *node) lostError(why string) error {
	what := "elements"
	if n.value != nil && n.value.Lost() != "" {
		what = n.value.Lost()
	}
	return &Error{Op: "evaluate", Shapes: [][]int{n.layout.Shape}, Msg: fmt.Sprintf(
		"an array of shape %s of %v is lost (%s), and cannot be computed again: %s. Run the cells again that made it", shapeString(n.layout.Shape), n.dtype, what, why)}
}
