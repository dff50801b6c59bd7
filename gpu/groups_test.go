package gpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// groupStep is functions.Grouped's operation for one tile, in plain Go.
func groupStep(op int32, a int, v []int32, w []float32) {
	n := len(v)
	oldV, oldW := slices.Clone(v), slices.Clone(w)
	for i := range v {
		switch op {
		case 0:
			v[i], w[i] = pairwise(oldV), pairwise(oldW)
		case 2:
			v[i], w[i] = slices.Max(oldV), slices.Min(oldW)
		case 3:
			v[i], w[i] = oldV[a], oldW[(a+i)%n]
		case 4:
			if i >= a {
				v[i] = oldV[i-a]
			}
			if i+a < n {
				w[i] = oldW[i+a]
			}
		case 5:
			v[i], w[i] = oldV[i^a], oldW[i^a]
		case 6:
			v[i] = 0
			for j, x := range oldV {
				if x > 0 {
					v[i] |= 1 << j
				}
			}
		case 7:
			less := slices.ContainsFunc(oldV, func(x int32) bool { return x < 0 })
			if less && slices.ContainsFunc(oldW, func(x float32) bool { return !(x > 0) }) {
				v[i]++
			} else {
				v[i]--
			}
		case 8:
			v[i] = 0
			for j, x := range oldV {
				if x%3 == oldV[i]%3 {
					v[i] |= 1 << j
				}
			}
		case 9:
			v[i], w[i] = min(slices.Min(oldV), int32(i)), slices.Max(oldW)
		}
	}
	if op == 1 { // the definition: step by step, what stands 1, 2, 4 … below
		for d := 1; d < n; d *= 2 {
			for i := n - 1; i >= d; i-- {
				v[i] += v[i-d]
				w[i] = w[i-d] + w[i]
			}
		}
	}
}

// pairwise adds neighbours, then pairs of them.
func pairwise[T int32 | float32](x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	return pairwise(x[:len(x)/2]) + pairwise(x[len(x)/2:])
}

// Random programs of tiles, in which every other tile goes another way, give on every device and in gpu.Emulate the
// bits of plain Go.
func TestGroupsAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Grouped", functions.Grouped)
	const n = 192
	for seed := range testsize.Seeds("gpu.TestGroupsAtRandom") {
		r := rand.New(rand.NewPCG(seed, 37))
		var ops, args []int32
		x, y := make([]int32, n), make([]float32, n)
		for range 1 + r.IntN(8) {
			ops = append(ops, int32(r.IntN(10)+10*r.IntN(3)+100*r.IntN(2)))
			args = append(args, int32(r.IntN(32)))
		}
		for i := range x {
			x[i], y[i] = int32(r.IntN(7)-3), float32(r.NormFloat64())
		}
		v, w := slices.Clone(x), slices.Clone(y)
		for k, op := range ops {
			size := []int{4, 16, 32}[op/10%10]
			for i := int(op/100) * size; i < n; i += 2 * size {
				groupStep(op%10, int(args[k])%size, v[i:i+size], w[i:i+size])
			}
		}
		emulatedX, emulatedY := slices.Clone(x), slices.Clone(y)
		gpu.Emulate(kernel, 2, n/2, ops, args, emulatedX, emulatedY)
		require.Equal(t, v, emulatedX, "emulated, seed %d: %v %v", seed, ops, args)
		require.Equal(t, w, emulatedY, "emulated, seed %d: %v %v", seed, ops, args)
		for _, device := range []string{"host", "sim:v100", "sim:h200"} {
			use(t, device)
			gotX, gotY := slices.Clone(x), slices.Clone(y)
			gpu.Launch(kernel, 2, n/2, ops, args, gotX, gotY)
			require.Equal(t, v, gotX, "%s, seed %d: %v %v", device, seed, ops, args)
			require.Equal(t, w, gotY, "%s, seed %d: %v %v", device, seed, ops, args)
		}
	}
}

