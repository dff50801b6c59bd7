package gosrc

import (
	"github.com/arrayrepl/arrayrepl/kir"
)

// groupFuncs are gpu.Tile, gpu.Coalesced and the methods of gpu.Group, and the reductions of a warp.
//
// A group is two registers: the mask of its lanes, and the size of a tile, a constant, or 0 for threads that have come
// together. Lanes of a tile are neighbours, so that shuffles within segments find them; those of other groups are found
// by their ranks.
func groupFuncs() map[string]intrinsic {
	m := map[string]intrinsic{
		"gpu.Tile": tile, "gpu.TileOf": tile,
		"gpu.Coalesced": coalesced, "gpu.CoalescedOf": coalesced,
		"gpu.Group.Size": func(l *lowerer, c *intrinsicCall) value { return plain(l.b.Convert(kir.I64, l.groupOf(c).count())) },
		"gpu.Group.Rank": func(l *lowerer, c *intrinsicCall) value { return plain(l.b.Convert(kir.I64, l.groupOf(c).rank())) },
		"gpu.Group.Sync": func(l *lowerer, c *intrinsicCall) value {
			l.b.WarpBarrier(l.groupOf(c).lanes)
			return nil
		},
		"gpu.Group.Shfl":     groupShuffle,
		"gpu.Group.ShflUp":   groupMove(kir.ShuffleUp, kir.OpSub),
		"gpu.Group.ShflDown": groupMove(kir.ShuffleDown, kir.OpAdd),
		"gpu.Group.ShflXor":  groupXor,
		"gpu.Group.Reduce":   groupReduce(kir.OpAdd),
		"gpu.Group.Max":      groupReduce(kir.OpMax),
		"gpu.Group.Min":      groupReduce(kir.OpMin),
		"gpu.Group.Scan":     groupScan,
		"gpu.Group.Any": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Vote(kir.OpVoteAny, c.arg(1), l.groupOf(c).lanes))
		},
		"gpu.Group.All": func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Vote(kir.OpVoteAll, c.arg(1), l.groupOf(c).lanes))
		},
		"gpu.Group.Ballot": func(l *lowerer, c *intrinsicCall) value {
			g := l.tileOf(c)
			return plain(l.b.Op(kir.OpShr, l.b.Vote(kir.OpBallot, c.arg(1), g.lanes), g.first()))
		},
		"gpu.Group.MatchAny": func(l *lowerer, c *intrinsicCall) value {
			g := l.tileOf(c)
			g.whole()
			return plain(l.b.Op(kir.OpShr, l.b.MatchAny(l.wide(c.arg(1)), g.lanes), g.first()))
		},
		"gpu.MatchAll": func(l *lowerer, c *intrinsicCall) value {
			all := l.b.Vote(kir.OpBallot, l.b.Int(kir.Bool, 1), l.b.FullMask())
			same := l.b.Op(kir.OpEq, l.b.MatchAny(l.wide(c.arg(0)), l.b.FullMask()), all)
			return plain(l.b.Op(kir.OpSelect, same, all, l.b.Int(kir.U32, 0)), same)
		},
	}
	for name, r := range map[string]kir.Reduction{
		"gpu.ReduceAdd": kir.ReduceAdd, "gpu.ReduceMin": kir.ReduceMin, "gpu.ReduceMax": kir.ReduceMax,
		"gpu.ReduceAnd": kir.ReduceAnd, "gpu.ReduceOr": kir.ReduceOr, "gpu.ReduceXor": kir.ReduceXor,
	} {
		m[name] = func(l *lowerer, c *intrinsicCall) value { return plain(l.b.WarpReduce(r, c.arg(0), l.b.FullMask())) }
	}
	return m
}

// tile makes the group of gpu.Tile(n).
func tile(l *lowerer, c *intrinsicCall) value {
	n := c.arg(0)
	if n.Op != kir.OpConst {
		l.fail(c.instr.Pos(), "write the size as a constant: gpu.Tile(32)", "kernel %s: the size of a tile, the argument of gpu.%s, is not known when the kernel is compiled", l.p.fn.Name(), c.fn.Object().Name())
	}
	size := int64(n.Imm)
	if size < 1 || size > kir.WarpSize || size&(size-1) != 0 {
		l.fail(c.instr.Pos(), "a tile is a part of a warp: its size is 1, 2, 4, 8, 16 or 32", "kernel %s: gpu.%s(%d): kernel code cannot have tiles of %d threads", l.p.fn.Name(), c.fn.Object().Name(), size, size)
	}
	if size == kir.WarpSize {
		return plain(l.b.FullMask(), n)
	}
	first := l.b.Op(kir.OpAnd, l.b.Special(kir.LaneID), l.b.Int(kir.U32, -size))
	return plain(l.b.Op(kir.OpShl, l.b.Int(kir.U32, 1<<size-1), first), n)
}

