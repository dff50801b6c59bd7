package trace

// Stall is a class of scheduler cycles in which no instruction issued. With the issuing cycles the classes make up all
// cycles of all schedulers.
type Stall uint8

// The stall classes. A cycle is given to the first that is true of it; a swap, the heap and instruction fetch come
// before memory and dependencies.
const (
	StallPipeline Stall = iota // a warp was ready, its unit was not
	StallLong                  // every warp waited for global memory or at a barrier
	StallShort                 // every warp waited for an earlier result
	StallEmpty                 // no warp on the scheduler: not started or drained
	StallSwap                  // all warps were of blocks that were coming in (simgpu.VT)
	StallHeap                  // a group was ready, and the heap that finds it was not in order (simgpu.DWF)
	StallFetch                 // every warp's instruction buffer was empty: it had begun or branched (machines whose preset says so)
	StallProbe                 // as StallLong, and the first warp to go on looked up a line of a file: see LineState
	StallLine                  // the same; it waited for a line that another brought
	StallSubmit                // the same; its command waited to be in a queue of the SSD
	StallPoll                  // the same; it looked for the completion of its command
	NumStalls
)

var stallNames = [NumStalls]string{"unit busy", "memory or barrier", "dependency", "no warp", "swap of blocks", "heap of warps", "instruction fetch", "line probe", "line-busy", "sq-wait", "cq-poll"}

// String returns the class's name as charts show it.
func (s Stall) String() string { return stallNames[s] }

// IssueBins is the number of classes of issued instructions by active lanes: of 32, 1–4, 5–8, … 29–32.
const IssueBins = 8

// KernelStats is what is known of one kernel run. Cycles and slots are those of the whole (possibly extrapolated) run.
type KernelStats struct {
	Grid, Block [3]int
	SharedBytes int // per block
	Registers   int // per thread
	LocalBytes  int // of local memory, per thread: arrays, and values that found no register
	// bytes that the instructions of the kernel store of such values, each counted once, as nvcc prints it
	SpillStores        int
	SpillLoads         int
	WarpSize           int
	SMs                int
	Schedulers         int // per SM
	ClockHz            float64
	Cycles             int64
	WarpInstructions   int64
	ThreadInstructions int64
	// from the call to the first instruction, of a stream with nothing to do; 0 where that is not known
	LaunchLatency Time

	WarpsPerSM     int     // the device's limit
	ResidentBlocks int     // per SM, that the limits allow
	LimitedBy      string  // what stops another block: "registers", "shared memory", "threads", "blocks"
	Theoretical    float64 // resident warps by the limits / WarpsPerSM
	Achieved       float64 // mean resident warps while the kernel ran / WarpsPerSM

	Issued [IssueBins]int64 // scheduler cycles that issued, by active lanes
	Stalls [NumStalls]int64 // scheduler cycles that did not
	Swaps  int64            // how often a resident block gave its slots to another (simgpu.VT)
	// why that cannot be, and blocks are as on a machine without the policy; "" where it is not so
	CTAsOff string
	// in how many blocks it was looked for lanes of a warp that rely on going together, evenly over the grid and for
	// 131,072 accesses at most in each; 0 under policies that keep them together
	LockstepBlocks int

	Misses      float64 // lines that an SM with a block waits for, from the miss to their coming, on average
	QueuedLoads int64   // loads of warps that waited for a place among those in flight (simgpu.LoadOrder)
	QueueCycles int64   // cycles that they waited, together

	Requests       int64 // global loads and stores, per warp
	Sectors        int64 // of 32 bytes, that they needed
	Transactions   int64 // in which the sectors moved: each is sectors of one line of 128 bytes that go together
	BytesRequested int64 // bytes that threads asked for
	L1Hits         int64 // sectors
	PendingHits    int64 // of them, those that were on their way to L1
	L2Hits         int64
	DRAMBytes      int64
	RowHits        int64 // sectors of DRAM whose bank had their row open; with RowMisses all, 0 of devices without rows
	RowMisses      int64
	BankConflicts  int64 // extra passes over shared memory
	ConstLoads     int64 // loads of constant memory, per warp
	ConstPasses    int64 // over its cache, that they took: one for each word that lanes asked for
	ConstMisses    int64 // lines that the cache did not have

	// Floating-point operations, as far as they take the units for them, and what the device could do at most of them
	// and of DRAMBytes a second. A sum, a difference and a product are one, an fma two; a division in float32 is 20 and
	// one in float64 28, square roots 16 and 24, elementary functions what the instructions are that the device takes
	// for them, each as an fma. Comparisons, minima and conversions are none.
	Flops32, Flops64         int64
	PeakFlops32, PeakFlops64 float64
	PeakBandwidth            float64

	// Of managed memory: when the kernel waited for pages, their size, and bytes that it accessed with the host.
	Faults      []FaultBatch
	PageBytes   int
	RemoteBytes int64

	Lines *LineStats // of files that the kernel reads line by line, by a model; nil where there is none

	Timeline []Sample // over the run, in order
	Detail   *Detail  // nil of devices that do not look inside

	SampledBlocks, TotalBlocks int     // blocks that the timing model ran, and all
	ErrorEstimate              float64 // of Cycles, relative; 0 when every block was run
}

// Sample is the mean state of the SMs that ran during one slice of a kernel.
type Sample struct {
	Start, End Time               // from the start of the kernel
	Warps      float64            // resident warps per SM
	Issued     [IssueBins]float64 // share of scheduler cycles that issued, by active lanes
	Stalls     [NumStalls]float64 // share that did not
	// warps of an SM, of those resident, that wait for a line of a file, by what they do
	Lines [NumLineStates]float64
}
