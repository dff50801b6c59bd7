package arrays

// CumSum returns the running sums of x along an axis, or over all elements in C order when none is named. The dtype is that of
// [Sum]; float32 is added in float64.
func CumSum(x any, axis ...int) *Array { return Call(RoutineCumulate(ReduceSum, axis), x) }

// CumSum returns the running sums of a, as the function [CumSum].
func (a *Array) CumSum(axis ...int) *Array { return Call(RoutineCumulate(ReduceSum, axis), a) }

// CumProd returns the running products of x along an axis, or over all elements in C order when none is named.
func CumProd(x any, axis ...int) *Array { return Call(RoutineCumulate(ReduceProd, axis), x) }

// CumProd returns the running products of a, as the function [CumProd].
func (a *Array) CumProd(axis ...int) *Array { return Call(RoutineCumulate(ReduceProd, axis), a) }

// CumMax returns the running maxima of x along an axis, or over all elements in C order; NaN from the first NaN on
// (numpy.maximum.accumulate).
func CumMax(x any, axis ...int) *Array { return Call(RoutineCumulate(ReduceMax, axis), x) }

// CumMin returns the running minima of x, as [CumMax] the maxima.
func CumMin(x any, axis ...int) *Array { return Call(RoutineCumulate(ReduceMin, axis), x) }

// RoutineCumulate is the routine of the running results of ReduceSum, ReduceProd, ReduceMax or ReduceMin.
func RoutineCumulate(r Reduction, axis []int) Routine {
	name := map[Reduction]string{ReduceSum: "cumsum", ReduceProd: "cumprod", ReduceMax: "maximum.accumulate", ReduceMin: "minimum.accumulate"}[r]
	row := reductions[r]
	out := func(d DType) DType { return row.out[d] }
	return along(name, axis, true, func(d DType) DType { return row.acc[d] }, out, func(d DType, dst, src []byte) {
		switch {
		case d == Bool: // of a running maximum or minimum
			runLine(dst, src, r)
		case d == Int64:
			runLine(elements[int64](dst), elements[int64](src), r)
		case d == Float32:
			runLine(elements[float32](dst), elements[float32](src), r)
		case len(dst) < len(src): // float32, summed in float64
			sums := elements[float64](src)
			runLine(sums, sums, r)
			for i, v := range sums {
				elements[float32](dst)[i] = float32(v)
			}
		default:
			runLine(elements[float64](dst), elements[float64](src), r)
		}
	})
}

func runLine[T element](dst, src []T, r Reduction) {
	if len(src) == 0 {
		return
	}
	acc := src[0]
	dst[0] = acc
	for i := 1; i < len(src); i++ {
		switch r {
		case ReduceSum:
			acc += src[i]
		case ReduceProd:
			acc *= src[i]
		case ReduceMax:
			acc = max(acc, src[i])
		default:
			acc = min(acc, src[i])
		}
		dst[i] = acc
	}
}
