package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// recordingBytes bounds what a recording takes of memory.
const recordingBytes = 512 << 20

// Recording is a launch that is computed once, to be timed on many machines by [Compare].
type Recording struct {
	kernel      string
	grid, block kir.Dim3
	anyway      bool
	of          *cpu.Recording
}

// Record prepares a launch, with the arguments of [Launch], to be timed on simulated machines by [Compare]. It is
// computed when it is first needed, once for all machines whose compilers make the same of the kernel, on copies of its
// arguments: what the kernel writes is lost. The record has the way of each thread and the addresses that it accesses,
// whatever the width of warps, in 512 MB at most; a launch that needs more fails in Compare, with its size.
//
// It panics with *Error when the kernel cannot be compiled or the arguments do not fit, and when it prints or reads a
// clock.
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
	return &Recording{l.f.name(), l.grid, l.block, c.Anyway, of}
}

// String says what is recorded.
func (r *Recording) String() string {
	return fmt.Sprintf("recording of %s: grid %v, block %v", r.kernel, r.grid, r.block)
}

// Recorded returns what is recorded, for [github.com/arrayrepl/arrayrepl/simgpu.Oracle].
func (r *Recording) Recorded() *cpu.Recording { return r.of }

// Comparison is what a recorded launch takes on several machines.
type Comparison struct {
	Kernel string
	Rows   []Compared // in the order of the machines
}

// Compared is a recorded launch on one machine.
type Compared struct {
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

// Compare times a recorded launch on machines, by their names, on all cores: each has it alone, with nothing in its
// caches. [github.com/arrayrepl/arrayrepl/simgpu.Variants] names machines that differ in policies. A machine that
// cannot run it, since a policy errs or a limit is exceeded, has the error in its row.
//
// It panics with *Error when a machine is not known or not a simulated one, and when none of them could run it.
func Compare(r *Recording, machines ...string) *Comparison {
	if r == nil {
		panic(&Error{Err: errors.New("gpu.Compare: the recording is nil; was it never assigned?")})
	}
	if len(machines) == 0 {
		panic(&Error{r.kernel, errors.New("gpu.Compare: no machine is named: simgpu.Variants names some")})
	}
	on := make([]device.Replayer, len(machines))
	for i, name := range machines {
		found, err := lazy.Runtime().Named(name)
		if err != nil {
			panic(&Error{r.kernel, err})
		}
		var ok bool
		if on[i], ok = found[0].(device.Replayer); !ok {
			panic(&Error{r.kernel, fmt.Errorf("gpu.Compare: %s is not a simulated machine, which a recording could be timed on", name)})
		}
	}
	ctx := lazy.Runtime().CellContext()
	out := &Comparison{Kernel: r.kernel, Rows: make([]Compared, len(machines))}
	next := make(chan int, len(machines))
	for i := range machines {
		out.Rows[i] = Compared{Machine: machines[i], Policies: on[i].Policies(), Err: errors.New("it was interrupted")}
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(machines)) {
		wg.Go(func() {
			for i := range next {
				if ctx.Err() == nil {
					out.Rows[i].Stats, out.Rows[i].Err = replay(ctx, on[i], r)
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		panic(&Error{r.kernel, ctx.Err()})
	}
	var large *cpu.TapeTooLarge
	for _, row := range out.Rows {
		if errors.As(row.Err, &large) {
			panic(&Error{r.kernel, large})
		}
	}
	if out.Best() < 0 {
		panic(&Error{r.kernel, out.Rows[0].Err})
	}
	return out
}

func replay(ctx context.Context, on device.Replayer, r *Recording) (*trace.KernelStats, error) {
	return on.Replay(ctx, r.of, r.anyway)
}

// Best returns the number of the row with the least time, or -1 where none ran.
func (c *Comparison) Best() int {
	best := -1
	for i, r := range c.Rows {
		if r.Stats != nil && (best < 0 || r.Time() < c.Rows[best].Time()) {
			best = i
		}
	}
	return best
}

// cells returns the table's heads and texts.
func (c *Comparison) cells() (head []string, rows [][]string) {
	head = []string{"machine", "policies", "cycles", "time", "IPC", "lanes active", "speed"}
	best := c.Best()
	for i, r := range c.Rows {
		if r.Stats == nil {
			rows = append(rows, []string{r.Machine, r.Policies, r.Err.Error()})
			continue
		}
		speed := "1.00"
		if first := c.Rows[0]; first.Stats != nil && r.Time() > 0 {
			speed = fmt.Sprintf("%.2f", float64(first.Time())/float64(r.Time()))
		}
		if i == best {
			speed += " ←"
		}
		rows = append(rows, []string{r.Machine, r.Policies, fmt.Sprint(r.Stats.Cycles), r.Time().String(), fmt.Sprintf("%.2f", r.IPC()),
			fmt.Sprintf("%.0f %%", 100*r.active()), speed})
	}
	return head, rows
}

// title is what stands above the table.
func (c *Comparison) title() string {
	sampled := ""
	if slices.ContainsFunc(c.Rows, func(r Compared) bool { return r.Stats != nil && r.Stats.SampledBlocks < r.Stats.TotalBlocks }) {
		worst := slices.MaxFunc(c.Rows, func(a, b Compared) int { return cmp.Compare(off(a), off(b)) })
		sampled = fmt.Sprintf(", times from samples of the blocks, ± %.0f %%", 100*off(worst))
	}
	machines := "1 machine"
	if n := len(c.Rows); n != 1 {
		machines = fmt.Sprint(n, " machines")
	}
	return fmt.Sprintf("%s on %s, alone and with cold caches%s; IPC in thread instructions, speed against the first", c.Kernel, machines, sampled)
}

func off(c Compared) float64 {
	if c.Stats == nil {
		return 0
	}
	return c.Stats.ErrorEstimate
}

// String is the table as text.
func (c *Comparison) String() string {
	var s strings.Builder
	s.WriteString(c.title() + "\n")
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	head, rows := c.cells()
	for _, r := range append([][]string{head}, rows...) {
		fmt.Fprintln(w, strings.Join(r, "\t"))
	}
	w.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// MIMEBundle is what a cell shows of the comparison: the best row stands out.
func (c *Comparison) MIMEBundle() display.Bundle {
	b := display.Text(c.String())
	var s strings.Builder
	fmt.Fprintf(&s, `<div style="font-family:sans-serif;font-size:12px">%s<table style="border-collapse:collapse;margin-top:4px"><tr>`, html.EscapeString(c.title()))
	head, rows := c.cells()
	for i, h := range head {
		fmt.Fprintf(&s, `<th style="text-align:%s;padding:2px 8px">%s</th>`, side(i), h)
	}
	best := c.Best()
	for k, r := range rows {
		weight := "normal"
		if k == best {
			weight = "bold"
		}
		fmt.Fprintf(&s, `</tr><tr style="font-weight:%s">`, weight)
		for i, text := range r {
			span := ""
			if len(r) < len(head) && i == len(r)-1 {
				span = fmt.Sprintf(` colspan="%d"`, len(head)-i)
			}
			fmt.Fprintf(&s, `<td%s style="text-align:%s;padding:2px 8px">%s</td>`, span, side(i), html.EscapeString(text))
		}
	}
	b.Data[display.TypeHTML] = s.String() + "</tr></table></div>"
	return b
}

// side is where the texts of a column are.
func side(column int) string {
	if column < 2 {
		return "left"
	}
	return "right"
}
