package lazy

import (
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// A hosted array is the placeholder of elements that exist. A small one gets its node when something is asked of it: of
// a table with a million columns a cell uses some.

// unseen is the elements of an array that has no node yet. They lie in the order of its layout, which is the only one
// that an Array of its storage has.
type unseen struct {
	elements unsafe.Pointer // the first byte; of texts the *arrays.Array
}

// FromArray returns the placeholder of an array that exists. The array must not be written to any more.
//
// For example:
//
//	y := np.FromArray(eager) // lazy operations on an array of package arrays
func FromArray(a *arrays.Array) *Array {
	switch {
	case a.NDim() == 0:
		return constant(a, &noAxes).whole()
	case a.NBytes() > smallBytes:
		n := newNode(kindValue, a.DType(), contiguous(a.Shape()), &ordinary)
		n.value = hostValue(a)
		return n.whole()
	}
	return new(handle).host(a, contiguous(a.Shape()))
}

// host makes p the placeholder of a, a small array of layout l.
func (p *handle) host(a *arrays.Array, l *arrays.Layout) *Array {
	p.storage.dtype, p.storage.ref = a.DType(), &p.ref
	p.array.storage, p.array.layout = &p.storage, l
	if hasTexts(a.DType()) {
		p.ref.elements = unsafe.Pointer(a)
	} else {
		p.ref.elements = unsafe.Pointer(unsafe.SliceData(a.Bytes()))
	}
	return &p.array
}

// current returns the node of a's storage, whose lock the caller has.
func (a *Array) current() *node {
	r := a.ref
	if r.node == nil {
		n := newNode(kindValue, a.dtype, a.layout, &ordinary)
		if hasTexts(a.dtype) {
			n.value = hostValue((*arrays.Array)(r.elements))
		} else {
			n.value = runtime().HostValue(unsafe.Slice((*byte)(r.elements), a.NBytes()))
		}
		n.handles.Add(1)
		r.node, r.elements = n, nil
	}
	return r.node
}

const (
	// columnsTogether is how many columns of a table are one piece of memory, which is let go when all of them are.
	columnsTogether = 64
	// columnBytes is how large they are at most, so that one that is used does not keep much of others.
	columnBytes = 128
)

// placeholderList makes the columns of a table lazy.
func placeholderList(columns []*arrays.Array) []*Array {
	if columns == nil {
		return nil
	}
	out := make([]*Array, len(columns))
	var l *arrays.Layout // of the column before, mostly of all
	var handles []handle
	for i, a := range columns {
		if a.NDim() == 0 || a.NBytes() > columnBytes {
			out[i] = FromArray(a)
			continue
		}
		if shape := a.Layout().Shape; l == nil || !slices.Equal(l.Shape, shape) {
			l = contiguous(shape)
		}
		if len(handles) == 0 {
			handles = make([]handle, min(columnsTogether, len(columns)-i))
		}
		out[i] = handles[0].host(a, l)
		handles = handles[1:]
	}
	return out
}

// placeholders makes arrays by name lazy.
func placeholders(named map[string]*arrays.Array) map[string]*Array {
	out := make(map[string]*Array, len(named))
	for name, a := range named {
		out[name] = FromArray(a)
	}
	return out
}
