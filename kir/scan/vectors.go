package scan

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// The kernels below scan one line in the order of the others, in a way that suits a CPU which executes the threads of
// blocks side by side, in vectors: there is no branch in them but the operator's own, addresses go up evenly from
// thread to thread, and what each group of a thread's elements has in total is kept, and not found twice. An operator
// is given numbers that are combinations of nothing, and what it makes of them is not used.

// speculates reports whether op may be given any numbers: it only computes, and comes to an end.
func (op Op) speculates() bool {
	b := kir.NewBuilder(op.Name)
	x, y := make([]*kir.Value, len(op.State)), make([]*kir.Value, len(op.State))
	for i, t := range op.State {
		x[i], y[i] = b.Param("x", t), b.Param("y", t)
	}
	op.Combine(b, x, y)
	b.Return()
	f, err := b.Func()
	if err != nil {
		return false
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if !v.IsPure() {
				return false
			}
		}
		for _, e := range blk.Term.To {
			if e.To != nil && e.To.ID <= blk.ID { // a loop
				return false
			}
		}
	}
	return true
}

// Vectors is Plan for one line whose elements lie side by side, by these kernels where that can be. Where one tile has
// room for the line, and where the operator may not be given any numbers, it is Plan.
func (s Spec) Vectors(length int, kernel func(s Spec, k Kind) (Kernel, error)) (Plan, error) {
	whole, err := s.Plan(1, length, 1, kernel)
	last := len(whole.Launches) - 1
	if err != nil || last == 0 || s.Scatter != nil || s.Numbered || len(s.Given) > 0 || s.Form.Method != WarpWise || s.Form.Conditional || !s.Op.speculates() {
		return whole, err
	}
	parts, err := s.Parts(1, length, 1, kernel)
	if err != nil {
		return whole, err
	}
	var made [3]Kernel
	for i, k := range []Kind{GroupsKernel, WarpsKernel, SpreadKernel} {
		if made[i], err = kernel(s, k); err != nil {
			return whole, err
		}
	}
	full, perTile := length/parts.Tile, s.Form.Threads/kir.WarpSize
	p := Plan{Scratch: whole.Scratch}
	lanes, warps := p.scratch(full*s.Form.Threads+1, s.Op.State), p.scratch(full*perTile, s.Op.State)
	totals, carries := parts.states(whole.Launches[0], 0, 0), parts.states(whole.Launches[last], len(s.Out), 0)
	in, out := p.arrays(In, len(s.In)), p.arrays(Out, len(s.Out))
	join := func(args ...[]Arg) (all []Arg) {
		for _, a := range args {
			all = append(all, a...)
		}
		return all
	}
	number := func(n int) []Arg { return []Arg{{Kind: Number, N: n}} }
	block := kir.D1(s.Form.Threads)
	lifted := s.constants(s.lifted(in))
	p.Launches = append(p.Launches,
		Launch{made[0], kir.D1(full), block, join(lifted, number(length), lanes)},
		Launch{made[1], kir.D1((full*perTile + s.Form.Threads - 1) / s.Form.Threads), block, join(number(full*perTile), number(parts.tiles()), lanes, warps, totals)})
	p.Launches = append(p.Launches, parts.Between...)
	p.Launches = append(p.Launches, Launch{made[2], kir.D1(full), block, join(s.constants(slices.Clip(in)), number(length), lanes, warps, carries, out)})
	if rest := length - full*parts.Tile; rest > 0 {
		for _, l := range parts.Scan(full*parts.Tile, rest) {
			for i, a := range l.Args { // the arrays are the whole line's
				switch a.Kind {
				case In:
					l.Args[i].Byte += full * parts.Tile * s.In[a.N].Bytes()
				case Out:
					l.Args[i].Byte += full * parts.Tile * s.Out[a.N].Bytes()
				}
			}
			p.Launches = append(p.Launches, l)
		}
	}
	return p, nil
}

