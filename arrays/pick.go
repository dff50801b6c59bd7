package arrays

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// asPicks returns an index array as int64, itself where it is: index arrays are only read.
func asPicks(a *Array) *Array {
	if a.dtype == Int64 {
		return a
	}
	return a.AsType(Int64)
}

// outOfBounds is the error of an index.
type outOfBounds int64

func (i outOfBounds) Error() string { return fmt.Sprintf("index %d", int64(i)) }

// addPicks adds to picks what the int64 indices of an axis of so many elements, stride elements apart, lead to. The
// error is the first index that is out of bounds. Processors share them.
func addPicks(picks []int, indices *Array, size, stride int) error {
	if len(picks) == 0 {
		return nil
	}
	if !indices.layout.IsContiguous() {
		indices = indices.Copy()
	}
	values := elements[int64](indices.data)[indices.layout.Offset:][:len(picks)]
	pieces := (len(picks) + share - 1) / share
	bad := make([]int, pieces) // where the first index out of bounds of each piece stands, from 1
	workers.Do(pieces, func(piece int) {
		lo, hi := piece*share, min((piece+1)*share, len(picks))
		to := picks[lo:hi]
		for k, v := range values[lo:hi] {
			if v < 0 {
				v += int64(size)
			}
			if uint64(v) >= uint64(size) {
				bad[piece] = lo + k + 1
				return
			}
			to[k] += int(v) * stride
		}
	}, poll)
	for _, at := range bad {
		if at > 0 {
			return outOfBounds(values[at-1])
		}
	}
	return nil
}

// pickOnes copies the selected elements of src, one for each pick and place of outer, to dst. Processors share them.
func pickOnes[T any](dst, src []T, s selection) {
	if s.outer.Size() != 1 {
		k := 0
		s.each(int(unsafe.Sizeof(*new(T))), func(base int) {
			dst[k] = src[base]
			k++
		})
		return
	}
	first := s.outer.Offset + s.inner.Offset
	workers.Do((len(s.picks)+share-1)/share, func(piece int) {
		lo, hi := piece*share, min((piece+1)*share, len(s.picks))
		to := dst[lo:hi]
		for k, pick := range s.picks[lo:hi] {
			to[k] = src[first+pick]
		}
	}, poll)
}

// picked returns the elements of a, which has one axis, at the int64 indices; ok is false where they are not one after
// the other in memory, or one is out of bounds, for whose error the general way goes over them again.
func (a *Array) picked(indices *Array) (out *Array, ok bool) {
	if !a.picksWith(indices) {
		return nil, false
	}
	out = newUnset(a.dtype, indices.layout.Shape)
	return out, a.pickTo(out.data, indices)
}

// picksWith reports whether pickTo takes these indices.
func (a *Array) picksWith(indices *Array) bool {
	return a.NDim() == 1 && indices.NDim() > 0 && indices.dtype == Int64 && indices.layout.IsContiguous() && !a.dtype.IsString()
}

// pickTo writes the elements of a at the indices to dst, and reports whether all of these are in bounds. Elements are
// numbers or times.
func (a *Array) pickTo(dst []byte, indices *Array) bool {
	switch a.dtype.Size() {
	case 1:
		return takeOnes(dst, a, indices)
	case 2:
		return takeOnes(sliceOf[uint16](dst), a, indices)
	case 4:
		return takeOnes(sliceOf[uint32](dst), a, indices)
	case 8:
		return takeOnes(sliceOf[uint64](dst), a, indices)
	}
	return takeOnes(sliceOf[[2]uint64](dst), a, indices)
}

