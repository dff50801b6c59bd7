package simgpu

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// cost is what an operation is in machine instructions: count of them on one unit, each gap cycles after the one
// before (0: half the unit's latency, since about two chains of a longer sequence overlap).
type cost struct {
	unit       Unit
	count, gap int
}

// costs gives the machine instructions of operations by the type of their operands: integers of up to 32 bits and
// bools, 64-bit integers (the machine has 32-bit registers: two halves), f32, f64. A zero count is an operation that
// needs no instruction. Conversions and 64-bit multiplications are in their own functions.
//
// One or two instructions: as in SASS for compute capability 7.0. Sequences: integer division takes 145 cycles on
// Volta (GPGPU-Sim's tested configuration); correctly rounded f32 division and square root are a reciprocal and some
// fma; the elementary functions are taken as polynomials from exact operations, 10 to 25 instructions in f32 and 20
// to 40 in f64.
var costs = map[kir.Op][4]cost{
	kir.OpAdd: {{UnitInt, 1, 0}, {UnitInt, 2, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}},
	kir.OpSub: {{UnitInt, 1, 0}, {UnitInt, 2, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}},
	// integer multiply-add runs there
	kir.OpMul: {{UnitFP32, 1, 0}, {UnitFP32, 4, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}},
	kir.OpFma: {2: {UnitFP32, 1, 0}, 3: {UnitFP64, 1, 0}},
	kir.OpDiv: {{UnitInt, 20, 7}, {UnitInt, 70, 7}, {UnitFP32, 10, 0}, {UnitFP64, 14, 0}},
	kir.OpRem: {{UnitInt, 22, 7}, {UnitInt, 74, 7}},
	kir.OpMin: {{UnitInt, 1, 0}, {UnitInt, 3, 0}, {UnitFP32, 2, 0}, {UnitFP64, 3, 0}}, // NaN wins: compare and select
	kir.OpMax: {{UnitInt, 1, 0}, {UnitInt, 3, 0}, {UnitFP32, 2, 0}, {UnitFP64, 3, 0}},
	kir.OpNeg: {{UnitInt, 1, 0}, {UnitInt, 2, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}},
	kir.OpAbs: {{UnitInt, 1, 0}, {UnitInt, 3, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}},

	kir.OpAnd: {{UnitInt, 1, 0}, {UnitInt, 2, 0}},
	kir.OpOr:  {{UnitInt, 1, 0}, {UnitInt, 2, 0}},
	kir.OpXor: {{UnitInt, 1, 0}, {UnitInt, 2, 0}},
	kir.OpNot: {{UnitInt, 1, 0}, {UnitInt, 2, 0}},
	kir.OpShl: {{UnitInt, 1, 0}, {UnitInt, 3, 0}},
	kir.OpShr: {{UnitInt, 1, 0}, {UnitInt, 3, 0}},

	kir.OpEq: compares, kir.OpNe: compares, kir.OpLt: compares,
	kir.OpLe: compares, kir.OpGt: compares, kir.OpGe: compares,
	kir.OpSelect: {{UnitInt, 1, 0}, {UnitInt, 2, 0}, {UnitInt, 1, 0}, {UnitInt, 2, 0}},

	// The multiplier gives high words at a quarter of its rate; counting and reversing bits and rounding run on the
	// unit of the conversions. Twice and a little for 64 bits.
	kir.OpMulHi: {{UnitFP32, 4, 0}, {UnitFP32, 12, 0}},
	kir.OpPopc:  {{UnitSpecial, 1, 0}, {UnitSpecial, 3, 0}},
	kir.OpClz:   {{UnitSpecial, 1, 0}, {UnitSpecial, 3, 0}},
	kir.OpBrev:  {{UnitSpecial, 1, 0}, {UnitSpecial, 2, 0}},
	kir.OpFloor: roundings, kir.OpCeil: roundings, kir.OpTrunc: roundings, kir.OpRint: roundings,

	kir.OpSqrt: {2: {UnitFP32, 8, 0}, 3: {UnitFP64, 12, 0}},
	kir.OpExp:  {2: {UnitFP32, 12, 0}, 3: {UnitFP64, 28, 0}},
	kir.OpLog:  {2: {UnitFP32, 20, 0}, 3: {UnitFP64, 36, 0}},
	kir.OpSin:  {2: {UnitFP32, 22, 0}, 3: {UnitFP64, 40, 0}},
	kir.OpCos:  {2: {UnitFP32, 22, 0}, 3: {UnitFP64, 40, 0}},
	kir.OpPow:  {2: {UnitFP32, 25, 0}, 3: {UnitFP64, 40, 0}},

	// what the special function unit has
	kir.OpApproxRcp: special, kir.OpApproxRsqrt: special, kir.OpApproxSqrt: special, kir.OpApproxExp2: special,
	kir.OpApproxLog2: special, kir.OpApproxSin: special, kir.OpApproxCos: special,

	// The instructions of their definitions on the way of common arguments. Those of f32 on the unit of f64 are
	// defined as the f64 function of a short series, rounded.
	kir.OpExp2:      {2: {UnitFP32, 33, 0}, 3: {UnitFP64, 38, 0}},
	kir.OpExpm1:     {2: {UnitFP64, 30, 0}, 3: {UnitFP64, 44, 0}},
	kir.OpLog2:      {2: {UnitFP32, 46, 0}, 3: {UnitFP64, 51, 0}},
	kir.OpLog10:     {2: {UnitFP32, 52, 0}, 3: {UnitFP64, 60, 0}},
	kir.OpLog1p:     {2: {UnitFP64, 57, 0}, 3: {UnitFP64, 79, 0}},
	kir.OpTan:       {2: {UnitFP64, 41, 0}, 3: {UnitFP64, 91, 0}},
	kir.OpAsin:      {2: {UnitFP64, 37, 0}, 3: {UnitFP64, 50, 0}},
	kir.OpAcos:      {2: {UnitFP64, 42, 0}, 3: {UnitFP64, 56, 0}},
	kir.OpAtan:      {2: {UnitFP64, 29, 0}, 3: {UnitFP64, 89, 0}},
	kir.OpAtan2:     {2: {UnitFP64, 59, 0}, 3: {UnitFP64, 123, 0}},
	kir.OpSinh:      {2: {UnitFP64, 39, 0}, 3: {UnitFP64, 64, 0}},
	kir.OpCosh:      {2: {UnitFP64, 34, 0}, 3: {UnitFP64, 55, 0}},
	kir.OpTanh:      {2: {UnitFP64, 55, 0}, 3: {UnitFP64, 58, 0}},
	kir.OpAsinh:     {2: {UnitFP64, 65, 0}, 3: {UnitFP64, 130, 0}},
	kir.OpAcosh:     {2: {UnitFP64, 56, 0}, 3: {UnitFP64, 121, 0}},
	kir.OpAtanh:     {2: {UnitFP64, 49, 0}, 3: {UnitFP64, 117, 0}},
	kir.OpHypot:     {2: {UnitFP64, 23, 0}, 3: {UnitFP64, 84, 0}},
	kir.OpLogAddExp: {2: {UnitFP64, 253, 0}, 3: {UnitFP64, 250, 0}},
	kir.OpErf:       {2: {UnitFP64, 30, 0}, 3: {UnitFP64, 41, 0}},
	kir.OpErfc:      {2: {UnitFP64, 75, 0}, 3: {UnitFP64, 144, 0}},
	kir.OpGamma:     {2: {UnitFP64, 105, 0}, 3: {UnitFP64, 250, 0}},
	kir.OpLGamma:    {2: {UnitFP64, 119, 0}, 3: {UnitFP64, 281, 0}},
	kir.OpSinc:      {2: {UnitFP64, 59, 0}, 3: {UnitFP64, 120, 0}},
	kir.OpCbrt:      {2: {UnitFP32, 37, 0}, 3: {UnitFP64, 91, 0}},
}

