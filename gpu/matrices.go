package gpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
)

// Factor is the constraint of the factors of [MMA].
type Factor interface {
	Float16 | BFloat16 | TFloat32 | Float8E4M3 | Float8E5M2
}

// MatrixA is a warp's matrix, the first factor of [MMA]: 16 rows of 32 bytes, which are 16 columns of Float16 or
// BFloat16, 8 of TFloat32, 32 of numbers of 8 bits. Each thread has four words of its elements.
type MatrixA[T Factor] [4]uint32

// MatrixB is a warp's matrix, the second factor of [MMA]: 8 columns of 32 bytes, as many rows as MatrixA has columns.
// Each thread has two words of its elements.
type MatrixB[T Factor] [2]uint32

// word puts neighbours into a word, the first one into the lowest bits: as many as it has, by apart from x[at] on.
func word[T Factor](x []T, at, by int) (w uint32) {
	n := wordOf[T]()
	for i := range n {
		w |= uint32(x[at+i*by]) << (32 / n * i)
	}
	return w
}

// wordOf returns how many elements a word has.
func wordOf[T Factor]() int { return 4 / int(unsafe.Sizeof(T(0))) }

// LoadA reads a matrix whose rows begin stride elements apart in x, so many that a row begins at whole words: an even
// number of Float16 and BFloat16, a multiple of four of numbers of 8 bits. All threads of the warp must come.
//
// For example:
//
//	a := gpu.LoadA(x[16*row*n+16*k:], n) // a tile of an n by n matrix of Float16
func LoadA[T Factor](x []T, stride int) (m MatrixA[T]) {
	row, at := emulate.Quad("LoadA")
	for i := range m {
		m[i] = word(x, (row+8*(i%2))*stride+(at+4*(i/2))*wordOf[T](), 1)
	}
	return m
}

// LoadA8 is LoadA of a matrix of half as many columns, 8 of Float16 and BFloat16; the other columns are zeros. Where
// both factors of [MMA] are such ones, by LoadB8 or LoadBT8, the product is m16n8k8, or m16n8k4 of TFloat32, which
// takes half the time.
//
// For example:
//
//	c = gpu.MMA(gpu.LoadA8(a[row*n+k:], n), gpu.LoadB8(b[k*n+col:], n), c) // k goes on by 8
func LoadA8[T Factor](x []T, stride int) (m MatrixA[T]) {
	row, at := emulate.Quad("LoadA8")
	for i := range 2 {
		m[i] = word(x, (row+8*i)*stride+at*wordOf[T](), 1)
	}
	return m
}

// LoadB8 is LoadB of a matrix of half as many rows; the other rows are zeros.
func LoadB8[T Factor](x []T, stride int) (m MatrixB[T]) {
	col, at := emulate.Quad("LoadB8")
	m[0] = word(x, at*wordOf[T]()*stride+col, stride)
	return m
}

// LoadBT8 is LoadBT of a matrix of half as many rows; the other rows are zeros.
func LoadBT8[T Factor](x []T, stride int) (m MatrixB[T]) {
	col, at := emulate.Quad("LoadBT8")
	m[0] = word(x, col*stride+at*wordOf[T](), 1)
	return m
}

// LoadB reads a matrix whose rows begin stride elements apart in x. All threads of the warp must come.
func LoadB[T Factor](x []T, stride int) (m MatrixB[T]) {
	col, at := emulate.Quad("LoadB")
	for i := range m {
		m[i] = word(x, (at+4*i)*wordOf[T]()*stride+col, stride)
	}
	return m
}

// LoadBT is LoadB from the transposed matrix: the columns lie one after the other and begin stride elements apart, so
// many as LoadA wants, so that a thread's neighbours are read at once.
func LoadBT[T Factor](x []T, stride int) (m MatrixB[T]) {
	col, at := emulate.Quad("LoadBT")
	for i := range m {
		m[i] = word(x, col*stride+(at+4*i)*wordOf[T](), 1)
	}
	return m
}

// MMA returns a*b + c, a product of matrices of a warp by its tensor cores: m16n8k16, 16 by 16 times 16 by 8, of
// Float16 and BFloat16, m16n8k8 of TFloat32, m16n8k32 of Float8E4M3 and Float8E5M2. Products are exact, and each
// element's sum of them and c is rounded once, to the nearest float32. All threads of the warp must come. Machines
// have these shapes from compute capability 8.0 on, of 8 bits from 8.9; [MMAQuarters] is that of 7.0. A card's tensor
// cores cut off bits of such sums, in ways that NVIDIA does not document: there last bits may be others.
//
// For example:
//
//	var c gpu.MatrixC
//	for k := 0; k < n; k += 16 {
//		c = gpu.MMA(gpu.LoadA(a[row*n+k:], n), gpu.LoadB(b[k*n+col:], n), c)
//	}
//	gpu.StoreC(c, out[row*n+col:], n)
func MMA[T Factor](a MatrixA[T], b MatrixB[T], c MatrixC) MatrixC {
	of := emulate.F16
	switch any(T(0)).(type) {
	case BFloat16:
		of = emulate.BF16
	case TFloat32:
		of = emulate.TF32
	case Float8E4M3:
		of = emulate.E4M3
	case Float8E5M2:
		of = emulate.E5M2
	}
	return emulate.MMA(of, a, b, c)
}
