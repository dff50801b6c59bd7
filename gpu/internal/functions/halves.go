package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// Halves computes with numbers of 16 bits, the operations of both formats one after another.
func Halves(x, y []gpu.Float16, v, w []gpu.BFloat16, out []gpu.Float16, brain []gpu.BFloat16, less []bool) {
	i, n := gpu.GlobalID(), len(x)
	out[i], out[n+i], out[2*n+i], out[3*n+i] = x[i].Add(y[i]), x[i].Sub(y[i]), x[i].Mul(y[i]), x[i].Div(y[i])
	brain[i], brain[n+i], brain[2*n+i], brain[3*n+i] = v[i].Add(w[i]), v[i].Sub(w[i]), v[i].Mul(w[i]), v[i].Div(w[i])
	less[i], less[n+i] = x[i].Less(y[i]), v[i].Less(w[i])
}

// OneProduct multiplies a matrix of 16 by 16 to one of 16 by 8, and adds it to c: in both formats.
func OneProduct(a, b []gpu.Float16, v, w []gpu.BFloat16, c, d []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA(a, 16), gpu.LoadB(b, 8), gpu.LoadC(c, 8)), c, 8)
	gpu.StoreC(gpu.MMA(gpu.LoadA(v, 16), gpu.LoadBT(w, 16), gpu.LoadC(d, 8)), d, 8)
}

// ShortProduct adds a product of 16 by 8 and 8 by 8 matrices to c, and one of BFloat16s to d.
func ShortProduct(a, b []gpu.Float16, v, w []gpu.BFloat16, c, d []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA8(a, 8), gpu.LoadB8(b, 8), gpu.LoadC(c, 8)), c, 8)
	gpu.StoreC(gpu.MMA(gpu.LoadA8(v, 8), gpu.LoadBT8(w, 8), gpu.LoadC(d, 8)), d, 8)
}

// PlainProduct multiplies n by n matrices by tiles of 16 in shared memory, as MatMulTiled does, of halves.
func PlainProduct(a, b []gpu.Float16, out []float32, n int) {
	as, bs := gpu.Shared[[16][16]float32](), gpu.Shared[[16][16]float32]()
	x, y := gpu.ThreadX(), gpu.ThreadY()
	row, col := 16*gpu.BlockY()+y, 16*gpu.BlockX()+x
	sum := float32(0)
	for k := 0; k < n; k += 16 {
		as[y][x], bs[y][x] = a[row*n+k+x].Float32(), b[(k+y)*n+col].Float32()
		gpu.Sync()
		for j := range 16 {
			sum += as[y][j] * bs[j][x]
		}
		gpu.Sync()
	}
	out[row*n+col] = sum
}

// TensorTiles does what PlainProduct does by tensor cores: each warp has 32 by 32 elements, in eight matrices, and
// reads their factors from global memory; the second matrix is transposed.
func TensorTiles(a, bt []gpu.Float16, out []float32, n int) {
	w := gpu.GlobalID() / 32
	row, col := w/(n/32)*32, w%(n/32)*32
	var c00, c01, c02, c03, c10, c11, c12, c13 gpu.MatrixC
	for k := 0; k < n; k += 16 {
		a0, a1 := gpu.LoadA(a[row*n+k:], n), gpu.LoadA(a[(row+16)*n+k:], n)
		b0, b1 := gpu.LoadBT(bt[col*n+k:], n), gpu.LoadBT(bt[(col+8)*n+k:], n)
		b2, b3 := gpu.LoadBT(bt[(col+16)*n+k:], n), gpu.LoadBT(bt[(col+24)*n+k:], n)
		c00, c01, c02, c03 = gpu.MMA(a0, b0, c00), gpu.MMA(a0, b1, c01), gpu.MMA(a0, b2, c02), gpu.MMA(a0, b3, c03)
		c10, c11, c12, c13 = gpu.MMA(a1, b0, c10), gpu.MMA(a1, b1, c11), gpu.MMA(a1, b2, c12), gpu.MMA(a1, b3, c13)
	}
	upper, lower := out[row*n+col:], out[(row+16)*n+col:]
	gpu.StoreC(c00, upper, n)
	gpu.StoreC(c01, upper[8:], n)
	gpu.StoreC(c02, upper[16:], n)
	gpu.StoreC(c03, upper[24:], n)
	gpu.StoreC(c10, lower, n)
	gpu.StoreC(c11, lower[8:], n)
	gpu.StoreC(c12, lower[16:], n)
	gpu.StoreC(c13, lower[24:], n)
}

// HalfAWarp is wrong: some lanes have returned.
func HalfAWarp(a []gpu.Float16, c []float32) {
	if gpu.LaneID() >= 16 {
		return
	}
	gpu.StoreC(gpu.MMA(gpu.LoadA(a, 16), gpu.LoadB(a, 8), gpu.LoadC(c, 8)), c, 8)
}

