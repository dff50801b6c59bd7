package scan

import "github.com/arrayrepl/arrayrepl/kir"

// column is how far apart the counters of one thread for neighbouring digits lie, in counters: threads are beside each
// other, with a word free behind 32 counters, as threads scan 16 neighbours.
func (s Sort) column() int { return s.Threads + s.Threads/16 }

// counters are how often each thread has each digit.
type counters struct {
	array *kir.Value
	own   *kir.Value // address of the thread's counter for digit 0
	row   *kir.Value // address of the first of 16 neighbours, which the thread scans
}

func (m *sorter) counters() counters {
	c := counters{array: m.SharedArray("counters", kir.U16, digits*m.column())}
	gap := func(i *kir.Value) *kir.Value {
		return m.add(i, m.mul(m.Op(kir.OpShr, i, m.count(5)), m.num(2)))
	}
	c.own = m.Index(c.array, gap(m.tid), kir.U16)
	c.row = m.Index(c.array, gap(m.mul(m.tid, m.num(digits))), kir.U16)
	return c
}

func (m *sorter) counter(address *kir.Value) *kir.Value {
	return m.Convert(kir.U32, m.Load(kir.Shared, kir.U16, address))
}

func (m *sorter) setCounter(address, n *kir.Value) {
	m.Store(kir.Shared, address, m.Convert(kir.U16, n))
}

func (m *sorter) behind(address *kir.Value, n int) *kir.Value {
	return m.add(address, m.Int(kir.U64, int64(2*n)))
}

// digit is that of a key, as an index.
func (m *sorter) digit(key, shift *kir.Value) *kir.Value {
	return m.Convert(kir.I64, m.Op(kir.OpAnd, m.Op(kir.OpShr, key, shift), m.bit(digits-1)))
}

// of is the address of the thread's counter for a digit.
func (m *sorter) of(c counters, digit *kir.Value) *kir.Value {
	return m.Index(c.own, m.mul(digit, m.num(m.column())), kir.U16)
}

// tally counts the thread's keys, and returns for each how many of those before it have its digit.
func (m *sorter) tally(c counters, keys []*kir.Value, shift *kir.Value) (at, before []*kir.Value) {
	for d := range digits {
		m.setCounter(m.behind(c.own, d*m.column()), m.count(0))
	}
	for _, k := range keys {
		a := m.of(c, m.digit(k, shift))
		n := m.counter(a)
		m.setCounter(a, m.add(n, m.count(1)))
		at, before = append(at, a), append(before, n)
	}
	m.Barrier()
	return at, before
}

// rank returns where in the tile, sorted by its digits, the thread's keys go. Each counter becomes the number of keys
// that go before the first one of its thread and digit.
func (m *sorter) rank(c counters, keys []*kir.Value, shift *kir.Value) []*kir.Value {
	at, before := m.tally(c, keys, shift)
	sum := m.count(0)
	for i := range digits {
		sum = m.add(sum, m.counter(m.behind(c.row, i)))
	}
	sum = m.sub(m.sums(sum), sum)
	for i := range digits {
		a := m.behind(c.row, i)
		n := m.counter(a)
		m.setCounter(a, sum)
		sum = m.add(sum, n)
	}
	m.Barrier()
	out := make([]*kir.Value, len(keys))
	for k := range keys {
		out[k] = m.Convert(kir.I64, m.add(m.counter(at[k]), before[k]))
	}
	return out
}

// sums scans what threads have, in Hillis and Steele's steps between two arrays.
func (m *sorter) sums(x *kir.Value) *kir.Value {
	rows := m.SharedArray("sums", kir.U32, 2*m.Threads)
	own := m.Index(rows, m.tid, kir.U32)
	row := 0
	put := func() { m.Store(kir.Shared, m.add(own, m.Int(kir.U64, int64(4*row*m.Threads))), x) }
	put()
	for d := 1; d < m.Threads; d *= 2 {
		m.Barrier()
		then, on := m.NewBlock("then"), m.NewBlock("on", kir.U32)
		m.BranchTo(m.Op(kir.OpGe, m.tid, m.num(d)), kir.Edge{To: then}, kir.Edge{To: on, Args: []*kir.Value{x}})
		m.SetBlock(then)
		left := m.Load(kir.Shared, kir.U32, m.add(own, m.Int(kir.U64, int64(4*(row*m.Threads-d)))))
		m.Jump(on, m.add(left, x))
		m.SetBlock(on)
		x = on.Params[0]
		if row = 1 - row; 2*d < m.Threads {
			put()
		}
	}
	return x
}

// spread is the address of place j of a tile in shared memory.
func (m *sorter) spread(tile, j *kir.Value, t kir.Type) *kir.Value {
	return m.Index(tile, m.add(j, m.Op(kir.OpShr, j, m.count(5))), t)
}

func (m *sorter) own(k int) *kir.Value    { return m.add(m.mul(m.tid, m.num(m.Each)), m.num(k)) }
func (m *sorter) beside(k int) *kir.Value { return m.add(m.tid, m.num(k*m.Threads)) }

