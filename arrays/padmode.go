package arrays

// PadMode says what Pad continues an array with, in the place of a value.
type PadMode int

const (
	PadEdge      PadMode = iota // the outermost element: 1 1 | 1 2 3 | 3 3
	PadReflect                  // the array mirrored at its outermost element: 3 2 | 1 2 3 | 2 1
	PadSymmetric                // the array mirrored behind its outermost element: 2 1 | 1 2 3 | 3 2
	PadWrap                     // the array from its other end on: 2 3 | 1 2 3 | 1 2

	PadLinearRamp // evenly from the outermost element to 0: 0 0.5 | 1 2 3 | 1.5 0
	PadMaximum    // the largest element of the axis: 3 3 | 1 2 3 | 3 3
	PadMean       // the mean of the axis, of ints rounded: 2 2 | 1 2 3 | 2 2
	PadMedian     // its median, of ints rounded
	PadMinimum    // its smallest element

	PadConstant PadMode = -1 // zeros, or the values of PadValues
)

// PadOption is a way to pad that has parameters: [PadValues], [PadRamp], [PadWithin] and [PadOdd] make them.
type PadOption struct {
	Mode    PadMode
	Values  []any // the border's, or with PadLinearRamp those at its ends
	Lengths []int // how many elements from the edge count
	Odd     bool  // mirrored at the outermost element in value too
}

// PadValues gives the border other values before and behind: two numbers for all axes, or two for each axis in turn;
// one is that of all sides.
func PadValues(values ...any) PadOption { return PadOption{Mode: PadConstant, Values: values} }

// PadRamp is [PadLinearRamp] that ends in other values than 0, which are given as those of [PadValues].
func PadRamp(ends ...any) PadOption { return PadOption{Mode: PadLinearRamp, Values: ends} }

// PadWithin is [PadMaximum], [PadMean], [PadMedian] or [PadMinimum] of so many elements next to the edge alone: one
// number for all sides, one before and one behind, or two for each axis in turn.
func PadWithin(mode PadMode, lengths ...int) PadOption {
	return PadOption{Mode: mode, Lengths: lengths}
}

// PadOdd is [PadReflect] or [PadSymmetric] that goes on as a line would, by twice the outermost element less the
// mirrored one: -1 0 | 1 2 3 | 4 5.
func PadOdd(mode PadMode) PadOption { return PadOption{Mode: mode, Odd: true} }
