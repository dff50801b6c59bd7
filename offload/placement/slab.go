package placement

// slab keeps short slices in long ones: one piece of memory for many.
type slab[T any] struct {
	rest []T
	size int // of the last piece
}

// mostSlab is the most elements that a slab asks for at once, but for a longer slice.
const mostSlab = 256

// of returns a copy of x; nil for an empty one.
func (s *slab[T]) of(x []T) []T {
	if len(x) == 0 {
		return nil
	}
	if len(x) > len(s.rest) {
		s.size = max(min(2*s.size, mostSlab), len(x), 4)
		s.rest = make([]T, s.size)
	}
	out := s.rest[:len(x):len(x)]
	s.rest = s.rest[len(x):]
	copy(out, x)
	return out
}

// one returns a place for an element, which is zero.
func (s *slab[T]) one() *T {
	var zero [1]T
	return &s.of(zero[:])[0]
}
