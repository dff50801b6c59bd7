package brook

import (
	"fmt"
	"reflect"
	"slices"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Iter is a stream of float32 or of vectors that go from start in equal steps, of which the one after the last would
// be end: Iter(0, 8, 4) is 0 2 4 6. Of vectors, F2, F3 or F4, X goes along the last axis of the shape, Y along the
// one before, and so on: Iter(brook.F2{}, brook.F2{8, 4}, 4, 8).
func Iter(start, end any, shape ...int) *Stream {
	const op = "brook.Iter"
	shape = shapeOf(op, shape)
	from, to := reflect.ValueOf(start), reflect.ValueOf(end)
	if from.IsValid() && to.IsValid() && !vectors[from.Type()] && from.CanConvert(reflect.TypeFor[float32]()) && to.CanConvert(reflect.TypeFor[float32]()) {
		from, to = from.Convert(reflect.TypeFor[float32]()), to.Convert(reflect.TypeFor[float32]())
	} else if !from.IsValid() || !to.IsValid() || !vectors[from.Type()] || from.Type() != to.Type() {
		check(op, fmt.Errorf("it goes from a %T to a %T; give two numbers, or two vectors of one type", start, end))
	}
	f := formOf(op, from.Type())
	along := func(k int, from, to reflect.Value, d np.DType) *np.Array {
		axis := len(shape) - 1 - k
		if axis < 0 {
			check(op, fmt.Errorf("a vector of %d numbers goes along as many axes; the shape is %v", len(f.names), shape))
		}
		line := slices.Repeat([]int{1}, len(shape))
		line[axis] = shape[axis]
		a, b := from.Convert(reflect.TypeFor[float64]()).Float(), to.Convert(reflect.TypeFor[float64]()).Float()
		x := np.Arange(shape[axis]).AsType(np.Float64).Mul((b - a) / float64(max(shape[axis], 1))).Add(a)
		return np.BroadcastTo(x.Reshape(line...), shape...).AsType(d)
	}
	var columns []*np.Array
	if f.records == nil {
		if len(shape) != 1 {
			check(op, fmt.Errorf("numbers go along one axis; the shape is %v: give vectors, or Reshape", shape))
		}
		columns = append(columns, along(0, from, to, f.dtypes[0]))
	} else {
		for k, d := range f.dtypes {
			columns = append(columns, along(k, from.Field(k), to.Field(k), d))
		}
	}
	return withColumns(op, f, columns)
}

// Region returns the part of a stream from one place to another, which is not in it, along each axis: a view.
func (s *Stream) Region(from, to []int) *Stream {
	const op = "brook.Region"
	shape := s.Shape()
	if len(from) != len(shape) || len(to) != len(shape) {
		check(op, fmt.Errorf("the region goes from %v to %v in a stream of shape %v: give a number for each axis", from, to, shape))
	}
	at := make([]any, len(shape))
	for d, n := range shape {
		if from[d] < 0 || from[d] > to[d] || to[d] > n {
			check(op, fmt.Errorf("the region goes from %v to %v in a stream of shape %v: it is not within axis %d", from, to, shape, d))
		}
		at[d] = np.S(from[d], to[d])
	}
	return s.each(op, func(c *np.Array) *np.Array { return c.At(at...) })
}

// Stride returns each so many'th element along each axis, from the first on: a view.
func (s *Stream) Stride(steps ...int) *Stream {
	const op = "brook.Stride"
	shape := s.numbers(op, steps)
	at := make([]any, len(shape))
	for d, n := range shape {
		at[d] = np.S(0, n, steps[d])
	}
	return s.each(op, func(c *np.Array) *np.Array { return c.At(at...) })
}

// numbers refuses numbers below 1, and others than one for each axis; it returns the shape.
func (s *Stream) numbers(op string, list []int) []int {
	shape := s.Shape()
	if len(list) != len(shape) || len(list) > 0 && slices.Min(list) < 1 {
		check(op, fmt.Errorf("the numbers are %v for a stream of shape %v: give one for each axis, 1 or more", list, shape))
	}
	return shape
}

// Repeat returns each element so many times along each axis: 1 2 as 1 1 2 2.
func (s *Stream) Repeat(times ...int) *Stream {
	const op = "brook.Repeat"
	to := s.numbers(op, times)
	for d, k := range times {
		to[d] *= k
	}
	ones := slices.Repeat([]int{1}, len(to))
	return s.each(op, func(c *np.Array) *np.Array { return filled(c, times, ones, to) })
}

// Wrap returns a stream of a shape whose axes begin again where the stream ends: 1 2 3 as 1 2 3 1 2.
func (s *Stream) Wrap(shape ...int) *Stream {
	const op = "brook.Wrap"
	to := shapeOf(op, shape)
	have := s.Shape()
	if len(to) != len(have) || s.Len() == 0 && !slices.Equal(to, have) {
		check(op, fmt.Errorf("a stream of shape %v does not wrap into shape %v: give a size for each axis", have, to))
	}
	return s.each(op, func(c *np.Array) *np.Array {
		for d, n := range have {
			if to[d] != n {
				c = np.Take(c, np.Mod(np.Arange(to[d]), n), d)
			}
		}
		return c
	})
}

// Group returns the stream of arrays of so many neighbours along the last axis: 1 2 3 4 as [1 2] [3 4]. Its columns
// are views.
func (s *Stream) Group(size int) *Stream {
	const op = "brook.Group"
	shape := s.Shape()
	last := len(shape) - 1
	if size < 1 || last < 0 || shape[last]%size != 0 {
		check(op, fmt.Errorf("a stream of shape %v has no groups of %d along its last axis", shape, size))
	}
	f := formOf(op, reflect.ArrayOf(size, s.of))
	var columns []*np.Array
	for k := range size {
		for _, c := range s.columns {
			at := make([]any, len(shape))
			for d, n := range shape {
				at[d] = np.S(0, n)
			}
			at[last] = np.S(k, shape[last], size)
			columns = append(columns, c.At(at...))
		}
	}
	return withColumns(op, f, columns)
}
