package arrays

import (
	"math"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// sumColumns is sumFloats of each of neighbouring columns: the same additions in the same order, row by row.
func sumColumns(out []float64, count int, next func() []float64) {
	sums := columnSums.Get().(*[8][rowTile]float64)
	for i := range sums {
		clear(sums[i][:len(out)])
	}
	for i := range count &^ 7 {
		addRow(sums[i&7][:len(out)], next())
	}
	for j := range out {
		out[j] = ((sums[0][j] + sums[1][j]) + (sums[2][j] + sums[3][j])) + ((sums[4][j] + sums[5][j]) + (sums[6][j] + sums[7][j]))
	}
	columnSums.Put(sums)
	for range count & 7 {
		addRow(out, next())
	}
}

// columnSums has room for the running sums of sumColumns.
var columnSums = sync.Pool{New: func() any { return new([8][rowTile]float64) }}

// rowLoop is the loop of an operation, which puts its result in its first operand's place; nil where there is none.
func rowLoop(op *vector.Operation, typ string) vector.Func {
	for _, l := range op.Loops() {
		if l.Type == typ {
			return l.Forms[0]
		}
	}
	return nil
}

// intoRow does run with as many elements as it takes and returns the rest.
func intoRow[T realNumber](run vector.Func, dst, row []T) (restDst, restRow []T) {
	n := len(dst) &^ (vector.Step - 1)
	if run == nil || n == 0 {
		return dst, row
	}
	d := unsafe.Pointer(unsafe.SliceData(dst))
	run(n, d, d, unsafe.Pointer(unsafe.SliceData(row)), nil)
	return dst[n:], row[n:]
}

var addRows = onDemand[[2]vector.Func]{by: func() [2]vector.Func { return [2]vector.Func{rowLoop(&vector.Add, "f32"), rowLoop(&vector.Add, "f64")} }}

// addRow adds a row to dst.
func addRow[T float](dst, row []T) {
	dst, row = intoRow(addRows.get()[unsafe.Sizeof(dst[0])/8], dst, row)
	for j, v := range row {
		dst[j] += v
	}
}

// extremeInts is the folding to the largest or smallest integer, of which op of typ is the vector loop.
func extremeInts[T plainInt](acc DType, block func([]T) T, join func(a, b T) T, op *vector.Operation, typ string) reducer {
	return foldingColumns(acc, fold[T]{block: block, join: join, whole: wholeExtreme(block, op, typ), columns: extremeColumns(join, op, typ)})
}

// wholeExtreme lays parts of the elements over each other and then the halves of what is left.
func wholeExtreme[T plainInt](block func([]T) T, op *vector.Operation, typ string) func([]T) T {
	run := rowLoop(op, typ)
	if run == nil {
		return block
	}
	return func(x []T) T {
		if len(x) < 2*vector.Step {
			return block(x)
		}
		room := blockRooms.Get().(*blockRoom)
		most := unsafe.Sizeof(room[0]) / unsafe.Sizeof(x[0])
		n := min(len(x)/2, int(most)) &^ (vector.Step - 1)
		best := elements[T](bytesOf(room[0][:]))[:n]
		d := unsafe.Pointer(unsafe.SliceData(best))
		at := func(i int) unsafe.Pointer { return unsafe.Pointer(&x[i]) }
		run(n, d, at(0), at(n), nil)
		x = x[2*n:]
		for len(x) >= vector.Step {
			m := min(n, len(x)) &^ (vector.Step - 1)
			run(m, d, d, at(0), nil)
			x = x[m:]
		}
		for n > vector.Step {
			half := n / 2 &^ (vector.Step - 1)
			run(half, d, d, unsafe.Pointer(&best[n-half]), nil)
			n -= half
		}
		m := copy(best[vector.Step:2*vector.Step], x)
		result := block(best[:vector.Step+m])
		blockRooms.Put(room)
		return result
	}
}

// extremeColumns is the largest or smallest of each of neighbouring columns, row by row.
func extremeColumns[T realNumber](join func(a, b T) T, op *vector.Operation, typ string) func(out []T, count int, next func() []T) {
	rows := rowLoop(op, typ)
	return func(out []T, count int, next func() []T) {
		copy(out, next())
		for range count - 1 {
			dst, row := intoRow(rows, out, next())
			for j, v := range row {
				dst[j] = join(dst[j], v)
			}
		}
	}
}

// firstExtreme finds the first of the largest integers, or with sign -1 the smallest.
func firstExtreme[T plainInt](sign int, typ string) reducer {
	if sign < 0 {
		return firstOf(wholeExtreme(minBlock[T], &vector.Min, typ), func(v, best T) bool { return v < best })
	}
	return firstOf(wholeExtreme(maxBlock[T], &vector.Max, typ), func(v, best T) bool { return v > best })
}

// firstFloat does so for floats.
func firstFloat[T float](sign int, loops vector.Extremes[T]) reducer {
	if sign < 0 {
		return firstOf(extremeBlock(loops.Min, minBlock[T], smaller[T], true), func(v, best T) bool { return v < best })
	}
	return firstOf(extremeBlock(loops.Max, maxBlock[T], larger[T], false), func(v, best T) bool { return v > best })
}

// extremeFloats is the folding to the largest or smallest float. run is the vector loop, which leaves NaNs and the
// signs of zeros to block; low is whether -0 comes before 0.
func extremeFloats[T float](acc DType, run vector.Extreme[T], block func([]T) T, join func(a, b T) T, low bool, op *vector.Operation, typ string) reducer {
	return foldingColumns(acc, fold[T]{block: extremeBlock(run, block, join, low), join: join, columns: extremeColumns(join, op, typ)})
}

func extremeBlock[T float](run vector.Extreme[T], block func([]T) T, join func(a, b T) T, low bool) func([]T) T {
	if run == nil {
		return block
	}
	return func(x []T) T {
		n := len(x) &^ (vector.Step - 1)
		if n == 0 {
			return block(x)
		}
		best, nan := run(x[:n])
		switch {
		case nan:
			return block(x)
		case best == 0:
			best = extremeZero(x[:n], low)
		}
		if n < len(x) {
			best = join(best, block(x[n:]))
		}
		return best
	}
}

// extremeZero returns the first zero of x with the sign that is asked for, or any other.
func extremeZero[T float](x []T, negative bool) T {
	for _, v := range x {
		if v == 0 && math.Signbit(float64(v)) == negative {
			return v
		}
	}
	if negative {
		return 0
	}
	return T(math.Copysign(0, -1))
}
