package gpu

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Lines is what each line of a kernel's source cost in one launch.
type Lines struct {
	List    []LineCost // by position; the lines of the kernel's own text that cost nothing stand among them
	kernel  string
	warp    int    // lanes of a warp
	sampled string // how many blocks were timed; empty when all were
}

// LineCost is one line. Counts are of all blocks of the launch.
type LineCost struct {
	Pos    string  // "cell 3:12", "saxpy.go:12"; empty for what belongs to no line
	Text   string  // the source; empty where it is not at hand
	Share  float64 // of the kernel's warp instructions
	Active float64 // mean share of lanes that took part
	Waits  float64 // of the scheduler cycles in which warps waited and nothing issued
	trace.Line
}

// Efficiency returns the bytes that threads asked for over those that moved; 0 of a line without loads and stores of
// global memory. It exceeds 1 where lanes read the same bytes.
func (l *LineCost) Efficiency() float64 {
	if l.Sectors == 0 {
		return 0
	}
	return float64(l.Bytes) / float64(l.Sectors*trace.SectorBytes)
}

// Lines shows the kernel's source with what each line cost: warp instructions and their share, the lanes that took
// part, transactions and their efficiency, bank conflicts, branches at which lanes diverged, what warps waited for
// there while nothing issued; and one sentence of advice ([Lines.Advice]). It is nil on devices that do not look
// inside.
func (r *Report) Lines() *Lines {
	st := r.Stats()
	if st == nil || st.Detail == nil {
		return nil
	}
	out := &Lines{kernel: r.kernel, warp: max(st.WarpSize, 1)}
	if st.SampledBlocks < st.TotalBlocks {
		out.sampled = fmt.Sprintf("time from %d of %d blocks, ± %.0f %%", st.SampledBlocks, st.TotalBlocks, 100*st.ErrorEstimate)
	}
	type place struct {
		file string
		line int
	}
	at := map[place]*LineCost{}
	if r.function != nil && r.function.f != nil {
		file, text := r.function.f.Text()
		for n, t := range text {
			at[place{file, n}] = &LineCost{Pos: position(file, n), Text: t}
		}
	}
	all, waits := int64(0), int64(0)
	for i := range st.Detail.Lines {
		l := &st.Detail.Lines[i]
		p := place{}
		if m := positions.FindStringSubmatch(l.Pos); m != nil {
			p.file = m[1]
			p.line, _ = strconv.Atoi(m[2])
		}
		c := at[p]
		if c == nil {
			c = &LineCost{Text: "(no line of the source)"}
			if p.line > 0 {
				c.Pos, c.Text = position(p.file, p.line), l.Source
			}
			at[p] = c
		}
		c.add(l)
		all += l.Issued
		for _, n := range l.Stalls {
			waits += n
		}
	}
	places := slices.SortedFunc(maps.Keys(at), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, p := range places {
		c := at[p]
		c.Share = float64(c.Issued) / float64(max(all, 1))
		c.Active = c.active(out.warp)
		n, _ := c.stalled()
		c.Waits = float64(n) / float64(max(waits, 1))
		out.List = append(out.List, *c)
	}
	return out
}

// Of adds up what the lines cost whose source holds text: rep.Lines().Of("gpu.Sync()").Issued. It is 0 when none does.
func (l *Lines) Of(text string) LineCost {
	sum := LineCost{Text: text}
	if l == nil {
		return sum
	}
	for i := range l.List {
		if c := &l.List[i]; strings.Contains(c.Text, text) {
			sum.add(&c.Line)
			sum.Share += c.Share
			sum.Waits += c.Waits
		}
	}
	sum.Active = sum.active(l.warp)
	return sum
}

// active is the mean share of lanes, of so many in a warp, that took part.
func (c *LineCost) active(warp int) float64 {
	return float64(c.Lanes) / float64(max(c.Issued, 1)*int64(warp))
}

// positions takes a kir.Pos as text apart: file and line.
var positions = lazyregexp.New(`^(.*?)(?:, line |:)(\d+)(?:(?:, column |:)\d+)?$`)

// position is a file's base name, or what stands for a cell, with a line.
func position(file string, line int) string {
	return fmt.Sprint(file[strings.LastIndexAny(file, `/\`)+1:], ":", line)
}

func (c *LineCost) add(l *trace.Line) {
	c.Issued += l.Issued
	c.Lanes += l.Lanes
	c.Requests += l.Requests
	c.Sectors += l.Sectors
	c.Transactions += l.Transactions
	c.Bytes += l.Bytes
	c.L1Hits += l.L1Hits
	c.Conflicts += l.Conflicts
	c.Branches += l.Branches
	c.Parted += l.Parted
	for k, n := range l.Stalls {
		c.Stalls[k] += n
	}
}

// stalled returns the scheduler cycles that went by while warps waited at the line, and the reason for most of them.
func (c *LineCost) stalled() (cycles int64, why trace.Stall) {
	for k, n := range c.Stalls {
		if cycles += n; n > c.Stalls[why] {
			why = trace.Stall(k)
		}
	}
	return cycles, why
}

// Advice is one sentence on the line that costs most more than it need: loads and stores that move more sectors of 32
// bytes than what threads asked for fills, conflicts of shared memory, lanes that part, or what warps wait for. It is
// empty where nothing stands out.
func (l *Lines) Advice() string {
	if l == nil {
		return ""
	}
	var issued, lanes, sectors, waits int64
	for i := range l.List {
		c := &l.List[i]
		n, _ := c.stalled()
		issued, lanes, sectors, waits = issued+c.Issued, lanes+c.Lanes, sectors+c.Sectors, waits+n
	}
	worst := func(cost func(c *LineCost) int64) (at *LineCost, most int64) {
		for i := range l.List {
			if n := cost(&l.List[i]); n > most {
				at, most = &l.List[i], n
			}
		}
		return at, most
	}
	ideal := func(c *LineCost) int64 { return (c.Bytes + trace.SectorBytes - 1) / trace.SectorBytes }
	if c, n := worst(func(c *LineCost) int64 { return c.Sectors - ideal(c) }); n*5 > sectors && c.Sectors*2 > 3*ideal(c) {
		per := float64(max(c.Requests, 1))
		return fmt.Sprintf("%s moves %.3g sectors for each load or store of a warp where %.3g would do: let neighbouring threads access neighbouring elements.",
			c.place(), float64(c.Sectors)/per, float64(ideal(c))/per)
	}
	if c, n := worst(func(c *LineCost) int64 { return c.Conflicts }); n*5 > issued {
		return fmt.Sprintf("%s takes %d extra passes over shared memory, for bank conflicts: let the lanes of a warp use different banks, for example by rows that are one element longer.",
			c.place(), n)
	}
	if c, n := worst(func(c *LineCost) int64 { return c.Parted }); n > 0 && lanes*5 < issued*int64(l.warp)*3 {
		return fmt.Sprintf("Lanes diverge at %s in %d of %d branches, and %.0f %% of the lanes are active on average: let the threads of a warp take the same path.",
			c.place(), c.Parted, c.Branches, 100*float64(lanes)/float64(issued*int64(l.warp)))
	}
	c, n := worst(func(c *LineCost) int64 { n, _ := c.stalled(); return n })
	if n*3 < waits || n*2 < issued {
		return ""
	}
	_, why := c.stalled()
	return fmt.Sprintf("Warps wait most at %s, for %s: %s.", c.place(), why, map[trace.Stall]string{
		trace.StallPipeline: "other instructions need the same unit",
		trace.StallLong:     "more warps on a multiprocessor, or more independent loads in a thread, would hide it",
		trace.StallShort:    "more warps, or more independent operations in a thread, would hide it",
		trace.StallSwap:     "fewer swaps, or contexts that are smaller, would cost less",
		trace.StallHeap:     "the groups that are found by the heap are too many for it",
		trace.StallFetch:    "more warps, or fewer branches, would hide it",
		trace.StallProbe:    "neighbouring threads that read neighbours share a lookup",
		trace.StallLine:     "others bring the lines: more warps, or more SSDs, would hide it",
		trace.StallSubmit:   "more queues, or more SSDs, would hide it",
		trace.StallPoll:     "more warps would hide it, until the SSDs are at their rate",
	}[why])
}

// place names the line in a sentence.
func (c *LineCost) place() string {
	switch {
	case c.Pos == "":
		return "What belongs to no line"
	case c.Text == "":
		return c.Pos
	}
	return fmt.Sprintf("%s (%s)", c.Pos, strings.TrimSpace(c.Text))
}

var lineColumns = [...]string{"line", "share", "warp instr.", "lanes", "sectors", "of them used", "conflicts", "diverged", "waits", "source"}

// cells returns a line's row of the table.
func (c *LineCost) cells() [len(lineColumns)]string {
	row := [len(lineColumns)]string{0: c.Pos, len(lineColumns) - 1: c.Text}
	if c.Issued > 0 {
		row[1], row[2], row[3] = fmt.Sprintf("%.1f %%", 100*c.Share), strconv.FormatInt(c.Issued, 10), fmt.Sprintf("%.0f %%", 100*c.Active)
	}
	if c.Sectors > 0 {
		row[4], row[5] = strconv.FormatInt(c.Sectors, 10), fmt.Sprintf("%.0f %%", 100*c.Efficiency())
	}
	if c.Conflicts > 0 {
		row[6] = strconv.FormatInt(c.Conflicts, 10)
	}
	if c.Parted > 0 {
		row[7] = fmt.Sprintf("%d of %d", c.Parted, c.Branches)
	}
	if n, why := c.stalled(); c.Waits >= 0.005 && n > 0 {
		row[8] = fmt.Sprintf("%.0f %% %v", 100*c.Waits, why)
	}
	return row
}

// title says what the table is of.
func (l *Lines) title() string {
	if l.sampled != "" {
		return l.kernel + ", by line (" + l.sampled + "; counts are of all blocks, but for hits in L1)"
	}
	return l.kernel + ", by line"
}

// String is the table as text.
func (l *Lines) String() string {
	rows := [][len(lineColumns)]string{lineColumns}
	for i := range l.List {
		rows = append(rows, l.List[i].cells())
	}
	var width [len(lineColumns)]int
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len(c))
		}
	}
	var b strings.Builder
	b.WriteString(l.title() + "\n")
	for _, r := range rows {
		for i, c := range r {
			if i == len(r)-1 {
				b.WriteString(c)
			} else {
				fmt.Fprintf(&b, "%*s  ", width[i], c)
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String()+l.Advice(), "\n")
}

// MIMEBundle is the table as a cell shows it: the shares are bars behind the numbers.
func (l *Lines) MIMEBundle() display.Bundle {
	b := display.Text(l.String())
	var out strings.Builder
	fmt.Fprintf(&out, `<div style="font-size:12px"><div>%s</div><table style="border-collapse:collapse;font-family:monospace"><tr>`, html.EscapeString(l.title()))
	for i, c := range lineColumns {
		align := "right"
		if i == len(lineColumns)-1 {
			align = "left"
		}
		fmt.Fprintf(&out, `<th style="text-align:%s;padding:0 8px;white-space:nowrap">%s</th>`, align, html.EscapeString(c))
	}
	out.WriteString("</tr>")
	for i := range l.List {
		out.WriteString("<tr>")
		for k, c := range l.List[i].cells() {
			style := "text-align:right;padding:0 8px;white-space:nowrap"
			switch k {
			case 1:
				style += fmt.Sprintf(";background:linear-gradient(to right,rgba(220,120,40,.35) %.1f%%,transparent 0)", 100*l.List[i].Share)
			case len(lineColumns) - 1:
				style = "text-align:left;padding:0 8px;white-space:pre;tab-size:4"
			}
			fmt.Fprintf(&out, `<td style="%s">%s</td>`, style, html.EscapeString(c))
		}
		out.WriteString("</tr>")
	}
	out.WriteString("</table><div>" + html.EscapeString(l.Advice()) + "</div></div>")
	b.Data[display.TypeHTML] = out.String()
	return b
}
