package arrays

import (
	"fmt"
	"slices"
)

// MatMul returns the matrix product of x and y: the last axis of x with the second to last of y, further axes broadcast
// (numpy.matmul). A 1-d operand is a row on the left and a column on the right, and its axis is dropped again. Products are
// added in the order of the summed axis; ints wrap.
func MatMul(x, y any) *Array { return Call(RoutineMatMul(), x, y) }

// MatMul returns the matrix product of a and y, as the function [MatMul].
func (a *Array) MatMul(y any) *Array { return Call(RoutineMatMul(), a, y) }

// RoutineMatMul is the routine of [MatMul].
func RoutineMatMul() Routine {
	return Routine{
		Name: "matmul", Plain: true,
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
			x, y := in[0], in[1]
			if x.NDim() == 1 {
				x = x.At(NewAxis)
			}
			if y.NDim() == 1 {
				y = y.At(All, NewAxis)
			}
			n, k, m := x.layout.Shape[x.NDim()-2], x.layout.Shape[x.NDim()-1], y.layout.Shape[y.NDim()-1]
			lead, _ := BroadcastShapes(x.layout.Shape[:x.NDim()-2], y.layout.Shape[:y.NDim()-2])
			xs, _ := x.layout.BroadcastTo(slices.Concat(lead, []int{n, k}))
			ys, _ := y.layout.BroadcastTo(slices.Concat(lead, []int{k, m}))
			if out.dtype == Float16 { // products are added in float32 and rounded once
				product := Call(RoutineMatMul(), x.AsType(Float32), y.AsType(Float32))
				out.Set(product.Reshape(out.layout.Shape...))
				return
			}
			d := out.dtype
			batches := sizeOf(lead)
			if batches == 0 || n == 0 || m == 0 {
				return
			}
			walkX, walkY := newWalk(trailing(xs, len(lead))), newWalk(trailing(ys, len(lead)))
			size := n * m * d.Size()
			for b := range batches {
				left := (&Array{x.dtype, Layout{[]int{n, k}, xs.Strides[len(lead):], walkX.at}, x.data}).asContiguous(d)
				right := (&Array{y.dtype, Layout{[]int{k, m}, ys.Strides[len(lead):], walkY.at}, y.data}).asContiguous(d)
				dst := out.data[b*size : (b+1)*size]
				products[d](dst, left, right, k, m)
				walkX.advance(1)
				walkY.advance(1)
			}
		},
	}
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

// products multiplies matrices of each dtype.
var products = [numDTypes]func(dst, x, y []byte, k, m int){
	Bool: matMulBool,
	Int8: matMulOf[int8], Int16: matMulOf[int16], Int32: matMulOf[int32], Int64: matMulOf[int64],
	Uint8: matMulOf[uint8], Uint16: matMulOf[uint16], Uint32: matMulOf[uint32], Uint64: matMulOf[uint64],
	Float32: matMulFloat32, Float64: matMulFloat64, Complex64: matMulOf[complex64], Complex128: matMulOf[complex128],
}

func matMulOf[T number](dst, x, y []byte, k, m int) {
	matMul(elements[T](dst), elements[T](x), elements[T](y), k, m)
}

// matMul adds the products of each row and column in ascending order of k, whatever the blocking, so that the result
// depends on the operands alone.
func matMul[T number](dst, x, y []T, k, m int) {
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
						v := row[j] + T(a0*y0[j]) // the conversion keeps a compiler from fusing
						v += T(a1 * y1[j])
						v += T(a2 * y2[j])
						row[j] = v + T(a3*y3[j])
					}
				}
				for ; p < p1; p++ {
					a, ys := x[i*k+p], y[p*m+j0:p*m+j1]
					for j := range row {
						row[j] += T(a * ys[j])
					}
				}
			}
		}
	}
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