// TF32Product adds a product of 16 by 8 and 8 by 8 matrices to c.
func TF32Product(a, b []gpu.TFloat32, c []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA(a, 8), gpu.LoadB(b, 8), gpu.LoadC(c, 8)), c, 8)
}

// ShortTF32Product adds a product of 16 by 4 and 4 by 8 matrices to c; the second one is transposed.
func ShortTF32Product(a, b []gpu.TFloat32, c []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA8(a, 4), gpu.LoadBT8(b, 4), gpu.LoadC(c, 8)), c, 8)
}

// E4M3Product adds a product of 16 by 32 and 32 by 8 matrices to c; the second one is transposed.
func E4M3Product(a, b []gpu.Float8E4M3, c []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA(a, 32), gpu.LoadBT(b, 32), gpu.LoadC(c, 8)), c, 8)
}

// E5M2Product adds a product of 16 by 32 and 32 by 8 matrices to c.
func E5M2Product(a, b []gpu.Float8E5M2, c []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA(a, 32), gpu.LoadB(b, 8), gpu.LoadC(c, 8)), c, 8)
}

// ShortE5M2Product adds a product of 16 by 16 and 16 by 8 matrices to c.
func ShortE5M2Product(a, b []gpu.Float8E5M2, c []float32) {
	gpu.StoreC(gpu.MMA(gpu.LoadA8(a, 16), gpu.LoadB8(b, 8), gpu.LoadC(c, 8)), c, 8)
}

// QuarterProduct adds a product of 16 by 4 and 4 by 16 matrices to c.
func QuarterProduct(a, b []gpu.Float16, c []float32) {
	gpu.StoreQuarterC(gpu.MMAQuarters(gpu.LoadQuarterA(a, 4), gpu.LoadQuarterB(b, 16), gpu.LoadQuarterC(c, 16)), c, 16)
}

// QuarterProductT is QuarterProduct of a second matrix that is transposed.
func QuarterProductT(a, b []gpu.Float16, c []float32) {
	gpu.StoreQuarterC(gpu.MMAQuarters(gpu.LoadQuarterA(a, 4), gpu.LoadQuarterBT(b, 4), gpu.LoadQuarterC(c, 16)), c, 16)
}

// Small converts to the formats of gpu.MMA and back.
func Small(x []float32, t []gpu.TFloat32, e []gpu.Float8E4M3, m []gpu.Float8E5M2, back []float32) {
	i, n := gpu.GlobalID(), len(x)
	t[i], e[i], m[i] = gpu.ToTFloat32(x[i]), gpu.ToFloat8E4M3(x[i]), gpu.ToFloat8E5M2(x[i])
	back[i], back[n+i], back[2*n+i] = t[i].Float32(), e[i].Float32(), m[i].Float32()
}

// QuarterTiles does what PlainProduct does by tensor cores of compute capability 7.0, by way of shared memory: blocks
// of four warps have 64 by 64 elements, each warp 32 by 32 in four matrices. The second matrix is transposed. Rows of
// 36 elements in shared memory have the words that a warp reads in banks of their own.
func QuarterTiles(a, bt []gpu.Float16, out []float32, n int) {
	as, bs := gpu.Shared[[64 * 36]gpu.Float16](), gpu.Shared[[64 * 36]gpu.Float16]()
	t, w := gpu.ThreadX(), gpu.WarpID()
	row, col := 64*gpu.BlockY(), 64*gpu.BlockX()
	upper, right := 36*32*(w/2), 36*32*(w%2)
	var c00, c01, c10, c11 gpu.QuarterC
	for k := 0; k < n; k += 32 {
		for i := t / 32; i < 64; i += 4 {
			as[36*i+t%32], bs[36*i+t%32] = a[(row+i)*n+k+t%32], bt[(col+i)*n+k+t%32]
		}
		gpu.Sync()
		for j := 0; j < 32; j += 4 {
			a0, a1 := gpu.LoadQuarterA(as[upper+j:], 36), gpu.LoadQuarterA(as[upper+16*36+j:], 36)
			b0, b1 := gpu.LoadQuarterBT(bs[right+j:], 36), gpu.LoadQuarterBT(bs[right+16*36+j:], 36)
			c00, c01 = gpu.MMAQuarters(a0, b0, c00), gpu.MMAQuarters(a0, b1, c01)
			c10, c11 = gpu.MMAQuarters(a1, b0, c10), gpu.MMAQuarters(a1, b1, c11)
		}
		gpu.Sync()
	}
	mine := out[(row+w/2*32)*n+col+w%2*32:]
	gpu.StoreQuarterC(c00, mine, n)
	gpu.StoreQuarterC(c01, mine[16:], n)
	gpu.StoreQuarterC(c10, mine[16*n:], n)
	gpu.StoreQuarterC(c11, mine[16*n+16:], n)
}
