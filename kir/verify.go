package kir

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// typeSet is a set of types, as a bit for each.
type typeSet uint32

func setOf(is func(Type) bool) (s typeSet) {
	for t := Bool; t < NumTypes; t++ {
		if is(t) {
			s |= 1 << t
		}
	}
	return s
}

func (s typeSet) has(t Type) bool { return s>>t&1 != 0 }

var (
	floats    = typeSet(1<<F32 | 1<<F64) // that compute
	integers  = setOf(Type.IsInteger)
	numbers   = floats | integers
	anyScalar = numbers | 1<<Bool | 1<<F16
	logicals  = integers | 1<<Bool
	words     = typeSet(1<<I32 | 1<<U32 | 1<<I64 | 1<<U64)
)

// operandTypes gives the type T that the operands of an operation share. Operations that are not here have a rule of
// their own in verifyTypes.
var operandTypes = [NumOps]typeSet{
	OpAdd: numbers, OpSub: numbers, OpMul: numbers, OpDiv: numbers, OpRem: integers,
	OpMin: numbers, OpMax: numbers, OpNeg: numbers, OpAbs: numbers, OpFma: floats,
	OpAnd: logicals, OpOr: logicals, OpXor: logicals, OpNot: logicals,
	OpMulHi: words, OpBrev: words, OpPopc: words, OpClz: words,
	OpEq: numbers | 1<<Bool, OpNe: numbers | 1<<Bool, OpLt: numbers, OpLe: numbers, OpGt: numbers, OpGe: numbers,
	OpSqrt: floats, OpFloor: floats, OpCeil: floats, OpTrunc: floats, OpRint: floats, OpFlush: 1 << F32,
}

// atomicTypes gives the type of the memory that an atomic changes.
var atomicTypes = map[Op]typeSet{
	OpAtomicAdd: words | floats, OpAtomicMin: words, OpAtomicMax: words, OpAtomicAnd: words, OpAtomicOr: words, OpAtomicXor: words,
	OpAtomicExch: words | floats, OpAtomicCAS: words, OpAtomicInc: 1 << U32, OpAtomicDec: 1 << U32,
}

// Takes reports whether o is there for operands of type t, or for memory of that type where it is an atomic. Operations
// whose operands have several types take none.
func (o Op) Takes(t Type) bool { return atomicTypes[o].has(t) || typesOf(o).has(t) }

// typesOf is operandTypes with the elementary functions and what is approximated.
func typesOf(o Op) typeSet {
	switch {
	case o.IsElementary():
		return floats
	case o.IsApproximate():
		return 1 << F32
	}
	return operandTypes[o]
}

// VerifyError says what is wrong with a kernel and where.
type VerifyError struct {
	Kernel string
	Block  string // "b2 loop"; empty where the fault is not in a block
	Value  string // the value's line in the text form; empty where the fault is not in a value
	Pos    Pos    // of the source, where known
	Msg    string
}

func (e *VerifyError) Error() string {
	var s strings.Builder
	if e.Pos != (Pos{}) {
		fmt.Fprintf(&s, "%v: ", e.Pos)
	}
	fmt.Fprintf(&s, "kernel %s", e.Kernel)
	if e.Block != "" {
		fmt.Fprintf(&s, ", block %s", e.Block)
	}
	if e.Value != "" {
		fmt.Fprintf(&s, ", %q", e.Value)
	}
	return s.String() + ": " + e.Msg
}

type verifier struct {
	f     *Func
	blk   *Block
	v     *Value
	place map[*Value]int // position in its block; parameters are -1
	idom  []int
}

