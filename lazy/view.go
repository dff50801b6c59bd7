package lazy

import "slices"

// At returns the view that idx selects, as arrays.Layout.Index describes: m.At(0), m.At(S(1, 5), S(0, End, 2)),
// x.At(All, NewAxis). It panics with *Error on a bad index, and evaluates nothing; an index that is itself a 0-d integer
// array (an ArgMax) is evaluated.
func (a *Array) At(idx ...any) *Array {
	idx = slices.Clone(idx)
	for i, x := range idx {
		if p, ok := x.(*Array); ok && p != nil && p.NDim() == 0 && p.DType().IsInt() {
			idx[i] = int(p.Array().Item().(int64))
		}
	}
	l, err := a.layout.Index(idx...)
	check("index", err)
	return newArray(a.node, l)
}

// T returns a view with the axes permuted, reversed when none are named. It panics with *Error on bad axes.
func (a *Array) T(axes ...int) *Array {
	l, err := a.layout.Transpose(axes...)
	check("transpose", err)
	return newArray(a.node, l)
}

// Reshape returns the elements in C order under another shape; one size may be -1. It panics with *Error when the sizes do
// not multiply to a.Size().
func (a *Array) Reshape(shape ...int) *Array {
	l, ok, err := a.layout.Reshape(shape...)
	check("reshape", err)
	if !ok {
		return newArray(a.Copy().node, l)
	}
	return newArray(a.node, l)
}

// Reshape returns the elements of x in C order under another shape; one size may be -1.
func Reshape(x any, shape ...int) *Array { return must("reshape", x).Reshape(shape...) }

// AsType returns the elements converted to dtype, as arrays.Array.AsType does.
func (a *Array) AsType(dtype DType) *Array {
	if dtype == a.DType() {
		return a
	}
	return (&node{kind: kindCast, dtype: dtype, shape: a.Shape(), args: []view{a.view}}).whole()
}

// Copy returns an array of its own with the same elements, contiguous. Arrays never change, so it matters for memory only:
// a copy of a small view lets go of what it was a view of.
func (a *Array) Copy() *Array {
	return (&node{kind: kindCast, dtype: a.DType(), shape: a.Shape(), args: []view{a.view}}).whole()
}
