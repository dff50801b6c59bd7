package calibrate

import (
	"math"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// resolution is how sure a figure is: where a preset's is as near as that, it stands.
const resolution = 0.02

// row says what a preset has for a figure, and changes the preset to have another. Rows stand in the order in which
// they may be set: the latency of DRAM is what a load takes, less those of L1 and L2 and the way through a channel,
// whose width the bandwidth gives.
type row struct {
	figure string
	of     func(p *simgpu.Preset) float64
	set    func(p *simgpu.Preset, v float64) // nil where the model has no field for it alone
}

var rows = []row{
	{"latency of L1", func(p *simgpu.Preset) float64 { return float64(p.L1Latency) }, func(p *simgpu.Preset, v float64) { p.L1Latency = round(v) }},
	{"latency of L2", fromL2, func(p *simgpu.Preset, v float64) { p.L2Latency += round(v - fromL2(p)) }},
	{"bandwidth of DRAM", func(p *simgpu.Preset) float64 { return float64(p.DRAMPeak) * p.DRAMShare }, func(p *simgpu.Preset, v float64) {
		p.DRAMPeak = max(p.DRAMPeak, int64(math.Round(v)))
		p.DRAMShare = min(1, v/float64(p.DRAMPeak))
	}},
	{"latency of DRAM", fromDRAM, func(p *simgpu.Preset, v float64) { p.DRAMLatency += round(v - fromDRAM(p)) }},
	{"latency of shared memory", func(p *simgpu.Preset) float64 { return float64(p.SharedLatency) }, func(p *simgpu.Preset, v float64) { p.SharedLatency = round(v) }},
	{"cycles of a bank conflict", func(*simgpu.Preset) float64 { return 1 }, nil},
	{"rate of fma", func(p *simgpu.Preset) float64 { return 2 * rate(p, simgpu.UnitFP32) }, interval(simgpu.UnitFP32, 2)},
	{"rate of special functions", func(p *simgpu.Preset) float64 { return rate(p, simgpu.UnitSpecial) }, interval(simgpu.UnitSpecial, 1)},
	{"rate of fma in f64", func(p *simgpu.Preset) float64 { return 2 * rate(p, simgpu.UnitFP64) }, interval(simgpu.UnitFP64, 2)},
	{"launch on an idle stream", func(p *simgpu.Preset) float64 { return float64(p.SubmitTime + p.LaunchLatency) }, func(p *simgpu.Preset, v float64) {
		p.SubmitTime = min(p.SubmitTime, int64(math.Round(v)))
		p.LaunchLatency = int64(math.Round(v)) - p.SubmitTime
	}},
	{"launch after a launch", func(p *simgpu.Preset) float64 { return float64(p.LaunchGap) }, func(p *simgpu.Preset, v float64) { p.LaunchGap = int64(math.Round(v)) }},
	{"pinned copies to the device", pinnedRate, func(p *simgpu.Preset, v float64) { p.PinnedRate = int64(math.Round(v)) }},
	{"before the first byte of a copy", func(p *simgpu.Preset) float64 { return float64(p.CopyLatency) }, func(p *simgpu.Preset, v float64) { p.CopyLatency = int64(math.Round(v)) }},
	{"pinned copies to the host", pinnedRate, nil}, // the model's links are as fast both ways
	{"pageable copies to the device", pageableRate, func(p *simgpu.Preset, v float64) { p.PageableRate = int64(math.Round(v)) }},
	{"pageable copies to the host", pageableRate, nil},
	{"latency of an atomic", fromAtomic, nil},
}

func pinnedRate(p *simgpu.Preset) float64   { return float64(p.PinnedRate) }
func pageableRate(p *simgpu.Preset) float64 { return float64(p.PageableRate) }

// fromL2 is what a load of one thread takes that L2 has: its sectors pass a bank, one a cycle.
func fromL2(p *simgpu.Preset) float64 {
	return float64(p.L1Latency+p.L2Latency) + sectors(p)
}

// fromDRAM is what it takes when L2 has it not: the sectors pass a channel too.
func fromDRAM(p *simgpu.Preset) float64 {
	return float64(p.L1Latency+p.L2Latency+p.DRAMLatency) + 1 + max(sectors(p)-1+channel(p), sectors(p)*channel(p))
}

// fromAtomic is what an exchange takes: at the banks of L2, or, without one, through a channel.
func fromAtomic(p *simgpu.Preset) float64 {
	if p.L2Bytes == 0 {
		return float64(p.L1Latency+p.L2Latency) + 1 + channel(p)
	}
	return float64(p.L1Latency+p.L2Latency) + 1
}

// channel is the cycles in which a channel moves a sector.
func channel(p *simgpu.Preset) float64 {
	const sectorBytes = 32
	return sectorBytes * float64(p.DRAMChannels) * float64(p.ClockMHz) * 1e6 / (float64(p.DRAMPeak) * p.DRAMShare)
}

// sectors is how many move for one thread's load of the first word of a line.
func sectors(p *simgpu.Preset) float64 {
	// the whole line; half a warp's block of words
	if p.Coalescing == simgpu.Lines || p.Coalescing == simgpu.HalfWarpInOrder {
		return 4
	}
	return 1
}

// rate is how many operations a second the lanes of all units of a kind begin.
func rate(p *simgpu.Preset, u simgpu.Unit) float64 {
	return float64(p.SMs*p.Schedulers*p.WarpSize) / float64(p.Interval(u)) * float64(p.ClockMHz) * 1e6
}

// interval sets how often a unit takes a warp, of operations that count as so many.
func interval(u simgpu.Unit, each float64) func(p *simgpu.Preset, v float64) {
	return func(p *simgpu.Preset, v float64) {
		p.Units[u].Lanes = float64(p.WarpSize) / float64(max(1, round(each*rate(p, u)*float64(p.Interval(u))/v)))
	}
}

func round(v float64) int { return int(math.Round(v)) }

// Of returns what p has for the figure of the given name, in its unit; false of a name that no figure has.
func Of(p simgpu.Preset, figure string) (value float64, ok bool) {
	for _, r := range rows {
		if r.figure == figure {
			return r.of(&p), true
		}
	}
	return 0, false
}

// Preset returns base with the limits of a device and with the figures that were measured on it, where they are more
// than 2 % off those that base has. What neither says (latencies of instructions, sizes of caches) is as in base. The
// error is that of simgpu.Preset.Check.
func Preset(base simgpu.Preset, d device.Properties, figures []Figure) (simgpu.Preset, error) {
	p := base
	p.Title = d.Name
	p.SMs, p.WarpSize, p.ClockMHz = d.SMs, d.WarpSize, int64(math.Round(d.ClockHz/1e6))
	p.MaxThreadsPerBlock, p.MaxThreadsPerSM, p.MaxBlocksPerSM = d.MaxThreadsPerBlock, d.MaxThreadsPerSM, d.MaxBlocksPerSM
	p.Registers, p.SharedPerSM, p.SharedOptIn = d.RegistersPerSM, d.SharedPerSM, d.SharedPerBlock
	p.SharedPerBlock, p.SharedReserved = min(p.SharedPerBlock, p.SharedOptIn), min(p.SharedReserved, p.SharedPerSM-p.SharedOptIn)
	p.UnifiedBytes = max(p.UnifiedBytes, p.SharedPerSM)
	p.MemoryBytes, p.DRAMPeak = d.MemoryBytes, int64(d.MemoryBandwidth)
	value := map[string]float64{}
	for _, f := range figures {
		if f.Why == "" {
			value[f.Name] = f.Value
		}
	}
	for _, r := range rows {
		v, measured := value[r.figure]
		if has := r.of(&p); measured && r.set != nil && math.Abs(v-has) > resolution*has {
			r.set(&p, v)
		}
	}
	return p, p.Check()
}
