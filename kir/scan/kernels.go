package scan

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maker emits one kernel.
type maker struct {
	Spec
	*kir.Builder
	in            []*kir.Value // addresses
	consts        []*kir.Value // Spec.Consts
	length, inner *kir.Value   // I64
	tiles         *kir.Value   // blocks of a line, I64
	whole         bool         // no tile goes beyond the end of its line

	tid        *kir.Value   // I64
	tile, line *kir.Value   // of the block, I64
	base       *kir.Value   // place of the line's first element
	first      *kir.Value   // number of the tile's first element in its line
	buffers    []buffer     // for the exchange, see exchange.go
	lanes      []*kir.Value // shared memory that lanes exchange states by; nil until it is needed, and where they shuffle
	starts     *kir.Value   // and where segments begin, of a conditional scan
}

func newMaker(s Spec, name string) (*maker, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	m := &maker{Spec: s, Builder: kir.NewBuilder(name)}
	for i := range s.In {
		m.in = append(m.in, m.Param(fmt.Sprintf("x%d", i), kir.U64))
	}
	for i, c := range s.Consts {
		m.consts = append(m.consts, m.Param(fmt.Sprintf("c%d", i), c.Type))
	}
	m.length = m.Param("length", kir.I64)
	if s.Strided {
		m.inner = m.Param("inner", kir.I64)
	}
	return m, nil
}

func (m *maker) num(n int) *kir.Value                        { return m.Int(kir.I64, int64(n)) }
func (m *maker) add(x, y *kir.Value) *kir.Value              { return m.Op(kir.OpAdd, x, y) }
func (m *maker) mul(x, y *kir.Value) *kir.Value              { return m.Op(kir.OpMul, x, y) }
func (m *maker) Op(op kir.Op, args ...*kir.Value) *kir.Value { return m.Builder.Op(op, args...) }

func (m *maker) combine(x, y []*kir.Value) []*kir.Value { return m.Spec.Op.Combine(m.Builder, x, y) }

func (m *maker) wide(s kir.Special) *kir.Value { return m.Convert(kir.I64, m.Special(s)) }

// lineAt finds the first element of line l.
func (m *maker) lineAt(l *kir.Value) *kir.Value {
	if !m.Strided {
		return m.mul(l, m.length)
	}
	outer := m.Op(kir.OpDiv, l, m.inner)
	return m.add(m.mul(outer, m.mul(m.length, m.inner)), m.Op(kir.OpSub, l, m.mul(outer, m.inner)))
}

// place is that of element i of the line.
func (m *maker) place(i *kir.Value) *kir.Value {
	if m.Strided {
		i = m.mul(i, m.inner)
	}
	return m.add(m.base, i)
}

// begin finds out which tile the block has.
func (m *maker) begin() {
	m.tid = m.wide(kir.TidX)
	if m.Alone {
		m.line, m.tile = m.num(0), m.wide(kir.CtaidX)
		m.base, m.first = m.num(0), m.mul(m.tile, m.num(m.Form.Tile()))
		return
	}
	block, tiles := m.Special(kir.CtaidX), m.Convert(kir.U32, m.tiles)
	line := m.Op(kir.OpDiv, block, tiles)
	m.line = m.Convert(kir.I64, line)
	m.tile = m.Convert(kir.I64, m.Op(kir.OpSub, block, m.mul(line, tiles)))
	m.base, m.first = m.lineAt(m.line), m.mul(m.tile, m.num(m.Form.Tile()))
}

// own is the number in the tile of the thread's element k.
func (m *maker) own(k int) *kir.Value { return m.add(m.mul(m.tid, m.num(m.Form.Each)), m.num(k)) }

// ifWhole emits one for blocks whose tile ends within its line, and the other for those of which a part lies behind.
func (m *maker) ifWhole(one, other func()) {
	if m.whole {
		one()
		return
	}
	yes, no, on := m.NewBlock("whole"), m.NewBlock("part"), m.NewBlock("on")
	m.Branch(m.Op(kir.OpLe, m.add(m.first, m.num(m.Form.Tile())), m.length), yes, no)
	m.SetBlock(yes)
	one()
	m.Jump(on)
	m.SetBlock(no)
	other()
	m.Jump(on)
	m.SetBlock(on)
}

// load returns the thread's elements of all arrays: of element k number k. What lies behind the line is its last
// element again, so that the operator never sees anything but elements.
func (m *maker) load() [][]*kir.Value {
	f := m.Form
	got := make([][]*kir.Value, f.Each)
	last := m.Op(kir.OpSub, m.length, m.num(1))
	near := func(j *kir.Value) *kir.Value {
		i := m.add(m.first, j)
		if !m.whole {
			i = m.Op(kir.OpMin, i, last)
		}
		return m.place(i)
	}
	if f.Packed {
		for k, flag := range m.flags() {
			got[k] = []*kir.Value{flag}
		}
	}
	if !f.Exchange || f.Each == 1 {
		for k := range got {
			at := near(m.own(k))
			for i, t := range m.In {
				if i < m.packed() {
					continue
				}
				got[k] = append(got[k], m.Load(kir.Global, t, m.Index(m.in[i], at, t)))
			}
		}
		return got
	}
	m.fetch(near)
	m.Barrier()
	for i, t := range m.In[m.packed():] {
		for k, x := range m.fromTile(i, t) {
			got[k] = append(got[k], x)
		}
	}
	return got
}

