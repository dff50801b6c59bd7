package cpu

import (
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Program is a kernel that is ready to run on the CPU. It may run several times at once.
type Program struct {
	f          *kir.Func
	arithmetic Arithmetic
	code       []code // by block ID
	fixed      []*kir.Value
	regs       []regInfo
	slots      int // lane arrays that a worker needs
	memOps     int
	chains     int
	apart      bool      // threads meet at most those of their warp: there is no shared memory, barrier, atomic or output
	beside     bool      // blocks can run side by side: what their threads share is shared memory and plain barriers
	serial     bool      // the outcome depends on the order of the blocks: it is that of their numbers
	warps      bool      // there are operations of warps
	locks      bool      // threads may wait for what others of their block do, in loops around an exchange
	together   bool      // all blocks of a launch are there at a time: they wait for each other
	meet       bool      // global atomics of blocks that run at the same time meet
	consts     table     // the constant memory, or none, where no launch fills tables of it
	late       bool      // each launch does
	pool       sync.Pool // of idle *worker, with their arrays
	loops      sync.Once // finds again, which launches over lines need
	again      []bool    // by memory operation: a thread may come to it again

	localStride int // bytes from a thread's local memory to the next one's
}

// Func returns the kernel as it runs: f of Compile, with its blocks cut at barriers, so that a barrier ends its block.
// The blocks and values that a Recorder hears of are those of this Func; values have the IDs that they have in f.
func (p *Program) Func() *kir.Func { return p.f }

// regInfo is what is known of a register before a run: a register holds one value for all threads of a block.
type regInfo struct {
	slot int // number of its lane array
	typ  kir.Type
}

type code struct {
	blk     *kir.Block
	instrs  []instr
	work    int64 // instructions per thread
	cond    int   // register, for TermBranch
	edges   [2]edge
	barrier *kir.Value // the block's last value, if it is a barrier
	meet    *kir.Value // the first value that is an instruction, if it is an operation in which lanes of a warp meet
	mask    int        // register of its mask
}

type instr struct {
	op    kir.Op
	v     *kir.Value
	fn    vecFunc                    // for operations on operands alone
	do    func(*worker, *instr) bool // for the others; false after setting w.err
	wide  *[8]vector.Func            // loops for whole arrays, by the set of uniform operands; nil where there are none
	dst   int
	args  [3]int
	nargs int
	// local: only this block uses the result. Threads that are not in the block now compute it anew before they use it,
	// so whatever their lanes hold may be overwritten.
	local  bool
	chain  *chain          // that begins here; nil for none
	pair   *[8]vector.Func // loops that do the next operation, too; nil where there are none
	third  int             // register of the other operand of that
	direct bool            // a load whose result is used before memory can change
	same   bool            // a conversion that leaves all bits as they are: its lanes are those of its operand
	mem    int             // number among the loads and stores
	early  bool            // nothing but arithmetic comes before it
}

type edge struct {
	to    int
	moves []move
}

// move sets a block's parameter, or keeps a value in a spare register until the parameters that it comes from are set.
type move struct {
	dst, src int
	spare    bool
	dies     bool // nobody wants the value in src any more: the two may change their lanes
}

// Compile verifies f and makes it ready to run. The Program keeps nothing of f, which may be changed afterwards.
func Compile(f *kir.Func) (*Program, error) { return CompileFor(f, IEEE) }

// CompileFor is Compile for a machine of another arithmetic.
func CompileFor(f *kir.Func, a Arithmetic) (*Program, error) {
	if err := kir.Verify(f); err != nil {
		return nil, err
	}
	g := f.Clone()
	splitAtBarriers(g)
	splitAtWarps(g)
	p := &Program{f: g, arithmetic: a, regs: make([]regInfo, g.NumValues())}
	p.apart, p.serial = apart(g), ordered(g) || has(g, func(v *kir.Value) bool { return v.Op == kir.OpPrintf })
	p.locks = has(g, func(v *kir.Value) bool { return v.Op == kir.OpAtomicCAS || v.Op == kir.OpAtomicExch })
	p.together = f.Bounds.Cluster > 1 || has(g, func(v *kir.Value) bool { return v.Op == kir.OpGridBarrier || v.Op == kir.OpClusterBarrier })
	p.beside = !p.serial && !p.locks && !p.together && beside(g)
	p.warps = has(g, func(v *kir.Value) bool { return v.Op.IsWarp() })
	p.meet = !p.serial && has(g, func(v *kir.Value) bool { return v.Op.IsAtomic() && v.Space == kir.Global })
	p.localStride = (g.LocalBytes() + 15) &^ 15
	if p.late = g.Late() != nil; !p.late {
		data, err := g.Constants(nil, nil)
		if err != nil {
			return nil, err
		}
		p.consts = tableFrom(data)
	}
	local, same, alone := p.assignSlots()
	uses := make([]int, g.NumValues())
	for _, blk := range g.Blocks {
		blk.EachUse(func(v **kir.Value) { uses[(*v).ID]++ })
	}
	for _, blk := range g.Blocks {
		c := code{blk: blk, work: int64(blk.Instructions())}
		first := true
		for _, v := range blk.Values {
			if fixed(v) {
				p.fixed = append(p.fixed, v)
				continue
			}
			if m := maskOf(v); m != nil && first {
				c.meet, c.mask = v, m.ID
			}
			first = false
			switch {
			case v.Op.IsBarrier():
				c.barrier = v
				continue
			case v.Op == kir.OpFence || v.Op == kir.OpWarpBarrier || v.Op == kir.OpCopyCommit || v.Op == kir.OpCopyWait:
				continue
			}
			in := instr{do: methodOf(v), op: v.Op, v: v, fn: a.vectorOf(v), dst: v.ID, nargs: len(v.Args), local: local[v.ID], same: same[v.ID]}
			if !a.own(v) {
				in.wide = wideOf(v)
			}
			if v.Op != kir.OpPrintf && v.Op != kir.OpMMA { // they look at v.Args
				for i, a := range v.Args {
					in.args[i] = a.ID
				}
			}
			if v.Op.IsMemory() {
				in.mem = p.memOps
				p.memOps++
			}
			c.instrs = append(c.instrs, in)
		}
		if a == IEEE {
			c.joinPairs(uses)
			p.joinChains(&c, local, uses)
		}
		c.findDirect()
		if blk.Term.Kind == kir.TermBranch {
			c.cond = blk.Term.Cond.ID
		}
		for i, e := range blk.Term.Edges() {
			c.edges[i] = p.compileEdge(e)
		}
		p.code = append(p.code, c)
	}
	p.findDying(alone)
	p.findEarly()
	return p, nil
}

// fixed reports whether v is known before the run of a block.
func fixed(v *kir.Value) bool {
	switch v.Op {
	case kir.OpConst, kir.OpParam, kir.OpShared, kir.OpLocal, kir.OpConstTable:
		return true
	case kir.OpSpecial:
		return !kir.Special(v.Imm).Varies()
	}
	return false
}

// methodOf returns how the engine executes v, which is not computed from its operands alone.
func methodOf(v *kir.Value) func(*worker, *instr) bool {
	switch {
	case v.Op == kir.OpLoad || v.Op == kir.OpStore:
		return (*worker).access
	case v.Op.IsAtomic():
		return (*worker).atomic
	case v.Op.IsWarp():
		return (*worker).warp
	case v.Op == kir.OpCheck:
		return (*worker).check
	case v.Op == kir.OpPrintf:
		return (*worker).printf
	case v.Op == kir.OpSpecial:
		return (*worker).clock
	}
	return nil
}

func has(f *kir.Func, is func(*kir.Value) bool) bool {
	for _, blk := range f.Blocks {
		if slices.ContainsFunc(blk.Values, is) {
			return true
		}
	}
	return false
}

// apart reports whether no thread of f can hear of another one of its block that is not in its warp.
func apart(f *kir.Func) bool {
	return !has(f, func(v *kir.Value) bool {
		return v.Op.IsMemory() && v.Space == kir.Shared || v.Op.IsAtomic() || v.Op.IsBarrier() || v.Op == kir.OpFence ||
			v.Op == kir.OpPrintf || v.Op == kir.OpSpecial && kir.Special(v.Imm).Varies()
	})
}

// beside reports whether nothing in f, beyond what orders and locks its blocks, keeps them from running side by side: a
// barrier that brings a result has one for each block, a clock is that of a block, and behind a fence a block may wait
// for what one before it writes.
func beside(f *kir.Func) bool {
	return !has(f, func(v *kir.Value) bool {
		return v.Op.IsBarrier() && v.Op != kir.OpBarrier || v.Op == kir.OpFence || v.Op == kir.OpPrintf || v.Op == kir.OpSpecial && kir.Special(v.Imm).Varies()
	})
}

// findDirect marks loads whose results are used, all in this block, before the next operation that writes memory or
// lets other threads do so: their lanes may stay where they are.
func (c *code) findDirect() {
	last := make(map[int]int) // register to the number of the last instruction that uses it
	changes := len(c.instrs)
	for i := len(c.instrs) - 1; i >= 0; i-- {
		in := &c.instrs[i]
		switch {
		case in.op == kir.OpLoad:
			in.direct = in.local && in.v.Type != kir.Bool && in.v.Space != kir.Local && last[in.dst] < changes && !usedAtEnd(c.blk, in.v)
		case in.fn == nil && in.op != kir.OpCheck:
			changes = i
		}
		for _, a := range in.v.Args {
			if _, ok := last[a.ID]; !ok {
				last[a.ID] = i
			}
			if in.same {
				last[a.ID] = max(last[a.ID], last[in.dst])
			}
		}
	}
}

// compileEdge orders the moves of e as if they were made at once.
func (p *Program) compileEdge(e kir.Edge) edge {
	out := edge{to: e.To.ID}
	written := make(map[int]int) // register to the number of the move that writes it
	for i, prm := range e.To.Params {
		written[prm.ID] = i
	}
	var saves []move
	for i, prm := range e.To.Params {
		src := e.Args[i].ID
		if src == prm.ID {
			continue
		}
		if w, ok := written[src]; ok && w < i {
			p.regs = append(p.regs, regInfo{slot: p.slots, typ: prm.Type})
			p.slots++
			saves = append(saves, move{dst: len(p.regs) - 1, src: src, spare: true})
			src = len(p.regs) - 1
		}
		out.moves = append(out.moves, move{dst: prm.ID, src: src})
	}
	out.moves = append(saves, out.moves...)
	return out
}

// assignSlots gives each value a lane array and returns which values are local to their block, which have the same
// lanes as their operands, and which have an array alone. Those that are local share arrays when their lives do not
// overlap: a small working set stays in the CPU's caches. A value that is passed to a parameter of a block does not, so
// that the parameter can take its array over.
func (p *Program) assignSlots() (local, same, alone []bool) {
	local, same, alone = make([]bool, p.f.NumValues()), make([]bool, p.f.NumValues()), make([]bool, p.f.NumValues())
	lastUse := make([]int, p.f.NumValues())
	for _, blk := range p.f.Blocks {
		for i, v := range blk.Values {
			if !fixed(v) {
				// What a barrier brings is set when it opens, by whoever comes last.
				local[v.ID], lastUse[v.ID] = v.Type != kir.Void && !v.Op.IsBarrier(), i
			}
		}
	}
	for _, blk := range p.f.Blocks {
		blk.EachUse(func(v **kir.Value) {
			if (*v).Block != blk {
				local[(*v).ID] = false
			}
			lastUse[(*v).ID] = len(blk.Values)
		})
		for i, v := range blk.Values {
			for _, a := range v.Args {
				if a.Block == blk && !usedAtEnd(blk, a) {
					lastUse[a.ID] = i
				}
				// it is read when the barrier opens, after other threads have been here and elsewhere
				if v.Op.IsBarrier() {
					local[a.ID] = false
				}
			}
		}
	}
	for _, blk := range p.f.Blocks {
		for i := len(blk.Values) - 1; i >= 0; i-- { // the last of a row of conversions first
			v := blk.Values[i]
			if same[v.ID] = v.Op == kir.OpConvert && sameBits(v.Args[0].Type, v.Type) && local[v.ID] && local[v.Args[0].ID] && v.Args[0].Block == blk && !usedAtEnd(blk, v); same[v.ID] {
				lastUse[v.Args[0].ID] = max(lastUse[v.Args[0].ID], lastUse[v.ID])
			}
		}
	}
	var shared []int
	for _, blk := range p.f.Blocks {
		for _, v := range blk.Params {
			p.regs[v.ID] = regInfo{p.slots, v.Type}
			p.slots++
			alone[v.ID] = true
		}
		free := append([]int(nil), shared...)
		passed := make(map[*kir.Value]bool)
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				passed[a] = true
			}
		}
		chained := p.arithmetic.chained(blk)
		dying := make(map[int][]int) // position in the block to the slots whose values die there
		for i, v := range blk.Values {
			slot := p.slots
			shares := local[v.ID] && !passed[v]
			alone[v.ID] = !shares && !fixed(v) && !v.Op.IsBarrier()
			if v.Type == kir.Void {
				slot = -1
			} else if shares && len(free) > 0 {
				slot, free = free[len(free)-1], free[:len(free)-1]
			} else {
				p.slots++
				if shares {
					shared = append(shared, slot)
				}
			}
			if slot >= 0 {
				p.regs[v.ID] = regInfo{slot, v.Type}
			}
			if shares {
				last := lastUse[v.ID]
				// A tape writes results before it has read all that it begins with, and integers are computed first.
				if last < len(chained) && chained[last] >= 0 && (chained[i] != chained[last] || v.Type.IsInteger()) {
					last = chained[last]
				}
				dying[last] = append(dying[last], slot)
			}
			free = append(free, dying[i]...) // after v has its slot: a result never overlaps an operand
		}
	}
	return local, same, alone
}

// sameBits reports whether values of one type are those of the other but for their signs.
func sameBits(a, b kir.Type) bool { return a.IsInteger() && b.IsInteger() && a.Bytes() == b.Bytes() }

func usedAtEnd(blk *kir.Block, v *kir.Value) bool {
	if blk.Term.Kind == kir.TermBranch && blk.Term.Cond == v {
		return true
	}
	for _, e := range blk.Term.Edges() {
		for _, a := range e.Args {
			if a == v {
				return true
			}
		}
	}
	return false
}
