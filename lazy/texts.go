package lazy

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Elements of StringDType have no bytes that could be copied, so that all that computes them or of them runs on the
// CPU. Where a value of the runtime has the bytes of other elements, it keeps the array itself, and has one byte that
// stands for it, or none where it is empty.

// hasTexts reports whether elements of dtype d are kept as an array.
func hasTexts(d arrays.DType) bool { return d == arrays.StringDType }

// valueBytes returns how many bytes the value of n's elements has.
func valueBytes(n *node) int {
	if hasTexts(n.dtype) {
		return min(n.layout.Size(), 1)
	}
	return sizeBytes(n)
}

// hostValue returns a value of the elements of a.
func hostValue(a *arrays.Array) *offload.Value {
	if !hasTexts(a.DType()) {
		return bytesValue(a.Bytes())
	}
	v := runtime().HostValue(make([]byte, min(a.Size(), 1)))
	if l := a.Layout(); l.Offset != 0 || !l.IsContiguous() {
		a = a.Copy()
	}
	v.Keep(a)
	return v
}

// elementsIn returns the elements of n's value v, whose bytes on the host are b.
func (n *node) elementsIn(v *offload.Value, b []byte) *arrays.Array {
	if !hasTexts(n.dtype) {
		return arrays.FromBytes(n.dtype, n.layout.Shape, b)
	}
	if a, ok := v.Kept().(*arrays.Array); ok {
		return a.Reshape(n.layout.Shape...)
	}
	return arrays.New(n.dtype, n.layout.Shape...) // it is empty: nobody has made it
}

// beginning returns what a task on the CPU writes n's elements to, which lie in b where they have bytes. It begins as
// what it was there before where n changes that.
func (n *node) beginning(b []byte) *arrays.Array {
	switch {
	case !hasTexts(n.dtype):
		return arrays.FromBytes(n.dtype, n.layout.Shape, b)
	case n.kind == kindPatch || n.kind == kindHost && n.host.from:
		before := n.args[0].node
		if before.leafless() {
			return before.elements()
		}
		return before.elementsIn(before.value, nil).Copy()
	}
	return arrays.New(n.dtype, n.layout.Shape...)
}
