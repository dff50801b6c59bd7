package gpu_test

import (
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

// nearestHalf finds the Float16 nearest to a number with all its digits among all of them, the even one of two.
func nearestHalf(x *big.Float) gpu.Float16 {
	if x.Sign() == 0 {
		return 0
	}
	best, distance := gpu.Float16(0), new(big.Float)
	lo, hi := gpu.Float16(0), gpu.Float16(0x7c00) // positive ones are ordered as their bits; the bound of infinity counts as 2^16
	size := new(big.Float).Abs(x)
	value := func(h gpu.Float16) *big.Float {
		if h == 0x7c00 {
			return big.NewFloat(65536)
		}
		return big.NewFloat(float64(h.Float32()))
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; value(mid).Cmp(size) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	below, above := new(big.Float).Sub(size, value(lo)), new(big.Float).Sub(value(hi), size)
	best, distance = lo, below
	if above.Cmp(distance) < 0 || above.Cmp(distance) == 0 && lo&1 == 1 {
		best = hi
	}
	if x.Sign() < 0 {
		best |= 0x8000
	}
	return best
}

// Sums, differences, products and quotients of Float16 are the nearest ones, and everywhere the same; those of BFloat16
// are float32's, whose nearest bfloat16 they are. NaN are compared as such, and zeros without their signs, which the
// judge has not.
func TestHalvesAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Halves", functions.Halves)
	const n = 512
	r := rand.New(rand.NewPCG(23, 24))
	x, y, v, w := make([]gpu.Float16, n), make([]gpu.Float16, n), make([]gpu.BFloat16, n), make([]gpu.BFloat16, n)
	for i := range x {
		x[i], y[i], v[i], w[i] = gpu.Float16(r.Uint32()), gpu.Float16(r.Uint32()), gpu.BFloat16(r.Uint32()), gpu.BFloat16(r.Uint32())
		if i%3 == 0 { // near each other
			y[i], w[i] = x[i]+gpu.Float16(r.IntN(3)), v[i]^0x8000
		}
	}
	nan := func(f float32) bool { return f != f }
	check := func(who string, out []gpu.Float16, brain []gpu.BFloat16, less []bool) {
		for i := range x {
			a, b := float64(x[i].Float32()), float64(y[i].Float32())
			for op, plain := range []float64{a + b, a - b, a * b, a / b} {
				got := out[op*n+i]
				if math.IsNaN(plain) || math.IsInf(plain, 0) || plain == 0 {
					require.True(t, math.IsNaN(plain) && nan(got.Float32()) || float64(got.Float32()) == plain, "%s: operation %d of %g and %g is %g", who, op, a, b, got.Float32())
					continue
				}
				p, q, z := new(big.Float).SetPrec(200).SetFloat64(a), new(big.Float).SetPrec(200).SetFloat64(b), new(big.Float).SetPrec(200)
				switch op {
				case 0:
					z.Add(p, q)
				case 1:
					z.Sub(p, q)
				case 2:
					z.Mul(p, q)
				case 3:
					z.Quo(p, q)
				}
				require.Equal(t, nearestHalf(z)&0x7fff, got&0x7fff, "%s: operation %d of %g and %g", who, op, a, b)
			}
			c, d := v[i].Float32(), w[i].Float32()
			for op, plain := range []float32{c + d, c - d, c * d, c / d} {
				want, got := gpu.ToBFloat16(plain), brain[op*n+i]
				require.True(t, nan(plain) && nan(got.Float32()) || want == got, "%s: operation %d of %g and %g is %g", who, op, c, d, got.Float32())
			}
			require.Equal(t, [2]bool{a < b, c < d}, [2]bool{less[i], less[n+i]}, who)
		}
	}
	run := func(who string, do func(args ...any)) {
		out, brain, less := make([]gpu.Float16, 4*n), make([]gpu.BFloat16, 4*n), make([]bool, 2*n)
		do(x, y, v, w, out, brain, less)
		check(who, out, brain, less)
	}
	run("emulated", func(args ...any) { gpu.Emulate(kernel, 4, n/4, args...) })
	for _, device := range []string{"host", "sim:g80", "sim:v100"} {
		use(t, device)
		run(device, func(args ...any) { gpu.Launch(kernel, 4, n/4, args...) })
	}
}

// oneProduct is what gpu.MMA adds, in math/big, rounded once.
func oneProduct(c []float32, a, b func(i, j int) float32) {
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(x)) }
	for i := range 16 {
		for j := range 8 {
			sum := exact(c[8*i+j])
			for k := range 16 {
				p := exact(a(i, k))
				sum.Add(sum, p.Mul(p, exact(b(k, j))))
			}
			c[8*i+j], _ = sum.Float32()
		}
	}
}

