package scan

import "github.com/arrayrepl/arrayrepl/kir"

// Method is how a block scans what its threads have.
type Method uint8

// The methods.
const (
	WarpWise  Method = iota // Sengupta, Harris and Garland: warps, then the totals of warps
	Simple                  // Hillis and Steele over the whole block, a barrier before and behind each step's stores
	Downsweep               // Blelloch: a tree of sums up, and down again
)

var methodNames = [...]string{"warp-wise", "simple", "downsweep"}

// String returns "warp-wise", "simple" or "downsweep".
func (m Method) String() string { return methodNames[m] }

// simple scans the threads' totals in steps of the whole block: 2·log2(n) barriers and n·log2(n) - (n-1) applications
// of the operator for n threads.
func (m *maker) simple(total []*kir.Value) scanned {
	at := m.sharedStates("block", m.Form.Threads)
	x := total
	m.put(at, m.tid, x)
	m.Barrier()
	for d := 1; d < m.Form.Threads; d *= 2 {
		ok := m.Op(kir.OpGe, m.tid, m.num(d))
		y := m.where(ok, func() []*kir.Value { return m.get(at, m.Op(kir.OpSub, m.tid, m.num(d))) }, x)
		m.Barrier()
		x = m.where(ok, func() []*kir.Value {
			z := m.combine(y, x)
			m.put(at, m.tid, z)
			return z
		}, x)
		if 2*d < m.Form.Threads || m.Form.Each > 1 || m.whole || m.Exclusive {
			m.Barrier()
		}
	}
	return scanned{
		lanes: m.Op(kir.OpGt, m.tid, m.num(0)), warps: m.Bits(kir.Bool, 0),
		left:   func() []*kir.Value { return m.get(at, m.Op(kir.OpSub, m.tid, m.num(1))) },
		before: func() []*kir.Value { return x },
		with:   func() []*kir.Value { return x },
		tile:   func() []*kir.Value { return m.get(at, m.num(m.Form.Threads-1)) },
	}
}

// downsweep scans the threads' totals by a tree: up, each node of a level combines two of the one below, and down, each
// hands on what stands before it. The root has the operator's identity, or nothing, to hand on.
func (m *maker) downsweep(total []*kir.Value) scanned {
	n := m.Form.Threads
	at := m.sharedStates("block", m.Form.spread(n))
	place := func(i *kir.Value) *kir.Value {
		if !m.Form.Pad {
			return i
		}
		return m.add(i, m.Op(kir.OpShr, i, m.Int(kir.U32, 4)))
	}
	m.put(at, place(m.tid), total)
	offset := 1
	level := func(d int, body func(left, right *kir.Value)) {
		m.Barrier()
		work, on := m.NewBlock("work"), m.NewBlock("on")
		m.Branch(m.Op(kir.OpLt, m.tid, m.num(d)), work, on)
		m.SetBlock(work)
		twice := m.mul(m.tid, m.num(2*offset))
		body(place(m.add(twice, m.num(offset-1))), place(m.add(twice, m.num(2*offset-1))))
		m.Jump(on)
		m.SetBlock(on)
	}
	for d := n / 2; d > 0; d /= 2 {
		level(d, func(left, right *kir.Value) { m.put(at, right, m.combine(m.get(at, left), m.get(at, right))) })
		offset *= 2
	}
	m.Barrier()
	root := m.get(at, place(m.num(n-1)))
	m.Barrier()
	clear, down := m.NewBlock("clear"), m.NewBlock("down")
	m.Branch(m.Op(kir.OpEq, m.tid, m.num(0)), clear, down)
	m.SetBlock(clear)
	m.put(at, place(m.num(n-1)), m.bits(m.Spec.Op.Identity))
	m.Jump(down)
	m.SetBlock(down)
	for d := 1; d < n; d *= 2 {
		offset /= 2
		level(d, func(left, right *kir.Value) {
			sum, before := m.get(at, left), m.get(at, right)
			m.put(at, left, before)
			m.put(at, right, m.combine(before, sum))
		})
	}
	m.Barrier()
	left := m.get(at, place(m.tid))
	return scanned{
		lanes: m.Op(kir.OpGt, m.tid, m.num(0)), warps: m.Bits(kir.Bool, 0),
		left:   func() []*kir.Value { return left },
		before: func() []*kir.Value { return left },
		with: func() []*kir.Value {
			return m.where(m.Op(kir.OpGt, m.tid, m.num(0)), func() []*kir.Value { return m.combine(left, total) }, total)
		},
		tile: func() []*kir.Value { return root },
	}
}

// spread is the room that n elements take.
func (f Form) spread(n int) int {
	if f.Pad {
		return n + n/16
	}
	return n
}
