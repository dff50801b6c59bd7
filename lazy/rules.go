package lazy

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
)

// rule says what stands in the place of a node: one that is there (is), or another operation (becomes). Both have the
// same elements, bit by bit: a zero keeps its sign, infinities and overflows stay, the dtype is the same. A NaN stays
// one; which of its bits NumPy leaves open. So not(a < b) is not b <= a for floats, and what changes the order of
// additions is not a rule. Nor does a rule look at numbers, but for one that chooses: they are parameters of kernels,
// and a loop in which one changes and happens to be 1 would compile another.
type rule struct {
	name    string         // for Explain
	on      []arrays.Ufunc // what it is tried at; else kind
	kind    kind
	is      func(n *node) (view, bool)
	becomes func(n *node) *node // kind and operands of the operation; nil if there is none
	joins   func(n *node) bool  // whether nodes that compute the same become one
}

// rules are tried in this order at every node of an evaluation; see rewrite.go.
var rules = []rule{
	{name: "operation on numbers", on: folded, becomes: fold},
	{name: "operation on numbers", kind: kindCast, becomes: castOfConstant},

	{name: "negative of a negative", on: one(arrays.OpNeg), is: undone(arrays.OpNeg)},
	{name: "inverse of an inverse", on: one(arrays.OpInvert), is: undone(arrays.OpInvert)},
	{name: "not of a not", on: one(arrays.OpLogicalNot), is: undone(arrays.OpLogicalNot)},
	{name: "not of a comparison", on: one(arrays.OpLogicalNot), becomes: notCompared},
	{name: "absolute of an absolute", on: one(arrays.OpAbs), is: absOfAbs},
	{name: "absolute of a negative", on: one(arrays.OpAbs), becomes: absOfNegative},

	{name: "with itself", on: []arrays.Ufunc{arrays.OpMinimum, arrays.OpMaximum, arrays.OpBitAnd, arrays.OpBitOr,
		arrays.OpLogicalAnd, arrays.OpLogicalOr}, is: withItself},

	{name: "choice that is known", on: one(arrays.OpWhere), is: knownChoice},
	{name: "choice between equals", on: one(arrays.OpWhere), is: equalChoice},
	{name: "choice by a not", on: one(arrays.OpWhere), becomes: swappedChoice},

	{name: "copy", kind: kindCast, is: copied},
	{name: "conversion and back", kind: kindCast, is: castBack},
	{name: "conversion of a conversion", kind: kindCast, becomes: castOfCast},

	{name: "assigned over", kind: kindPatch, becomes: assignedOver},

	{name: "same reduction", joins: sharedReduction},
}

func one(u arrays.Ufunc) []arrays.Ufunc { return []arrays.Ufunc{u} }

// from returns what made a, if that is u and a is all of it.
func from(a view, u arrays.Ufunc) (*node, bool) {
	return a.node, a.node.kind == kindUfunc && a.node.ufunc == u && a.isWhole() && !a.node.done()
}

// like reports whether a has n's dtype and shape, and n works in that dtype: then n may be a.
func (n *node) like(a view) bool {
	return a.node.dtype == n.dtype && n.compute == n.dtype && slices.Equal(a.layout.Shape, n.layout.Shape)
}

// sameView reports whether a and b are the same elements, whatever they are.
func sameView(a, b view) bool { return a.node == b.node && sameLayout(a.layout, b.layout) }

// folded are the operations that fold computes: those that no number makes fail.
var folded = func() (out []arrays.Ufunc) {
	for u := range arrays.Ufunc(arrays.NumUfuncs) {
		if k := kernelOps[u]; (k.op != kir.OpInvalid || k.boolOp != kir.OpInvalid || k.expr != nil) && u != arrays.OpFloorDiv && u != arrays.OpRemainder && u != arrays.OpPow {
			out = append(out, u)
		}
	}
	return out
}()

// fold: an operation on numbers is one, computed as package arrays does it. Arrays that are all one number are made
// where they were asked for: who adds one to ones on a device wants to see it done.
func fold(n *node) *node {
	if len(n.layout.Shape) > 0 || slices.ContainsFunc(n.args, func(a view) bool { return a.node.kind != kindConst }) || !n.fusable() {
		return nil
	}
	in := make([]*arrays.Array, len(n.args))
	for i, a := range n.args {
		in[i] = a.node.scalar
	}
	return constant(n.ufunc.ApplyAs(n.compute, n.dtype, in...), n.layout)
}

// undone makes the rule that u of u of x is x: signs, bits and bools turn over and back.
func undone(u arrays.Ufunc) func(n *node) (view, bool) {
	return func(n *node) (view, bool) {
		inner, ok := from(n.args[0], u)
		if !ok || !n.like(n.args[0]) || !inner.like(inner.args[0]) {
			return view{}, false
		}
		return inner.args[0], true
	}
}

// opposite is the comparison that holds where another does not. With NaN neither < nor >= holds, so these two are for
// ints alone.
var opposite = map[arrays.Ufunc]arrays.Ufunc{
	arrays.OpEqual: arrays.OpNotEqual, arrays.OpNotEqual: arrays.OpEqual,
	arrays.OpLess: arrays.OpGreaterEqual, arrays.OpGreaterEqual: arrays.OpLess,
	arrays.OpLessEqual: arrays.OpGreater, arrays.OpGreater: arrays.OpLessEqual,
}

// operation returns the operation of u on args, as becomes does.
func operation(u arrays.Ufunc, compute arrays.DType, args ...view) *node {
	n := newNode(kindUfunc, 0, nil, &ordinary, args...)
	n.ufunc, n.compute = u, compute
	return n
}

