package arrays

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

var (
	one32 float32 = 1
	one64 float64 = 1
)

var zero64 uint64 // of any type

var vectorTypes = map[string]DType{
	"f16": Float16, "f32": Float32, "f64": Float64, "i8": Int8, "u8": Uint8, "i16": Int16, "u16": Uint16, "i32": Int32, "u32": Uint32, "i64": Int64, "u64": Uint64, "bool": Bool,
}

// vectored replaces loops by those of package vector, which give the same bits but for the payloads of NaNs. The table
// of package vector has the names of the operation's row.
func (op *operation) vectored(t *dtypeLoops) {
	op.vectoredReals(t, func(d DType) bool { return d != Float16 })
	op.vectoredComplex(t)
	if op.others != nil {
		op.others(op.Ufunc, t)
	}
	switch u := op.Ufunc; {
	case u >= OpEqual && u <= OpGreaterEqual: // bools are bytes
		t[Bool] = t[Uint8]
	case u.isLogical(): // signs do not count
		t[Int8], t[Int16], t[Int32], t[Int64] = t[Uint8], t[Uint16], t[Uint32], t[Uint64]
	}
	op.half(t)
	op.vectoredReals(t, func(d DType) bool { return d == Float16 })
}

// vectoredReals does so for the dtypes of which some are chosen.
func (op *operation) vectoredReals(t *dtypeLoops, chosen func(DType) bool) {
	row := &ufuncs[op.Ufunc]
	for l := range op.vectorLoops {
		d, known := vectorTypes[l.Type]
		f := l.Forms[0]
		if !known || !chosen(d) || l.To != "" || f == nil {
			continue
		}
		basic := row.basic
		if d == Bool {
			basic = row.bools
		}
		if l.Op == basic && t[d] != nil {
			t[d] = byVector(f, t[d], d.Size())
		}
		switch u := op.Ufunc; {
		case l.Op == "lt" && u == OpSignBit && d.IsInt():
			negative := l.Forms[2] // the second operand is the same for all
			t[d] = byVector(func(n int, d, a, _, c unsafe.Pointer) { negative(n, d, a, unsafe.Pointer(&zero64), c) }, t[d], d.Size())
		case l.Op == "mul" && u == OpSquare:
			t[d] = byVector(func(n int, d, a, _, c unsafe.Pointer) { f(n, d, a, a, c) }, t[d], d.Size())
		case l.Op == "div" && u == OpReciprocal:
			one := unsafe.Pointer(&one64)
			if d == Float32 {
				one = unsafe.Pointer(&one32)
			}
			by := l.Forms[1] // the first operand is the same for all
			t[d] = byVector(func(n int, d, a, _, c unsafe.Pointer) { by(n, d, one, a, c) }, t[d], d.Size())
		}
	}
}

// vectoredFunction does so for an elementary function.
func vectoredFunction(u Ufunc, t *dtypeLoops) {
	for _, l := range vector.FunctionLoops() {
		if l.Op == ufuncs[u].function {
			d := vectorTypes[l.Type]
			t[d] = inRounds(l.Forms[0], d.Size())
		}
	}
}

// vectoredWhere replaces the loop of OpWhere for elements of a size.
func vectoredWhere(size int, plain loop) loop {
	for _, l := range vector.Select.Loops() {
		if d := vectorTypes[l.Type]; d.IsFloat() && d.Size() == size {
			return byVector(l.Forms[0], plain, size)
		}
	}
	return plain
}

// inRounds gives all to f, the elements beyond the last multiple of vector.Step beside copies of the last one: an
// element of a function's definition in Go costs more than a round. size is that of an element.
func inRounds(f vector.Func, size int) loop {
	return func(dst, a, b, _ []byte) {
		n := len(dst) / size
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, address(dst), address(a), address(b), nil)
		}
		if m == n {
			return
		}
		words := lastRounds.Get().(*lastRound)
		var rest [3][]byte
		for i, operand := range [3][]byte{a, b} {
			rest[i] = unsafe.Slice((*byte)(unsafe.Pointer(&words[i])), vector.Step*size)
			if operand != nil {
				for at := copy(rest[i], operand[m*size:]); at < len(rest[i]); at += size {
					copy(rest[i][at:], operand[len(operand)-size:])
				}
			}
		}
		f(vector.Step, address(rest[2]), address(rest[0]), address(rest[1]), nil)
		copy(dst[m*size:], rest[2])
		lastRounds.Put(words)
	}
}

// address is that of the first byte.
func address(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// lastRound is room for the operands and results of a round.
type lastRound [3][vector.Step]uint64

var lastRounds = sync.Pool{New: func() any { return new(lastRound) }}

// byVector gives f as many elements as it takes, which are a multiple of vector.Step, and plain the rest. size is that
// of an operand's element, but of a choice's first, which is bytes; results may be bytes.
func byVector(f vector.Func, plain loop, size int) loop {
	shift := bits.TrailingZeros(uint(size))
	return func(dst, a, b, c []byte) {
		n, first := len(a)>>shift, shift
		if c != nil {
			n, first = len(a), 0
		}
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, address(dst), address(a), address(b), address(c))
		}
		if m == n {
			return
		}
		dst, a = dst[m*(len(dst)/n):], a[m<<first:]
		if b != nil {
			b = b[m<<shift:]
		}
		if c != nil {
			c = c[m<<shift:]
		}
		plain(dst, a, b, c)
	}
}