// chosen is x where ok, else y.
func (m *maker) chosen(ok *kir.Value, x, y []*kir.Value) []*kir.Value {
	out := make([]*kir.Value, len(x))
	for i := range x {
		out[i] = m.Op(kir.OpSelect, ok, x[i], y[i])
	}
	return out
}

// after is x with y behind it; where nothing is there, y.
func (m *maker) after(there *kir.Value, x, y []*kir.Value) []*kir.Value {
	return m.chosen(there, m.combine(x, y), y)
}

func (m *maker) loadStates(from []*kir.Value, i *kir.Value) []*kir.Value {
	out := make([]*kir.Value, len(from))
	for k, t := range m.Spec.Op.State {
		out[k] = m.Load(kir.Global, t, m.Index(from[k], i, t))
	}
	return out
}

func (m *maker) storeStates(to []*kir.Value, i *kir.Value, x []*kir.Value) {
	for k, v := range x {
		m.Store(kir.Global, m.Index(to[k], i, v.Type), v)
	}
}

// groupsOf finds the thread's group, and loads its elements.
func (m *maker) groupsOf() (group *kir.Value, at func(array *kir.Value, k int, t kir.Type) *kir.Value, in, states [][]*kir.Value) {
	m.tid, m.tile = m.wide(kir.TidX), m.wide(kir.CtaidX)
	group = m.add(m.mul(m.tile, m.num(m.Form.Threads)), m.tid)
	first := m.mul(group, m.num(m.Form.Each))
	at = func(array *kir.Value, k int, t kir.Type) *kir.Value {
		return m.behindBy(m.Index(array, first, t), k*t.Bytes())
	}
	in, states = make([][]*kir.Value, m.Form.Each), make([][]*kir.Value, m.Form.Each)
	for k := range in {
		for i, t := range m.In {
			in[k] = append(in[k], m.Load(kir.Global, t, at(m.in[i], k, t)))
		}
		in[k] = append(in[k], m.consts...)
		states[k] = m.lift(m.Builder, in[k])
	}
	return group, at, in, states
}

// within scans what neighbours have, up to n of them, by the steps of a warp. lane is the thread's number among them.
func (m *maker) within(lane *kir.Value, n int, x []*kir.Value) []*kir.Value {
	var rooms [2][]*kir.Value // used in turn, so that a barrier for each step is enough
	for i := range rooms {
		for k, t := range m.Spec.Op.State {
			rooms[i] = append(rooms[i], m.SharedArray([]string{"even", "odd"}[i]+string(rune('0'+k%10)), t, m.Form.Threads+kir.WarpSize))
		}
		m.put(rooms[i], m.tid, x) // for those that have nobody before them
	}
	m.Barrier()
	own := m.add(m.tid, m.num(kir.WarpSize))
	for i, d := 0, 1; d < n; i, d = i+1, 2*d {
		m.put(rooms[i%2], own, x)
		m.Barrier()
		y := m.get(rooms[i%2], m.add(m.tid, m.num(kir.WarpSize-d)))
		x = m.chosen(m.Op(kir.OpGe, lane, m.num(d)), m.combine(y, x), x)
	}
	return x
}

// Groups makes the kernel that combines each group of a thread's elements, and all groups of its warp up to it.
// Parameters are the arrays that Lift takes, the length of the line, and an array for each number of a state: the
// groups of all threads, behind one element that is left free. A block has a tile, which is whole.
func (s Spec) Groups() (*kir.Func, error) {
	if s.Lifted > 0 {
		s.In = s.In[:s.Lifted]
	}
	m, err := newMaker(s, s.Name+"_groups")
	if err != nil {
		return nil, err
	}
	to := m.states("lanes")
	group, _, _, states := m.groupsOf()
	x := m.within(m.Op(kir.OpAnd, m.tid, m.num(kir.WarpSize-1)), kir.WarpSize, m.total(states))
	m.storeStates(to, m.add(group, m.num(1)), x)
	m.Return()
	return m.Func()
}

