package arrays

import (
	"cmp"
	"math"
)

// timeLoop returns the loop of u on dates and spans that gives out; nil when there is none.
func timeLoop(u Ufunc, out DType) loop {
	if u == OpDiv && out == Float64 {
		return binary(eachPair(func(x, y int64) float64 {
			if x == notATime || y == notATime {
				return math.NaN()
			}
			return float64(x) / float64(y)
		}))
	}
	if u == OpFloorDiv && out == Int64 {
		return binary(eachPair(func(x, y int64) int64 {
			if x == notATime || y == notATime {
				return 0
			}
			return floorDivInt(x, y)
		}))
	}
	return timeLoops[u]
}

// timeLoops are the loops of int64 that know NaT.
var timeLoops = map[Ufunc]loop{
	OpAdd: times2(func(x, y int64) int64 { return x + y }),
	OpSub: times2(func(x, y int64) int64 { return x - y }),
	OpMul: times2(func(x, y int64) int64 { return x * y }),
	// NumPy's quotient of a span and an int is cut towards zero, also where it is called floor_divide.
	OpDiv: times2(divSpan), OpFloorDiv: times2(divSpan),
	OpRemainder: times2(func(x, y int64) int64 {
		if y == 0 {
			return notATime
		}
		return remainderInt(x, y)
	}),
	OpMinimum: times2(func(x, y int64) int64 { return min(x, y) }),
	OpMaximum: times2(func(x, y int64) int64 { return max(x, y) }),
	OpFMin: binary(eachPair(func(x, y int64) int64 {
		if x == notATime || y == notATime {
			return max(x, y)
		}
		return min(x, y)
	})),
	OpFMax: binary(eachPair(func(x, y int64) int64 { return max(x, y) })),
	OpNeg:  unary(each(func(x int64) int64 { return -x })), // -NaT is NaT
	OpAbs:  unary(absInt[int64]),
	OpSign: unary(each(func(x int64) int64 {
		if x == notATime {
			return x
		}
		return int64(cmp.Compare(x, 0))
	})),

	OpEqual:        timeOrder(func(x, y int64) bool { return x == y }, false),
	OpNotEqual:     timeOrder(func(x, y int64) bool { return x != y }, true),
	OpLess:         timeOrder(func(x, y int64) bool { return x < y }, false),
	OpLessEqual:    timeOrder(func(x, y int64) bool { return x <= y }, false),
	OpGreater:      timeOrder(func(x, y int64) bool { return x > y }, false),
	OpGreaterEqual: timeOrder(func(x, y int64) bool { return x >= y }, false),
	OpIsNaN:        unary(each(func(x int64) uint8 { return bit(x == notATime) })),
	OpIsFinite:     unary(each(func(x int64) uint8 { return bit(x != notATime) })),
	OpIsInf:        unary(each(func(int64) uint8 { return 0 })),
}

// times2 makes a loop whose result is NaT where an operand is.
func times2(f func(x, y int64) int64) loop {
	return binary(eachPair(func(x, y int64) int64 {
		if x == notATime || y == notATime {
			return notATime
		}
		return f(x, y)
	}))
}

// timeOrder makes a loop that compares; none is what a comparison with NaT gives.
func timeOrder(f func(x, y int64) bool, none bool) loop {
	return binary(eachPair(func(x, y int64) uint8 {
		if x == notATime || y == notATime {
			return bit(none)
		}
		return bit(f(x, y))
	}))
}

func divSpan(x, y int64) int64 {
	if y == 0 {
		return notATime
	}
	return x / y
}

// spanOfFloat makes spans of what the loop gives, cut towards zero; NaN and what is out of range are NaT.
func spanOfFloat(l loop) loop {
	return func(dst, a, b, c []byte) {
		l(dst, a, b, c)
		for i, v := range elements[float64](dst) {
			elements[int64](dst)[i] = toInt64(v)
		}
	}
}
