package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// recordingBytes bounds what a recording takes of memory; tests change it.
var recordingBytes int64 = 512 << 20

// Recording is a launch that is computed once, to be timed on many machines by [Compare].
type Recording struct {
	kernel      string
	grid, block kir.Dim3
	anyway      bool
	of          *cpu.Recording
	program     *Program // of the corpus, else nil
}

// Record prepares a launch, with the arguments of [Launch], to be timed on simulated machines by [Compare]. It is
// computed when it is first needed, once for all machines whose compilers make the same of the kernel, on copies of its
// arguments: what the kernel writes is lost. The record has the way of each thread and the addresses that it accesses,
// whatever the width of warps, in 512 MB at most; a launch that needs more fails in Compare, with its size. Beside it
// the record keeps what machines make of it for the next that differ in policies alone, while all of it takes less than
// 24 bytes for each instruction of a warp of 32.
//
// It panics with *Error when the kernel cannot be compiled or the arguments do not fit, and when it prints or reads a
// clock.
//
// For example:
//
//	recorded := gpu.Record(kernel, 64, 256, x)
//	gpu.Compare(recorded, "sim:v100", "sim:a100")
func Record(kernel any, grid, block any, args ...any) *Recording {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	c, err := l.call()
	if err == nil {
		err = l.noBuffers("gpu.Record")
	}
	var of *cpu.Recording
	if err == nil {
		of, err = lazy.Wiring{}.Record(c, recordingBytes)
	}
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	return &Recording{kernel: l.f.name(), grid: l.grid, block: l.block, anyway: c.Anyway, of: of}
}

// String says what is recorded.
func (r *Recording) String() string {
	return fmt.Sprintf("recording of %s: grid %v, block %v", r.kernel, r.grid, r.block)
}

// Recorded returns what is recorded, for [github.com/arrayrepl/arrayrepl/simgpu.Oracle].
func (r *Recording) Recorded() *cpu.Recording { return r.of }

// Comparison is what recorded launches take on several machines: a table, as text, HTML, CSV and JSON.
type Comparison struct {
	Kernels  []string
	Machines []string
	Rows     []Compared // all machines of the first kernel in their order, then those of the second
}

// Compared is a recorded launch on one machine.
type Compared struct {
	Kernel   string
	Machine  string
	Policies string             // "pdom, gto"
	Stats    *trace.KernelStats // nil where Err is set
	Err      error              // why the machine could not run it
}

// IPC returns the thread instructions that the machine executed in a cycle, all SMs together; 0 where it ran none.
func (c Compared) IPC() float64 {
	if c.Stats == nil || c.Stats.Cycles == 0 {
		return 0
	}
	return float64(c.Stats.ThreadInstructions) / float64(c.Stats.Cycles)
}

// Time returns how long the kernel takes there.
func (c Compared) Time() trace.Time {
	if c.Stats == nil || c.Stats.ClockHz == 0 {
		return 0
	}
	return trace.Time(float64(c.Stats.Cycles) / c.Stats.ClockHz * 1e12)
}

// active returns the part of the lanes that took part where something issued.
func (c Compared) active() float64 {
	s := c.Stats
	if s == nil || s.WarpInstructions == 0 {
		return 0
	}
	return float64(s.ThreadInstructions) / float64(s.WarpInstructions*int64(max(s.WarpSize, 1)))
}

