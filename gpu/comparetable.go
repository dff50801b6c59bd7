package gpu

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// This file is how a Comparison shows itself.

// cell is a text of the table.
type cell struct {
	text  string
	best  bool // of its row; where rows are machines, of its column
	left  bool
	spans bool   // to the end of the row
	shade string // CSS of the background; may be empty
}

// table returns the cells, heads first.
func (c *Comparison) table() [][]cell {
	if len(c.Kernels) == 1 {
		return c.machineRows()
	}
	return c.kernelRows()
}

// machineRows has a row for each machine.
func (c *Comparison) machineRows() [][]cell {
	var head []cell
	for i, h := range []string{"machine", "policies", "cycles", "time", "IPC", "lanes active", "speed"} {
		head = append(head, cell{text: h, left: i < 2})
	}
	rows := [][]cell{head}
	best := c.Best()
	for i, r := range c.Rows {
		texts := []string{r.Machine, r.Policies}
		if r.Stats == nil {
			texts = append(texts, r.Err.Error())
		} else {
			speed := "1.00"
			if first := c.Rows[0]; first.Stats != nil && r.Time() > 0 {
				speed = fmt.Sprintf("%.2f", float64(first.Time())/float64(r.Time()))
			}
			texts = append(texts, fmt.Sprint(r.Stats.Cycles), r.Time().String(), fmt.Sprintf("%.2f", r.IPC()), fmt.Sprintf("%.0f %%", 100*r.active()), speed)
		}
		var row []cell
		for k, text := range texts {
			row = append(row, cell{text: text, left: k < 2, best: i == best, spans: r.Stats == nil && k == len(texts)-1})
		}
		rows = append(rows, row)
	}
	return rows
}

// kernelRows has a row for each kernel, with the IPC of each machine, and the harmonic means below.
func (c *Comparison) kernelRows() [][]cell {
	head := []cell{{text: "kernel", left: true}}
	for i := range c.Machines {
		head = append(head, cell{text: c.column(i)})
	}
	rows := [][]cell{head}
	row := func(name string, of func(i int) float64, best int) {
		cells := []cell{{text: name, left: true}}
		most := 0.0
		for i := range c.Machines {
			most = max(most, of(i))
		}
		for i := range c.Machines {
			text := "–"
			if ipc := of(i); ipc > 0 {
				text = fmt.Sprintf("%.2f", ipc)
			}
			cells = append(cells, cell{text: text, best: i == best, shade: shade(of(i), most)})
		}
		rows = append(rows, cells)
	}
	for k, name := range c.Kernels {
		on, best := c.On(k), -1
		for i := range on {
			if on[i].IPC() > 0 && (best < 0 || on[i].IPC() > on[best].IPC()) {
				best = i
			}
		}
		row(name, func(i int) float64 { return on[i].IPC() }, best)
	}
	row("harmonic mean", c.HarmonicMean, c.Best())
	return rows
}

// column is what a machine is called in the table: by what tells it from the others.
func (c *Comparison) column(i int) string {
	name := c.Rows[i].Policies
	for k := range c.Machines {
		if k != i && c.Rows[k].Policies == name {
			return c.Machines[i]
		}
	}
	return name
}

// title is what stands above the table.
func (c *Comparison) title() string {
	sampled := ""
	if slices.ContainsFunc(c.Rows, func(r Compared) bool { return r.Stats != nil && r.Stats.SampledBlocks < r.Stats.TotalBlocks }) {
		worst := slices.MaxFunc(c.Rows, func(a, b Compared) int { return cmp.Compare(off(a), off(b)) })
		sampled = fmt.Sprintf(", times from samples of the blocks, ± %.0f %%", 100*off(worst))
	}
	if len(c.Kernels) > 1 {
		return "thread instructions in a cycle (IPC), each kernel alone and with cold caches" + sampled
	}
	machines := "1 machine"
	if n := len(c.Rows); n != 1 {
		machines = fmt.Sprint(n, " machines")
	}
	return fmt.Sprintf("%s on %s, alone and with cold caches%s; IPC in thread instructions, speed against the first", c.Kernels[0], machines, sampled)
}

