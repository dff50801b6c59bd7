package simgpu

// The schedulers of the first machines run at half the clock of the lanes, and cycles here are theirs: an add takes 2
// cycles of a scheduler's unit, 4 of the lanes. [L] and [N] give what these comments do not; the costs of instructions
// are the CUDA Programming Guide's, 1.0.
var g80 = Preset{
	Name:       "g80",
	Title:      "GeForce 8800 Ultra 768 MB (simulated)",
	Capability: "1.0",

	SMs:        16,  // [L]
	ClockMHz:   750, // half of 1.5 GHz [L]
	WarpSize:   32,  // [L]
	Schedulers: 1,   // [L]

	MaxThreadsPerBlock: 512, // [L]
	MaxThreadsPerSM:    768, // [L]
	MaxBlocksPerSM:     8,   // [L]
	MaxGrid:            [3]int{65535, 65535, 1},

	Registers:             8192, // [C], as the six below
	MaxRegistersPerThread: 124,
	RegisterUnit:          256,
	WarpUnit:              2,
	RegistersByBlock:      true,
	SharedPerSM:           16 * kib,
	SharedPerBlock:        16 * kib,
	SharedUnit:            512,

	// 8 lanes, 2 special function units that give a result every clock of theirs [L].
	Units: [NumUnits]UnitTiming{
		UnitInt:  {Latency: 12, Lanes: 16}, // 24 clocks from an add to one that needs it: six warps hide it [C]
		UnitFP32: {Latency: 12, Lanes: 16},
		// There is none: nvcc made floats of doubles. Here doubles stay exact, and a program of integer instructions
		// would take about 40 for an operation [A].
		UnitFP64:    {Latency: 240, Lanes: 0.4},
		UnitSpecial: {Latency: 18, Lanes: 4},
		UnitMemory:  {Latency: 2, Lanes: 16},
		UnitControl: {Latency: 4, Lanes: 16}, // [A]
	},
	IntOnFP32:    true,
	MemoryOnFP32: true,     // [C]: a multiprocessor takes 4 clocks to issue a memory instruction or a barrier for a warp, as for a sum
	IntMultiply:  4,        // 16 clocks for 32 bits [C]
	Multipliers:  16,       // four in each special function unit [L], at twice the scheduler's clock: a warp takes two cycles
	Scheduling:   Oldest{}, // [A]: weighs age, type and fairness [L], by weights that are not published

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // [A], as Wong et al. found on a GT200

	Coalescing:     HalfWarpInOrder,
	SharedBanks:    16, // [C]: half a warp at a time
	SharedLatency:  18, // [A]: 36 clocks
	BarrierLatency: 2,  // [C]: 4 clocks
	BarrierArrival: 2,  // [C]: 8 threads in a clock of the lanes

	UnifiedBytes:    16 * kib, // no cache for loads and stores
	SharedCarveouts: []int{16 * kib},
	L1Ways:          1,
	L1Latency:       20,  // [A]: of the 400 to 600 clocks that an access takes [C], the way to the partitions
	PendingAccesses: 128, // [A]

	L2Ways:         1,
	L2Banks:        6,
	L2Latency:      30,       // [A]
	DRAMLatency:    200,      // [A]: 500 clocks of the lanes in all
	DRAMChannels:   6,        // [L]: 64 bits each
	PartitionBytes: 256,      // [R]
	DRAMPeak:       103.68e9, // [L]: 48 bytes, 1.08 GHz, both edges
	DRAMShare:      0.85,     // [A]

	MemoryBytes: 768 * mib, // [L]

	PinnedRate:    3e9,  // PCIe 1.1 x16 gives 4e9 before its protocol [A]
	PageableRate:  16e8, // [A], as the four below
	CopyLatency:   12000,
	SubmitTime:    5000,
	LaunchLatency: 10000,
	LaunchGap:     4000,

	LaneClock:   Ratio{2, 1}, // [L]
	CoreClock:   Ratio{4, 5}, // 600 MHz and 1.08 GHz [L]
	MemoryClock: Ratio{36, 25},
}