// coalesced makes the group of the lanes that are here.
func coalesced(l *lowerer, c *intrinsicCall) value {
	return plain(l.b.ActiveMask(), l.b.Int(kir.I64, 0))
}

// group is a gpu.Group in a kernel.
type group struct {
	l     *lowerer
	c     *intrinsicCall
	lanes *kir.Value
	size  int // of a tile, or 0
}

// groupOf returns the receiver of a method's call.
func (l *lowerer) groupOf(c *intrinsicCall) group {
	size := c.args[0][1].v
	if size.Op != kir.OpConst {
		l.fail(c.instr.Pos(), "use the group of gpu.Tile, or of gpu.Coalesced, by a name of its own", "kernel %s: kernel code cannot choose between groups", l.p.fn.Name())
	}
	return group{l, c, c.args[0][0].v, int(size.Imm)}
}

// tileOf is groupOf for what only tiles have.
func (l *lowerer) tileOf(c *intrinsicCall) group {
	g := l.groupOf(c)
	if g.size == 0 {
		l.fail(c.instr.Pos(), "only tiles have it, gpu.Tile", "kernel %s: kernel code cannot call %s of threads that have come together, whose ranks are any", l.p.fn.Name(), c.fn.Object().Name())
	}
	return g
}

func (g group) int(x int64) *kir.Value { return g.l.b.Int(kir.U32, x) }

func (g group) lane() *kir.Value { return g.l.b.Special(kir.LaneID) }

// count returns how many threads there are.
func (g group) count() *kir.Value {
	if g.size > 0 {
		return g.int(int64(g.size))
	}
	return g.l.b.Op(kir.OpPopc, g.lanes)
}

// first returns the lane of rank 0 of a tile.
func (g group) first() *kir.Value {
	return g.l.b.Op(kir.OpAnd, g.lane(), g.int(int64(-g.size)))
}

// rank returns the thread's.
func (g group) rank() *kir.Value {
	b := g.l.b
	if g.size > 0 {
		return b.Op(kir.OpAnd, g.lane(), g.int(int64(g.size)-1))
	}
	below := b.Op(kir.OpSub, b.Op(kir.OpShl, g.int(1), g.lane()), g.int(1))
	return b.Op(kir.OpPopc, b.Op(kir.OpAnd, g.lanes, below))
}

// whole ends the run where threads of the group have ended, or are ones that the block does not have: what they would
// have brought is missing.
func (g group) whole() {
	if g.l.unchecked {
		return
	}
	b := g.l.b
	there := b.Vote(kir.OpBallot, b.Int(kir.Bool, 1), g.lanes)
	b.Check(kir.CheckPanic, b.Op(kir.OpEq, there, g.lanes), nil, nil,
		"threads of the group have ended, or are ones that the block does not have: let all threads of a group come to "+g.c.fn.Object().Name())
	g.l.note(g.l.p.text[g.c.instr.Pos()])
}

// within ends the run unless 0 <= i < n, an argument that text names.
func (g group) within(i *kir.Value, n *kir.Value, text string) {
	b := g.l.b
	wide := b.Convert(kir.I64, n)
	if g.l.unchecked || i.Op == kir.OpConst && n.Op == kir.OpConst && i.Imm < n.Imm {
		return
	}
	b.Check(kir.CheckIndex, b.Op(kir.OpLt, b.Convert(kir.U64, i), b.Convert(kir.U64, wide)), i, wide, text)
	g.l.note(g.l.p.text[g.c.instr.Pos()])
}

// shuffle returns x of the lane that a shuffle within the tile says, or in the warp for other groups.
func (g group) shuffle(mode kir.ShuffleMode, x, by *kir.Value) *kir.Value {
	width := g.size
	if width == 0 {
		width = kir.WarpSize
	}
	return g.l.b.Shuffle(kir.NewShuffle(mode, width), x, by, g.lanes)
}

// at returns x of the thread of a rank that there is.
func (g group) at(x, rank *kir.Value) *kir.Value {
	if g.size > 0 {
		return g.shuffle(kir.ShuffleIdx, x, rank)
	}
	return g.shuffle(kir.ShuffleIdx, x, g.laneOf(rank))
}

