package gokernels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// A kernel of a cell launches itself and kernels of other cells, as a launch, in gpu.Emulate and in gpu.Check; what it
// cannot hand on is said where it is declared.
func TestLaunchesFromKernelsOfCells(t *testing.T) {
	useDevices(t)
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	r := judge.Record(t, s)
	require.Empty(t, r.Run(1, "func add(x []int32, n int32) { gpu.AtomicAdd(&x[gpu.GlobalID()], n) }"))
	require.Empty(t, r.Run(2, `func halves(x []int32, n int32) {
	if gpu.GlobalID() > 0 {
		return
	}
	gpu.FireAndForget(add, 1, len(x), x, n)
	if len(x) > 1 {
		gpu.TailLaunch(halves, gpu.Grid(1), gpu.Block(32), x[len(x)/2:], n+1)
	}
}
x := make([]int32, 8)
np.Use("sim:tiny")`))
	require.Contains(t, r.Run(3, "rep := gpu.Launch(halves, 1, 32, x, 1); fmt.Println(x, len(rep.Launched()))"), "[1 1 1 1 3 3 6 10] 7")
	require.Contains(t, r.Run(4, "gpu.Emulate(halves, 1, 32, x, 1); fmt.Println(x)"), "[2 2 2 2 6 6 12 20]")
	require.Contains(t, r.Run(5, "gpu.Check(halves, 1, 32, x, 1)"), "nothing found")
	const shared = "cell 6, line 1, column 60: kernel bad: argument 1 of the launch, x, is shared memory, which is gone when the launched kernel runs"
	require.Contains(t, r.Run(6, "func bad(x []int32) { s := gpu.Shared[[4]int32](); x[0]++; gpu.TailLaunch(add, 1, 1, s[:], 4) }"), shared)
	text := r.Run(7, "func host(x []int32) { x[gpu.ThreadX()]++; gpu.Launch(add, 1, 1, x, 4) }")
	require.Contains(t, text, "kernel code cannot call gpu.Launch")
	require.NotContains(t, text, "given")
}
