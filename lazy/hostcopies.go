package lazy

import (
	"bytes"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// HostCopies computes xs and returns copies of their elements in the host's memory, for a function that reads and
// writes them there. Arrays that are contiguous views of one array share a copy, as they share their elements. Store
// gives each array the elements that were changed; it panics with *Error where a kernel could not write to the array
// either.
func (Wiring) HostCopies(xs []*Array) (elements []*arrays.Array, store func()) {
	shared := map[*ref][]byte{}
	before := make([][]byte, len(xs))
	for i, x := range xs {
		whole, off := shared[x.ref], 0
		switch {
		case !x.layout.IsContiguous():
			whole = x.Array().Copy().Bytes()
		case whole == nil:
			whole = x.view().node.whole().Array().Copy().Bytes()
			shared[x.ref] = whole
			fallthrough
		default:
			off = x.layout.Offset * x.dtype.Size()
		}
		mine := whole[off : off+x.Size()*x.dtype.Size()]
		before[i] = bytes.Clone(mine)
		elements = append(elements, arrays.FromBytes(x.dtype, x.Shape(), mine))
	}
	return elements, func() {
		for i, x := range xs {
			if !bytes.Equal(before[i], elements[i].Bytes()) {
				check("store", writable(x))
				x.Set(FromArray(elements[i].Copy()))
			}
		}
	}
}
