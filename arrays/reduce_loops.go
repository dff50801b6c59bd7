package arrays

import (
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// reduceRule gives, for the dtype of the elements, that of the result and the one in which values are accumulated. ok
// is false where there is no such reduction.
type reduceRule func(d DType) (out, acc DType, ok bool)

// reduceSum: sums and products of ints have 64 bits, those of floats are accumulated in float64 and rounded once.
func reduceSum(d DType) (out, acc DType, ok bool) {
	switch d.Kind() {
	case KindBool, KindInt:
		if d.IsUnsigned() {
			return Uint64, Uint64, true
		}
		return Int64, Int64, true
	case KindFloat:
		return d, Float64, true
	case KindComplex:
		return d, Complex128, true
	}
	return 0, 0, false
}

// reduceSumTime is reduceSum, of spans too.
func reduceSumTime(d DType) (out, acc DType, ok bool) {
	if d.isSpan() {
		return d, d, true
	}
	return reduceSum(d)
}

func reduceMean(d DType) (out, acc DType, ok bool) {
	switch {
	case d.isSpan():
		return d, d, true
	case d.IsComplex():
		return d, Complex128, true
	case d.IsFloat():
		return d, Float64, true
	}
	return Float64, Float64, d.IsNumber()
}

func reduceExtreme(d DType) (out, acc DType, ok bool) {
	if d == Float16 {
		return d, Float32, true
	}
	return d, d, !d.IsString()
}

func reduceIndex(d DType) (out, acc DType, ok bool) {
	if d == Float16 {
		return Int64, Float32, true
	}
	return Int64, d, true
}

func reduceTruth(DType) (out, acc DType, ok bool) { return Bool, Bool, true }

// reducerTable holds the reducer of each dtype in which values are accumulated.
type reducerTable [numDTypes]reducer

func sumReducer(acc DType) reducer {
	if acc.isSpan() {
		return folding(acc, sumSpans, plusSpan)
	}
	return sumReducers.get()[acc]
}

var sumReducers = onDemand[reducerTable]{by: func() reducerTable {
	return reducerTable{
		Int64: sumInts[int64](Int64), Uint64: sumInts[uint64](Uint64),
		Float64: foldingColumns(Float64, fold[float64]{block: sumFloats, join: plus[float64], columns: sumColumns, narrow: sumNarrow}), Complex128: folding(Complex128, sumBlock[complex128], plus),
	}
}}

// sumInts needs no order.
func sumInts[T int64 | uint64](acc DType) reducer {
	return foldingColumns(acc, fold[T]{block: sumBlock[T], join: plus[T], whole: sumBlock[T], truths: countTrue[T]})
}

func meanReducer(acc DType) reducer { return averaging(acc, sumReducer(acc)) }

var prodReducers = onDemand[reducerTable]{by: func() reducerTable {
	return reducerTable{
		Int64:   foldingColumns(Int64, fold[int64]{block: prodBlock[int64], join: product[int64], whole: prodBlock[int64]}),
		Uint64:  foldingColumns(Uint64, fold[uint64]{block: prodBlock[uint64], join: product[uint64], whole: prodBlock[uint64]}),
		Float64: folding(Float64, prodBlock[float64], product), Complex128: folding(Complex128, prodComplex, mulComplex),
	}
}}

func maxReducer(acc DType) reducer {
	if acc.IsTime() {
		return folding(acc, maxTimes, largerTime)
	}
	return maxReducers.get()[acc]
}

func minReducer(acc DType) reducer {
	if acc.IsTime() { // NaT is the smallest
		return folding(acc, minBlock[int64], smaller)
	}
	return minReducers.get()[acc]
}

var maxReducers = onDemand[reducerTable]{by: func() reducerTable {
	return reducerTable{
		Bool: extremeInts(Bool, maxBlock[uint8], larger, &vector.Max, "u8"), Int8: extremeInts(Int8, maxBlock[int8], larger, &vector.Max, "i8"), Int16: extremeInts(Int16, maxBlock[int16], larger, &vector.Max, "i16"), Int32: extremeInts(Int32, maxBlock[int32], larger, &vector.Max, "i32"), Int64: extremeInts(Int64, maxBlock[int64], larger, &vector.Max, "i64"),
		Uint8: extremeInts(Uint8, maxBlock[uint8], larger, &vector.Max, "u8"), Uint16: extremeInts(Uint16, maxBlock[uint16], larger, &vector.Max, "u16"), Uint32: extremeInts(Uint32, maxBlock[uint32], larger, &vector.Max, "u32"), Uint64: extremeInts(Uint64, maxBlock[uint64], larger, &vector.Max, "u64"),
		Float32:   extremeFloats(Float32, vector.ExtremesFloat32().Max, maxBlock, larger, false, &vector.Max, "f32"),
		Float64:   extremeFloats(Float64, vector.ExtremesFloat64().Max, maxBlock, larger, false, &vector.Max, "f64"),
		Complex64: extremeComplex[complex64](Complex64, 1), Complex128: extremeComplex[complex128](Complex128, 1),
	}
}}

var minReducers = onDemand[reducerTable]{by: func() reducerTable {
	return reducerTable{
		Bool: extremeInts(Bool, minBlock[uint8], smaller, &vector.Min, "u8"), Int8: extremeInts(Int8, minBlock[int8], smaller, &vector.Min, "i8"), Int16: extremeInts(Int16, minBlock[int16], smaller, &vector.Min, "i16"), Int32: extremeInts(Int32, minBlock[int32], smaller, &vector.Min, "i32"), Int64: extremeInts(Int64, minBlock[int64], smaller, &vector.Min, "i64"),
		Uint8: extremeInts(Uint8, minBlock[uint8], smaller, &vector.Min, "u8"), Uint16: extremeInts(Uint16, minBlock[uint16], smaller, &vector.Min, "u16"), Uint32: extremeInts(Uint32, minBlock[uint32], smaller, &vector.Min, "u32"), Uint64: extremeInts(Uint64, minBlock[uint64], smaller, &vector.Min, "u64"),
		Float32:   extremeFloats(Float32, vector.ExtremesFloat32().Min, minBlock, smaller, true, &vector.Min, "f32"),
		Float64:   extremeFloats(Float64, vector.ExtremesFloat64().Min, minBlock, smaller, true, &vector.Min, "f64"),
		Complex64: extremeComplex[complex64](Complex64, -1), Complex128: extremeComplex[complex128](Complex128, -1),
	}
}}

// pickComplex is the larger of two numbers, or with sign -1 the smaller; the first NaN where there is one.
func pickComplex[C complexNumber](sign int) func(x, y C) C {
	return func(x, y C) C {
		switch {
		case cmplxNaN(complex128(x)):
			return x
		case cmplxNaN(complex128(y)):
			return y
		case sign*compareComplex(complex128(x), complex128(y)) >= 0:
			return x
		}
		return y
	}
}

func extremeComplex[C complexNumber](acc DType, sign int) reducer {
	pick := pickComplex[C](sign)
	return folding(acc, func(x []C) C {
		best := x[0]
		for _, v := range x[1:] {
			best = pick(best, v)
		}
		return best
	}, pick)
}

func maxTimes(x []int64) int64 {
	best := x[0]
	for _, v := range x[1:] {
		best = largerTime(best, v)
	}
	return best
}

func largerTime(x, y int64) int64 {
	if x == notATime || y == notATime {
		return notATime
	}
	return max(x, y)
}

func sumSpans(x []int64) int64 {
	sum := int64(0)
	for _, v := range x {
		sum = plusSpan(sum, v)
	}
	return sum
}

func plusSpan(x, y int64) int64 {
	if x == notATime || y == notATime {
		return notATime
	}
	return x + y
}

func prodComplex(x []complex128) complex128 {
	p := complex128(1)
	for _, v := range x {
		p = mulComplex(p, v)
	}
	return p
}

var truthReducers = onDemand[[2]reducer]{by: func() [2]reducer {
	return [2]reducer{
		foldingColumns(Bool, fold[uint8]{block: allBlock, join: smaller[uint8], whole: allBlock, last: func(all uint8) bool { return all == 0 }}),
		foldingColumns(Bool, fold[uint8]{block: anyBlock, join: larger[uint8], whole: anyBlock, last: func(any uint8) bool { return any != 0 }}),
	}
}}

// indexReducer finds the first largest element, or with sign -1 the smallest; the first that does not compare (NaN,
// NaT) counts as beyond everything.
func indexReducer(sign int, numbers *onDemand[reducerTable], acc DType) reducer {
	switch {
	case acc.IsNumber():
		return numbers.get()[acc]
	case acc.IsTime():
		return firstWhere(elements[int64], func(v, best int64) bool { return sign*compareTime(v, best) > 0 }, func(v int64) bool { return v == notATime })
	case acc == StringDType:
		return firstWhere(textsOf, func(v, best string) bool { return sign*strings.Compare(v, best) > 0 }, func(string) bool { return false })
	}
	size := acc.Size()
	return firstWhere(func(b []byte) [][]uint32 {
		var rows [][]uint32
		for row := range slices.Chunk(elements[uint32](slices.Clone(b)), size/4) { // a row outlives its block
			rows = append(rows, row)
		}
		return rows
	}, func(v, best []uint32) bool { return sign*slices.Compare(v, best) > 0 }, func([]uint32) bool { return false })
}

var (
	argMaxReducers = onDemand[reducerTable]{by: func() reducerTable { return indexReducers(1) }}
	argMinReducers = onDemand[reducerTable]{by: func() reducerTable { return indexReducers(-1) }}
)

func argMaxReducer(acc DType) reducer { return indexReducer(1, &argMaxReducers, acc) }
func argMinReducer(acc DType) reducer { return indexReducer(-1, &argMinReducers, acc) }

// indexReducers are those of the dtypes of numbers.
func indexReducers(sign int) reducerTable {
	return reducerTable{
		Bool:      firstExtreme[uint8](sign, "u8"),
		Int8:      firstExtreme[int8](sign, "i8"),
		Int16:     firstExtreme[int16](sign, "i16"),
		Int32:     firstExtreme[int32](sign, "i32"),
		Int64:     firstExtreme[int64](sign, "i64"),
		Uint8:     firstExtreme[uint8](sign, "u8"),
		Uint16:    firstExtreme[uint16](sign, "u16"),
		Uint32:    firstExtreme[uint32](sign, "u32"),
		Uint64:    firstExtreme[uint64](sign, "u64"),
		Float32:   firstFloat(sign, vector.ExtremesFloat32()),
		Float64:   firstFloat(sign, vector.ExtremesFloat64()),
		Complex64: firstComplex[complex64](sign), Complex128: firstComplex[complex128](sign),
	}
}

func compareTime(x, y int64) int {
	if x < y {
		return -1
	}
	return int(bit(x > y))
}

// firstOf looks for the best of blocks, and for its place in that of them alone.
func firstOf[T realNumber](best func([]T) T, beats func(v, best T) bool) reducer {
	return reducer{
		run: func(in *stream, kept Layout, count int) *Array {
			out := New(Int64, kept.Size())
			results := elements[int64](out.data)
			eachTile(kept, func(lo int, bases []int) {
				for j, base := range bases {
					results[lo+j] = int64(firstBest(in, base, count, best, beats))
				}
			})
			return out
		},
		few: func(dst, src []byte) {
			x := elements[T](src)
			v := best(x)
			elements[int64](dst)[0] = int64(placeOf(x, v))
		},
	}
}

// placeOf returns where the best element of x stands first; NaN is better than all others.
func placeOf[T realNumber](x []T, best T) int {
	if best != best {
		return slices.IndexFunc(x, func(v T) bool { return v != v })
	}
	return slices.Index(x, best)
}

func firstBest[T realNumber](in *stream, base, count int, best func([]T) T, beats func(v, best T) bool) int {
	var top T
	at := 0
	var work poller
	in.seek(base, 0)
	for lo := 0; lo < count; lo += blockLen {
		block := elements[T](in.next(min(blockLen, count-lo)))
		work.did(len(block))
		v := best(block)
		if v != v {
			return lo + placeOf(block, v)
		}
		if lo == 0 || beats(v, top) {
			top, at = v, lo
		}
	}
	in.seek(base, at)
	return at + placeOf(elements[T](in.next(min(blockLen, count-at))), top)
}

func firstComplex[C complexNumber](sign int) reducer {
	return firstWhere(elements[C], func(v, best C) bool { return sign*compareComplex(complex128(v), complex128(best)) > 0 },
		func(v C) bool { return cmplxNaN(complex128(v)) })
}

// firstWhere finds the index of the first element that none after it beats, or the first that is final.
func firstWhere[T any](load func([]byte) []T, beats func(v, best T) bool, final func(T) bool) reducer {
	return reducer{
		run: func(in *stream, kept Layout, count int) *Array {
			out := New(Int64, kept.Size())
			results := elements[int64](out.data)
			eachTile(kept, func(lo int, bases []int) {
				for j, base := range bases {
					in.seek(base, 0)
					results[lo+j] = int64(firstFrom(in, count, load, beats, final))
				}
			})
			return out
		},
		few: func(dst, src []byte) {
			var f firstFinder[T]
			f.look(load(src), beats, final)
			elements[int64](dst)[0] = int64(f.at)
		},
	}
}

// firstFinder is a search that has seen some elements.
type firstFinder[T any] struct {
	best     T
	at, seen int
}

// look goes on with elements; it reports whether one of them is final.
func (f *firstFinder[T]) look(x []T, beats func(v, best T) bool, final func(T) bool) bool {
	for i, v := range x {
		if final(v) {
			f.at = f.seen + i
			return true
		}
		if f.seen+i == 0 || beats(v, f.best) {
			f.best, f.at = v, f.seen+i
		}
	}
	f.seen += len(x)
	return false
}

func firstFrom[T any](in *stream, count int, load func([]byte) []T, beats func(v, best T) bool, final func(T) bool) int {
	var f firstFinder[T]
	var work poller
	for lo := 0; lo < count; lo += blockLen {
		work.did(blockLen)
		if f.look(load(in.next(min(blockLen, count-lo))), beats, final) {
			break
		}
	}
	return f.at
}
