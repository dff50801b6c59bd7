package arrays

import (
	"fmt"
	"math"
)

// Slice selects the elements lo, lo+step, ... before hi along one axis, as lo:hi:step does in Python. Negative bounds
// count from the end; bounds past the axis are clipped. Make one with [S], [From] or [To].
type Slice struct {
	Lo, Hi, Step int
}

// End leaves a bound of a slice open: S(0, End, 2) is 0::2. With a negative step an open bound is the other end, so
// S(End, End, -1) is ::-1.
const End = math.MaxInt

// S returns the slice lo:hi or, with a step, lo:hi:step.
func S(lo, hi int, step ...int) Slice {
	return Slice{lo, hi, optional("s", "steps", step, 1)}
}

// From returns the slice lo: (everything from lo on).
func From(lo int) Slice { return Slice{lo, End, 1} }

// To returns the slice :hi (everything before hi).
func To(hi int) Slice { return Slice{0, hi, 1} }

// AxisIndex is the type of the index values [All], [NewAxis] and [Dots].
type AxisIndex uint8

// Index values beside ints and slices.
const (
	All     AxisIndex = iota // the whole axis, Python's ":"
	NewAxis                  // a new axis of size 1, numpy.newaxis
	Dots                     // as many whole axes as are left, Python's "..."; at most once
)

// String returns the name of the index value.
func (x AxisIndex) String() string {
	switch x {
	case All:
		return "All"
	case NewAxis:
		return "NewAxis"
	case Dots:
		return "Dots"
	}
	return fmt.Sprintf("AxisIndex(%d)", uint8(x))
}

// resolve returns the first index and the number of elements that s selects from an axis of size n: the rules of
// Python's slice.indices. The step must not be zero.
func (s Slice) resolve(n int) (first, count int) {
	low, high := 0, n // what bounds are clipped to
	if s.Step < 0 {
		low, high = -1, n-1
	}
	clip := func(v, open int) int {
		if v == End {
			return open
		}
		if v < 0 {
			v += n
		}
		return min(max(v, low), high)
	}
	var last int
	if s.Step > 0 {
		first, last = clip(s.Lo, low), clip(s.Hi, high)
		if last <= first {
			return 0, 0
		}
		return first, (last-first-1)/s.Step + 1
	}
	first, last = clip(s.Lo, high), clip(s.Hi, low)
	if last >= first {
		return 0, 0
	}
	// -(Step+1) cannot overflow, -Step can.
	if step := uint(-(s.Step + 1)) + 1; step <= uint(first-last-1) {
		return first, (first-last-1)/int(step) + 1
	}
	return first, 1
}
