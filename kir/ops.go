package kir

import "fmt"

// Op is an operation.
type Op uint8

// The operations. The comment of each gives its operands and result; T is any numeric type unless narrowed, and operands
// of one operation have one type unless said otherwise.
const (
	OpInvalid Op = iota

	OpConst   // Imm holds the bits: T
	OpParam   // parameter number Imm of the kernel: its type
	OpSpecial // special register Special(Imm): U32
	OpShared  // address in shared memory of the shared array number Imm: U64
	OpArg     // parameter number Imm of a block

	OpAdd // T, T → T; integers wrap
	OpSub // T, T → T
	OpMul // T, T → T
	OpDiv // T, T → T; integers truncate, x/0 is 0 and MinInt/-1 is MinInt (NumPy's results, without its warning)
	OpRem // integer T, T → T; sign of the dividend; x%0 is 0
	OpMin // T, T → T; NaN when an operand is NaN (NumPy's minimum); -0 is less than 0
	OpMax // T, T → T; NaN when an operand is NaN (NumPy's maximum); 0 is greater than -0
	OpNeg // T → T
	OpAbs // T → T; MinInt stays
	OpFma // float T, T, T → T: x*y+z rounded once
	OpAnd // integer or bool T, T → T
	OpOr  // integer or bool T, T → T
	OpXor // integer or bool T, T → T
	OpNot // integer or bool T → T
	OpShl // integer T, U32 → T; a shift by the width or more gives 0
	OpShr // integer T, U32 → T; arithmetic for signed T; a shift by the width or more gives 0 or the sign

	OpEq // T or bool, same → Bool; unordered compares (NaN) are false
	OpNe // T or bool, same → Bool; true for NaN
	OpLt // T, T → Bool
	OpLe // T, T → Bool
	OpGt // T, T → Bool
	OpGe // T, T → Bool

	OpSelect  // Bool, T or bool, same → that type: the second operand where the first is true
	OpConvert // any numeric or bool → any numeric or bool; see Builder.Convert

	OpSqrt      // float T → T, correctly rounded
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

	OpLoad    // U64 address → T or bool, from Space
	OpStore   // U64 address, T or bool → Void, to Space
	OpBarrier // → Void: every live thread of the block arrives before any goes on

	numOps
)

type opInfo struct {
	name string
	args int // number of operands
}

var opTable = [numOps]opInfo{
	OpConst:     {"const", 0},
	OpParam:     {"param", 0},
	OpSpecial:   {"special", 0},
	OpShared:    {"shared", 0},
	OpArg:       {"arg", 0},
	OpAdd:       {"add", 2},
	OpSub:       {"sub", 2},
	OpMul:       {"mul", 2},
	OpDiv:       {"div", 2},
	OpRem:       {"rem", 2},
	OpMin:       {"min", 2},
	OpMax:       {"max", 2},
	OpNeg:       {"neg", 1},
	OpAbs:       {"abs", 1},
	OpFma:       {"fma", 3},
	OpAnd:       {"and", 2},
	OpOr:        {"or", 2},
	OpXor:       {"xor", 2},
	OpNot:       {"not", 1},
	OpShl:       {"shl", 2},
	OpShr:       {"shr", 2},
	OpEq:        {"eq", 2},
	OpNe:        {"ne", 2},
	OpLt:        {"lt", 2},
	OpLe:        {"le", 2},
	OpGt:        {"gt", 2},
	OpGe:        {"ge", 2},
	OpSelect:    {"select", 3},
	OpConvert:   {"convert", 1},
	OpSqrt:      {"sqrt", 1},
	OpExp:       {"exp", 1},
	OpLog:       {"log", 1},
	OpSin:       {"sin", 1},
	OpCos:       {"cos", 1},
	OpPow:       {"pow", 2},
	OpExp2:      {"exp2", 1},
	OpExpm1:     {"expm1", 1},
	OpLog2:      {"log2", 1},
	OpLog10:     {"log10", 1},
	OpLog1p:     {"log1p", 1},
	OpTan:       {"tan", 1},
	OpAsin:      {"asin", 1},
	OpAcos:      {"acos", 1},
	OpAtan:      {"atan", 1},
	OpAtan2:     {"atan2", 2},
	OpSinh:      {"sinh", 1},
	OpCosh:      {"cosh", 1},
	OpTanh:      {"tanh", 1},
	OpAsinh:     {"asinh", 1},
	OpAcosh:     {"acosh", 1},
	OpAtanh:     {"atanh", 1},
	OpHypot:     {"hypot", 2},
	OpLogAddExp: {"logaddexp", 2},
	OpErf:       {"erf", 1},
	OpErfc:      {"erfc", 1},
	OpGamma:     {"gamma", 1},
	OpLGamma:    {"lgamma", 1},
	OpSinc:      {"sinc", 1},
	OpCbrt:      {"cbrt", 1},
	OpLoad:      {"load", 1},
	OpStore:     {"store", 2},
	OpBarrier:   {"barrier", 0},
}

// String returns the operation's name in the text form.
func (o Op) String() string {
	if o < numOps && opTable[o].name != "" {
		return opTable[o].name
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// NArgs returns the number of operands.
func (o Op) NArgs() int { return opTable[o].args }

// IsCompare reports whether o is one of OpEq to OpGe.
func (o Op) IsCompare() bool { return o >= OpEq && o <= OpGe }

// IsElementary reports whether o is one of the functions of package elementary, OpExp to OpCbrt.
func (o Op) IsElementary() bool { return o >= OpExp && o <= OpCbrt }

// IsFree reports whether o is no instruction: constants, and parameters of kernels and blocks.
func (o Op) IsFree() bool {
	switch o {
	case OpConst, OpParam, OpShared, OpArg:
		return true
	}
	return false
}

// HasEffect reports whether o must be kept though nobody uses its result.
func (o Op) HasEffect() bool { return o == OpStore || o == OpBarrier }

// Special is a special register: a thread's or block's place.
type Special uint8

// The special registers; all are U32.
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
	NumSpecials
)

var specialNames = [NumSpecials]string{
	"tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z",
	"ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
}

// String returns the PTX name without the percent sign: "tid.x".
func (s Special) String() string { return specialNames[s] }
