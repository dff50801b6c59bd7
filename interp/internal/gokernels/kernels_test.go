package gokernels_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/gokernels"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

var (
	kernelSeed  = flag.Int64("kernelseed", -1, "the seed of the kernels; -1 takes those of the turn")
	kernelCount = flag.Int("kernels", perSeed, "how many kernels of a seed")
)

const (
	threads = 37 // of two blocks of 32
	perSeed = 8  // kernels of one build and one session
)

// machines are where the kernels run, with what the launch is given besides. The machine of 2008 has neither float64
// nor 64-bit integers in its units: its compiler does more.
var machines = []struct{ device, options string }{
	{"host", ""}, {"sim:tiny", ""}, {"sim:gtx280", ", gpu.Anyway()"},
}

// TestKernels launches random kernels from cells and lets np.Map call random functions, and calls them thread by thread
// and element by element where Go's compiler has built them.
func TestKernels(t *testing.T) {
	judges.Command(t, "go")
	if *kernelSeed >= 0 {
		compare(t, uint64(*kernelSeed), *kernelCount)
		return
	}
	for seed := range testsize.Seeds("interp/internal/gokernels.TestKernels") {
		compare(t, seed, perSeed)
	}
}

// arguments are what every kernel gets, and print what it has written.
const arguments = `
func arguments() (k float32, in []int, fl []float64, by []uint8, recs []rec, c rec, m mat, out []int, outf []float64) {
	for i := range 50 {
		in = append(in, (i*i*2654435761+i)%1000-300)
		fl = append(fl, float64(i*i%17)*1.37-6)
		by = append(by, uint8(i*37))
	}
	in[3], in[20], fl[7] = 1<<40+5, -1<<62, 1e18
	for i := range threads {
		recs = append(recs, rec{A: int32(i * 1000003), B: float64(i) / 3, C: uint8(i * 7), D: [5]int16{int16(i), 2, -3, 4, int16(-i * 900)}, V: vec{float64(i), -1.5}, E: uint64(i) << 40})
	}
	reset()
	return 0.75, in, fl, by, recs, rec{A: -5, B: 2.5, D: [5]int16{9, 8, 7, 6, 5}, V: vec{0.1, 1e9}}, mat{{1, -2, 3}, {40, 50, 60}}, make([]int, 4*threads), make([]float64, 4*threads)
}
func say(name string, out []int, outf []float64, recs []rec) {
	h := 0
	for i, x := range out {
		h = h*1000003 + x + i
	}
	s := 0
	for _, r := range slots {
		s = s*31 + r.sum() + int(r.E>>30)
	}
	fmt.Println(name, h, out[:12], outf, recs[5], recs[threads-1], slots[3], s, hits, sums)
}
`

// program is the kernels of a seed and what calls them, as compiled Go and as cells.
func program(seed uint64, n int) (compiled, cells judge.Generated) {
	text := gokernels.New(seed, n) + gokernels.NewFunctions(seed, n)
	head := fmt.Sprintf("const threads = %d\n", threads) + gokernels.Prelude + arguments
	compiled = judge.Generated{Imports: []string{"fmt", "math"}, Decls: "var thread int\nvar _ = math.Abs\n" + head + strings.NewReplacer("gpu.GlobalID()", "thread", "gpu.AtomicAdd(", "add(", "gpu.Approx", "approx").Replace(text) + `
func add[T number](p *T, x T) { *p += x }
type approximations struct{}
var approx approximations
func (approximations) Exp2(x float32) float32  { return float32(math.Exp2(float64(x))) }
func (approximations) Log2(x float32) float32  { return float32(math.Log2(float64(x))) }
func (approximations) Rcp(x float32) float32   { return 1 / x }
func (approximations) Sqrt(x float32) float32  { return float32(math.Sqrt(float64(x))) }
func (approximations) Rsqrt(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }
func run(name string, f func(` + gokernels.Params + `)) {
	defer func() { if recover() != nil { fmt.Println(name, "fails") } }()
	k, in, fl, by, recs, c, m, out, outf := arguments()
	for thread = range 64 {
		f(threads, k, in, fl, by, recs, c, m, out, outf)
	}
	say(name, out, outf, recs)
}
func runFunction(name string, f func(int, float64, uint8) float64) {
	defer func() { if recover() != nil { fmt.Println(name, "fails") } }()
	_, in, fl, by, _, _, _, _, _ := arguments()
	var out []float64
	for i := range in {
		out = append(out, f(in[i], fl[i], by[i]))
	}
	fmt.Println(name, out)
}
`}
	cells = judge.Generated{Imports: compiled.Imports, Decls: head + text}
	for i := range n {
		name := gokernels.Name(i)
		compiled.Calls += fmt.Sprintf("run(%q, %s)\n", name, name)
	}
	for i := range n {
		name := gokernels.FunctionName(i)
		compiled.Calls += fmt.Sprintf("runFunction(%q, %s)\n", name, name)
	}
	for _, machine := range machines {
		cells.Calls += fmt.Sprintf("np.Use(%q)\n", machine.device)
		for i := range n {
			cells.Calls += fmt.Sprintf(`func() {
	defer func() { if r := recover(); r != nil { fmt.Println(%[1]q, "fails", "//", r) } }()
	k, in, fl, by, recs, c, m, out, outf := arguments()
	gpu.Launch(%[1]s, 2, 32, threads, k, in, fl, by, recs, c, m, out, outf%[2]s)
	say(%[1]q, out, outf, recs)
}()
`, gokernels.Name(i), machine.options)
		}
		for i := range n {
			cells.Calls += fmt.Sprintf(`func() {
	defer func() { if r := recover(); r != nil { fmt.Println(%[1]q, "fails", "//", r) } }()
	_, in, fl, by, _, _, _, _, _ := arguments()
	fmt.Println(%[1]q, np.Map(%[1]s, np.FromSlice(in), np.FromSlice(fl), np.FromSlice(by)).Float64s())
}()
`, gokernels.FunctionName(i))
		}
	}
	return compiled, cells
}

func compare(t *testing.T, seed uint64, n int) {
	compiled, cells := program(seed, n)
	want := compiled.Compiled(t)
	require.GreaterOrEqual(t, len(want), 2*n, "lines that compiled Go prints for seed %d", seed)
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, cells.Decls), "the declarations of seed %d", seed)
	got := strings.Split(r.Run(2, cells.Calls), "\n")
	fails := 0
	for i := range machines {
		for j := range 2 * n {
			a, b := judge.LineOf(got, i*2*n+j), judge.LineOf(want, j)
			a, why, failed := strings.Cut(a, " // ")
			if failed {
				fails++
			}
			if a != b {
				t.Errorf("seed %d on %s: a launch gives\n%s %s\nand compiled Go\n%s\nagain with -kernelseed %d", seed, machines[i].device, a, why, b, seed)
			}
		}
	}
	if fails > n*len(machines) {
		t.Errorf("seed %d: %d of %d fail, which compares little", seed, fails, 2*n*len(machines))
	}
}

// useDevices gives lazy a runtime with the machines.
func useDevices(t *testing.T) {
	symbols.Register()
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.AddFamily("sim:", nil, new(simgpu.Machines).Open)
	rt, err := offload.New(&r, "host")
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
}
