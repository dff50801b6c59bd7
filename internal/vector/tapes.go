package vector

//go:generate go run -C asm . -part tapes -out ../tapes_amd64.s -table ../tapestable_amd64.go

// TapeLanes is how many elements an operation of a tape takes at a time.
const TapeLanes = 128

// TapeOp is an operation of a [Tape], of [TapeCode]: At are places, 8 times their numbers, of the result and then of
// the operands.
type TapeOp struct {
	Code uintptr
	At   [8]uint16
}

// Tape does operations one after the other on TapeLanes elements, then on those behind them, and so on: what one
// operation leaves for another, in a place that does not go on, is still in the processor's first cache. The operations
// begin with those that are done once, "uniform 1", "uniform 4" and "uniform 8", which give TapeLanes elements of so
// many bytes the value of one. Then comes "rounds", and behind the others "next".
//
// Places are addresses, and Steps how far each goes on from one round to the next; there are a multiple of 8. What they
// are of has to stay where it is.
type Tape struct {
	Ops           []TapeOp
	Places, Steps []uintptr
}

// TapeCode returns the code of an operation, by the names of [Loop] and its type, and of that of the result of a
// conversion: "add f32", "convert i32 f64". It is 0 where there is none. A comparison gives bytes 0 and 1. Of
// "mul+mul+add" the operands are those of two products that are added, of "mul+mul+sub" the second is taken from the
// first, and of "mul+mul+mul" three products are added in their order.
func TapeCode(name string) uintptr { return tapeCode(name) }

// Run does rounds of the tape, at least 1. Places are behind the last round's then.
func (t *Tape) Run(rounds int) { t.run(rounds) }
