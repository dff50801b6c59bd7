package arrays

import (
	"fmt"
	"reflect"
	"slices"
)

// selection is what an index with arrays in it selects (NumPy's advanced indexing): for every place of outer, every
// pick and every place of inner, in that order, the element at the sum of the three.
type selection struct {
	shape        []int // of the result
	outer, inner Layout
	picks        []int // what the index arrays add, in elements; [0] for an index without arrays
}

// indexPlan is an index as far as it is known from shapes alone.
type indexPlan struct {
	view   Layout   // what ints, slices and new axes select; axes that arrays pick from are whole
	arrays []*Array // the index arrays, int64
	axes   []int    // the axis of view that each picks from
	from   []int    // and the axis of the indexed array, for messages
	picked []int    // shape to which the index arrays broadcast
	at     int      // the axis of the result at which picked stands
}

// asIndexArray returns v as an array of indices or a mask, nil when it is neither an array nor a slice. A 0-d int array
// is an int.
func asIndexArray(v any) (*Array, error) {
	switch v := v.(type) {
	case int, Slice, AxisIndex:
		return nil, nil
	case *Array:
	case interface{ Array() *Array }:
	default:
		if k := reflect.ValueOf(v).Kind(); k != reflect.Slice && k != reflect.Array {
			return nil, nil
		}
	}
	a, _, err := AsArray(v)
	if err != nil {
		return nil, err
	}
	if !a.dtype.IsInt() && !a.dtype.IsBool() && a.Size() > 0 {
		return nil, &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("an array of %v cannot index; use ints, or bools as a mask", a.dtype)}
	}
	return a, nil
}

// hasIndexArray reports whether idx selects by arrays, so that the result is not a view.
func hasIndexArray(idx []any) bool {
	for _, x := range idx {
		switch x := x.(type) {
		case nil, int, Slice, AxisIndex:
		case *Array:
			if x != nil && !(x.NDim() == 0 && x.dtype.IsInt()) {
				return true
			}
		case interface {
			Array() *Array
			NDim() int
		}:
			if x.NDim() > 0 {
				return true
			}
		default:
			if k := reflect.TypeOf(x).Kind(); k == reflect.Slice || k == reflect.Array {
				return true
			}
		}
	}
	return false
}

// planIndex decides an index of l that has arrays in it. As in NumPy, ints then count as arrays, a mask of k axes is k
// arrays of the places where it is true, and the arrays' common shape stands where they stand when they are neighbours,
// else first. A 0-d mask is an axis of one element or none.
func (l Layout) planIndex(idx []any) (indexPlan, error) {
	var p indexPlan
	basic := make([]any, 0, len(idx)+MaxDims) // arrays replaced by whole axes
	used := 0
	for _, x := range idx {
		if x == Dots || x == NewAxis {
			continue
		}
		a, err := asIndexArray(x)
		if err != nil {
			return p, withOp("index", err)
		}
		if a != nil && a.dtype.IsBool() {
			used += a.NDim()
		} else {
			used++
		}
	}
	axis, from, last := 0, 0, -1
	together := true
	pick := func(a *Array, position int, source AxisIndex) { // from an axis of l, or from a new one
		if last >= 0 && position > last+1 {
			together = false
		}
		last = position
		if len(p.arrays) == 0 {
			p.at = axis
		}
		p.arrays, p.axes, p.from = append(p.arrays, a), append(p.axes, axis), append(p.from, from)
		basic = append(basic, source)
		axis++
		if source == All {
			from++
		}
	}
	for position, x := range idx {
		a, err := asIndexArray(x)
		switch i, isInt := asIndex(x); {
		case err != nil:
			return p, withOp("index", err)
		case a != nil && a.dtype.IsBool() && a.NDim() == 0: // as in NumPy, a mask of a new axis of size 1
			pick(New(Int64, int(a.data[a.layout.Offset])), position, NewAxis)
		case a != nil && a.dtype.IsBool():
			for k, size := range a.layout.Shape {
				if from+k >= len(l.Shape) || l.Shape[from+k] != size && size != 0 { // 0 picks nothing, as in NumPy
					return p, &Error{Op: "index", Shapes: [][]int{l.Shape, a.layout.Shape}, Msg: fmt.Sprintf(
						"a mask of shape %s does not fit shape %s at axis %d; sizes must be equal", shapeString(a.layout.Shape), shapeString(l.Shape), from)}
				}
			}
			for _, places := range NonZero(a) {
				pick(places, position, All)
			}
		case a != nil:
			pick(asPicks(a), position, All)
		case x != nil && isInt:
			pick(scalarOf(Int64, int64(i)), position, All)
		default:
			basic = append(basic, x)
			switch x {
			case NewAxis:
				axis++
			case Dots:
				axis, from = axis+l.NDim()-used, from+l.NDim()-used
			default:
				axis, from = axis+1, from+1
			}
		}
	}
	var err error
	if p.view, err = l.Index(basic...); err != nil {
		return p, err
	}
	shapes := make([][]int, len(p.arrays))
	for i, a := range p.arrays {
		shapes[i] = a.layout.Shape
	}
	if p.picked, err = BroadcastShapes(shapes...); err != nil {
		return p, &Error{Op: "index", Shapes: shapes, Msg: "the index arrays do not go together: " + err.Error()}
	}
	if !together {
		p.at = 0
	}
	return p, nil
}

