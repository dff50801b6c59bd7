package arrays

import (
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectoredCasts replaces conversions by those of package vector, which give the same bits but for the payloads of NaNs.
func vectoredCasts(table [numDTypes][numDTypes]castFunc) [numDTypes][numDTypes]castFunc {
	for _, l := range slices.Concat(vector.Convert.Loops(), vector.Cast.Loops(), vector.Ne.Loops()) {
		from, known := vectorTypes[l.Type]
		if !known {
			continue
		}
		switch l.Op {
		case "cast", "convert":
			// kernels convert floats that no int holds otherwise
			if to := vectorTypes[l.To]; table[from][to] != nil && to != Bool && !(from.IsFloat() && to.IsInt() && l.Op == "convert") {
				table[from][to] = castByVector(l.Forms[0], table[from][to], from.Size(), to.Size())
			}
		case "ne":
			differs := l.Forms[2] // the second operand is the same for all
			test := func(n int, d, a, b, c unsafe.Pointer) { differs(n, d, a, unsafe.Pointer(&zero64), c) }
			table[from][Bool] = castByVector(test, table[from][Bool], from.Size(), 1)
		}
	}
	for from := range DType(numDTypes) {
		for to := range DType(numDTypes) {
			switch {
			case from.IsInt() && to.IsInt() && from.Size() == to.Size(), from == to:
				table[from][to] = castByCopy(table[from][to], from.Size())
			case from == Float16 && to.IsInt():
				table[from][to] = castThrough(table[from][Float32], table[Float32][to], to.Size())
			case to == Float16 && (from == Uint32 || from == Int64 || from == Uint64): // what float32 rounds is infinite
				table[from][to] = castThrough(table[from][Float32], table[Float32][to], to.Size())
			}
		}
	}
	table[Complex64][Complex128] = castParts(table[Complex64][Complex128], table[Float32][Float64])
	table[Complex128][Complex64] = castParts(table[Complex128][Complex64], table[Float64][Float32])
	for to := range DType(numDTypes) {
		if to != Bool {
			table[Bool][to] = table[Uint8][to]
		}
	}
	return table
}

// castThrough converts by way of float32. size is that of a result's element.
func castThrough(widen, narrow castFunc, size int) castFunc {
	return func(dst, src []byte, at, stride int) {
		room := blockRooms.Get().(*blockRoom)
		for n := len(dst) / size; n > 0; {
			m := min(n, blockLen)
			block := bytesOf(room[0][:])[:4*m]
			widen(block, src, at, stride)
			narrow(dst[:m*size], block, 0, 1)
			dst, at, n = dst[m*size:], at+m*stride, n-m
		}
		blockRooms.Put(room)
	}
}

// castParts converts the parts of neighbours.
func castParts(plain, part castFunc) castFunc {
	return func(dst, src []byte, at, stride int) {
		if stride == 1 {
			part(dst, src, 2*at, 1)
			return
		}
		plain(dst, src, at, stride)
	}
}

// castByVector gives f as many neighbours as it takes, which are a multiple of vector.Step, and plain the rest.
func castByVector(f vector.Func, plain castFunc, from, to int) castFunc {
	return func(dst, src []byte, at, stride int) {
		if m := len(dst) / to &^ (vector.Step - 1); stride == 1 && m > 0 {
			f(m, address(dst), address(src[at*from:(at+m)*from]), nil, nil)
			dst, at = dst[m*to:], at+m
		}
		plain(dst, src, at, stride)
	}
}

// castByCopy copies neighbours, whose bits stay.
func castByCopy(plain castFunc, size int) castFunc {
	return func(dst, src []byte, at, stride int) {
		if stride == 1 {
			copy(dst, src[at*size:at*size+len(dst)])
			return
		}
		plain(dst, src, at, stride)
	}
}