// roundedCosts are those of kir.RoundedCall: the instructions of the way through them that all but two arguments in a
// thousand take.
var roundedCosts = map[string]cost{
	"exp": {UnitFP32, 77, 0}, "exp2": {UnitFP32, 77, 0}, "log": {UnitFP32, 78, 0}, "log2": {UnitFP32, 80, 0}, "log10": {UnitFP32, 82, 0},
	"sin": {UnitFP32, 88, 0}, "cos": {UnitFP32, 89, 0}, "tanh": {UnitFP32, 119, 0}, "rsqrt": {UnitFP32, 36, 0}, "pow": {UnitFP32, 176, 0},
}

// roundedCalls returns the functions of float64 in f for which p's compiler takes those of float32, since they occupy
// its units for less time. The results are the same.
func roundedCalls(p *Preset, f *kir.Func) opt.RoundedCalls {
	wide, convert := p.Interval(UnitFP64), 2*p.Interval(UnitSpecial)
	return opt.RoundedCallsOf(f, func(name string, ops []*kir.Value) bool {
		in64 := convert
		for _, v := range ops {
			in64 += costs[v.Op][column(kir.F64)].count * wide
		}
		return roundedCosts[name].count*p.Interval(UnitFP32) <= in64
	})
}

// tensorSteps returns how many instructions a product of matrices is: steps of a scheduler's tensor cores, as long as
// an instruction of UnitFP32, whose slot they take, as Volta's HMMA.884 does. Their rate is that of numbers of 16
// bits; of tf32 it is half, of 8 bits twice that (NVIDIA's tables of A100 and H100), so that all shapes of m16n8 take
// as many steps, and short ones half. A machine without them takes one for each row of products of a warp, and so do
// those after 7.0 for m8n8k4, which "may have substantially reduced performance" there (PTX ISA, mma).
func (p *Preset) tensorSteps(v *kir.Value) int {
	_, s := kir.MMAOf(v.Imm)
	products, of16 := 16*8*s.Form().K, 16*8*16
	if s == kir.MMAQuarters {
		products, of16 = 16*16*4, 16*16*4
	}
	if kir.MMAShort(v) {
		products, of16 = products/2, of16/2
	}
	if p.TensorRate == 0 || s == kir.MMAQuarters && !older(p.Capability, "7.5") {
		return products / kir.WarpSize
	}
	return max(1, of16*p.Schedulers/p.TensorRate/p.Interval(UnitFP32))
}

