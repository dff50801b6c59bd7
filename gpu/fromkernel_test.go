package gpu_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// launching are devices that have launches from kernels.
func launching(seed int) []string {
	return []string{"host", "sim:v100", simgpu.Custom("a100", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(seed)))}
}

// A recursive quicksort sorts on every device, and in gpu.Emulate, what the Go library sorts; lazy arrays and parts of
// Go slices are handed on.
func TestQuicksortLaunchesItself(t *testing.T) {
	testsize.InTurn(t, 2)
	kernel := kernelOf(t, "./internal/functions", "Quick", functions.Quick)
	r := rand.New(rand.NewPCG(1, 346))
	for _, n := range []int{1, 2, 17, 120} {
		x := make([]int32, n)
		for i := range x {
			x[i] = int32(r.IntN(n))
		}
		want := slices.Sorted(slices.Values(x))
		emulated := slices.Clone(x)
		gpu.Emulate(kernel, 1, 32, emulated, 8)
		require.Equal(t, want, emulated)
		for _, device := range launching(n) {
			use(t, device)
			got := slices.Clone(x)
			rep := gpu.Launch(kernel, 1, 32, got, 8, gpu.PendingLaunches(8))
			require.Equal(t, want, got, device)
			if n > 8 {
				assert.NotEmpty(t, rep.Launched())
				assert.Contains(t, rep.String(), "launched from kernels:")
			}
			a := lazy.FromArray(arrays.FromSlice(slices.Clone(x)))
			gpu.Launch(kernel, 1, 32, a, 8)
			require.Equal(t, want, arrays.Data[int32](a.Array()), device)
		}
		found := gpu.Check(kernel, 1, 32, slices.Clone(x), 8)
		require.Empty(t, found.List, "%v", found)
	}
}

// The Mandelbrot set after Mariani and Silver is that of Escape, for each of whose points plain Go is asked.
func TestMarianiSilver(t *testing.T) {
	testsize.InTurn(t, 1)
	const width, most = 64, 60
	mariani := kernelOf(t, "./internal/functions", "Mariani", functions.Mariani)
	escape := kernelOf(t, "./internal/functions", "Escape", functions.Escape)
	want := make([]int32, width*width)
	gpu.Emulate(escape, gpu.Grid(8, 8), gpu.Block(8, 8), want, width, 0, 0, width, int32(most))
	emulated := make([]int32, width*width)
	gpu.Emulate(mariani, gpu.Grid(2, 2), 32, emulated, width, 0, 0, width/2, int32(most))
	differ := 0
	for i := range want {
		if want[i] != emulated[i] { // a square whose border is of one dwell may hold another
			differ++
		}
	}
	assert.Less(t, differ, width*width/50)
	for _, device := range launching(3) {
		use(t, device)
		got := make([]int32, width*width)
		rep := gpu.Launch(mariani, gpu.Grid(2, 2), 32, got, width, 0, 0, width/2, int32(most))
		require.Equal(t, emulated, got, device)
		count := map[string]int{}
		for _, l := range rep.Launched() {
			count[strings.Fields(l.String())[0]]++
		}
		assert.Positive(t, count["Fill:"], "%v", count)
		assert.Positive(t, count["Escape:"], "%v", count)
	}
	found := gpu.Check(mariani, gpu.Grid(2, 2), 32, make([]int32, width*width), width, 0, 0, width/2, int32(most))
	require.Empty(t, found.List, "%v", found)
}

// treeAt makes a random tree of launches: four numbers for each node, with its children behind it.
func treeAt(r *rand.Rand, n int, tails func() int32) []int32 {
	nodes := make([]int32, 4*n)
	next := 1
	for i := range n {
		nodes[4*i] = int32(r.IntN(100))
		nodes[4*i+1] = int32(next)
		if next < n && (i == next-1 || r.IntN(2) == 0) {
			nodes[4*i+2] = int32(1 + r.IntN(min(4, n-next)))
			next += int(nodes[4*i+2])
		}
		nodes[4*i+3] = tails()
	}
	return nodes
}

