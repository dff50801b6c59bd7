package brook

import (
	"fmt"
	"reflect"
)

// Gather is a parameter of a kernel from which it reads any element of a stream, by its methods; it writes none. The
// argument is a stream, an array or a slice. Functions that kernels call may have such parameters, too.
type Gather[T any] struct {
	Elements []T    // for brook.On("go"), and for programs that call the function themselves
	Sizes    [4]int // of the stream, 1 for axes that it does not have, which come first
}

// Len returns how many elements there are.
func (g Gather[T]) Len() int { return len(g.Elements) }

// At returns element i in the order of the stream's memory.
func (g Gather[T]) At(i int) T { return g.Elements[i] }

// At2 returns the element in row y and column x of a stream of two axes. Of one with more, rows are those of all
// planes.
func (g Gather[T]) At2(y, x int) T { return g.Elements[g.in(y, g.Sizes[3], x)] }

// At3 returns an element of a stream of three axes.
func (g Gather[T]) At3(z, y, x int) T {
	return g.Elements[g.in(g.in(z, g.Sizes[2], y), g.Sizes[3], x)]
}

// At4 returns an element of a stream of four axes.
func (g Gather[T]) At4(w, z, y, x int) T {
	return g.Elements[g.in(g.in(g.in(w, g.Sizes[1], z), g.Sizes[2], y), g.Sizes[3], x)]
}

// in is the place of index x, which is below size, in line y.
func (g Gather[T]) in(y, size, x int) int {
	if x < 0 || x >= size {
		panic(fmt.Errorf("index out of range [%d] with length %d", x, size))
	}
	return y*size + x
}

// IndexOf returns the place of an element in its stream, in a kernel: of x, a parameter or a named result of the
// function that [Map] calls. Of an input that repeats or is read in strides it is the place in the input, of a result
// that in the result; a constant is at 0. It is called by the parameter's name, in that function itself.
//
// For example:
//
//	func ramp(x float32) (r float32) { return x * float32(brook.IndexOf(r).X) }
func IndexOf[T any](x T) Index { return PlaceOfElement() }

// New makes a stream of zeros, with one to four axes: New[brook.F4](1024, 1024).
func New[T any](shape ...int) *Stream { return Zeros(reflect.TypeFor[T](), shape...) }

// Slice computes a stream of elements of type T, and returns them.
func Slice[T any](s *Stream) []T {
	out, ok := Write(s).([]T)
	if !ok {
		panic(&Error{Op: "brook.Slice", Msg: fmt.Sprintf("the stream has elements of type %v, not %v", s.Type(), reflect.TypeFor[T]())})
	}
	return out
}
