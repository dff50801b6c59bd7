package simgpu

// tesla2009 is the machine of [D], on which it compares policies for lanes that part: 8 lanes take a warp in 4 clocks,
// and a warp's next instruction waits for the one before (barrel threading).
var tesla2009 = Preset{
	Name:  "tesla2009",
	Title: "16 cores of Dynamic Warp Formation, 2009 (simulated)",

	SMs:        16,  // [D]
	ClockMHz:   650, // [D]
	WarpSize:   32,  // [D]
	Schedulers: 1,   // [D]

	MaxThreadsPerBlock: 768, // [D]
	MaxThreadsPerSM:    768, // [D]
	MaxBlocksPerSM:     1,   // [D]
	MaxGrid:            [3]int{65535, 65535, 1},

	Registers:             32768, // [A]: never the limit; [D] has 8192 for its area alone
	MaxRegistersPerThread: 124,
	RegisterUnit:          256,
	WarpUnit:              2,
	SharedPerSM:           16 * kib, // [A]: [D] has none
	SharedPerBlock:        16 * kib,
	SharedUnit:            512,

	Units: [NumUnits]UnitTiming{ // one pipeline for all, of 8 lanes [D]; 24 clocks deep [A]
		UnitInt:     {Latency: 24, Lanes: 8},
		UnitFP32:    {Latency: 24, Lanes: 8},
		UnitFP64:    {Latency: 24, Lanes: 8},
		UnitSpecial: {Latency: 24, Lanes: 8},
		UnitMemory:  {Latency: 24, Lanes: 8},
		UnitControl: {Latency: 24, Lanes: 8},
	},
	OnePipe:    true,
	Branches:   true,     // [D]: SimpleScalar's PISA has no predicates
	InOrder:    true,     // [D]: a thread has one instruction in flight
	Scheduling: Barrel{}, // [D]

	SharedBanks:    16, // [A]
	SharedLatency:  24, // [A]
	BarrierLatency: 24, // [A]

	UnifiedBytes:    528 * kib,
	SharedCarveouts: []int{16 * kib}, // the other 512 KB are L1 [D]
	L1Ways:          8,               // [D]
	L1Latency:       24,              // 10 of it in the cache, pipelined [D]; the rest as of other instructions
	L1Banks:         16,              // [D]
	WriteBack:       true,            // [A]
	PendingAccesses: 768,             // never the limit: a thread has one instruction in flight [D]

	L2Ways:       1, // [D]: no L2
	L2Banks:      8,
	L2Latency:    20,    // [A]: the crossbar, both ways
	DRAMLatency:  48,    // [D]: GDDR3 with tCL 9, and a queue [A]
	DRAMChannels: 8,     // [D]
	DRAMPeak:     416e8, // [D]: 8 bytes a cycle each
	DRAMShare:    0.95,  // [D]: what its programs reach at most
	DRAMBanks:    8,     // [A], as the one below
	DRAMRowBytes: 2048,
	DRAMRowMiss:  25, // [D]: tRP 13 and tRCD 12

	MemoryBytes: 1 * gib, // [A], as all below: [D] has no host

	PinnedRate:    3e9,
	PageableRate:  16e8,
	CopyLatency:   12000,
	SubmitTime:    5000,
	LaunchLatency: 10000,
	LaunchGap:     4000,
}

// fermiVT is the machine of [V].
var fermiVT = Preset{
	Name:  "fermivt",
	Title: "15 SMs of Virtual Thread, 2016 (simulated)",

	SMs:        15,   // [V]
	ClockMHz:   1400, // [V]
	WarpSize:   32,   // [V]
	Schedulers: 2,    // [V]

	MaxThreadsPerBlock: 1024, // [C]
	MaxThreadsPerSM:    1536, // [V]
	MaxBlocksPerSM:     8,    // [V]
	MaxGrid:            [3]int{65535, 65535, 65535},

	Registers:             32768, // [V]
	MaxRegistersPerThread: 63,    // [C], as the five below
	RegisterUnit:          64,
	WarpUnit:              2,
	SharedPerSM:           48 * kib, // [V]
	SharedPerBlock:        48 * kib,
	SharedUnit:            128,

	Units: [NumUnits]UnitTiming{ // 16 lanes [V], 8 cycles [A]
		UnitInt:     {Latency: 8, Lanes: 16},
		UnitFP32:    {Latency: 8, Lanes: 16},
		UnitFP64:    {Latency: 16, Lanes: 8},
		UnitSpecial: {Latency: 16, Lanes: 4},
		UnitMemory:  {Latency: 8, Lanes: 16},
		UnitControl: {Latency: 8, Lanes: 16},
	},
	IntOnFP32:         true,
	InstructionBuffer: true, // [V]

	Coalescing:     Lines, // [C]
	SharedBanks:    32,    // [V]
	SharedLatency:  26,    // [G], of GTX 480
	BarrierLatency: 12,    // [A]

	UnifiedBytes:    64 * kib, // [V]: 16 KB are L1
	SharedCarveouts: []int{48 * kib},
	L1Ways:          4,  // [A]
	L1Latency:       35, // [G], of GTX 480
	PendingAccesses: 64, // [V]: MSHRs

	L2Bytes:      768 * kib, // [A], as the seven below
	L2Ways:       8,
	L2Banks:      12,
	L2Latency:    120,
	DRAMLatency:  245, // 400 cycles in all
	DRAMChannels: 6,
	DRAMPeak:     1774e8,
	DRAMShare:    0.85,

	MemoryBytes: 1536 * mib, // [A], as all below: [V] has no host

	PinnedRate:    6e9,
	PageableRate:  35e8,
	CopyLatency:   8000,
	SubmitTime:    3000,
	LaunchLatency: 7100,
	LaunchGap:     2000,
}