// Random trees of launches, at once and at ends, come to each of their nodes once, and tail launches in the order in
// which a serial program would call them.
func TestTreesOfLaunches(t *testing.T) {
	tree := kernelOf(t, "./internal/functions", "Tree", functions.Tree)
	order := kernelOf(t, "./internal/functions", "Order", functions.Order)
	for seed := range testsize.Seeds("gpu.TestTreesOfLaunches") {
		r := rand.New(rand.NewPCG(seed, 346))
		n := 1 + r.IntN(20)
		nodes := treeAt(r, n, func() int32 { return int32(r.IntN(3)) })
		sums := make([]int32, 5)
		for i := range n {
			sums[nodes[4*i]%5] += nodes[4*i]
		}
		log := make([]int32, n+1)
		var walk func(at int32)
		walk = func(at int32) {
			log[0]++
			log[log[0]] = at
			for k := range nodes[4*at+2] {
				walk(nodes[4*at+1] + k)
			}
		}
		walk(0)
		check := func(on string, launch func(kernel any, args ...any)) {
			got := make([]int32, 5)
			launch(tree, nodes, got, 0, 1)
			require.Equal(t, sums, got, "%s, seed %d", on, seed)
			got = make([]int32, n+1)
			launch(order, nodes, got, 0)
			require.Equal(t, log, got, "%s, seed %d", on, seed)
		}
		check("Emulate", func(kernel any, args ...any) { gpu.Emulate(kernel, 1, 32, args...) })
		for _, device := range launching(int(seed % 100)) {
			use(t, device)
			check(device, func(kernel any, args ...any) {
				rep := gpu.Launch(kernel, 1, 32, args...)
				assert.Len(t, rep.Launched(), n-1)
			})
		}
		require.Empty(t, gpu.Check(tree, 1, 32, nodes, make([]int32, 5), 0, 1).List)
	}
}

// A loop of tail launches is not nested, and takes the launch gap for each on a simulated GPU; a variable of a package
// counts on in kernels that kernels have launched.
func TestTailLaunchesAreALoop(t *testing.T) {
	relax := kernelOf(t, "./internal/functions", "Relax", functions.Relax)
	const steps = 31
	x, next := make([]float32, 50), make([]float32, 50)
	for i := range x {
		x[i] = float32(i * i % 17)
	}
	want, other := slices.Clone(x), make([]float32, 50)
	for range steps {
		for i := range want {
			other[i] = (want[max(i-1, 0)] + want[min(i+1, 49)]) / 2
		}
		want, other = other, want
	}
	for _, device := range launching(1) {
		use(t, device)
		a, b := slices.Clone(x), slices.Clone(next)
		rep := gpu.Launch(relax, 2, 32, a, b, steps)
		require.Equal(t, want, b, device)
		assert.Len(t, rep.Launched(), steps-1)
		if device == "sim:v100" {
			all := rep.Log().Events()
			for i, e := range all[1:] {
				require.Equal(t, trace.Microsecond, e.Start-all[i].End, "launch %d", i+1) // LaunchGap of the preset
			}
		}
	}
	use(t, "sim:v100")
	found := gpu.Check(relax, 2, 32, slices.Clone(x), slices.Clone(next), 3)
	require.Empty(t, found.List, "%v", found)
}

// A report keeps so many launches and no more, and counts all.
func TestReportsOfLaunchesFromKernelsAreBounded(t *testing.T) {
	relax := kernelOf(t, "./internal/functions", "Relax", functions.Relax)
	for _, device := range []string{"host", "sim:v100"} {
		use(t, device)
		run := func() *gpu.Report {
			return gpu.Launch(relax, 2, 32, make([]float32, 50), make([]float32, 50), 20).Eval()
		}
		all := run()
		restore := gpu.KeepLaunches(5)
		few := run()
		restore()
		assert.Len(t, all.Launched(), 19)
		assert.Len(t, few.Launched(), 5)
		assert.Len(t, few.Log().Events(), 6)
		assert.LessOrEqual(t, gpu.KernelsOf(all), 2, "a kernel that launches itself is compiled again and again")
		line := func(r *gpu.Report) string { return r.String()[strings.Index(r.String(), "launched from kernels:"):] }
		assert.Contains(t, line(few), "19 grids (19 of Relax), up to 0 deep, 19 of them at the end of another")
		if device == "sim:v100" { // what the host measures differs
			assert.Equal(t, line(all), line(few))
		}
	}
}

// Grids of one level run beside each other in the model: they take no more time than the longest and the ends of it.
func TestLaunchesOfALevelOverlap(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Mariani", functions.Mariani)
	use(t, "sim:v100")
	x := lazy.New(arrays.Int32, 64*64)
	rep := gpu.Launch(kernel, gpu.Grid(2, 2), 32, x, 64, 0, 0, 32, int32(60))
	all, first, last := int64(0), int64(0), int64(0)
	for i, e := range rep.Log().Events()[1:] {
		all += int64(e.End - e.Start)
		if i == 0 {
			first = int64(e.Start)
		}
		first, last = min(first, int64(e.Start)), max(last, int64(e.End))
	}
	assert.Less(t, last-first, all, "%v", rep)
}

