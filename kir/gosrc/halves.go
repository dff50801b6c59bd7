package gosrc

import (
	"go/types"

	"github.com/arrayrepl/arrayrepl/kir"
)

// halfFuncs are the methods of gpu.Float16 and gpu.BFloat16, whose values are their bits, and what gpu.MMA needs.
func halfFuncs() map[string]intrinsic {
	m := map[string]intrinsic{
		"gpu.LoadA": loadFactor(loadRows, 4, 4), "gpu.LoadBT": loadFactor(loadColumns, 2, 2), "gpu.LoadB": loadB(2),
		"gpu.LoadA8": loadFactor(loadRows, 4, 2), "gpu.LoadBT8": loadFactor(loadColumns, 2, 1), "gpu.LoadB8": loadB(1),
		"gpu.LoadC": loadC, "gpu.StoreC": storeC, "gpu.MMA": mma,
	}
	for name, h := range map[string]half{"Float16": {(*lowerer).ieee, (*lowerer).ofIEEE}, "BFloat16": {(*lowerer).brain, (*lowerer).ofBrain}} {
		m["gpu.To"+name] = func(l *lowerer, c *intrinsicCall) value { return plain(h.of(l, c.arg(0))) }
		m["gpu."+name+".Float32"] = func(l *lowerer, c *intrinsicCall) value { return plain(h.value(l, c.arg(0))) }
		for method, op := range map[string]kir.Op{"Add": kir.OpAdd, "Sub": kir.OpSub, "Mul": kir.OpMul, "Div": kir.OpDiv} {
			m["gpu."+name+"."+method] = func(l *lowerer, c *intrinsicCall) value {
				return plain(h.of(l, l.b.Op(op, h.value(l, c.arg(0)), h.value(l, c.arg(1)))))
			}
		}
		m["gpu."+name+".Less"] = func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Op(kir.OpLt, h.value(l, c.arg(0)), h.value(l, c.arg(1))))
		}
	}
	return m
}

// half is a format of 16 bits. What float32 has rounded is rounded again: float32 has more than twice the digits, so
// that the result is that of one rounding (Figueroa, When is double rounding innocuous?, 1995) but for products that
// are subnormal as bfloat16s.
type half struct {
	value func(l *lowerer, bits *kir.Value) *kir.Value
	of    func(l *lowerer, x *kir.Value) *kir.Value
}

func (l *lowerer) ieee(bits *kir.Value) *kir.Value {
	return l.b.Convert(kir.F32, l.b.Bitcast(kir.F16, bits))
}

func (l *lowerer) ofIEEE(x *kir.Value) *kir.Value {
	return l.b.Bitcast(kir.U16, l.b.Convert(kir.F16, x))
}

func (l *lowerer) brain(bits *kir.Value) *kir.Value {
	return l.b.Bitcast(kir.F32, l.b.Op(kir.OpShl, l.b.Convert(kir.U32, bits), l.b.Int(kir.U32, 16)))
}

// ofBrain is tensor.BrainOf.
func (l *lowerer) ofBrain(x *kir.Value) *kir.Value {
	b := l.b
	bits, sixteen := b.Bitcast(kir.U32, x), b.Int(kir.U32, 16)
	odd := b.Op(kir.OpAnd, b.Op(kir.OpShr, bits, sixteen), b.Int(kir.U32, 1))
	up := b.Op(kir.OpAdd, b.Op(kir.OpAdd, bits, b.Int(kir.U32, 0x7fff)), odd)
	near := b.Op(kir.OpShr, up, sixteen)
	return b.Convert(kir.U16, b.Op(kir.OpSelect, b.Op(kir.OpNe, x, x), b.Int(kir.U32, 0x7fff), near))
}

// quad returns where the thread's elements of a matrix begin, as I64: its group of four lanes, and twice its number in
// that.
func (l *lowerer) quad() (group, pair *kir.Value) {
	lane := l.b.Special(kir.LaneID)
	group = l.b.Op(kir.OpShr, lane, l.b.Int(kir.U32, 2))
	pair = l.b.Op(kir.OpShl, l.b.Op(kir.OpAnd, lane, l.b.Int(kir.U32, 3)), l.b.Int(kir.U32, 1))
	return l.b.Convert(kir.I64, group), l.b.Convert(kir.I64, pair)
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

// load reads a t at an address, the first of a half or a pair of them.
func (m matrix) load(t kir.Type, p part) *kir.Value {
	org := p.org.root()
	org.read = true
	v := m.l.b.Load(org.space, t, p.v)
	v.Note = m.l.p.text[m.c.instr.Pos()]
	return v
}

const (
	loadRows    = iota // neighbours of a pair are in a row
	loadColumns        // in a column
)

// loadFactor reads pairs that are neighbours in memory into some registers; the others are zeros.
func loadFactor(by, registers, some int) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		group, pair := l.quad()
		out := make(value, registers)
		m := l.matrixOf(c, 0, map[int]int64{loadRows: 16, loadColumns: 8}[by], int64(16*some/registers))
		for i := range out {
			if i >= some {
				out[i].v = l.b.Int(kir.U32, 0)
				continue
			}
			rows, columns := int64(8*(i%2)), int64(8*(i/2))
			if by == loadColumns {
				rows, columns = 0, int64(8*i)
			}
			out[i].v = m.load(kir.U32, m.at(group, pair, rows, columns))
		}
		return out
	}
}

// loadB reads pairs one below the other into some of two registers; the others are zeros.
func loadB(some int) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		group, pair := l.quad()
		m := l.matrixOf(c, 0, int64(8*some), 8)
		out := plain(l.b.Int(kir.U32, 0), l.b.Int(kir.U32, 0))
		for i := range some {
			low := l.b.Convert(kir.U32, m.load(kir.U16, m.at(pair, group, int64(8*i), 0)))
			high := l.b.Convert(kir.U32, m.load(kir.U16, m.at(pair, group, int64(8*i)+1, 0)))
			out[i].v = l.b.Op(kir.OpOr, low, l.b.Op(kir.OpShl, high, l.b.Int(kir.U32, 16)))
		}
		return out
	}
}

func loadC(l *lowerer, c *intrinsicCall) value {
	group, pair := l.quad()
	m := l.matrixOf(c, 0, 16, 8)
	out := make(value, 4)
	for i := range out {
		out[i].v = m.load(kir.F32, m.at(group, pair, int64(8*(i/2)), int64(i%2)))
	}
	return out
}

func storeC(l *lowerer, c *intrinsicCall) value {
	group, pair := l.quad()
	m := l.matrixOf(c, 1, 16, 8)
	for i, x := range c.args[0] {
		p := m.at(group, pair, int64(8*(i/2)), int64(i%2))
		org := p.org.root()
		org.written = true
		l.b.Store(org.space, p.v, x.v)
		l.note(l.p.text[c.instr.Pos()])
	}
	return nil
}

func mma(l *lowerer, c *intrinsicCall) value {
	var x, sum [4]*kir.Value
	var y [2]*kir.Value
	for i := range x {
		x[i], sum[i] = c.args[0][i].v, c.args[2][i].v
	}
	for i := range y {
		y[i] = c.args[1][i].v
	}
	n, _ := types.Unalias(c.typeArg(0)).(*types.Named)
	out := l.b.MMA(x, y, sum, n != nil && n.Obj().Name() == "BFloat16")
	return plain(out[:]...)
}
