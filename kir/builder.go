package kir

import (
	"fmt"
	"math"
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
	b.f.sortBlocks()
	if err := Verify(b.f); err != nil {
		return nil, err
	}
	return b.f, nil
}

// Param adds a kernel parameter of type t; a device pointer is a U64.
func (b *Builder) Param(name string, t Type) *Value {
	off := b.f.ParamBytes()
	size := t.Bytes()
	off = (off + size - 1) / size * size
	b.f.Params = append(b.f.Params, Param{Name: name, Type: t, Offset: off})
	v := b.emit(OpParam, t)
	v.Imm, v.Note = uint64(len(b.f.Params)-1), name
	return v
}

// SharedArray adds an array of n elements to the block's shared memory and returns its address.
func (b *Builder) SharedArray(name string, elem Type, n int) *Value {
	size := elem.Bytes()
	off := (b.f.SharedBytes() + size - 1) / size * size
	b.f.Shared = append(b.f.Shared, SharedArray{Name: name, Elem: elem, Len: n, Offset: off})
	v := b.emit(OpShared, U64)
	v.Imm, v.Note = uint64(len(b.f.Shared)-1), name
	return v
}

// NewBlock adds a block with parameters of the given types. It does not become current.
func (b *Builder) NewBlock(name string, params ...Type) *Block {
	blk := &Block{ID: len(b.f.Blocks), Name: name}
	for _, t := range params {
		b.BlockParam(blk, t)
	}
	b.f.Blocks = append(b.f.Blocks, blk)
	return blk
}

// BlockParam adds a parameter of type t to blk and returns it. Who adds one to a block that edges lead to already must add
// the argument to each of them.
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

// Special returns the special register s, a U32.
func (b *Builder) Special(s Special) *Value {
	v := b.emit(OpSpecial, U32)
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
	if len(args) != op.NArgs() || len(args) == 0 {
		panic(fmt.Sprintf("kir: %v takes %d operands, not %d", op, op.NArgs(), len(args)))
	}
	t := args[0].Type
	switch {
	case op.IsCompare():
		t = Bool
	case op == OpSelect:
		t = args[1].Type
	case op == OpLoad || op == OpStore || op == OpConvert:
		panic(fmt.Sprintf("kir: %v has a method of its own", op))
	}
	return b.emit(op, t, args...)
}

// Convert returns x as type t. Integers wrap or extend by their sign; a float becomes an integer by truncation, saturating,
// with NaN giving 0; a number becomes a bool as x != 0, a bool a number as 0 or 1. A value of type t is returned as it is.
func (b *Builder) Convert(t Type, x *Value) *Value {
	if x.Type == t {
		return x
	}
	return b.emit(OpConvert, t, x)
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

// Barrier waits for all live threads of the block.
func (b *Builder) Barrier() { b.emit(OpBarrier, Void) }

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
