package simgpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// code is a kernel as the timing model sees it: machine instructions with their units, times and dependences.
type code struct {
	f      *kir.Func // in the order in which the machine executes it
	blocks []codeBlock
	lines  []trace.Line // what an instr's line means; counts are 0
	join   []int        // immediate post-dominators, for Divergence
	sync   []int        // see reconvergences
	values int          // size of a scoreboard
	local  int          // bytes of local memory of a thread

	spillStores, spillLoads int // bytes of values without a register, of all instructions once

	accesses int // of all blocks
}

type codeBlock struct {
	instrs  []instr
	to      [2]codeEdge
	branch  int32 // line of the branch that ends it, or -1
	count   int64 // machine instructions in it
	flops   flops // in it, of one thread
	returns bool  // it is the last of its threads
	forks   bool  // a branch ends it
	under   bool  // it is one of the sides of the block before it
	sides   []int // blocks that the branch at its end leads to under a predicate: a warp issues them also where no lane goes there

	memory      []memoryOp // in it, in the order in which they are recorded
	firstAccess int        // number of the first of them among those of all blocks
}

// from returns the place in the block's values of the first that instruction number pc executes.
func (b *codeBlock) from(pc int) int {
	if pc == 0 {
		return 0
	}
	return int(b.instrs[pc-1].value) + 1
}

// memoryOp is a memory operation of a block.
type memoryOp struct {
	value int // ID of the kir.Value
	space kir.Space
	instr int // that makes the access; -1 for parts of a vector access other than the first
}

// codeEdge is what a way to a block does to the scoreboard: each parameter becomes ready when its argument does.
type codeEdge struct {
	block int
	moves []move
}

type move struct {
	dst  int32
	deps []int32
}

type kind uint8

const (
	kindPlain kind = iota
	kindFence
	kindBarrier
	kindEnd  // the branch, jump or exit that ends a block
	kindLoad // from here on they access memory, or wait for accesses
	kindStore
	kindAtomic
	kindReduce // an atomic whose result nobody uses
	kindCopy   // from global to shared memory, which the warp does not wait for
	kindCommit // of such copies
	kindWait   // for all groups of them but some
)

// instr is a machine instruction, or count equal ones that one operation takes.
type instr struct {
	deps   []int32 // values that it waits for
	dst    int32   // the value that it makes, or -1
	access int32   // memory operations: which one in the block of the kir.Program, whose accesses are recorded
	line   int32
	value  int32 // place in the block's values of the last one that it executes
	count  int32
	gap    int64 // cycles between the instructions of a sequence
	time   int64 // cycles from issue to a dependent issue
	busy   int64 // cycles that the unit takes no other
	port   Unit  // whose lanes it occupies; of a sequence on several units, the first one's
	steps  []sequenceStep
	memory bool // it goes through the SM's memory pipeline
	times  bool // a product that the multipliers of UnitSpecial take when they are free
	meets  bool // lanes wait for others of their warp
	bypass bool // a load that L1 does not keep
	left   int  // of a kindWait: groups that it does not wait for
	kind   kind
	space  kir.Space
	bytes  uint8
}

// sequenceStep is the unit of one of the instructions of a sequence, and how long that takes no other.
type sequenceStep struct {
	port Unit
	busy int64
}

// unit returns the unit that instruction number done of a sequence occupies, and for how many cycles.
func (in *instr) unit(done int) (port Unit, busy int64) {
	if in.steps == nil {
		return in.port, in.busy
	}
	return in.steps[done].port, in.steps[done].busy
}