// Verify checks that f is a well-formed kernel: blocks end and can be reached, operands have the number and types that
// the operation wants, every value is defined on all ways to where it is used, edges bring what their targets'
// parameters want. Its error is a *VerifyError.
func Verify(f *Func) error {
	c := &verifier{f: f, place: make(map[*Value]int)}
	for _, step := range []func() error{c.header, c.blocks, c.definitions, c.uses} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (c *verifier) errorf(format string, args ...any) error {
	e := &VerifyError{Kernel: c.f.Name, Msg: fmt.Sprintf(format, args...)}
	if c.blk != nil {
		e.Block, e.Pos = blockName(c.blk), c.blk.Term.Pos
	}
	if c.v != nil {
		e.Value, e.Pos = c.v.Text(), c.v.Pos
	}
	return e
}

func (c *verifier) header() error {
	end := 0
	for i, p := range c.f.Params {
		if !anyScalar.has(p.Type) && !(p.Type == Void && p.Size > 0) {
			return c.errorf("parameter %d (%s) has type %v", i, p.Name, p.Type)
		}
		if size := max(p.Type.Bytes(), 1); p.Offset < end || p.Offset%size != 0 {
			return c.errorf("parameter %d (%s) is at byte %d: it overlaps the one before or is not aligned to %d", i, p.Name, p.Offset, size)
		}
		end = p.Offset + p.Bytes()
	}
	if err := c.arrays("shared", c.f.Shared); err != nil {
		return err
	}
	if err := c.arrays("local", c.f.Local); err != nil {
		return err
	}
	if err := c.arrays("const", c.f.Const); err != nil {
		return err
	}
	if len(c.f.Blocks) == 0 {
		return c.errorf("it has no blocks")
	}
	return nil
}

func (c *verifier) arrays(space string, arrays []Array) error {
	end := 0
	for i, a := range arrays {
		dynamic := space == "shared" && a.Len == 0 && bytesOf(arrays[i:]) == a.Offset
		if !anyScalar.has(a.Elem) || a.Len <= 0 && !dynamic {
			return c.errorf("%s array %d (%s) is %d elements of %v", space, i, a.Name, a.Len, a.Elem)
		}
		if size := a.Elem.Bytes(); a.Offset < end || a.Offset%size != 0 {
			return c.errorf("%s array %d (%s) is at byte %d: it overlaps the one before or is not aligned to %d", space, i, a.Name, a.Offset, size)
		}
		if a.From != 0 && (space != "const" || a.Data != nil || a.From < 0 || a.From > len(c.f.Params) || c.f.Params[a.From-1].Type != U64) {
			return c.errorf("%s array %d (%s) is filled from parameter %d, which must be an address, and has %d bytes of data", space, i, a.Name, a.From-1, len(a.Data))
		}
		if space == "const" && a.From == 0 && len(a.Data) != a.Bytes() {
			return c.errorf("const array %d (%s) has %d bytes of data for its %d", i, a.Name, len(a.Data), a.Bytes())
		}
		end = a.Offset + a.Bytes()
	}
	return nil
}

func (c *verifier) blocks() error {
	for i, blk := range c.f.Blocks {
		c.blk = blk
		if blk.ID != i {
			return c.errorf("its ID is %d but it is block number %d", blk.ID, i)
		}
		if k := blk.Term.Kind; k == TermNone || k > TermReturn {
			return c.errorf("it does not end: a block needs a jump, a branch or a return")
		}
		for _, e := range blk.Term.Edges() {
			if e.To == nil || e.To.ID < 0 || e.To.ID >= len(c.f.Blocks) || c.f.Blocks[e.To.ID] != e.To {
				return c.errorf("it leads to a block that is not of this kernel")
			}
		}
	}
	c.blk = c.f.Blocks[0]
	if len(c.blk.Params) > 0 {
		return c.errorf("the entry block has parameters; nothing brings their values")
	}
	c.idom = flow.Dominators(c.f.Succs(), 0)
	for i, blk := range c.f.Blocks {
		if c.blk = blk; c.idom[i] < 0 {
			return c.errorf("no way leads to it")
		}
	}
	return nil
}

func (c *verifier) definitions() error {
	ids := make(map[int]bool)
	define := func(v *Value, place int) error {
		c.v = v
		switch {
		case v.Block != c.blk:
			return c.errorf("the value stands here but says that it is of another block")
		case v.ID < 0 || v.ID >= c.f.nextID || ids[v.ID]:
			return c.errorf("the value's ID is used twice or not less than %d", c.f.nextID)
		case v.Op == OpInvalid || v.Op >= NumOps || v.Type >= NumTypes:
			return c.errorf("the operation or the type is unknown")
		case (v.Op == OpArg) != (place < 0):
			return c.errorf("a block's parameters are args, and no other values are")
		}
		ids[v.ID], c.place[v] = true, place
		return nil
	}
	for _, blk := range c.f.Blocks {
		c.blk = blk
		for i, v := range blk.Params {
			if err := define(v, -1); err != nil {
				return err
			}
			if v.Imm != uint64(i) || !anyScalar.has(v.Type) {
				return c.errorf("parameter %d of the block has number %d and type %v", i, v.Imm, v.Type)
			}
		}
		for i, v := range blk.Values {
			if err := define(v, i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *verifier) uses() error {
	for _, blk := range c.f.Blocks {
		c.blk = blk
		for i, v := range blk.Values {
			c.v = v
			for _, a := range v.Args {
				if err := c.visible(a, i); err != nil {
					return err
				}
			}
			if err := c.verifyTypes(v); err != nil {
				return err
			}
			if v.Access != Ordinary && v.Op != OpStore && v.Op != OpLoad || (v.Access == Steady || v.Access == Bypass || v.Access == Polled) && v.Op == OpStore || int(v.Access) >= len(accessNames) {
				return c.errorf("only loads and stores are volatile or async, only loads are steady, polled or bypass a cache")
			}
			if v.Vec != 0 && !vectorAt(blk.Values[i:]) {
				return c.errorf("it begins a vector access of %d, which needs %d accesses here, side by side", v.Vec, v.Vec)
			}
		}
		c.v = nil
		if t := &blk.Term; t.Kind == TermBranch {
			if err := c.visible(t.Cond, len(blk.Values)); err != nil {
				return err
			}
			if t.Cond.Type != Bool {
				return c.errorf("the branch's condition v%d is %v, not bool", t.Cond.ID, t.Cond.Type)
			}
		}
		for _, e := range blk.Term.Edges() {
			if len(e.Args) != len(e.To.Params) {
				return c.errorf("the edge to %s brings %d values for its %d parameters", blockName(e.To), len(e.Args), len(e.To.Params))
			}
			for i, a := range e.Args {
				if err := c.visible(a, len(blk.Values)); err != nil {
					return err
				}
				if p := e.To.Params[i]; a.Type != p.Type {
					return c.errorf("the edge to %s brings v%d, %v, for parameter %d, %v", blockName(e.To), a.ID, a.Type, i, p.Type)
				}
			}
		}
	}
	return nil
}

// visible reports an error unless a is defined on every way to position place of the current block.
func (c *verifier) visible(a *Value, place int) error {
	if a == nil {
		return c.errorf("an operand is missing")
	}
	at, ok := c.place[a]
	switch {
	case !ok:
		return c.errorf("it uses v%d, which no block of the kernel defines", a.ID)
	case a.Type == Void:
		return c.errorf("it uses v%d, which has no result", a.ID)
	case a.Block == c.blk && at >= place:
		return c.errorf("it uses v%d before its definition", a.ID)
	case !flow.Dominates(c.idom, a.Block.ID, c.blk.ID):
		return c.errorf("it uses v%d of block %s, which not every way to here goes through", a.ID, blockName(a.Block))
	}
	return nil
}

func (c *verifier) verifyTypes(v *Value) error {
	if want := v.Op.NArgs(); len(v.Args) != want && want >= 0 {
		return c.errorf("%v takes %d operands, not %d", v.Op, want, len(v.Args))
	}
	arg := func(i int) Type { return v.Args[i].Type }
	ok := true
	switch v.Op {
	case OpConst:
		ok = anyScalar.has(v.Type) && v.Imm == Canonical(v.Type, v.Imm)
	case OpParam:
		n, off := v.ParamRef()
		if ok = n < len(c.f.Params) && anyScalar.has(v.Type); ok {
			p := c.f.Params[n]
			ok = p.Type == v.Type && off == 0 || p.Type == Void && off+v.Type.Bytes() <= p.Size && (p.Offset+off)%v.Type.Bytes() == 0
		}
	case OpSpecial:
		ok = v.Imm < uint64(NumSpecials) && v.Type == Special(v.Imm).Type()
	case OpShared:
		ok = v.Imm < uint64(len(c.f.Shared)) && v.Type == U64
	case OpLocal:
		ok = v.Imm < uint64(len(c.f.Local)) && v.Type == U64
	case OpConstTable:
		ok = v.Imm < uint64(len(c.f.Const)) && v.Type == U64
	case OpPopc, OpClz:
		ok = words.has(arg(0)) && v.Type == U32
	case OpShl, OpShr:
		ok = integers.has(v.Type) && arg(0) == v.Type && arg(1) == U32
	case OpSelect:
		ok = arg(0) == Bool && anyScalar.has(v.Type) && arg(1) == v.Type && arg(2) == v.Type
	case OpConvert:
		ok = anyScalar.has(v.Type) && anyScalar.has(arg(0))
	case OpLoad:
		ok = arg(0) == U64 && anyScalar.has(v.Type) && v.Space < NumSpaces
	case OpStore:
		ok = arg(0) == U64 && anyScalar.has(arg(1)) && v.Type == Void && v.Space < Const
	case OpBitcast:
		ok = arg(0) != Bool && v.Type != Bool && anyScalar.has(v.Type) && arg(0).Bytes() == v.Type.Bytes()
	case OpFence:
		ok = v.Type == Void && v.Imm < uint64(numScopes)
	case OpCopyCommit, OpCopyWait:
		ok = v.Type == Void
	case OpSharedOf:
		ok = v.Type == U64 && arg(0) == U64 && arg(1) == U32
	case OpBarrier, OpGridBarrier, OpClusterBarrier:
		ok = v.Type == Void
	case OpBarrierCount:
		ok = arg(0) == Bool && v.Type == U32
	case OpBarrierAnd, OpBarrierOr:
		ok = arg(0) == Bool && v.Type == Bool
	case OpWarpBarrier:
		ok = arg(0) == U32 && v.Type == Void
	case OpShuffle:
		ok = v.Type.Bytes() == 4 && arg(0) == v.Type && arg(1) == U32 && arg(2) == U32 && v.Imm == ShuffleOf(v.Imm).Imm()
	case OpVoteAll, OpVoteAny:
		ok = arg(0) == Bool && arg(1) == U32 && v.Type == Bool
	case OpBallot:
		ok = arg(0) == Bool && arg(1) == U32 && v.Type == U32
	case OpMatchAny:
		ok = arg(0).Bytes() >= 4 && arg(1) == U32 && v.Type == U32
	case OpWarpReduce:
		ok = (v.Type == I32 || v.Type == U32) && arg(0) == v.Type && arg(1) == U32 && v.Imm < uint64(numReductions)
	case OpMMA:
		ok = mmaOK(v)
	case OpActiveMask:
		ok = v.Type == U32
	case OpCheck:
		ok = arg(0) == Bool && arg(1) == I64 && arg(2) == I64 && v.Type == Void &&
			v.Imm&0xff < uint64(numChecks) && v.Imm>>8 <= uint64(len(c.f.Strings))
	case OpPrintf:
		ok = v.Type == Void && v.Imm < uint64(len(c.f.Strings))
		for i := range v.Args {
			ok = ok && anyScalar.has(arg(i))
		}
	default:
		if v.Op.IsAtomic() {
			ok = arg(0) == U64 && v.Space <= Shared && atomicTypes[v.Op].has(v.Type)
			for i := 1; i < len(v.Args); i++ {
				ok = ok && arg(i) == v.Type
			}
			break
		}
		t, result := arg(0), v.Type
		if v.Op.IsCompare() {
			ok, result = v.Type == Bool, t
		}
		ok = ok && typesOf(v.Op).has(t) && result == t
		for i := range v.Args {
			ok = ok && arg(i) == t
		}
	}
	if !ok {
		var types []string
		for _, a := range v.Args {
			types = append(types, a.Type.String())
		}
		return c.errorf("%v of (%s) giving %v, number %#x, is not an operation that there is", v.Op, strings.Join(types, ", "), v.Type, v.Imm)
	}
	return nil
}

// Canonical returns bits as a constant of type t holds them: what is beyond the type's width is clear, a bool is 0
// or 1.
func Canonical(t Type, bits uint64) uint64 {
	if t == Bool {
		if bits != 0 {
			return 1
		}
		return 0
	}
	if n := t.Bytes() * 8; n < 64 {
		bits &= 1<<n - 1
	}
	return bits
}
