package arrays

// CumSum returns the running sums of x along an axis, or over all elements in C order when none is named. The dtype is
// that of [Sum]; float32 is added in float64.
func CumSum(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceSum, axesFrom("cumsum", axis)), x)
}

// CumSum returns the running sums of a, as the function [CumSum].
func (a *Array) CumSum(axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceSum, axesFrom("cumsum", axis)), a)
}

// CumProd returns the running products of x along an axis, or over all elements in C order when none is named.
func CumProd(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceProd, axesFrom("cumprod", axis)), x)
}

// CumProd returns the running products of a, as the function [CumProd].
func (a *Array) CumProd(axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceProd, axesFrom("cumprod", axis)), a)
}

// CumMax returns the running maxima of x along an axis, or over all elements in C order; NaN from the first NaN on
// (numpy.maximum.accumulate).
func CumMax(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceMax, axesFrom("maximum.accumulate", axis)), x)
}

// CumMin returns the running minima of x, as [CumMax] the maxima.
func CumMin(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.Cumulate(ReduceMin, axesFrom("minimum.accumulate", axis)), x)
}

// cumulations are NumPy's names of running results.
var cumulations = [NumReductions]string{ReduceSum: "cumsum", ReduceProd: "cumprod", ReduceMax: "maximum.accumulate", ReduceMin: "minimum.accumulate"}

// Cumulate is the routine of the running results of ReduceSum, ReduceProd, ReduceMax or ReduceMin.
func (Routines) Cumulate(r Reduction, axis []int) Routine {
	name := cumulations[r]
	rule := reductions[r].rule
	out := func(d DType) DType { out, _, _ := rule(d); return out }
	acc := func(d DType) DType { _, acc, _ := rule(d); return acc }
	allow := func(d DType) error {
		if _, _, ok := rule(d); !ok {
			return refuse(d)
		}
		return nil
	}
	routine := along(name, axis, true, acc, out, allow, nil)
	routine.Whole, routine.InPlace = true, true
	routine.Run = func(dst *Array, in []*Array) {
		a := in[0]
		k, _ := axisOf(axis, a.layout.Shape, true)
		if k < 0 {
			a, k = a.Reshape(-1), 0
		}
		accumulate(r, acc(a.dtype), dst, a, k)
	}
	return routine
}

// accumulate writes the running results along axis k of a, in dtype acc, to dst: block by block, so that lines take no
// memory and dst may be a.
func accumulate(r Reduction, acc DType, dst, a *Array, k int) {
	run, size := runnerOf(r, acc), acc.Size()
	var lane *stream
	var to *sink
	var work poller
	var word [2]uint64
	last := bytesOf(word[:])[:size]
	eachLine(a.layout, dst.layout, k, func(from, onto Layout) {
		if lane == nil {
			lane, to = newStream(&Array{a.dtype, from, a.data}, acc), newSink(&Array{dst.dtype, onto, dst.data}, acc, 0)
		} else {
			lane.seek(from.Offset, 0)
			to.walk.seek(onto.Offset, 0)
		}
		for lo, n := 0, from.Shape[0]; lo < n; {
			d := to.next(min(blockLen, n-lo))
			m := len(d) / size
			if lo == 0 {
				run(d, lane.next(m), nil)
			} else {
				run(d, lane.next(m), last)
			}
			copy(last, d[len(d)-size:])
			to.wrote(m)
			lo += m
			work.did(m)
		}
	})
}

// runner writes to dst what an operation makes of the elements of a line up to each of src, of which last is the result
// before.
type runner func(dst, src, last []byte)

func running[T element](f func(x, y T) T) runner {
	return func(dst, src, last []byte) {
		d, s := elements[T](dst), elements[T](src)
		s = s[:len(d)]
		v := s[0]
		if last != nil {
			v = f(elements[T](last)[0], v)
		}
		d[0] = v
		for i := 1; i < len(d); i++ {
			v = f(v, s[i])
			d[i] = v
		}
	}
}

// runningSum is running(plus), whose calls for each element take longer than the addition.
func runningSum[T accumulator](dst, src, last []byte) {
	d, s := elements[T](dst), elements[T](src)
	s = s[:len(d)]
	sum := s[0]
	if last != nil {
		sum += elements[T](last)[0]
	}
	d[0] = sum
	for i := 1; i < len(d); i++ {
		sum += s[i]
		d[i] = sum
	}
}

// runnerOf returns the runner of a reduction for the dtype in which it accumulates.
func runnerOf(r Reduction, acc DType) runner {
	switch {
	case acc.isSpan() && r == ReduceSum:
		return running(plusSpan)
	case acc.IsTime() && r == ReduceMax:
		return running(largerTime)
	case acc.IsTime():
		return running(smaller[int64])
	}
	return (*runners.get())[r][acc]
}

var runners = onDemand[map[Reduction][numDTypes]runner]{by: func() map[Reduction][numDTypes]runner {
	return map[Reduction][numDTypes]runner{
		ReduceSum:  {Int64: runningSum[int64], Uint64: runningSum[uint64], Float64: runningSum[float64], Complex128: runningSum[complex128]},
		ReduceProd: {Int64: running(product[int64]), Uint64: running(product[uint64]), Float64: running(product[float64]), Complex128: running(mulComplex)},
		ReduceMax: {
			Bool: running(larger[uint8]), Int8: running(larger[int8]), Int16: running(larger[int16]), Int32: running(larger[int32]), Int64: running(larger[int64]),
			Uint8: running(larger[uint8]), Uint16: running(larger[uint16]), Uint32: running(larger[uint32]), Uint64: running(larger[uint64]),
			Float32: running(larger[float32]), Float64: running(larger[float64]),
			Complex64: running(pickComplex[complex64](1)), Complex128: running(pickComplex[complex128](1)),
		},
		ReduceMin: {
			Bool: running(smaller[uint8]), Int8: running(smaller[int8]), Int16: running(smaller[int16]), Int32: running(smaller[int32]), Int64: running(smaller[int64]),
			Uint8: running(smaller[uint8]), Uint16: running(smaller[uint16]), Uint32: running(smaller[uint32]), Uint64: running(smaller[uint64]),
			Float32: running(smaller[float32]), Float64: running(smaller[float64]),
			Complex64: running(pickComplex[complex64](-1)), Complex128: running(pickComplex[complex128](-1)),
		},
	}
}}
