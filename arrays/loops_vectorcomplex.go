package arrays

import (
	byteorder "encoding/binary" // binary is a loop's name here
	"math"
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectoredComplex replaces loops of complex numbers by those of package vector, and by those of the floats that they
// are pairs of.
func vectoredComplex(table *[numDTypes]loopTable) {
	for d, part := range map[DType]DType{Complex64: Float32, Complex128: Float64} {
		for _, u := range []Ufunc{OpAdd, OpSub, OpNeg} {
			table[d][u] = table[part][u]
		}
		t, f := &table[d], &table[part]
		t[OpIsNaN], t[OpIsInf], t[OpIsFinite] = ofParts(f[OpIsNaN], part, either), ofParts(f[OpIsInf], part, either), ofParts(f[OpIsFinite], part, both)
		t[OpEqual], t[OpNotEqual] = ofParts(f[OpEqual], part, both), ofParts(f[OpNotEqual], part, either)
		t[OpLess], t[OpLessEqual] = lexically(f, part, false), lexically(f, part, true)
		t[OpGreater], t[OpGreaterEqual] = backwards(t[OpLess]), backwards(t[OpLessEqual])
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
			joinAnswers(dst[:n], func(at int) uint64 { return join(byteorder.LittleEndian.Uint64(answers[at:])) })
			dst = dst[n:]
		}
		blockRooms.Put(room)
	}
}

// joinAnswers writes to dst the answers for numbers: answer gives those of the four whose parts' begin at a place, in
// every other byte.
func joinAnswers(dst []byte, answer func(at int) uint64) {
	var four [4]byte
	for i := 0; i < len(dst); i += 4 {
		v := answer(2*i) & 0x0001000100010001
		v |= v >> 8
		v = v&0xffff | v>>16&0xffff0000
		if len(dst)-i < 4 {
			byteorder.LittleEndian.PutUint32(four[:], uint32(v))
			copy(dst[i:], four[:])
			return
		}
		byteorder.LittleEndian.PutUint32(dst[i:], uint32(v))
	}
}

// lexically compares real parts, then imaginary ones, and takes for a pair that is alike what same says. Nothing is
// less than a NaN: what compares with another is less or greater or equal.
func lexically(parts *loopTable, part DType, same bool) loop {
	less, equal, greaterEqual, size := parts[OpLess], parts[OpEqual], parts[OpGreaterEqual], part.Size()
	alike := uint64(0)
	if same {
		alike = math.MaxUint64
	}
	return func(dst, a, b, _ []byte) {
		room := blockRooms.Get().(*blockRoom)
		l, e, g := bytesOf(room[0][:]), bytesOf(room[1][:]), bytesOf(room[2][:])
		for len(dst) > 0 {
			n := min(len(dst), blockLen)
			x, y := a[:2*n*size], b[:2*n*size]
			less(l[:2*n], x, y, nil)
			equal(e[:2*n], x, y, nil)
			greaterEqual(g[:2*n], x, y, nil)
			joinAnswers(dst[:n], func(at int) uint64 {
				l, e, g := byteorder.LittleEndian.Uint64(l[at:]), byteorder.LittleEndian.Uint64(e[at:]), byteorder.LittleEndian.Uint64(g[at:])
				return l&((l|g)>>8) | e&((l|e&alike)>>8)
			})
			dst, a, b = dst[n:], a[len(x):], b[len(y):]
		}
		blockRooms.Put(room)
	}
}

func backwards(l loop) loop { return func(dst, a, b, _ []byte) { l(dst, b, a, nil) } }

func either(answers uint64) uint64 { return answers | answers>>8 }
func both(answers uint64) uint64   { return answers & (answers >> 8) }
