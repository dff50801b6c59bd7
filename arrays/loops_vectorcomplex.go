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
func (op *operation) vectoredComplex(t *dtypeLoops) {
	for d, part := range map[DType]DType{Complex64: Float32, Complex128: Float64} {
		switch op.Ufunc {
		case OpAdd, OpSub, OpNeg:
			t[d] = t[part]
		case OpIsNaN, OpIsInf, OpNotEqual:
			t[d] = ofParts(t[part], part, either)
		case OpIsFinite, OpEqual:
			t[d] = ofParts(t[part], part, both)
		}
	}
	for l := range op.vectorLoops {
		d := Complex64
		switch l.Type {
		case "c64":
		case "c128":
			d = Complex128
		default:
			continue
		}
		f, part := l.Forms[0], d.Size()/2
		switch u := op.Ufunc; {
		case l.Op == "conj" && u == OpConj, l.Op == "mul" && u == OpMul:
			t[d] = byVector(f, t[d], part)
		case l.Op == "mul" && u == OpSquare:
			t[d] = byVector(func(n int, d, a, _, c unsafe.Pointer) { f(n, d, a, a, c) }, t[d], part)
		case l.Op == "abs" && u == OpAbs:
			t[d] = halving(f, t[d], part)
		}
	}
}

// lexicalLoops has complex numbers compared by their parts: less, where same says also equal, and with back the other
// way round.
func lexicalLoops(same, back bool, t *dtypeLoops) {
	less, equal, greaterEqual := partsLoops(OpLess, plainLess, &vector.Lt), partsLoops(OpEqual, plainEqual, &vector.Eq), partsLoops(OpGreaterEqual, plainGreaterEqual, &vector.Ge)
	for d, part := range map[DType]DType{Complex64: Float32, Complex128: Float64} {
		t[d] = lexically(less[part], equal[part], greaterEqual[part], part, same)
		if back {
			t[d] = backwards(t[d])
		}
	}
}

// partsLoops are an operation's loops of floats. The variables of operations are not named here, as they name this.
func partsLoops(u Ufunc, plain func() dtypeLoops, v *vector.Operation) *dtypeLoops {
	op := operation{Ufunc: u, plain: plain, vectors: []*vector.Operation{v}}
	t := op.plain()
	op.vectoredReals(&t, DType.IsFloat)
	return &t
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
func lexically(less, equal, greaterEqual loop, part DType, same bool) loop {
	size := part.Size()
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
