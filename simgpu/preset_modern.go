package simgpu

var p100 = Preset{
	Name:       "p100",
	Title:      "Tesla P100 SXM2 16 GB (simulated)",
	Capability: "6.0",

	SMs:        56,   // [W]
	ClockMHz:   1480, // boost [W]
	WarpSize:   32,
	Schedulers: 2, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the eleven below
	MaxThreadsPerSM:    2048,
	MaxBlocksPerSM:     32,
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535},

	Registers:             65536,
	MaxRegistersPerThread: 255,
	RegisterUnit:          256,
	WarpUnit:              2,
	SharedPerSM:           64 * kib,
	SharedPerBlock:        48 * kib,
	SharedUnit:            256,

	// Lanes per scheduler 32, 16 and 8 [W].
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 6, Lanes: 32}, // [J]: most instructions take 6 on Pascal
		UnitFP32:    {Latency: 6, Lanes: 32}, // [J]
		UnitFP64:    {Latency: 8, Lanes: 16}, // [G], of TITAN X
		UnitSpecial: {Latency: 20, Lanes: 8},
		UnitMemory:  {Latency: 6, Lanes: 16}, // as many as 32 banks serve, each a word in a cycle [C]
		UnitControl: {Latency: 8, Lanes: 32}, // [A]
	},
	IntOnFP32:   true, // [W]: a core has one port for both
	IntMultiply: 3,    // three XMAD [C]

	ConstBytes: 4 * kib, // [C]
	ConstWays:  4,       // [A]

	SharedBanks:    32,  // [C]
	SharedLatency:  24,  // [G], of TITAN X
	BarrierLatency: 12,  // [A]
	BarrierArrival: 1,   // [C]
	BlockLatency:   370, // [A], as on Volta

	UnifiedBytes:    88 * kib, // 64 KB shared and 24 KB L1 beside it [W]
	SharedCarveouts: []int{64 * kib},
	L1Ways:          4,    // [A]
	L1Latency:       82,   // [J]
	L1Replay:        true, // [T]
	PendingAccesses: 256,  // [A]

	L2Bytes:        4 * mib, // [W]
	L2Ways:         16,      // [G], of TITAN X
	L2Banks:        32,      // [A]: four for each memory controller
	L2PartialWrite: 3,       // [T]
	L2Atomic:       5,       // [Y]
	L2Latency:      152,     // [J]: a hit takes 234 in all
	DRAMLatency:    250,     // [A], as on V100
	DRAMLoaded:     520,     // [A], as on V100: 350 ns
	DRAMChannels:   32,      // four stacks of eight [W]
	DRAMPeak:       732e9,   // [W]
	DRAMShare:      0.75,    // [A]: about 550 GB/s

	MemoryBytes: 16 * gib, // [W]

	PinnedRate:    12e9, // PCIe 3.0 x16 gives 15.75e9 before its protocol [A]
	PageableRate:  46e8, // 4.4 to 4.8 GB/s follow from the times of Offload Annotations, VLDB 2020
	CopyLatency:   6000, // [A], as the three below
	SubmitTime:    2000,
	LaunchLatency: 3400,
	LaunchGap:     1000,
	GraphGap:      600, // [A]

	PageBytes:  64 * kib, // [A]: what NVIDIA's driver moves at least on x86
	FaultTime:  20000,    // Zheng et al., Towards high performance paged memory for GPUs, 2016: 20 to 50
	FaultBatch: 256,      // [A]: the default of NVIDIA's driver
}