// Warps makes the kernel that combines the warps of each tile. Parameters are how many warps there are, how many tiles
// need totals, what Groups has made, and arrays for each number of a state: for each warp all warps of its tile up to
// it, and the tiles' totals. Each thread has a warp.
func (s Spec) Warps() (*kir.Func, error) {
	m := &maker{Spec: s, Builder: kir.NewBuilder(s.Name + "_warps")}
	count, tiles := m.Param("count", kir.I64), m.Param("tiles", kir.I64)
	from, to, totals := m.states("lanes"), m.states("warps"), m.states("totals")
	per := s.Form.Threads / kir.WarpSize
	m.tid = m.wide(kir.TidX)
	i := m.add(m.mul(m.wide(kir.CtaidX), m.num(s.Form.Threads)), m.tid)
	near := m.Op(kir.OpMin, i, m.Op(kir.OpSub, count, m.num(1)))
	x := m.loadStates(from, m.mul(m.add(near, m.num(1)), m.num(kir.WarpSize))) // of the warp's last lane
	tile := m.Op(kir.OpDiv, i, m.num(per))
	lane := m.Op(kir.OpSub, i, m.mul(tile, m.num(per)))
	x = m.within(lane, per, x)
	put, last, total, end := m.NewBlock("put"), m.NewBlock("last"), m.NewBlock("total"), m.NewBlock("end")
	m.Branch(m.Op(kir.OpLt, i, count), put, end)
	m.SetBlock(put)
	m.storeStates(to, i, x)
	m.Jump(last)
	m.SetBlock(last)
	m.Branch(m.Op(kir.OpAnd, m.Op(kir.OpEq, lane, m.num(per-1)), m.Op(kir.OpLt, tile, tiles)), total, end)
	m.SetBlock(total)
	m.storeStates(totals, tile, x)
	m.Jump(end)
	m.SetBlock(end)
	m.Return()
	return m.Func()
}

// Spread makes the kernel that scans whole tiles when what stands before each group is known. Parameters are the arrays
// that are read, the length of the line, what Groups and Warps have made, the scanned totals of tiles, and the arrays
// that are written.
func (s Spec) Spread() (*kir.Func, error) {
	m, err := newMaker(s, s.Name+"_spread")
	if err != nil {
		return nil, err
	}
	lanes, warps, carries := m.states("lanes"), m.states("warps"), m.states("carry")
	out := m.outputs()
	group, at, in, states := m.groupsOf()
	none := m.num(0)
	lane, warp := m.Op(kir.OpAnd, m.tid, m.num(kir.WarpSize-1)), m.Op(kir.OpShr, m.tid, m.Int(kir.U32, 5))
	before := func(i *kir.Value) *kir.Value { return m.Op(kir.OpMax, m.Op(kir.OpSub, i, m.num(1)), none) }
	there := m.Op(kir.OpGt, m.tile, none)
	acc := m.loadStates(carries, before(m.tile))
	join := func(is *kir.Value, y []*kir.Value) {
		acc = m.chosen(is, m.after(there, acc, y), acc)
		there = m.Op(kir.OpOr, there, is)
	}
	join(m.Op(kir.OpGt, warp, none), m.loadStates(warps, before(m.add(m.mul(m.tile, m.num(s.Form.Threads/kir.WarpSize)), warp))))
	join(m.Op(kir.OpGt, lane, none), m.loadStates(lanes, group))
	for k, x := range states {
		was := acc
		if k == 0 {
			acc = m.after(there, acc, x)
		} else {
			acc = m.combine(acc, x)
		}
		switch {
		case !s.Exclusive:
			was = acc
		case k == 0:
			was = m.chosen(there, was, m.bits(s.Op.Identity))
		}
		for i, v := range m.lower(m.Builder, was, in[k]) {
			m.Store(kir.Global, at(out[i], k, m.Out[i]), v)
		}
	}
	m.Return()
	return m.Func()
}
