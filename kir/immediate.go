package kir

// What Value.Imm says for the operations that have something to say.

// ParamRef returns the parameter that an OpParam reads and the byte in it: a place in a parameter that is a block of
// bytes, else 0.
func (v *Value) ParamRef() (param, offset int) { return int(uint32(v.Imm)), int(v.Imm >> 32) }

func paramImm(param, offset int) uint64 { return uint64(param) | uint64(offset)<<32 }

// Scope says which threads a fence is for.
type Scope uint8

// The scopes of OpFence.
const (
	BlockScope  Scope = iota // the thread's block: membar.cta
	DeviceScope              // the device: membar.gl
	SystemScope              // all devices and the host: membar.sys
	numScopes
)

var scopeNames = [numScopes]string{"block", "device", "system"}

// String returns "block", "device" or "system".
func (s Scope) String() string { return scopeNames[s] }

// ShuffleMode says how OpShuffle finds the lane that it reads from its second operand b.
type ShuffleMode uint8

// The modes of OpShuffle, for a thread in lane l.
const (
	ShuffleIdx  ShuffleMode = iota // lane b of the segment
	ShuffleUp                      // l - b
	ShuffleDown                    // l + b
	ShuffleXor                     // l ^ b
	numShuffles
)

var shuffleNames = [numShuffles]string{"idx", "up", "down", "xor"}

// String returns "idx", "up", "down" or "xor".
func (m ShuffleMode) String() string { return shuffleNames[m] }

// Shuffle is what OpShuffle does, as PTX's shfl.sync has it.
type Shuffle struct {
	Mode    ShuffleMode
	Clamp   uint8 // bits 0-4 of PTX's operand c
	Segment uint8 // bits 8-12 of it: the bits of a lane's number that stay
}

// ShuffleOf unpacks the Imm of an OpShuffle.
func ShuffleOf(imm uint64) Shuffle {
	return Shuffle{ShuffleMode(imm & 3), uint8(imm>>8) & 31, uint8(imm>>16) & 31}
}

// NewShuffle returns the shuffle within segments of width lanes, a power of two up to WarpSize.
func NewShuffle(mode ShuffleMode, width int) Shuffle {
	s := Shuffle{Mode: mode, Clamp: WarpSize - 1, Segment: uint8(WarpSize-width) & 31}
	if mode == ShuffleUp {
		s.Clamp = 0
	}
	return s
}

// Imm packs s.
func (s Shuffle) Imm() uint64 {
	return uint64(s.Mode) | uint64(s.Clamp)<<8 | uint64(s.Segment)<<16
}

// Source returns the lane that a thread in the given lane reads, with b as its second operand, and whether that is in
// range. Out of range it is the thread's own lane.
func (s Shuffle) Source(lane int, b uint32) (source int, ok bool) {
	low := lane & int(s.Segment)
	high := low | int(s.Clamp)&^int(s.Segment)
	n := int(b & (WarpSize - 1))
	switch s.Mode {
	case ShuffleUp:
		source = lane - n
		ok = source >= high
	case ShuffleDown:
		source = lane + n
		ok = source <= high
	case ShuffleXor:
		source = lane ^ n
		ok = source <= high
	default:
		source = low | n&^int(s.Segment)
		ok = source <= high
	}
	if !ok {
		source = lane
	}
	return source, ok
}

// Reduction is what OpWarpReduce makes of the values of a warp's lanes.
type Reduction uint8

// The reductions.
const (
	ReduceAdd Reduction = iota
	ReduceMin
	ReduceMax
	ReduceAnd
	ReduceOr
	ReduceXor
	numReductions
)

var reductionNames = [numReductions]string{"add", "min", "max", "and", "or", "xor"}

// String returns "add", "min", "max", "and", "or" or "xor".
func (r Reduction) String() string { return reductionNames[r] }

// Op returns the operation of two values that r repeats.
func (r Reduction) Op() Op { return [numReductions]Op{OpAdd, OpMin, OpMax, OpAnd, OpOr, OpXor}[r] }

// Of returns r of x and y, the bits of two values of type t, I32 or U32.
func (r Reduction) Of(t Type, x, y uint32) uint32 {
	less := x < y
	if t.IsSigned() {
		less = int32(x) < int32(y)
	}
	switch r {
	case ReduceAdd:
		return x + y
	case ReduceMin, ReduceMax:
		if less == (r == ReduceMin) {
			return x
		}
		return y
	case ReduceAnd:
		return x & y
	case ReduceOr:
		return x | y
	}
	return x ^ y
}

// CheckKind says what an OpCheck looks after, and with it what its second and third operands are.
type CheckKind uint8

// The kinds of OpCheck.
const (
	CheckIndex  CheckKind = iota // index, length: an index is not less than the length, or negative
	CheckSlice                   // bound, capacity: slice bounds are out of range
	CheckDivide                  // 0, 0: an integer is divided by zero
	CheckShift                   // count, 0: a shift count is negative
	CheckPanic                   // 0, 0: the kernel gave up, with the check's text
	numChecks
)

var checkNames = [numChecks]string{"index", "slice", "divide", "shift", "panic"}

// String returns "index", "slice", "divide", "shift" or "panic".
func (k CheckKind) String() string { return checkNames[k] }

// Check returns the kind of an OpCheck and its text, which is empty where the kind says all.
func (f *Func) Check(v *Value) (kind CheckKind, text string) {
	if s := v.Imm >> 8; s > 0 {
		text = f.Strings[s-1]
	}
	return CheckKind(v.Imm & 0xff), text
}
