package opt

import "github.com/arrayrepl/arrayrepl/kir"

// A pass rewrites a kernel in place and reports whether it changed anything. It leaves the kernel's results as they were,
// bit for bit but for the payloads and signs of NaNs.
type pass struct {
	name string
	run  func(*kir.Func) bool
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
	{"fold", fold, clean}, // constants and cheaper forms
	{"arguments", dropArguments, clean},
	{"conditions", implied, clean}, // what a branch has decided
	{"control", simplifyControl, clean},
	{"common", shareCommon, clean},
	{"forward", forward, clean}, // loads of what was loaded or stored before
	{"dead", dropDead, clean},

	{"locals", promote, shape},             // elements of local arrays in registers
	{"unroll", unroll, shape},              // loops whose number of rounds is known
	{"unroll by four", unrollByFour, once}, // other loops that count
	{"address", foldAddresses, shape},      // constants to the end of addresses, where loads and stores have room for them
	{"unrolled locals", promote, shape},    // at indices that unrolling has made known
	{"rotate", rotate, shape},              // loops test at their end
	{"hoist", hoist, shape},                // what a loop does not change, before it
	{"strength", reduceStrength, shape},    // products of a loop's counter become sums
	{"narrow", narrow, shape},              // integers of 64 bits that fit in 32
	{"hoist narrowed", hoist, shape},
	{"share divisions", shareDivisions, once}, // a quotient and a remainder of the same numbers
	{"multiples", addMultiples, once},         // x + 2*k by way of x + k
	{"select", selectShort, shape},            // short branches without effects become selections
}

// maxRounds bounds the repetition of the clean passes, and of each of the others. Two or three rounds reach the end on
// kernels met so far.
const maxRounds = 10

// Optimize returns an equivalent of f with less to execute; see pipeline. f stays as it is. Values of the result have IDs
// of their own. A load whose result nobody uses is dropped, and with it the trap that it may have been.
func Optimize(f *kir.Func) *kir.Func {
	g := f.Clone()
	launchRanges(g)
	cleanUp(g)
	for _, p := range pipeline {
		for round := 0; p.when != clean && round < maxRounds && p.run(g); round++ {
			cleanUp(g)
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

// cleanUp runs the clean passes until none changes anything.
func cleanUp(f *kir.Func) {
	last := -1 // the pass that changed something last: once all others have found nothing after it, all is done
	for round := 0; round < maxRounds; round++ {
		for i, p := range pipeline {
			switch {
			case p.when != clean:
			case i == last && round > 0:
				return
			case p.run(f):
				last = i
			}
		}
		if last < 0 {
			return
		}
	}
}