// takeOnes is pickTo, for elements of one size. Processors share the indices.
func takeOnes[T any](dst []T, a, indices *Array) bool {
	src := sliceOf[T](a.data)
	n, size, stride := len(dst), a.layout.Shape[0], a.layout.Strides[0]
	if n == 0 || size == 0 {
		return n == 0
	}
	values := elements[int64](indices.data)[indices.layout.Offset:][:n]
	first := a.layout.Offset
	var bad atomic.Bool
	workers.Do((n+share-1)/share, func(piece int) {
		lo, hi := piece*share, min((piece+1)*share, n)
		to := dst[lo:hi]
		from := values[lo:hi][:len(to)]
		if stride == 1 {
			line := src[first : first+size]
			for k := range to {
				v := from[k] + from[k]>>63&int64(len(line)) // of negative ones, from the end
				if uint64(v) >= uint64(len(line)) {
					bad.Store(true)
					return
				}
				to[k] = line[v]
			}
			return
		}
		for k := range to {
			v := from[k] + from[k]>>63&int64(size)
			if uint64(v) >= uint64(size) {
				bad.Store(true)
				return
			}
			to[k] = src[first+int(v)*stride]
		}
	}, poll)
	return !bad.Load()
}

// inBounds reports whether the int64 indices, which are contiguous, are those of an axis of so many elements.
// Processors share them.
func inBounds(indices *Array, size int) bool {
	n := indices.Size()
	values := elements[int64](contents(indices))
	var bad atomic.Bool
	workers.Do((n+share-1)/share, func(piece int) {
		least, most := int64(0), int64(-1)
		for _, v := range values[piece*share : min((piece+1)*share, n)] {
			least, most = min(least, v), max(most, v)
		}
		if least < -int64(size) || most >= int64(size) {
			bad.Store(true)
		}
	}, poll)
	return !bad.Load()
}

// masked returns the elements of a at which mask, of the same shape, is true, in C order; ok is false where the two are
// not one after the other in memory.
func (a *Array) masked(mask *Array) (out *Array, ok bool) {
	if mask.dtype != Bool || mask.NDim() == 0 || !slices.Equal(a.layout.Shape, mask.layout.Shape) || !a.layout.IsContiguous() || !mask.layout.IsContiguous() {
		return nil, false
	}
	n, size := a.Size(), a.dtype.Size()
	if n == 0 {
		return nil, false
	}
	src, which := a.data[a.layout.Offset*size:], mask.data[mask.layout.Offset:][:n]
	pieces := (n + share - 1) / share
	starts := make([]int, pieces+1) // of the pieces' elements in the result
	workers.Do(pieces, func(piece int) {
		count := 0
		for _, m := range which[piece*share : min((piece+1)*share, n)] {
			count += truth(m)
		}
		starts[piece+1] = count
	}, poll)
	for i := range pieces {
		starts[i+1] += starts[i]
	}
	out = newUnset(a.dtype, []int{starts[pieces]})
	workers.Do(pieces, func(piece int) {
		lo, from, to := piece*share, starts[piece], starts[piece+1]
		m := which[lo:]
		switch {
		case a.dtype == StringDType:
			keep(textsOf(out.data)[from:to], textsOf(src)[lo:], m)
		case size == 1:
			keep(out.data[from:to], src[lo:], m)
		case size == 2:
			keep(sliceOf[uint16](out.data)[from:to], sliceOf[uint16](src)[lo:], m)
		case size == 4:
			keep(sliceOf[uint32](out.data)[from:to], sliceOf[uint32](src)[lo:], m)
		case size == 8:
			keep(sliceOf[uint64](out.data)[from:to], sliceOf[uint64](src)[lo:], m)
		default:
			for i := lo; from < to; i++ {
				if which[i] != 0 {
					copy(out.data[from*size:(from+1)*size], src[i*size:])
					from++
				}
			}
		}
	}, poll)
	return out, true
}

// keep copies the elements of src at which m is not 0 to dst until that is full. Each is written where the next
// belongs, and stays when it was one: a branch that goes either way costs more.
func keep[T any](dst, src []T, m []byte) {
	k := 0
	for i := 0; k < len(dst); i++ {
		dst[k] = src[i]
		k += truth(m[i])
	}
}

// truth is 1 for all bytes but 0.
func truth(m byte) int { return int((m | -m) >> 7) }