var special = [4]cost{2: {UnitSpecial, 1, 0}}

var roundings = [4]cost{2: {UnitSpecial, 1, 0}, 3: {UnitSpecial, 1, 0}}

// costsElsewhere are those of operations that are the same for every type. A match compares with each lane in turn;
// what prints writes its format's number and its operands to a buffer, some 40 instructions in all.
var costsElsewhere = map[kir.Op]cost{
	kir.OpLoad: {UnitMemory, 1, 0}, kir.OpStore: {UnitMemory, 1, 0}, kir.OpShuffle: {UnitMemory, 1, 0},
	kir.OpBarrier: {UnitControl, 1, 0}, kir.OpBarrierCount: {UnitControl, 1, 0}, kir.OpBarrierAnd: {UnitControl, 1, 0},
	kir.OpBarrierOr: {UnitControl, 1, 0}, kir.OpGridBarrier: {UnitControl, 1, 0}, kir.OpClusterBarrier: {UnitControl, 1, 0},
	kir.OpSharedOf:    {UnitInt, 1, 0},
	kir.OpWarpBarrier: {UnitControl, 1, 0}, kir.OpFence: {UnitControl, 1, 0},
	kir.OpVoteAll: {UnitInt, 1, 0}, kir.OpVoteAny: {UnitInt, 1, 0}, kir.OpBallot: {UnitInt, 1, 0},
	kir.OpActiveMask: {UnitInt, 1, 0}, kir.OpMatchAny: {UnitInt, 32, 1},
	kir.OpCopyCommit: {UnitControl, 1, 0}, kir.OpCopyWait: {UnitControl, 1, 0},
	kir.OpMMA:        {UnitFP32, 1, 2},    // see tensorSteps
	kir.OpWarpReduce: {UnitSpecial, 1, 0}, // 16 lanes a clock (CUDA C++ Programming Guide, arithmetic throughput)
	kir.OpCheck:      {UnitControl, 1, 0}, kir.OpPrintf: {UnitInt, 40, 0}, kir.OpBitcast: {},
	kir.OpFlush: {}, // the instruction that makes or takes the number does it
}

var compares = [4]cost{{UnitInt, 1, 0}, {UnitInt, 2, 0}, {UnitFP32, 1, 0}, {UnitFP64, 1, 0}}

// costOf returns what v is in machine instructions.
func costOf(v *kir.Value, users [][]*kir.Value) cost {
	if c, ok := costsElsewhere[v.Op]; ok {
		return c
	}
	if v.Op.IsAtomic() {
		return cost{UnitMemory, 1, 0}
	}
	switch v.Op {
	case kir.OpSpecial:
		switch kir.Special(v.Imm) {
		case kir.NTidX, kir.NTidY, kir.NTidZ, kir.NCtaidX, kir.NCtaidY, kir.NCtaidZ, kir.DynamicSharedBytes:
			return cost{} // constants
		}
		return cost{UnitInt, 1, 0}
	case kir.OpConvert:
		return convertCost(v.Args[0].Type, v.Type)
	case kir.OpAdd:
		if isOffset(v, users) {
			return cost{}
		}
	case kir.OpMul, kir.OpShl:
		if movesWord(v) {
			return cost{}
		}
		if c, ok := wideProduct(v, users); ok {
			return c
		}
	case kir.OpShr:
		if movesWord(v) {
			return cost{}
		}
	case kir.OpOr, kir.OpXor, kir.OpAnd:
		if column(v.Type) == 1 {
			return cost{UnitInt, wordsOf(v), 0}
		}
	}
	t := v.Type
	if v.Op.IsCompare() {
		t = v.Args[0].Type
	}
	return costs[v.Op][column(t)]
}

func column(t kir.Type) int {
	switch {
	case t == kir.F32:
		return 2
	case t == kir.F64:
		return 3
	case t.Bytes() == 8:
		return 1
	}
	return 0
}

