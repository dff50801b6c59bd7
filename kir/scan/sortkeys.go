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

// span is a least and a largest key.
type span struct{ least, largest *kir.Value }

func (m *sorter) join(a, b span) span {
	return span{m.Op(kir.OpMin, a.least, b.least), m.Op(kir.OpMax, a.largest, b.largest)}
}

// joined is the span of what all threads of the block have, which each gets.
func (m *sorter) joined(x span, threads int) span {
	at := m.SharedArray("spans", m.key(), 2*threads)
	place := func(i *kir.Value, n int) *kir.Value { return m.Index(at, m.add(i, m.num(n)), m.key()) }
	read := func(i *kir.Value, by int) span {
		return span{m.Load(kir.Shared, m.key(), place(i, by)), m.Load(kir.Shared, m.key(), place(i, threads+by))}
	}
	put := func(x span) {
		m.Store(kir.Shared, place(m.tid, 0), x.least)
		m.Store(kir.Shared, place(m.tid, threads), x.largest)
	}
	put(x)
	m.Barrier()
	for half := threads; half > 1; {
		n := half
		half = (half + 1) / 2
		m.when(m.Op(kir.OpLt, m.tid, m.num(n-half)), func() { put(m.join(read(m.tid, 0), read(m.tid, half))) })
		m.Barrier()
	}
	return read(m.num(0), 0)
}

// load is the key of the element at a place.
func (m *sorter) load(x, at *kir.Value) *kir.Value {
	return m.ofElement(m.Load(kir.Global, m.stored(), m.Index(x, at, m.stored())))
}

// findRange has parameters elements, what each block finds, how many elements there are, and how many threads.
func (m *sorter) findRange() {
	x, found, n, threads := m.Param("x", kir.U64), m.Param("found", kir.U64), m.Param("n", kir.I64), m.Param("threads", kir.I64)
	m.tid = m.wide(kir.TidX)
	first := m.load(x, m.num(0))
	head, work, end := m.NewBlock("head", kir.I64, m.key(), m.key()), m.NewBlock("work"), m.NewBlock("end")
	m.Jump(head, m.GlobalIDX(), first, first)
	m.SetBlock(head)
	i, all := head.Params[0], span{head.Params[1], head.Params[2]}
	m.Branch(m.Op(kir.OpLt, i, n), work, end)
	m.SetBlock(work)
	k := m.load(x, i)
	more := m.join(all, span{k, k})
	m.Jump(head, m.add(i, threads), more.least, more.largest)
	m.SetBlock(end)
	all = m.joined(all, m.Threads)
	m.when(m.Op(kir.OpEq, m.tid, m.num(0)), func() { m.putSpan(found, m.wide(kir.CtaidX), all.least, all.largest) })
}

// putSpan stores two numbers side by side.
func (m *sorter) putSpan(to, i, x, y *kir.Value) {
	i = m.mul(i, m.num(2))
	m.Store(kir.Global, m.Index(to, i, m.key()), x)
	m.Store(kir.Global, m.Index(to, m.add(i, m.num(1)), m.key()), y)
}

// getSpan loads them.
func (m *sorter) getSpan(from, i *kir.Value) (x, y *kir.Value) {
	i = m.mul(i, m.num(2))
	return m.Load(kir.Global, m.key(), m.Index(from, i, m.key())), m.Load(kir.Global, m.key(), m.Index(from, m.add(i, m.num(1)), m.key()))
}

// joinRanges has parameters what blocks found, where the least key goes and how far the largest is from it, and how
// many blocks they were.
func (m *sorter) joinRanges() {
	found, to, n := m.Param("found", kir.U64), m.Param("span", kir.U64), m.Param("n", kir.I64)
	m.tid = m.wide(kir.TidX)
	least, largest := m.getSpan(found, m.Op(kir.OpMin, m.tid, m.sub(n, m.num(1))))
	all := m.joined(span{least, largest}, keyBlocks)
	m.when(m.Op(kir.OpEq, m.tid, m.num(0)), func() { m.putSpan(to, m.num(0), all.least, m.sub(all.largest, all.least)) })
}