// Products of random matrices, of numbers of all sizes, are rounded as documented, bit by bit, on every device and in
// gpu.Emulate.
func TestProductsAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "OneProduct", functions.OneProduct)
	for seed := range testsize.Seeds("gpu.TestProductsAtRandom") {
		r := rand.New(rand.NewPCG(seed, 39))
		number := func(spread int) float32 { return float32(math.Ldexp(r.Float64()*2-1, r.IntN(spread)-spread/2)) }
		spread := []int{1, 10, 28}[r.IntN(3)]
		a, b, v, w := make([]gpu.Float16, 256), make([]gpu.Float16, 128), make([]gpu.BFloat16, 256), make([]gpu.BFloat16, 128)
		c, d := make([]float32, 128), make([]float32, 128)
		for i := range a {
			a[i], v[i] = gpu.ToFloat16(number(spread)), gpu.ToBFloat16(number(8*spread))
		}
		for i := range b {
			b[i], w[i], c[i], d[i] = gpu.ToFloat16(number(spread)), gpu.ToBFloat16(number(8*spread)), number(spread), number(8*spread)
		}
		wantC, wantD := slices.Clone(c), slices.Clone(d)
		oneProduct(wantC, func(i, k int) float32 { return a[16*i+k].Float32() }, func(k, j int) float32 { return b[8*k+j].Float32() })
		oneProduct(wantD, func(i, k int) float32 { return v[16*i+k].Float32() }, func(k, j int) float32 { return w[16*j+k].Float32() })
		run := func(who string, do func(c, d []float32)) {
			gotC, gotD := slices.Clone(c), slices.Clone(d)
			do(gotC, gotD)
			require.Equal(t, wantC, gotC, "%s, seed %d", who, seed)
			require.Equal(t, wantD, gotD, "%s, seed %d", who, seed)
		}
		run("emulated", func(c, d []float32) { gpu.Emulate(kernel, 1, 32, a, b, v, w, c, d) })
		for _, device := range []string{"host", "sim:a100", "sim:h200"} {
			use(t, device)
			run(device, func(c, d []float32) { gpu.Launch(kernel, 1, 32, a, b, v, w, c, d) })
		}
	}
}

// The shape m16n8k8 is the exact sum of 8 products rounded once, on every device; PTX has it as one instruction, which
// NVIDIA's assembler takes and from which the same comes out, and a simulated card takes fewer steps for it.
func TestShortProductsAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "ShortProduct", functions.ShortProduct)
	exactly := func(c []float32, a, b func(i, j int) float32) {
		for i := range 16 {
			for j := range 8 {
				sum := new(big.Float).SetPrec(4000).SetFloat64(float64(c[8*i+j]))
				for k := range 8 {
					p := new(big.Float).SetPrec(4000).SetFloat64(float64(a(i, k)))
					sum.Add(sum, p.Mul(p, big.NewFloat(float64(b(k, j)))))
				}
				c[8*i+j], _ = sum.Float32()
			}
		}
	}
	for seed := range testsize.Seeds("gpu.TestProductsAtRandom") {
		r := rand.New(rand.NewPCG(seed, 349))
		a, b, v, w := make([]gpu.Float16, 128), make([]gpu.Float16, 64), make([]gpu.BFloat16, 128), make([]gpu.BFloat16, 64)
		c, d := make([]float32, 128), make([]float32, 128)
		number := func() float32 { return float32(math.Ldexp(r.Float64()*2-1, r.IntN(20)-10)) }
		for i := range a {
			a[i], v[i], c[i], d[i] = gpu.ToFloat16(number()), gpu.ToBFloat16(number()), number(), number()
		}
		for i := range b {
			b[i], w[i] = gpu.ToFloat16(number()), gpu.ToBFloat16(number())
		}
		wantC, wantD := slices.Clone(c), slices.Clone(d)
		exactly(wantC, func(i, k int) float32 { return a[8*i+k].Float32() }, func(k, j int) float32 { return b[8*k+j].Float32() })
		exactly(wantD, func(i, k int) float32 { return v[8*i+k].Float32() }, func(k, j int) float32 { return w[8*j+k].Float32() })
		run := func(who string, do func(c, d []float32)) {
			gotC, gotD := slices.Clone(c), slices.Clone(d)
			do(gotC, gotD)
			require.Equal(t, wantC, gotC, "%s, seed %d", who, seed)
			require.Equal(t, wantD, gotD, "%s, seed %d", who, seed)
		}
		run("emulated", func(c, d []float32) { gpu.Emulate(kernel, 1, 32, a, b, v, w, c, d) })
		for _, device := range []string{"host", "sim:a100", simgpu.Custom("h200", simgpu.Check())} {
			use(t, device)
			run(device, func(c, d []float32) { gpu.Launch(kernel, 1, 32, a, b, v, w, c, d) })
		}
	}
	k, err := kernel.Kernel(gosrc.Options{})
	require.NoError(t, err)
	text, err := ptx.Print(ptx.Options{Target: 80}, opt.Optimize(k.Func))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(text, "m16n8k8.row.col"), text)
	_, err = judges.Ptxas(t, text, 80)
	require.NoError(t, err)
	parsed, err := ptx.Parse(text)
	require.NoError(t, err)
	again, err := ptx.Print(ptx.Options{Target: 80}, parsed[0])
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(again, "m16n8k8.row.col"))
}

