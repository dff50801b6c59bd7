package kernels

import (
	"math"
	"math/big"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// TF32Product multiplies n by n matrices of float32 by tensor cores, n a multiple of 16: a warp for each 16 by 8
// elements converts the factors to tf32 in shared memory.
func TF32Product(a, b []float32, out []float32, n int) {
	as, bs := gpu.Shared[[16 * 8]gpu.TFloat32](), gpu.Shared[[8 * 8]gpu.TFloat32]()
	row, col := gpu.BlockY()*16, gpu.BlockX()*8
	var c gpu.MatrixC
	for k := 0; k < n; k += 8 {
		for i := gpu.ThreadX(); i < len(as); i += 32 {
			as[i] = gpu.ToTFloat32(a[(row+i/8)*n+k+i%8])
		}
		for i := gpu.ThreadX(); i < len(bs); i += 32 {
			bs[i] = gpu.ToTFloat32(b[(k+i/8)*n+col+i%8])
		}
		gpu.Sync()
		c = gpu.MMA(gpu.LoadA(as[:], 8), gpu.LoadB(bs[:], 8), c)
		gpu.Sync()
	}
	gpu.StoreC(c, out[row*n+col:], n)
}

// QuantizedProduct multiplies n by n matrices of float32, the second one transposed, after it has divided them by a
// scale and made numbers of 8 bits of them: a warp for each 16 by 8 elements, n a multiple of 32.
func QuantizedProduct(a, bt []float32, out []float32, scale float32, n int) {
	as, bs := gpu.Shared[[16 * 32]gpu.Float8E4M3](), gpu.Shared[[8 * 32]gpu.Float8E4M3]()
	row, col := gpu.BlockY()*16, gpu.BlockX()*8
	var c gpu.MatrixC
	for k := 0; k < n; k += 32 {
		for i := gpu.ThreadX(); i < len(as); i += 32 {
			as[i] = gpu.ToFloat8E4M3(a[(row+i/32)*n+k+i%32] / scale)
		}
		for i := gpu.ThreadX(); i < len(bs); i += 32 {
			bs[i] = gpu.ToFloat8E4M3(bt[(col+i/32)*n+k+i%32] / scale)
		}
		gpu.Sync()
		c = gpu.MMA(gpu.LoadA(as[:], 32), gpu.LoadBT(bs[:], 32), c)
		gpu.Sync()
	}
	for i := range c {
		c[i] *= scale * scale
	}
	gpu.StoreC(c, out[row*n+col:], n)
}

// GradientProduct adds products of Float8E5M2 matrices, straight from global memory: n a multiple of 32.
func GradientProduct(a, b []gpu.Float8E5M2, out []float32, n int) {
	tile := gpu.GlobalID() / 32
	row, col := tile/(n/8)*16, tile%(n/8)*8
	c := gpu.LoadC(out[row*n+col:], n)
	for k := 0; k < n; k += 32 {
		c = gpu.MMA(gpu.LoadA(a[row*n+k:], n), gpu.LoadB(b[k*n+col:], n), c)
	}
	gpu.StoreC(c, out[row*n+col:], n)
}

// QuarterProduct is TensorProduct by the shape of compute capability 7.0: a warp for each 16 by 16 elements.
func QuarterProduct(a, b []gpu.Float16, out []float32, n int) {
	tile := gpu.GlobalID() / 32
	row, col := tile/(n/16)*16, tile%(n/16)*16
	var c gpu.QuarterC
	for k := 0; k < n; k += 4 {
		c = gpu.MMAQuarters(gpu.LoadQuarterA(a[row*n+k:], n), gpu.LoadQuarterB(b[k*n+col:], n), c)
	}
	gpu.StoreQuarterC(c, out[row*n+col:], n)
}

// tensors are the kernels of this file.
var tensors = []Kernel{
	{
		Name: "TF32Product", Func: TF32Product, Grid: d2(4, 2), Block: d1(32),
		Args: func() []any { return []any{floats(32*32, 51), floats(32*32, 52), make([]float32, 32*32), 32} },
		Want: func(args []any) {
			a, b := args[0].([]float32), args[1].([]float32)
			tf32 := func(x float32) float32 {
				return float32(math.Round(float64(x)*(1<<10)/power(x)) * power(x) / (1 << 10))
			}
			products(args[2].([]float32), 32, 8, func(i, k int) float32 { return tf32(a[32*i+k]) }, func(k, j int) float32 { return tf32(b[32*k+j]) })
		},
	},
	{
		Name: "QuantizedProduct", Func: QuantizedProduct, Since: 89, Grid: d2(4, 2), Block: d1(32),
		Args: func() []any {
			return []any{floats(32*32, 53), floats(32*32, 54), make([]float32, 32*32), float32(1.0 / 256), 32}
		},
		Want: func(args []any) {
			a, bt, out := args[0].([]float32), args[1].([]float32), args[2].([]float32)
			e4m3 := func(x float32) float32 { // up to 256, in steps of 1/512 at least
				step := max(power(x)/(1<<3), 1.0/512)
				return float32(math.RoundToEven(float64(x)/step) * step)
			}
			products(out, 32, 32, func(i, k int) float32 { return e4m3(a[32*i+k] * 256) }, func(k, j int) float32 { return e4m3(bt[32*j+k] * 256) })
			for i := range out {
				out[i] /= 256 * 256
			}
		},
	},
	{
		Name: "GradientProduct", Func: GradientProduct, Since: 89, Grid: d1(4), Block: d1(64),
		Args: func() []any {
			a, b := make([]gpu.Float8E5M2, 32*32), make([]gpu.Float8E5M2, 32*32)
			for i, x := range floats(32*32, 55) {
				a[i], b[i] = gpu.ToFloat8E5M2(x*x*x), gpu.ToFloat8E5M2(1000*x)
			}
			return []any{a, b, floats(32*32, 56), 32}
		},
		Want: func(args []any) {
			a, b := args[0].([]gpu.Float8E5M2), args[1].([]gpu.Float8E5M2)
			products(args[2].([]float32), 32, 32, func(i, k int) float32 { return a[32*i+k].Float32() }, func(k, j int) float32 { return b[32*k+j].Float32() })
		},
	},
	{
		Name: "QuarterProduct", Func: QuarterProduct, Grid: d1(2), Block: d1(64),
		Args: func() []any { return []any{float16s(32*32, 57), float16s(32*32, 58), make([]float32, 32*32), 32} },
		Want: func(args []any) {
			a, b := args[0].([]gpu.Float16), args[1].([]gpu.Float16)
			products(args[2].([]float32), 32, 4, func(i, k int) float32 { return a[32*i+k].Float32() }, func(k, j int) float32 { return b[32*k+j].Float32() })
		},
	},
}

// power is the greatest power of two up to x.
func power(x float32) float64 {
	if x == 0 {
		return 1
	}
	_, e := math.Frexp(float64(x))
	return math.Ldexp(0.5, e)
}

// products adds a product of n by n matrices to c, so many terms at a time, whose exact sum is rounded once: in
// math/big.
func products(c []float32, n, terms int, a, b func(i, j int) float32) {
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(x)) }
	for i := range n {
		for j := range n {
			for k := 0; k < n; k += terms {
				sum := exact(c[n*i+j])
				for l := k; l < k+terms; l++ {
					p := exact(a(i, l))
					sum.Add(sum, p.Mul(p, exact(b(l, j))))
				}
				c[n*i+j], _ = sum.Float32()
			}
		}
	}
}