// fermiSBI is the machine against which [S] compares, its baseline of 32 warps of 32.
var fermiSBI = Preset{
	Name:  "fermisbi",
	Title: "the SM of Simultaneous Branch Interweaving, 2012 (simulated)",

	SMs:        1,    // [S]
	ClockMHz:   1000, // [S]
	WarpSize:   32,   // [S]
	Schedulers: 2,    // [S]: two pools of warps

	MaxThreadsPerBlock: 1024, // [S]
	MaxThreadsPerSM:    1024, // [S]
	MaxBlocksPerSM:     8,    // [C]
	MaxGrid:            [3]int{65535, 65535, 65535},

	Registers:             32768, // [A]
	MaxRegistersPerThread: 63,    // [C], as the two below
	RegisterUnit:          64,
	WarpUnit:              2,
	SharedPerSM:           16 * kib, // [A]
	SharedPerBlock:        16 * kib,
	SharedUnit:            128, // [C]

	// 32 lanes for each scheduler, 8 cycles; 8 special function units and 32 lanes of loads and stores in all [S].
	Units: [NumUnits]UnitTiming{
		UnitInt:     {Latency: 8, Lanes: 32},
		UnitFP32:    {Latency: 8, Lanes: 32},
		UnitFP64:    {Latency: 16, Lanes: 16}, // [A]
		UnitSpecial: {Latency: 8, Lanes: 4},
		UnitMemory:  {Latency: 8, Lanes: 16},
		UnitControl: {Latency: 8, Lanes: 32},
	},
	IntOnFP32:         true,
	Branches:          true,     // [A]: sides of branches are what it interweaves
	InstructionBuffer: true,     // [S]
	Scheduling:        Oldest{}, // [S]

	Coalescing:     Lines, // [S]: blocks of 128 bytes
	SharedBanks:    32,    // [A]
	SharedLatency:  8,     // [A]
	BarrierLatency: 8,     // [A]

	UnifiedBytes:    64 * kib,
	SharedCarveouts: []int{16 * kib}, // 48 KB are L1 [S]
	L1Ways:          6,               // [S]
	L1Latency:       11,              // 3 in the cache [S], 8 of the pipeline
	PendingAccesses: 64,              // [A]

	L2Ways:       1, // [S]: no L2
	L2Banks:      1,
	L2Latency:    1,
	DRAMLatency:  330,  // [S]: 330 ns
	DRAMChannels: 1,    // [S]
	DRAMPeak:     10e9, // [S]: 10 GB/s
	DRAMShare:    1,    // [S]

	MemoryBytes: 1 * gib, // [A], as all below: [S] has no host

	PinnedRate:    6e9,
	PageableRate:  35e8,
	CopyLatency:   8000,
	SubmitTime:    3000,
	LaunchLatency: 7100,
	LaunchGap:     2000,
}

// fermiSBI64 is the machine on which [S] interweaves branches and warps: 16 warps of 64, of which a scheduler issues
// two instructions a cycle to 64 lanes, 32 of loads and stores and 8 special ones, 104 in all, as the baseline has.
var fermiSBI64 = func() Preset {
	p := fermiSBI
	p.Name, p.Title = "fermisbi-64", "the same SM with warps of 64, for SBI and SWI (simulated)"
	p.WarpSize, p.Schedulers = 64, 1
	for u := range p.Units {
		p.Units[u].Lanes *= 2
	}
	return p
}()
