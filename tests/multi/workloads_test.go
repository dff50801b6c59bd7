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

func normal(d float64) float64 { // the paper's polynomial for the cumulative normal distribution
	k := 1 / (1 + 0.2316419*math.Abs(d))
	w := 1 - 0.39894228040143267794*math.Exp(-d*d/2)*k*(0.31938153+k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))
	if d < 0 {
		return 1 - w
	}
	return w
}

func call(x, price []float64) { // a year, at 60, with 8 % and a volatility of 0.3
	if i := gpu.GlobalID(); i < len(x) {
		d := (math.Log(x[i]/60) + 0.08 + 0.3*0.3/2) / 0.3
		price[i] = x[i]*normal(d) - 60*math.Exp(-0.08)*normal(d-0.3)
	}
}

func times(a, x, out []float64) { // rows of a matrix by a vector
	if i := gpu.GlobalID(); i < len(out) {
		s := 0.0
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

// options prices parts by hand, and the same in plain array code.
const options = `
prices := []*np.Array{}
for p := range parts {
	x := 60 + (np.Arange(n/parts) + float64(p)) % 7
	price := np.Zeros(n/parts)
	gpu.Launch(call, (n/parts+63)/64, 64, x, price)
	prices = append(prices, price)
}
np.Eval(prices...)
cumulative := func(d *np.Array) *np.Array {
	k := 1 / (1 + 0.2316419*np.Abs(d))
	w := 1 - 0.39894228040143267794*np.Exp(-d*d/2)*k*(0.31938153+k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))
	return np.Where(d < 0, 1-w, w)
}
all := 60 + np.Arange(n/parts) % 7
d1 := (np.Log(all/60) + 0.08 + 0.3*0.3/2) / 0.3
plain := all*cumulative(d1) - 60*math.Exp(-0.08)*cumulative(d1-0.3)
fmt.Sprintf("%.10f %.10f %v", float64(prices[0][0]), float64(plain[0]), np.AllClose(prices[0], plain))
`

// solved is the method of conjugate gradients with products by hand, part by part into views of one vector, or in plain
// array code.
const solved = `
i := np.Arange(float64(m))
a := np.Exp(-0.5 * np.Abs(i.Reshape(m, 1)-i))
solve := func(times func(p *np.Array) *np.Array) (x *np.Array, residuals []float64) {
	x = np.Zeros(m)
	r := np.Ones(m) * 1
	p := r * 1
	rr := np.Dot(r, r)
	for range 12 {
		q := times(p)
		alpha := rr / np.Dot(p, q)
		x, r = x+alpha*p, r-alpha*q
		next := np.Dot(r, r)
		p = r + next/rr*p
		rr = next
		residuals = append(residuals, math.Sqrt(float64(rr)))
	}
	return x, residuals
}
byHand, falls := solve(func(p *np.Array) *np.Array {
	q := np.Zeros(m)
	for k := range parts {
		gpu.Launch(times, 1, 64, a[k*m/parts:(k+1)*m/parts].Ravel(), p, q[k*m/parts:(k+1)*m/parts])
	}
	return q
})
plainly, _ := solve(func(p *np.Array) *np.Array { return np.Dot(a, p) })
down := 0
for k := range len(falls) - 1 {
	if falls[k+1] < falls[k] {
		down++
	}
}
fmt.Sprintf("%v %d %v", np.AllClose(byHand, plainly), down, falls[11] < 1e-3*falls[0])
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
	run("n, m, parts := 800, 64, 4")
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
			run("n, m = 800, 64")
			require.Equal(t, "9.4267826691 9.4267826691 true", run(options), "B&S on %s, %s", machine, policy)
			require.Equal(t, "true 11 true", run(solved), "CG on %s, %s", machine, policy)
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
