package arrays

import (
	"fmt"
	"slices"
	"unsafe"
)

// Set assigns value to the elements that idx selects, as a[idx] = value does in NumPy: idx as in [Array.At], value an
// array, Go number or slice that broadcasts to what is selected and is converted to the dtype of a. Views of a see the
// change. Where an index array names an element more than once, the last value stays. It panics with *Error on a bad
// index or shape, on complex numbers for elements that are none, and on a number that a, of ints, cannot hold; it has
// then changed nothing.
func (a *Array) Set(value ArrayLike, idx ...any) {
	a.assigned()
	if !a.setOne(value, idx) {
		a.store("set", value, idx, putLoopOf(a.dtype))
	}
}

// AddAt adds value to the elements that idx selects; unlike Set with a sum, an element that an index array names twice
// is added to twice (numpy.add.at). Bools are set where value is true.
func (a *Array) AddAt(value ArrayLike, idx ...any) {
	a.assigned()
	put, err := addLoopOf(a.dtype)
	check("add_at", err)
	check("add_at", a.dtype.Adds(must("add_at", value).dtype))
	a.store("add_at", value, idx, put)
}

// store calls put for runs of the selected elements, src holding the values for each.
func (a *Array) store(op string, value any, idx []any, put func(dst, src []byte, at, stride int)) {
	v := assigned(op, value, a.dtype)
	check(op, a.layout.Writable())
	s, err := a.layout.selectionOf(idx)
	check(op, err)
	l, err := v.layout.Assignable(s.shape)
	check(op, err)
	if v = (&Array{v.dtype, l, v.data}); overlap(v.data, a.data) {
		v = v.Copy()
	}
	in := newStream(v, a.dtype)
	inner := s.inner
	inner.Offset = 0
	runs := inner.merged()
	length, stride := 1, 1
	if n := len(runs.Shape); n > 0 {
		length, stride = runs.Shape[n-1], runs.Strides[n-1]
		runs = Layout{Shape: runs.Shape[:n-1], Strides: runs.Strides[:n-1]}
	}
	var work poller
	cost := 1 // of an element, beside one of plain work
	if stride != 1 {
		cost = 8
	}
	s.each(0, func(base int) {
		work.did(32)
		eachTile(runs, func(_ int, starts []int) {
			for _, start := range starts {
				for lo := 0; lo < length; lo += blockLen {
					work.did(blockLen * cost)
					n := min(blockLen, length-lo)
					put(a.data, in.next(n), base+start+lo*stride, stride)
				}
			}
		})
	})
}

// Writable reports, as an error, an axis along which all elements are one in memory.
func (l Layout) Writable() error {
	for axis, size := range l.Shape {
		if size > 1 && l.Strides[axis] == 0 {
			return &Error{Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf("axis %d is stretched by broadcasting, so its elements are one in memory; assign to a Copy", axis)}
		}
	}
	return nil
}

// Assignable stretches l to the shape of what it is assigned to: like BroadcastTo, but as in NumPy leading axes of size
// 1 that shape lacks are dropped.
func (l Layout) Assignable(shape []int) (Layout, error) {
	for l.NDim() > len(shape) && l.Shape[0] == 1 {
		l.Shape, l.Strides = l.Shape[1:], l.Strides[1:]
	}
	out, err := l.BroadcastTo(shape)
	if err != nil {
		return out, &Error{Shapes: [][]int{l.Shape, shape}, Msg: fmt.Sprintf(
			"a value of shape %s cannot be assigned to a selection of shape %s; sizes, aligned at the last axis, must be equal or 1", shapeString(l.Shape), shapeString(shape))}
	}
	return out, nil
}

// overlap reports whether two storages share memory.
func overlap(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	lo, hi := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return lo < hi+uintptr(len(b)) && hi < lo+uintptr(len(a))
}

