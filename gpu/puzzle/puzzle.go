package puzzle

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/puzzle/internal/answers"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// one is a puzzle.
type one struct {
	name, task string
	params     string // "in, out []float32"
	outputs    []int  // the arguments that the kernel changes
	// runs are launches to check with, the smallest first, which the picture shows; the cost of the last counts
	runs  []run
	want  func(args []any) // does to the arguments what the kernel should, in plain Go
	hints []string
	limit *limit // of what the last run costs; nil where any solution will do
	terms []string
}

// run is a launch and its arguments.
type run struct {
	grid, block gpu.Dim
	args        func() []any
}

// limit is the most that a run may cost.
type limit struct {
	what    string // "sectors of global memory": what is counted
	most    int64
	count   func(*trace.KernelStats, *trace.Accesses) int64
	because string                    // what a solution that costs more does, and what to do about it
	line    func(*gpu.LineCost) int64 // what a line has of it; nil where lines do not tell
}

// units is a number with what is counted.
func (l *limit) units(n int64) string {
	if n == 1 {
		return "1 " + strings.Replace(l.what, "writes", "write", 1)
	}
	return fmt.Sprintf("%d %s", n, l.what)
}

// Count is the number of puzzles.
const Count = 15

// Error is a number that no puzzle has.
type Error struct{ Number int }

func (e *Error) Error() string {
	return fmt.Sprintf("there is no puzzle %d: they have the numbers 1 to %d", e.Number, Count)
}

// find returns the puzzle of that number and its solution. It panics with *Error when there is none.
func find(n int) (*one, answers.Answer) {
	if n < 1 || n > len(all) {
		panic(&Error{n})
	}
	return &all[n-1], answers.All()[n-1]
}

// d makes a size of a grid or block.
func d(sizes ...int) gpu.Dim { return gpu.Grid(sizes...) }

// floats are n small whole numbers, the same each time: their sums are exact in any order.
func floats(n, seed int) []float32 {
	out := make([]float32, n)
	for i, v := range ints(n, 17, seed) {
		out[i] = float32(v - 5)
	}
	return out
}

// ints are n numbers from 0 up to limit, the same each time.
func ints(n, limit, seed int) []int32 {
	out := make([]int32, n)
	s := uint32(seed*2654435761 + 12345)
	for i := range out {
		s = s*1664525 + 1013904223 // W. Press and others, "Numerical Recipes"
		out[i] = int32((s >> 16) % uint32(limit))
	}
	return out
}

func sectors(s *trace.KernelStats, _ *trace.Accesses) int64   { return s.Sectors }
func conflicts(s *trace.KernelStats, _ *trace.Accesses) int64 { return s.BankConflicts }
func lineSectors(l *gpu.LineCost) int64                       { return l.Sectors }
func lineBoth(l *gpu.LineCost) int64                          { return l.Sectors + l.Conflicts }

func cycles(s *trace.KernelStats, _ *trace.Accesses) int64 { return s.Cycles }

// writes are those of single threads to global memory.
func writes(_ *trace.KernelStats, a *trace.Accesses) (n int64) {
	for _, x := range a.List {
		if x.Writes && !a.Arrays[x.Array].Shared {
			n++
		}
	}
	return n
}
