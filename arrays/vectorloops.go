package arrays

import (
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// vectorOps are the operations of package vector that are elementwise ones here; bools have names of their own for some.
var vectorOps = map[string][]Ufunc{
	"add": {OpAdd}, "sub": {OpSub}, "mul": {OpMul}, "div": {OpDiv}, "min": {OpMinimum}, "max": {OpMaximum}, "neg": {OpNeg}, "abs": {OpAbs}, "sqrt": {OpSqrt},
	"eq": {OpEqual}, "ne": {OpNotEqual}, "lt": {OpLess}, "le": {OpLessEqual}, "gt": {OpGreater}, "ge": {OpGreaterEqual},
	"and": {OpBitAnd}, "or": {OpBitOr}, "xor": {OpBitXor}, "not": {OpInvert}, "select": {OpWhere},
}

var vectorBools = map[string][]Ufunc{
	"and": {OpBitAnd, OpLogicalAnd, OpMul, OpMinimum, OpFMin}, "or": {OpBitOr, OpLogicalOr, OpAdd, OpMaximum, OpFMax},
	"xor": {OpBitXor, OpLogicalXor}, "not": {OpInvert, OpLogicalNot},
}

// vectorFunctions are the elementary functions, by their names.
var vectorFunctions = func() map[string]Ufunc {
	m := map[string]Ufunc{"pow": OpPow}
	for u, name := range functionNames {
		m[name] = u
	}
	return m
}()

var (
	one32 float32 = 1
	one64 float64 = 1
)

var vectorTypes = map[string]DType{"f32": Float32, "f64": Float64, "i32": Int32, "u32": Uint32, "i64": Int64, "u64": Uint64, "bool": Bool}

// vectored replaces loops by those of package vector, which give the same bits but for the payloads of NaNs.
func vectored(table [numDTypes]loopTable) [numDTypes]loopTable {
	for _, l := range vector.Loops() {
		d, known := vectorTypes[l.Type]
		f := l.Forms[0]
		if !known || l.To != "" || f == nil {
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
	return table
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

// inRounds gives all to f, the elements beyond the last multiple of vector.Step beside copies of the last one: an element of a
// function's definition in Go costs more than a round. size is that of an element.
func inRounds(f vector.Func, size int) loop {
	return func(dst []byte, in [3][]byte) {
		n := len(dst) / size
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(in[0])), unsafe.Pointer(unsafe.SliceData(in[1])), nil)
		}
		if m == n {
			return
		}
		words := lastRounds.Get().(*lastRound)
		var rest [3][]byte
		for i := range rest {
			rest[i] = unsafe.Slice((*byte)(unsafe.Pointer(&words[i])), vector.Step*size)
			if i < 2 && in[i] != nil {
				for at := copy(rest[i], in[i][m*size:]); at < len(rest[i]); at += size {
					copy(rest[i][at:], in[i][len(in[i])-size:])
				}
			}
		}
		f(vector.Step, unsafe.Pointer(&rest[2][0]), unsafe.Pointer(&rest[0][0]), unsafe.Pointer(&rest[1][0]), nil)
		copy(dst[m*size:], rest[2])
		lastRounds.Put(words)
	}
}

// lastRound is room for the operands and results of a round.
type lastRound [3][vector.Step]uint64

var lastRounds = sync.Pool{New: func() any { return new(lastRound) }}

// byVector gives f as many elements as it takes, which are a multiple of vector.Step, and plain the rest. size is that of an operand's
// element; results may be bytes.
func byVector(f vector.Func, plain loop, size int) loop {
	return func(dst []byte, in [3][]byte) {
		var each [3]int // bytes of an element of each operand
		n := 0
		for i, b := range in {
			if b != nil {
				n, each[i] = len(b)/size, size
			}
		}
		if in[2] != nil { // the condition of a choice is bytes
			each[0], n = 1, len(in[0])
		}
		m := n &^ (vector.Step - 1)
		if m > 0 {
			f(m, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(in[0])), unsafe.Pointer(unsafe.SliceData(in[1])), unsafe.Pointer(unsafe.SliceData(in[2])))
		}
		if m == n {
			return
		}
		for i := range in {
			if in[i] != nil {
				in[i] = in[i][m*each[i]:]
			}
		}
		plain(dst[m*(len(dst)/n):], in)
	}
}