// makeKeys has parameters elements, keys, places, the span, how many elements there are, the length of a line, and
// inner.
func (m *sorter) makeKeys() {
	x, keys, places, of := m.Param("x", kir.U64), m.Param("keys", kir.U64), m.Param("places", kir.U64), m.Param("span", kir.U64)
	n, length, inner := m.Param("n", kir.I64), m.Param("length", kir.I64), m.Param("inner", kir.I64)
	i := m.GlobalIDX()
	m.when(m.Op(kir.OpLt, i, n), func() {
		least, _ := m.getSpan(of, m.num(0))
		at, in := i, i
		if m.Strided || m.Places {
			line := m.Op(kir.OpDiv, i, length)
			in = m.sub(i, m.mul(line, length))
			at = m.placeIn(m.lineAt(line, length, inner), in, inner)
		}
		m.Store(kir.Global, m.Index(keys, i, m.key()), m.sub(m.load(x, at), least))
		if m.Places {
			m.Store(kir.Global, m.Index(places, i, m.place()), m.Convert(m.place(), in))
		}
	})
}

// all are the bits of a key.
func (s Sort) all() uint64 { return ^uint64(0) >> (64 - 8*s.key().Bytes()) }

// pass begins a kernel of a pass: it returns how far the pass's digit is from the lowest bit, and goes on where keys
// have such a digit.
func (m *sorter) pass(of, pass *kir.Value) (shift *kir.Value) {
	shift = m.Convert(kir.U32, m.mul(pass, m.num(digitBits)))
	_, largest := m.getSpan(of, m.num(0))
	work, end := m.NewBlock("pass"), m.NewBlock("over")
	m.Branch(m.Op(kir.OpNe, m.Op(kir.OpShr, largest, shift), m.bit(0)), work, end)
	m.SetBlock(end)
	m.Return()
	m.SetBlock(work)
	return shift
}

// turned chooses between two arrays, which take turns: y where the keys have an odd number of digits.
func (m *sorter) turned(largest, x, y *kir.Value) *kir.Value {
	bits := m.Op(kir.OpSub, m.count(8*m.key().Bytes()), m.Op(kir.OpClz, largest))
	passes := m.Op(kir.OpShr, m.add(bits, m.count(digitBits-1)), m.count(2))
	odd := m.Op(kir.OpNe, m.Op(kir.OpAnd, passes, m.count(1)), m.count(0))
	return m.Op(kir.OpSelect, odd, y, x)
}

// write has parameters both arrays of keys, and of places, the span, the result, how many elements there
// are, the length of a line, and inner.
func (m *sorter) write() {
	x, y, p, q := m.Param("x", kir.U64), m.Param("y", kir.U64), m.Param("p", kir.U64), m.Param("q", kir.U64)
	of, out := m.Param("span", kir.U64), m.Param("out", kir.U64)
	n, length, inner := m.Param("n", kir.I64), m.Param("length", kir.I64), m.Param("inner", kir.I64)
	i := m.GlobalIDX()
	m.when(m.Op(kir.OpLt, i, n), func() {
		least, largest := m.getSpan(of, m.num(0))
		at := i
		if m.Strided {
			line := m.Op(kir.OpDiv, i, length)
			at = m.placeIn(m.lineAt(line, length, inner), m.sub(i, m.mul(line, length)), inner)
		}
		if m.Places {
			from := m.turned(largest, p, q)
			m.Store(kir.Global, m.Index(out, at, kir.I64), m.Convert(kir.I64, m.Load(kir.Global, m.place(), m.Index(from, i, m.place()))))
			return
		}
		from := m.turned(largest, x, y)
		m.Store(kir.Global, m.Index(out, at, m.stored()), m.toElement(m.add(m.Load(kir.Global, m.key(), m.Index(from, i, m.key())), least)))
	})
}
