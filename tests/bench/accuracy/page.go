package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// notModelled are published rows that no experiment is made of, and why.
var notModelled = []struct{ rows, why string }{
	{"M10, M52", "rates of single tuned kernels on an H100, whose steps are M12, M47 and M63"},
	{"M14–M16, M36, M39b", "Ampere and Turing cards for games, which no preset is near to"},
	{"M28–M33, M37, M38", "the ladder of M34 and M35 on other cards; cuBLAS is not CUDA C that can be read"},
	{"M40, M41, M41b", "library code of its time, or figures from memory"},
	{"M50, M51, M60, M65", "figures from memory, inputs of the presets, or counts that have no kernel beside them"},
	{"M67", "the same rule as M66"},
	{"M72", "scans whose blocks wait for each other: the simulator computes blocks one after the other"},
	{"M73, M73b–M73d", "half precision and whole sorting libraries"},
	{"M77", "matrices that are not to be had"},
	{"M84, M85", "links and managed memory: the first are inputs of the presets, the other is not a kernel"},
}

// page is what the program writes of all experiments. It is an error to miss a figure without an explanation.
func page(all []*experiment) (string, error) {
	var b strings.Builder
	b.WriteString(summary(all))
	var errs []error
	for _, e := range all {
		why, err := e.why()
		errs = append(errs, err)
		fmt.Fprintf(&b, "\n## %s\n\n%s%s", e.heading(), e.table(), why)
	}
	b.WriteString("\n## Rows without a kernel here\n\n| rows | why |\n|---|---|\n")
	for _, n := range notModelled {
		fmt.Fprintf(&b, "| %s | %s |\n", n.rows, n.why)
	}
	return b.String(), errors.Join(errs...)
}

// summary is how the experiments did together.
func summary(all []*experiment) string {
	var orders, right, steps, near int
	var logs float64
	var rates, worse int
	worst, worstName := 1.0, ""
	decisive := map[string][2]int{}
	checks, hold := 0, 0
	for _, e := range all {
		for _, c := range e.checks {
			ok := c.holds(e.got)
			checks++
			if ok {
				hold++
			}
			if c.decisive != "" {
				d := decisive[c.decisive]
				d[1]++
				if ok {
					d[0]++
				}
				decisive[c.decisive] = d
			}
		}
		for i := range e.variants {
			if e.confidence == "M" {
				continue
			}
			for j := range i {
				if same, ok := e.sameOrder(j, i); ok {
					orders++
					if same {
						right++
					}
				}
			}
			if p, m, ok := e.step(i); ok {
				steps++
				if r := m / p; r <= 1.5 && r >= 1/1.5 {
					near++
				}
			}
			if p, m, ok := e.fractions(i); ok {
				rates++
				l := math.Abs(math.Log(m / p))
				logs += l
				if f := math.Exp(l); f > 2 {
					worse++
					if f > worst {
						worst, worstName = f, e.id+", "+e.variants[i].name
					}
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString("| | | aim |\n|---|---|---|\n")
	fmt.Fprintf(&b, "| pairs of rows of a table in the published order (those within 5 %% of each other have none) | %d of %d | all |\n", right, orders)
	fmt.Fprintf(&b, "| steps within 1.5 | %d of %d | all |\n", near, steps)
	fmt.Fprintf(&b, "| rates as fractions of the peak: geometric mean of the error | %.0f %% of %d rates | 25 %% |\n", 100*(math.Exp(logs/float64(max(rates, 1)))-1), rates)
	fmt.Fprintf(&b, "| of them, more than 2 times off | %d (worst: %.1f times, %s) | none |\n", worse, worst, worstName)
	fmt.Fprintf(&b, "| assertions that hold | %d of %d | all |\n\n", hold, checks)
	b.WriteString("Twelve decisive checks, and how many assertions of each hold:\n\n|")
	line, values := "", ""
	for i := 1; i <= 12; i++ {
		d := decisive[fmt.Sprint("D", i)]
		line += "---|"
		fmt.Fprintf(&b, " D%d |", i)
		values += fmt.Sprintf(" %d of %d |", d[0], d[1])
	}
	fmt.Fprintf(&b, "\n|%s\n|%s\n", line, values)
	return b.String()
}
