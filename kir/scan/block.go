package scan

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

// scanned is what a thread knows when its block has scanned the threads' totals.
type scanned struct {
	lanes, warps *kir.Value          // whether lanes of its warp, and warps of its block, stand before it
	left         func() []*kir.Value // what those lanes have together
	before       func() []*kir.Value // and those warps
	with         func() []*kir.Value // the lanes before it and its own
	tile         func() []*kir.Value // all of the block
}

// block scans the threads' totals: each warp by itself, then the first warp the totals of all. Where whole is set, all
// that will be asked for is what all have together.
func (m *maker) block(total []*kir.Value, whole bool) scanned {
	switch m.Form.Method {
	case Simple:
		return m.simple(total)
	case Downsweep:
		return m.downsweep(total)
	}
	warps := m.Form.Threads / kir.WarpSize
	lane, warp := m.Op(kir.OpAnd, m.tid, m.num(kir.WarpSize-1)), m.Op(kir.OpShr, m.tid, m.Int(kir.U32, 5))
	w := m.warpScan(lane, total)
	total = w.with()
	s := scanned{lanes: m.Op(kir.OpGt, lane, m.num(0)), warps: m.Op(kir.OpGt, warp, m.num(0)), left: w.left, with: func() []*kir.Value { return total }}
	if !whole && !m.Form.Shuffles { // read before others write there
		left := w.left()
		s.left = func() []*kir.Value { return left }
	}
	totals := m.sharedStates("warps", kir.WarpSize)
	last, scan, read := m.NewBlock("last"), m.NewBlock("totals"), m.NewBlock("read")
	m.Branch(m.Op(kir.OpEq, lane, m.num(kir.WarpSize-1)), last, scan)
	m.SetBlock(last)
	m.put(totals, warp, total)
	m.Jump(scan)
	m.SetBlock(scan)
	m.Barrier()
	if warps > 1 {
		first := m.NewBlock("first")
		m.Branch(m.Op(kir.OpEq, warp, m.num(0)), first, read)
		m.SetBlock(first)
		of := m.get(totals, m.Op(kir.OpMin, lane, m.num(warps-1))) // lanes beyond have the last one's again
		m.WarpBarrier(m.FullMask())
		of = m.warpScan(lane, of).with()
		write, over := m.NewBlock("write"), m.NewBlock("over")
		m.Branch(m.Op(kir.OpLt, lane, m.num(warps)), write, over)
		m.SetBlock(write)
		m.put(totals, lane, of)
		m.Jump(over)
		m.SetBlock(over)
		m.Jump(read)
		m.SetBlock(read)
		m.Barrier()
	} else {
		m.Jump(read)
		m.SetBlock(read)
	}
	s.before = func() []*kir.Value { return m.get(totals, m.Op(kir.OpSub, warp, m.num(1))) }
	s.tile = func() []*kir.Value { return m.get(totals, m.num(warps-1)) }
	return s
}

// tileTotal combines what all threads have, and says which thread has it then.
func (m *maker) tileTotal(total []*kir.Value) (has *kir.Value, of func() []*kir.Value) {
	if m.Form.Method != WarpWise || !m.Form.Shuffles || m.Form.Conditional && m.Spec.Op.of != nil {
		return m.Op(kir.OpEq, m.tid, m.num(0)), m.block(total, true).tile
	}
	warps := m.Form.Threads / kir.WarpSize
	lane, warp := m.Op(kir.OpAnd, m.tid, m.num(kir.WarpSize-1)), m.Op(kir.OpShr, m.tid, m.Int(kir.U32, 5))
	total = m.toLane(lane, kir.WarpSize, total)
	if warps == 1 {
		return m.Op(kir.OpEq, m.tid, m.num(kir.WarpSize-1)), func() []*kir.Value { return total }
	}
	totals := m.sharedStates("warps", kir.WarpSize)
	last, scan := m.NewBlock("last"), m.NewBlock("totals")
	m.Branch(m.Op(kir.OpEq, lane, m.num(kir.WarpSize-1)), last, scan)
	m.SetBlock(last)
	m.put(totals, warp, total)
	m.Jump(scan)
	m.SetBlock(scan)
	m.Barrier()
	first, end := m.NewBlock("first"), m.NewBlock("others")
	m.Branch(m.Op(kir.OpEq, warp, m.num(0)), first, end)
	m.SetBlock(end)
	m.Return()
	m.SetBlock(first)
	all := m.toLane(lane, warps, m.get(totals, m.Op(kir.OpMin, lane, m.num(warps-1)))) // lanes beyond have the last one's again
	return m.Op(kir.OpEq, lane, m.num(warps-1)), func() []*kir.Value { return all }
}

// toLane combines what the first n lanes of a warp have as a scan by shuffles does, of which it gives lane n-1 its
// result, and others anything.
func (m *maker) toLane(lane *kir.Value, n int, x []*kir.Value) []*kir.Value {
	for d := 1; d < n; d *= 2 {
		y := m.shuffled(x, d)
		if n&(n-1) == 0 { // what lane n-1 is given has come from lanes that had others d before them
			x = m.combine(y, x)
			continue
		}
		x = m.where(m.Op(kir.OpGe, lane, m.num(d)), func() []*kir.Value { return m.combine(y, x) }, x)
	}
	return x
}