// newCode lowers f, a kir.Program's Func or what kir.Schedule made of it, for the machine p: short sides of branches
// under predicates, unless they are to be as they are written. recorded is the Program's.
func newCode(p *Preset, f, recorded *kir.Func, written bool) *code {
	l := newLowering(p, f)
	l.access = accessNumbers(recorded)
	if !written {
		l.predicated = opt.Predicate(f, func(v *kir.Value) int { return l.cost(v).count })
	}
	flow := kir.FlowOf(f)
	c := &code{f: f, blocks: make([]codeBlock, len(f.Blocks)), join: flow.Join, sync: reconvergences(f.Succs(), flow.Divide), values: f.NumValues(), local: f.LocalBytes()}
	for i, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Space != kir.Local || !v.Op.IsMemory() || v.Args[0].Op != kir.OpLocal || f.Local[v.Args[0].Imm].Name != "spilled" {
				continue
			}
			if v.Op == kir.OpStore {
				c.spillStores += v.Args[1].Type.Bytes()
			} else {
				c.spillLoads += v.Type.Bytes()
			}
		}
		c.blocks[i] = l.block(b)
		c.blocks[i].firstAccess = c.accesses
		c.accesses += len(c.blocks[i].memory)
	}
	for i, b := range f.Blocks {
		for _, e := range b.Term.Edges() {
			if to := e.To.ID; b.Term.Kind == kir.TermBranch && l.predicated.Under != nil && l.predicated.Under[to] != nil && len(c.blocks[to].instrs) > 0 {
				c.blocks[i].sides = append(c.blocks[i].sides, to)
				c.blocks[to].under = true
			}
		}
	}
	c.lines = l.lines
	return c
}

func newLowering(p *Preset, f *kir.Func) lowering {
	return lowering{preset: p, users: usersOf(f), rounded: roundedCalls(p, f), low: opt.LowWords(f), async: p.copiesAsync(), roots: map[*kir.Value][]int32{}, source: f.Line}
}

// copiesAsync reports whether the machine copies from global to shared memory while warps go on. Elsewhere such a copy
// is a load and a store, as CUDA compiles it.
func (p *Preset) copiesAsync() bool { return p.Capability != "" && !older(p.Capability, "8.0") }

// reads reports whether in brings what is in memory, and changes none.
func (in *instr) reads() bool { return in.kind == kindLoad || in.kind == kindCopy }

// accessNumbers returns, by the IDs of memory operations, which one in its block each is.
func accessNumbers(f *kir.Func) []int32 {
	numbers := make([]int32, f.NumValues())
	for _, b := range f.Blocks {
		n := int32(0)
		for _, v := range b.Values {
			if v.Op.IsMemory() {
				numbers[v.ID] = n
				n++
			}
		}
	}
	return numbers
}

// usersOf returns the values that use each value, by ID; nil stands for a use by a branch or an edge.
func usersOf(f *kir.Func) [][]*kir.Value {
	users := make([][]*kir.Value, f.NumValues())
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				users[a.ID] = append(users[a.ID], v)
			}
		}
		if b.Term.Cond != nil {
			users[b.Term.Cond.ID] = append(users[b.Term.Cond.ID], nil)
		}
		for _, e := range b.Term.Edges() {
			for _, a := range e.Args {
				users[a.ID] = append(users[a.ID], nil)
			}
		}
	}
	return users
}

type lowering struct {
	preset  *Preset
	users   [][]*kir.Value
	rounded opt.RoundedCalls
	async   bool   // the machine copies to shared memory without the warp's waiting
	low     []bool // by ID: what takes 32 bits of 64
	roots   map[*kir.Value][]int32
	access  []int32

	predicated opt.Predication
	lines      []trace.Line
	source     func(kir.Pos) string
}

// line notes a line of the kernel and returns its number.
func (l *lowering) line(b *kir.Block, text, note string, pos kir.Pos) int32 {
	l.lines = append(l.lines, trace.Line{Block: b.ID, Text: text, Note: note, Pos: pos.String(), Source: l.source(pos)})
	return int32(len(l.lines) - 1)
}

