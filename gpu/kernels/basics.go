package kernels

import (
	"github.com/arrayrepl/arrayrepl/gpu"
)

// Saxpy is y += a*x.
func Saxpy(a float32, x, y []float32) {
	i := gpu.GlobalID()
	if i < len(y) {
		y[i] += a * x[i]
	}
}

// AddMatrix adds matrices of n columns, a thread for each element.
func AddMatrix(a, b, c []float32, n int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < n && y < n {
		c[y*n+x] = a[y*n+x] + b[y*n+x]
	}
}

// MatMul is c = a b of n by n matrices, a thread for each element of c.
func MatMul(a, b, c []float32, n int) {
	row, col := gpu.GlobalY(), gpu.GlobalX()
	if row >= n || col >= n {
		return
	}
	var sum float32
	for k := range n {
		sum += a[row*n+k] * b[k*n+col]
	}
	c[row*n+col] = sum
}

// tile is the side of the blocks of MatMulTiled.
const tile = 16

// MatMulTiled is c = a b of n by n matrices, n a multiple of 16: blocks share pieces of a and b.
func MatMulTiled(a, b, c []float32, n int) {
	as := gpu.Shared[[tile][tile]float32]()
	bs := gpu.Shared[[tile][tile]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	row, col := gpu.BlockY()*tile+ty, gpu.BlockX()*tile+tx
	var sum float32
	for m := 0; m < n; m += tile {
		as[ty][tx] = a[row*n+m+tx]
		bs[ty][tx] = b[(m+ty)*n+col]
		gpu.Sync()
		for k := range tile {
			sum += as[ty][k] * bs[k][tx]
		}
		gpu.Sync()
	}
	c[row*n+col] = sum
}

// CSRMul is y = A x for a sparse matrix in compressed rows, a thread for each row.
func CSRMul(ptr, col []int32, val, x, y []float32) {
	row := gpu.GlobalID()
	if row >= len(y) {
		return
	}
	var sum float32
	for k := ptr[row]; k < ptr[row+1]; k++ {
		sum += val[k] * x[col[k]]
	}
	y[row] = sum
}

// CSRMulCached is CSRMul in which a block keeps its part of x in shared memory.
func CSRMulCached(ptr, col []int32, val, x, y []float32) {
	cache := gpu.Shared[[128]float32]()
	row := gpu.GlobalID()
	lo := int32(gpu.BlockX() * gpu.BlockDimX())
	hi := lo + int32(gpu.BlockDimX())
	if row < len(y) {
		cache[gpu.ThreadX()] = x[row]
	}
	gpu.Sync()
	if row >= len(y) {
		return
	}
	var sum float32
	for k := ptr[row]; k < ptr[row+1]; k++ {
		j := col[k]
		var xj float32
		if lo <= j && j < hi {
			xj = cache[j-lo]
		} else {
			xj = x[j]
		}
		sum += val[k] * xj
	}
	y[row] = sum
}

// Transpose is the plain one: its writes are strided.
func Transpose(in, out []float32, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < w && y < h {
		out[x*h+y] = in[y*w+x]
	}
}

// TransposeTiled goes through shared memory, whose banks conflict.
func TransposeTiled(in, out []float32, w, h int) {
	t := gpu.Shared[[32][32]float32]()
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < w && y < h {
		t[gpu.ThreadY()][gpu.ThreadX()] = in[y*w+x]
	}
	gpu.Sync()
	x, y = gpu.BlockY()*32+gpu.ThreadX(), gpu.BlockX()*32+gpu.ThreadY()
	if x < h && y < w {
		out[y*h+x] = t[gpu.ThreadX()][gpu.ThreadY()]
	}
}

// TransposePadded is TransposeTiled without conflicts: a column more moves each row on by a bank.
func TransposePadded(in, out []float32, w, h int) {
	t := gpu.Shared[[32][33]float32]()
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < w && y < h {
		t[gpu.ThreadY()][gpu.ThreadX()] = in[y*w+x]
	}
	gpu.Sync()
	x, y = gpu.BlockY()*32+gpu.ThreadX(), gpu.BlockX()*32+gpu.ThreadY()
	if x < h && y < w {
		out[y*h+x] = t[gpu.ThreadX()][gpu.ThreadY()]
	}
}

// basics are the kernels of this file.
var basics = []Kernel{
	{
		Name: "Saxpy", Func: Saxpy, Grid: d1(4), Block: d1(256),
		Args: func() []any { return []any{float32(2), floats(1000, 1), floats(1000, 2)} },
		Want: func(args []any) {
			a, x, y := args[0].(float32), args[1].([]float32), args[2].([]float32)
			for i := range y {
				y[i] += float32(a * x[i])
			}
		},
	},
	{
		Name: "AddMatrix", Func: AddMatrix, Grid: d2(3, 5), Block: d2(16, 8),
		Args: func() []any { return []any{floats(37*37, 1), floats(37*37, 2), make([]float32, 37*37), 37} },
		Want: func(args []any) {
			a, b, c := args[0].([]float32), args[1].([]float32), args[2].([]float32)
			for i := range c {
				c[i] = a[i] + b[i]
			}
		},
	},
	{
		Name: "MatMul", Func: MatMul, Grid: d2(3, 5), Block: d2(16, 8),
		Args: func() []any { return []any{floats(37*37, 1), floats(37*37, 2), make([]float32, 37*37), 37} },
		Want: matMul,
	},
	{
		Name: "MatMulTiled", Func: MatMulTiled, Grid: d2(3, 3), Block: d2(tile, tile),
		Args: func() []any { return []any{floats(48*48, 1), floats(48*48, 2), make([]float32, 48*48), 48} },
		Want: matMul,
	},
	{Name: "CSRMul", Func: CSRMul, Grid: d1(3), Block: d1(128), Args: laplacian, Want: csrMul},
	{Name: "CSRMulCached", Func: CSRMulCached, Grid: d1(3), Block: d1(128), Args: laplacian, Want: csrMul},
	{Name: "Transpose", Func: Transpose, Grid: d2(3, 5), Block: d2(32, 8), Args: oblong, Want: transpose},
	{Name: "TransposeTiled", Func: TransposeTiled, Grid: d2(3, 2), Block: d2(32, 32), Args: oblong, Want: transpose},
	{Name: "TransposePadded", Func: TransposePadded, Grid: d2(3, 2), Block: d2(32, 32), Args: oblong, Want: transpose},
}

func matMul(args []any) {
	a, b, c, n := args[0].([]float32), args[1].([]float32), args[2].([]float32), args[3].(int)
	for i := range n {
		for j := range n {
			var sum float32
			for k := range n {
				sum += float32(a[i*n+k] * b[k*n+j])
			}
			c[i*n+j] = sum
		}
	}
}

// laplacian is a matrix of three diagonals, 300 by 300, with a vector and a place for the product.
func laplacian() []any {
	const n = 300
	ptr, col, val := []int32{0}, []int32{}, []float32{}
	for i := range int32(n) {
		for _, j := range []int32{i - 1, i, i + 1} {
			if j >= 0 && j < n {
				v := float32(-1)
				if i == j {
					v = 2
				}
				col, val = append(col, j), append(val, v)
			}
		}
		ptr = append(ptr, int32(len(col)))
	}
	return []any{ptr, col, val, floats(n, 1), make([]float32, n)}
}

func csrMul(args []any) {
	ptr, col := args[0].([]int32), args[1].([]int32)
	val, x, y := args[2].([]float32), args[3].([]float32), args[4].([]float32)
	for i := range y {
		for k := ptr[i]; k < ptr[i+1]; k++ {
			y[i] += float32(val[k] * x[col[k]])
		}
	}
}

// oblong is a matrix of 40 rows and 70 columns, with a place for its transpose.
func oblong() []any { return []any{floats(70*40, 1), make([]float32, 70*40), 70, 40} }

func transpose(args []any) {
	in, out, w, h := args[0].([]float32), args[1].([]float32), args[2].(int), args[3].(int)
	for y := range h {
		for x := range w {
			out[x*h+y] = in[y*w+x]
		}
	}
}
