package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestBottleneck: of a kernel of 1,000 cycles at 1 GHz on 10 SMs of one scheduler, 1 µs: what is busiest is named, and
// what is left of the time when it is removed follows from the next busiest.
func TestBottleneck(t *testing.T) {
	for want, of := range map[string]struct {
		issued, busy, long, short, empty int64 // of 100
		bytes                            int64 // of the 1,000 that memory moves at most
		conflicts                        int64 // of 100: extra passes over shared memory, of the cycles of each SM
	}{
		"Memory bandwidth holds it back: 90 % of the peak. Fewer bytes would save up to 70 % of the 1 µs, down to 300 ns, where the rate of instructions":                                                                                          {20, 10, 70, 0, 0, 900, 0},
		"The rate of instructions holds it back: schedulers issue, or wait for a busy unit, in 80 % of their cycles. Fewer or cheaper ones would save up to 90 % of the 1 µs, down to 100 ns, where memory bandwidth":                              {50, 30, 20, 0, 0, 100, 0},
		"Latency holds it back: warps wait for memory or at a barrier in 70 % of the cycles, while memory moves at 40 % of its peak. More warps, or more loads of each, would save up to 60 % of the 1 µs, down to 400 ns, where memory bandwidth": {10, 10, 70, 5, 5, 400, 0},
		"Dependent instructions hold it back: warps wait for an earlier result in 60 %":                                                                                                                                                            {30, 0, 10, 60, 0, 100, 0},
		"There is too little to do: schedulers have no warp in 50 % of the cycles. With more blocks, or blocks of equal work, the device could do up to 2 times":                                                                                   {20, 0, 20, 10, 50, 100, 0},
		"Bank conflicts hold it back: extra passes keep shared memory busy in 75 % of the cycles. Lanes that read different banks, as with rows of one element more, would save up to 90 % of the 1 µs, down to 100 ns, where memory":              {5, 40, 10, 10, 35, 100, 75},
		// atomics on one element (a counter of all threads on a GTX 480)
		"Busy units hold it back: warps wait for one in 65 % of the cycles, and schedulers issue in 5 %. Scattered accesses, atomics on one element, divisions and float64 keep units busy longest; Lines() says at which line. Without that it would take up to 90 % less of the 1 µs, down to 100 ns, where memory": {5, 65, 25, 4, 1, 100, 0},
		// nothing is busy for three fifths, and hardly anybody waits (a counter in shared memory there)
		"The rate of instructions holds it back: schedulers issue, or wait for a busy unit, in 52 %": {38, 50, 4, 4, 4, 240, 36},
		"There is too little to do: schedulers have no warp in 90 %":                                 {5, 0, 0, 5, 90, 10, 40}, // and few passes beside that
	} {
		s := &trace.KernelStats{Cycles: 1000, SMs: 10, Schedulers: 1, ClockHz: 1e9, DRAMBytes: of.bytes, PeakBandwidth: 1e9}
		s.Issued[trace.IssueBins-1] = 100 * of.issued
		s.BankConflicts = 100 * of.conflicts
		s.Stalls = [trace.NumStalls]int64{trace.StallPipeline: 100 * of.busy, trace.StallLong: 100 * of.long, trace.StallShort: 100 * of.short, trace.StallEmpty: 100 * of.empty}
		assert.Contains(t, bottleneck(s, trace.Microsecond), want)
		bar := cyclesBar(s)
		assert.Contains(t, bar, "#009E73")
	}
	assert.Empty(t, bottleneck(nil, 1))
	assert.Empty(t, bottleneck(&trace.KernelStats{}, 1))
}

// TestBottleneckOfFewLanes: where lanes are idle, the sentence on instructions says so.
func TestBottleneckOfFewLanes(t *testing.T) {
	s := &trace.KernelStats{Cycles: 1000, SMs: 10, Schedulers: 1, ClockHz: 1e9, PeakBandwidth: 1e9, WarpSize: 32, WarpInstructions: 9000, ThreadInstructions: 9000 * 16}
	s.Issued[trace.IssueBins-1] = 9000
	assert.Contains(t, bottleneck(s, trace.Microsecond), "in 90 % of their cycles, and 50 % of the lanes take part. Fewer")
	s.ThreadInstructions *= 2
	assert.Contains(t, bottleneck(s, trace.Microsecond), "in 90 % of their cycles. Fewer")
}
