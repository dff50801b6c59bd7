package kir

import "fmt"

// Op is an operation.
type Op uint8

// The operations. The comment of each gives its operands and result; T is any numeric type but F16 unless narrowed, and
// operands of one operation have one type unless said otherwise. W is a 32- or 64-bit integer type. A warp is WarpSize
// threads with neighbouring numbers in their block, x fastest.
const (
	OpInvalid Op = iota

	OpConst // Imm holds the bits: any type
	// kernel parameter, see Value.ParamRef: its type, or any type at a place of a parameter that is a block of bytes
	OpParam
	OpSpecial    // special register Special(Imm): U32, or U64 for the clocks
	OpShared     // address in shared memory of the shared array number Imm: U64
	OpLocal      // address in local memory of the local array number Imm: U64
	OpConstTable // address in constant memory of the table number Imm: U64
	OpArg        // parameter number Imm of a block
	// U64, U32 → U64: the address in the shared memory of block number y of the cluster of what is at x in that of
	// another, see SharedOf
	OpSharedOf

	OpAdd   // T, T → T; integers wrap
	OpSub   // T, T → T
	OpMul   // T, T → T
	OpMulHi // W, W → W: the upper half of the product that has twice the width
	OpDiv   // T, T → T; integers truncate, x/0 is 0 and MinInt/-1 is MinInt (NumPy's results, without its warning)
	OpRem   // integer T, T → T; sign of the dividend; x%0 is 0
	OpMin   // T, T → T; NaN when an operand is NaN (NumPy's minimum); -0 is less than 0
	OpMax   // T, T → T; NaN when an operand is NaN (NumPy's maximum); 0 is greater than -0
	OpNeg   // T → T
	OpAbs   // T → T; MinInt stays
	OpFma   // float T, T, T → T: x*y+z rounded once
	OpAnd   // integer or bool T, T → T
	OpOr    // integer or bool T, T → T
	OpXor   // integer or bool T, T → T
	OpNot   // integer or bool T → T
	OpShl   // integer T, U32 → T; a shift by the width or more gives 0
	OpShr   // integer T, U32 → T; arithmetic for signed T; a shift by the width or more gives 0 or the sign
	OpPopc  // W → U32: the number of ones
	OpClz   // W → U32: the number of zeros above the highest one; the width for 0
	OpBrev  // W → W: the bits in reverse order

	OpEq // T or bool, same → Bool; unordered compares (NaN) are false
	OpNe // T or bool, same → Bool; true for NaN
	OpLt // T, T → Bool
	OpLe // T, T → Bool
	OpGt // T, T → Bool
	OpGe // T, T → Bool

	OpSelect  // Bool, any type, same → that type: the second operand where the first is true
	OpConvert // any type → any type; see Builder.Convert
	OpBitcast // any type but bool → a type of the same size: the same bits

	OpSqrt      // float T → T, correctly rounded
	OpFloor     // float T → T: the greatest integer that is not greater; -0, infinities and NaN stay
	OpCeil      // float T → T: the least integer that is not less; -0 for -1 < x < 0
	OpTrunc     // float T → T: the integer part, with the sign of the operand
	OpRint      // float T → T: the nearest integer, the even one of two; with the sign of the operand
	OpFlush     // F32 → F32: a zero of the same sign for what is subnormal, as the .ftz of PTX
	OpExp       // float T → T
	OpLog       // float T → T
	OpSin       // float T → T
	OpCos       // float T → T
	OpPow       // float T, T → T
	OpExp2      // float T → T
	OpExpm1     // float T → T
	OpLog2      // float T → T
	OpLog10     // float T → T
	OpLog1p     // float T → T
	OpTan       // float T → T
	OpAsin      // float T → T
	OpAcos      // float T → T
	OpAtan      // float T → T
	OpAtan2     // float T, T → T
	OpSinh      // float T → T
	OpCosh      // float T → T
	OpTanh      // float T → T
	OpAsinh     // float T → T
	OpAcosh     // float T → T
	OpAtanh     // float T → T
	OpHypot     // float T, T → T
	OpLogAddExp // float T, T → T
	OpErf       // float T → T
	OpErfc      // float T → T
	OpGamma     // float T → T
	OpLGamma    // float T → T
	OpSinc      // float T → T
	OpCbrt      // float T → T

	// What a special function unit approximates, with the bits of package sfu but on a real card, which has its own.
	OpApproxRcp   // F32 → F32: 1/x
	OpApproxRsqrt // F32 → F32: 1/√x
	OpApproxSqrt  // F32 → F32
	OpApproxExp2  // F32 → F32
	OpApproxLog2  // F32 → F32
	OpApproxSin   // F32 → F32
	OpApproxCos   // F32 → F32

	// Memory. Imm is a signed number of bytes that is added to the address; the sum wraps. An access must be aligned to
	// its size and lie in memory that the space has, or the run ends with a Trap. Vec marks vector accesses, see
	// Value.Vec.
	OpLoad  // U64 address → any type, from Space
	OpStore // U64 address, any type → Void, to Space; not to Const

	// Atomics, on Global or Shared memory; each returns what stood there before. They are relaxed: no other access is
	// ordered by them. Threads of the device whose atomics meet at an address take turns in an order that is not
	// defined, so that sums of floats may differ from run to run on a real device; the CPU engine's order is the same
	// for every run.
	OpAtomicAdd  // U64 address, W or float T → T; memory + operand
	OpAtomicMin  // U64 address, W → W
	OpAtomicMax  // U64 address, W → W
	OpAtomicAnd  // U64 address, W → W
	OpAtomicOr   // U64 address, W → W
	OpAtomicXor  // U64 address, W → W
	OpAtomicExch // U64 address, W or float T → T; the operand
	OpAtomicCAS  // U64 address, W, W → W; the third operand where memory equals the second, else memory as it was
	OpAtomicInc  // U64 address, U32 → U32; 0 where memory >= operand, else memory + 1
	OpAtomicDec  // U64 address, U32 → U32; the operand where memory is 0 or > operand, else memory - 1

	OpFence // → Void: what the thread wrote before is seen before what it writes after, by the threads of Scope(Imm)

	OpCopyCommit // → Void: the thread's asynchronous copies since the last one are a group, see Async
	OpCopyWait   // → Void: all groups of the thread but the Imm newest are done, and it sees them

	// Barriers of the block: every live thread arrives before any goes on; all see each other's earlier accesses.
	OpBarrier      // → Void
	OpBarrierCount // Bool → U32: for how many of the threads it is true
	OpBarrierAnd   // Bool → Bool: whether it is true for all threads
	OpBarrierOr    // Bool → Bool: whether it is true for one thread or more
	// → Void: a barrier of all live threads of the grid, which has room on the device: see Func.Cooperative
	OpGridBarrier
	// → Void: a barrier of all live threads of the blocks of a cluster, see Bounds.Cluster
	OpClusterBarrier

	// Operations of a warp. The last operand is the mask of the lanes that take part, bit l for lane l; a thread that
	// comes here must be named in its own mask and all must bring one mask. Named lanes that have returned, or that the
	// block does not have, are left out; the operation waits for the other named ones, and a run in which one never
	// comes ends with an error.
	OpWarpBarrier // U32 mask → Void: all named lanes arrive before any goes on, and see each other's earlier accesses
	// 32-bit T, U32 lane or distance, U32 mask → T of the lane that ShuffleOf(Imm) says; the thread's own where that is
	// out of range or does not take part
	OpShuffle
	OpVoteAll  // Bool, U32 mask → Bool: whether it is true for all that take part
	OpVoteAny  // Bool, U32 mask → Bool: whether it is true for one of them or more
	OpBallot   // Bool, U32 mask → U32: the lanes that take part for which it is true
	OpMatchAny // 32- or 64-bit T, U32 mask → U32: the lanes that take part with the same bits as the thread's
	// I32 or U32 T, U32 mask → T: Reduction(Imm) of what the lanes that take part bring, which wraps
	OpWarpReduce
	// U32 and F32 as MMAForm has it, U32 mask, of all lanes → F32: a value of the product of two matrices of the warp,
	// which is added to a third, see MMAShape; the exact sum is rounded once (package tensor). All lanes of a warp come
	OpMMA
	// → U32: the lanes that execute this with the thread; which come together is not defined, but for the thread itself
	OpActiveMask

	OpCheck // Bool, I64, I64 → Void: ends the run with a Trap where the first operand is false; see Value.Check
	// any number of any types → Void: prints Func.Strings[Imm], a format of Go's package fmt with a verb for each
	// operand
	OpPrintf

	NumOps // how many there are
)

