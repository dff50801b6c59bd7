package gpu_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// factor is a random matrix of numbers of a format, and what they are.
func factor[T interface{ Float32() float32 }](r *rand.Rand, n, spread int, of func(float32) T) ([]T, func(int) float32) {
	x := make([]T, n)
	for i := range x {
		x[i] = of(float32(math.Ldexp(r.Float64()*2-1, r.IntN(spread)-spread/2)))
		if r.IntN(9) == 0 {
			x[i] = of(0)
		}
	}
	return x, func(i int) float32 { return x[i].Float32() }
}

// shapes are the shapes of products beside those of 16 bits, with a kernel each, that adds one product to c.
var shapes = []struct {
	name       string
	f          any
	n, k       int // columns, products of an element
	transposed bool
	ptx        string
	target     int // the least that has it
	lacks      string
	older      string // a machine without it
	make       func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32)
}{
	{"TF32Product", functions.TF32Product, 8, 8, false, "m16n8k8.row.col.f32.tf32.tf32", 80, "tensor cores for tf32 need compute capability 8.0, sim:v100", "v100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 60, gpu.ToTFloat32)
			y, yv = factor(r, b, 60, gpu.ToTFloat32)
			return
		}},
	{"ShortTF32Product", functions.ShortTF32Product, 8, 4, true, "m16n8k4.row.col.f32.tf32.tf32", 80, "tensor cores for tf32 need", "v100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 20, gpu.ToTFloat32)
			y, yv = factor(r, b, 20, gpu.ToTFloat32)
			return
		}},
	{"E4M3Product", functions.E4M3Product, 8, 32, true, "m16n8k32.row.col.f32.e4m3.e4m3", 89, "tensor cores for numbers of 8 bits need compute capability 8.9, sim:a100", "a100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 18, gpu.ToFloat8E4M3)
			y, yv = factor(r, b, 18, gpu.ToFloat8E4M3)
			return
		}},
	{"E5M2Product", functions.E5M2Product, 8, 32, false, "m16n8k32.row.col.f32.e5m2.e5m2", 89, "tensor cores for numbers of 8 bits need", "a100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 32, gpu.ToFloat8E5M2)
			y, yv = factor(r, b, 32, gpu.ToFloat8E5M2)
			return
		}},
	{"ShortE5M2Product", functions.ShortE5M2Product, 8, 16, false, "m16n8k32.row.col.f32.e5m2.e5m2", 89, "tensor cores for numbers of 8 bits need", "a100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 8, gpu.ToFloat8E5M2)
			y, yv = factor(r, b, 8, gpu.ToFloat8E5M2)
			return
		}},
	{"QuarterProduct", functions.QuarterProduct, 16, 4, false, "m8n8k4.row.col.f32.f16.f16", 70, "products of matrices by tensor cores need compute capability 7.0, sim:p100", "p100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 28, gpu.ToFloat16)
			y, yv = factor(r, b, 28, gpu.ToFloat16)
			return
		}},
	{"QuarterProductT", functions.QuarterProductT, 16, 4, true, "m8n8k4.row.col.f32.f16.f16", 70, "products of matrices by tensor cores need", "p100",
		func(r *rand.Rand, a, b int) (x, y any, xv, yv func(int) float32) {
			x, xv = factor(r, a, 10, gpu.ToFloat16)
			y, yv = factor(r, b, 10, gpu.ToFloat16)
			return
		}},
}

