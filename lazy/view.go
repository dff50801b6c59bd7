package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// At returns the elements that idx selects, as arrays.Array.At does: m.At(0), m.At(S(1, 5), S(0, End, 2)), x.At(All,
// NewAxis) are views, x.At(idx) with an array of ints and x.At(x.Gt(0)) are copies. It panics with *Error on a bad
// index. It evaluates masks, whose number of true elements is the size of the result, and indices that are 0-d arrays
// (an ArgMax); indices in arrays that are out of bounds are found when the elements are computed.
func (a *Array) At(idx ...any) *Array {
	a.assigned()
	idx, picks := indices(idx)
	if mask, ok := a.picksAlike(idx); ok {
		return a.pick(mask)
	}
	if picks {
		return a.take(idx)
	}
	l, err := a.layout.Index(idx...)
	check("index", err)
	if l.NDim() == 0 && (arrays.Rules{}).NamesOne(idx) { // by value: later assignments do not reach it
		if a.inFile() != nil {
			return a.through(l).Copy()
		}
		return newArray(a.view().node, &l)
	}
	if l.Size() == 0 && a.onDisk() { // nothing is read of the file
		return New(a.dtype, l.Shape...)
	}
	return a.through(l)
}

// T returns a view with the axes permuted, reversed when none are named. It panics with *Error on bad axes.
func (a *Array) T(axes ...AxisOption) *Array {
	a.assigned()
	along := axesFrom("transpose", axes)
	l, err := a.layout.Transpose(along...)
	check("transpose", err)
	return a.through(l)
}

// Reshape returns the elements in C order under another shape; one size may be -1. It panics with *Error when the sizes
// do not multiply to a.Size().
func (a *Array) Reshape(shape ...int) *Array {
	a.assigned()
	l, ok, err := a.layout.Reshape(shape...)
	check("reshape", err)
	if !ok {
		a = a.Copy()
	}
	return a.through(l)
}

// Reshape returns the elements of x in C order under another shape; one size may be -1.
func Reshape(x ArrayLike, shape ...int) *Array { return must("reshape", x).Reshape(shape...) }

// AsType returns the elements converted to dtype, as arrays.Array.AsType does.
func (a *Array) AsType(dtype DType) *Array {
	a.assigned()
	check("astype", arrays.Rules{}.Castable(a.dtype, dtype))
	if dtype != a.dtype && dtype == Str(0) { // as many characters as are needed: the elements tell
		return FromArray(a.Array().AsType(dtype))
	}
	v := a.view()
	if dtype == a.dtype && v.isWhole() && v.node.inFile == nil { // nothing to compute: assignments to one do not reach the other
		return v.node.whole()
	}
	if v.node.kind == kindConst {
		return constant(v.node.scalar.AsType(dtype), contiguous(a.layout.Shape)).whole()
	}
	n := newNode(kindCast, dtype, contiguous(a.layout.Shape), &ordinary, v)
	if !n.fusable() {
		n.writtenHere()
	}
	return n.whole()
}

// Copy returns an array of its own with the same elements, contiguous: assignments to one do not reach the other.
func (a *Array) Copy() *Array {
	a.assigned()
	return a.AsType(a.dtype)
}