// NonZero returns the places of the elements of x that are not zero, in C order: one int64 array for each axis, as
// numpy.nonzero. x.At of them selects those elements. It panics with *Error when x is 0-d.
func NonZero(x ArrayLike) []*Array {
	a, _, err := AsArray(x)
	check("nonzero", err)
	if a.NDim() == 0 {
		check("nonzero", &Error{Shapes: [][]int{{}}, Msg: "a 0-d array has no places; reshape it to (1,) first"})
	}
	total := a.Size()
	truths := a.AsType(Bool).data
	places := elements[int64](newUnset(Int64, []int{countTrue[int](truths)}).data)
	var block [blockLen]int64
	var work poller
	for lo, rest := 0, places; len(rest) > 0; lo += blockLen {
		work.did(4 * blockLen)
		found := 0
		// without a branch, which would be wrong as often as truths change
		for i, v := range truths[lo:min(lo+blockLen, total)] {
			block[found&(blockLen-1)] = int64(lo + i)
			found += int(v)
		}
		rest = rest[copy(rest, block[:found]):]
	}
	out := make([]*Array, a.NDim())
	for axis := len(out) - 1; axis >= 0; axis-- {
		size := int64(a.layout.Shape[axis])
		if axis == 0 {
			out[axis] = &Array{Int64, Contiguous(len(places)), bytesOf(places)}
			break
		}
		out[axis] = New(Int64, len(places))
		v := elements[int64](out[axis].data)
		inSteps(len(places), func(lo, hi int) {
			for i, p := range places[lo:hi] {
				v[lo+i], places[lo+i] = p%size, p/size
			}
		})
	}
	return out
}

// ArgWhere returns the places of the elements of x that are not zero as the rows of an int64 array of shape (n,
// x.NDim()).
func ArgWhere(x ArrayLike) *Array {
	a, _, err := AsArray(x)
	check("argwhere", err)
	if a.NDim() == 0 {
		n := 0
		if a.Bool() {
			n = 1
		}
		return New(Int64, n, 0)
	}
	places := NonZero(a)
	out := New(Int64, places[0].Len(), a.NDim())
	for axis, p := range places {
		out.Set(p, All, axis)
	}
	return out
}

// at returns the elements that idx selects: a view, or a copy where idx has arrays.
func (a *Array) at(idx []any) *Array {
	if at, ok := a.layout.place(idx); ok {
		return a.copyOne(at)
	}
	if !hasIndexArray(idx) {
		l, err := a.layout.Index(idx...)
		check("index", err)
		v := &Array{a.dtype, l, a.data}
		if l.NDim() == 0 && (Rules{}).NamesOne(idx) {
			return v.Copy()
		}
		return v
	}
	if by, ok := idx[0].(*Array); ok && len(idx) == 1 {
		if out, ok := a.masked(by); ok {
			return out
		}
		if out, ok := a.picked(by); ok {
			return out
		}
	}
	p, err := a.layout.planIndex(idx)
	check("index", err)
	s, err := p.selection()
	check("index", err)
	return s.gather(a)
}

// NamesOne reports whether idx, of an array with as many axes, names an element, so that At gives it by value.
func (Rules) NamesOne(idx []any) bool {
	for _, x := range idx {
		if x == Dots || x == NewAxis {
			return false
		}
	}
	return len(idx) > 0
}

// IndexShape returns the shape of what idx selects of an array of the given shape. The error is that of [Array.At]. It
// reads the elements of masks and index arrays, what these repeat by a stride of 0 once.
func (Rules) IndexShape(shape []int, idx ...any) ([]int, error) {
	l := Contiguous(shape...)
	if !hasIndexArray(idx) {
		l, err := l.Index(idx...)
		return l.Shape, err
	}
	p, err := l.planIndex(idx)
	if err != nil {
		return nil, err
	}
	if err := p.inBounds(); err != nil {
		return nil, err
	}
	return slices.Clip(p.shape()), nil
}
