package arrays

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectorOps, vectorBools and vectorFunctions are the elementwise operations by the names that their rows give: of
// numbers in package vector, of bools there, and of elementary functions.
var vectorOps, vectorBools, vectorFunctions = func() (ops, bools map[string][]Ufunc, functions map[string]Ufunc) {
	ops, bools, functions = map[string][]Ufunc{}, map[string][]Ufunc{}, map[string]Ufunc{}
	for u, row := range ufuncs {
		ops[row.basic] = append(ops[row.basic], Ufunc(u))
		bools[row.bools] = append(bools[row.bools], Ufunc(u))
		functions[row.function] = Ufunc(u)
	}
	return ops, bools, functions
}()

var (
	one32 float32 = 1
	one64 float64 = 1
)

var zero64 uint64 // of any type

var vectorTypes = map[string]DType{
	"f16": Float16, "f32": Float32, "f64": Float64, "i8": Int8, "u8": Uint8, "i16": Int16, "u16": Uint16, "i32": Int32, "u32": Uint32, "i64": Int64, "u64": Uint64, "bool": Bool,
}

// vectored replaces loops by those of package vector, which give the same bits but for the payloads of NaNs.
func vectored(table [numDTypes]loopTable) [numDTypes]loopTable {
	vectoredReals(&table, func(d DType) bool { return d != Float16 })
	vectoredComplex(&table)
	for u := OpEqual; u <= OpGreaterEqual; u++ { // bools are bytes
		table[Bool][u] = table[Uint8][u]
	}
	for d, unsigned := range map[DType]DType{Int8: Uint8, Int16: Uint16, Int32: Uint32, Int64: Uint64} {
		for _, u := range []Ufunc{OpLogicalAnd, OpLogicalOr, OpLogicalXor, OpLogicalNot} { // signs do not count
			table[d][u] = table[unsigned][u]
		}
	}
	table[Float16] = halfLoops(table[Float32])
	vectoredReals(&table, func(d DType) bool { return d == Float16 })
	return table
}

// vectoredReals does so for the dtypes of which some are chosen.
func vectoredReals(table *[numDTypes]loopTable, chosen func(DType) bool) {
	for _, l := range vector.Loops() {
		d, known := vectorTypes[l.Type]
		f := l.Forms[0]
		if !known || !chosen(d) || l.To != "" || f == nil {
			continue
		}
		if u, is := vectorFunctions[l.Op]; is {
			table[d][u] = inRounds(f, d.Size())
			continue
		}
		ops := vectorOps[l.Op]
		if d == Bool {
			ops = vectorBools[l.Op]
		}
		for _, u := range ops {
			if plain := table[d][u]; plain != nil {
				table[d][u] = byVector(f, plain, d.Size())
			}
		}
		if d.IsInt() {
			switch l.Op {
			case "min":
				table[d][OpFMin] = table[d][OpMinimum]
			case "max":
				table[d][OpFMax] = table[d][OpMaximum]
			case "lt":
				negative := l.Forms[2] // the second operand is the same for all
				table[d][OpSignBit] = byVector(func(n int, d, a, _, c unsafe.Pointer) { negative(n, d, a, unsafe.Pointer(&zero64), c) }, table[d][OpSignBit], d.Size())
			}
		}
		switch l.Op {
		case "mul":
			square := func(n int, d, a, _, c unsafe.Pointer) { f(n, d, a, a, c) }
			table[d][OpSquare] = byVector(square, table[d][OpSquare], d.Size())
		case "div":
			one := unsafe.Pointer(&one64)
			if d == Float32 {
				one = unsafe.Pointer(&one32)
			}
			by := l.Forms[1] // the first operand is the same for all
			table[d][OpReciprocal] = byVector(func(n int, d, a, _, c unsafe.Pointer) { by(n, d, one, a, c) }, table[d][OpReciprocal], d.Size())
		}
	}
}

// vectoredWhere does so for the loops of OpWhere, by the size of their elements.
func vectoredWhere(bySize map[int]loop) map[int]loop {
	for _, l := range vector.Loops() {
		if d := vectorTypes[l.Type]; l.Op == "select" && d.IsFloat() {
			bySize[d.Size()] = byVector(l.Forms[0], bySize[d.Size()], d.Size())
		}
	}
	return bySize
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