// Threads that have come together are a group, whichever they are: on devices those of a warp, in gpu.Emulate each by
// itself.
func TestThreadsThatComeTogether(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "Together", functions.Together)
	run := func(who string, do func(x []int32, y []float32, count []int32)) {
		x, y, count := make([]int32, 128), make([]float32, 128), make([]int32, 1)
		for i := range x {
			x[i], y[i] = int32(i), 5
		}
		do(x, y, count)
		assert.Zero(t, count[0], who)
		for i := range x {
			if i%3 == 0 {
				require.Equal(t, [2]float32{float32(-i), 0}, [2]float32{float32(x[i]), y[i]}, who)
			}
		}
	}
	run("emulated", func(x []int32, y []float32, count []int32) { gpu.Emulate(kernel, 1, 128, x, y, count) })
	for _, device := range []string{"host", "sim:v100"} {
		use(t, device)
		run(device, func(x []int32, y []float32, count []int32) { gpu.Launch(kernel, 1, 128, x, y, count) })
	}
}

// What tiles cannot do is refused, or ends the run, with the kernel, the line and what was wrong.
func TestGroupsRefuse(t *testing.T) {
	of := func(name string, f any) any { return kernelOf(t, "./internal/functions", name, f) }
	x := make([]float32, 32)
	for _, device := range []string{"host", "sim:v100"} {
		use(t, device)
		for _, c := range []struct {
			launch func()
			says   []string
		}{
			{func() { gpu.Launch(of("ThreeInATile", functions.ThreeInATile), 1, 32, x) },
				[]string{"ThreeInATile", "groups.go:", "gpu.Tile(3)", "tiles of 3 threads", "1, 2, 4, 8, 16 or 32"}},
			{func() { gpu.Launch(of("AnyInATile", functions.AnyInATile), 1, 32, x, 16) },
				[]string{"AnyInATile", "groups.go:", "argument of gpu.Tile, is not known when the kernel is compiled", "gpu.Tile(32)"}},
			{func() { gpu.Launch(of("XorTogether", functions.XorTogether), 1, 32, x) },
				[]string{"XorTogether", "groups.go:", "ShflXor", "only tiles have it"}},
			{func() { gpu.Launch(of("OutOfATile", functions.OutOfATile), 1, 32, x, 16) },
				[]string{"OutOfATile", "groups.go:", "index 16 is out of range: the length is 16", "the rank"}},
			{func() { gpu.Launch(of("OutOfATile", functions.OutOfATile), 1, 32, x, -1) }, []string{"index -1 is out of range"}},
			{func() { gpu.Launch(of("Ended", functions.Ended), 1, 32, x, 20) },
				[]string{"Ended", "groups.go:", "threads of the group have ended", "Reduce"}},
			{func() { gpu.Launch(of("Ended", functions.Ended), 1, 24, x, 24) }, []string{"ones that the block does not have"}},
		} {
			message := panicsWith(t, c.launch)
			for _, word := range c.says {
				assert.Contains(t, message, word, device)
			}
		}
	}
	assert.NotPanics(t, func() { gpu.Launch(of("OutOfATile", functions.OutOfATile), 1, 32, x, 15) })
	assert.NotPanics(t, func() { gpu.Launch(of("Ended", functions.Ended), 1, 32, x, 16) })
	for _, c := range []struct {
		launch func()
		says   string
	}{
		{func() { gpu.Emulate(of("ThreeInATile", functions.ThreeInATile), 1, 32, x) }, "gpu.Tile(3): the size of a tile is"},
		{func() { gpu.Emulate(of("OutOfATile", functions.OutOfATile), 1, 32, x, 16) }, "rank 16 is out of range: the group has 16 threads"},
		{func() { gpu.Emulate(of("Ended", functions.Ended), 1, 32, x, 20) }, "has ended, or is one that the block does not have"},
	} {
		assert.Contains(t, panicsWith(t, c.launch), c.says)
	}
}

// panicsWith returns the message of the error that f panics with.
func panicsWith(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		err, ok := recover().(error)
		require.True(t, ok, "no error")
		message = err.Error()
	}()
	f()
	return ""
}

// A reduction of a warp is one instruction, from compute capability 8.0 on; before, it is refused with what it needs.
func TestWarpReductionsNeedAmpere(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "WarpSum", functions.WarpSum)
	use(t, "sim:v100")
	x := make([]int32, 32)
	message := panicsWith(t, func() { gpu.Launch(kernel, 1, 32, x) })
	assert.Contains(t, message, "reductions of a warp need compute capability 8.0")
	use(t, "sim:a100")
	for i := range x {
		x[i] = int32(i)
	}
	gpu.Launch(kernel, 1, 32, x)
	assert.Equal(t, slices.Repeat([]int32{31 * 32 / 2}, 32), x)
}
