package calibrate_test

import (
	"context"
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/simgpu/calibrate"
)

// The microbenchmarks give back what a preset says, within 2 %; what a machine does not have is said to be missing.
func TestTheModelGivesItsPresetBack(t *testing.T) {
	for i, name := range []string{"g80", "gtx280", "gtx480", "p100", "v100", "a100", "h200"} {
		if !testsize.Part(i, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p, err := simgpu.PresetByName(name)
			if err != nil {
				t.Fatal(err)
			}
			g := simgpu.New(p, simgpu.Full())
			defer g.Close()
			got, err := calibrate.Run(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			lanes := func(u simgpu.Unit) float64 {
				return float64(p.SMs*p.Schedulers*p.WarpSize) / float64(p.Interval(u)) * float64(p.ClockMHz) * 1e6
			}
			l2 := float64(p.L1Latency + p.L2Latency)
			load := l2
			if p.Coalescing == simgpu.Lines { // a load of one word waits for the four sectors of its line, one a cycle
				load += 3
			}
			dram, atomic := load+float64(p.DRAMLatency), l2
			// narrow channels: a sector takes one two cycles, and a block of 16 words on the first machine is four
			if p.L2Bytes == 0 {
				dram += map[bool]float64{true: 7, false: 2}[p.Coalescing == simgpu.HalfWarpInOrder]
				atomic += 2
			}
			want := map[string]float64{
				"latency of L1":                   float64(p.L1Latency),
				"latency of L2":                   load,
				"latency of DRAM":                 dram,
				"bandwidth of DRAM":               float64(p.DRAMPeak) * p.DRAMShare,
				"latency of shared memory":        float64(p.SharedLatency),
				"cycles of a bank conflict":       1,
				"rate of fma":                     2 * lanes(simgpu.UnitFP32),
				"rate of fma in f64":              2 * lanes(simgpu.UnitFP64),
				"rate of special functions":       lanes(simgpu.UnitSpecial),
				"launch on an idle stream":        float64(p.SubmitTime + p.LaunchLatency),
				"launch after a launch":           float64(p.LaunchGap),
				"pinned copies to the device":     float64(p.PinnedRate),
				"pinned copies to the host":       float64(p.PinnedRate),
				"before the first byte of a copy": float64(p.CopyLatency),
				"pageable copies to the device":   float64(p.PageableRate),
				"pageable copies to the host":     float64(p.PageableRate),
				"latency of an atomic":            atomic,
			}
			if p.L2Bytes == 0 { // nor L1 and atomics, which came with it
				for _, none := range []string{"latency of L1", "latency of L2"} {
					want[none] = 0
				}
				if p.Capability == "1.0" { // atomics came with 1.1
					want["latency of an atomic"] = 0
				}
			}
			for _, f := range got {
				w, ok := want[f.Name]
				if has, known := calibrate.Of(p, f.Name); !known || f.Why == "" && math.Abs(has-f.Value) > 0.02*has {
					t.Errorf("%v: a preset is said to have %v", f, has)
				}
				if (w == 0) != (f.Why != "") {
					t.Errorf("%v: want %v", f, w)
				}
				if !ok {
					t.Errorf("nothing is known of %v", f)
				} else if math.Abs(f.Value-w) > 0.02*w {
					t.Errorf("%v: the preset has %.5g", f, w)
				}
				delete(want, f.Name)
			}
			for name := range want {
				t.Errorf("%s was not measured", name)
			}
		})
	}
}
