package gpu

import "github.com/arrayrepl/arrayrepl/gpu/emulate"

// MatrixC is a warp's matrix of 16 rows and 8 columns of float32, what [MMA] adds to: each thread has four of its
// elements. The zero MatrixC is a matrix of zeros.
type MatrixC [4]float32

// LoadC reads a matrix of 16 rows and 8 columns, whose rows begin stride elements apart in x. All threads of the warp
// must come.
func LoadC(x []float32, stride int) (m MatrixC) {
	row, at := emulate.Quad("LoadC")
	for i := range m {
		m[i] = x[(row+8*(i/2))*stride+2*at+i%2]
	}
	return m
}

// StoreC writes a matrix of 16 rows and 8 columns, whose rows begin stride elements apart in x. All threads of the
// warp must come.
//
// For example:
//
//	gpu.StoreC(c, out[row*n+col:], n)
func StoreC(m MatrixC, x []float32, stride int) {
	row, at := emulate.Quad("StoreC")
	for i := range m {
		x[(row+8*(i/2))*stride+2*at+i%2] = m[i]
	}
}

// QuarterA is a warp's matrix of 16 rows and 4 columns of Float16, the first factor of [MMAQuarters]: each thread has
// four of its elements, a row.
type QuarterA [2]uint32

// QuarterB is a warp's matrix of 4 rows and 16 columns of Float16, the second factor of [MMAQuarters]: each thread has
// four of its elements, a column.
type QuarterB [2]uint32

// QuarterC is a warp's matrix of 16 rows and 16 columns of float32, what [MMAQuarters] adds to: each thread has eight
// of its elements. The zero QuarterC is a matrix of zeros.
type QuarterC [8]float32

// LoadQuarterA reads a matrix of 16 rows and 4 columns, whose rows begin stride elements apart in x, an even number.
// All threads of the warp must come.
func LoadQuarterA(x []Float16, stride int) QuarterA {
	row, _, _, _ := emulate.Quarter("LoadQuarterA")
	return QuarterA{word(x, row*stride, 1), word(x, row*stride+2, 1)}
}

// LoadQuarterB reads a matrix of 4 rows and 16 columns, whose rows begin stride elements apart in x. All threads of
// the warp must come.
func LoadQuarterB(x []Float16, stride int) QuarterB {
	_, col, _, _ := emulate.Quarter("LoadQuarterB")
	return QuarterB{word(x, col, stride), word(x, 2*stride+col, stride)}
}

// LoadQuarterBT is LoadQuarterB from the transposed matrix: the 16 columns lie one after the other and begin stride
// elements apart, an even number, so that a thread's neighbours are read at once.
func LoadQuarterBT(x []Float16, stride int) QuarterB {
	_, col, _, _ := emulate.Quarter("LoadQuarterBT")
	return QuarterB{word(x, col*stride, 1), word(x, col*stride+2, 1)}
}

// LoadQuarterC reads a matrix of 16 rows and 16 columns, whose rows begin stride elements apart in x. All threads of
// the warp must come.
func LoadQuarterC(x []float32, stride int) (m QuarterC) {
	_, _, row, col := emulate.Quarter("LoadQuarterC")
	for i := range m {
		m[i] = x[(row+i&2)*stride+col+i&4+i&1]
	}
	return m
}

// StoreQuarterC writes a matrix of 16 rows and 16 columns, whose rows begin stride elements apart in x. All threads of
// the warp must come.
func StoreQuarterC(m QuarterC, x []float32, stride int) {
	_, _, row, col := emulate.Quarter("StoreQuarterC")
	for i := range m {
		x[(row+i&2)*stride+col+i&4+i&1] = m[i]
	}
}

// MMAQuarters returns a*b + c, 16 by 4 times 4 by 16, by the tensor cores of compute capability 7.0: four products
// m8n8k4, of which each quarter of the warp does one. Products are exact, and each element's sum of four of them and
// c is rounded once, to the nearest float32. All threads of the warp must come. Later machines take longer for it
// than for [MMA].
//
// For example:
//
//	var c gpu.QuarterC
//	for k := 0; k < n; k += 4 {
//		c = gpu.MMAQuarters(gpu.LoadQuarterA(a[row*n+k:], n), gpu.LoadQuarterB(b[k*n+col:], n), c)
//	}
//	gpu.StoreQuarterC(c, out[row*n+col:], n)
func MMAQuarters(a QuarterA, b QuarterB, c QuarterC) QuarterC {
	return emulate.MMAQuarters(a, b, c)
}
