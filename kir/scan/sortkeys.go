package scan

import "github.com/arrayrepl/arrayrepl/kir"

// sorter emits one kernel of a Sort.
type sorter struct {
	Sort
	*kir.Builder
	tid *kir.Value // I64
}

func (m *sorter) num(n int) *kir.Value           { return m.Int(kir.I64, int64(n)) }
func (m *sorter) add(x, y *kir.Value) *kir.Value { return m.Op(kir.OpAdd, x, y) }
func (m *sorter) sub(x, y *kir.Value) *kir.Value { return m.Op(kir.OpSub, x, y) }
func (m *sorter) mul(x, y *kir.Value) *kir.Value { return m.Op(kir.OpMul, x, y) }
func (m *sorter) bit(n uint64) *kir.Value        { return m.Bits(m.key(), n) }
func (m *sorter) count(n int) *kir.Value         { return m.Int(kir.U32, int64(n)) }

func (m *sorter) wide(s kir.Special) *kir.Value { return m.Convert(kir.I64, m.Special(s)) }

// Op is spelled out, as two embedded types would have one.
func (m *sorter) Op(op kir.Op, args ...*kir.Value) *kir.Value { return m.Builder.Op(op, args...) }

// when emits body for threads for which ok is true.
func (m *sorter) when(ok *kir.Value, body func()) {
	then, on := m.NewBlock("then"), m.NewBlock("on")
	m.Branch(ok, then, on)
	m.SetBlock(then)
	body()
	m.Jump(on)
	m.SetBlock(on)
}

// ofElement makes a key of an element's bits: keys are in the order of elements.
func (m *sorter) ofElement(v *kir.Value) *kir.Value {
	v = m.Convert(m.key(), v)
	sign := m.bit(m.sign())
	switch {
	case m.isSigned():
		return m.Op(kir.OpXor, v, sign)
	case !m.isFloat():
		return v
	}
	inf, nan := m.floats()
	size := m.Op(kir.OpAnd, v, m.bit(m.ones()&^m.sign()))
	negative := m.Op(kir.OpNe, m.Op(kir.OpAnd, v, sign), m.bit(0))
	k := m.Op(kir.OpSelect, negative, m.Op(kir.OpXor, v, m.bit(m.ones())), m.Op(kir.OpOr, v, sign))
	if m.Places {
		k = m.Op(kir.OpSelect, m.Op(kir.OpEq, size, m.bit(0)), sign, k)
	}
	return m.Op(kir.OpSelect, m.Op(kir.OpGt, size, m.bit(inf)), m.bit(nan|m.sign()), k)
}

// toElement makes an element's bits of a key.
func (m *sorter) toElement(k *kir.Value) *kir.Value {
	sign := m.bit(m.sign())
	switch {
	case m.isSigned():
		k = m.Op(kir.OpXor, k, sign)
	case m.isFloat():
		k = m.Op(kir.OpSelect, m.Op(kir.OpNe, m.Op(kir.OpAnd, k, sign), m.bit(0)), m.Op(kir.OpXor, k, sign), m.Op(kir.OpXor, k, m.bit(m.ones())))
	}
	return m.Convert(m.stored(), k)
}

// lineAt is the place of the first element of line l, and placeIn that of its element i.
func (m *sorter) lineAt(l, length, inner *kir.Value) *kir.Value {
	if !m.Strided {
		return m.mul(l, length)
	}
	outer := m.Op(kir.OpDiv, l, inner)
	return m.add(m.mul(outer, m.mul(length, inner)), m.sub(l, m.mul(outer, inner)))
}

func (m *sorter) placeIn(first, i, inner *kir.Value) *kir.Value {
	if m.Strided {
		i = m.mul(i, inner)
	}
	return m.add(first, i)
}

// strides emits body for elements tid, tid + step, … below n, with a value that goes from one to the next.
func (m *sorter) strides(from, n, step, start *kir.Value, body func(i, x *kir.Value) *kir.Value) *kir.Value {
	head, work, end := m.NewBlock("head", kir.I64, start.Type), m.NewBlock("work"), m.NewBlock("end")
	m.Jump(head, from, start)
	m.SetBlock(head)
	i, x := head.Params[0], head.Params[1]
	m.Branch(m.Op(kir.OpLt, i, n), work, end)
	m.SetBlock(work)
	next := body(i, x)
	m.Jump(head, m.add(i, step), next)
	m.SetBlock(end)
	return x
}

// joined is what all threads of the block have, or'ed, which each gets.
func (m *sorter) joined(x *kir.Value, threads int) *kir.Value {
	at := m.SharedArray("joined", m.key(), threads)
	own := m.Index(at, m.tid, m.key())
	m.Store(kir.Shared, own, x)
	m.Barrier()
	for half := threads; half > 1; {
		n := half
		half = (half + 1) / 2
		m.when(m.Op(kir.OpLt, m.tid, m.num(n-half)), func() {
			other := m.Load(kir.Shared, m.key(), m.Index(at, m.add(m.tid, m.num(half)), m.key()))
			m.Store(kir.Shared, own, m.Op(kir.OpOr, m.Load(kir.Shared, m.key(), own), other))
		})
		m.Barrier()
	}
	return m.Load(kir.Shared, m.key(), at)
}