var v100 = Preset{
	Name:  "v100",
	Title: "Tesla V100 SXM2 16 GB (simulated)",

	Capability: "7.0",

	SMs:        80,   // [W]
	ClockMHz:   1530, // boost [W]
	WarpSize:   32,
	Schedulers: 4, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the nine below
	MaxThreadsPerSM:    2048,
	MaxBlocksPerSM:     32,
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535},

	Registers:             65536,
	MaxRegistersPerThread: 255,
	RegisterUnit:          256,
	WarpUnit:              4,
	SharedPerSM:           96 * kib,
	SharedPerBlock:        48 * kib,
	SharedOptIn:           96 * kib,
	SharedUnit:            256,

	// Lanes per scheduler 16, 16, 8, 4 and 8 [W].
	TensorRate: 512, // 8 tensor cores, 64 each [W]
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 4, Lanes: 16}, // [J]
		UnitFP32:    {Latency: 4, Lanes: 16}, // [J]
		UnitFP64:    {Latency: 8, Lanes: 8},  // [J]
		UnitSpecial: {Latency: 21, Lanes: 4},
		UnitMemory:  {Latency: 4, Lanes: 8},  // the latencies of loads are below
		UnitControl: {Latency: 7, Lanes: 16}, // [A]
	},

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // [J]

	SharedBanks:    32,   // [C]
	SharedLatency:  20,   // [G]; [J] measured 19
	SharedPairs:    true, // [F]
	BarrierLatency: 10,   // [A]
	BarrierArrival: 2,    // [C]: 16 threads a cycle
	BlockLatency:   370,  // [E], from blocks of 64 threads that write

	UnifiedBytes:    128 * kib,                                                 // [W]
	SharedCarveouts: []int{0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 96 * kib}, // [C]
	L1Ways:          4,                                                         // [J]
	L1Latency:       28,                                                        // [J]
	L1Tags:          4,                                                         // [E]
	L1Replay:        true,                                                      // [T]
	L1Port:          2,                                                         // [E]
	MemoryQueue:     16,                                                        // [H]: four of each scheduler
	PendingAccesses: 256,                                                       // [A]

	L2Bytes:        6 * mib, // [W]
	L2Ways:         24,      // [G]
	L2Banks:        64,      // [G]
	L2PartialWrite: 4,       // [T]
	L2Atomic:       5,       // [Y]
	L2Latency:      165,     // [J]: a hit takes 193 in all
	DRAMLatency:    250,     // [G], rounded: a miss takes 443 in all
	DRAMLoaded:     535,     // [E]: 350 ns, from reads of 64 to 1024 threads
	DRAMChannels:   32,      // [G]
	DRAMPeak:       900e9,   // [W]
	DRAMShare:      0.92,    // [A]: what STREAM programs reach of HBM2

	MemoryBytes: 16 << 30, // [W]

	PinnedRate:    12e9, // PCIe 3.0 x16 gives 15.75e9 before its protocol [A]
	PageableRate:  55e8, // staged through one host core's memcpy [A]
	CopyLatency:   6000, // [A]
	SubmitTime:    2000, // [A]
	LaunchLatency: 3300, // [G]: 5000 cycles
	LaunchGap:     1000, // [A]
	GraphGap:      500,  // A. Gray, Getting started with CUDA graphs, 2019: kernels of 2.9 take 3.4 each

	PageBytes:  64 * kib, // [A]: what NVIDIA's driver moves at least on x86
	FaultTime:  20000,    // Zheng et al., Towards high performance paged memory for GPUs, 2016: 20 to 50
	FaultBatch: 256,      // [A]: the default of NVIDIA's driver
}

// tiny is for lessons on paging and for tests: two SMs of a V100 with 16 MB, and everything that SMs share in
// proportion.
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

var a100 = Preset{
	Name:       "a100",
	Title:      "A100 SXM4 40 GB (simulated)",
	Capability: "8.0",

	SMs:        108,  // [W]
	ClockMHz:   1410, // boost [W]
	WarpSize:   32,
	Schedulers: 4, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the thirteen below
	MaxThreadsPerSM:    2048,
	MaxBlocksPerSM:     32,
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535},

	Registers:             65536,
	MaxRegistersPerThread: 255,
	RegisterUnit:          256,
	WarpUnit:              4,
	SharedPerSM:           164 * kib,
	SharedPerBlock:        48 * kib,
	SharedOptIn:           163 * kib,
	SharedReserved:        1 * kib,
	SharedUnit:            128,

	// Lanes per scheduler 16, 16, 8, 4 and 8 [W].
	TensorRate: 1024, // 4 tensor cores, 256 each [W]
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 4, Lanes: 16}, // as on Volta [J]
		UnitFP32:    {Latency: 4, Lanes: 16},
		UnitFP64:    {Latency: 8, Lanes: 8},
		UnitSpecial: {Latency: 21, Lanes: 4},
		UnitMemory:  {Latency: 4, Lanes: 8},
		UnitControl: {Latency: 7, Lanes: 16}, // [A]
	},

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // [A]

	SharedBanks:    32,   // [C]
	SharedLatency:  23,   // Abdelkhalik et al., Demystifying the Ampere architecture, 2022
	SharedPairs:    true, // [F]
	BarrierLatency: 10,   // [A]
	BarrierArrival: 2,    // [C]: 16 threads a cycle
	BlockLatency:   345,  // [E]

	UnifiedBytes:    192 * kib,                                                                        // [W]
	SharedCarveouts: []int{0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 100 * kib, 132 * kib, 164 * kib}, // [C]
	L1Ways:          4,                                                                                // [A], as on Volta
	L1Latency:       33,                                                                               // Abdelkhalik et al.
	L1Tags:          4,                                                                                // [E]
	L1Replay:        true,                                                                             // [T]
	L1Port:          2,                                                                                // [E]
	MemoryQueue:     16,                                                                               // [H]: four of each scheduler
	PendingAccesses: 256,                                                                              // [A]

	L2Bytes:        40 * mib, // [W]
	L2Ways:         16,       // [A]
	L2Banks:        160,      // [W]: 5120 bytes a cycle
	L2PartialWrite: 4,        // [T], of 4096² by blocks of 16 x 16
	L2Atomic:       5,        // [Y]
	L2Latency:      167,      // Abdelkhalik et al.: a hit takes 200 in all
	L2Far:          213,      // [E]: beyond 20 MB a hit takes 426 in all, before 213
	DRAMLatency:    370,      // [E]: a miss takes 572 in all
	DRAMLoaded:     490,      // [E]: 350 ns, from reads of 64 to 1024 threads
	DRAMChannels:   40,       // five stacks of eight [W]
	DRAMPeak:       1555e9,   // [W]
	DRAMShare:      0.9,      // [A]: what STREAM programs reach

	MemoryBytes: 40 * gib, // [W]

	PinnedRate:    24e9, // PCIe 4.0 x16 gives 31.5e9 before its protocol [A]
	PageableRate:  9e9,  // [A], as the four below
	CopyLatency:   5000,
	SubmitTime:    2000,
	LaunchLatency: 3000,
	LaunchGap:     1000,
	GraphGap:      500, // [A]

	PageBytes:  64 * kib, // [A]: what NVIDIA's driver moves at least on x86
	FaultTime:  20000,    // Zheng et al., Towards high performance paged memory for GPUs, 2016: 20 to 50
	FaultBatch: 256,      // [A]: the default of NVIDIA's driver
}

