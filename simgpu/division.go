package simgpu

import "github.com/arrayrepl/arrayrepl/kir"

// A quotient or remainder of integers of 32 bits is a sequence on three units, as NVIDIA's compilers write it: the
// divisor becomes a float, whose reciprocal becomes an integer again (three instructions of the special unit); products
// and their high words refine it and give the quotient (on the unit of products, high words at a quarter of its rate);
// additions and comparisons of integers do the rest.
var (
	divisionConverts = []int{0, 1, 3}
	divisionProducts = []int{5, 6, 7, 8, 9, 10, 11, 13}
)

// divides reports whether v is such a sequence.
func divides(v *kir.Value) bool {
	return (v.Op == kir.OpDiv || v.Op == kir.OpRem) && column(v.Type) == 0
}

// divided gives the instructions of in, which divides, their units on p.
func (in *instr) divided(p *Preset) {
	on := func(u Unit) sequenceStep { return sequenceStep{p.port(u), int64(p.Interval(u))} }
	in.steps = make([]sequenceStep, in.count)
	for i := range in.steps {
		in.steps[i] = on(UnitInt)
	}
	for _, at := range divisionConverts {
		in.steps[at] = on(UnitSpecial)
	}
	for _, at := range divisionProducts {
		in.steps[at] = on(UnitFP32)
	}
	in.port, in.busy = in.steps[0].port, in.steps[0].busy
}
