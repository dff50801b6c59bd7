package arrays

import (
	"sync"
	"unsafe"
)

// fewReduction is what a reduction is on elements of one dtype.
type fewReduction struct {
	acc, gives, out DType // of the elements that run takes, what it makes of them, and the result
	run             func(dst, src []byte)
}

// fewReductions has them by reduction and dtype.
var fewReductions = onDemand[[NumReductions][numDTypes]fewReduction]{by: func() (table [NumReductions][numDTypes]fewReduction) {
	for r, row := range reductions {
		for d := range DType(numDTypes) {
			if out, acc, ok := row.rule(d); ok && d.IsNumber() {
				table[r][d] = fewReduction{acc, acc, out, row.run(acc).few}
				if Reduction(r).IsIndex() {
					table[r][d].gives = out
				}
			}
		}
	}
	return table
}}

// fewRoom is memory for elements that are converted, and for a result that is.
type fewRoom struct {
	elements [foldBlock]complex128
	result   complex128
}

var fewRooms = sync.Pool{New: func() any { return new(fewRoom) }}

// ofFew is the reduction of all elements where they are few numbers that lie side by side: planning takes longer than
// that. It returns nil for others.
func (r Reduction) ofFew(a *Array, opts []ReduceOption) *Array {
	n := a.Size()
	if len(opts) > 0 || n == 0 || n > foldBlock || !a.dtype.IsNumber() || !a.layout.IsContiguous() {
		return nil
	}
	f := &fewReductions.get()[r][a.dtype]
	if f.run == nil {
		return nil
	}
	size, at := a.dtype.Size(), a.layout.Offset
	src := a.data[at*size : (at+n)*size]
	out := newSmall(f.out, noAxes, 1)
	if a.dtype == f.acc && f.out == f.gives {
		f.run(out.data, src)
		return out
	}
	room := fewRooms.Get().(*fewRoom)
	if a.dtype != f.acc {
		to := unsafe.Slice((*byte)(unsafe.Pointer(&room.elements)), n*f.acc.Size())
		castOf(a.dtype, f.acc)(to, a.data, at, 1)
		src = to
	}
	dst := unsafe.Slice((*byte)(unsafe.Pointer(&room.result)), unsafe.Sizeof(room.result))
	if f.out == f.gives {
		dst = out.data
	}
	f.run(dst, src)
	if f.out != f.gives {
		castOf(f.gives, f.out)(out.data, dst, 0, 0)
	}
	fewRooms.Put(room)
	return out
}