func off(c Compared) float64 {
	if c.Stats == nil {
		return 0
	}
	return c.Stats.ErrorEstimate
}

// String is the table as text; ← stands at the best.
func (c *Comparison) String() string {
	var s strings.Builder
	s.WriteString(c.title() + "\n")
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, row := range c.table() {
		var texts []string
		for k, x := range row {
			if x.best && (len(c.Kernels) > 1 || k == len(row)-1) {
				x.text += " ←"
			}
			texts = append(texts, x.text)
		}
		fmt.Fprintln(w, strings.Join(texts, "\t"))
	}
	w.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// MIMEBundle is what a cell shows of it: the best stands out.
func (c *Comparison) MIMEBundle() display.Bundle {
	b := display.Text(c.String())
	var s strings.Builder
	fmt.Fprintf(&s, `<div style="font-family:sans-serif;font-size:12px">%s<table style="border-collapse:collapse;margin-top:4px">`, html.EscapeString(c.title()))
	rows := c.table()
	for i, row := range rows {
		s.WriteString("<tr>")
		for k, x := range row {
			tag, align, weight, span := "td", "right", "normal", ""
			if i == 0 {
				tag = "th"
			}
			if x.left {
				align = "left"
			}
			if x.best {
				weight = "bold"
			}
			if x.spans {
				span = fmt.Sprintf(` colspan="%d"`, len(rows[0])-k)
			}
			fmt.Fprintf(&s, `<%s%s style="text-align:%s;font-weight:%s;padding:2px 8px;%s">%s</%s>`, tag, span, align, weight, x.shade, html.EscapeString(x.text), tag)
		}
		s.WriteString("</tr>")
	}
	b.Data[display.TypeHTML] = s.String() + "</table></div>"
	return b
}

// CSV returns a row for each kernel and machine: what ran, on what, its cycles, IPC and time in seconds. Where a
// machine could not run a kernel the last column says why.
func (c *Comparison) CSV() string {
	var s strings.Builder
	w := csv.NewWriter(&s)
	row := func(fields ...string) {
		if err := w.Write(fields); err != nil { // a strings.Builder takes all
			panic(err)
		}
	}
	row("kernel", "machine", "policies", "cycles", "ipc", "seconds", "error")
	for _, r := range c.Rows {
		if r.Stats == nil {
			row(r.Kernel, r.Machine, r.Policies, "", "", "", r.Err.Error())
			continue
		}
		row(r.Kernel, r.Machine, r.Policies, fmt.Sprint(r.Stats.Cycles), fmt.Sprintf("%.4f", r.IPC()), fmt.Sprintf("%.9f", r.Time().Seconds()), "")
	}
	w.Flush()
	return s.String()
}

// MarshalJSON returns the same rows as objects, and the harmonic means.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	type entry struct {
		Kernel   string  `json:"kernel"`
		Machine  string  `json:"machine"`
		Policies string  `json:"policies"`
		Cycles   int64   `json:"cycles,omitempty"`
		IPC      float64 `json:"ipc,omitempty"`
		Seconds  float64 `json:"seconds,omitempty"`
		Error    string  `json:"error,omitempty"`
	}
	var out struct {
		Rows []entry            `json:"rows"`
		Mean map[string]float64 `json:"harmonicMean"`
	}
	out.Mean = map[string]float64{}
	for _, r := range c.Rows {
		e := entry{Kernel: r.Kernel, Machine: r.Machine, Policies: r.Policies, IPC: r.IPC(), Seconds: r.Time().Seconds()}
		if r.Stats != nil {
			e.Cycles = r.Stats.Cycles
		} else {
			e.Error = r.Err.Error()
		}
		out.Rows = append(out.Rows, e)
	}
	for i, m := range c.Machines {
		out.Mean[m] = c.HarmonicMean(i)
	}
	return json.Marshal(out)
}