// exchange puts xs at places of the tile, and returns those at the places that from says.
func (m *sorter) exchange(tile *kir.Value, xs []*kir.Value, to, from func(k int) *kir.Value) []*kir.Value {
	m.Barrier() // all have read what they need
	t := xs[0].Type
	for k, x := range xs {
		m.Store(kir.Shared, m.spread(tile, to(k), t), x)
	}
	m.Barrier()
	out := make([]*kir.Value, len(xs))
	for k := range xs {
		out[k] = m.Load(kir.Shared, t, m.spread(tile, from(k), t))
	}
	return out
}

// tile is memory for a tile of keys, or of places.
func (m *sorter) tile() *kir.Value {
	t := m.key()
	if m.Places && m.place().Bytes() > t.Bytes() {
		t = m.place()
	}
	return m.SharedArray("tile", t, padded(m.Tile()))
}

// tileOf finds out which tile the block has: the first place of its line, and the number in it of its first element.
func (m *sorter) tileOf(length, tiles *kir.Value) (line, tile, base, first *kir.Value) {
	m.tid = m.wide(kir.TidX)
	block := m.wide(kir.CtaidX)
	line = m.Op(kir.OpDiv, block, tiles)
	tile = m.sub(block, m.mul(line, tiles))
	return line, tile, m.mul(line, length), m.mul(tile, m.num(m.Tile()))
}

// loadKeys loads a tile, and returns the thread's keys: neighbours. Behind the line's end are the largest of all.
func (m *sorter) loadKeys(tile *kir.Value, first, length *kir.Value, load func(i *kir.Value) *kir.Value) []*kir.Value {
	xs := make([]*kir.Value, m.Each)
	for k := range xs {
		i := m.add(first, m.beside(k))
		then, on := m.NewBlock("then"), m.NewBlock("on", m.key())
		m.BranchTo(m.Op(kir.OpLt, i, length), kir.Edge{To: then}, kir.Edge{To: on, Args: []*kir.Value{m.bit(m.all())}})
		m.SetBlock(then)
		m.Jump(on, load(i))
		m.SetBlock(on)
		xs[k] = on.Params[0]
	}
	return m.exchange(tile, xs, m.beside, m.own)
}

// countDigits has parameters the keys, the span, the counts, the pass, the length of a line and
// how many tiles it has. The counts of a line are by digits, and of each digit by tiles.
func (m *sorter) countDigits() {
	keys, of, counts := m.Param("keys", kir.U64), m.Param("span", kir.U64), m.Param("counts", kir.U64)
	pass, length, tiles := m.Param("pass", kir.I64), m.Param("length", kir.I64), m.Param("tiles", kir.I64)
	shift := m.pass(of, pass)
	line, tile, base, first := m.tileOf(length, tiles)
	xs := make([]*kir.Value, m.Each)
	last := m.sub(length, m.num(1))
	for k := range xs { // in any order; what is counted again behind the end has nothing after it
		i := m.Op(kir.OpMin, m.add(first, m.beside(k)), last)
		xs[k] = m.Load(kir.Global, m.key(), m.Index(keys, m.add(base, i), m.key()))
		xs[k] = m.Op(kir.OpSelect, m.Op(kir.OpLt, m.add(first, m.beside(k)), length), xs[k], m.bit(m.all()))
	}
	c := m.counters()
	m.tally(c, xs, shift)
	sum := m.count(0)
	for i := range digits {
		sum = m.add(sum, m.counter(m.behind(c.row, i)))
	}
	parts := m.SharedArray("parts", kir.U32, m.Threads)
	m.Store(kir.Shared, m.Index(parts, m.tid, kir.U32), sum)
	m.Barrier()
	m.when(m.Op(kir.OpLt, m.tid, m.num(digits)), func() {
		each := m.Threads / digits
		sum := m.count(0)
		for i := range each {
			sum = m.add(sum, m.Load(kir.Shared, kir.U32, m.Index(parts, m.add(m.mul(m.tid, m.num(each)), m.num(i)), kir.U32)))
		}
		m.Store(kir.Global, m.Index(counts, m.slot(line, m.tid, tile, tiles), m.place()), m.Convert(m.place(), sum))
	})
}

// slot is where the count of a digit of a tile stands.
func (m *sorter) slot(line, digit, tile, tiles *kir.Value) *kir.Value {
	return m.add(m.mul(m.add(m.mul(line, m.num(digits)), digit), tiles), tile)
}

