package simgpu

import "github.com/arrayrepl/arrayrepl/kir"

// flops counts floating-point operations.
type flops struct{ f32, f64 int64 }

func (f *flops) add(g flops, times int64) {
	f.f32 += g.f32 * times
	f.f64 += g.f64 * times
}

// flopsOf returns the floating-point operations of v in one thread, as the vendors' profilers count them: additions and
// multiplications are one, an fma is two. Division, square root and the elementary functions are sequences of fma on
// the machine (see costs) and count as those; comparing, selecting, negating and converting count as nothing.
func flopsOf(v *kir.Value) flops {
	var n int64
	if v.Type != kir.F32 && v.Type != kir.F64 || v.Op == kir.OpMMA { // tensor cores have a peak of their own
		return flops{}
	}
	c := costs[v.Op][column(v.Type)]
	switch {
	case v.Op == kir.OpAdd || v.Op == kir.OpSub || v.Op == kir.OpMul:
		n = 1
	case v.Op == kir.OpFma || v.Op == kir.OpDiv || v.Op == kir.OpSqrt || v.Op.IsElementary():
		n = 2 * int64(c.count)
	}
	if c.unit == UnitFP32 {
		return flops{f32: n}
	}
	return flops{f64: n}
}

// PeakFlops is what the floating-point unit u of all SMs can do a second: an fma in each lane, whenever
// it takes one, and a product in each of the Multipliers.
func (p *Preset) PeakFlops(u Unit) float64 {
	if p.Units[u].Lanes == 0 { // the machine has no such unit
		return 0
	}
	peak := 2 * float64(p.SMs*p.Schedulers*p.WarpSize) * float64(p.ClockMHz) * 1e6 / float64(p.Interval(u))
	if u == UnitFP32 {
		peak += float64(p.SMs*p.Multipliers) * float64(p.ClockMHz) * 1e6
	}
	return peak
}
