package kernels

import "github.com/arrayrepl/arrayrepl/gpu"

// HalfAxpy adds a*x to y, numbers of 16 bits.
func HalfAxpy(a gpu.Float16, x, y []gpu.Float16) {
	if i := gpu.GlobalID(); i < len(y) {
		y[i] = a.Mul(x[i]).Add(y[i])
	}
}

// BrainBlend mixes x and y half and half, bfloat16s, and keeps the smaller where they are alike.
func BrainBlend(x, y []gpu.BFloat16) {
	i := gpu.GlobalID()
	if i >= len(y) {
		return
	}
	d := x[i].Sub(y[i])
	if d.Less(gpu.ToBFloat16(0.01)) && gpu.ToBFloat16(-0.01).Less(d) {
		if x[i].Less(y[i]) {
			y[i] = x[i]
		}
		return
	}
	y[i] = x[i].Add(y[i]).Div(gpu.ToBFloat16(2))
}

// TensorProduct multiplies n by n matrices of Float16 to one of float32, n a multiple of 16: a warp for each 16 by 8
// elements, straight from global memory.
func TensorProduct(a, b []gpu.Float16, out []float32, n int) {
	tile := gpu.GlobalID() / 32
	row, col := tile/(n/8)*16, tile%(n/8)*8
	if row >= n {
		return
	}
	var c gpu.MatrixC
	for k := 0; k < n; k += 16 {
		c = gpu.MMA(gpu.LoadA(a[row*n+k:], n), gpu.LoadB(b[k*n+col:], n), c)
	}
	gpu.StoreC(c, out[row*n+col:], n)
}

// BrainProduct adds a product of bfloat16 matrices, the second one transposed, to out, by way of shared memory: blocks
// of four warps have 32 by 16 elements.
func BrainProduct(a, bt []gpu.BFloat16, out []float32, n int) {
	as := gpu.Shared[[32 * 16]gpu.BFloat16]()
	bs := gpu.Shared[[16 * 16]gpu.BFloat16]()
	t, w := gpu.ThreadX(), gpu.WarpID()
	row, col := 32*gpu.BlockY(), 16*gpu.BlockX()
	mine := out[(row+w/2*16)*n+col+w%2*8:]
	c := gpu.LoadC(mine, n)
	for k := 0; k < n; k += 16 {
		for i := t; i < len(as); i += gpu.BlockDimX() {
			as[i] = a[(row+i/16)*n+k+i%16]
		}
		for i := t; i < len(bs); i += gpu.BlockDimX() {
			bs[i] = bt[(col+i/16)*n+k+i%16]
		}
		gpu.Sync()
		c = gpu.MMA(gpu.LoadA(as[w/2*256:], 16), gpu.LoadBT(bs[w%2*128:], 16), c)
		gpu.Sync()
	}
	gpu.StoreC(c, mine, n)
}

// halves are the kernels of this file.
var halves = []Kernel{
	{
		Name: "HalfAxpy", Func: HalfAxpy, Grid: d1(3), Block: d1(64),
		Args: func() []any { return []any{gpu.ToFloat16(-1.75), float16s(180, 1), float16s(180, 2)} },
		Want: func(args []any) {
			a, x, y := args[0].(gpu.Float16), args[1].([]gpu.Float16), args[2].([]gpu.Float16)
			for i := range y { // float64 has all digits of one operation
				p := gpu.ToFloat16(float32(float64(a.Float32()) * float64(x[i].Float32())))
				y[i] = gpu.ToFloat16(float32(float64(p.Float32()) + float64(y[i].Float32())))
			}
		},
	},
	{
		Name: "BrainBlend", Func: BrainBlend, Grid: d1(3), Block: d1(64),
		Args: func() []any {
			x := bfloat16s(180, 3)
			y := append([]gpu.BFloat16{}, x[:60]...)
			return []any{x, append(y, bfloat16s(120, 4)...)}
		},
		Want: func(args []any) {
			x, y := args[0].([]gpu.BFloat16), args[1].([]gpu.BFloat16)
			for i := range y {
				v, w := x[i].Float32(), y[i].Float32()
				if d := gpu.ToBFloat16(v - w).Float32(); d < gpu.ToBFloat16(0.01).Float32() && -d < gpu.ToBFloat16(0.01).Float32() {
					y[i] = gpu.ToBFloat16(min(v, w))
				} else {
					y[i] = gpu.ToBFloat16(gpu.ToBFloat16(v+w).Float32() / 2)
				}
			}
		},
	},
	{
		Name: "TensorProduct", Func: TensorProduct, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{float16s(32*32, 5), float16s(32*32, 6), make([]float32, 32*32), 32} },
		Want: func(args []any) {
			a, b := args[0].([]gpu.Float16), args[1].([]gpu.Float16)
			products(args[2].([]float32), 32, 16, func(i, k int) float32 { return a[32*i+k].Float32() }, func(k, j int) float32 { return b[32*k+j].Float32() })
		},
	},
	{
		Name: "BrainProduct", Func: BrainProduct, Grid: d2(2, 1), Block: d1(128),
		Args: func() []any { return []any{bfloat16s(32*32, 7), bfloat16s(32*32, 8), floats(32*32, 9), 32} },
		Want: func(args []any) {
			a, bt := args[0].([]gpu.BFloat16), args[1].([]gpu.BFloat16)
			products(args[2].([]float32), 32, 16, func(i, k int) float32 { return a[32*i+k].Float32() }, func(k, j int) float32 { return bt[32*j+k].Float32() })
		},
	},
}

func float16s(n int, seed uint32) []gpu.Float16 {
	out := make([]gpu.Float16, n)
	for i, x := range floats(n, seed) {
		out[i] = gpu.ToFloat16(x)
	}
	return out
}

func bfloat16s(n int, seed uint32) []gpu.BFloat16 {
	out := make([]gpu.BFloat16, n)
	for i, x := range floats(n, seed) {
		out[i] = gpu.ToBFloat16(x)
	}
	return out
}
