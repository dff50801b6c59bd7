package arrays

// blockLen is the number of elements that an elementwise loop sees at once: three operands of it fit the L1 cache.
const blockLen = 1024

// stream reads the elements of an array in C order, converted to one dtype. Operations see strides, views and mixed
// dtypes only through streams, so that every loop can be written for contiguous blocks of one dtype.
type stream struct {
	dtype    DType // what it gives
	source   []byte
	from     DType  // what it reads
	view     Layout // merged: few axes, none of size 1
	cast     castFunc
	constant bool
	filled   int // elements of buf that already hold the constant
	buf      []byte
	index    []int // position along each axis of view
	at       int   // storage element at index
	room     [9]int
}

// look begins to go over l.
func (s *stream) look(l Layout) {
	n := len(l.Shape)
	room := s.room[:] // for three axes, which few arrays exceed
	if 3*n > len(room) {
		room = make([]int, 3*n)
	}
	s.view = l.mergedIn(room[:2*n])
	s.index = room[2*n:][:len(s.view.Shape)]
	s.at = s.view.Offset
}

// newStream starts reading a as dtype.
func newStream(a *Array, dtype DType) *stream {
	s := &stream{dtype: dtype, source: a.data, from: a.dtype, cast: castOf(a.dtype, dtype)}
	if a.Size() == 0 {
		return s
	}
	s.look(a.layout)
	s.constant = true
	for _, stride := range s.view.Strides {
		s.constant = s.constant && stride == 0
	}
	return s
}

// next returns the next n elements (at most blockLen). The block is valid until the following call and must not be
// written to: where nothing is to convert or collect, it is the array's own storage.
func (s *stream) next(n int) []byte {
	if n == 0 {
		return nil
	}
	size := s.dtype.Size()
	last := len(s.view.Shape) - 1
	if !s.constant && s.from == s.dtype && s.view.Strides[last] == 1 && n <= s.view.Shape[last]-s.index[last] {
		lo := s.at * size
		s.advance(n)
		return s.source[lo : lo+n*size]
	}
	if len(s.buf) < n*size {
		s.buf, s.filled = roomFor(s.dtype, n), 0
	}
	block := s.buf[:n*size]
	if !s.constant {
		s.read(block)
	} else if s.filled < n {
		s.cast(block, s.source, s.at, 0)
		s.filled = n
	}
	return block
}

// read fills dst with the next elements.
func (s *stream) read(dst []byte) {
	size := s.dtype.Size()
	last := len(s.view.Shape) - 1
	if s.constant || last < 0 {
		s.cast(dst, s.source, s.at, 0)
		return
	}
	for len(dst) > 0 {
		n := min(s.view.Shape[last]-s.index[last], len(dst)/size)
		if stride := s.view.Strides[last]; stride == 1 && s.from == s.dtype && s.from != StringDType {
			copy(dst[:n*size], s.source[s.at*size:])
		} else {
			s.cast(dst[:n*size], s.source, s.at, stride)
		}
		dst = dst[n*size:]
		s.advance(n)
	}
}

// advance moves n elements along the last axis, carrying into the outer ones at its end.
func (s *stream) advance(n int) {
	axis := len(s.index) - 1
	if axis < 0 {
		return
	}
	s.index[axis] += n
	s.at += n * s.view.Strides[axis]
	for s.index[axis] == s.view.Shape[axis] {
		s.at -= s.index[axis] * s.view.Strides[axis]
		s.index[axis] = 0
		if axis--; axis < 0 {
			return
		}
		s.index[axis]++
		s.at += s.view.Strides[axis]
	}
}

// seek moves to element n of the C order, counted from storage element base.
func (s *stream) seek(base, n int) {
	s.at, s.filled = base, 0
	for axis := len(s.index) - 1; axis >= 0; axis-- {
		size := s.view.Shape[axis]
		s.index[axis] = n % size
		s.at += s.index[axis] * s.view.Strides[axis]
		n /= size
	}
}