// move has parameters the keys and where they go, places and where these go, the span, how many elements of the line
// go before those of each digit and tile, the pass, the length of a line and how many tiles it has.
func (m *sorter) move() {
	from, to := m.Param("from", kir.U64), m.Param("to", kir.U64)
	placesFrom, placesTo := m.Param("placesFrom", kir.U64), m.Param("placesTo", kir.U64)
	of, starts := m.Param("span", kir.U64), m.Param("starts", kir.U64)
	pass, length, tiles := m.Param("pass", kir.I64), m.Param("length", kir.I64), m.Param("tiles", kir.I64)
	shift := m.pass(of, pass)
	line, tile, base, first := m.tileOf(length, tiles)
	room := m.tile()
	keys := m.loadKeys(room, first, length, func(i *kir.Value) *kir.Value {
		return m.Load(kir.Global, m.key(), m.Index(from, m.add(base, i), m.key()))
	})
	c := m.counters()
	at := m.rank(c, keys, shift)
	deltas := m.SharedArray("deltas", kir.I64, digits)
	m.when(m.Op(kir.OpLt, m.tid, m.num(digits)), func() {
		inTile := m.Convert(kir.I64, m.counter(m.Index(c.array, m.mul(m.tid, m.num(m.column())), kir.U16)))
		inLine := m.Convert(kir.I64, m.Load(kir.Global, m.place(), m.Index(starts, m.slot(line, m.tid, tile, tiles), m.place())))
		m.Store(kir.Shared, m.Index(deltas, m.tid, kir.I64), m.sub(inLine, inTile))
	})
	rank := func(k int) *kir.Value { return at[k] }
	sorted := m.exchange(room, keys, rank, m.beside)
	var places []*kir.Value
	if m.Places {
		xs := make([]*kir.Value, m.Each)
		for k := range xs {
			i := m.Op(kir.OpMin, m.add(first, m.beside(k)), m.sub(length, m.num(1)))
			xs[k] = m.Load(kir.Global, m.place(), m.Index(placesFrom, m.add(base, i), m.place()))
		}
		places = m.exchange(room, m.exchange(room, xs, m.beside, m.own), rank, m.beside)
	}
	for k, key := range sorted {
		m.when(m.Op(kir.OpLt, m.add(first, m.beside(k)), length), func() { // those behind the end are last
			delta := m.Load(kir.Shared, kir.I64, m.Index(deltas, m.digit(key, shift), kir.I64))
			place := m.add(base, m.add(delta, m.beside(k)))
			m.Store(kir.Global, m.Index(to, place, m.key()), key)
			if places != nil {
				m.Store(kir.Global, m.Index(placesTo, place, m.place()), places[k])
			}
		})
	}
}

// sortLine has parameters elements, the result, the length of a line and inner.
func (m *sorter) sortLine() {
	x, out := m.Param("x", kir.U64), m.Param("out", kir.U64)
	length, inner := m.Param("length", kir.I64), m.Param("inner", kir.I64)
	m.tid = m.wide(kir.TidX)
	base := m.lineAt(m.wide(kir.CtaidX), length, inner)
	room := m.tile()
	at := func(i *kir.Value) *kir.Value { return m.placeIn(base, i, inner) }
	state := m.loadKeys(room, m.num(0), length, func(i *kir.Value) *kir.Value { return m.load(x, at(i)) })
	one := m.load(x, base)
	all, inside := span{one, one}, make([]*kir.Value, m.Each)
	for k, key := range state {
		inside[k] = m.Op(kir.OpLt, m.own(k), length)
		key = m.Op(kir.OpSelect, inside[k], key, one)
		all = m.join(all, span{key, key})
	}
	all = m.joined(all, m.Threads)
	largest := m.sub(all.largest, all.least)
	for k, key := range state { // those behind the end are larger and behind, and stay so
		state[k] = m.Op(kir.OpSelect, inside[k], m.sub(key, all.least), m.bit(m.all()))
	}
	types := make([]kir.Type, m.Each)
	for k := range types {
		types[k] = m.key()
	}
	if m.Places {
		for k := range m.Each {
			state, types = append(state, m.Convert(m.place(), m.own(k))), append(types, m.place())
		}
	}
	c := m.counters()
	head, work, end := m.NewBlock("head", append([]kir.Type{kir.U32}, types...)...), m.NewBlock("work"), m.NewBlock("end")
	m.Jump(head, append([]*kir.Value{m.count(0)}, state...)...)
	m.SetBlock(head)
	shift, state := head.Params[0], head.Params[1:]
	m.Branch(m.Op(kir.OpNe, m.Op(kir.OpShr, largest, shift), m.bit(0)), work, end)
	m.SetBlock(work)
	to := m.rank(c, state[:m.Each], shift)
	rank := func(k int) *kir.Value { return to[k] }
	moved := m.exchange(room, state[:m.Each], rank, m.own)
	if m.Places {
		moved = append(moved, m.exchange(room, state[m.Each:], rank, m.own)...)
	}
	m.Jump(head, append([]*kir.Value{m.add(shift, m.count(digitBits))}, moved...)...)
	m.SetBlock(end)
	if m.Places {
		state = state[m.Each:]
	}
	for k, v := range m.exchange(room, state, m.own, m.beside) {
		m.when(m.Op(kir.OpLt, m.beside(k), length), func() {
			if m.Places {
				m.Store(kir.Global, m.Index(out, at(m.beside(k)), kir.I64), m.Convert(kir.I64, v))
				return
			}
			m.Store(kir.Global, m.Index(out, at(m.beside(k)), m.stored()), m.toElement(m.add(v, all.least)))
		})
	}
}

// padded is the place of element j of a tile: one is left free behind 32, or lanes whose elements lie Each apart would
// meet in few banks.
func padded(j int) int { return j + j/kir.WarpSize }
