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
func rowLoop(op, typ string) vector.Func {
	for _, l := range vector.Loops() {
		if l.Op == op && l.Type == typ {
			return l.Forms[0]
		}
	}
	return nil
}

// intoRow does run with as many elements as it takes and returns the rest.
func intoRow[T float](run vector.Func, dst, row []T) (restDst, restRow []T) {
	n := len(dst) &^ (vector.Step - 1)
	if run == nil || n == 0 {
		return dst, row
	}
	d := unsafe.Pointer(unsafe.SliceData(dst))
	run(n, d, d, unsafe.Pointer(unsafe.SliceData(row)), nil)
	return dst[n:], row[n:]
}

var addRows = rowLoop("add", "f64")

// addRow adds a row to dst.
func addRow(dst, row []float64) {
	dst, row = intoRow(addRows, dst, row)
	for j, v := range row {
		dst[j] += v
	}
}

// extremeFloats is the folding to the largest or smallest float. run is the vector loop, which leaves NaNs and the signs of zeros to
// block; low is whether -0 comes before 0.
func extremeFloats[T float](acc DType, run vector.Extreme[T], block func([]T) T, join func(a, b T) T, low bool, op, typ string) reducer {
	rows := rowLoop(op, typ)
	how := fold[T]{block: block, join: join}
	how.columns = func(out []T, count int, next func() []T) {
		copy(out, next())
		for range count - 1 {
			dst, row := intoRow(rows, out, next())
			for j, v := range row {
				dst[j] = join(dst[j], v)
			}
		}
	}
	if run != nil {
		how.block = func(x []T) T {
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
	return foldingColumns(acc, how)
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
