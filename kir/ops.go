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

// Class says which unit of an SM executes an operation; latencies and rates of presets are given by class.
type Class uint8

// The unit classes.
const (
	ClassFree    Class = iota // no instruction: constants, parameters, block parameters
	ClassALU                  // integer and logic, moves, comparisons, conversions between integers
	ClassMul                  // integer multiply
	ClassDivide               // integer division: a sequence
	ClassFP                   // floating add, multiply, fma, compare; the rate depends on the type
	ClassConvert              // conversions with a float side
	ClassSFU                  // float division, square root, elementary functions
	ClassMemory               // loads and stores
	ClassBarrier              // barriers
	ClassControl              // branches
	NumClasses
)

var classNames = [NumClasses]string{"free", "alu", "mul", "divide", "fp", "convert", "sfu", "memory", "barrier", "control"}

// String returns the class's name.
func (c Class) String() string { return classNames[c] }

type opInfo struct {
	name  string
	args  int   // number of operands
	class Class // for integer and bool operands
	float Class // for float operands, where it differs
}

var opTable = [numOps]opInfo{
	OpConst:     {"const", 0, ClassFree, 0},
	OpParam:     {"param", 0, ClassFree, 0},
	OpSpecial:   {"special", 0, ClassALU, 0},
	OpShared:    {"shared", 0, ClassFree, 0},
	OpArg:       {"arg", 0, ClassFree, 0},
	OpAdd:       {"add", 2, ClassALU, ClassFP},
	OpSub:       {"sub", 2, ClassALU, ClassFP},
	OpMul:       {"mul", 2, ClassMul, ClassFP},
	OpDiv:       {"div", 2, ClassDivide, ClassSFU},
	OpRem:       {"rem", 2, ClassDivide, 0},
	OpMin:       {"min", 2, ClassALU, ClassFP},
	OpMax:       {"max", 2, ClassALU, ClassFP},
	OpNeg:       {"neg", 1, ClassALU, ClassFP},
	OpAbs:       {"abs", 1, ClassALU, ClassFP},
	OpFma:       {"fma", 3, ClassFP, ClassFP},
	OpAnd:       {"and", 2, ClassALU, 0},
	OpOr:        {"or", 2, ClassALU, 0},
	OpXor:       {"xor", 2, ClassALU, 0},
	OpNot:       {"not", 1, ClassALU, 0},
	OpShl:       {"shl", 2, ClassALU, 0},
	OpShr:       {"shr", 2, ClassALU, 0},
	OpEq:        {"eq", 2, ClassALU, ClassFP},
	OpNe:        {"ne", 2, ClassALU, ClassFP},
	OpLt:        {"lt", 2, ClassALU, ClassFP},
	OpLe:        {"le", 2, ClassALU, ClassFP},
	OpGt:        {"gt", 2, ClassALU, ClassFP},
	OpGe:        {"ge", 2, ClassALU, ClassFP},
	OpSelect:    {"select", 3, ClassALU, 0},
	OpConvert:   {"convert", 1, ClassALU, ClassConvert},
	OpSqrt:      {"sqrt", 1, ClassSFU, ClassSFU},
	OpExp:       {"exp", 1, ClassSFU, ClassSFU},
	OpLog:       {"log", 1, ClassSFU, ClassSFU},
	OpSin:       {"sin", 1, ClassSFU, ClassSFU},
	OpCos:       {"cos", 1, ClassSFU, ClassSFU},
	OpPow:       {"pow", 2, ClassSFU, ClassSFU},
	OpExp2:      {"exp2", 1, ClassSFU, ClassSFU},
	OpExpm1:     {"expm1", 1, ClassSFU, ClassSFU},
	OpLog2:      {"log2", 1, ClassSFU, ClassSFU},
	OpLog10:     {"log10", 1, ClassSFU, ClassSFU},
	OpLog1p:     {"log1p", 1, ClassSFU, ClassSFU},
	OpTan:       {"tan", 1, ClassSFU, ClassSFU},
	OpAsin:      {"asin", 1, ClassSFU, ClassSFU},
	OpAcos:      {"acos", 1, ClassSFU, ClassSFU},
	OpAtan:      {"atan", 1, ClassSFU, ClassSFU},
	OpAtan2:     {"atan2", 2, ClassSFU, ClassSFU},
	OpSinh:      {"sinh", 1, ClassSFU, ClassSFU},
	OpCosh:      {"cosh", 1, ClassSFU, ClassSFU},
	OpTanh:      {"tanh", 1, ClassSFU, ClassSFU},
	OpAsinh:     {"asinh", 1, ClassSFU, ClassSFU},
	OpAcosh:     {"acosh", 1, ClassSFU, ClassSFU},
	OpAtanh:     {"atanh", 1, ClassSFU, ClassSFU},
	OpHypot:     {"hypot", 2, ClassSFU, ClassSFU},
	OpLogAddExp: {"logaddexp", 2, ClassSFU, ClassSFU},
	OpErf:       {"erf", 1, ClassSFU, ClassSFU},
	OpErfc:      {"erfc", 1, ClassSFU, ClassSFU},
	OpGamma:     {"gamma", 1, ClassSFU, ClassSFU},
	OpLGamma:    {"lgamma", 1, ClassSFU, ClassSFU},
	OpSinc:      {"sinc", 1, ClassSFU, ClassSFU},
	OpCbrt:      {"cbrt", 1, ClassSFU, ClassSFU},
	OpLoad:      {"load", 1, ClassMemory, 0},
	OpStore:     {"store", 2, ClassMemory, 0},
	OpBarrier:   {"barrier", 0, ClassBarrier, 0},
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
