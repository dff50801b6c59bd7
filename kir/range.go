package kir

// Range is what is known of an integer's value: it lies between Lo and Hi, both included.
type Range struct {
	Lo, Hi int64
	Known  bool
}

// Between returns the range from lo to hi.
func Between(lo, hi int64) Range { return Range{lo, hi, true} }

// CompareRanges decides a comparison of integers that comes out the same for all values in their ranges.
func CompareRanges(op Op, x, y Range) (result uint64, known bool) {
	if !x.Known || !y.Known {
		return 0, false
	}
	less, greater := x.Hi < y.Lo, x.Lo > y.Hi
	lessEqual, greaterEqual := x.Hi <= y.Lo, x.Lo >= y.Hi
	yes, no := false, false
	switch op {
	case OpEq:
		no = less || greater
	case OpNe:
		yes = less || greater
	case OpLt:
		yes, no = less, greaterEqual
	case OpLe:
		yes, no = lessEqual, greater
	case OpGt:
		yes, no = greater, lessEqual
	case OpGe:
		yes, no = greaterEqual, less
	}
	if yes {
		return 1, true
	}
	return 0, no
}
