package arrays

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/dense"
	"github.com/arrayrepl/arrayrepl/internal/fma"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// MatMul returns the matrix product of x and y: the last axis of x with the second to last of y, further axes broadcast
// (numpy.matmul). A 1-d operand is a row on the left and a column on the right, and its axis is dropped again. Products
// are added by fused multiply-adds in the order of the summed axis, those with a single column in 32 sums, those of
// 16,384 terms or more in lines of 256: a row of the result has the same bits whatever other rows there are, unless a
// library multiplies. Ints wrap.
func MatMul(x, y ArrayLike) *Array { return call(Routines{}.MatMul(), x, y) }

// MatMul returns the matrix product of a and y, as the function [MatMul].
func (a *Array) MatMul(y ArrayLike) *Array { return call(Routines{}.MatMul(), a, y) }

// MatMul is the routine of [MatMul].
func (Routines) MatMul() Routine {
	return Routine{
		Name: "matmul", Plain: true, Whole: true,
		Resolve: func(in []Spec) (Spec, error) {
			x, y := in[0].Shape, in[1].Shape
			if len(x) == 0 || len(y) == 0 {
				return Spec{}, &Error{Shapes: [][]int{x, y}, Msg: "a single number has no matrix product; use Mul"}
			}
			inner := y[max(len(y)-2, 0)]
			if x[len(x)-1] != inner {
				return Spec{}, &Error{Shapes: [][]int{x, y}, Msg: fmt.Sprintf(
					"shapes %s and %s do not multiply: %d columns on the left, %d rows on the right; they must be equal", shapeString(x), shapeString(y), x[len(x)-1], inner)}
			}
			var lead [2][]int
			for i, s := range [][]int{x, y} {
				lead[i] = s[:max(len(s)-2, 0)]
			}
			shape, err := BroadcastShapes(lead[:]...)
			if err != nil {
				return Spec{}, err
			}
			if len(x) > 1 {
				shape = append(shape, x[len(x)-2])
			}
			if len(y) > 1 {
				shape = append(shape, y[len(y)-1])
			}
			d, err := promoted(in)
			if err == nil && !d.IsNumber() {
				err = refuse(d)
			}
			return Spec{DType: d, Shape: shape}, err
		},
		Run: func(out *Array, in []*Array) {
			x, y := in[0].asMatrix(false), in[1].asMatrix(true)
			n, k, m := x.layout.Shape[x.NDim()-2], x.layout.Shape[x.NDim()-1], y.layout.Shape[y.NDim()-1]
			if out.dtype == Float16 { // products are added in float32 and rounded once
				product := call(Routines{}.MatMul(), x.AsType(Float32), y.AsType(Float32))
				out.Set(product.Reshape(out.layout.Shape...))
				return
			}
			d := out.dtype
			if len(out.data) == 0 {
				return
			}
			if k == 0 { // sums of nothing
				clear(out.data)
				return
			}
			if x.NDim() == 2 && y.NDim() == 2 {
				products.get()[d](out.data, x, y, d)
				return
			}
			lead, _ := BroadcastShapes(x.layout.Shape[:x.NDim()-2], y.layout.Shape[:y.NDim()-2])
			xs, _ := x.layout.BroadcastTo(slices.Concat(lead, []int{n, k}))
			ys, _ := y.layout.BroadcastTo(slices.Concat(lead, []int{k, m}))
			batches := sizeOf(lead)
			if tiles := tilesOf(d); tiles != nil && batches > 1 && m > 1 && k < longSum && n*k*m <= pieceWork {
				smallProducts{tiles, out, x.converted(d), y.converted(d), lead, n, k, m}.compute()
				return
			}
			walkX, walkY := newWalk(trailing(xs, len(lead))), newWalk(trailing(ys, len(lead)))
			size := n * m * d.Size()
			left, right := make([]Array, batches), make([]Array, batches)
			shapeX, shapeY := []int{n, k}, []int{k, m}
			for b := range batches {
				left[b] = Array{x.dtype, Layout{shapeX, xs.Strides[len(lead):], walkX.at}, x.data}
				right[b] = Array{y.dtype, Layout{shapeY, ys.Strides[len(lead):], walkY.at}, y.data}
				walkX.advance(1)
				walkY.advance(1)
			}
			each := max(pieceWork/(n*k*m), 1) // pairs in a piece of work
			do := func(piece int) {
				for b := piece * each; b < min((piece+1)*each, batches); b++ {
					products.get()[d](out.data[b*size:(b+1)*size], &left[b], &right[b], d)
				}
			}
			workers.Do((batches+each-1)/each, do, poll)
		},
	}
}

// asMatrix returns a where it has two axes or more; a single line is the one row of a matrix, or its column.
func (a *Array) asMatrix(column bool) *Array {
	if a.NDim() != 1 {
		return a
	}
	n, stride := a.layout.Shape[0], a.layout.Strides[0]
	l := Layout{[]int{1, n}, []int{0, stride}, a.layout.Offset}
	if column {
		l.Shape, l.Strides = []int{n, 1}, []int{stride, 0}
	}
	return &Array{a.dtype, l, a.data}
}

