package arrays

import (
	"fmt"
	"slices"
	"unsafe"
)

// Array is an N-dimensional array of elements of one dtype: a [Layout] over storage that views share. The zero Array is
// a 0-d bool without storage and of no use; make arrays with the creation functions. Concurrent reads are safe.
type Array struct {
	dtype  DType
	layout Layout
	data   []byte // the whole storage; Layout counts its elements
}

// New returns an array of zeros of the given dtype and shape. It panics with *Error on an impossible shape.
func New(dtype DType, shape ...int) *Array {
	check("new", checkDType(dtype))
	check("new", checkShape(shape))
	if dtype == StringDType {
		return newTexts(shape)
	}
	if size := sizeOf(shape) * dtype.Size(); !fitsFresh(size, shape) {
		return &Array{dtype, Contiguous(shape...), allocate(size)}
	}
	return newFresh(dtype, shape)
}

// checkDType refuses numbers that are not dtypes.
func checkDType(d DType) error {
	if !d.valid() {
		return &Error{Msg: fmt.Sprintf("%v is not a dtype; use Bool, Int8 to Int64, Uint8 to Uint64, Float16 to Float64, Complex64, Complex128, Str(n), StringDType, DateTime(unit) or TimeDelta(unit)", d)}
	}
	if d == classString {
		return &Error{Msg: "Str(0) holds no characters; use 1 or more"}
	}
	return nil
}

// FromBytes returns an array whose storage is b itself, in C order and little-endian; bools are bytes 0 or 1. It panics
// with *Error when b has another length than the shape needs, or does not begin at a multiple of the element's size,
// and for [StringDType].
func FromBytes(dtype DType, shape []int, b []byte) *Array {
	check("frombytes", checkDType(dtype))
	check("frombytes", dtype.hasBytes())
	check("frombytes", checkShape(shape))
	l := Contiguous(shape...)
	if need := l.Size() * dtype.Size(); len(b) != need {
		check("frombytes", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d bytes are given; shape %s of %v needs %d", len(b), shapeString(shape), dtype, need)})
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(dtype.align()) != 0 {
		check("frombytes", &Error{Msg: fmt.Sprintf("the bytes begin at an address that is not a multiple of %d; copy them to a fresh slice first", dtype.align())})
	}
	return &Array{dtype, l, b}
}

// Bytes returns the elements in C order, little-endian. It shares memory with a when a is contiguous, else it is a
// copy. It panics with *Error for [StringDType].
func (a *Array) Bytes() []byte {
	a.assigned()
	check("bytes", a.dtype.hasBytes())
	if !a.layout.IsContiguous() {
		a = a.Copy()
	}
	return contents(a)
}

// DType returns the type of the elements.
func (a *Array) DType() DType {
	a.assigned()
	return a.dtype
}

// Shape returns the size of each axis. The slice is a copy.
func (a *Array) Shape() []int {
	a.assigned()
	return slices.Clone(a.layout.Shape)
}

// NDim returns the number of axes.
func (a *Array) NDim() int {
	a.assigned()
	return len(a.layout.Shape)
}

// Size returns the number of elements.
func (a *Array) Size() int {
	a.assigned()
	return a.layout.Size()
}

// NBytes returns how many bytes the elements take; of [StringDType] without their texts, as in NumPy.
func (a *Array) NBytes() int {
	a.assigned()
	return a.layout.Size() * a.dtype.Size()
}

// Len returns the size of the first axis. It panics with *Error when a is 0-d.
func (a *Array) Len() int {
	a.assigned()
	if a.NDim() == 0 {
		check("len", &Error{Shapes: [][]int{{}}, Msg: "a 0-d array has no length; Size counts its one element"})
	}
	return a.layout.Shape[0]
}

// Layout returns the geometry of a over its storage. Do not write to its slices.
func (a *Array) Layout() Layout {
	a.assigned()
	return a.layout
}

// View returns an array of layout l over the storage of a; l counts elements from where that storage begins, as
// a.Layout() does. It panics with *Error when l reaches outside the storage.
func (a *Array) View(l Layout) *Array {
	a.assigned()
	lo, hi := l.bounds()
	if have := len(a.data) / a.dtype.Size(); lo < 0 || hi > have {
		check("view", &Error{Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf(
			"the layout reaches from element %d to %d of a storage of %d elements; make it from the array's own Layout", lo, hi-1, have)})
	}
	return &Array{a.dtype, l, a.data}
}

// At returns the elements that idx selects, as a[idx] does in NumPy. Ints, slices, [All], [NewAxis] and [Dots] give a
// view, as [Layout.Index] describes: m.At(0), m.At(S(1, 5), S(0, End, 2)), x.At(All, NewAxis). An int for every axis
// gives that one element, by value, as a 0-d array. Arrays and Go slices of ints pick elements, arrays of bools are
// masks (x.At(x.Greater(0))); these give a copy. It panics with *Error on a bad index.
func (a *Array) At(idx ...any) *Array {
	a.assigned()
	return a.at(idx)
}

// viewed returns the view of a's storage through l, or panics with err.
func (a *Array) viewed(l Layout, err error) *Array {
	check("view", err)
	return &Array{a.dtype, l, a.data}
}

// must returns an operand of op as an array.
func must(op string, x any) *Array {
	a, _, err := AsArray(x)
	check(op, err)
	return a
}

// T returns a view with the axes permuted, reversed when none are named. It panics with *Error on bad axes.
func (a *Array) T(axes ...AxisOption) *Array {
	a.assigned()
	along := axesFrom("transpose", axes)
	l, err := a.layout.Transpose(along...)
	check("transpose", err)
	return &Array{a.dtype, l, a.data}
}

// Reshape returns the elements in C order under another shape; one size may be -1. The result is a view where strides
// allow it, else a copy. It panics with *Error when the sizes do not multiply to a.Size().
func (a *Array) Reshape(shape ...int) *Array {
	a.assigned()
	l, ok, err := a.layout.Reshape(shape...)
	check("reshape", err)
	if !ok {
		a = a.Copy()
	}
	return &Array{a.dtype, l, a.data}
}

// Array returns a itself: whoever takes anything with this method takes eager and lazy arrays alike.
func (a *Array) Array() *Array { return a }

// Copy returns a contiguous array of the same elements that shares no memory with a.
func (a *Array) Copy() *Array {
	a.assigned()
	return a.AsType(a.dtype)
}
