package gpu_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// sources are the packages that kernelOf has read, by their patterns: what it takes to read one is for the go command.
var sources sync.Map

// kernelOf returns a function of a package as a kernel.
func kernelOf(t *testing.T, pkg, name string, fn any) *gosrc.Func {
	t.Helper()
	once, _ := sources.LoadOrStore(pkg, sync.OnceValues(func() (*load.Package, error) { return load.Load(".", pkg) }))
	p, err := once.(func() (*load.Package, error))()
	require.NoError(t, err)
	obj, err := p.Func(name)
	require.NoError(t, err)
	return gosrc.NewFunc(p.Source, obj, nil, fn)
}

// TestFunctionsOfFloat32 launches float32(math.Exp(float64(x))) and its kin. The judge is Go's own function, rounded:
// equal bits on every device, but for a rare argument for which Go's float64 and ours, an ulp apart, round to different
// float32. A machine whose float64 is slow does not compute with it.
func TestFunctionsOfFloat32(t *testing.T) {
	testsize.InTurn(t, 1)
	const n = 4096
	r := rand.New(rand.NewPCG(5, 6))
	for name, c := range map[string]struct {
		kernel any
		want   func(float64) float64
	}{
		"Exp": {functions.Exp, math.Exp}, "Exp2": {functions.Exp2, math.Exp2}, "Log": {functions.Log, math.Log}, "Log2": {functions.Log2, math.Log2},
		"Log10": {functions.Log10, math.Log10}, "Sin": {functions.Sin, math.Sin}, "Cos": {functions.Cos, math.Cos},
		"Tanh": {functions.Tanh, math.Tanh}, "Rsqrt": {functions.Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }},
		"Pow": {functions.Pow, func(x float64) float64 { return math.Pow(x, 2.5) }},
	} {
		kernel := kernelOf(t, "./internal/functions", name, c.kernel)
		x, want := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i] = float32(math.Ldexp(r.NormFloat64(), r.IntN(10)-5))
			want[i] = float32(c.want(float64(x[i])))
		}
		for _, device := range []string{"host", "sim:g80", "sim:gtx280", "sim:gtx480", "sim:v100"} {
			use(t, device)
			y := make([]float32, n)
			report := gpu.Launch(kernel, n/128, 128, y, x)
			differ := 0
			for i := range y {
				if y[i] != want[i] && y[i] == y[i] {
					differ++
				}
			}
			assert.LessOrEqual(t, differ, 1, "%s on %s", name, device)
			if device == "sim:g80" || device == "sim:gtx280" || device == "sim:gtx480" {
				assert.Zero(t, report.Stats().Flops64, "%s on %s", name, device)
				assert.Positive(t, report.Stats().Flops32, "%s on %s", name, device)
			}
		}
	}
}

// TestFunctionsByTheirNamesInC: the bits of np.Exp and its kin on every device, of the Go functions, and no float64 for
// what is float32 inside.
func TestFunctionsByTheirNamesInC(t *testing.T) {
	const n, all = 1024, 15
	kernel := kernelOf(t, "./internal/functions", "Short", functions.Short)
	r := rand.New(rand.NewPCG(7, 8))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Abs(r.NormFloat64()) * 3)
	}
	want := make([]float32, all*n)
	gpu.Emulate(kernel, n/128, 128, want, x)
	for _, device := range []string{"host", "sim:g80", "sim:v100"} {
		use(t, device)
		y := make([]float32, all*n)
		gpu.Launch(kernel, n/128, 128, y, x)
		assert.Equal(t, want, y, device)
		assert.Equal(t, lazy.Exp(lazy.FromSlice(x)).Float32s(), y[:n], device)
	}
}

// TestPowersAreTheSameEverywhere: float32(math.Pow(float64(x), float64(y))) of two variables has the same bits on the
// CPU, on machines with and without fast float64, by np.Map, by gpu.Emulate and in Go; the older machines compute no
// float64 for it.
func TestPowersAreTheSameEverywhere(t *testing.T) {
	const n = 512
	kernel := kernelOf(t, "./internal/functions", "Powers", functions.Powers)
	r := rand.New(rand.NewPCG(9, 10))
	x, want, mapped := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = float32(4 * r.NormFloat64())
	}
	copy(x, []float32{0, 1, -1, 2, -3, 0.5, float32(math.Inf(1)), float32(math.NaN()), 1e-40, 3e38})
	for i := range x {
		want[i] = float32(math.Pow(float64(x[i]), float64(x[(i+1)%n])))
		mapped[i] = functions.PowerOf(x[i])
	}
	bits := func(y []float32) (out []uint32) {
		for _, v := range y {
			if v != v {
				v = float32(math.NaN())
			}
			out = append(out, math.Float32bits(v))
		}
		return out
	}
	emulated := make([]float32, n)
	gpu.Emulate(kernel, n/128, 128, emulated, x)
	assert.Equal(t, bits(want), bits(emulated))
	for _, device := range []string{"host", "sim:g80", "sim:gtx480", "sim:v100"} {
		use(t, device)
		y := make([]float32, n)
		st := gpu.Launch(kernel, n/128, 128, y, x).Stats()
		assert.Equal(t, bits(want), bits(y), device)
		if device == "sim:g80" || device == "sim:gtx480" {
			assert.Zero(t, st.Flops64, device)
		}
		assert.Equal(t, bits(mapped), bits(lazy.Map(kernelOf(t, "./internal/functions", "PowerOf", functions.PowerOf), lazy.FromSlice(x)).Float32s()), device)
	}
}
