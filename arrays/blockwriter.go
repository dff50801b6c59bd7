package arrays

// sink writes blocks of results to the elements of an array in C order, the counterpart of stream: what is converted or
// scattered goes through memory of its own, a run of the array's last axis is written at once.
type sink struct {
	out       *Array
	gives     DType
	cast      castFunc // nil where nothing is to convert
	size      int      // of an element before it
	put       putLoop
	walk      *stream // over the places of out
	block     []byte
	converted []byte
	direct    bool // the block that next gave is out's
}

// newSink starts writing elements of dtype gives to out, which has some, from element lo on.
func newSink(out *Array, gives DType, lo int) *sink {
	s := &sink{out: out, gives: gives, size: gives.Size(), put: putLoopOf(out.dtype), walk: newWalk(out.layout)}
	if out.dtype != gives {
		s.cast = castOf(gives, out.dtype)
	}
	s.walk.seek(out.layout.Offset, lo)
	return s
}

// run returns how many of the next n places are a run, and their stride.
func (s *sink) run(n int) (length, stride int) {
	last := len(s.walk.index) - 1
	if last < 0 {
		return n, 1
	}
	return min(n, s.walk.view.Shape[last]-s.walk.index[last]), s.walk.view.Strides[last]
}

// next returns room for n elements at most, one or more: those up to the end of a run that need no room of their own.
func (s *sink) next(n int) []byte {
	length, stride := s.run(n)
	if s.direct = s.cast == nil && stride == 1 && (length == n || length >= joinRun); s.direct {
		return s.out.data[s.walk.at*s.size : (s.walk.at+length)*s.size]
	}
	if len(s.block) < n*s.size {
		s.block = roomFor(s.gives, n)
	}
	return s.block[:n*s.size]
}

// wrote takes the n elements that next had room for.
func (s *sink) wrote(n int) {
	if s.direct {
		s.walk.advance(n)
		return
	}
	size := s.out.dtype.Size()
	src := s.block[:n*s.size]
	if s.cast != nil {
		if len(s.converted) < n*size {
			s.converted = roomFor(s.out.dtype, n)
		}
		src = s.converted[:n*size]
		s.cast(src, s.block, 0, 1)
	}
	for n > 0 {
		length, stride := s.run(n)
		s.put(s.out.data, src[:length*size], s.walk.at, stride)
		src = src[length*size:]
		s.walk.advance(length)
		n -= length
	}
}