var gtx280 = Preset{
	Name:       "gtx280",
	Title:      "GeForce GTX 280 1 GB (simulated)",
	Capability: "1.3",

	SMs:        30,  // [W]
	ClockMHz:   648, // half of 1.296 GHz [W]
	WarpSize:   32,
	Schedulers: 1,

	MaxThreadsPerBlock: 512, // [C], as the eleven below
	MaxThreadsPerSM:    1024,
	MaxBlocksPerSM:     8,
	MaxGrid:            [3]int{65535, 65535, 1},

	Registers:             16384,
	MaxRegistersPerThread: 124,
	RegisterUnit:          512,
	WarpUnit:              2,
	RegistersByBlock:      true,
	SharedPerSM:           16 * kib,
	SharedPerBlock:        16 * kib,
	SharedUnit:            512,

	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 12, Lanes: 16}, // as on G80
		UnitFP32:    {Latency: 12, Lanes: 16},
		UnitFP64:    {Latency: 24, Lanes: 2}, // one lane an SM [W]
		UnitSpecial: {Latency: 18, Lanes: 4},
		UnitMemory:  {Latency: 2, Lanes: 16},
		UnitControl: {Latency: 4, Lanes: 16}, // [A]
	},
	IntOnFP32:    true,
	MemoryOnFP32: true, // [C]
	IntMultiply:  4,
	Multipliers:  16,

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // Wong et al., Demystifying GPU microarchitecture through microbenchmarking, 2010

	Coalescing:     HalfWarpSegments,
	SharedBanks:    16, // [C]
	SharedLatency:  18, // [A]
	SharedAtomic:   2,  // [A], as on Fermi
	BarrierLatency: 2,  // [C]
	BarrierArrival: 2,  // [C]: 8 threads in a clock of the lanes

	UnifiedBytes:    16 * kib,
	SharedCarveouts: []int{16 * kib},
	L1Ways:          1,
	L1Latency:       20,  // [A], as on G80
	PendingAccesses: 128, // [A]

	L2Ways:         1,
	L2Banks:        8,
	L2Latency:      30,     // [A]
	DRAMLatency:    170,    // Wong et al., Demystifying GPU microarchitecture, 2010: about 440 clocks of the lanes in all
	DRAMChannels:   8,      // [W]: 64 bits each
	PartitionBytes: 256,    // [R]
	DRAMPeak:       1417e8, // [W]
	DRAMShare:      0.85,   // [A]

	MemoryBytes: 1 * gib, // [W]

	PinnedRate:    55e8, // PCIe 2.0 x16 gives 8e9 before its protocol [A]
	PageableRate:  3e9,  // [A], as the four below
	CopyLatency:   10000,
	SubmitTime:    4000,
	LaunchLatency: 7000,
	LaunchGap:     3000,

	LaneClock:   Ratio{2, 1},     // [L]
	CoreClock:   Ratio{301, 324}, // 602 MHz and 1.107 GHz [W]
	MemoryClock: Ratio{41, 24},
}

var gtx480 = Preset{
	Name:       "gtx480",
	Title:      "GeForce GTX 480 1.5 GB (simulated)",
	Capability: "2.0",

	SMs:        15,  // [W]
	ClockMHz:   700, // [W]; the lanes run at twice that
	WarpSize:   32,
	Schedulers: 2, // [W]

	MaxThreadsPerBlock: 1024, // [C], as the eleven below
	MaxThreadsPerSM:    1536,
	MaxBlocksPerSM:     8,
	MaxGrid:            [3]int{65535, 65535, 65535},

	Registers:             32768,
	MaxRegistersPerThread: 63,
	RegisterUnit:          64,
	WarpUnit:              2,
	SharedPerSM:           48 * kib,
	SharedPerBlock:        48 * kib,
	SharedUnit:            128,

	Scheduling: LRR{}, // [K]

	// 16 lanes a scheduler at twice the clock [W] take a warp every cycle; 4 special function units an SM.
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 11, Lanes: 32}, // [C]: about 22 clocks of the lanes
		UnitFP32:    {Latency: 11, Lanes: 32},
		UnitFP64:    {Latency: 14, Lanes: 4}, // an eighth of the rate on GeForce cards [W]
		UnitSpecial: {Latency: 18, Lanes: 4},
		UnitMemory:  {Latency: 11, Lanes: 16}, // [W]: 16 of them an SM
		UnitControl: {Latency: 9, Lanes: 32},  // [A]
	},
	IntOnFP32: true,

	ConstBytes: 8 * kib, // [C]
	ConstWays:  4,       // [A]

	Coalescing:     Lines,
	SharedBanks:    32, // [C]
	SharedLatency:  26, // [G]
	SharedAtomic:   2,  // [A]: a load that locks and a store that unlocks
	BarrierLatency: 12, // [A]
	BarrierArrival: 1,  // [C]: 16 threads in a clock of the lanes

	UnifiedBytes:    64 * kib,        // [W]
	SharedCarveouts: []int{48 * kib}, // [C]: what is not asked for otherwise; so [G]
	L1Ways:          4,               // [G]
	L1Latency:       35,              // [G]
	L1Replay:        true,            // [T]
	PendingAccesses: 96,              // [A]

	L2Bytes:        768 * kib, // [G]: 12 slices of 64 sets, 8 ways
	L2Ways:         8,         // [G]
	L2Banks:        12,        // [G]
	L2PartialWrite: 3,         // [T], of a M2050's naive transpose
	L2Latency:      120,       // [G]
	DRAMLatency:    100,       // [G]
	DRAMChannels:   6,         // [G]
	DRAMPeak:       1774e8,    // [W]
	DRAMShare:      0.85,      // [A]

	MemoryBytes: 1536 * mib, // [W]

	PinnedRate:    6e9,  // PCIe 2.0 x16 gives 8e9 before its protocol [A]
	PageableRate:  35e8, // [A], as the three below
	CopyLatency:   8000,
	SubmitTime:    3000,
	LaunchLatency: 7100, // [G]: 5000 cycles
	LaunchGap:     2000,

	LaneClock: Ratio{2, 1}, // [W]
}
