package blas

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/dense"
)

// multiply is a product by rows: by columns it is that of the transposes, y first.
func (l *library) multiply(kind byte, n, k, m int, dst unsafe.Pointer, x, y dense.Matrix) {
	size := map[byte]int{'s': 4, 'd': 8, 'c': 8, 'z': 16}[kind]
	left, leadLeft, atX := orientation(x, n, k, size)
	right, leadRight, atY := orientation(y, k, m, size)
	one, zero := [2]float64{1, 0}, [2]float64{}
	if kind == 's' || kind == 'c' {
		*(*[2]float32)(unsafe.Pointer(&one)) = [2]float32{1, 0}
	}
	l.call(string(kind)+"gemm", right, left, m, n, k, unsafe.Pointer(&one), atY, leadRight, atX, leadLeft, unsafe.Pointer(&zero), dst, m)
}

// orientation says how a matrix of so many rows and columns lies: by rows is LAPACK's N for a transpose, by columns T.
// Others are copied.
func orientation(a dense.Matrix, rows, columns, size int) (trans byte, lead int, at unsafe.Pointer) {
	switch {
	case a.Column == 1 && a.Row >= columns:
		return 'N', a.Row, a.At
	case a.Row == 1 && a.Column >= rows:
		return 'T', a.Column, a.At
	}
	copied := make([]byte, rows*columns*size)
	for i := range rows {
		for j := range columns {
			from := unsafe.Slice((*byte)(unsafe.Add(a.At, (i*a.Row+j*a.Column)*size)), size)
			copy(copied[(i*columns+j)*size:], from)
		}
	}
	return 'N', columns, unsafe.Pointer(&copied[0])
}
