package arrays

import (
	byteorder "encoding/binary" // binary is a loop's name here
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectoredComplex replaces loops of complex numbers by those of package vector, and by those of the floats that they are pairs of.
func vectoredComplex(table *[numDTypes]loopTable) {
	for d, part := range map[DType]DType{Complex64: Float32, Complex128: Float64} {
		for _, u := range []Ufunc{OpAdd, OpSub, OpNeg} {
			table[d][u] = table[part][u]
		}
		t, f := &table[d], &table[part]
		t[OpIsNaN], t[OpIsInf], t[OpIsFinite] = ofParts(f[OpIsNaN], part, either), ofParts(f[OpIsInf], part, either), ofParts(f[OpIsFinite], part, both)
		t[OpEqual], t[OpNotEqual] = ofParts(f[OpEqual], part, both), ofParts(f[OpNotEqual], part, either)
	}
	for _, l := range vector.Loops() {
		d, is := map[string]DType{"c64": Complex64, "c128": Complex128}[l.Type]
		if !is {
			continue
		}
		t, f, part := &table[d], l.Forms[0], d.Size()/2
		switch l.Op {
		case "conj":
			t[OpConj] = byVector(f, t[OpConj], part)
		case "mul":
			t[OpMul] = byVector(f, t[OpMul], part)
			t[OpSquare] = byVector(func(n int, d, a, _, c unsafe.Pointer) { f(n, d, a, a, c) }, t[OpSquare], part)
		case "abs":
			t[OpAbs] = halving(f, t[OpAbs], part)
		}
	}
}

// halving is byVector for results that are half as many as the floats of size bytes of the operand.
func halving(f vector.Func, plain loop, size int) loop {
	shift := bits.TrailingZeros(uint(size))
	return func(dst, a, _, _ []byte) {
		n := len(a) >> shift
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, address(dst), address(a), nil, nil)
		}
		if m < n {
			plain(dst[m/2<<shift:], a[m<<shift:], nil, nil)
		}
	}
}

// ofParts asks a question of the parts, and joins the answers, bytes 0 and 1, of four numbers at a time.
func ofParts(l loop, part DType, join func(answers uint64) uint64) loop {
	size := part.Size()
	return func(dst, a, b, _ []byte) {
		room := blockRooms.Get().(*blockRoom)
		answers := bytesOf(room[0][:])
		for len(dst) > 0 {
			n := min(len(dst), blockLen)
			var y []byte
			if b != nil {
				y, b = b[:2*n*size], b[2*n*size:]
			}
			l(answers[:2*n], a[:2*n*size], y, nil)
			a = a[2*n*size:]
			i := 0
			for ; i+4 <= n; i += 4 {
				v := join(byteorder.LittleEndian.Uint64(answers[2*i:])) & 0x0001000100010001
				v |= v >> 8
				v = v&0xffff | v>>16&0xffff0000
				byteorder.LittleEndian.PutUint32(dst[i:], uint32(v))
			}
			for ; i < n; i++ {
				dst[i] = byte(join(uint64(answers[2*i])|uint64(answers[2*i+1])<<8) & 1)
			}
			dst = dst[n:]
		}
		blockRooms.Put(room)
	}
}

func either(answers uint64) uint64 { return answers | answers>>8 }
func both(answers uint64) uint64   { return answers & (answers >> 8) }