// What launches from kernels cannot do says so: where, and with figures.
func TestLaunchesFromKernelsAreRefused(t *testing.T) {
	kernel := func(name string, f any) any { return kernelOf(t, "./internal/functions", name, f) }
	message := func(f func()) (text string) {
		defer func() {
			r := recover()
			require.NotNil(t, r)
			text = r.(error).Error()
		}()
		f()
		return ""
	}
	use(t, "sim:gtx480")
	many := kernel("Many", functions.Many)
	x := make([]int32, 4)
	got := message(func() { gpu.Launch(many, 1, 4, x) })
	assert.Contains(t, got, "launches.go:")
	assert.Contains(t, got, "kernel Many was not launched: launches from kernels need compute capability 3.5, sim:gtx480#0 has 2.0")
	use(t, "sim:v100")
	for _, c := range []struct {
		name string
		f    any
		want string
	}{
		{"HandsOnShared", functions.HandsOnShared, "kernel HandsOnShared: argument 1 of the launch, x, is shared memory, which is gone when the launched kernel runs"},
		{"HandsOnLocal", functions.HandsOnLocal, "kernel HandsOnLocal: argument 1 of the launch, x, is local memory, which is gone"},
		{"HandsOnInt", functions.HandsOnInt, "kernel HandsOnInt: argument 2 of the launch is of type int, and the parameter n of type int32"},
		{"HandsOnFew", functions.HandsOnFew, "kernel HandsOnFew: kernel One takes 2 arguments, not 1"},
		{"HandsOnLiteral", functions.HandsOnLiteral, "kernel HandsOnLiteral: gpu.TailLaunch cannot launch a function literal"},
		{"HandsOnNothing", functions.HandsOnNothing, "kernel HandsOnNothing launches: kernel One: the grid is (0): every size must be at least 1"},
	} {
		got := message(func() { gpu.Launch(kernel(c.name, c.f), 1, 1, make([]int32, 1)) })
		assert.Contains(t, got, c.want)
		assert.Contains(t, got, "launches.go:", c.name)
	}
	for _, run := range []func(){
		func() { gpu.Launch(many, 1, 100, x, gpu.PendingLaunches(64)) },
		func() { gpu.Emulate(many, 1, 100, x, gpu.PendingLaunches(64)) },
	} {
		assert.Contains(t, message(run), "kernel Many has asked for 100 launches, and there is room for 64 until it has ended: gpu.PendingLaunches(100)")
	}
	deeper := kernel("Deeper", functions.Deeper)
	for _, run := range []func(){func() { gpu.Launch(deeper, 1, 1, x) }, func() { gpu.Emulate(deeper, 1, 1, x) }} {
		assert.Contains(t, message(run), "kernel Deeper would be launched 25 levels deep, and launches from kernels may be 24")
	}
	b := gpu.NewBuffer(arrays.Int32, 4)
	assert.Contains(t, message(func() { gpu.NewStream().Launch(many, 1, 4, b) }), "launch it with gpu.Launch, not on a stream or in a graph")
	assert.Contains(t, message(func() { gpu.Capture(func(s *gpu.Stream) { s.Launch(many, 1, 4, b) }) }), "launch it with gpu.Launch, not on a stream or in a graph")
	assert.Contains(t, message(func() { gpu.Launch(many, 1, 4, x, gpu.On("sim:p100", "sim:v100")) }), "2 devices are in use: gpu.On(")
}

// A kernel that launches others is PTX like any other, which NVIDIA's assembler takes; through a driver the host
// launches.
func TestLaunchesFromKernelsOnCards(t *testing.T) {
	testsize.InTurn(t, 1)
	for name, f := range map[string]any{"Quick": functions.Quick, "Mariani": functions.Mariani, "Tree": functions.Tree} {
		k, err := kernelOf(t, "./internal/functions", name, f).Kernel(gosrc.Options{})
		require.NoError(t, err)
		text, err := ptx.Print(ptx.Options{Target: 70}, opt.Optimize(k.Func))
		require.NoError(t, err)
		_, err = judges.Ptxas(t, text, 70)
		require.NoError(t, err, name)
		parsed, err := ptx.Parse(text)
		require.NoError(t, err)
		require.NotNil(t, parsed[0])
		again, err := kir.Parse(nested(k.Func).String())
		require.NoError(t, err)
		assert.Equal(t, 1, again.Bounds.Nested)
		assert.NotNil(t, again.Launches())
	}
	if _, err := fake.Start(t.TempDir()); err != nil {
		t.Skipf("without cuda:0: %v", err)
	}
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	cudabackend.Register(r)
	rt, err := offload.New(r, "cuda:0")
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	x := []int32{9, 3, 7, 1, 8, 2, 6, 0, 5, 4}
	gpu.Launch(kernelOf(t, "./internal/functions", "Quick", functions.Quick), 1, 32, x, 2)
	assert.Equal(t, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, x)
}

func nested(f *kir.Func) *kir.Func {
	g := *f
	g.Bounds.Nested = kir.NestedAfter
	return &g
}