// Every shape is the exact sum rounded once, as math/big has it, bit by bit, in gpu.Emulate, on the CPU and on machines
// that have it; PTX has it as one instruction, which NVIDIA's assembler takes for the least target and the others, and
// from which the same comes out. Machines without it refuse it by name.
func TestProductsOfEveryShape(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			kernel := kernelOf(t, "./internal/functions", s.name, s.f)
			var x, y any
			for seed := range testsize.Seeds("gpu.TestProductsAtRandom") {
				r := rand.New(rand.NewPCG(seed, 37))
				var xv, yv func(int) float32
				x, y, xv, yv = s.make(r, 16*s.k, s.n*s.k)
				c, _ := factor(r, 16*s.n, 20, func(x float32) number { return number(x) })
				start, want := make([]float32, len(c)), make([]float32, len(c))
				for i := range c {
					start[i] = float32(c[i])
					sum := new(big.Float).SetPrec(4000).SetFloat64(float64(c[i]))
					for k := range s.k {
						at := k*s.n + i%s.n
						if s.transposed {
							at = i%s.n*s.k + k
						}
						p := new(big.Float).SetPrec(4000).SetFloat64(float64(xv(i/s.n*s.k + k)))
						sum.Add(sum, p.Mul(p, big.NewFloat(float64(yv(at)))))
					}
					want[i], _ = sum.Float32()
				}
				run := func(who string, do func(c []float32)) {
					got := slices.Clone(start)
					do(got)
					require.Equal(t, want, got, "%s, seed %d", who, seed)
				}
				run("emulated", func(c []float32) { gpu.Emulate(kernel, 1, 32, x, y, c) })
				for _, device := range []string{"host", "sim:h200", simgpu.Custom("v100", simgpu.Check())} {
					use(t, device)
					run(device, func(c []float32) { gpu.Launch(kernel, 1, 32, x, y, c, gpu.Anyway()) })
				}
			}
			use(t, "sim:"+s.older)
			message := panicsWith(t, func() { gpu.Launch(kernel, 1, 32, x, y, make([]float32, 16*s.n)) })
			for _, word := range []string{s.lacks, s.name, "halves.go:"} {
				assert.Contains(t, message, word)
			}
			k, err := kernel.Kernel(gosrc.Options{})
			require.NoError(t, err)
			f := opt.Optimize(k.Func)
			require.Equal(t, max(75, s.target), ptx.LeastTarget(f))
			for _, target := range []int{70, 75, 80, 89, 90} {
				text, err := ptx.Print(ptx.Options{Target: target}, f)
				if target < s.target {
					require.ErrorContains(t, err, fmt.Sprintf("it needs compute capability %d.%d", s.target/10, s.target%10))
					continue
				}
				require.NoError(t, err)
				require.Equal(t, 1, strings.Count(text, "mma.sync.aligned."+s.ptx+".f32 "), text)
				_, err = judges.Ptxas(t, text, target)
				require.NoError(t, err)
				parsed, err := ptx.Parse(text)
				require.NoError(t, err)
				again, err := ptx.Print(ptx.Options{Target: target}, parsed[0])
				require.NoError(t, err)
				require.Equal(t, 1, strings.Count(again, "mma.sync.aligned."+s.ptx+".f32 "))
			}
		})
	}
}

// number is a float32 with the method of the formats.
type number float32

func (x number) Float32() float32 { return float32(x) }

// Conversions to and from tf32 and numbers of 8 bits are everywhere those of package tensor, of every kind of number.
func TestSmallNumbersAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Small", functions.Small)
	const n = 4096
	x := make([]float32, n)
	r := rand.New(rand.NewPCG(8, 38))
	for i := range x {
		x[i] = math.Float32frombits(r.Uint32())
		if i%2 == 0 {
			x[i] = float32(math.Ldexp(float64(r.IntN(65)-32)/32, r.IntN(40)-24))
		}
	}
	for _, device := range []string{"emulated", "host", "sim:g80", "sim:h200"} {
		to, e, m, back := make([]gpu.TFloat32, n), make([]gpu.Float8E4M3, n), make([]gpu.Float8E5M2, n), make([]float32, 3*n)
		if device == "emulated" {
			gpu.Emulate(kernel, n/256, 256, x, to, e, m, back)
		} else {
			use(t, device)
			gpu.Launch(kernel, n/256, 256, x, to, e, m, back)
		}
		for i, x := range x {
			require.Equal(t, gpu.ToTFloat32(x), to[i], "%s: %v", device, x)
			require.Equal(t, gpu.ToFloat8E4M3(x), e[i], "%s: %v", device, x)
			require.Equal(t, gpu.ToFloat8E5M2(x), m[i], "%s: %v", device, x)
			for j, want := range []float32{to[i].Float32(), e[i].Float32(), m[i].Float32()} {
				got := back[j*n+i]
				require.True(t, got == want || got != got && want != want, "%s: %v is %v, not %v", device, x, got, want)
			}
		}
	}
}
