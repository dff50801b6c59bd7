package paging

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// emitter adds blocks and values to a kernel that is there.
type emitter struct {
	f   *kir.Func
	cur *kir.Block
	of  *kir.Value // the access that is written anew, whose place all has
}

func (e *emitter) block(name string, params ...kir.Type) *kir.Block {
	blk := &kir.Block{ID: len(e.f.Blocks), Name: name}
	for i, t := range params {
		blk.Params = append(blk.Params, &kir.Value{ID: e.f.NewID(), Op: kir.OpArg, Type: t, Imm: uint64(i), Block: blk, Pos: e.of.Pos})
	}
	e.f.Blocks = append(e.f.Blocks, blk)
	return blk
}

func (e *emitter) begin(blk *kir.Block) { e.cur = blk }

func (e *emitter) emit(op kir.Op, t kir.Type, args ...*kir.Value) *kir.Value {
	v := &kir.Value{ID: e.f.NewID(), Op: op, Type: t, Args: args, Block: e.cur, Pos: e.of.Pos}
	e.cur.Values = append(e.cur.Values, v)
	return v
}

func (e *emitter) bits(t kir.Type, x uint64) *kir.Value {
	v := e.emit(kir.OpConst, t)
	v.Imm = kir.Canonical(t, x)
	return v
}

// op is an operation whose result has the type of its first operand.
func (e *emitter) op(op kir.Op, x *kir.Value, args ...*kir.Value) *kir.Value {
	t := x.Type
	if op.IsCompare() {
		t = kir.Bool
	}
	return e.emit(op, t, append([]*kir.Value{x}, args...)...)
}

// with is op with a constant.
func (e *emitter) with(op kir.Op, x *kir.Value, c uint64) *kir.Value {
	t := x.Type
	if op == kir.OpShl || op == kir.OpShr {
		t = kir.U32
	}
	return e.op(op, x, e.bits(t, c))
}

func (e *emitter) is(x *kir.Value, c uint64) *kir.Value { return e.with(kir.OpEq, x, c) }

func (e *emitter) u64(x *kir.Value) *kir.Value { return e.emit(kir.OpConvert, kir.U64, x) }
func (e *emitter) u32(x *kir.Value) *kir.Value { return e.emit(kir.OpConvert, kir.U32, x) }

func (e *emitter) load(t kir.Type, at *kir.Value, off int64, a kir.Access) *kir.Value {
	v := e.emit(kir.OpLoad, t, at)
	v.Space, v.Imm, v.Access = kir.Global, uint64(off), a
	return v
}

func (e *emitter) store(at *kir.Value, off int64, x *kir.Value) {
	v := e.emit(kir.OpStore, kir.Void, at, x)
	v.Space, v.Imm, v.Access = kir.Global, uint64(off), kir.Volatile
}

func (e *emitter) atomic(op kir.Op, at *kir.Value, off int64, args ...*kir.Value) *kir.Value {
	v := e.emit(op, args[0].Type, append([]*kir.Value{at}, args...)...)
	v.Space, v.Imm = kir.Global, uint64(off)
	return v
}

// state is an atomic on a state with a constant.
func (e *emitter) state(op kir.Op, at *kir.Value, c uint32) *kir.Value {
	return e.atomic(op, at, 0, e.bits(kir.U32, uint64(c)))
}

func (e *emitter) fence(s kir.Scope) { e.emit(kir.OpFence, kir.Void).Imm = uint64(s) }

// check ends the run where ok is false.
func (e *emitter) check(ok, code, y *kir.Value) {
	i := slices.Index(e.f.Strings, CheckText)
	if i < 0 {
		i = len(e.f.Strings)
		e.f.Strings = append(e.f.Strings, CheckText)
	}
	v := e.emit(kir.OpCheck, kir.Void, ok, e.emit(kir.OpConvert, kir.I64, code), e.emit(kir.OpConvert, kir.I64, y))
	v.Imm, v.Note = uint64(kir.CheckPanic)|uint64(i+1)<<8, e.of.Note
}

func (e *emitter) jump(to *kir.Block, args ...*kir.Value) {
	e.cur.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: to, Args: args}}, Pos: e.of.Pos}
}

// branch ends the block; each way is a block or an edge.
func (e *emitter) branch(cond *kir.Value, yes, no any) {
	edge := func(x any) kir.Edge {
		if blk, ok := x.(*kir.Block); ok {
			return kir.Edge{To: blk}
		}
		return x.(kir.Edge)
	}
	e.cur.Term = kir.Term{Kind: kir.TermBranch, Cond: cond, To: [2]kir.Edge{edge(yes), edge(no)}, Pos: e.of.Pos}
}

func to(blk *kir.Block, args ...*kir.Value) kir.Edge { return kir.Edge{To: blk, Args: args} }