// Compare times recorded launches on machines, by their names, on all cores: each has a launch alone, with nothing in
// its caches. [github.com/arrayrepl/arrayrepl/simgpu.Variants] names machines that differ in policies. A machine that
// cannot run a launch, since a policy errs or a limit is exceeded, has the error in its row. So has one that lets lanes
// of a warp go apart, of a kernel that relies on their going together, which is looked for in 32 blocks, once for all
// machines: see [github.com/arrayrepl/arrayrepl/simgpu.WithDivergence].
//
// Of one launch the table has a row for each machine; of several it has a row for each kernel, with the instructions of
// threads that each machine executes in a cycle (IPC), and their harmonic means below.
//
// It panics with *Error when a machine is not known or not a simulated one, and when none of them could run the first
// launch.
//
// For example:
//
//	rec := gpu.Record(nested, 64, 192, out)
//	gpu.Compare(rec, "sim:v100", "sim:a100")
func Compare(of Launches, machines ...string) *Comparison {
	var launches []*Recording
	if of != nil {
		launches = of.launches()
	}
	switch {
	case len(launches) == 0 || slices.Contains(launches, nil):
		panic(&Error{Err: errors.New("gpu.Compare: the recording is nil, or there is none: gpu.Record makes one, gpu.Corpus has several")})
	case len(machines) == 0:
		panic(&Error{launches[0].kernel, errors.New("gpu.Compare: no machine is named: simgpu.Variants names some")})
	}
	on := make([]device.Replayer, len(machines))
	for i, name := range machines {
		found, err := lazy.Runtime().Named(name)
		if err != nil {
			panic(&Error{launches[0].kernel, err})
		}
		var ok bool
		if on[i], ok = found[0].(device.Replayer); !ok {
			panic(&Error{launches[0].kernel, fmt.Errorf("gpu.Compare: %s is not a simulated machine, which a recording could be timed on", name)})
		}
	}
	ctx := lazy.Runtime().CellContext()
	out := &Comparison{Machines: slices.Clone(machines)}
	for _, r := range launches {
		out.Kernels = append(out.Kernels, r.kernel)
		for i := range machines {
			out.Rows = append(out.Rows, Compared{Kernel: r.kernel, Machine: machines[i], Policies: on[i].Policies(), Err: errors.New("it was interrupted")})
		}
	}
	next := make(chan int, len(out.Rows))
	for _, i := range inOrder(on, len(launches)) {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(out.Rows)) {
		wg.Go(func() {
			for i := range next {
				if ctx.Err() == nil {
					r := launches[i/len(machines)]
					out.Rows[i].Stats, out.Rows[i].Err = on[i%len(machines)].Replay(ctx, r.of, r.anyway)
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		panic(&Error{launches[0].kernel, ctx.Err()})
	}
	var large *cpu.TapeTooLarge
	for _, row := range out.Rows {
		if errors.As(row.Err, &large) {
			panic(&Error{row.Kernel, large})
		}
	}
	if out.best(0) < 0 {
		panic(&Error{launches[0].kernel, out.Rows[0].Err})
	}
	return out
}

// inOrder returns the order in which rows of so many launches are computed: those that take longest begin first, so
// that no core is left with one when the others have ended. Of equals those of one launch follow each other.
func inOrder(on []device.Replayer, launches int) []int {
	rows := make([]int, launches*len(on))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(on[b%len(on)].Effort(), on[a%len(on)].Effort()) })
	return rows
}

// On returns the rows of a kernel, which are of all machines.
func (c *Comparison) On(kernel int) []Compared {
	n := len(c.Machines)
	return c.Rows[kernel*n : (kernel+1)*n]
}

// HarmonicMean returns that of a machine's IPC on all kernels, which is its IPC on one after the other where all have
// as many instructions; 0 where it could not run one.
func (c *Comparison) HarmonicMean(machine int) float64 {
	sum := 0.0
	for k := range c.Kernels {
		ipc := c.On(k)[machine].IPC()
		if ipc == 0 {
			return 0
		}
		sum += 1 / ipc
	}
	return float64(len(c.Kernels)) / sum
}

// Best returns the number of the machine that is best: that with the least time, or of several kernels with the highest
// harmonic mean; -1 where none could run all.
func (c *Comparison) Best() int {
	if len(c.Kernels) == 1 {
		return c.best(0)
	}
	best := -1
	for i := range c.Machines {
		if m := c.HarmonicMean(i); m > 0 && (best < 0 || m > c.HarmonicMean(best)) {
			best = i
		}
	}
	return best
}

// best returns the number of the machine that takes least time for a kernel, or -1 where none could run it.
func (c *Comparison) best(kernel int) int {
	best, rows := -1, c.On(kernel)
	for i, r := range rows {
		if r.Stats != nil && (best < 0 || r.Time() < rows[best].Time()) {
			best = i
		}
	}
	return best
}
