package simgpu

import (
	"fmt"
	"sort"
	"strings"
)

const kib, mib = 1 << 10, 1 << 20

// presets holds every machine by name. Where a figure comes from:
//
//	[W]  NVIDIA, Tesla V100 GPU Architecture, white paper WP-08608-001 and the V100 data sheet
//	[C]  NVIDIA, CUDA C++ Programming Guide, compute capability 7.0; occupancy calculator
//	[J]  Jia, Maggioni, Staiger, Scarpazza: Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, 2018
//	[G]  GPGPU-Sim 4, tested configurations SM7_QV100 and SM7_TITANV
//	[A]  assumption; nothing was calibrated on a card
var presets = map[string]Preset{"v100": v100, "tiny": tiny()}

var v100 = Preset{
	Name:  "v100",
	Title: "Tesla V100 SXM2 16 GB (simulated)",

	SMs:        80,   // [W]
	ClockMHz:   1530, // boost [W]
	WarpSize:   32,
	Schedulers: 4, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the eight below
	MaxThreadsPerSM:    2048,
	MaxBlocksPerSM:     32,
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535},

	Registers:             65536,
	MaxRegistersPerThread: 255,
	RegisterUnit:          256,
	WarpUnit:              4,
	SharedPerSM:           96 * kib,
	SharedPerBlock:        48 * kib, // without the opt-in that a driver call gives
	SharedUnit:            256,

	// Lanes per scheduler 16, 16, 8, 4 and 8 [W] give the intervals.
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 4, Interval: 2}, // [J]
		UnitFP32:    {Latency: 4, Interval: 2}, // [J]
		UnitFP64:    {Latency: 8, Interval: 4}, // [J]
		UnitSpecial: {Latency: 21, Interval: 8},
		UnitMemory:  {Latency: 4, Interval: 4}, // the latencies of loads are below
		UnitControl: {Latency: 7, Interval: 2}, // [A]
	},

	SharedBanks:    32, // [C]
	SharedLatency:  20, // [G]; [J] measured 19
	BarrierLatency: 10, // [A]

	UnifiedBytes:    128 * kib,                                                 // [W]
	SharedCarveouts: []int{0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 96 * kib}, // [C]
	L1Ways:          4,                                                         // [J]
	L1Latency:       28,                                                        // [J]
	PendingAccesses: 256,                                                       // [A]

	L2Bytes:      6 * mib, // [W]
	L2Ways:       24,      // [G]
	L2Banks:      64,      // [G]
	L2Latency:    165,     // [J]: a hit takes 193 in all
	DRAMLatency:  250,     // [G], rounded: a miss takes 443 in all
	DRAMChannels: 32,      // [G]
	DRAMPeak:     900e9,   // [W]
	DRAMShare:    0.92,    // [A]: what STREAM programs reach of HBM2

	MemoryBytes: 16 << 30, // [W]

	PinnedRate:    12e9, // PCIe 3.0 x16 gives 15.75e9 before its protocol [A]
	PageableRate:  55e8, // staged through one host core's memcpy [A]
	CopyLatency:   6000, // [A]
	SubmitTime:    2000, // [A]
	LaunchLatency: 3300, // [G]: 5000 cycles
	LaunchGap:     1000, // [A]
}

// tiny is for lessons on paging and for tests: two SMs of a V100 with 16 MB, and everything that SMs share in proportion.
func tiny() Preset {
	p := v100
	p.Name, p.Title = "tiny", "teaching GPU with 2 SMs and 16 MB (simulated)"
	p.SMs = 2
	p.L2Bytes = 192 * kib
	p.L2Banks = 2
	p.DRAMChannels = 1
	p.DRAMPeak = 225e8
	p.MemoryBytes = 16 * mib
	return p
}

// Names returns the names that Open takes, sorted: "sim:tiny", "sim:v100".
func Names() []string {
	var names []string
	for n := range presets {
		names = append(names, "sim:"+n)
	}
	sort.Strings(names)
	return names
}

// PresetByName returns the preset of the given name, with or without "sim:". An unknown name's error lists those there are.
func PresetByName(name string) (Preset, error) {
	p, ok := presets[strings.TrimPrefix(name, "sim:")]
	if !ok {
		return Preset{}, fmt.Errorf("there is no simulated GPU %q; there are %s", name, strings.Join(Names(), ", "))
	}
	p.SharedCarveouts = append([]int(nil), p.SharedCarveouts...)
	return p, nil
}