// makeKeys has parameters elements, keys, places, what each block found, how many elements there are, the length of a
// line, inner, and how many threads.
func (m *sorter) makeKeys() {
	x, keys, places, found := m.Param("x", kir.U64), m.Param("keys", kir.U64), m.Param("places", kir.U64), m.Param("found", kir.U64)
	n, length, inner, threads := m.Param("n", kir.I64), m.Param("length", kir.I64), m.Param("inner", kir.I64), m.Param("threads", kir.I64)
	m.tid = m.wide(kir.TidX)
	load := func(at *kir.Value) *kir.Value {
		return m.ofElement(m.Load(kir.Global, m.stored(), m.Index(x, at, m.stored())))
	}
	first := load(m.num(0))
	differ := m.strides(m.GlobalIDX(), n, threads, m.bit(0), func(i, sum *kir.Value) *kir.Value {
		at, in := i, i
		if m.Strided || m.Places {
			line := m.Op(kir.OpDiv, i, length)
			in = m.sub(i, m.mul(line, length))
			at = m.placeIn(m.lineAt(line, length, inner), in, inner)
		}
		k := load(at)
		m.Store(kir.Global, m.Index(keys, i, m.key()), k)
		if m.Places {
			m.Store(kir.Global, m.Index(places, i, m.place()), m.Convert(m.place(), in))
		}
		return m.Op(kir.OpOr, sum, m.Op(kir.OpXor, k, first))
	})
	differ = m.joined(differ, m.Threads)
	m.when(m.Op(kir.OpEq, m.tid, m.num(0)), func() {
		m.Store(kir.Global, m.Index(found, m.wide(kir.CtaidX), m.key()), differ)
	})
}

// joinDiffer has parameters what blocks found, where what they found together goes, and how many they were.
func (m *sorter) joinDiffer() {
	found, to, n := m.Param("found", kir.U64), m.Param("differ", kir.U64), m.Param("n", kir.I64)
	m.tid = m.wide(kir.TidX)
	own := m.Op(kir.OpMin, m.tid, m.sub(n, m.num(1)))
	differ := m.joined(m.Load(kir.Global, m.key(), m.Index(found, own, m.key())), keyBlocks)
	m.when(m.Op(kir.OpEq, m.tid, m.num(0)), func() { m.Store(kir.Global, to, differ) })
}

// passesOf are the digits in which keys differ, a bit for each at its lowest.
func (m *sorter) passesOf(differ *kir.Value) *kir.Value {
	for _, by := range []int{1, 2} {
		differ = m.Op(kir.OpOr, differ, m.Op(kir.OpShr, differ, m.count(by)))
	}
	return m.Op(kir.OpAnd, differ, m.bit(0x1111_1111_1111_1111&m.all()))
}

// all are the bits of a key.
func (s Sort) all() uint64 { return ^uint64(0) >> (64 - 8*s.key().Bytes()) }

// turned chooses between two arrays, which take turns: y where an odd number of passes came before.
func (m *sorter) turned(before, x, y *kir.Value) *kir.Value {
	odd := m.Op(kir.OpNe, m.Op(kir.OpAnd, m.Op(kir.OpPopc, before), m.count(1)), m.count(0))
	return m.Op(kir.OpSelect, odd, y, x)
}

// pass begins a kernel of a pass: it returns how far the pass's digit is from the lowest bit, the passes before it, and
// goes on where there are two keys that differ in it.
func (m *sorter) pass(differ, pass *kir.Value) (shift, before *kir.Value) {
	shift = m.Convert(kir.U32, m.mul(pass, m.num(digitBits)))
	done := m.passesOf(m.Load(kir.Global, m.key(), differ))
	work, end := m.NewBlock("pass"), m.NewBlock("over")
	bit := m.Op(kir.OpShl, m.bit(1), shift)
	m.Branch(m.Op(kir.OpNe, m.Op(kir.OpAnd, done, bit), m.bit(0)), work, end)
	m.SetBlock(end)
	m.Return()
	m.SetBlock(work)
	return shift, m.Op(kir.OpAnd, done, m.Op(kir.OpSub, bit, m.bit(1)))
}

// write has parameters both arrays of keys, and of places, the bits that differ, the result, how many elements there
// are, the length of a line, and inner.
func (m *sorter) write() {
	x, y, p, q := m.Param("x", kir.U64), m.Param("y", kir.U64), m.Param("p", kir.U64), m.Param("q", kir.U64)
	differ, out := m.Param("differ", kir.U64), m.Param("out", kir.U64)
	n, length, inner := m.Param("n", kir.I64), m.Param("length", kir.I64), m.Param("inner", kir.I64)
	i := m.GlobalIDX()
	m.when(m.Op(kir.OpLt, i, n), func() {
		passes := m.passesOf(m.Load(kir.Global, m.key(), differ))
		at := i
		if m.Strided {
			line := m.Op(kir.OpDiv, i, length)
			at = m.placeIn(m.lineAt(line, length, inner), m.sub(i, m.mul(line, length)), inner)
		}
		if m.Places {
			from := m.turned(passes, p, q)
			m.Store(kir.Global, m.Index(out, at, kir.I64), m.Convert(kir.I64, m.Load(kir.Global, m.place(), m.Index(from, i, m.place()))))
			return
		}
		from := m.turned(passes, x, y)
		m.Store(kir.Global, m.Index(out, at, m.stored()), m.toElement(m.Load(kir.Global, m.key(), m.Index(from, i, m.key()))))
	})
}
