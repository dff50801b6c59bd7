package arrays

// PadMode says what Pad continues an array with, in the place of a value.
type PadMode int

const (
	PadEdge      PadMode = iota // the outermost element: 1 1 | 1 2 3 | 3 3
	PadReflect                  // the array mirrored at its outermost element: 3 2 | 1 2 3 | 2 1
	PadSymmetric                // the array mirrored behind its outermost element: 2 1 | 1 2 3 | 3 2
	PadWrap                     // the array from its other end on: 2 3 | 1 2 3 | 1 2
)
