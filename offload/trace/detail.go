package trace

// Detail is what a timing model saw inside one kernel run. Counts of lines are of all blocks. Where SampledBlocks is
// less than TotalBlocks, blocks and their times are those of a part of the sample, which leave out what was not run,
// and L1Hits are in proportion.
type Detail struct {
	Lines []Line // of the kernel's code that cost instructions, in order

	// Blocks are the thread blocks of one part of the sample, or of the run, on the machine that the model ran them on:
	// it has so many SMs. Of many blocks only those of the first BlockSMs SMs are kept.
	Blocks   []BlockRun
	SMs      int
	BlockSMs int

	Walk *Walk // nil when no block was recorded

	LaneClock float64 // clocks of the lanes in a cycle
	Window    *Window // nil where the machine was not asked for one, or the blocks were sampled
}

// Line is one line of a kernel: an operation or the end of a basic block.
type Line struct {
	Block int    // number of the basic block
	Text  string // "v7 f64 = sin v5"
	Note  string // what it is to a person: "x0[i]"; may be empty
	Pos   string // in the source that the kernel was made from, "cell 3:12"; empty when it is not known
	// Source is that line as a person wrote it, "y[i] = a*x[i]"; empty where it is not at hand.
	Source string

	Issued int64 // warp instructions; not those under a predicate that no lane of the warp fulfils
	Lanes  int64 // their active lanes

	// Loads and stores of global memory: instructions, 32-byte sectors that they needed, transactions that these moved
	// in, bytes that threads asked for, sectors found in L1.
	Requests, Sectors, Transactions, Bytes, L1Hits int64
	// Extra passes over shared memory for bank conflicts.
	Conflicts int64
	// Scheduler cycles in which nothing issued while the warp that was to be ready first waited to execute the line, by
	// why it waited; of blocks that were timed, in proportion where they are a sample.
	Stalls [NumStalls]int64
	// Branches: how often a warp came to it, and how often its lanes parted there.
	Branches, Parted int64
}

// BlockRun is one thread block on its SM, in time from the start of its part of the run.
type BlockRun struct {
	Block, SM  int32
	Start, End Time
}

// Walk is the way of one warp through the kernel, under the device's policy for lanes that part: the warp of the sample
// whose lanes parted most often.
type Walk struct {
	Block, Warp int    // the thread block in the grid, and the warp in it
	Policy      string // "pdom"
	Skipped     int    // steps before the first of Steps
	Steps       []Step
	Cut         bool // the warp went on after the last of Steps
}

// Step is one pass of some lanes through a basic block. Bit i of a set is lane i.
type Step struct {
	Block int
	Lanes uint64 // that execute it
	Live  uint64 // that have not returned
}

// SectorBytes is the size of the sectors that global memory moves.
const SectorBytes = 32
