package arrays

import (
	"slices"
	"sync"
	"unsafe"
)

// alikeLoop is what an operation is on operands of one dtype: what Resolve and loopOf say, kept.
type alikeLoop struct {
	run loop // nil where operands are refused
	out DType
}

// alikeLoops has them by dtype.
func (op *operation) alikeLoops() *[numDTypes]alikeLoop {
	if t := op.alike.Load(); t != nil {
		return t
	}
	t := new([numDTypes]alikeLoop)
	for d := range DType(numDTypes) {
		if op.Ufunc == OpWhere { // its first operand is of another dtype
			break
		}
		in := slices.Repeat([]Operand{{DType: d}}, op.NIn())
		compute, out, err := op.dtypes(in)
		if err != nil || !out.IsNumber() {
			continue
		}
		if direct := op.logicalLoop(d); direct != nil {
			t[d] = alikeLoop{direct, out}
		} else if run := op.loopOf(compute, out); compute == d {
			t[d] = alikeLoop{run, out}
		} else {
			t[d] = alikeLoop{converting(run, d, compute, out, op.NIn()), out}
		}
	}
	op.alike.Store(t)
	return t
}

// converting is run for operands of another dtype, which it converts block by block.
func converting(run loop, from, compute, out DType, nin int) loop {
	cast, size, wide, result := casts[from][compute], from.Size(), compute.Size(), out.Size()
	return func(dst, a, b, _ []byte) {
		room := blockRooms.Get().(*blockRoom)
		for n := len(a) / size; n > 0; {
			m := min(n, blockLen)
			x := bytesOf(room[0][:])[:m*wide]
			cast(x, a[:m*size], 0, 1)
			a = a[m*size:]
			var y []byte
			if nin > 1 {
				y = bytesOf(room[1][:])[:m*wide]
				cast(y, b[:m*size], 0, 1)
				b = b[m*size:]
			}
			run(dst[:m*result], x, y, nil)
			dst, n = dst[m*result:], n-m
		}
		blockRooms.Put(room)
	}
}

// blockRoom is room for blocks of two operands and a result, of elements of 8 bytes at most.
type blockRoom [3][blockLen]uint64

var blockRooms = sync.Pool{New: func() any { return new(blockRoom) }}

// applyAlike is Apply for small contiguous arrays of one dtype and one shape, which are most operands of small
// programs: finding out what to do costs more than doing it. Beside arrays of floats and ints there may be Go numbers,
// which become such. The result is z where that is such an array too, and then they may have as many elements as one
// processor computes. It returns nil for other operands.
func (op *operation) applyAlike(args []any, z *Array) *Array {
	var first *Array
	for _, arg := range args {
		if a, is := arg.(*Array); is {
			first = a
			break
		}
	}
	if first.missing() || !first.dtype.IsNumber() || len(args) != op.NIn() {
		return nil
	}
	n, most := 1, blockLen
	if z != nil {
		most = shared
	}
	for axis := len(first.layout.Shape) - 1; axis >= 0; axis-- {
		if first.layout.Strides[axis] != n {
			return nil
		}
		n *= first.layout.Shape[axis]
		if n == 0 || n > most {
			return nil
		}
	}
	f := &op.alikeLoops()[first.dtype]
	if f.run == nil || z != nil && op.Ufunc == OpPow && f.out.IsInt() { // a negative power is found when z has some results
		return nil
	}
	var in [3][]byte
	var number *numberRoom
	for i, arg := range args {
		if a, is := arg.(*Array); is {
			if a.missing() || a.dtype != first.dtype || !slices.Equal(a.layout.Shape, first.layout.Shape) || !slices.Equal(a.layout.Strides, first.layout.Strides) {
				return nil
			}
			size := a.dtype.Size()
			in[i] = a.data[a.layout.Offset*size : (a.layout.Offset+n)*size]
			continue
		}
		if number != nil || n > blockLen {
			return nil
		}
		number = numbers.Get().(*numberRoom)
		in[i] = unsafe.Slice((*byte)(unsafe.Pointer(number)), n*first.dtype.Size())
		if !repeatNumber(in[i], first.dtype, arg) {
			numbers.Put(number)
			return nil
		}
	}
	var dst []byte
	if z == nil {
		z = newSmall(f.out, first.layout, n)
		dst = z.data
	} else if dst = z.alikeStorage(f.out, first, n); dst == nil || !apart(dst, in[0]) || !apart(dst, in[1]) {
		return nil
	}
	f.run(dst, in[0], in[1], in[2])
	if number != nil {
		numbers.Put(number)
	}
	return z
}

// alikeStorage returns the n elements of z where it has dtype d and the shape and strides of first; else nil.
func (z *Array) alikeStorage(d DType, first *Array, n int) []byte {
	if z.dtype != d || !slices.Equal(z.layout.Shape, first.layout.Shape) || !slices.Equal(z.layout.Strides, first.layout.Strides) {
		return nil
	}
	size := d.Size()
	return z.data[z.layout.Offset*size : (z.layout.Offset+n)*size]
}

// apart reports whether two pieces of storage share no memory, or are the same piece.
func apart(a, b []byte) bool {
	return !overlap(a, b) || &a[0] == &b[0] && len(a) == len(b)
}

// repeatNumber fills dst with a Go number as an element of d; it reports whether it becomes one there without a
// question.
func repeatNumber(dst []byte, d DType, number any) bool {
	switch v := number.(type) {
	case float64:
		switch d {
		case Float64:
			setAll(elements[float64](dst), v)
		case Float32:
			setAll(elements[float32](dst), float32(v))
		default:
			return false
		}
	case int:
		switch {
		case d == Float64:
			setAll(elements[float64](dst), float64(v))
		case d == Float32:
			setAll(elements[float32](dst), float32(v))
		case !d.IsInt() || !fitsInt(int64(v), d):
			return false
		case d.Size() == 8:
			setAll(elements[int64](dst), int64(v))
		case d.Size() == 4:
			setAll(elements[int32](dst), int32(v))
		case d.Size() == 2:
			setAll(elements[int16](dst), int16(v))
		default:
			setAll(elements[int8](dst), int8(v))
		}
	default:
		return false
	}
	return true
}

func setAll[T element](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// numberRoom is room for a Go number as often as a block has elements.
type numberRoom [blockLen]uint64

var numbers = sync.Pool{New: func() any { return new(numberRoom) }}
