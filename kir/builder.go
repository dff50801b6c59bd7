package kir

import (
	"fmt"
	"math"
	"slices"
)

// Builder makes a Func, one value after another, in the current block. Its methods panic on operands of the wrong type:
// that is a mistake in the program that generates the kernel, not in a user's input. Func returns the verified kernel.
type Builder struct {
	f   *Func
	cur *Block
	Pos Pos // given to what is built from now on
}

// NewBuilder begins a kernel with its entry block current.
func NewBuilder(name string) *Builder {
	b := &Builder{f: &Func{Name: name}}
	b.cur = b.NewBlock("entry")
	return b
}

// Func ends the building: it puts the blocks in reverse post-order, verifies the kernel and returns it.
func (b *Builder) Func() (*Func, error) {
	b.f.SortBlocks()
	if err := Verify(b.f); err != nil {
		return nil, err
	}
	return b.f, nil
}

// Param adds a kernel parameter of type t; a device pointer is a U64.
func (b *Builder) Param(name string, t Type) *Value {
	b.f.Params = append(b.f.Params, Param{Name: name, Type: t, Offset: roundUp(b.f.ParamBytes(), t.Bytes())})
	return b.paramValue(len(b.f.Params)-1, 0, t, name)
}

// ParamBlock adds a kernel parameter that is a block of bytes, such as a struct, and returns its number for ParamField.
func (b *Builder) ParamBlock(name string, bytes, align int) int {
	b.f.Params = append(b.f.Params, Param{Name: name, Size: bytes, Offset: roundUp(b.f.ParamBytes(), align)})
	return len(b.f.Params) - 1
}

// ParamField returns the t at a byte offset of a ParamBlock.
func (b *Builder) ParamField(param, offset int, t Type) *Value {
	return b.paramValue(param, offset, t, b.f.Params[param].Name)
}

// Params returns the parameters that there are so far.
func (b *Builder) Params() []Param { return b.f.Params }

// ParamType returns the type of parameter number n.
func (b *Builder) ParamType(n int) Type { return b.f.Params[n].Type }

func (b *Builder) paramValue(param, offset int, t Type, note string) *Value {
	v := b.emit(OpParam, t)
	v.Imm, v.Note = paramImm(param, offset), note
	return v
}

// SharedArray adds an array of n elements to the block's shared memory and returns its address.
func (b *Builder) SharedArray(name string, elem Type, n int) *Value {
	v := b.array(OpShared, &b.f.Shared, Array{Name: name, Elem: elem, Len: n}, elem.Bytes())
	b.dynamicLast()
	return v
}

// dynamicLast puts the array that was added last before the dynamic ones.
func (b *Builder) dynamicLast() {
	shared := b.f.Shared
	last := len(shared) - 1
	first := slices.IndexFunc(shared, func(a Array) bool { return a.Len == 0 })
	if first < 0 || first == last {
		return
	}
	static := shared[last]
	copy(shared[first+1:], shared[first:last])
	static.Offset = roundUp(bytesOf(shared[:first]), static.Elem.Bytes())
	shared[first] = static
	for i := range shared[first+1:] {
		shared[first+1+i].Offset = roundUp(bytesOf(shared[:first+1]), 16)
	}
	for _, blk := range b.f.Blocks {
		for _, v := range blk.Values {
			switch {
			case v.Op != OpShared || v.Imm < uint64(first):
			case v.Imm == uint64(last):
				v.Imm = uint64(first)
			default:
				v.Imm++
			}
		}
	}
}

// DynamicShared adds a shared array whose size the launch gives, aligned to 16 bytes, and returns its address. It
// stands after all static ones.
func (b *Builder) DynamicShared(name string, elem Type) *Value {
	return b.array(OpShared, &b.f.Shared, Array{Name: name, Elem: elem}, 16)
}

// LocalArray adds an array of n elements to each thread's local memory and returns its address.
func (b *Builder) LocalArray(name string, elem Type, n int) *Value {
	return b.array(OpLocal, &b.f.Local, Array{Name: name, Elem: elem, Len: n}, elem.Bytes())
}

// ConstTable adds a table to the kernel's constant memory and returns its address. data holds its elements,
// little-endian.
func (b *Builder) ConstTable(name string, elem Type, data []byte) *Value {
	return b.array(OpConstTable, &b.f.Const, Array{Name: name, Elem: elem, Len: len(data) / elem.Bytes(), Data: data}, elem.Bytes())
}