// trailing is l without the axes behind the first n.
func trailing(l Layout, n int) Layout { return Layout{l.Shape[:n], l.Strides[:n], l.Offset} }

// asContiguous returns the elements in C order as dtype, without a copy where they lie so.
func (a *Array) asContiguous(dtype DType) []byte {
	if a.dtype != dtype || !a.layout.IsContiguous() {
		a = a.AsType(dtype)
	}
	return a.Bytes()
}

// A panel of the right side that is worked on at once stays in cache: panelRows x panelColumns elements.
const (
	panelRows    = 64
	panelColumns = 512
)

// products multiplies matrices of each dtype, and writes all of dst.
var products = onDemand[[numDTypes]func(dst []byte, x, y *Array, d DType)]{by: func() [numDTypes]func(dst []byte, x, y *Array, d DType) {
	return [numDTypes]func(dst []byte, x, y *Array, d DType){
		Bool: plainProduct(matMulBool),
		Int8: plainProduct(matMulOf[int8]), Int16: plainProduct(matMulOf[int16]), Int32: plainProduct(matMulOf[int32]), Int64: plainProduct(matMulOf[int64]),
		Uint8: plainProduct(matMulOf[uint8]), Uint16: plainProduct(matMulOf[uint16]), Uint32: plainProduct(matMulOf[uint32]), Uint64: plainProduct(matMulOf[uint64]),
		Float32: floatProduct(tiles32, dot32), Float64: floatProduct(tiles64, dot64),
		Complex64: complexProduct(tiles32, dot32, Float32), Complex128: complexProduct(tiles64, dot64, Float64),
	}
}}

func plainProduct(f func(dst, x, y []byte, k, m int)) func(dst []byte, x, y *Array, d DType) {
	return func(dst []byte, x, y *Array, d DType) {
		clear(dst)
		f(dst, x.asContiguous(d), y.asContiguous(d), x.layout.Shape[1], y.layout.Shape[1])
	}
}

func floatProduct[T float](tiles *vector.Tiles, dot vector.Dot[T]) func(dst []byte, x, y *Array, d DType) {
	return func(dst []byte, x, y *Array, d DType) {
		n, k, m := x.layout.Shape[0], x.layout.Shape[1], y.layout.Shape[1]
		if k == 0 || byLibrary(dst, x, y, d) {
			return
		}
		size := d.Size()
		to := strided{unsafe.Pointer(&dst[0]), m * size, size}
		switch left, right := stridedOf(x, d), stridedOf(y, d); {
		case m == 1: // the row of a transposed product
			vectorProduct[T]{tiles, dot, to.transposed(), right.transposed(), left.transposed(), k, n}.compute()
		case k >= longSum:
			longProduct[T]{tiles, to, left, right, n, k, m}.compute()
		case tiles != nil:
			tiledProduct[T]{tiles, to, left, right, n, k, m, true}.compute()
		default:
			clear(dst)
			matMulFused(elements[T](dst), elements[T](x.asContiguous(d)), elements[T](y.asContiguous(d)), k, m)
		}
	}
}

// libraryWork is how many products are worth the call of a library, tiledWork so many where products go in tiles.
const (
	libraryWork = 32 * 32 * 32
	tiledWork   = 128 * 128 * 128
)

// byLibrary lets a BLAS of the machine multiply, where one is in use and there is work for it.
func byLibrary(dst []byte, x, y *Array, d DType) bool {
	n, k, m := x.layout.Shape[0], x.layout.Shape[1], y.layout.Shape[1]
	least := libraryWork
	if tiles64 != nil {
		least = tiledWork
	}
	l := dense.InUse() // not of a mapped file: a fault in its code would end the program
	if l == nil || mmap.Of(x.data) != nil || mmap.Of(y.data) != nil || n == 1 || m == 1 || n*k*m < least {
		return false
	}
	kind := map[DType]byte{Float32: 's', Float64: 'd', Complex64: 'c', Complex128: 'z'}[d]
	left, right := stridedOf(x, d), stridedOf(y, d)
	size := d.Size()
	l.Multiply(kind, n, k, m, unsafe.Pointer(&dst[0]), dense.Matrix{At: left.at, Row: left.row / size, Column: left.column / size},
		dense.Matrix{At: right.at, Row: right.row / size, Column: right.column / size})
	return true
}

// complexProduct is a real product twice as deep and as wide: with a row (a, b) for a+bi on the left, and on the right
// a row of (c, d) and one of (-d, c) for c+di. One with a single column is two with such columns.
func complexProduct[T float](tiles *vector.Tiles, dot vector.Dot[T], part DType) func(dst []byte, x, y *Array, d DType) {
	multiply := floatProduct(tiles, dot)
	return func(dst []byte, x, y *Array, d DType) {
		n, k, m := x.layout.Shape[0], x.layout.Shape[1], y.layout.Shape[1]
		if k == 0 || byLibrary(dst, x, y, d) {
			return
		}
		right := newUnset(part, []int{2 * k, 2 * m})
		twist(elements[T](right.data), elements[T](y.asContiguous(d)), m)
		left := &Array{part, Contiguous(n, 2*k), x.asContiguous(d)}
		if m > 1 {
			multiply(dst, left, right, part)
			return
		}
		size := part.Size()
		for column := range 2 {
			to := strided{unsafe.Pointer(&dst[column*size]), size, 2 * size}
			from := strided{unsafe.Pointer(&right.data[column*size]), size, 2 * size}
			vectorProduct[T]{tiles, dot, to, from, stridedOf(left, part).transposed(), 2 * k, n}.compute()
		}
	}
}

