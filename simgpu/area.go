package simgpu

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// This file is what the papers' structures take of a chip, as they print it: data, and sums that are made here.

// AreaPart is a structure of a machine.
type AreaPart struct {
	Name string
	Bits int     // that it holds; 0 where the source does not say
	Area float64 // in mm²
}

// AreaTable is what the structures of a machine take of a chip.
type AreaTable struct {
	Name   string
	Source string
	Parts  []AreaPart
	Base   float64 // mm² that the machine without them has for the same purposes
	Whole  float64 // mm² of what the overhead is a part of
	Of     string  // what that is: "a chip of 16 cores"
	Copies int     // of the structures in it
}

// Sum returns the area of all parts, in mm².
func (t AreaTable) Sum() (sum float64) {
	for _, p := range t.Parts {
		sum += p.Area
	}
	return sum
}

// Bits returns what all parts hold.
func (t AreaTable) Bits() (sum int) {
	for _, p := range t.Parts {
		sum += p.Bits
	}
	return sum
}

// Overhead returns the part of Whole that the machine takes more than without the structures.
func (t AreaTable) Overhead() float64 { return float64(t.Copies) * (t.Sum() - t.Base) / t.Whole }

// String is the table with its sum.
func (t AreaTable) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s (%s)\n", t.Name, t.Source)
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, bits int, area float64) {
		held := ""
		if bits > 0 {
			held = fmt.Sprint(bits, " bits")
		}
		fmt.Fprintf(w, "%s\t%s\t%.4f mm²\t\n", name, held, area)
	}
	for _, p := range t.Parts {
		row(p.Name, p.Bits, p.Area)
	}
	row("sum", t.Bits(), t.Sum())
	if t.Base > 0 {
		row("without", 0, t.Base)
		row("difference", 0, t.Sum()-t.Base)
	}
	w.Flush()
	fmt.Fprintf(&s, "%.1f %% of %s (%.1f mm²)", 100*t.Overhead(), t.Of, t.Whole)
	return s.String()
}

// AreaDWF returns what dynamic warp formation takes of a chip of 16 cores, at 90 nm: its scheduler, and register files
// with a decoder for each lane in place of one.
func AreaDWF() AreaTable {
	return AreaTable{Name: "dynamic warp formation", Source: "Fung et al., ACM TACO 2009, table V", Parts: []AreaPart{
		{"warp update registers", 752, 0.0080},
		{"PC-warp LUT", 4032, 0.2633},
		{"warp pool", 44928, 0.6194},
		{"warp allocator", 896, 0.0342},
		{"LUT of the heap", 4992, 0.4945},
		{"max-heap", 3712, 0.2159},
		{"8 banks of registers, a decoder each", 0, 4.585},
	}, Base: 3.863, Whole: 470, Of: "a chip of 16 cores", Copies: 16}
}

// Area returns what a machine of Brunie, Collange and Diamos takes of an SM, at 40 nm: "SBI", "SWI", "SBI+SWI", or
// "baseline". It panics for another.
func Area(machine string) AreaTable {
	column := map[string]int{"baseline": 0, "SBI": 1, "SWI": 2, "SBI+SWI": 3}
	i, ok := column[machine]
	if !ok {
		panic(fmt.Errorf("simgpu.Area: there is no machine %q: there are baseline, SBI, SWI and SBI+SWI", machine))
	}
	t := AreaTable{Name: machine, Source: "Brunie et al., ISCA 2012, tables 3 and 4", Whole: 15.6, Of: "an SM", Copies: 1}
	for _, p := range []struct {
		name string
		area [4]float64 // 1000 µm²
		bits [4]int
	}{
		{"register file, beside the baseline's", [4]float64{0, 570, 570, 570}, [4]int{}},
		{"scoreboard", [4]float64{87.6, 65.6, 87.6, 131.2}, [4]int{2 * 24 * 48, 24 * 144, 2 * 24 * 48, 24 * 288}},
		{"second scheduler", [4]float64{0, 0, 27.4, 27.4}, [4]int{}},
		{"warp pool, or hot contexts", [4]float64{66.8, 88.8, 43.8, 88.8}, [4]int{2 * 24 * 64, 24 * 201, 24 * 104, 24 * 201}},
		{"stack, or cold contexts", [4]float64{584.4, 480.8, 480.8, 480.8}, [4]int{144 * 256, 128 * 104, 128 * 104, 128 * 104}},
		{"instruction buffer", [4]float64{52.8, 52.8, 33.4, 67.4}, [4]int{48 * 64, 48 * 64, 24 * 64, 48 * 64}},
	} {
		if p.area[i] > 0 {
			t.Parts = append(t.Parts, AreaPart{p.name, p.bits[i], p.area[i] / 1000})
		}
	}
	t.Base = 0.7916 // the baseline's own sum
	return t
}