var h200 = Preset{
	Name:       "h200",
	Title:      "H200 SXM5 141 GB (simulated)",
	Capability: "9.0",

	SMs:        132,  // [W]
	ClockMHz:   1980, // boost [W]
	WarpSize:   32,
	Schedulers: 4, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the thirteen below
	MaxThreadsPerSM:    2048,
	MaxBlocksPerSM:     32,
	MaxGrid:            [3]int{1<<31 - 1, 65535, 65535},

	Registers:             65536,
	MaxRegistersPerThread: 255,
	RegisterUnit:          256,
	WarpUnit:              4,
	SharedPerSM:           228 * kib,
	SharedPerBlock:        48 * kib,
	SharedOptIn:           227 * kib,
	SharedReserved:        1 * kib,
	SharedUnit:            128,

	// Lanes per scheduler 16, 32, 16, 4 and 8 [W].
	TensorRate: 2048, // 4 tensor cores, 512 each: 989 Tflop/s of H100 [W]
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 4, Lanes: 16}, // [A], as on Volta
		UnitFP32:    {Latency: 4, Lanes: 32},
		UnitFP64:    {Latency: 8, Lanes: 16},
		UnitSpecial: {Latency: 21, Lanes: 4},
		UnitMemory:  {Latency: 4, Lanes: 8},
		UnitControl: {Latency: 7, Lanes: 16},
	},

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // [A]

	SharedBanks:    32,   // [C]
	SharedLatency:  29,   // Luo et al., Benchmarking and dissecting the NVIDIA Hopper GPU architecture, 2024
	SharedPairs:    true, // [F]
	BarrierLatency: 10,   // [A]
	BarrierArrival: 2,    // [C]: 16 threads a cycle
	BlockInterval:  1,    // [E]: 1.65 blocks of 32, 64 and 128 threads in a nanosecond
	BlockLatency:   415,  // [E], at 1755 MHz

	UnifiedBytes: 256 * kib, // [W]
	SharedCarveouts: []int{0, 8 * kib, 16 * kib, 32 * kib, 64 * kib, 100 * kib, 132 * kib, 164 * kib, 196 * kib,
		228 * kib}, // [C]
	L1Ways:          4,    // [A], as on Volta
	L1Latency:       32,   // Luo et al.
	L1Tags:          4,    // [E]
	L1Replay:        true, // [T]
	L1Port:          2,    // [E]
	MemoryQueue:     16,   // [H]: four of each scheduler
	PendingAccesses: 256,  // [A]

	L2Bytes:        50 * mib, // [W]
	L2Ways:         16,       // [A]
	L2Banks:        160,      // [E]: 10 TB/s
	L2PartialWrite: 3,        // [T], of a H100
	L2Atomic:       5,        // [Y]
	L2Latency:      232,      // Luo et al., H100: a hit takes 264 in all
	L2Far:          210,      // [E], of an H100: beyond 22 MB a hit takes 475 in all, before 265
	DRAMLatency:    382,      // [E], of an H100: a miss takes 648 in all
	DRAMLoaded:     790,      // [E]: 400 ns, from reads of 64 to 1024 threads
	DRAMTurns:      1390,     // [E]: 700 ns more, from a = 1.2·b of as many
	DRAMChannels:   48,       // six stacks of eight [W]
	DRAMPeak:       4800e9,   // [W]
	DRAMShare:      0.81,     // [E], of reads: 3890 GB/s

	MemoryBytes: 141e9, // [W]

	PinnedRate:    55e9, // PCIe 5.0 x16 gives 63e9 before its protocol [A]
	PageableRate:  12e9, // [A], as the four below
	CopyLatency:   5000,
	SubmitTime:    2000,
	LaunchLatency: 3000,
	LaunchGap:     1000,
	GraphGap:      500, // [A]

	PageBytes:  64 * kib, // [A]: what NVIDIA's driver moves at least on x86
	FaultTime:  20000,    // Zheng et al., Towards high performance paged memory for GPUs, 2016: 20 to 50
	FaultBatch: 256,      // [A]: the default of NVIDIA's driver
}