// store writes the thread's elements of all arrays, which lie at out; those behind the line's end nowhere.
func (m *maker) store(out []*kir.Value, xs [][]*kir.Value) {
	f := m.Form
	guarded := func(j *kir.Value, x func(i int) *kir.Value) {
		put, next := m.NewBlock("put"), m.NewBlock("next")
		at := m.add(m.first, j)
		m.Branch(m.Op(kir.OpLt, at, m.length), put, next)
		m.SetBlock(put)
		to := m.place(at)
		for i, t := range m.Out {
			m.Store(kir.Global, m.Index(out[i], to, t), x(i))
		}
		m.Jump(next)
		m.SetBlock(next)
	}
	if !f.Exchange || f.Each == 1 {
		for k := range xs {
			guarded(m.own(k), func(i int) *kir.Value { return xs[k][i] })
		}
		return
	}
	m.deliver(out, xs, guarded)
}

// scatter stores the thread's elements where the spec says.
func (m *maker) scatter(out []*kir.Value, xs, states, in [][]*kir.Value) {
	for k := range xs {
		put, next := m.NewBlock("put"), m.NewBlock("next")
		to, ok := m.Scatter(m.Builder, states[k], in[k])
		m.Branch(m.Op(kir.OpAnd, ok, m.Op(kir.OpLt, m.add(m.first, m.own(k)), m.length)), put, next)
		m.SetBlock(put)
		for i, t := range m.Out {
			m.Store(kir.Global, m.Index(out[i], to, t), xs[k][i])
		}
		m.Jump(next)
		m.SetBlock(next)
	}
}

// TileTotals makes the kernel that combines the elements of each tile. Parameters are the arrays that it reads, the
// length of a line, inner where s is strided, how many tiles of a line it combines, all of them whole, and an array for
// each number of a state, which get a total for each block: those of a line side by side.
func (s Spec) TileTotals() (*kir.Func, error) {
	if s.Lifted > 0 {
		s.In = s.In[:s.Lifted]
	}
	m, err := newMaker(s, s.Name+"_reduce")
	if err != nil {
		return nil, err
	}
	m.tiles, m.whole = m.Param("tiles", kir.I64), true
	out := m.states("totals")
	m.begin()
	_, states := m.elements()
	mine, total := m.tileTotal(m.total(states))
	put, end := m.NewBlock("put"), m.NewBlock("end")
	m.Branch(mine, put, end)
	m.SetBlock(put)
	slot := m.wide(kir.CtaidX)
	for i, x := range total() {
		m.Store(kir.Global, m.Index(out[i], slot, x.Type), x)
	}
	m.Jump(end)
	m.SetBlock(end)
	m.Return()
	return m.Func()
}

// Scan makes the kernel that scans each tile, beginning with what stands before it. Parameters are the arrays that it
// reads, the length of a line, inner where s is strided, how many tiles a line has, for each number of a state an array
// with the scanned totals of all tiles of a line but the last (none where s is single; where it is later, what stands
// before each tile of the one line), the arrays that it writes, and the numbers that s has been given.
func (s Spec) Scan() (*kir.Func, error) {
	m, err := newMaker(s, s.Name)
	if err != nil {
		return nil, err
	}
	m.tiles = m.Param("tiles", kir.I64)
	var carries []*kir.Value
	if !s.Single {
		carries = m.states("carry")
	}
	out := m.outputs()
	var given []*kir.Value
	for i := range s.Given {
		given = append(given, m.Param(fmt.Sprintf("given%d", i), kir.I64))
	}
	m.begin()
	in, states := m.elements()
	of := m.block(m.total(states), false)
	after := m.Bits(kir.Bool, 0)
	switch {
	case s.Later:
		after = m.Bits(kir.Bool, 1)
	case !s.Single:
		after = m.Op(kir.OpGt, m.tile, m.num(0))
	}
	before := m.some(after, func() []*kir.Value {
		at := m.tile
		if !s.Later {
			at = m.Op(kir.OpSub, m.add(m.mul(m.line, m.Op(kir.OpSub, m.tiles, m.num(1))), m.tile), m.num(1))
		}
		var xs []*kir.Value
		for i := range carries {
			t := m.Spec.Op.State[i]
			xs = append(xs, m.Load(kir.Global, t, m.Index(carries[i], at, t)))
		}
		return xs
	})
	if !s.Exclusive && s.Form.Each == 1 && s.Scatter == nil { // what the warp has made is the element's already
		x := of.with()
		if s.Single {
			x = m.where(of.warps, func() []*kir.Value { return m.combine(of.before(), x) }, x)
		} else {
			x = m.behind(m.then(before, of.warps, of.before), x)
		}
		m.store(out, [][]*kir.Value{m.lower(m.Builder, x, in[0])})
		m.Return()
		return m.Func()
	}
	before = m.then(m.then(before, of.warps, of.before), of.lanes, of.left)
	written, scanned := make([][]*kir.Value, s.Form.Each), make([][]*kir.Value, s.Form.Each)
	acc := m.behind(before, states[0])
	for k := range in {
		if s.Numbered {
			in[k] = append(in[k], m.add(m.first, m.own(k)))
		}
		in[k] = append(in[k], given...)
	}
	for k, x := range states {
		was := acc
		if k > 0 {
			acc = m.combine(acc, x)
		}
		switch {
		case !s.Exclusive:
			was = acc
		case k == 0:
			was = m.or(before, s.Op.Identity)
		}
		written[k], scanned[k] = m.lower(m.Builder, was, in[k]), was
	}
	if s.Scatter != nil {
		m.scatter(out, written, scanned, in)
	} else {
		m.store(out, written)
	}
	m.Return()
	return m.Func()
}

