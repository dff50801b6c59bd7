package multi_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	cellkernels "github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// The published workloads with partitions by hand, as cells, small.
const kernels = `
func square(x, out []float32) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = x[i] * x[i]
	}
}

func difference(x, y, sum []float32) {
	if i := gpu.GlobalID(); i < len(x) {
		gpu.AtomicAdd(&sum[0], x[i]-y[i])
	}
}

func multiply(a []float32, x, out []float32) { // rows of a matrix by a vector
	if i := gpu.GlobalID(); i < len(out) {
		s := float32(0)
		for j := range len(x) {
			s += a[i*len(x)+j] * x[j]
		}
		out[i] = s
	}
}

func put(part, out []float32, at int) {
	if i := gpu.GlobalID(); i < len(part) {
		out[at+i] = part[i]
	}
}
`

const vec = `
sum := 0.0
sums := []*np.Array{}
for p := range parts {
	i := np.Arange(p*n/parts+1, (p+1)*n/parts+1).AsType(np.Float32)
	x, y := 1/i, 2/i
	np.Eval(x, y)
	x1, y1, s := np.Zeros(n/parts).AsType(np.Float32), np.Zeros(n/parts).AsType(np.Float32), np.Zeros(1).AsType(np.Float32)
	gpu.Launch(square, 2, 128, x, x1)
	gpu.Launch(square, 2, 128, y, y1)
	gpu.Launch(difference, 2, 128, x1, y1, s)
	sums = append(sums, s)
}
np.Eval(sums...)
on := map[string]bool{}
for _, s := range sums {
	on[s.Places()[0]] = true
	sum += s.Float64s()[0]
}
sum
`

const mul = `
a := np.Reshape(np.Arange(n*n) % 7, n, n).AsType(np.Float32)
x := (np.Arange(n) % 5).AsType(np.Float32)
out := np.Zeros(n).AsType(np.Float32)
for p := range parts {
	rows := a[p*n/parts:(p+1)*n/parts]
	z := np.Zeros(n/parts).AsType(np.Float32)
	gpu.Launch(multiply, 1, 64, rows.Ravel(), x, z)
	gpu.Launch(put, 1, 64, z, out, p*n/parts)
}
fmt.Sprintf("%v %v", np.AllClose(out, np.Dot(a, x)), out.Sum())
`

func TestWorkloadsInCells(t *testing.T) {
	testsize.InTurn(t, 2)
	use(t)
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays(), Functions: cellkernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	cell := 0
	run := func(src string) string {
		t.Helper()
		cell++
		shown, err := s.Run(context.Background(), cell, src)
		require.NoError(t, err, src)
		text, _ := shown.Data[display.TypeText].(string)
		return text
	}
	run(kernels)
	run("n, parts := 800, 4")
	want := 0.0 // by its definition; that of MUL is NumPy's
	for i := 1; i <= 800; i++ {
		want += 1/float64(i*i) - 4/float64(i*i)
	}
	for _, machine := range []string{`"host"`, `"sim:v100x8#0", "sim:v100x8#1"`, `"sim:v100x8"`, `"sim:a100x8"`} {
		run("np.Use(" + machine + ")")
		for _, policy := range policies {
			run("offload.Policy(" + strconv.Quote(policy) + ")")
			got, err := strconv.ParseFloat(run(vec), 64)
			require.NoError(t, err)
			require.InDelta(t, want, got, 1e-4, "VEC on %s, %s", machine, policy)
			if policy == "round-robin" && machine != `"host"` {
				require.NotEqual(t, "1", run("len(on)"), "the sums are on devices of their own")
			}
			run("n = 64")
			require.Equal(t, "true 24180.0", run(mul), "MUL on %s, %s", machine, policy)
			run("n = 800")
		}
	}

	// A kernel that fails is named with its line and its device, and the others go on.
	run(`np.Use("sim:v100x8")
offload.Policy(func(c offload.Candidates) int { return 5 })
good, wrong := np.Ones(8), np.Zeros(8).AsType(np.Float32)`)
	cell++
	_, err = s.Run(context.Background(), cell, "gpu.Launch(put, 1, 8, good.AsType(np.Float32), wrong, 3)\nwrong")
	require.ErrorContains(t, err, "index 8 is out of range")
	require.ErrorContains(t, err, "(on sim:v100x8#5)")
	require.Equal(t, "16.0", run("(good * 2).Sum()"))
}
