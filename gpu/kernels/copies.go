package kernels

import "github.com/arrayrepl/arrayrepl/gpu"

// SumsAhead adds each column of a matrix of 64 columns, a block for each: while it adds one piece of the column, the
// next is copied to shared memory.
func SumsAhead(in, out []float32, rows int) {
	s := gpu.Shared[[2][64]float32]()
	t, col := gpu.ThreadX(), gpu.BlockX()*64
	if rows > 0 {
		gpu.CopyAsync(&s[0][t], &in[col*rows+t])
	}
	gpu.CommitCopies()
	sum := float32(0)
	for r := range rows {
		if r+1 < rows {
			gpu.CopyAsync(&s[(r+1)%2][t], &in[(col*rows)+(r+1)*64+t])
		}
		gpu.CommitCopies()
		gpu.WaitCopies(1) // the newest group is on its way
		gpu.Sync()
		sum += s[r%2][63-t] // another thread's
		gpu.Sync()
	}
	out[col+t] = sum
}

// MatMulAhead is MatMulTiled with tiles of 16 that are copied while the ones before are multiplied.
func MatMulAhead(a, b, c []float32, n int) {
	as, bs := gpu.Shared[[2][16][16]float32](), gpu.Shared[[2][16][16]float32]()
	x, y := gpu.ThreadX(), gpu.ThreadY()
	row, col := 16*gpu.BlockY()+y, 16*gpu.BlockX()+x
	gpu.CopyAsync(&as[0][y][x], &a[row*n+x])
	gpu.CopyAsync(&bs[0][y][x], &b[y*n+col])
	gpu.CommitCopies()
	sum := float32(0)
	for k := 0; k < n; k += 16 {
		now := k / 16 % 2
		if k+16 < n {
			gpu.CopyAsync(&as[1-now][y][x], &a[row*n+k+16+x])
			gpu.CopyAsync(&bs[1-now][y][x], &b[(k+16+y)*n+col])
		}
		gpu.CommitCopies()
		gpu.WaitCopies(1)
		gpu.Sync()
		for j := range 16 {
			sum += as[now][y][j] * bs[now][j][x]
		}
		gpu.Sync()
	}
	c[row*n+col] = sum
}

// copied are the kernels of this file.
var copied = []Kernel{
	{
		Name: "SumsAhead", Func: SumsAhead, Grid: d1(2), Block: d1(64),
		Args: func() []any { return []any{floats(2*64*9, 41), make([]float32, 128), 9} },
		Want: func(args []any) {
			in, out := args[0].([]float32), args[1].([]float32)
			for i := range out {
				for r := range 9 {
					out[i] += in[i/64*64*9+r*64+63-i%64]
				}
			}
		},
	},
	{
		Name: "MatMulAhead", Func: MatMulAhead, Grid: d2(3, 3), Block: d2(16, 16), Within: 1e-5,
		Args: func() []any { return []any{floats(48*48, 42), floats(48*48, 43), make([]float32, 48*48), 48} },
		Want: matMul,
	},
}