// WarpSize is the number of threads in a warp. The last warp of a block may have fewer.
const WarpSize = 32

type opInfo struct {
	name  string
	args  int // number of operands; -1 for any
	flags opFlags
}

type opFlags uint8

const (
	free     opFlags = 1 << iota // no instruction
	effect                       // must be kept though nobody uses its result
	varying                      // its result does not follow from its operands alone
	commutes                     // its operands may change places
	special                      // Builder has a method of its own for it
)

var opTable = [NumOps]opInfo{
	OpConst:          {"const", 0, free},
	OpParam:          {"param", 0, free},
	OpSpecial:        {"special", 0, 0},
	OpShared:         {"shared", 0, free},
	OpLocal:          {"local", 0, free},
	OpConstTable:     {"table", 0, free},
	OpArg:            {"arg", 0, free | varying},
	OpSharedOf:       {"shared_of", 2, 0},
	OpAdd:            {"add", 2, commutes},
	OpSub:            {"sub", 2, 0},
	OpMul:            {"mul", 2, commutes},
	OpMulHi:          {"mulhi", 2, 0},
	OpDiv:            {"div", 2, 0},
	OpRem:            {"rem", 2, 0},
	OpMin:            {"min", 2, commutes},
	OpMax:            {"max", 2, commutes},
	OpNeg:            {"neg", 1, 0},
	OpAbs:            {"abs", 1, 0},
	OpFma:            {"fma", 3, 0},
	OpAnd:            {"and", 2, commutes},
	OpOr:             {"or", 2, commutes},
	OpXor:            {"xor", 2, commutes},
	OpNot:            {"not", 1, 0},
	OpShl:            {"shl", 2, 0},
	OpShr:            {"shr", 2, 0},
	OpPopc:           {"popc", 1, 0},
	OpClz:            {"clz", 1, 0},
	OpBrev:           {"brev", 1, 0},
	OpEq:             {"eq", 2, commutes},
	OpNe:             {"ne", 2, commutes},
	OpLt:             {"lt", 2, 0},
	OpLe:             {"le", 2, 0},
	OpGt:             {"gt", 2, 0},
	OpGe:             {"ge", 2, 0},
	OpSelect:         {"select", 3, 0},
	OpConvert:        {"convert", 1, special},
	OpBitcast:        {"bitcast", 1, special},
	OpSqrt:           {"sqrt", 1, 0},
	OpFloor:          {"floor", 1, 0},
	OpCeil:           {"ceil", 1, 0},
	OpTrunc:          {"trunc", 1, 0},
	OpRint:           {"rint", 1, 0},
	OpFlush:          {"flush", 1, 0},
	OpExp:            {"exp", 1, 0},
	OpLog:            {"log", 1, 0},
	OpSin:            {"sin", 1, 0},
	OpCos:            {"cos", 1, 0},
	OpPow:            {"pow", 2, 0},
	OpExp2:           {"exp2", 1, 0},
	OpExpm1:          {"expm1", 1, 0},
	OpLog2:           {"log2", 1, 0},
	OpLog10:          {"log10", 1, 0},
	OpLog1p:          {"log1p", 1, 0},
	OpTan:            {"tan", 1, 0},
	OpAsin:           {"asin", 1, 0},
	OpAcos:           {"acos", 1, 0},
	OpAtan:           {"atan", 1, 0},
	OpAtan2:          {"atan2", 2, 0},
	OpSinh:           {"sinh", 1, 0},
	OpCosh:           {"cosh", 1, 0},
	OpTanh:           {"tanh", 1, 0},
	OpAsinh:          {"asinh", 1, 0},
	OpAcosh:          {"acosh", 1, 0},
	OpAtanh:          {"atanh", 1, 0},
	OpHypot:          {"hypot", 2, 0},
	OpLogAddExp:      {"logaddexp", 2, 0},
	OpErf:            {"erf", 1, 0},
	OpErfc:           {"erfc", 1, 0},
	OpGamma:          {"gamma", 1, 0},
	OpLGamma:         {"lgamma", 1, 0},
	OpSinc:           {"sinc", 1, 0},
	OpCbrt:           {"cbrt", 1, 0},
	OpApproxRcp:      {"approx_rcp", 1, 0},
	OpApproxRsqrt:    {"approx_rsqrt", 1, 0},
	OpApproxSqrt:     {"approx_sqrt", 1, 0},
	OpApproxExp2:     {"approx_ex2", 1, 0},
	OpApproxLog2:     {"approx_lg2", 1, 0},
	OpApproxSin:      {"approx_sin", 1, 0},
	OpApproxCos:      {"approx_cos", 1, 0},
	OpLoad:           {"load", 1, varying | special},
	OpStore:          {"store", 2, effect | varying | special},
	OpAtomicAdd:      {"atomic_add", 2, effect | varying | special},
	OpAtomicMin:      {"atomic_min", 2, effect | varying | special},
	OpAtomicMax:      {"atomic_max", 2, effect | varying | special},
	OpAtomicAnd:      {"atomic_and", 2, effect | varying | special},
	OpAtomicOr:       {"atomic_or", 2, effect | varying | special},
	OpAtomicXor:      {"atomic_xor", 2, effect | varying | special},
	OpAtomicExch:     {"atomic_exch", 2, effect | varying | special},
	OpAtomicCAS:      {"atomic_cas", 3, effect | varying | special},
	OpAtomicInc:      {"atomic_inc", 2, effect | varying | special},
	OpAtomicDec:      {"atomic_dec", 2, effect | varying | special},
	OpFence:          {"fence", 0, effect | varying | special},
	OpCopyCommit:     {"copy_commit", 0, effect | varying | special},
	OpCopyWait:       {"copy_wait", 0, effect | varying | special},
	OpBarrier:        {"barrier", 0, effect | varying | special},
	OpBarrierCount:   {"barrier_count", 1, effect | varying | special},
	OpBarrierAnd:     {"barrier_and", 1, effect | varying | special},
	OpBarrierOr:      {"barrier_or", 1, effect | varying | special},
	OpGridBarrier:    {"grid_barrier", 0, effect | varying | special},
	OpClusterBarrier: {"cluster_barrier", 0, effect | varying | special},
	OpWarpBarrier:    {"warp_barrier", 1, effect | varying | special},
	OpShuffle:        {"shuffle", 3, varying | special},
	OpVoteAll:        {"vote_all", 2, varying | special},
	OpVoteAny:        {"vote_any", 2, varying | special},
	OpBallot:         {"ballot", 2, varying | special},
	OpMatchAny:       {"match_any", 2, varying | special},
	OpWarpReduce:     {"warp_reduce", 2, varying | special},
	OpMMA:            {"mma", -1, varying | special},
	OpActiveMask:     {"active_mask", 0, varying | special},
	OpCheck:          {"check", 3, effect | varying | special},
	OpPrintf:         {"printf", -1, effect | varying | special},
}