// Tensor cores multiply at least four times as fast as the plain kernel on every machine that has them, by its model;
// machines without, and what is not whole, are refused.
func TestTensorCoresAreFaster(t *testing.T) {
	plain := kernelOf(t, "./internal/functions", "PlainProduct", functions.PlainProduct)
	tensor := kernelOf(t, "./internal/functions", "TensorTiles", functions.TensorTiles)
	quarters := kernelOf(t, "./internal/functions", "QuarterTiles", functions.QuarterTiles)
	const n = 128
	r := rand.New(rand.NewPCG(5, 40))
	a, b, bt := make([]gpu.Float16, n*n), make([]gpu.Float16, n*n), make([]gpu.Float16, n*n)
	for i := range a {
		a[i] = gpu.ToFloat16(float32(r.IntN(64)))
		b[i] = gpu.ToFloat16(float32(r.IntN(64)))
	}
	for i := range b {
		bt[i%n*n+i/n] = b[i]
	}
	for _, machine := range []string{"v100", "a100", "h200"} {
		tensor, shape := tensor, []any{n * n / 1024 / 2, 64}
		if machine == "v100" { // by the shape that it has
			tensor, shape = quarters, []any{gpu.Grid(n/64, n/64), 128}
		}
		device := simgpu.Custom(machine, simgpu.WithSMs(1)) // as full as a whole machine is of a large product
		use(t, device)
		want, got := make([]float32, n*n), make([]float32, n*n)
		slow := gpu.Launch(plain, gpu.Grid(n/16, n/16), gpu.Block(16, 16), a, b, want, n, gpu.Unchecked())
		fast := gpu.Launch(tensor, shape[0], shape[1], a, bt, got, n, gpu.Unchecked())
		require.Equal(t, want, got, device) // whole numbers: every order is exact
		t.Logf("%s: %d cycles by tensor cores, %d plain, %.1f times", device, fast.Stats().Cycles, slow.Stats().Cycles, float64(slow.Stats().Cycles)/float64(fast.Stats().Cycles))
		assert.Greater(t, float64(slow.Stats().Cycles)/float64(fast.Stats().Cycles), 4.0, device)
	}
	use(t, "sim:p100")
	message := panicsWith(t, func() { gpu.Launch(quarters, n*n/1024/2, 64, a, bt, make([]float32, n*n), n) })
	assert.Contains(t, message, "products of matrices by tensor cores need compute capability 7.0")
	use(t, "sim:v100")
	message = panicsWith(t, func() { gpu.Launch(tensor, n*n/1024/2, 64, a, bt, make([]float32, n*n), n) })
	assert.Contains(t, message, "products m16n8k16 by tensor cores (gpu.MMAQuarters, m8n8k4, needs 7.0) need compute capability 8.0")
	half := kernelOf(t, "./internal/functions", "HalfAWarp", functions.HalfAWarp)
	for _, device := range []string{"host", "sim:v100"} {
		use(t, device)
		message := panicsWith(t, func() { gpu.Launch(half, 1, 32, a, make([]float32, 128), gpu.Anyway()) })
		for _, word := range []string{"HalfAWarp", "halves.go:", "all lanes of a warp"} {
			assert.Contains(t, message, word, device)
		}
		one := kernelOf(t, "./internal/functions", "OneProduct", functions.OneProduct)
		short := panicsWith(t, func() {
			gpu.Launch(one, 1, 32, a[:255], b, make([]gpu.BFloat16, 256), make([]gpu.BFloat16, 128), make([]float32, 128), make([]float32, 128), gpu.Anyway())
		})
		for _, word := range []string{"OneProduct", "halves.go:", "index 255 is out of range: the length is 255", "LoadA"} {
			assert.Contains(t, short, word, device)
		}
	}
}
