package gpu

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	trace.Line
}

// Efficiency returns the bytes that threads asked for over those that moved; 0 of a line without loads and stores of global
// memory. It exceeds 1 where lanes read the same bytes.
func (l *LineCost) Efficiency() float64 {
	if l.Sectors == 0 {
		return 0
	}
	return float64(l.Bytes) / float64(l.Sectors*trace.SectorBytes)
}

// Lines shows the kernel's source with what each line cost: warp instructions and their share, the lanes that took part,
// transactions and their efficiency, bank conflicts, branches at which lanes parted. It is nil on devices that do not look
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
	all := int64(0)
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
				c.Pos, c.Text = position(p.file, p.line), ""
			}
			at[p] = c
		}
		c.add(l)
		all += l.Issued
	}
	places := slices.SortedFunc(maps.Keys(at), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, p := range places {
		c := at[p]
		c.Share = float64(c.Issued) / float64(max(all, 1))
		c.Active = c.active(out.warp)
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
var positions = regexp.MustCompile(`^(.*?)(?:, line |:)(\d+)(?:(?:, column |:)\d+)?$`)

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
}

var lineColumns = [...]string{"line", "share", "warp instr.", "lanes", "sectors", "of them used", "conflicts", "parted", "source"}

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
	return strings.TrimRight(b.String(), "\n")
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
	out.WriteString("</table></div>")
	b.Data[display.TypeHTML] = out.String()
	return b
}