// warpScan scans what the lanes of a warp have, in five steps: in that of distance d a lane combines what the lane d
// before it has with its own.
func (m *maker) warpScan(lane *kir.Value, x []*kir.Value) scanned {
	at := m.sharedStatesOr("lanes", m.Form.Threads)
	if m.Form.Conditional && m.Spec.Op.of != nil {
		return m.left(at, lane, m.withinSegments(at, lane, x))
	}
	for d := 1; d < kir.WarpSize; d *= 2 {
		var y []*kir.Value
		if m.Form.Shuffles {
			y = m.shuffled(x, d)
		} else {
			m.put(at, m.tid, x)
			m.WarpBarrier(m.FullMask())
		}
		from := d
		x = m.where(m.Op(kir.OpGe, lane, m.num(d)), func() []*kir.Value {
			if y == nil {
				y = m.get(at, m.Op(kir.OpSub, m.tid, m.num(from)))
			}
			return m.combine(y, x)
		}, x)
		if !m.Form.Shuffles {
			m.WarpBarrier(m.FullMask())
		}
	}
	return m.left(at, lane, x)
}

// left is what is known when lanes have scanned x.
func (m *maker) left(at []*kir.Value, lane *kir.Value, x []*kir.Value) scanned {
	if m.Form.Shuffles {
		up := m.shuffled(x, 1)
		return scanned{with: func() []*kir.Value { return x }, left: func() []*kir.Value { return up }}
	}
	return scanned{with: func() []*kir.Value { return x }, left: func() []*kir.Value {
		m.put(at, m.tid, x)
		m.WarpBarrier(m.FullMask())
		return m.get(at, m.Op(kir.OpSub, m.tid, m.Op(kir.OpMin, lane, m.num(1))))
	}}
}

// shuffled is what the lane d before the thread's has, its own where there is none.
func (m *maker) shuffled(x []*kir.Value, d int) []*kir.Value {
	out := make([]*kir.Value, len(x))
	for i, v := range x {
		out[i] = m.Shuffle(kir.NewShuffle(kir.ShuffleUp, kir.WarpSize), v, m.Int(kir.U32, int64(d)), m.FullMask())
	}
	return out
}

// sharedStates adds shared memory for n states.
func (m *maker) sharedStates(name string, n int) []*kir.Value {
	out := make([]*kir.Value, len(m.Spec.Op.State))
	for i, t := range m.Spec.Op.State {
		out[i] = m.SharedArray(fmt.Sprintf("%s%d", name, i), t, n)
	}
	return out
}

// sharedStatesOr is memory for the lanes of all warps, added once; nil where they shuffle.
func (m *maker) sharedStatesOr(name string, n int) []*kir.Value {
	if !m.Form.Shuffles && m.lanes == nil {
		m.lanes = m.sharedStates(name, n)
	}
	return m.lanes
}

func (m *maker) put(at []*kir.Value, i *kir.Value, x []*kir.Value) {
	for k, v := range x {
		m.Store(kir.Shared, m.Index(at[k], i, v.Type), v)
	}
}

func (m *maker) get(at []*kir.Value, i *kir.Value) []*kir.Value {
	out := make([]*kir.Value, len(at))
	for k, t := range m.Spec.Op.State {
		out[k] = m.Load(kir.Shared, t, m.Index(at[k], i, t))
	}
	return out
}

// where is x where ok, else otherwise.
func (m *maker) where(ok *kir.Value, x func() []*kir.Value, otherwise []*kir.Value) []*kir.Value {
	types := make([]kir.Type, len(otherwise))
	for i, v := range otherwise {
		types[i] = v.Type
	}
	then, join := m.NewBlock("then"), m.NewBlock("join", types...)
	m.BranchTo(ok, kir.Edge{To: then}, kir.Edge{To: join, Args: otherwise})
	m.SetBlock(then)
	y := x()
	m.Jump(join, y...)
	m.SetBlock(join)
	return join.Params
}

// maybe is a state that is there where is is true.
type maybe struct {
	is *kir.Value
	x  []*kir.Value
}

// some is x where ok.
func (m *maker) some(ok *kir.Value, x func() []*kir.Value) maybe {
	nothing := m.bits(make([]uint64, len(m.Spec.Op.State)))
	if m.Single {
		return maybe{ok, nothing}
	}
	return maybe{ok, m.where(ok, x, nothing)}
}

// then is x with y behind it, where ok; where there is no x, y alone.
func (m *maker) then(x maybe, ok *kir.Value, y func() []*kir.Value) maybe {
	return maybe{m.Op(kir.OpOr, x.is, ok), m.where(ok, func() []*kir.Value { return m.behind(x, y()) }, x.x)}
}

// behind is x with y behind it, or y alone.
func (m *maker) behind(x maybe, y []*kir.Value) []*kir.Value {
	return m.where(x.is, func() []*kir.Value { return m.combine(x.x, y) }, y)
}

// or is x, or the constant of those bits.
func (m *maker) or(x maybe, bits []uint64) []*kir.Value {
	out := m.bits(bits)
	for i, v := range out {
		out[i] = m.Op(kir.OpSelect, x.is, x.x[i], v)
	}
	return out
}