// twist writes, for each row of m complex numbers, the row and that of the numbers times i.
func twist[T float](to, from []T, m int) {
	var work poller
	for ; len(from) > 0; from, to = from[2*m:], to[4*m:] {
		work.did(2 * m)
		row, times := from[:2*m], to[2*m:4*m]
		copy(to, row)
		for j := 0; j+2 <= len(row); j += 2 {
			times[j], times[j+1] = -row[j+1], row[j]
		}
	}
}

func matMulOf[T plainInt](dst, x, y []byte, k, m int) {
	matMul(elements[T](dst), elements[T](x), elements[T](y), k, m)
}

// matMul adds the products of each row and column.
func matMul[T plainInt](dst, x, y []T, k, m int) {
	n := len(dst) / m
	var work poller
	for j0 := 0; j0 < m; j0 += panelColumns {
		j1 := min(j0+panelColumns, m)
		for p0 := 0; p0 < k; p0 += panelRows {
			p1 := min(p0+panelRows, k)
			for i := range n {
				work.did((p1 - p0) * (j1 - j0))
				row := dst[i*m+j0 : i*m+j1]
				p := p0
				for ; p+4 <= p1; p += 4 { // four rows of y at once: a quarter of the loads and stores of row
					a0, a1, a2, a3 := x[i*k+p], x[i*k+p+1], x[i*k+p+2], x[i*k+p+3]
					y0, y1, y2, y3 := y[p*m+j0:p*m+j1], y[(p+1)*m+j0:(p+1)*m+j1], y[(p+2)*m+j0:(p+2)*m+j1], y[(p+3)*m+j0:(p+3)*m+j1]
					y0, y1, y2, y3 = y0[:len(row)], y1[:len(row)], y2[:len(row)], y3[:len(row)]
					for j := range row {
						row[j] = row[j] + a0*y0[j] + a1*y1[j] + a2*y2[j] + a3*y3[j]
					}
				}
				for ; p < p1; p++ {
					a, ys := x[i*k+p], y[p*m+j0:p*m+j1]
					for j := range row {
						row[j] += a * ys[j]
					}
				}
			}
		}
	}
}

// matMulFused is the definition of a product of floats that is not a [longProduct]: each element is a chain of fused
// multiply-adds from 0 on, in ascending order of k, whatever the blocking, so that the result depends on the operands
// alone.
func matMulFused[T float](dst, x, y []T, k, m int) {
	n := len(dst) / m
	var work poller
	for j0 := 0; j0 < m; j0 += panelColumns {
		j1 := min(j0+panelColumns, m)
		for p0 := 0; p0 < k; p0 += panelRows {
			p1 := min(p0+panelRows, k)
			for i := range n {
				work.did((p1 - p0) * (j1 - j0))
				row := dst[i*m+j0 : i*m+j1]
				p := p0
				for ; p+4 <= p1; p += 4 { // four rows of y at once: a quarter of the loads and stores of row
					a0, a1, a2, a3 := x[i*k+p], x[i*k+p+1], x[i*k+p+2], x[i*k+p+3]
					y0, y1, y2, y3 := y[p*m+j0:p*m+j1], y[(p+1)*m+j0:(p+1)*m+j1], y[(p+2)*m+j0:(p+2)*m+j1], y[(p+3)*m+j0:(p+3)*m+j1]
					y0, y1, y2, y3 = y0[:len(row)], y1[:len(row)], y2[:len(row)], y3[:len(row)]
					for j := range row {
						v := multiplyAdd(a0, y0[j], row[j])
						v = multiplyAdd(a1, y1[j], v)
						v = multiplyAdd(a2, y2[j], v)
						row[j] = multiplyAdd(a3, y3[j], v)
					}
				}
				for ; p < p1; p++ {
					a, ys := x[i*k+p], y[p*m+j0:p*m+j1]
					for j := range row {
						row[j] = multiplyAdd(a, ys[j], row[j])
					}
				}
			}
		}
	}
}

// multiplyAdd is x*y + z rounded once.
func multiplyAdd[T float](x, y, z T) T {
	if unsafe.Sizeof(x) == 8 {
		return T(math.FMA(float64(x), float64(y), float64(z)))
	}
	return T(fma.Float32(float32(x), float32(y), float32(z)))
}

// matMulBool is whether any pair is true on both sides.
func matMulBool(dst, x, y []byte, k, m int) {
	for i := range len(dst) / m {
		row := dst[i*m : (i+1)*m]
		for p := range k {
			if x[i*k+p] != 0 {
				or(row, row, y[p*m:(p+1)*m])
			}
		}
	}
}