func notCompared(n *node) *node {
	inner := n.args[0].node
	if inner.kind != kindUfunc || inner.done() || !n.args[0].isWhole() {
		return nil
	}
	u, ok := opposite[inner.ufunc]
	equality := u == arrays.OpEqual || u == arrays.OpNotEqual
	if !ok || !inner.dtype.IsBool() || !(inner.compute.IsInt() || equality && inKernels(inner.compute)) {
		return nil
	}
	return operation(u, inner.compute, inner.args...)
}

func absOfAbs(n *node) (view, bool) {
	_, ok := from(n.args[0], arrays.OpAbs)
	return n.args[0], ok && n.like(n.args[0])
}

// absOfNegative: |-x| is |x|, also of the least int, which stays itself both ways; -x of an unsigned x is another
// number.
func absOfNegative(n *node) *node {
	inner, ok := from(n.args[0], arrays.OpNeg)
	if !ok || n.dtype.IsUnsigned() || !n.like(n.args[0]) || !inner.like(inner.args[0]) {
		return nil
	}
	return operation(arrays.OpAbs, n.compute, inner.args...)
}

// withItself is for ints and bools: of two NaN, either may be the result.
func withItself(n *node) (view, bool) {
	exact := n.compute.IsInt() || n.compute.IsBool()
	return n.args[0], exact && n.like(n.args[0]) && sameView(n.args[0], n.args[1])
}

func knownChoice(n *node) (view, bool) {
	c := n.args[0].node
	if c.kind != kindConst || !c.dtype.IsBool() {
		return view{}, false
	}
	a := n.args[1]
	if bitsOf(c.scalar) == 0 {
		a = n.args[2]
	}
	return a, n.like(a)
}

func equalChoice(n *node) (view, bool) {
	return n.args[1], n.like(n.args[1]) && sameView(n.args[1], n.args[2])
}

func swappedChoice(n *node) *node {
	not, ok := from(n.args[0], arrays.OpLogicalNot)
	if !ok {
		return nil
	}
	return operation(arrays.OpWhere, n.compute, not.args[0], n.args[2], n.args[1])
}

func castOfConstant(n *node) *node {
	c := n.args[0].node
	if len(n.layout.Shape) > 0 || c.kind != kindConst || !n.fusable() {
		return nil
	}
	return constant(c.scalar.AsType(n.dtype), n.layout)
}

// copied: nothing writes to a node's elements, so that a copy of all of them in their order is they.
func copied(n *node) (view, bool) {
	x := n.args[0]
	return x, x.isWhole() && x.node.dtype == n.dtype && slices.Equal(x.node.layout.Shape, n.layout.Shape)
}

// converted returns x if n converts what another conversion made of x, by a dtype that has all numbers of x's: an int's
// or a bool's. A conversion of floats changes the bits of some NaN.
func converted(n *node) (x view, ok bool) {
	inner := n.args[0].node
	if inner.kind != kindCast || inner.done() || !n.args[0].isWhole() {
		return view{}, false
	}
	x = inner.args[0]
	d := x.node.dtype
	return x, (d.IsInt() || d.IsBool()) && holds(inner.dtype, d)
}

func castBack(n *node) (view, bool) {
	x, ok := converted(n)
	return x, ok && x.node.dtype == n.dtype && slices.Equal(x.layout.Shape, n.layout.Shape)
}

// castOfCast: by way of a float that is so if the end has all numbers too: others are cut in other ways from floats
// than from ints. To float16 the ways are of several steps.
func castOfCast(n *node) *node {
	x, ok := converted(n)
	by := n.args[0].node.dtype
	if !ok || n.dtype == arrays.Float16 || !inKernels(n.dtype) || by.IsFloat() && !n.dtype.IsFloat() && !holds(n.dtype, x.node.dtype) {
		return nil
	}
	return newNode(kindCast, n.dtype, n.layout, &ordinary, x)
}

// holds reports whether every number of from, an int or a bool, is one of d.
func holds(d, from arrays.DType) bool {
	switch {
	case !inKernels(d):
		return false
	case d == from || from.IsBool():
		return true
	case d.IsBool():
		return false
	}
	bits := 8 * from.Size()
	if !from.IsUnsigned() {
		bits-- // of the size of a number; the least one is a power of two
	}
	switch d {
	case arrays.Float16:
		return bits <= 11
	case arrays.Float32:
		return bits <= 24
	case arrays.Float64:
		return bits <= 53
	}
	if d.IsUnsigned() {
		return from.IsUnsigned() && bits <= 8*d.Size()
	}
	return bits <= 8*d.Size()-1
}

// assignedOver: what the next assignment covers need not be assigned, if nothing else reads it.
func assignedOver(n *node) *node {
	before := n.args[0].node
	if before.kind != kindPatch || before.done() || before.readers > 1 || before.handles.Load() > 0 || !sameLayout(before.into, n.into) {
		return nil
	}
	return newNode(kindPatch, n.dtype, n.layout, &rare{into: n.into}, before.args[0], n.args[1])
}

// sharedReduction: a reduction is computed once, however often it was written. Elementwise operations are not joined
// so: within a kernel its compiler does it, and of two kernels each computes again what costs less than to store it.
func sharedReduction(n *node) bool { return n.kind == kindReduce }

func sameLayout(a, b *arrays.Layout) bool {
	return a == b || a.Offset == b.Offset && slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Strides, b.Strides)
}