// laneOf returns the lane of a rank: where so many lanes stand below, found by halves.
func (g group) laneOf(rank *kir.Value) *kir.Value {
	b := g.l.b
	lane, rest, left := g.int(0), g.lanes, rank
	for half := int64(kir.WarpSize / 2); half > 0; half /= 2 {
		low := b.Op(kir.OpPopc, b.Op(kir.OpAnd, rest, g.int(1<<half-1)))
		above := b.Op(kir.OpGe, left, low)
		pick := func(yes, no *kir.Value) *kir.Value { return b.Op(kir.OpSelect, above, yes, no) }
		lane = pick(b.Op(kir.OpAdd, lane, g.int(half)), lane)
		rest = pick(b.Op(kir.OpShr, rest, g.int(half)), rest)
		left = pick(b.Op(kir.OpSub, left, low), left)
	}
	return lane
}

func groupShuffle(l *lowerer, c *intrinsicCall) value {
	g, rank := l.groupOf(c), c.arg(2)
	g.within(rank, l.b.Convert(kir.I64, g.count()), "the rank, of the threads of the group")
	g.whole()
	return plain(g.at(c.arg(1), l.b.Convert(kir.U32, rank)))
}

func groupXor(l *lowerer, c *intrinsicCall) value {
	g, mask := l.tileOf(c), c.arg(2)
	g.within(mask, l.b.Int(kir.I64, int64(g.size)), "the mask, of the tile")
	g.whole()
	return plain(g.shuffle(kir.ShuffleXor, c.arg(1), l.b.Convert(kir.U32, mask)))
}

// groupMove reads the thread some ranks above or below.
func groupMove(mode kir.ShuffleMode, to kir.Op) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		g, x, delta := l.groupOf(c), c.arg(1), c.arg(2)
		most := int64(g.size)
		if most == 0 {
			most = kir.WarpSize
		}
		g.within(delta, l.b.Int(kir.I64, most), "the distance, in a tile of so many threads")
		g.whole()
		by := l.b.Convert(kir.U32, delta)
		if g.size > 0 {
			return plain(g.shuffle(mode, x, by))
		}
		return plain(g.other(x, l.b.Op(to, g.rank(), by), x))
	}
}

// other returns x of the thread of a rank, or otherwise where there is none of it; one below 0 wraps and is none.
func (g group) other(x, rank, otherwise *kir.Value) *kir.Value {
	b := g.l.b
	there := b.Op(kir.OpLt, rank, g.count())
	got := g.at(x, b.Op(kir.OpSelect, there, rank, g.int(0)))
	return b.Op(kir.OpSelect, there, got, otherwise)
}

// groupReduce adds neighbours first, then pairs of neighbours, and so on. In a tile both of a pair do, and have the
// same bits, since the operations commute; in other groups rank 0 has the result in the end, and gives it to all.
func groupReduce(op kir.Op) intrinsic {
	return func(l *lowerer, c *intrinsicCall) value {
		g, x := l.groupOf(c), c.arg(1)
		g.whole()
		if g.size > 0 {
			for d := 1; d < g.size; d *= 2 {
				x = l.b.Op(op, x, g.shuffle(kir.ShuffleXor, x, g.int(int64(d))))
			}
			return plain(x)
		}
		rank := g.rank()
		for d := int64(1); d < kir.WarpSize; d *= 2 {
			at := l.b.Op(kir.OpAdd, rank, g.int(d))
			there := l.b.Op(kir.OpLt, at, g.count())
			x = l.b.Op(kir.OpSelect, there, l.b.Op(op, x, g.other(x, at, x)), x)
		}
		return plain(g.at(x, g.int(0)))
	}
}

// groupScan adds what stands 1, 2, 4, 8 and 16 ranks below.
func groupScan(l *lowerer, c *intrinsicCall) value {
	g, x := l.groupOf(c), c.arg(1)
	g.whole()
	rank := g.rank()
	for d := 1; d < kir.WarpSize && (g.size == 0 || d < g.size); d *= 2 {
		by := g.int(int64(d))
		below := x
		if g.size > 0 {
			below = g.shuffle(kir.ShuffleUp, x, by)
		} else {
			below = g.other(x, l.b.Op(kir.OpSub, rank, by), x)
		}
		x = l.b.Op(kir.OpSelect, l.b.Op(kir.OpGe, rank, by), l.b.Op(kir.OpAdd, below, x), x)
	}
	return plain(x)
}
