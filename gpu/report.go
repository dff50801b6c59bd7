package gpu

import (
	"fmt"
	"html"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Report says how a launch went. Asking it for anything runs the launch, if that has not happened.
type Report struct {
	kernel      string
	function    *Function
	grid, block kir.Dim3
	sums        []string  // of floats, by atomics
	launched    []*Report // from the kernel, and from those: the first of them
	more        launchTotals
	depth       int  // of one that a kernel has launched
	tail        bool // it began at the end of another
	run         interface {
		Eval()
		Event() (e trace.Event, done bool)
	}
}

// Eval runs the launch unless it has run. It panics when that fails.
func (r *Report) Eval() *Report {
	r.run.Eval()
	return r
}

func (r *Report) event() trace.Event {
	r.run.Eval()
	e, _ := r.run.Event()
	return e
}

// Time returns how long the kernel ran: modelled on a simulated device, measured on others.
func (r *Report) Time() trace.Time {
	e := r.event()
	return e.Duration()
}

// Rate is operations a second. It prints itself as Gflop/s.
type Rate float64

func (r Rate) String() string { return fmt.Sprintf("%.4g Gflop/s", float64(r)/1e9) }

// Rate returns how many operations the kernel did a second, of as many as the caller counts: of an n-body step
// Rate(20*n*n), at the 20 of an interaction that its users count, whatever instructions it takes.
func (r *Report) Rate(operations int) Rate { return Rate(float64(operations) / r.Time().Seconds()) }

// Stats returns what the device counted, or nil when it does not.
func (r *Report) Stats() *trace.KernelStats { return r.event().Stats }

// Log returns a record of this launch alone, with what its kernel launched, for charts of it: viz.Gantt(rep.Log()).
func (r *Report) Log() *trace.Log {
	log := new(trace.Log)
	for _, e := range r.tree() {
		e.After = nil // what is not in the record
		log.Add(e)
	}
	return log
}

// String runs the launch and says how it went, in one to six lines; in a terminal that is narrow, in more.
func (r *Report) String() string { return display.Wrapped(strings.Join(r.lines(), "\n")) }

func (r *Report) lines() []string {
	e := r.event()
	how := "measured"
	if e.Modelled {
		how = "modelled"
	}
	first := fmt.Sprintf("%s: grid %v, block %v on %s, %v %s", r.kernel, r.grid, r.block, e.Device, e.Duration(), how)
	var sums []string
	if t := r.treeText(); t != "" {
		sums = append(sums, t)
	}
	if len(r.sums) > 0 {
		sums = append(sums, orderText(r.sums))
	}
	s := e.Stats
	if s == nil {
		return append([]string{first}, sums...)
	}
	if s.LaunchLatency > 0 {
		first += fmt.Sprintf(" + about %v to launch", s.LaunchLatency)
	}
	facts := []string{fmt.Sprintf("%d registers", s.Registers)}
	if s.SharedBytes > 0 {
		facts = append(facts, fmt.Sprintf("%d bytes of shared memory", s.SharedBytes))
	}
	if s.LocalBytes > 0 {
		facts = append(facts, fmt.Sprintf("%d bytes of local memory a thread, %d bytes spill stores, %d bytes spill loads", s.LocalBytes, s.SpillStores, s.SpillLoads))
	}
	limit := ""
	if s.LimitedBy != "" {
		limit = " (limited by " + s.LimitedBy + ")"
	}
	facts = append(facts, fmt.Sprintf("occupancy %.0f %%%s, reached %.0f %%", 100*s.Theoretical, limit, 100*s.Achieved))
	if s.CTAsOff != "" {
		facts = append(facts, s.CTAsOff)
	}
	if s.WarpInstructions > 0 {
		facts = append(facts, fmt.Sprintf("%d warp instructions with %.0f %% of lanes active", s.WarpInstructions,
			100*float64(s.ThreadInstructions)/float64(s.WarpInstructions*int64(max(s.WarpSize, 1)))))
	}
	if s.BankConflicts > 0 {
		facts = append(facts, fmt.Sprintf("%d bank conflicts", s.BankConflicts))
	}
	if s.SampledBlocks < s.TotalBlocks {
		facts = append(facts, fmt.Sprintf("time from %d of %d blocks, ± %.0f %%; counts are of all", s.SampledBlocks, s.TotalBlocks, 100*s.ErrorEstimate))
	}
	if n := s.LockstepBlocks; n > 0 && n < s.TotalBlocks {
		facts = append(facts, fmt.Sprintf("lanes that rely on going together were looked for in %d of %d blocks: gpu.Check looks at all", n, s.TotalBlocks))
	}
	out := append([]string{first, strings.Join(facts, ", ")}, slotFacts(s)...)
	if b := bottleneck(s, e.Duration()); b != "" {
		out = append(out, b)
	}
	return append(out, sums...)
}

// cyclesWords begin the line about them.
const cyclesWords = "of the schedulers' cycles"

// slotFacts says what the schedulers' cycles went to, all together 100 %, and what memory did.
func slotFacts(s *trace.KernelStats) []string {
	all := float64(s.Cycles) * float64(s.SMs*s.Schedulers)
	if all <= 0 {
		return nil
	}
	issued := int64(0)
	for _, n := range s.Issued {
		issued += n
	}
	facts := []string{fmt.Sprintf(cyclesWords+" %.1f %% issued", 100*float64(issued)/all)}
	for class, n := range s.Stalls {
		if c := trace.Stall(class); n == 0 && (c == trace.StallSwap || c >= trace.StallHeap) {
			continue // of policies and machines that are not cards, and of files
		}
		facts = append(facts, fmt.Sprintf("%v %.1f %%", trace.Stall(class), 100*float64(n)/all))
	}
	lines := []string{strings.Join(facts, ", ")}
	facts = nil
	if s.Sectors > 0 {
		facts = append(facts, fmt.Sprintf("%d sectors%s, %.0f %% from L1, %.0f %% from L2", s.Sectors, transactions(s),
			100*float64(s.L1Hits)/float64(s.Sectors), 100*float64(s.L2Hits)/float64(s.Sectors)))
	}
	if s.DRAMBytes > 0 && s.ClockHz > 0 && s.Cycles > 0 {
		rate := float64(s.DRAMBytes) / (float64(s.Cycles) / s.ClockHz)
		facts = append(facts, fmt.Sprintf("%.3g GB/s of DRAM (%.0f %% of its peak)", rate/1e9, 100*rate/s.PeakBandwidth))
	}
	if all := s.RowHits + s.RowMisses; all > 0 {
		facts = append(facts, fmt.Sprintf("%.0f %% of its sectors from open rows", 100*float64(s.RowHits)/float64(all)))
	}
	if len(facts) > 0 {
		lines = append(lines, strings.Join(facts, ", "))
	}
	if s.Lines != nil {
		lines = append(lines, s.Lines.String())
	}
	return lines
}

// transactions says in how many transactions sectors moved, where that was counted.
func transactions(s *trace.KernelStats) string {
	if s.Transactions == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d transactions", s.Transactions)
}

// MIMEBundle is what a cell shows of a launch: a small table, with a bar for the schedulers' cycles.
func (r *Report) MIMEBundle() display.Bundle {
	lines := r.lines()
	b := display.Text(display.Wrapped(strings.Join(lines, "\n")))
	b.Data[display.TypeHTML] = r.table(lines)
	return b
}

// rowOf is what a line of the report that does not tell of statistics is about; empty for others.
func rowOf(line string) string {
	switch {
	case strings.HasPrefix(line, orderWord):
		return "order"
	case strings.HasPrefix(line, treeWord):
		return "launched"
	}
	return ""
}

// table is the report's lines as a table: what each is about stands before it.
func (r *Report) table(lines []string) string {
	var out strings.Builder
	out.WriteString(`<table style="font-size:12px;border-collapse:collapse">`)
	row := func(name, cell string) {
		fmt.Fprintf(&out, `<tr><th style="text-align:left;vertical-align:top;padding:2px 12px 2px 0;font-weight:bold;white-space:nowrap">%s</th><td style="text-align:left;padding:2px 0">%s</td></tr>`, name, cell)
	}
	s := r.event().Stats
	name, rest, _ := strings.Cut(lines[0], ": ")
	row(html.EscapeString(name), html.EscapeString(rest))
	if s == nil {
		for _, l := range lines[1:] {
			row(rowOf(l), html.EscapeString(l))
		}
	}
	if s != nil {
		row("resources", html.EscapeString(lines[1]))
		if bar := cyclesBar(s); bar != "" {
			row("cycles", bar)
		}
		for _, l := range lines[2:] {
			switch {
			case strings.HasPrefix(l, cyclesWords): // the bar says it
			case rowOf(l) != "":
				row(rowOf(l), html.EscapeString(l))
			case l == r.Bottleneck():
				row("bottleneck", html.EscapeString(l))
			default:
				row("memory", html.EscapeString(l))
			}
		}
	}
	return out.String() + "</table>"
}