// AlignedArray adds the array a (its Offset is found here) to the memory that op is an address of, OpShared, OpLocal or
// OpConstTable, aligned to a multiple of align that is a power of two, and returns its address.
func (b *Builder) AlignedArray(op Op, a Array, align int) *Value {
	to := map[Op]*[]Array{OpShared: &b.f.Shared, OpLocal: &b.f.Local, OpConstTable: &b.f.Const}[op]
	return b.array(op, to, a, max(align, a.Elem.Bytes()))
}

// ArrayAddress returns the address of array number n of the memory that op is an address of.
func (b *Builder) ArrayAddress(op Op, n int) *Value {
	v := b.emit(op, U64)
	v.Imm = uint64(n)
	return v
}

func (b *Builder) array(op Op, to *[]Array, a Array, align int) *Value {
	a.Offset = OffsetBehind(*to, align)
	*to = append(*to, a)
	v := b.emit(op, U64)
	v.Imm, v.Note = uint64(len(*to)-1), a.Name
	return v
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// NewBlock adds a block with parameters of the given types. It does not become current.
func (b *Builder) NewBlock(name string, params ...Type) *Block {
	blk := &Block{ID: len(b.f.Blocks), Name: name}
	for _, t := range params {
		b.BlockParam(blk, t)
	}
	b.f.Blocks = append(b.f.Blocks, blk)
	return blk
}

// BlockParam adds a parameter of type t to blk and returns it. Who adds one to a block that edges lead to already must
// add the argument to each of them.
func (b *Builder) BlockParam(blk *Block, t Type) *Value {
	v := b.newValue(OpArg, t)
	v.Imm, v.Block = uint64(len(blk.Params)), blk
	blk.Params = append(blk.Params, v)
	return v
}

// SetBlock makes blk current.
func (b *Builder) SetBlock(blk *Block) { b.cur = blk }

// Block returns the current block.
func (b *Builder) Block() *Block { return b.cur }

// Const returns the constant x, converted to type t.
func (b *Builder) Const(t Type, x float64) *Value {
	switch t {
	case F16:
		return b.Bits(t, uint64(HalfOf(x)))
	case F32:
		return b.Bits(t, uint64(math.Float32bits(float32(x))))
	case F64:
		return b.Bits(t, math.Float64bits(x))
	}
	return b.Int(t, int64(x))
}

// Int returns the integer constant x of integer or bool type t, cut to its width.
func (b *Builder) Int(t Type, x int64) *Value {
	if t.IsFloat() {
		return b.Const(t, float64(x))
	}
	return b.Bits(t, uint64(x))
}

// Bits returns the constant of type t with the given bits; bits beyond the type's width are cleared.
func (b *Builder) Bits(t Type, bits uint64) *Value {
	if t == Bool && bits != 0 {
		bits = 1
	}
	if n := t.Bytes() * 8; n < 64 {
		bits &= 1<<n - 1
	}
	v := b.emit(OpConst, t)
	v.Imm = bits
	return v
}

// Special returns the special register s, of type s.Type().
func (b *Builder) Special(s Special) *Value {
	v := b.emit(OpSpecial, s.Type())
	v.Imm, v.Note = uint64(s), s.String()
	return v
}

// GlobalIDX returns ctaid.x*ntid.x + tid.x as an I64.
func (b *Builder) GlobalIDX() *Value {
	wide := func(s Special) *Value { return b.Convert(I64, b.Special(s)) }
	return b.Op(OpAdd, b.Op(OpMul, wide(CtaidX), wide(NTidX)), wide(TidX))
}

// Op emits an operation without memory whose result type follows from its operands: arithmetic, logic, comparison,
// select, elementary functions.
func (b *Builder) Op(op Op, args ...*Value) *Value {
	if opTable[op].flags&special != 0 {
		panic(fmt.Sprintf("kir: %v has a method of its own", op))
	}
	if len(args) != op.NArgs() || len(args) == 0 {
		panic(fmt.Sprintf("kir: %v takes %d operands, not %d", op, op.NArgs(), len(args)))
	}
	t := args[0].Type
	switch {
	case op.IsCompare():
		t = Bool
	case op == OpSelect:
		t = args[1].Type
	case op == OpPopc || op == OpClz:
		t = U32
	}
	return b.emit(op, t, args...)
}

// Convert returns x as type t. Integers wrap or extend by their sign; a float becomes an integer by truncation,
// saturating, with NaN giving 0; a float becomes another by rounding to nearest even; a number becomes a bool as x !=
// 0, a bool a number as 0 or 1. A value of type t is returned as it is.
func (b *Builder) Convert(t Type, x *Value) *Value {
	if x.Type == t {
		return x
	}
	return b.emit(OpConvert, t, x)
}

// Bitcast returns the bits of x as type t, which has the same size. Between integers it is Convert.
func (b *Builder) Bitcast(t Type, x *Value) *Value {
	if x.Type == t {
		return x
	}
	if x.Type.IsInteger() && t.IsInteger() {
		return b.Convert(t, x)
	}
	return b.emit(OpBitcast, t, x)
}

// Index returns base + i*size, the address of element i (I64) of an array of t at base.
func (b *Builder) Index(base, i *Value, t Type) *Value {
	off := b.Op(OpMul, i, b.Int(I64, int64(t.Bytes())))
	return b.Op(OpAdd, base, b.Convert(U64, off))
}

// Load reads a t at addr in space.
func (b *Builder) Load(space Space, t Type, addr *Value) *Value {
	v := b.emit(OpLoad, t, addr)
	v.Space = space
	return v
}

// Store writes x at addr in space.
func (b *Builder) Store(space Space, addr, x *Value) {
	b.emit(OpStore, Void, addr, x).Space = space
}

// LoadVector reads n (2 or 4) neighbouring elements at addr in space as one access.
func (b *Builder) LoadVector(space Space, t Type, n int, addr *Value) []*Value {
	vs := make([]*Value, n)
	for i := range vs {
		vs[i] = b.Load(space, t, addr)
		vs[i].Imm = uint64(i * t.Bytes())
	}
	vs[0].Vec = uint8(n)
	return vs
}

// StoreVector writes xs, two or four values of one type, side by side at addr in space as one access.
func (b *Builder) StoreVector(space Space, addr *Value, xs ...*Value) {
	for i, x := range xs {
		v := b.emit(OpStore, Void, addr, x)
		v.Space, v.Imm = space, uint64(i*x.Type.Bytes())
		if i == 0 {
			v.Vec = uint8(len(xs))
		}
	}
}

// Atomic emits one of the atomic operations on the T at addr, with its further operands, and returns what stood there.
func (b *Builder) Atomic(op Op, space Space, addr *Value, args ...*Value) *Value {
	v := b.emit(op, args[0].Type, append([]*Value{addr}, args...)...)
	v.Space = space
	return v
}

// CopyAsync copies a t from an address in global memory to one in shared memory; the thread does not wait for it.
func (b *Builder) CopyAsync(t Type, to, from *Value) {
	v := b.Load(Global, t, from)
	v.Access = Async
	s := b.emit(OpStore, Void, to, v)
	s.Space, s.Access = Shared, Async
}

// CopyCommit makes a group of the thread's asynchronous copies since the last one.
func (b *Builder) CopyCommit() { b.emit(OpCopyCommit, Void) }

// CopyWait waits for all groups of the thread but the n newest.
func (b *Builder) CopyWait(n int) { b.emit(OpCopyWait, Void).Imm = uint64(n) }

// Fence orders what the thread writes before and after, for the threads of scope.
func (b *Builder) Fence(scope Scope) { b.emit(OpFence, Void).Imm = uint64(scope) }

// Barrier waits for all live threads of the block.
func (b *Builder) Barrier() { b.emit(OpBarrier, Void) }

// ClusterBarrier waits for all live threads of the block's cluster.
func (b *Builder) ClusterBarrier() { b.emit(OpClusterBarrier, Void) }

// GridBarrier waits for all live threads of the grid.
func (b *Builder) GridBarrier() { b.emit(OpGridBarrier, Void) }

// BarrierReduce is Barrier with OpBarrierCount, OpBarrierAnd or OpBarrierOr of p over the threads that meet.
func (b *Builder) BarrierReduce(op Op, p *Value) *Value {
	if op == OpBarrierCount {
		return b.emit(op, U32, p)
	}
	return b.emit(op, Bool, p)
}

// FullMask returns the mask of all lanes of a warp.
func (b *Builder) FullMask() *Value { return b.Int(U32, -1) }

// WarpBarrier waits for the lanes of mask.
func (b *Builder) WarpBarrier(mask *Value) { b.emit(OpWarpBarrier, Void, mask) }

// Shuffle returns x of the lane that s and lane, a U32, say. x may have any type: one of 64 bits moves in two halves, a
// narrow one as 32 bits.
func (b *Builder) Shuffle(s Shuffle, x, lane, mask *Value) *Value {
	shuffle := func(x *Value) *Value {
		v := b.emit(OpShuffle, x.Type, x, lane, mask)
		v.Imm = s.Imm()
		return v
	}
	switch {
	case x.Type.Bytes() == 4:
		return shuffle(x)
	case x.Type.Bytes() == 8:
		bits, half := b.Bitcast(U64, x), b.Int(U32, 32)
		lo := shuffle(b.Convert(U32, bits))
		hi := shuffle(b.Convert(U32, b.Op(OpShr, bits, half)))
		return b.Bitcast(x.Type, b.Op(OpOr, b.Convert(U64, lo), b.Op(OpShl, b.Convert(U64, hi), half)))
	case x.Type == F16:
		return b.Bitcast(F16, b.Convert(U16, shuffle(b.Convert(U32, b.Bitcast(U16, x)))))
	}
	return b.Convert(x.Type, shuffle(b.Convert(U32, x)))
}

// Vote emits OpVoteAll, OpVoteAny or OpBallot of p, a bool.
func (b *Builder) Vote(op Op, p, mask *Value) *Value {
	if op == OpBallot {
		return b.emit(op, U32, p, mask)
	}
	return b.emit(op, Bool, p, mask)
}

// MatchAny returns the lanes of mask whose x has the bits of the thread's own.
func (b *Builder) MatchAny(x, mask *Value) *Value { return b.emit(OpMatchAny, U32, x, mask) }

// WarpReduce returns r of x, an I32 or U32, over the lanes of mask.
func (b *Builder) WarpReduce(r Reduction, x, mask *Value) *Value {
	v := b.emit(OpWarpReduce, x.Type, x, mask)
	v.Imm = uint64(r)
	return v
}

// ActiveMask returns the lanes that are here with the thread.
func (b *Builder) ActiveMask() *Value { return b.emit(OpActiveMask, U32) }

// Check ends the run with a Trap unless ok. x and y are the figures that kind names, I64; nil is 0. text may be empty.
func (b *Builder) Check(kind CheckKind, ok, x, y *Value, text string) {
	zero := func(v *Value) *Value {
		if v == nil {
			return b.Int(I64, 0)
		}
		return v
	}
	x, y = zero(x), zero(y)
	v := b.emit(OpCheck, Void, ok, x, y)
	v.Imm = uint64(kind)
	if text != "" {
		v.Imm |= (b.text(text) + 1) << 8
	}
}

// Printf prints args in a format of package fmt with a verb for each.
func (b *Builder) Printf(format string, args ...*Value) {
	b.emit(OpPrintf, Void, args...).Imm = b.text(format)
}

// text returns the number of s in the kernel's strings.
func (b *Builder) text(s string) uint64 {
	i := slices.Index(b.f.Strings, s)
	if i < 0 {
		i = len(b.f.Strings)
		b.f.Strings = append(b.f.Strings, s)
	}
	return uint64(i)
}

// Jump ends the current block with a jump to blk.
func (b *Builder) Jump(blk *Block, args ...*Value) {
	b.end(Term{Kind: TermJump, To: [2]Edge{{To: blk, Args: args}}})
}

// Branch ends the current block: to then where cond is true, else to otherwise. Blocks with parameters are reached by
// BranchTo.
func (b *Builder) Branch(cond *Value, then, otherwise *Block) {
	b.BranchTo(cond, Edge{To: then}, Edge{To: otherwise})
}

// BranchTo ends the current block like Branch, with values for the parameters of each target.
func (b *Builder) BranchTo(cond *Value, then, otherwise Edge) {
	b.end(Term{Kind: TermBranch, Cond: cond, To: [2]Edge{then, otherwise}})
}

// Return ends the current block and the thread.
func (b *Builder) Return() { b.end(Term{Kind: TermReturn}) }

func (b *Builder) end(t Term) {
	if b.cur.Term.Kind != TermNone {
		panic("kir: block " + b.cur.Name + " has ended already")
	}
	t.Pos = b.Pos
	b.cur.Term = t
}

func (b *Builder) newValue(op Op, t Type, args ...*Value) *Value {
	v := &Value{ID: b.f.nextID, Op: op, Type: t, Args: args, Pos: b.Pos}
	b.f.nextID++
	return v
}

func (b *Builder) emit(op Op, t Type, args ...*Value) *Value {
	v := b.newValue(op, t, args...)
	v.Block = b.cur
	b.cur.Values = append(b.cur.Values, v)
	return v
}