func (l *lowering) block(b *kir.Block) (out codeBlock) {
	out = codeBlock{branch: -1, returns: b.Term.Kind == kir.TermReturn, forks: b.Term.Kind == kir.TermBranch}
	defer func() {
		for i := range out.instrs {
			out.count += int64(out.instrs[i].count)
		}
	}()
	for _, v := range b.Values {
		if v.Op.IsMemory() {
			out.memory = append(out.memory, memoryOp{})
		}
	}
	parts := 0 // of a vector access, that are left
	var whole *kir.Value
	for i, v := range b.Values {
		out.flops.add(l.flops(v), 1)
		c := l.cost(v)
		if parts > 0 && v.Op == kir.OpMMA {
			parts--
			l.roots[v] = []int32{int32(whole.ID)}
			continue
		}
		if parts > 0 { // its results come with the first one's
			parts--
			out.memory[l.access[v.ID]] = memoryOp{v.ID, v.Space, -1}
			if v.Op == kir.OpLoad {
				l.roots[v] = []int32{int32(whole.ID)}
			}
			continue
		}
		if c.count == 0 {
			continue
		}
		args := v.Args
		if l.predicated.Under != nil && l.predicated.Under[b.ID] != nil {
			args = append(slices.Clip(args), l.predicated.Under[b.ID])
		}
		in := l.instr(c, args)
		if l.preset.MemoryOnFP32 && l.operand(v) {
			in.port = UnitMemory
		}
		in.line, in.value = l.line(b, v.Text(), v.Note, v.Pos), int32(i)
		if divides(v) {
			in.divided(l.preset)
		}
		in.times = l.preset.Multipliers > 0 && v.Op == kir.OpMul && v.Type == kir.F32
		in.meets = v.Op.IsWarp() && v.Op != kir.OpActiveMask
		if v.Type != kir.Void {
			in.dst = int32(v.ID)
		}
		switch {
		case v.Op == kir.OpLoad && l.async && kir.CopiesAsync(b.Values[i:]):
			in.kind, in.space, in.bytes, in.dst = kindCopy, v.Space, uint8(v.Type.Bytes()), -1
			parts, whole = 1, v
			in.value++
			in.access = l.access[v.ID]
			out.memory[in.access] = memoryOp{v.ID, v.Space, len(out.instrs)}
		case v.Op == kir.OpCopyCommit:
			in.kind = kindCommit
		case v.Op == kir.OpCopyWait:
			in.kind, in.left = kindWait, int(v.Imm)
		case v.Op == kir.OpMMA:
			parts, whole = kir.MMATogether(b.Values[i:])-1, v
			in.value += int32(parts)
		case v.Op.IsMemory():
			in.kind, in.space, in.bytes = kindLoad, v.Space, uint8(v.Type.Bytes())
			in.bypass = v.Access == kir.Bypass
			switch {
			case v.Op == kir.OpStore:
				in.kind, in.bytes = kindStore, uint8(v.Args[1].Type.Bytes())
			case v.Op.IsAtomic() && len(l.users[v.ID]) > 0:
				in.kind = kindAtomic
			case v.Op.IsAtomic():
				in.kind, in.dst = kindReduce, -1
			}
			if v.Vec > 0 {
				parts, whole = int(v.Vec)-1, v
				in.value += int32(parts)
				in.bytes *= v.Vec
			}
			in.access = l.access[v.ID]
			out.memory[in.access] = memoryOp{v.ID, v.Space, len(out.instrs)}
		case v.Op.IsBarrier():
			in.kind, in.time = kindBarrier, int64(l.preset.BarrierLatency)
		case v.Op == kir.OpFence && kir.Scope(v.Imm) != kir.BlockScope: // what was written has come to L2
			in.kind, in.time = kindFence, int64(l.preset.L1Latency+l.preset.L2Latency)
		case v.Op == kir.OpShuffle: // through the crossbar of shared memory
			in.time = int64(l.preset.SharedLatency)
		}
		out.instrs = append(out.instrs, in)
	}
	for i, e := range b.Term.Edges() {
		out.to[i] = l.edge(e)
	}
	if l.predicated.NoEnd != nil && l.predicated.NoEnd[b.ID] {
		return out
	}
	// A jump to the next block is not an instruction.
	if b.Term.Kind != kir.TermJump || b.Term.To[0].To.ID != b.ID+1 {
		var cond []*kir.Value
		if b.Term.Kind == kir.TermBranch {
			cond = []*kir.Value{b.Term.Cond}
		}
		end := l.instr(cost{UnitControl, 1, 0}, cond)
		end.kind, end.line, end.value = kindEnd, l.line(b, b.Term.Text(), "", b.Term.Pos), int32(len(b.Values)-1)
		if b.Term.Kind == kir.TermBranch {
			out.branch = end.line
		}
		if n := len(out.instrs); n == 0 || out.instrs[n-1].kind != kindBarrier { // whom a barrier lets go, it sends on
			out.instrs = append(out.instrs, end)
		}
	}
	return out
}

