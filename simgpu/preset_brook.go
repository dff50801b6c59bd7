package simgpu

// The machines of Brook for GPUs: fragment programs, which have no shared memory and share nothing. [U] has what they
// multiply and read of textures in a second, and how large a call must be. Nothing is known to us of how many
// fragments are in flight, of caches and latencies.
//
// What memory instructions take is fitted to what textures of floats gave; SubmitTime and LaunchLatency to the size
// of a call at which computing takes as long as issuing it does: 650,000 floating-point operations of 43 products and
// sums on the first, 1,200,000 on the other, of which the paper has 750,000 and 2,000,000 by two drivers.
var nv40 = Preset{
	Name:  "nv40",
	Title: "GeForce 6800 of Brook for GPUs, 2004 (simulated)",

	SMs:        4,   // [A]: a scheduler stands for a quad pipeline, which takes a warp of fragments
	ClockMHz:   350, // [U]
	WarpSize:   32,  // [A], as the three below
	Schedulers: 1,

	MaxThreadsPerBlock: 256,
	MaxThreadsPerSM:    1024,
	MaxBlocksPerSM:     4,                               // [A]
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535}, // one quad of any size

	Registers:             65536, // [A], as the three below
	MaxRegistersPerThread: 128,
	RegisterUnit:          64,
	WarpUnit:              1,
	SharedUnit:            512, // there is no shared memory

	Units: [NumUnits]UnitTiming{ // 44.8e9 products a second in 16 pipelines; measured 40e9 [U]
		UnitInt:     {Latency: 8, Lanes: 32},
		UnitFP32:    {Latency: 8, Lanes: 32},
		UnitFP64:    {Latency: 240, Lanes: 0.4}, // [A]: there is none; integer instructions would take about 80
		UnitSpecial: {Latency: 16, Lanes: 8},    // [A]
		UnitMemory:  {Latency: 8, Lanes: 0.857}, // 1.2e9 floats of textures a second [U]
		UnitControl: {Latency: 8, Lanes: 16},    // [A]
	},
	IntOnFP32: true,

	SharedBanks:   16, // of nothing
	SharedLatency: 18,

	UnifiedBytes:    8 * kib, // [A], as the six below: of textures
	SharedCarveouts: []int{0},
	L1Ways:          4,
	L1Latency:       20,
	PendingAccesses: 128,
	L2Ways:          1,
	L2Banks:         4,
	L2Latency:       20,   // [A]
	DRAMLatency:     150,  // [A]
	DRAMChannels:    4,    // [A]
	DRAMPeak:        32e9, // 500 MHz [U], both edges, 256 bits
	DRAMShare:       0.85, // [A]

	MemoryBytes: 256 * mib, // [A]

	PinnedRate:    1e9, // [A]: AGP 8x gives 2.1e9, and back far less
	PageableRate:  8e8, // [A], as the one below
	CopyLatency:   20000,
	SubmitTime:    18700, // fitted to the size of a call of the paper [U], as the one below
	LaunchLatency: 18700,
	LaunchGap:     0, // [A]: the call itself is what takes long
}

var r420 = Preset{
	Name:  "r420",
	Title: "Radeon X800 XT Platinum Edition of Brook for GPUs, 2004 (simulated)",

	SMs:        4,   // [A]: a scheduler stands for a quad pipeline, which takes a warp of fragments
	ClockMHz:   520, // [A]
	WarpSize:   32,  // [A], as the three below
	Schedulers: 1,

	MaxThreadsPerBlock: 256,
	MaxThreadsPerSM:    1024,
	MaxBlocksPerSM:     4,                               // [A]
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535}, // one quad of any size

	Registers:             65536, // [A], as the three below
	MaxRegistersPerThread: 128,
	RegisterUnit:          64,
	WarpUnit:              1,
	SharedUnit:            512, // there is no shared memory

	Units: [NumUnits]UnitTiming{ // 33.3e9 products a second in 16 pipelines; measured 33e9 [U]
		UnitInt:     {Latency: 8, Lanes: 16},
		UnitFP32:    {Latency: 8, Lanes: 16},
		UnitFP64:    {Latency: 240, Lanes: 0.2}, // [A]: there is none; integer instructions would take about 80
		UnitSpecial: {Latency: 16, Lanes: 4},    // [A]
		UnitMemory:  {Latency: 8, Lanes: 2.163}, // 4.5e9 floats of textures a second [U]
		UnitControl: {Latency: 8, Lanes: 16},    // [A]
	},
	IntOnFP32: true,

	SharedBanks:   16, // of nothing
	SharedLatency: 18,

	UnifiedBytes:    8 * kib, // [A], as the six below: of textures
	SharedCarveouts: []int{0},
	L1Ways:          4,
	L1Latency:       20,
	PendingAccesses: 128,
	L2Ways:          1,
	L2Banks:         4,
	L2Latency:       20,     // [A]
	DRAMLatency:     150,    // [A]
	DRAMChannels:    4,      // [A]
	DRAMPeak:        3584e7, // [A]: 560 MHz, both edges, 256 bits
	DRAMShare:       0.85,   // [A]

	MemoryBytes: 256 * mib, // [A]

	PinnedRate:    1e9, // [A]: AGP 8x gives 2.1e9, and back far less
	PageableRate:  8e8, // [A], as the one below
	CopyLatency:   20000,
	SubmitTime:    36000, // fitted to the size of a call of the paper [U], as the one below
	LaunchLatency: 36000,
	LaunchGap:     0, // [A]: the call itself is what takes long
}
