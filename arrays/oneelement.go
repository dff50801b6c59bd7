package arrays

// Loops of Go programs read and write one element in each round, so what names an element takes no memory and no plan.

// place returns the storage element that idx names, one int for each axis; ok is false for any other index, and out of
// bounds.
func (l Layout) place(idx []any) (at int, ok bool) {
	at, ok = l.Offset, len(idx) == len(l.Shape) && len(idx) > 0
	for axis := 0; ok && axis < len(idx); axis++ {
		var i int
		if i, ok = idx[axis].(int); ok {
			i, ok = l.along(axis, i)
			at += i
		}
	}
	return at, ok
}

// placeOfInts is place for ints as they are.
func (l Layout) placeOfInts(idx []int) (at int, ok bool) {
	at, ok = l.Offset, len(idx) == len(l.Shape) && len(idx) > 0
	for axis := 0; ok && axis < len(idx); axis++ {
		var i int
		i, ok = l.along(axis, idx[axis])
		at += i
	}
	return at, ok
}

// along returns how far index i of an axis, which may be negative, is from the first; ok is false out of bounds.
func (l Layout) along(axis, i int) (distance int, ok bool) {
	size := l.Shape[axis]
	if i < 0 {
		i += size
	}
	return i * l.Strides[axis], uint(i) < uint(size)
}

// noAxes is the layout of one element by itself.
var noAxes = Layout{Shape: []int{}, Strides: []int{}}

// copyOne returns the storage element at as an array of no axes.
func (a *Array) copyOne(at int) *Array {
	size := a.dtype.Size()
	one := newSmall(a.dtype, noAxes, 1)
	copyElements(a.dtype, one.data, a.data[at*size:(at+1)*size])
	return one
}

// setOne is Set for a Go number and the index of one element of the dtypes that hold it without a question, which are
// most; it reports whether it was one.
func (a *Array) setOne(value any, idx []any) bool {
	at, ok := a.layout.place(idx)
	if !ok || a.layout.Writable() != nil {
		return false
	}
	switch v := value.(type) {
	case float64:
		switch a.dtype {
		case Float64:
			elements[float64](a.data)[at] = v
			return true
		case Float32:
			elements[float32](a.data)[at] = float32(v)
			return true
		}
	case int:
		switch a.dtype {
		case Float64:
			elements[float64](a.data)[at] = float64(v)
			return true
		case Float32:
			elements[float32](a.data)[at] = float32(v)
			return true
		case Int64:
			elements[int64](a.data)[at] = int64(v)
			return true
		}
	case bool:
		if a.dtype == Bool {
			a.data[at] = bit(v)
			return true
		}
	}
	return false
}
