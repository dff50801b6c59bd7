package simgpu

import (
	"fmt"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Preset describes one simulated machine. All fields may be changed before New; Check says what cannot be.
type Preset struct {
	Name       string `json:"-"` // "v100": the device is "sim:v100"
	Title      string // for people
	Capability string // the compute capability, "7.0"; empty of machines that NVIDIA never built

	SMs        int
	ClockMHz   int64 // of the schedulers: all times in cycles are of this clock
	WarpSize   int   // 64 at most
	Schedulers int   // per SM; each issues one warp instruction a cycle

	MaxThreadsPerBlock int
	MaxThreadsPerSM    int
	MaxBlocksPerSM     int
	MaxGrid            [3]int

	Registers             int // of 32 bits, per SM
	MaxRegistersPerThread int
	RegisterUnit          int  // registers are given to a warp in multiples of this
	WarpUnit              int  // warps that registers allow are a multiple of this
	RegistersByBlock      bool // registers are given to a block in multiples of RegisterUnit, its warps rounded up to WarpUnit
	SharedPerSM           int  // bytes
	SharedPerBlock        int  // bytes; of static arrays, and of dynamic ones too where SharedOptIn is 0
	SharedOptIn           int  // bytes that static and dynamic arrays may have together, when a launch asks for them
	SharedReserved        int  // bytes that the system takes of an SM for each block
	SharedUnit            int  // bytes; shared memory is given to a block in multiples of this

	Scheduling   IssuePolicy // nil is GTO
	Units        [NumUnits]UnitTiming
	IntOnFP32    bool // integer instructions run in the lanes of UnitFP32
	MemoryOnFP32 bool // those of UnitMemory and UnitControl do, but for a word of shared memory that is an operand of an instruction
	OnePipe      bool // all instructions do
	Branches     bool // the machine has no predicates: short sides of branches stay branches
	InOrder      bool // a warp's next instruction waits for the one before it, needed or not
	IntMultiply  int  // instructions that a product of integers of 32 bits takes; 0 is one
	// InstructionBuffer: from a branch, or its start, to its next instruction a warp waits for its instruction buffer
	// to be filled, and cycles in which all do are a class of their own (trace.StallFetch). Else they are waits for
	// results.
	InstructionBuffer bool
	Multipliers       int // lanes of UnitSpecial in an SM that take products of floats too, beside those of UnitFP32; 0 is none

	ConstBytes int // that an SM's cache of constant memory has; 0: all of it is there at once
	ConstWays  int
	TensorRate int // products of float16 that an SM's tensor cores add in a cycle; 0 is none

	Coalescing     Coalescing
	SharedBanks    int  // of 4 bytes
	SharedLatency  int  // cycles of a load without conflicts
	SharedPairs    bool // of accesses of 8 and 16 bytes twice as many lanes are served together where pairs of them have one address
	SharedAtomic   int  // passes over shared memory that an atomic takes for each turn of its lanes; 0 is one
	BarrierLatency int  // cycles from the last arrival to the first issue
	BarrierArrival int  // cycles between the warps of an SM that barriers count, whatever blocks they are of
	BlockInterval  int  // cycles between the beginnings of two blocks, wherever they are; 0: as many begin at once as have room
	BlockLatency   int  // cycles between the last instruction of a block and the first of the block that takes its place

	UnifiedBytes    int   // L1 and shared memory together, per SM; without L1 it is SharedPerSM
	SharedCarveouts []int // sizes that shared memory may take of it; the rest is L1
	L1Ways          int
	L1Latency       int // cycles of a hit
	L1Tags          int // lines that L1 looks up in a cycle, its data in the banks of shared memory; 0 and 1: one, and banks do not count
	// L1Banks are looked up at a time; lines of one bank take turns. 0: one line, or L1Tags; Unbanked: any.
	L1Banks         int
	L1Replay        bool // lines that a load finds on their way to L1 are looked up again when they have come
	WriteBack       bool // L1 keeps what is stored, which else goes to L2 at once
	L1Port          int  // sectors that an SM sends to L2 or takes from it in a cycle; 0 is one
	MemoryQueue     int  // cycles of work that wait for an SM's memory pipeline when schedulers may still issue more; 0 is none
	PendingAccesses int  // global accesses of warps that an SM can have in flight

	L2Bytes        int // 0 without L2
	L2Ways         int
	L2Banks        int // each serves one sector a cycle
	L2Atomic       int // cycles that a bank takes for the atomics of a warp on words of a sector; 0 is one
	L2PartialWrite int // cycles that a bank takes for a sector of which some bytes are written and some stay; 0 is one
	L2Latency      int // cycles that a hit adds to L1Latency
	L2Far          int // cycles that a hit takes more whose sector the other half of L2 has than the SM's; 0: L2 is one
	DRAMLatency    int // cycles that a miss adds to that
	DRAMLoaded     int // cycles that a read takes more when DRAM is fully loaded; at a share of that, its square of them
	DRAMTurns      int // the same where half of what is moved is written: the share that is read times that which is written, times four, of them
	DRAMChannels   int
	PartitionBytes int     // of neighbouring memory that a channel has, one after the other; 0: which channel has what follows from a hash of the address
	DRAMPeak       int64   // bytes per second
	DRAMShare      float64 // of DRAMPeak that streams of sectors reach

	// Rows of DRAM: the banks of a channel keep a row open each, and what wants another waits. DRAMRowMiss 0: rows cost
	// nothing of their own, and are in DRAMShare and DRAMLatency.
	DRAMBanks    int // of a channel
	DRAMRowBytes int // of a row, in a channel
	DRAMRowMiss  int // cycles in which a bank closes its row and opens another

	MemoryBytes int64

	// Several GPUs in one machine. Rates are in bytes per second.
	GPUs         int       // 0 is one
	Links        [][]int64 // from each GPU to each over NVLink; 0 is none, nil is none at all
	PortRate     int64     // that a GPU sends, and receives, to all others together over NVSwitch; 0: links are direct
	PCIePeerRate int64     // between GPUs without NVLink
	SwitchGPUs   int       // GPUs that share a PCIe switch, whose way to the host has PinnedRate; 0 is one
	RootRate     int64     // that all GPUs together copy from the host's memory, and to it; 0: as much as their switches

	// The way to the host. Times are in nanoseconds.
	PinnedRate    int64 // bytes per second
	PageableRate  int64 // bytes per second
	CopyLatency   int64 // of every copy, before its first byte
	SubmitTime    int64 // that a call takes of the host
	LaunchLatency int64 // from the launch call to the first instruction, on an idle stream
	LaunchGap     int64 // between kernels of one stream that were queued in time
	GraphGap      int64 // between a kernel of a graph and one that waits for it; machines before capability 3.0 have no graphs

	// Managed memory: what a kernel touches of it comes in pages, by faults that the driver serves some at a time.
	PageBytes  int   // 0: the machine has no managed memory
	FaultTime  int64 // nanoseconds that serving a batch of faults takes before the first page is copied
	FaultBatch int   // faults that are served together, at most

	// The clocks of other parts of the machine, as multiples of ClockMHz; the zero Ratio is the clock itself.
	LaneClock   Ratio // of the lanes
	CoreClock   Ratio // of texture units, raster operators and the like
	MemoryClock Ratio // of DRAM, which moves data twice in it
}

// Unbanked is Preset.L1Banks of a cache that looks up any lines at a time.
const Unbanked = 1 << 10

// Ratio is Num/Den.
type Ratio struct{ Num, Den int }

// Of returns n*Num/Den, rounded, and n for the zero Ratio.
func (r Ratio) Of(n int64) int64 {
	if r == (Ratio{}) {
		return n
	}
	return (n*int64(r.Num) + int64(r.Den)/2) / int64(r.Den)
}

// Unit is a kind of execution unit.
type Unit uint8

// The execution units of a scheduler.
const (
	UnitInt     Unit = iota // integer, logic, moves, predicates
	UnitFP32                // single precision add, multiply, fma
	UnitFP64                // double precision
	UnitSpecial             // reciprocals, conversions with a float side
	UnitMemory              // loads and stores
	UnitControl             // branches, barriers, exits
	NumUnits
)

var unitNames = [NumUnits]string{"int", "fp32", "fp64", "special", "memory", "control"}

// String returns the unit's name.
func (u Unit) String() string { return unitNames[u] }

// port returns the unit whose lanes u's instructions occupy.
func (p *Preset) port(u Unit) Unit {
	if p.OnePipe || p.IntOnFP32 && u == UnitInt || p.MemoryOnFP32 && (u == UnitMemory || u == UnitControl) {
		return UnitFP32
	}
	return u
}

// UnitTiming is how fast a unit is, in cycles.
type UnitTiming struct {
	Latency int // from issue to a dependent issue; for UnitControl, to the warp's next issue after a branch
	// Lanes is how many threads one scheduler's unit takes in a cycle: it takes the next warp WarpSize/Lanes cycles
	// later, rounded up. Of warps narrower than that, lanes stay idle, since a scheduler issues one instruction a
	// cycle. A part of a lane is a unit that needs several cycles for a thread.
	Lanes float64
}

const (
	sectorBytes = 32   // what L2 and DRAM move at a time
	lineBytes   = 128  // what one tag covers: four sectors
	rowUnit     = 256  // what one channel has of neighbouring bytes
	managedUnit = 4096 // pages are multiples of the host's
)

// Check returns an error that names the first field that the model cannot work with.
func (p *Preset) Check() error {
	rows := min(1, max(0, p.DRAMRowMiss)) // 1 where rows cost something
	for _, f := range []struct {
		name     string
		value    int64
		min, max int64
	}{
		{"SMs", int64(p.SMs), 1, 1024},
		{"ClockMHz", p.ClockMHz, 1, 100_000},
		{"WarpSize", int64(p.WarpSize), 1, maxWarp},
		{"Schedulers", int64(p.Schedulers), 1, 16},
		{"MaxThreadsPerBlock", int64(p.MaxThreadsPerBlock), 1, 1024},
		{"MaxThreadsPerSM", int64(p.MaxThreadsPerSM), int64(p.MaxThreadsPerBlock), 1 << 16},
		{"MaxBlocksPerSM", int64(p.MaxBlocksPerSM), 1, 1024},
		{"MaxGrid[0]", int64(p.MaxGrid[0]), 1, 1<<31 - 1},
		{"MaxGrid[1]", int64(p.MaxGrid[1]), 1, 1<<31 - 1},
		{"MaxGrid[2]", int64(p.MaxGrid[2]), 1, 1<<31 - 1},
		{"Registers", int64(p.Registers), 1, 1 << 24},
		{"MaxRegistersPerThread", int64(p.MaxRegistersPerThread), 1, 1 << 16},
		{"RegisterUnit", int64(p.RegisterUnit), 1, 1 << 16},
		{"WarpUnit", int64(p.WarpUnit), 1, 64},
		{"SharedUnit", int64(p.SharedUnit), 1, 1 << 16},
		{"SharedBanks", int64(p.SharedBanks), 1, maxBanks},
		{"SharedPerSM", int64(p.SharedPerSM), int64(p.SharedPerBlock), 1 << 30},
		{"SharedPerBlock", int64(p.SharedPerBlock), 0, 1 << 30},
		{"SharedOptIn", int64(p.SharedOptIn), int64(max(0, min(p.SharedOptIn, 1)) * p.SharedPerBlock), int64(p.SharedPerSM)},
		{"SharedReserved", int64(p.SharedReserved), 0, int64(p.SharedPerSM - max(p.SharedPerBlock, p.SharedOptIn))},
		{"UnifiedBytes", int64(p.UnifiedBytes), int64(p.SharedPerSM), 1 << 30},
		{"SharedLatency", int64(p.SharedLatency), 1, 1 << 20},
		{"TensorRate", int64(p.TensorRate), 0, 1 << 20},
		{"BarrierLatency", int64(p.BarrierLatency), 0, 1 << 20},
		{"BarrierArrival", int64(p.BarrierArrival), 0, 1 << 10},
		{"BlockInterval", int64(p.BlockInterval), 0, 1 << 20},
		{"BlockLatency", int64(p.BlockLatency), 0, 1 << 20},
		{"L1Latency", int64(p.L1Latency), 0, 1 << 20},
		{"L2Latency", int64(p.L2Latency), 0, 1 << 20},
		{"L2Far", int64(p.L2Far), 0, 1 << 20},
		{"DRAMLatency", int64(p.DRAMLatency), 0, 1 << 20},
		{"DRAMLoaded", int64(p.DRAMLoaded), 0, 1 << 20},
		{"DRAMTurns", int64(p.DRAMTurns), 0, 1 << 20},
		{"L1Ways", int64(p.L1Ways), 1, 256},
		{"L1Tags", int64(p.L1Tags), 0, 32},
		{"L1Banks", int64(p.L1Banks), 0, Unbanked},
		{"L1Port", int64(p.L1Port), 0, 32},
		{"MemoryQueue", int64(p.MemoryQueue), 0, 1 << 10},
		{"PendingAccesses", int64(p.PendingAccesses), 1, 1 << 16},
		{"L2Bytes", int64(p.L2Bytes), 0, 1 << 32},
		{"IntMultiply", int64(p.IntMultiply), 0, 64},
		{"Multipliers", int64(p.Multipliers), 0, 1 << 16},
		{"Coalescing", int64(p.Coalescing), 0, int64(numCoalescing) - 1},
		{"L2Ways", int64(p.L2Ways), 1, 256},
		{"L2Banks", int64(p.L2Banks), 1, 4096},
		{"DRAMChannels", int64(p.DRAMChannels), 1, 4096},
		{"L2Atomic", int64(p.L2Atomic), 0, 1 << 10},
		{"SharedAtomic", int64(p.SharedAtomic), 0, 1 << 10},
		{"L2PartialWrite", int64(p.L2PartialWrite), 0, 1 << 10},
		{"PartitionBytes", int64(p.PartitionBytes), 0, 1 << 20},
		{"DRAMPeak", p.DRAMPeak, 1, 1 << 50},
		{"DRAMRowMiss", int64(p.DRAMRowMiss), 0, 1 << 20},
		{"DRAMBanks", int64(p.DRAMBanks), int64(rows), 1 << 10},
		{"DRAMRowBytes", int64(p.DRAMRowBytes), int64(rows * rowUnit), 1 << 20},
		{"MemoryBytes", p.MemoryBytes, allocUnit, 1 << 50},
		{"PinnedRate", p.PinnedRate, 1, 1 << 50},
		{"PageableRate", p.PageableRate, 1, 1 << 50},
		{"CopyLatency", p.CopyLatency, 0, 1e9},
		{"SubmitTime", p.SubmitTime, 0, 1e9},
		{"LaunchLatency", p.LaunchLatency, 0, 1e9},
		{"LaunchGap", p.LaunchGap, 0, 1e9},
		{"GraphGap", p.GraphGap, 0, 1e9},
		{"ConstBytes", int64(p.ConstBytes), 0, kir.MaxConst},
		{"ConstWays", int64(p.ConstWays), int64(min(1, max(0, p.ConstBytes))), 256},
		{"PageBytes", int64(p.PageBytes), 0, 1 << 30},
		{"FaultTime", p.FaultTime, 0, 1e9},
		{"FaultBatch", int64(p.FaultBatch), int64(min(1, max(0, p.PageBytes))), 1 << 20},
		{"LaneClock.Num", int64(p.LaneClock.Num), int64(min(1, max(0, p.LaneClock.Den))), 1000},
		{"LaneClock.Den", int64(p.LaneClock.Den), int64(min(1, max(0, p.LaneClock.Num))), 1000},
		{"CoreClock.Num", int64(p.CoreClock.Num), int64(min(1, max(0, p.CoreClock.Den))), 1000},
		{"CoreClock.Den", int64(p.CoreClock.Den), int64(min(1, max(0, p.CoreClock.Num))), 1000},
		{"MemoryClock.Num", int64(p.MemoryClock.Num), int64(min(1, max(0, p.MemoryClock.Den))), 1000},
		{"MemoryClock.Den", int64(p.MemoryClock.Den), int64(min(1, max(0, p.MemoryClock.Num))), 1000},
		{"GPUs", int64(p.GPUs), 0, 64},
		{"PortRate", p.PortRate, 0, 1 << 50},
		{"PCIePeerRate", p.PCIePeerRate, int64(min(1, max(0, p.GPUs-1))), 1 << 50},
		{"SwitchGPUs", int64(p.SwitchGPUs), 0, 64},
		{"RootRate", p.RootRate, 0, 1 << 50},
	} {
		if f.value < f.min || f.value > f.max {
			return fmt.Errorf("simgpu: preset %q: %s is %d, must be %d to %d", p.Name, f.name, f.value, f.min, f.max)
		}
	}
	if p.PartitionBytes%lineBytes != 0 {
		return fmt.Errorf("simgpu: preset %q: PartitionBytes is %d, must be a multiple of %d", p.Name, p.PartitionBytes, lineBytes)
	}
	if p.PageBytes%managedUnit != 0 {
		return fmt.Errorf("simgpu: preset %q: PageBytes is %d, must be a multiple of %d", p.Name, p.PageBytes, managedUnit)
	}
	if p.DRAMRowBytes%rowUnit != 0 {
		return fmt.Errorf("simgpu: preset %q: DRAMRowBytes is %d, must be a multiple of %d", p.Name, p.DRAMRowBytes, rowUnit)
	}
	if !(p.DRAMShare > 0 && p.DRAMShare <= 1) {
		return fmt.Errorf("simgpu: preset %q: DRAMShare is %g, must be above 0 and at most 1", p.Name, p.DRAMShare)
	}
	if len(p.SharedCarveouts) > 64 {
		return fmt.Errorf("simgpu: preset %q: SharedCarveouts has %d sizes, must have 64 at most", p.Name, len(p.SharedCarveouts))
	}
	for _, c := range p.SharedCarveouts {
		if c < 0 || c > p.UnifiedBytes {
			return fmt.Errorf("simgpu: preset %q: SharedCarveouts has %d, must be 0 to UnifiedBytes, %d", p.Name, c, p.UnifiedBytes)
		}
	}
	if p.Links != nil && (len(p.Links) != p.GPUs || slices.ContainsFunc(p.Links, func(row []int64) bool { return len(row) != p.GPUs })) {
		return fmt.Errorf("simgpu: preset %q: Links must have a row and a column for each of %d GPUs", p.Name, p.GPUs)
	}
	for from, row := range p.Links {
		for to, rate := range row {
			if rate < 0 || rate > 1<<50 {
				return fmt.Errorf("simgpu: preset %q: Links[%d][%d] is %d, must be 0 to %d", p.Name, from, to, rate, int64(1)<<50)
			}
		}
	}
	for u, t := range p.Units {
		if t.Latency < 1 || t.Latency > 1<<20 || !(t.Lanes >= 1.0/1024 && t.Lanes <= 1024) {
			return fmt.Errorf("simgpu: preset %q: unit %v has latency %d and %v lanes, must have 1 to %d and 1/1024 to 1024",
				p.Name, Unit(u), t.Latency, t.Lanes, 1<<20)
		}
	}
	return nil
}

// Interval returns the cycles between two warp instructions on one scheduler's unit.
func (p *Preset) Interval(u Unit) int {
	if p.Units[u].Lanes <= 0 {
		return 0
	}
	return max(1, int(math.Ceil(float64(p.WarpSize)/p.Units[u].Lanes-1e-9)))
}

// mostShared returns the bytes of shared memory that a block may have, of static and dynamic arrays.
func (p *Preset) mostShared() int { return max(p.SharedPerBlock, p.SharedOptIn) }

// sharedOf returns the bytes that a block takes of an SM's shared memory, of which its arrays take so many.
func (p *Preset) sharedOf(arrays int) int { return roundUp(arrays+p.SharedReserved, p.SharedUnit) }

// l1Bytes returns the L1 that is left when blocks need so much shared memory per SM.
func (p *Preset) l1Bytes(shared int) int {
	for _, c := range p.SharedCarveouts {
		if c >= shared {
			return p.UnifiedBytes - c
		}
	}
	return p.UnifiedBytes - p.SharedPerSM
}

// warps returns the number of warps of a block of so many threads.
func (p *Preset) warps(threads int) int { return (threads + p.WarpSize - 1) / p.WarpSize }