// shape returns the shape of the result.
func (p indexPlan) shape() []int {
	outer, inner := p.rest()
	return slices.Concat(outer.Shape, p.picked, inner.Shape)
}

// rest returns the axes that no array picks from, before and after those of the arrays. The outer part has the offset.
func (p indexPlan) rest() (outer, inner Layout) {
	outer.Offset = p.view.Offset
	kept := 0
	for axis, size := range p.view.Shape {
		if slices.Contains(p.axes, axis) {
			continue
		}
		part := &inner
		if kept < p.at {
			part = &outer
		}
		part.Shape, part.Strides = append(part.Shape, size), append(part.Strides, p.view.Strides[axis])
		kept++
	}
	return outer, inner
}

// selection reads the index arrays. The error names an index that is out of bounds.
func (p indexPlan) selection() (selection, error) {
	s := selection{shape: p.shape(), picks: make([]int, sizeOf(p.picked))}
	s.outer, s.inner = p.rest()
	if len(s.picks) == 0 { // as in NumPy, what goes with an empty array must be in bounds all the same
		return s, p.inBounds()
	}
	for i, a := range p.arrays {
		l, err := a.layout.BroadcastTo(p.picked)
		if err != nil {
			return s, err
		}
		if err := p.pick(i, l, s.picks); err != nil {
			return s, err
		}
	}
	return s, nil
}

// pick adds to picks where the elements of index array i, through a layout of picks' size, lead to.
func (p indexPlan) pick(i int, l Layout, picks []int) error {
	a, size := p.arrays[i], p.view.Shape[p.axes[i]]
	if err := addPicks(picks, &Array{a.dtype, l, a.data}, size, p.view.Strides[p.axes[i]]); err != nil {
		return &Error{Op: "index", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%v is out of bounds for axis %d with size %d", err, p.from[i], size)}
	}
	return nil
}

// inBounds reads the index arrays, what they repeat once.
func (p indexPlan) inBounds() error {
	for i, a := range p.arrays {
		l := Layout{Shape: slices.Clone(a.layout.Shape), Strides: a.layout.Strides, Offset: a.layout.Offset}
		for axis, stride := range l.Strides {
			if stride == 0 {
				l.Shape[axis] = min(l.Shape[axis], 1)
			}
		}
		if err := p.pick(i, l, make([]int, l.Size())); err != nil {
			return err
		}
	}
	return nil
}

// selectionOf decides any index of l.
func (l Layout) selectionOf(idx []any) (selection, error) {
	if hasIndexArray(idx) {
		p, err := l.planIndex(idx)
		if err != nil {
			return selection{}, err
		}
		return p.selection()
	}
	view, err := l.Index(idx...)
	return selection{shape: view.Shape, inner: view, picks: []int{0}}, err
}

// each calls do with the storage element from which each run of inner's elements is counted, in C order of the result.
// A run has so many bytes.
func (s selection) each(run int, do func(base int)) {
	if sizeOf(s.shape) == 0 {
		return
	}
	var work poller
	cost := 8 + run/8 // as runs lie anywhere
	most := pollEvery/cost + 1
	eachTile(s.outer, func(_ int, bases []int) {
		for _, base := range bases {
			for rest := s.picks; len(rest) > 0; {
				picks := rest[:min(most, len(rest))]
				rest = rest[len(picks):]
				for _, pick := range picks {
					do(base + pick + s.inner.Offset)
				}
				work.did(len(picks) * cost)
			}
		}
	})
}

// gather copies the selected elements of a, in C order.
func (s selection) gather(a *Array) *Array {
	out := newUnset(a.dtype, s.shape)
	s.gatherTo(out.data, a)
	return out
}

// gatherTo is gather into dst, which has room for them and shares no memory with a.
func (s selection) gatherTo(dst []byte, a *Array) {
	size := a.dtype.Size()
	if s.inner.Size() == 1 {
		switch {
		case a.dtype == StringDType:
			pickOnes(textsOf(dst), textsOf(a.data), s)
		case size == 1:
			pickOnes(dst, a.data, s)
		case size == 2:
			pickOnes(sliceOf[uint16](dst), sliceOf[uint16](a.data), s)
		case size == 4:
			pickOnes(sliceOf[uint32](dst), sliceOf[uint32](a.data), s)
		case size == 8:
			pickOnes(sliceOf[uint64](dst), sliceOf[uint64](a.data), s)
		case size == 16:
			pickOnes(sliceOf[[2]uint64](dst), sliceOf[[2]uint64](a.data), s)
		default:
			s.each(size, func(base int) {
				copy(dst[:size], a.data[base*size:])
				dst = dst[size:]
			})
		}
		return
	}
	run := s.inner.Size() * size
	in := newStream(&Array{a.dtype, s.inner, a.data}, a.dtype)
	s.each(run, func(base int) {
		in.seek(base, 0)
		in.read(dst[:run])
		dst = dst[run:]
	})
}
