package paging

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Parameter is the name of the parameter that [Lower] adds: the address of the directory.
const Parameter = "arrayrepl_lines"

// Lower returns a copy of f whose accesses to memory of segments fetch what is not there, and that has one more
// parameter, the last. paged says of a byte of the packed parameters whether an address of a segment may be there;
// other accesses stay as they are. f may be optimised before, and nothing of the result after. Its error is of a kernel
// that is not right.
func Lower(f *kir.Func, paged func(offset int) bool) (*kir.Func, error) {
	g := f.Clone()
	accesses := reach(g, paged)
	g.Params = append(slices.Clip(g.Params), kir.Param{Name: Parameter, Type: kir.U64, Offset: (g.ParamBytes() + 7) / 8 * 8})
	entry := g.Blocks[0]
	dir := &kir.Value{ID: g.NewID(), Op: kir.OpParam, Type: kir.U64, Imm: uint64(len(g.Params) - 1), Note: Parameter, Block: entry}
	for v := range accesses { // single accesses, which nobody copies past the thread
		v.Vec = 0
	}
	for _, blk := range g.Blocks {
		for i, v := range blk.Values {
			if accesses[v] && v.Access == kir.Async {
				v.Access = kir.Ordinary
				if i+1 < len(blk.Values) && blk.Values[i+1].Access == kir.Async {
					blk.Values[i+1].Access = kir.Ordinary
				}
			} else if v.Vec > 0 && v.Op.IsMemory() && slices.ContainsFunc(blk.Values[i:i+int(v.Vec)], func(w *kir.Value) bool { return accesses[w] }) {
				v.Vec = 0
			}
		}
	}
	for n := 0; n < len(g.Blocks); n++ {
		blk := g.Blocks[n]
		if i := slices.IndexFunc(blk.Values, func(v *kir.Value) bool { return accesses[v] }); i >= 0 {
			v := blk.Values[i]
			delete(accesses, v)
			(&access{emitter: emitter{f: g, cur: blk, of: v}, v: v, dir: dir}).write(i)
		}
	}
	entry.Values = append([]*kir.Value{dir}, entry.Values...)
	g.SortBlocks()
	return g, kir.Verify(g)
}

// access writes one load, store or atomic anew.
type access struct {
	emitter
	v, dir *kir.Value

	writes           bool
	size             uint64
	ctl, line, entry *kir.Value // the segment's control block, the line, its entry
	shift, within    *kir.Value // logarithm of a line's bytes; the byte of the line
	group, leader, n *kir.Value // of the threads of the warp that want the line: a mask, the lane that asks, how many
	minus            *kir.Value // -n
	tries, seen      *kir.Value // how often there was no slot since so many lines had come

	loop, meet, retry, failed *kir.Block
}

// write writes the access that is value number i of the current block.
func (a *access) write(i int) {
	v, blk := a.v, a.cur
	rest := a.block(blk.Name+"_on", resultTypes(v)...)
	if len(rest.Params) > 0 {
		a.f.ReplaceUses(func(u *kir.Value) *kir.Value {
			if u == v {
				return rest.Params[0]
			}
			return u
		})
	}
	rest.Values, rest.Term = slices.Clone(blk.Values[i+1:]), blk.Term
	for _, w := range rest.Values {
		w.Block = rest
	}
	blk.Values, blk.Term = blk.Values[:i:i], kir.Term{}

	a.writes, a.size = v.Op != kir.OpLoad, uint64(kir.AccessBytes(v))
	addr := v.Args[0]
	if v.Imm != 0 {
		addr = a.with(kir.OpAdd, addr, v.Imm)
	}
	plain, seg := a.block("memory"), a.block("lines")
	a.branch(a.is(a.with(kir.OpShr, addr, topBits), 1), seg, plain)

	plain.Values = []*kir.Value{v}
	v.Block = plain
	a.begin(plain)
	a.jump(rest, resultOf(v)...)

	a.begin(seg)
	a.find(addr)
	a.fetch(rest)
}

func resultTypes(v *kir.Value) []kir.Type {
	if v.Type == kir.Void {
		return nil
	}
	return []kir.Type{v.Type}
}

func resultOf(v *kir.Value) []*kir.Value {
	if v.Type == kir.Void {
		return nil
	}
	return []*kir.Value{v}
}

// find looks up where an address is, and ends the thread where it may not be.
func (a *access) find(addr *kir.Value) {
	n := a.with(kir.OpAnd, a.with(kir.OpShr, addr, segBits), Segments-1)
	a.ctl = a.load(kir.U64, a.op(kir.OpAdd, a.dir, a.with(kir.OpMul, n, directory)), 0, kir.Ordinary)
	off := a.with(kir.OpAnd, addr, 1<<segBits-1)
	size := a.load(kir.U64, a.ctl, CtlSize, kir.Ordinary)
	inside := a.op(kir.OpAnd, a.op(kir.OpLe, a.with(kir.OpAdd, off, a.size), size), a.is(a.with(kir.OpAnd, off, a.size-1), 0))
	a.check(inside, a.bits(kir.U32, uint64(OutOfBounds)), off)
	if a.writes {
		flags := a.load(kir.U64, a.ctl, CtlFlags, kir.Ordinary)
		a.check(a.is(a.with(kir.OpAnd, flags, FlagReadOnly), 0), a.bits(kir.U32, uint64(ReadOnly)), off)
	}
	a.shift = a.u32(a.load(kir.U64, a.ctl, CtlShift, kir.Ordinary))
	a.line = a.op(kir.OpShr, off, a.shift)
	a.within = a.op(kir.OpSub, off, a.op(kir.OpShl, a.line, a.shift))
	a.entry = a.op(kir.OpAdd, a.load(kir.U64, a.ctl, CtlTable, kir.Ordinary), a.with(kir.OpMul, a.line, entryBytes))
}

