package kir

// interval is what is known of an integer's value: it lies between lo and hi, both included.
type interval struct {
	lo, hi int64
	known  bool
}

func between(lo, hi int64) interval { return interval{lo, hi, true} }

// compareRanges decides a comparison of integers that comes out the same for all values in their ranges.
func compareRanges(op Op, x, y interval) (result uint64, known bool) {
	if !x.known || !y.known {
		return 0, false
	}
	less, greater := x.hi < y.lo, x.lo > y.hi
	lessEqual, greaterEqual := x.hi <= y.lo, x.lo >= y.hi
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
