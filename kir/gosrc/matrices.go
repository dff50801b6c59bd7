package gosrc

import (
	"go/types"

	"github.com/arrayrepl/arrayrepl/kir"
)

// matrixFuncs are gpu.MMA, gpu.MMAQuarters and what reads and writes their matrices.
func matrixFuncs() map[string]intrinsic {
	return map[string]intrinsic{
		"gpu.LoadA": loadFactor(loadRows, 4, 4), "gpu.LoadBT": loadFactor(loadColumns, 2, 2), "gpu.LoadB": loadB(2),
		"gpu.LoadA8": loadFactor(loadRows, 4, 2), "gpu.LoadBT8": loadFactor(loadColumns, 2, 1), "gpu.LoadB8": loadB(1),
		"gpu.LoadC": loadC, "gpu.StoreC": storeC, "gpu.MMA": mma,
		"gpu.LoadQuarterA": loadQuarter(loadRows), "gpu.LoadQuarterBT": loadQuarter(loadColumns), "gpu.LoadQuarterB": loadQuarterB,
		"gpu.LoadQuarterC": loadQuarterC, "gpu.StoreQuarterC": storeQuarterC, "gpu.MMAQuarters": mmaQuarters,
	}
}

// quad returns where the thread's elements of a matrix begin, as I64: its group of four lanes, and so many times its
// number in that.
func (l *lowerer) quad(times int64) (group, at *kir.Value) {
	b, lane := l.b, l.b.Special(kir.LaneID)
	group = b.Op(kir.OpShr, lane, b.Int(kir.U32, 2))
	at = b.Op(kir.OpMul, b.Op(kir.OpAnd, lane, b.Int(kir.U32, 3)), b.Int(kir.U32, times))
	return b.Convert(kir.I64, group), b.Convert(kir.I64, at)
}

// matrix is a matrix in memory, an argument of a call.
type matrix struct {
	l      *lowerer
	c      *intrinsicCall
	x      value // the slice
	elem   types.Type
	stride *kir.Value
}

// matrixOf returns a matrix of so many rows and columns, after a test that the slice has its last element. Where the
// stride is not negative all others lie before.
func (l *lowerer) matrixOf(c *intrinsicCall, arg int, rows, columns int64) matrix {
	m := matrix{l, c, c.args[arg], c.fn.Signature.Params().At(arg).Type().Underlying().(*types.Slice).Elem(), c.arg(arg + 1)}
	last := l.b.Op(kir.OpAdd, l.b.Op(kir.OpMul, m.stride, l.b.Int(kir.I64, rows-1)), l.b.Int(kir.I64, columns-1))
	if !l.unchecked {
		positive := l.b.Op(kir.OpGe, m.stride, l.b.Int(kir.I64, 0))
		l.b.Check(kir.CheckIndex, positive, m.stride, m.x[1].v, "the stride of a matrix of "+c.fn.Object().Name())
		ok := l.b.Op(kir.OpLt, l.b.Convert(kir.U64, last), l.b.Convert(kir.U64, m.x[1].v))
		l.b.Check(kir.CheckIndex, ok, last, m.x[1].v, "the last element of a matrix of "+c.fn.Object().Name())
	}
	return m
}

// at returns the address of the element of a row and column, and plus of both.
func (m matrix) at(row, column *kir.Value, plusRow, plusColumn int64) part {
	b := m.l.b
	plus := func(x *kir.Value, n int64) *kir.Value {
		if n == 0 {
			return x
		}
		return b.Op(kir.OpAdd, x, b.Int(kir.I64, n))
	}
	i := b.Op(kir.OpAdd, b.Op(kir.OpMul, plus(row, plusRow), m.stride), plus(column, plusColumn))
	return m.l.element(m.x[0], i, m.elem, m.c.instr.Pos())
}

// load reads a t at an address, the first of one element or some.
func (m matrix) load(t kir.Type, p part) *kir.Value {
	org := p.org.root()
	org.read = true
	v := m.l.b.Load(org.space, t, p.v)
	v.Note = m.l.p.text[m.c.instr.Pos()]
	return v
}

// store writes a value at an address.
func (m matrix) store(p part, x *kir.Value) {
	org := p.org.root()
	org.written = true
	m.l.b.Store(org.space, p.v, x)
	m.l.note(m.l.p.text[m.c.instr.Pos()])
}

const (
	loadRows    = iota // elements of a register are neighbours in a row
	loadColumns        // in a column
)

// loadFactor reads words of elements that are neighbours in memory into some registers; the others are zeros.
func loadFactor(by, registers, some int) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		each := l.elementsOfWord(c)
		group, at := l.quad(each)
		out := make(value, registers)
		m := l.matrixOf(c, 0, map[int]int64{loadRows: 16, loadColumns: 8}[by], 8*each*int64(some)/int64(registers))
		for i := range out {
			if i >= some {
				out[i].v = l.b.Int(kir.U32, 0)
				continue
			}
			rows, columns := int64(8*(i%2)), 4*each*int64(i/2)
			if by == loadColumns {
				rows, columns = 0, 4*each*int64(i)
			}
			out[i].v = m.load(kir.U32, m.at(group, at, rows, columns))
		}
		return out
	}
}

// loadB reads elements one below the other into some of two registers; the others are zeros.
func loadB(some int) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		each := l.elementsOfWord(c)
		group, at := l.quad(each)
		m := l.matrixOf(c, 0, 4*each*int64(some), 8)
		out := plain(l.b.Int(kir.U32, 0), l.b.Int(kir.U32, 0))
		for i := range some {
			out[i].v = m.column(at, group, 4*each*int64(i), each)
		}
		return out
	}
}