// fetch is the loop in which the threads of a warp get their lines: in each round those that want one line are a group,
// of which one tries for all. Nobody who has a line waits for another thread: what is had is used, and let go, in the
// same round. So nothing hangs, however few slots there are.
func (a *access) fetch(rest *kir.Block) {
	a.loop = a.block("round", kir.U32, kir.U64)
	a.meet = a.block("meet", kir.U32, kir.U32, kir.U64) // the slot plus 1; 0 for another round; all ones: it failed
	a.retry, a.failed = a.block("retry"), a.block("failed")
	try := a.block("try")
	a.jump(a.loop, a.bits(kir.U32, 0), a.bits(kir.U64, 0))

	a.begin(a.loop)
	a.tries, a.seen = a.loop.Params[0], a.loop.Params[1]
	active := a.emit(kir.OpActiveMask, kir.U32)
	together := a.emit(kir.OpMatchAny, kir.U32, a.entry, active)
	lane := a.emit(kir.OpSpecial, kir.U32)
	lane.Imm = uint64(kir.LaneID)
	alone := a.is(a.with(kir.OpAnd, a.load(kir.U64, a.ctl, CtlFlags, kir.Ordinary), FlagAlone), 0)
	a.group = a.emit(kir.OpSelect, kir.U32, alone, together, a.op(kir.OpShl, a.bits(kir.U32, 1), lane))
	below := a.with(kir.OpSub, a.op(kir.OpAnd, a.group, a.op(kir.OpSub, a.bits(kir.U32, 0), a.group)), 1)
	a.leader = a.emit(kir.OpPopc, kir.U32, below)
	a.n = a.emit(kir.OpPopc, kir.U32, a.group)
	a.minus = a.op(kir.OpSub, a.bits(kir.U32, 0), a.n)
	leads := a.op(kir.OpEq, lane, a.leader)
	a.branch(leads, try, to(a.meet, a.bits(kir.U32, 0), a.tries, a.seen))

	a.begin(try)
	a.acquire()

	a.begin(a.meet)
	const failed = 1<<32 - 1
	slot := a.emit(kir.OpShuffle, kir.U32, a.meet.Params[0], a.leader, a.group)
	slot.Imm = kir.NewShuffle(kir.ShuffleIdx, kir.WarpSize).Imm()
	end, more, use, leave := a.block("end"), a.block("more"), a.block("use"), a.block("leave")
	// All end the round in one block, those that are done and those that are not, wherever a machine has them meet.
	last := a.block("last", append([]kir.Type{kir.Bool, kir.U32, kir.U64}, resultTypes(a.v)...)...)
	a.branch(a.is(slot, failed), end, more)
	a.begin(more)
	undone := []*kir.Value{a.bits(kir.Bool, 0), a.meet.Params[1], a.meet.Params[2]}
	if a.v.Type != kir.Void {
		undone = append(undone, a.bits(a.v.Type, 0))
	}
	a.branch(a.is(slot, 0), to(last, undone...), use)
	a.begin(last)
	a.branch(last.Params[0], to(rest, last.Params[3:]...), to(a.loop, last.Params[1], last.Params[2]))
	a.begin(end)
	a.check(a.bits(kir.Bool, 0), a.load(kir.U32, a.ctl, CtlStop, kir.Volatile), a.line)
	a.cur.Term = kir.Term{Kind: kir.TermReturn, Pos: a.of.Pos}

	a.begin(use)
	data := a.load(kir.U64, a.ctl, CtlData, kir.Ordinary)
	at := a.op(kir.OpAdd, a.op(kir.OpAdd, data, a.op(kir.OpShl, a.u64(a.with(kir.OpSub, slot, 1)), a.shift)), a.within)
	w := a.emit(a.v.Op, a.v.Type, append([]*kir.Value{at}, a.v.Args[1:]...)...)
	if w.Space = kir.Global; !w.Op.IsAtomic() {
		w.Access = kir.Volatile // what the copy brought lies in L2, and L1 may have what was in the slot before
	}
	w.Note = a.v.Note
	a.fence(kir.DeviceScope) // what the threads did is seen before the line can be evicted
	a.emit(kir.OpWarpBarrier, kir.Void, a.group)
	done := append([]*kir.Value{a.bits(kir.Bool, 1), a.meet.Params[1], a.meet.Params[2]}, resultOf(w)...)
	a.branch(leads, leave, to(last, done...))
	a.begin(leave)
	a.atomic(kir.OpAtomicAdd, a.entry, 0, a.minus)
	a.atomic(kir.OpAtomicAdd, a.ctl, CtlAccesses, a.u64(a.n))
	a.atomic(kir.OpAtomicAdd, a.ctl, CtlBytes, a.with(kir.OpMul, a.u64(a.n), a.size))
	a.jump(last, done...)
}
