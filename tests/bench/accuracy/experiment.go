package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/simgpu"
)

// unit is what figures are in.
type unit string

const (
	seconds unit = "s"
	gbs     unit = "GB/s"
	gflops  unit = "Gflop/s"
	cycles  unit = "cycles"
	rate    unit = "G/s"   // of what the title names
	count   unit = "count" // of what the title names
)

// experiment is one or a few rows of published figures: variants of a kernel on one machine.
type experiment struct {
	id, title string
	machine   string // that was measured, where it is not the preset's
	preset    string
	change    func(*simgpu.Preset) // what differs from the preset in the machine that was measured, or nil
	source    string
	// R: read in the author's own text; T: repeated by a third party; P: read off a plot; M: from memory, no judge
	confidence string
	in         unit
	peak       float64 // of the machine that was measured, in the unit; 0 where the unit is a time
	// what was computed here, where that is less than what was measured: then only steps compare, of times
	size     string
	variants []variant
	checks   []check

	got []float64
}

// variant is one kernel, or one size, of an experiment.
type variant struct {
	name      string
	published float64 // 0 where nothing was
	run       func(c *card) float64
}

// check is an assertion about figures: those of the variants in their order.
type check struct {
	decisive string // D1 to D12, or ""
	text     string
	holds    func(got []float64) bool
}

func (e *experiment) run() (err error) {
	defer func() {
		if f, ok := recover().(failure); ok {
			err = f.err
		}
	}()
	e.got = make([]float64, len(e.variants))
	for i, v := range e.variants {
		c := open(e.preset, e.change)
		e.got[i] = v.run(c)
		c.close()
	}
	return nil
}

// lower reports whether less is better.
func (u unit) lower() bool { return u == seconds || u == cycles || u == count }

// modelPeak is the preset's, in e's unit.
func (e *experiment) modelPeak() float64 {
	p := must(simgpu.PresetByName(e.preset))
	switch e.in {
	case gbs:
		return float64(p.DRAMPeak) / 1e9
	case gflops:
		return p.PeakFlops(simgpu.UnitFP32) / 1e9
	}
	return 0
}

// fractions returns the published and the modelled figure of a variant as fractions of what its machine could do; ok is
// false where there is no such figure.
func (e *experiment) fractions(i int) (published, modelled float64, ok bool) {
	if e.peak == 0 || e.variants[i].published == 0 || e.confidence == "M" {
		return 0, 0, false
	}
	return e.variants[i].published / e.peak, e.got[i] / e.modelPeak(), true
}

// step is by what factor variant i is better than the one before.
func (e *experiment) step(i int) (published, modelled float64, ok bool) {
	if i == 0 || e.variants[i].published == 0 || e.variants[i-1].published == 0 {
		return 0, 0, false
	}
	published, modelled = e.variants[i].published/e.variants[i-1].published, e.got[i]/e.got[i-1]
	if e.in.lower() {
		published, modelled = 1/published, 1/modelled
	}
	return published, modelled, true
}

// sameOrder reports whether the model has the two variants in the published order. Those within 5 % of each other have
// none.
func (e *experiment) sameOrder(i, j int) (same, ok bool) {
	a, b := e.variants[i].published, e.variants[j].published
	if a == 0 || b == 0 || math.Abs(math.Log(a/b)) < math.Log(1.05) {
		return false, false
	}
	return (a < b) == (e.got[i] < e.got[j]), true
}

func (e *experiment) heading() string {
	machine := "`" + e.preset + "`"
	if e.machine != "" {
		machine = e.machine + ", modelled as " + machine
	}
	return fmt.Sprintf("%s. %s (%s; %s, %s)", e.id, e.title, machine, e.source, e.confidence)
}

// number writes a figure in three digits.
func number(x float64, u unit) string {
	if u == seconds {
		switch {
		case x >= 1:
			return fmt.Sprintf("%.3g s", x)
		case x >= 1e-3:
			return fmt.Sprintf("%.3g ms", x*1e3)
		}
		return fmt.Sprintf("%.3g µs", x*1e6)
	}
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

func (e *experiment) table() string {
	var b strings.Builder
	if e.size != "" {
		fmt.Fprintf(&b, "Computed here: %s.\n\n", e.size)
	}
	unit := string(e.in)
	if e.in == seconds {
		unit = "time"
	}
	fmt.Fprintf(&b, "| | published, %s | modelled, %s | fraction of the peak: published | modelled | better than the row above: published | modelled |\n|---|---|---|---|---|---|---|\n", unit, unit)
	for i, v := range e.variants {
		cells := []string{v.name, "–", number(e.got[i], e.in), "", "", "", ""}
		if v.published != 0 {
			cells[1] = number(v.published, e.in)
		}
		if p, m, ok := e.fractions(i); ok {
			cells[3], cells[4] = fmt.Sprintf("%.2f", p), fmt.Sprintf("%.2f", m)
		}
		if p, m, ok := e.step(i); ok {
			cells[5], cells[6] = fmt.Sprintf("%.2f", p), fmt.Sprintf("%.2f", m)
			if r := m / p; r > 1.5 || r < 1/1.5 {
				cells[6] = "**" + cells[6] + "**"
			}
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	if len(e.checks) > 0 {
		b.WriteString("\n")
	}
	for _, c := range e.checks {
		says := "does not hold"
		if c.holds(e.got) {
			says = "holds"
		}
		name := ""
		if c.decisive != "" {
			name = c.decisive + ": "
		}
		fmt.Fprintf(&b, "- %s%s: **%s**\n", name, c.text, says)
	}
	return b.String()
}