// states adds a pointer for each number of a state.
func (m *maker) states(name string) []*kir.Value {
	out := make([]*kir.Value, len(m.Spec.Op.State))
	for i := range out {
		out[i] = m.Param(fmt.Sprintf("%s%d", name, i), kir.U64)
	}
	return out
}

func (m *maker) outputs() []*kir.Value {
	out := make([]*kir.Value, len(m.Out))
	for i := range out {
		out[i] = m.Param(fmt.Sprintf("out%d", i), kir.U64)
	}
	return out
}

// elements loads the thread's and makes states of them.
func (m *maker) elements() (in, states [][]*kir.Value) {
	in = m.load()
	states = make([][]*kir.Value, len(in))
	for k := range in {
		in[k] = append(in[k], m.consts...)
		states[k] = m.lift(m.Builder, in[k])
	}
	return in, states
}

// total combines the thread's elements.
func (m *maker) total(states [][]*kir.Value) []*kir.Value {
	acc := states[0]
	for _, x := range states[1:] {
		acc = m.combine(acc, x)
	}
	return acc
}

// Serial makes the kernel in which each thread scans a line of its own from beginning to end. Parameters are the arrays
// that it reads, the length of a line, inner where s is strided, how many lines there are, and the arrays that it
// writes.
func (s Spec) Serial() (*kir.Func, error) {
	m, err := newMaker(s, s.Name+"_lines")
	if err != nil {
		return nil, err
	}
	lines := m.Param("lines", kir.I64)
	out := m.outputs()
	line := m.GlobalIDX()
	start, end := m.NewBlock("start"), m.NewBlock("end")
	m.Branch(m.Op(kir.OpLt, line, lines), start, end)

	m.SetBlock(start)
	m.base = m.lineAt(line)
	load := func(i *kir.Value) (in []*kir.Value) {
		for k, t := range m.In {
			in = append(in, m.Load(kir.Global, t, m.Index(m.in[k], m.place(i), t)))
		}
		return append(in, m.consts...)
	}
	put := func(i *kir.Value, state, in []*kir.Value) {
		for k, x := range m.lower(m.Builder, state, in) {
			m.Store(kir.Global, m.Index(out[k], m.place(i), m.Out[k]), x)
		}
	}
	in := load(m.num(0))
	acc := m.lift(m.Builder, in)
	if s.Exclusive {
		put(m.num(0), m.bits(s.Op.Identity), in)
	} else {
		put(m.num(0), acc, in)
	}
	head, body := m.NewBlock("loop", append([]kir.Type{kir.I64}, s.Op.State...)...), m.NewBlock("body")
	m.Jump(head, append([]*kir.Value{m.num(1)}, acc...)...)
	m.SetBlock(head)
	i, acc := head.Params[0], head.Params[1:]
	m.Branch(m.Op(kir.OpLt, i, m.length), body, end)
	m.SetBlock(body)
	in = load(i)
	next := m.combine(acc, m.lift(m.Builder, in))
	if s.Exclusive {
		put(i, acc, in)
	} else {
		put(i, next, in)
	}
	m.Jump(head, append([]*kir.Value{m.add(i, m.num(1))}, next...)...)

	m.SetBlock(end)
	m.Return()
	return m.Func()
}

// bits are constants of the state's types.
func (m *maker) bits(words []uint64) []*kir.Value {
	out := make([]*kir.Value, len(words))
	for i, w := range words {
		out[i] = m.Bits(m.Spec.Op.State[i], w)
	}
	return out
}
