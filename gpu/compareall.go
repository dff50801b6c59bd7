package gpu

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Comparisons is what several recorded launches take on several machines: a benchmark of machines.
type Comparisons struct {
	Machines []string
	Kernels  []*Comparison // each has a row for each machine, in their order
}

// CompareAll is [Compare] for several recordings, whose results it puts in one table: the instructions of threads in a
// cycle (IPC) by kernel and machine, and the harmonic mean of each machine, which is its IPC on all kernels one after
// the other where they have as many instructions.
//
//	gpu.CompareAll([]*gpu.Recording{sort, scan, search}, simgpu.Variants("fermivt", simgpu.WithPicker(simgpu.GTO{}), simgpu.WithPicker(mine{}))...)
//
// It panics with *Error where Compare does.
func CompareAll(recordings []*Recording, machines ...string) *Comparisons {
	if len(recordings) == 0 {
		panic(&Error{Err: errors.New("gpu.CompareAll: there is no recording: gpu.Record makes one")})
	}
	all := &Comparisons{Machines: machines}
	for _, r := range recordings {
		all.Kernels = append(all.Kernels, Compare(r, machines...))
	}
	return all
}

// HarmonicMean returns that of a machine's IPC on all kernels, 0 where it could not run one.
func (c *Comparisons) HarmonicMean(machine int) float64 {
	sum := 0.0
	for _, k := range c.Kernels {
		ipc := k.Rows[machine].IPC()
		if ipc == 0 {
			return 0
		}
		sum += 1 / ipc
	}
	return float64(len(c.Kernels)) / sum
}

// Best returns the number of the machine with the highest harmonic mean, or -1 where none could run all kernels.
func (c *Comparisons) Best() int {
	best := -1
	for i := range c.Machines {
		if m := c.HarmonicMean(i); m > 0 && (best < 0 || m > c.HarmonicMean(best)) {
			best = i
		}
	}
	return best
}

// column is what a machine is called in the table: by what tells it from the others.
func (c *Comparisons) column(i int) string {
	name := c.Kernels[0].Rows[i].Policies
	for k := range c.Machines {
		if k != i && c.Kernels[0].Rows[k].Policies == name {
			return c.Machines[i]
		}
	}
	return name
}

// cells returns the table's texts and, by row, the column of the best.
func (c *Comparisons) cells() (rows [][]string, best []int) {
	head := []string{"kernel"}
	for i := range c.Machines {
		head = append(head, c.column(i))
	}
	rows, best = append(rows, head), append(best, -1)
	row := func(name string, of func(i int) float64, most int) {
		texts := []string{name}
		for i := range c.Machines {
			text := "–"
			if ipc := of(i); ipc > 0 {
				text = fmt.Sprintf("%.2f", ipc)
			}
			texts = append(texts, text)
		}
		rows, best = append(rows, texts), append(best, most)
	}
	for _, k := range c.Kernels {
		most := -1
		for i := range k.Rows {
			if k.Rows[i].IPC() > 0 && (most < 0 || k.Rows[i].IPC() > k.Rows[most].IPC()) {
				most = i
			}
		}
		row(k.Kernel, func(i int) float64 { return k.Rows[i].IPC() }, most)
	}
	row("harmonic mean", c.HarmonicMean, c.Best())
	return rows, best
}

const comparisonsTitle = "thread instructions in a cycle, each kernel alone and with cold caches"

// String is the table as text; ← stands at the best of each row.
func (c *Comparisons) String() string {
	var s strings.Builder
	s.WriteString(comparisonsTitle + "\n")
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	rows, best := c.cells()
	for k, r := range rows {
		if best[k] >= 0 {
			r[1+best[k]] += " ←"
		}
		fmt.Fprintln(w, strings.Join(r, "\t"))
	}
	w.Flush()
	return strings.TrimRight(s.String(), "\n")
}

// CSV returns a row for each kernel and machine: what ran, on what, its cycles, IPC and time in seconds. Where a
// machine could not run a kernel the last column says why.
func (c *Comparisons) CSV() string {
	var s strings.Builder
	w := csv.NewWriter(&s)
	row := func(fields ...string) {
		if err := w.Write(fields); err != nil { // a strings.Builder takes all
			panic(err)
		}
	}
	row("kernel", "machine", "policies", "cycles", "ipc", "seconds", "error")
	for _, k := range c.Kernels {
		for _, r := range k.Rows {
			if r.Stats == nil {
				row(k.Kernel, r.Machine, r.Policies, "", "", "", r.Err.Error())
				continue
			}
			row(k.Kernel, r.Machine, r.Policies, fmt.Sprint(r.Stats.Cycles), fmt.Sprintf("%.4f", r.IPC()), fmt.Sprintf("%.9f", r.Time().Seconds()), "")
		}
	}
	w.Flush()
	return s.String()
}

// MarshalJSON returns the same rows as objects, and the harmonic means.
func (c *Comparisons) MarshalJSON() ([]byte, error) {
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
	for _, k := range c.Kernels {
		for _, r := range k.Rows {
			e := entry{Kernel: k.Kernel, Machine: r.Machine, Policies: r.Policies, IPC: r.IPC(), Seconds: r.Time().Seconds()}
			if r.Stats != nil {
				e.Cycles = r.Stats.Cycles
			} else {
				e.Error = r.Err.Error()
			}
			out.Rows = append(out.Rows, e)
		}
	}
	for i, m := range c.Machines {
		out.Mean[m] = c.HarmonicMean(i)
	}
	return json.Marshal(out)
}

// MIMEBundle is what a cell shows of it: the best of each row stands out.
func (c *Comparisons) MIMEBundle() display.Bundle {
	b := display.Text(c.String())
	var s strings.Builder
	fmt.Fprintf(&s, `<div style="font-family:sans-serif;font-size:12px">%s<table style="border-collapse:collapse;margin-top:4px">`, comparisonsTitle)
	rows, best := c.cells()
	for k, r := range rows {
		s.WriteString("<tr>")
		for i, text := range r {
			tag, align, weight := "td", "right", "normal"
			if k == 0 {
				tag = "th"
			}
			if i == 0 {
				align = "left"
			}
			if best[k] >= 0 && i == 1+best[k] {
				weight = "bold"
			}
			if k == 0 {
				weight = "bold"
			}
			fmt.Fprintf(&s, `<%s style="text-align:%s;font-weight:%s;padding:2px 8px">%s</%s>`, tag, align, weight, html.EscapeString(text), tag)
		}
		s.WriteString("</tr>")
	}
	b.Data[display.TypeHTML] = s.String() + "</table></div>"
	return b
}
