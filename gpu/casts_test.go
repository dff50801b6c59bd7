package gpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// castCases are numbers in and out of the range of each integer type, and random ones; 64 blocks of 8.
func castCases() []float64 {
	x := []float64{0, 300, -300, 300.9, 127, 128, 255, 256, -1, -1.5, -0.5, 32767, 32768, 65535, 65536, 3e9, -3e9, 2147483647.5, 2147483648, -2147483648, -2147483648.5, -2147483649,
		4294967295, 4294967296, 1e18, 1e19, 1.9e19, -1e19, 0x1p63, -0x1p63, 0x1p64, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32}
	r := rand.New(rand.NewPCG(11, 12))
	for len(x) < 512 {
		x = append(x, math.Ldexp(r.NormFloat64(), r.IntN(70)))
	}
	return x
}

// TestFloatsBecomeIntsByOneRule: kernels, functions of np.Map and AsType on every device give what AsType of eager
// arrays gives, which tests of package arrays hold to NumPy on x86, and what compiled Go gives on amd64, by
// gpu.Emulate, but for an uint64 of 2^64 and more.
func TestFloatsBecomeIntsByOneRule(t *testing.T) {
	x := castCases()
	n := len(x)
	x32 := make([]float32, n)
	for i := range x {
		x32[i] = float32(x[i])
	}
	for _, c := range []struct {
		name string
		fn   any
		x    any
	}{{"Ints", functions.Ints, x}, {"Ints32", functions.Ints32, x32}} {
		kernel := kernelOf(t, "./internal/functions", c.name, c.fn)
		eager := arrays.FromSlice(c.x)
		var signed []int64
		var unsigned []uint64
		for _, d := range []arrays.DType{arrays.Int8, arrays.Int16, arrays.Int32, arrays.Int64} {
			signed = append(signed, eager.AsType(d).AsType(arrays.Int64).Int64s()...)
		}
		for _, d := range []arrays.DType{arrays.Uint8, arrays.Uint16, arrays.Uint32, arrays.Uint64} {
			unsigned = append(unsigned, arrays.Data[uint64](eager.AsType(d).AsType(arrays.Uint64))...)
		}
		if runtime.GOARCH == "amd64" {
			s, u := make([]int64, 4*n), make([]uint64, 4*n)
			gpu.Emulate(kernel, n/64, 64, s, u, c.x)
			assert.Equal(t, signed, s, "%s, emulated", c.name)
			for i, v := range x {
				if v >= 0x1p64 { // Go's compiler, unlike C's, gives 2^63
					assert.EqualValues(t, uint64(1)<<63, u[3*n+i])
					u[3*n+i] = 0
				}
			}
			assert.Equal(t, unsigned, u, "%s, emulated", c.name)
		}
		for _, device := range []string{"host", "sim:v100", "sim:gtx280"} {
			use(t, device)
			s, u := make([]int64, 4*n), make([]uint64, 4*n)
			gpu.Launch(kernel, n/64, 64, s, u, c.x)
			assert.Equal(t, signed, s, "%s on %s", c.name, device)
			assert.Equal(t, unsigned, u, "%s on %s", c.name, device)
			assert.Equal(t, signed[2*n:3*n], lazy.FromSlice(c.x).AsType(arrays.Int32).AsType(arrays.Int64).Int64s(), "AsType on %s", device)
		}
	}
	use(t, "sim:v100")
	mapped := lazy.Map(kernelOf(t, "./internal/functions", "ToInt32", functions.ToInt32), lazy.FromSlice(x))
	assert.Equal(t, arrays.FromSlice(x).AsType(arrays.Int32).Int64s(), mapped.Int64s(), "np.Map")
}

// TestTheRuleOfCastsIsNumPys asks NumPy itself, on x86, of signed integers of all widths.
func TestTheRuleOfCastsIsNumPys(t *testing.T) {
	testsize.InTurn(t, 0)
	if runtime.GOARCH != "amd64" {
		t.Skip("NumPy's casts are those of the machine")
	}
	python := judges.Python(t, "numpy")
	x := castCases()
	var in strings.Builder
	for _, v := range x {
		fmt.Fprintln(&in, math.Float64bits(v))
	}
	command := exec.Command(python, "-W", "ignore", "-c", `
import sys, numpy as np
x = np.array([int(l) for l in sys.stdin], dtype=np.uint64).view(np.float64)
for t in (np.int8, np.int16, np.int32, np.int64):
    print(*x.astype(t).tolist(), sep="\n")`)
	command.Stdin = strings.NewReader(in.String())
	out, err := command.Output()
	require.NoError(t, err)
	lines := strings.Fields(string(out))
	s, u := make([]int64, 4*len(x)), make([]uint64, 4*len(x))
	use(t, "sim:v100")
	gpu.Launch(kernelOf(t, "./internal/functions", "Ints", functions.Ints), len(x)/64, 64, s, u, x)
	require.Len(t, lines, len(s))
	for i := range s {
		assert.Equal(t, lines[i], fmt.Sprint(s[i]), "%v", x[i%len(x)])
	}
}

// TestTooLargeForAFloat32: a finite argument that a float32 parameter would make infinite is an error, on every way
// into a kernel.
func TestTooLargeForAFloat32(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Scale", functions.Scale)
	use(t, "host")
	says := "1e+300 is too large for a float32, which holds up to 3.4028234663852886e+38"
	for name, launch := range map[string]func(by any){
		"Launch":  func(by any) { gpu.Launch(kernel, 1, 1, []float32{1}, by) },
		"Emulate": func(by any) { gpu.Emulate(kernel, 1, 1, []float32{1}, by) },
		"Check":   func(by any) { gpu.Check(kernel, 1, 1, []float32{1}, by) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				assert.ErrorContains(t, err, says, name)
			}()
			launch(1e300)
		}()
		assert.NotPanics(t, func() { launch(math.Inf(1)); launch(3e38); launch(math.NaN()); launch(2) }, name)
	}
}