// costOf is the function costOf, but that a function of float64 which float32 surrounds is one of float32.
func (l *lowering) costOf(v *kir.Value) cost {
	if r := l.rounded.Of[v]; r.Name != "" {
		return roundedCosts[r.Name]
	}
	if l.rounded.Inner[v] {
		return cost{}
	}
	c := costOf(v, l.users)
	if c.count > 0 && l.low[v.ID] && opt.LowFollows(v.Op) {
		if v.Op == kir.OpConvert { // from 32 bits, of which no sign is wanted, or from the low half
			return cost{}
		}
		return costs[v.Op][column(kir.U32)]
	}
	return c
}

// flops is the function flopsOf, with the same exception.
func (l *lowering) flops(v *kir.Value) flops {
	if r := l.rounded.Of[v]; r.Name != "" {
		return flops{f32: 2 * int64(roundedCosts[r.Name].count)}
	}
	if l.rounded.Inner[v] {
		return flops{}
	}
	return flopsOf(v)
}

// cost returns what v is in instructions of the machine.
func (l *lowering) cost(v *kir.Value) cost {
	c := l.costOf(v)
	if v.Op == kir.OpMMA {
		c.count = l.preset.tensorSteps(v)
	}
	if n := l.preset.IntMultiply; n > 1 && v.Op == kir.OpMul && v.Type.IsInteger() && c.unit == UnitFP32 {
		c.count *= n
	}
	return c
}

func (l *lowering) instr(c cost, args []*kir.Value) instr {
	u := l.preset.Units[c.unit]
	in := instr{port: l.preset.port(c.unit), memory: c.unit == UnitMemory, count: int32(c.count), gap: int64(c.gap), time: int64(u.Latency), busy: int64(l.preset.Interval(c.unit)), dst: -1}
	if c.gap == 0 {
		in.gap = max(1, in.time/2)
	}
	for _, a := range args {
		in.deps = append(in.deps, l.root(a)...)
	}
	return in
}

// operand reports whether v is a word of shared memory that the instruction which uses it takes from there: one operand
// of an instruction of the first machines may be one, and then no load keeps their lanes.
func (l *lowering) operand(v *kir.Value) bool {
	users := l.users[v.ID]
	if v.Op != kir.OpLoad || v.Space != kir.Shared || v.Type.Bytes() != 4 || len(users) != 1 || users[0] == nil {
		return false
	}
	u := users[0]
	if c := l.cost(u); c.count != 1 || c.unit != UnitFP32 && c.unit != UnitInt {
		return false
	}
	for _, a := range u.Args {
		if a.Op == kir.OpLoad && a.Space == kir.Shared {
			return a == v
		}
	}
	return false
}

func (l *lowering) edge(e kir.Edge) codeEdge {
	out := codeEdge{block: e.To.ID}
	for i, a := range e.Args {
		out.moves = append(out.moves, move{int32(e.To.Params[i].ID), l.root(a)})
	}
	return out
}

// root returns the values that must be ready before v is: v itself when an instruction makes it, what it is made of
// when none does, nothing for constants and parameters.
func (l *lowering) root(v *kir.Value) []int32 {
	r, ok := l.roots[v]
	if !ok && (v.Op == kir.OpArg || l.costOf(v).count > 0) {
		return []int32{int32(v.ID)}
	}
	if !ok {
		for _, a := range v.Args {
			r = append(r, l.root(a)...)
		}
		l.roots[v] = r
	}
	return r
}
