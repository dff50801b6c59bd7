package simgpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/sfu"
)

// SFU is the special function unit of simulated GPUs, which computes gpu.Approx: one instruction, 16 clocks of the
// lanes for a warp on sim:g80.
var SFU SpecialFunctionUnit

// SpecialFunctionUnit is the type of [SFU].
type SpecialFunctionUnit struct{}

// Sweep says how a function of the unit errs: rcp, rsqrt, sqrt, exp2, log2, sin or cos. It tries all 2^23 arguments
// that the function's table tells apart, against float64, which takes a second or less. It panics with an error for
// another name.
//
//	simgpu.SFU.Sweep("rsqrt")
func (SpecialFunctionUnit) Sweep(name string) *SFUSweep {
	short := map[string]string{"exp2": "ex2", "log2": "lg2"}[name]
	if short == "" {
		short = name
	}
	s, err := sfu.SweepOf(short, nil, 0, 1)
	if err != nil {
		panic(errors.New("simgpu.SFU.Sweep: " + err.Error()))
	}
	return &SFUSweep{Function: name, Low: s.Low, High: s.High, Arguments: s.Arguments, GoodBits: s.GoodBits, ULPs: s.ULPs, Exact: s.Exact,
		Monotonic: s.Monotonic, At: s.At, Worst: s.Worst, Errors: s.Below}
}

// SFUSweep is what [SpecialFunctionUnit.Sweep] found. It shows itself as a table with a histogram of the errors;
// viz.Line(s.At, s.Worst) draws where they are.
type SFUSweep struct {
	Function  string
	Low, High float64   // the interval of the arguments, without High
	Arguments int       // that were tried
	GoodBits  float64   // -log2 of the largest absolute error
	ULPs      float64   // the largest error in units in the last place; 0 of log2, sin and cos, whose errors do not shrink with the result
	Exact     float64   // the share of results that are the float32 nearest to the exact ones
	Monotonic bool      // no argument has a result on the wrong side of the one before it
	At, Worst []float64 // the middles of 256 equal parts of the interval, and the largest absolute error in each
	// Errors counts results by how far they lie off, in eighths of a unit in the last place of results at High, from -2
	// units to 2: what is off further is in the first and the last.
	Errors []int
}

// String is the table and the histogram.
func (s *SFUSweep) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on [%.4g, %.4g), %d arguments: %.2f good bits", s.Function, s.Low, s.High, s.Arguments, s.GoodBits)
	if s.ULPs > 0 {
		fmt.Fprintf(&b, ", at most %.2f ulp off", s.ULPs)
	}
	monotonic := "monotonic"
	if !s.Monotonic {
		monotonic = "not monotonic"
	}
	fmt.Fprintf(&b, ", %.1f %% nearest, %s\n", 100*s.Exact, monotonic)
	most, first, last := 1, len(s.Errors), 0
	for i, n := range s.Errors {
		if most = max(most, n); n > 0 {
			first, last = min(first, i), i
		}
	}
	const width = 50
	for i := first; i <= last; i++ {
		n := s.Errors[i]
		fmt.Fprintf(&b, "%+6.3f ulp %8d %s\n", float64(i-len(s.Errors)/2)/8, n, strings.Repeat("#", (n*width+most-1)/most))
	}
	return strings.TrimRight(b.String(), "\n")
}