func convertCost(from, to kir.Type) cost {
	switch {
	case to == kir.Bool:
		return compares[column(from)]
	case from == kir.Bool:
		return cost{UnitInt, 1, 0} // select
	case from.IsFloat() || to.IsFloat():
		return cost{UnitSpecial, 1, 0}
	case to.Bytes() < from.Bytes() && to.Bytes() < 4:
		return cost{UnitInt, 1, 0} // cut and extend in a 32-bit register
	case to.Bytes() > from.Bytes() && from.IsSigned():
		return cost{UnitInt, 1, 0} // sign extension
	}
	return cost{} // another name for the same registers
}

// movesWord reports whether v, of 64 bits, only makes one word of a number the other: another name for a register.
func movesWord(v *kir.Value) bool {
	by := v.Args[1]
	return column(v.Type) == 1 && by.Op == kir.OpConst && by.Imm == 32 && (v.Op == kir.OpShl || v.Op == kir.OpShr && !v.Type.IsSigned())
}

// wordsOf returns how many words of a bitwise operation of 64 bits need an instruction: not those where a word of one
// side is 0, which is a register of its own.
func wordsOf(v *kir.Value) (n int) {
	for _, high := range []bool{false, true} {
		if !zeroWord(v.Args[0], high) && !zeroWord(v.Args[1], high) {
			n++
		}
	}
	return n
}

// zeroWord reports whether the high word of v, of 64 bits, is 0, or the low one.
func zeroWord(v *kir.Value, high bool) bool {
	switch v.Op {
	case kir.OpConst:
		return high && v.Imm>>32 == 0 || !high && uint32(v.Imm) == 0
	case kir.OpConvert:
		from := v.Args[0].Type
		if from.IsInteger() && from.Bytes() == 8 {
			return zeroWord(v.Args[0], high)
		}
		return high && (from == kir.Bool || from.IsInteger() && from.Bytes() <= 4 && !from.IsSigned())
	case kir.OpShl:
		return !high && movesWord(v)
	case kir.OpShr:
		return high && movesWord(v)
	}
	return false
}

// wideProduct recognises the cheap 64-bit products of index arithmetic: by a power of two, folded into the additions
// that use it (LEA) or else a shift; and of two 32-bit numbers (IMAD.WIDE).
func wideProduct(v *kir.Value, users [][]*kir.Value) (cost, bool) {
	if v.Type != kir.I64 && v.Type != kir.U64 {
		return cost{}, false
	}
	if isScaled(v) {
		if onlyUsed(v, users, func(u, _ *kir.Value) bool { return u.Op == kir.OpAdd }) {
			return cost{}, true
		}
		return cost{UnitInt, 2, 0}, true
	}
	if v.Op == kir.OpMul && fits32(v.Args[0]) && fits32(v.Args[1]) {
		return cost{UnitFP32, 1, 0}, true
	}
	return cost{}, false
}

func isScaled(v *kir.Value) bool {
	if v.Op == kir.OpShl {
		return v.Args[1].Op == kir.OpConst && v.Args[1].Imm < 32
	}
	for _, a := range v.Args {
		if a.Op == kir.OpConst && a.Imm != 0 && a.Imm&(a.Imm-1) == 0 {
			return true
		}
	}
	return false
}

// isOffset reports whether v adds a constant to what is used as an address only: loads and stores have room for 24
// bits.
func isOffset(v *kir.Value, users [][]*kir.Value) bool {
	if v.Type.Bytes() != 8 || v.Type.IsFloat() {
		return false
	}
	for _, a := range v.Args {
		if a.Op == kir.OpConst && int64(a.Imm) > -1<<23 && int64(a.Imm) < 1<<23 {
			return onlyUsed(v, users, func(u, v *kir.Value) bool {
				return u.Op.IsMemory() && u.Args[0] == v
			})
		}
	}
	return false
}

func fits32(v *kir.Value) bool {
	switch v.Op {
	case kir.OpConst:
		return v.Imm < 1<<31
	case kir.OpConvert:
		from := v.Args[0].Type
		return from.IsInteger() && from.Bytes() <= 4
	}
	return false
}

// onlyUsed reports whether every user u of v, or of v under another integer type of its size, is fit to use it.
func onlyUsed(v *kir.Value, users [][]*kir.Value, fit func(u, v *kir.Value) bool) bool {
	for _, u := range users[v.ID] {
		switch {
		case u == nil: // an edge or a branch
			return false
		case fit(u, v):
		case u.Op == kir.OpConvert && u.Type.IsInteger() && u.Type.Bytes() == v.Type.Bytes() && onlyUsed(u, users, fit):
		default:
			return false
		}
	}
	return len(users[v.ID]) > 0
}
