package brook

import (
	"fmt"
	"slices"
	"strings"
)

// Plan is the passes of a reduction, in their order: the last axis first, so that elements keep the order of rows.
type Plan struct {
	Passes []Pass
	Bytes  int // of an element

	Note    string // what runs in the place of the passes; empty where they run
	Warning string // why the result may depend on the plan: the function is not associative; empty where nothing is known
}

// Pass merges neighbours along an axis.
type Pass struct {
	Axis   int
	Factor int  // neighbours that are merged, at most
	From   int  // elements along the axis for each result before it
	To     int  // and after it
	Ragged bool // the last group of each result has fewer: there was no factor that small
	Reads  int  // elements, of the whole stream
	Writes int
}

// plan says how a shape is reduced, by factors of at most so many; 0 for one pass along each axis.
func plan(shape, ratio []int, most, bytes int) *Plan {
	p := &Plan{Bytes: bytes, Passes: make([]Pass, 0, 4)}
	now := slices.Clone(shape)
	size := func() int {
		n := 1
		for _, k := range now {
			n *= k
		}
		return n
	}
	for d := len(shape) - 1; d >= 0; d-- {
		for left := ratio[d]; left > 1; {
			pass := Pass{Axis: d, From: left, Reads: size()}
			pass.Factor = factor(left, most)
			pass.Ragged = left%pass.Factor != 0
			pass.To = (left + pass.Factor - 1) / pass.Factor
			now[d] = now[d] / left * pass.To
			left = pass.To
			pass.Writes = size()
			p.Passes = append(p.Passes, pass)
		}
	}
	return p
}

// factor is the largest factor of n that is at most so large, or most itself where there is none; n where most is 0.
func factor(n, most int) int {
	if most == 0 || n <= most {
		return n
	}
	for k := most; k > 1; k-- {
		if n%k == 0 {
			return k
		}
	}
	return most
}

// Factors are those of the passes.
func (p *Plan) Factors() []int {
	out := make([]int, len(p.Passes))
	for i, pass := range p.Passes {
		out[i] = pass.Factor
	}
	return out
}

// Reads is how many elements all passes read.
func (p *Plan) Reads() (n int) {
	for _, pass := range p.Passes {
		n += pass.Reads
	}
	return n
}

// String lists the passes: how many elements each reads and writes.
func (p *Plan) String() string {
	if p == nil || len(p.Passes) == 0 {
		return "no passes: there is an element for each result"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s, %d elements of %d bytes read\n", count(len(p.Passes), "pass"), factors(p), p.Reads(), p.Bytes)
	for i, pass := range p.Passes {
		ragged := ""
		if pass.Ragged {
			ragged = ", the last of them fewer"
		}
		fmt.Fprintf(&b, "  pass %d along axis %d: %d to %d, %d neighbours each%s; reads %d, writes %d\n", i+1, pass.Axis, pass.From, pass.To, pass.Factor, ragged, pass.Reads, pass.Writes)
	}
	if p.Note != "" {
		fmt.Fprintf(&b, "note: %s\n", p.Note)
	}
	if p.Warning != "" {
		fmt.Fprintf(&b, "warning: %s\n", p.Warning)
	}
	return b.String()
}
