package gpu

import "github.com/arrayrepl/arrayrepl/gpu/emulate"

// Half is the constraint of the factors of [MMA].
type Half interface{ Float16 | BFloat16 }

// MatrixA is a warp's matrix of 16 rows and 16 columns, the first factor of [MMA]: each thread has eight of its
// elements.
type MatrixA[T Half] [4]uint32

// MatrixB is a warp's matrix of 16 rows and 8 columns, the second factor of [MMA]: each thread has four of its
// elements.
type MatrixB[T Half] [2]uint32

// LoadA reads a matrix of 16 rows and 16 columns, whose rows begin stride elements apart in x, an even number. All
// threads of the warp must come.
//
// For example:
//
//	a := gpu.LoadA(x[16*row*n+16*k:], n) // a tile of an n by n matrix
func LoadA[T Half](x []T, stride int) (m MatrixA[T]) {
	row, col := emulate.Quad("LoadA")
	for i := range m {
		at := (row+8*(i%2))*stride + col + 8*(i/2)
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// LoadA8 is LoadA of a matrix of 16 rows and 8 columns; the other columns are zeros. Where both factors of [MMA] are
// such ones, by LoadB8 or LoadBT8, the product is m16n8k8, 16 by 8 times 8 by 8, which takes half the time.
//
// For example:
//
//	c = gpu.MMA(gpu.LoadA8(a[row*n+k:], n), gpu.LoadB8(b[k*n+col:], n), c) // k goes on by 8
func LoadA8[T Half](x []T, stride int) (m MatrixA[T]) {
	row, col := emulate.Quad("LoadA8")
	for i := range 2 {
		at := (row+8*i)*stride + col
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// LoadB8 is LoadB of a matrix of 8 rows and 8 columns; the other rows are zeros.
func LoadB8[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadB8")
	at := row*stride + col
	m[0] = uint32(x[at]) | uint32(x[at+stride])<<16
	return m
}

// LoadBT8 is LoadBT of a matrix of 8 rows and 8 columns; the other rows are zeros.
func LoadBT8[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadBT8")
	at := col*stride + row
	m[0] = uint32(x[at]) | uint32(x[at+1])<<16
	return m
}

// LoadB reads a matrix of 16 rows and 8 columns, whose rows begin stride elements apart in x. All threads of the warp
// must come.
func LoadB[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadB")
	for i := range m {
		at := (row+8*i)*stride + col
		m[i] = uint32(x[at]) | uint32(x[at+stride])<<16
	}
	return m
}

// LoadBT is LoadB from the transposed matrix: the columns lie one after the other and begin stride elements apart, an
// even number, so that a thread's neighbours are read at once.
func LoadBT[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadBT")
	for i := range m {
		at := col*stride + row + 8*i
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// MMA returns a*b + c, a product of matrices of a warp by its tensor cores: 16 by 16 times 16 by 8, m16n8k16. Products
// are exact, and each element's sum of them and c is rounded once, to the nearest float32. All threads of the warp must
// come. A card's tensor cores cut off bits of such sums, in ways that NVIDIA does not document: there last bits may be
// others.
//
// For example:
//
//	var c gpu.MatrixC
//	for k := 0; k < n; k += 16 {
//		c = gpu.MMA(gpu.LoadA(a[row*n+k:], n), gpu.LoadB(b[k*n+col:], n), c)
//	}
//	gpu.StoreC(c, out[row*n+col:], n)
func MMA[T Half](a MatrixA[T], b MatrixB[T], c MatrixC) MatrixC {
	_, brain := any(T(0)).(BFloat16)
	return emulate.MMA(a, b, c, brain)
}
