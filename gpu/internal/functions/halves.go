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