// String returns the operation's name in the text form.
func (o Op) String() string {
	if o < NumOps && opTable[o].name != "" {
		return opTable[o].name
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// OpNamed returns the operation of a name that String returns, or OpInvalid.
func OpNamed(name string) Op {
	for op, info := range opTable {
		if info.name == name && name != "" {
			return Op(op)
		}
	}
	return OpInvalid
}

// NArgs returns the number of operands, or -1 where an operation takes any number.
func (o Op) NArgs() int { return opTable[o].args }

// IsCompare reports whether o is one of OpEq to OpGe.
func (o Op) IsCompare() bool { return o >= OpEq && o <= OpGe }

// IsElementary reports whether o is one of the functions of package elementary, OpExp to OpCbrt.
func (o Op) IsElementary() bool { return o >= OpExp && o <= OpCbrt }

// IsApproximate reports whether o is one of the functions of package sfu, OpApproxRcp to OpApproxCos.
func (o Op) IsApproximate() bool { return o >= OpApproxRcp && o <= OpApproxCos }

// IsAtomic reports whether o is one of OpAtomicAdd to OpAtomicDec.
func (o Op) IsAtomic() bool { return o >= OpAtomicAdd && o <= OpAtomicDec }

// IsMemory reports whether o accesses memory: loads, stores and atomics.
func (o Op) IsMemory() bool { return o >= OpLoad && o <= OpAtomicDec }

// IsBarrier reports whether all threads of a block meet at o; at OpGridBarrier those of all others, too, at
// OpClusterBarrier those of their cluster.
func (o Op) IsBarrier() bool { return o >= OpBarrier && o <= OpClusterBarrier }

// IsWarp reports whether threads of a warp take part in o together.
func (o Op) IsWarp() bool { return o >= OpWarpBarrier && o <= OpActiveMask }

// IsFree reports whether o is not an instruction: constants, parameters of kernels and blocks, and addresses of arrays.
func (o Op) IsFree() bool { return opTable[o].flags&free != 0 }

// Commutes reports whether the two operands of o may change places.
func (o Op) Commutes() bool { return opTable[o].flags&commutes != 0 }

// HasEffect reports whether o must be kept though nobody uses its result.
func (o Op) HasEffect() bool { return opTable[o].flags&effect != 0 }

// IsPure reports whether v's result follows from its operands alone, the same in every thread that has the same ones.
func (v *Value) IsPure() bool {
	return opTable[v.Op].flags&varying == 0 && !(v.Op == OpSpecial && Special(v.Imm).Varies())
}

// Special is a special register: a thread's or block's place, or what the device counts.
type Special uint8

// The special registers; all are U32 but the clocks.
const (
	TidX Special = iota // index of the thread in its block
	TidY
	TidZ
	NTidX // threads in a block
	NTidY
	NTidZ
	CtaidX // index of the block in the grid
	CtaidY
	CtaidZ
	NCtaidX // blocks in the grid
	NCtaidY
	NCtaidZ
	LaneID             // number of the thread in its warp
	WarpID             // number of the warp in its block: the thread's number in the block / WarpSize
	SMID               // the multiprocessor that runs the block; 0 on the CPU engine
	DynamicSharedBytes // of shared memory that the launch gave beyond the kernel's own arrays
	// U64: a count of cycles that never falls; on the CPU engine, of operations that the block has executed
	Clock64
	GlobalTimer   // U64: nanoseconds
	ClusterRank   // number of the block in its cluster; 0 where there are none
	ClusterBlocks // blocks in a cluster; 1 where there are none
	NumSpecials
)

var specialNames = [NumSpecials]string{
	"tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z",
	"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
	"laneid", "warpid", "smid", "dynamic_smem_size", "clock64", "globaltimer", "cluster_ctarank", "cluster_nctarank",
}

// String returns the PTX name without the percent sign: "tid.x".
func (s Special) String() string { return specialNames[s] }

// Type returns the type of the register.
func (s Special) Type() Type {
	if s.Varies() {
		return U64
	}
	return U32
}

// Varies reports whether reading s twice gives different values.
func (s Special) Varies() bool { return s == Clock64 || s == GlobalTimer }
