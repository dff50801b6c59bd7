package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A pass rewrites a kernel in place and reports whether it changed anything. It leaves the kernel's results as they
// were, bit for bit but for the payloads and signs of NaNs.
type pass struct {
	name string
	run  func(*kir.Func) bool // nil for fold, which tells more
	when when
}

// when is the part of the pipeline that a pass belongs to.
type when uint8

const (
	clean when = iota // until nothing changes: at first, and after each pass of another kind that changed something
	shape             // until it changes nothing, in the order of the table
	once              // one time, in that order
)

// pipeline is what Optimize runs. It does what a GPU's assembler would do to the kernel in any case: without it, timing
// models count instructions that no device executes.
var pipeline = []pass{
	{"fold", nil, clean}, // constants, and cheaper forms by the rules
	{"arguments", dropArguments, clean},
	{"conditions", implied, clean}, // what a branch has decided
	{"control", simplifyControl, clean},
	{"common", shareCommon, clean},
	{"forward", forward, clean}, // loads of what was loaded or stored before
	{"dead", dropDead, clean},

	{"locals", promote, shape},             // elements of local arrays in registers
	{"unroll", unroll, shape},              // loops whose number of rounds is known
	{"hoist bounds", hoistBounds, shape},   // what a loop counts up to, before it
	{"unroll by four", unrollByFour, once}, // other loops that count
	// constants to the end of addresses, where loads and stores have room for them
	{"address", foldAddresses, shape},
	{"unrolled locals", promote, shape}, // at indices that unrolling has made known
	{"rotate", rotate, shape},           // loops test at their end
	{"hoist", hoist, shape},             // what a loop does not change, before it
	{"strength", reduceStrength, shape}, // products of a loop's counter become sums
	{"narrow", narrow, shape},           // integers of 64 bits that fit in 32
	{"hoist narrowed", hoist, shape},
	{"divide wide", divideWide, once},         // by constants, of what did not become narrow
	{"share divisions", shareDivisions, once}, // a quotient and a remainder of the same numbers
	{"multiples", addMultiples, once},         // x + 2*k by way of x + k
	{"select", selectShort, shape},            // short branches without effects become selections
	{"copies", joinCopies, once},              // the loads of asynchronous copies stand before their stores
}

// pipelineOfCPU is the pipeline of kernels for kir/cpu.
var pipelineOfCPU = slices.Clone(pipeline)

func init() {
	i := slices.IndexFunc(pipelineOfCPU, func(p pass) bool { return p.name == "divide wide" })
	pipelineOfCPU[i].run = divideLong
}

// maxRounds bounds the repetition of the clean passes, and of each of the others. Two or three rounds reach the end on
// kernels met so far.
const maxRounds = 10

// Optimize returns an equivalent of f with less to execute; see pipeline. f stays as it is. Values of the result have
// IDs of their own. A load whose result nobody uses is dropped, and with it the trap that it may have been.
func Optimize(f *kir.Func) *kir.Func { return optimize(f, pipeline, nil) }

// OptimizeForCPU is Optimize for kir/cpu, where a branch at which threads part costs more than on a GPU: more of them
// become selections.
func OptimizeForCPU(f *kir.Func) *kir.Func {
	g := optimize(f, pipelineOfCPU, nil)
	for selectUpTo(g, maxSelectedByCPU, true) {
		cleanUp(g, nil)
	}
	for joinChoices(g) {
		cleanUp(g, nil)
	}
	for guardSelections(g) {
	}
	g.Renumber()
	return g
}

// optimize tells note, which may be nil, the name of each pass that changes something, and of each rule that fold uses.
func optimize(f *kir.Func, pipeline []pass, note func(name string)) *kir.Func {
	g := f.Clone()
	launchRanges(g)
	cleanUp(g, note)
	for _, p := range pipeline {
		for round := 0; p.when != clean && round < maxRounds && p.apply(g, note); round++ {
			cleanUp(g, note)
			if p.when == once {
				break
			}
		}
	}
	forgetRanges(g)
	dropArrays(g, kir.OpConstTable, &g.Const)
	g.Renumber()
	return g
}

// apply runs p and reports whether it changed f.
func (p pass) apply(f *kir.Func, note func(name string)) bool {
	if p.run == nil {
		if note == nil {
			return fold(f, nil)
		}
		return fold(f, func(rule string) { note(p.name + ": " + rule) })
	}
	changed := p.run(f)
	if changed && note != nil {
		note(p.name)
	}
	return changed
}

// cleanUp runs the clean passes until none changes anything.
func cleanUp(f *kir.Func, note func(name string)) {
	last := -1 // the pass that changed something last: once all others have found nothing after it, all is done
	for round := 0; round < maxRounds; round++ {
		for i, p := range pipeline {
			switch {
			case p.when != clean:
			case i == last && round > 0:
				return
			case p.apply(f, note):
				last = i
			}
		}
		if last < 0 {
			return
		}
	}
}
