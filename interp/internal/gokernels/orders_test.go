package gokernels_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// Sums of floats by atomics are marked where they are written. Those of -1, 2^25 and -2^25 in float32 are 0 or -1, by
// the order of the three, as a table of all orders by hand shows.
func TestFloatSums(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, `var total float64
var number int
func add(x, out []float32) {
	gpu.AtomicAdd(&number, 1)
	gpu.AtomicAdd(&out[1], x[gpu.BlockX()])
	gpu.AtomicAdd(&total, 1)
}
func whole(n []int) { gpu.AtomicAdd(&n[0], 1) }
x, out := np.FromSlice([]float32{-1, 1 << 25, -1 << 25}), np.Zeros(2).AsType(np.Float32)
np.Use("sim:tiny")`))
	text := r.Run(2, "fmt.Println(gpu.Launch(add, 3, 1, x, out)); fmt.Println(gpu.Check(add, 3, 1, x, out)); fmt.Println(gpu.Check(add, 3, 1, x, out, gpu.Orders(20)))")
	const marked = `order dependent: gpu\.AtomicAdd adds floats to out\[1\] \(cell 1, line 5, column 15\), and to total \(cell 1, line 6, column 15\); nothing`
	require.Len(t, regexp.MustCompile(marked).FindAllString(text, -1), 3, text)
	require.Contains(t, text, "in 20 orders of the blocks, 1 element of out differs; out[1] has 2 values between -1 and 0", text)
	require.Contains(t, text, "in 20 orders of the blocks, total is the same", text)
	require.NotContains(t, r.Run(3, "fmt.Println(gpu.Launch(whole, 3, 1, np.Zeros(1).AsType(np.Int64))); fmt.Println(gpu.Check(whole, 3, 1, np.Zeros(1).AsType(np.Int64)))"), "order")
	for n, want := range map[int]string{1: "two orders at least are compared", -1: "two orders at least are compared"} {
		require.Contains(t, r.Run(4, "gpu.Check(whole, 1, 1, np.Zeros(1).AsType(np.Int64), gpu.Orders("+strconv.Itoa(n)+"))"), want)
	}
}
