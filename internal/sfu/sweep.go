package sfu

import (
	"fmt"
	"math"
)

// Sweep is how a function errs on an interval of arguments.
type Sweep struct {
	Low, High float64 // the interval, without High
	Arguments int     // how many were tried
	GoodBits  float64 // -log2 of the largest absolute error
	// ULPs is the largest error in units in the last place of the exact result; 0 for those whose errors do not shrink
	// with the result
	ULPs      float64
	Exact     float64 // the share of results that are the nearest float32
	Monotonic bool
	At        []float64 // the middles of Places equal parts of the interval
	Worst     []float64 // the largest absolute error in each
	Below     []int     // how many results lie more than this many eighths of an ulp, -16 to 15, off: see Bins
}

// Places is how many parts of the interval Sweep.Worst has, Bins how many bins of errors Sweep.Below has, of which each
// is an eighth of an ulp wide, as the results have them at the interval's end; those outside are in the outermost.
const (
	Places = 256
	Bins   = 32
)

// interval is where a function's table is looked up: what table 1 of the article states its accuracy for.
type interval struct {
	low, high float64
	exact     func(float64) float64
	relative  bool // errors are also counted in ulps
	falls     bool
	at        func(i uint32) float32 // argument i of 2^23
}

// mantissas gives the 2^23 numbers of [1,2), or of as many octaves evenly.
func mantissas(octaves uint32) func(i uint32) float32 {
	return func(i uint32) float32 { return math.Float32frombits(0x3f800000 + octaves*i + octaves/2) }
}

func spread(high float64) func(i uint32) float32 {
	return func(i uint32) float32 { return float32(float64(i) * (high / (1 << 23))) }
}

var intervals = map[string]interval{
	"rcp":   {1, 2, func(x float64) float64 { return 1 / x }, true, true, mantissas(1)},
	"rsqrt": {1, 4, func(x float64) float64 { return 1 / math.Sqrt(x) }, true, true, mantissas(2)},
	"sqrt":  {1, 4, math.Sqrt, true, false, mantissas(2)},
	"ex2":   {0, 1, math.Exp2, true, false, spread(1)},
	"lg2":   {1, 2, math.Log2, false, false, mantissas(1)},
	"sin":   {0, math.Pi / 2, math.Sin, false, false, spread(math.Pi / 2)},
	"cos":   {0, math.Pi / 2, math.Cos, false, true, spread(math.Pi / 2)},
}

// SweepOf tries of on every step-th, from number first on, of the 2^23 arguments that name's table distinguishes. of is
// nil for the function of this package, and may be another machine's.
func SweepOf(name string, of func(float32) float32, first, step int) (*Sweep, error) {
	in, ok := intervals[name]
	if !ok {
		return nil, fmt.Errorf("a special function unit has no %q: it has rcp, rsqrt, sqrt, exp2, log2, sin and cos", name)
	}
	for _, f := range Functions {
		if f.Name == name && of == nil {
			of = f.Of
		}
	}
	s := &Sweep{Low: in.low, High: in.high, Monotonic: true, Below: make([]int, Bins), At: make([]float64, Places), Worst: make([]float64, Places)}
	for i := range s.At {
		s.At[i] = in.low + (in.high-in.low)*(float64(i)+0.5)/Places
	}
	var worst float64
	nearest := 0
	last := math.Inf(-1)
	if in.falls {
		last = math.Inf(1)
	}
	unit := ulp(in.exact(in.low+(in.high-in.low)*(1-0x1p-20)), false)
	for i := first; i < 1<<23; i += step {
		x := in.at(uint32(i))
		y, want := float64(of(x)), in.exact(float64(x))
		off := y - want
		size := math.Abs(off)
		worst = max(worst, size)
		place := min(int((float64(x)-in.low)/(in.high-in.low)*Places), Places-1)
		s.Worst[place] = max(s.Worst[place], size)
		s.Below[min(max(int(math.Floor(off/unit*8))+Bins/2, 0), Bins-1)]++
		if in.relative {
			s.ULPs = max(s.ULPs, size/ulp(want, true))
		}
		if y == float64(float32(want)) {
			nearest++
		}
		if in.falls && y > last || !in.falls && y < last {
			s.Monotonic = false
		}
		last = y
		s.Arguments++
	}
	s.GoodBits, s.Exact = -math.Log2(worst), float64(nearest)/float64(s.Arguments)
	return s, nil
}

// ulp returns the distance of float32s at x: of its octave, or of the octave below where x is a power of two.
func ulp(x float64, within bool) float64 {
	frac, exp := math.Frexp(math.Abs(x))
	if frac == 0.5 && within {
		exp--
	}
	return math.Ldexp(1, exp-24)
}