// column reads elements one below the other into a word, the lowest bits first.
func (m matrix) column(row, column *kir.Value, plusRow, each int64) (word *kir.Value) {
	b, t := m.l.b, map[int64]kir.Type{1: kir.U32, 2: kir.U16, 4: kir.U8}[each]
	for i := range each {
		x := m.load(t, m.at(row, column, plusRow+i, 0))
		if i == 0 {
			word = b.Convert(kir.U32, x)
			continue
		}
		word = b.Op(kir.OpOr, word, b.Op(kir.OpShl, b.Convert(kir.U32, x), b.Int(kir.U32, 32/each*i)))
	}
	return word
}

func loadC(l *lowerer, c *intrinsicCall) value {
	group, pair := l.quad(2)
	m := l.matrixOf(c, 0, 16, 8)
	out := make(value, 4)
	for i := range out {
		out[i].v = m.load(kir.F32, m.at(group, pair, int64(8*(i/2)), int64(i%2)))
	}
	return out
}

func storeC(l *lowerer, c *intrinsicCall) value {
	group, pair := l.quad(2)
	m := l.matrixOf(c, 1, 16, 8)
	for i, x := range c.args[0] {
		m.store(m.at(group, pair, int64(8*(i/2)), int64(i%2)), x.v)
	}
	return nil
}

// mmaShapes are the shapes of gpu.MMA, by the name of the type of its factors.
var mmaShapes = map[string]kir.MMAShape{
	"Float16": kir.MMAF16, "BFloat16": kir.MMABF16, "TFloat32": kir.MMATF32, "Float8E4M3": kir.MMAE4M3, "Float8E5M2": kir.MMAE5M2,
}

// mmaShape returns the shape of a call of gpu.MMA or one that reads its factors.
func mmaShape(c *intrinsicCall) kir.MMAShape {
	n, _ := types.Unalias(c.typeArg(0)).(*types.Named)
	if n == nil {
		return kir.MMAF16
	}
	return mmaShapes[n.Obj().Name()]
}

// elementsOfWord returns how many elements of its factors a register has.
func (l *lowerer) elementsOfWord(c *intrinsicCall) int64 { return int64(mmaShape(c).Form().Each) }

func mma(l *lowerer, c *intrinsicCall) value { return l.product(c, mmaShape(c)) }

func mmaQuarters(l *lowerer, c *intrinsicCall) value { return l.product(c, kir.MMAQuarters) }

// product is a product of matrices whose registers are the arguments of a call.
func (l *lowerer) product(c *intrinsicCall, s kir.MMAShape) value {
	of := func(arg int) (out []*kir.Value) {
		for _, p := range c.args[arg] {
			out = append(out, p.v)
		}
		return out
	}
	return plain(l.b.MMA(s, of(0), of(1), of(2))...)
}

// quarter returns where the thread's elements of matrices of gpu.MMAQuarters begin, as I64: emulate.Quarter.
func (l *lowerer) quarter() (a, right, row, col *kir.Value) {
	b, lane := l.b, l.b.Special(kir.LaneID)
	bits := func(mask, shift int64) *kir.Value { // to the left
		x := b.Op(kir.OpAnd, lane, b.Int(kir.U32, mask))
		if shift < 0 {
			return b.Op(kir.OpShr, x, b.Int(kir.U32, -shift))
		}
		return b.Op(kir.OpShl, x, b.Int(kir.U32, shift))
	}
	sum := func(first *kir.Value, more ...*kir.Value) *kir.Value {
		for _, x := range more {
			first = b.Op(kir.OpOr, first, x)
		}
		return b.Convert(kir.I64, first)
	}
	four := bits(16, -2)
	return sum(bits(8, 0), bits(3, 0), four), sum(bits(4, 1), bits(3, 0), four), sum(bits(8, 0), bits(1, 0), four), sum(bits(4, 1), bits(2, 0))
}

// loadQuarter reads the four elements that a thread has of a factor and that are neighbours in memory.
func loadQuarter(by int) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		down, right, _, _ := l.quarter()
		m := l.matrixOf(c, 0, 16, 4)
		if by == loadColumns {
			down = right
		}
		none := l.b.Int(kir.I64, 0)
		return plain(m.load(kir.U32, m.at(down, none, 0, 0)), m.load(kir.U32, m.at(down, none, 0, 2)))
	}
}

func loadQuarterB(l *lowerer, c *intrinsicCall) value {
	_, right, _, _ := l.quarter()
	m := l.matrixOf(c, 0, 4, 16)
	none := l.b.Int(kir.I64, 0)
	return plain(m.column(none, right, 0, 2), m.column(none, right, 2, 2))
}

// quarterC returns where value i of a sum is, from the first one on.
func quarterC(i int) (row, column int64) { return int64(i & 2), int64(i&4 + i&1) }

func loadQuarterC(l *lowerer, c *intrinsicCall) value {
	_, _, row, col := l.quarter()
	m := l.matrixOf(c, 0, 16, 16)
	out := make(value, 8)
	for i := range out {
		down, right := quarterC(i)
		out[i].v = m.load(kir.F32, m.at(row, col, down, right))
	}
	return out
}

func storeQuarterC(l *lowerer, c *intrinsicCall) value {
	_, _, row, col := l.quarter()
	m := l.matrixOf(c, 1, 16, 16)
	for i, x := range c.args[0] {
		down, right := quarterC(i)
		m.store(m.at(row, col, down, right), x.v)
	}
	return nil
}
