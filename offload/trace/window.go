package trace

// Window is what one SM did in some cycles of a kernel, slot by slot, where the machine was asked to keep it
// (simgpu.Window).
type Window struct {
	SM       int
	From, To int64  // cycles: from From to To-1
	Slots    []Slot // in the order of issue
	Blocks   []BlockState
	Progress []Progress
	States   []State // of the policy for lanes that part
	Cut      bool    // there was more than is kept
	// Resident and Active are how many blocks the SM may hold, and how many of them issue.
	Resident, Active int
}

// Slot is a cycle in which a scheduler issued.
type Slot struct {
	Cycle     int64 // from the start of the kernel
	Scheduler int32
	Issue           // what was chosen first
	Beside    Issue // a second instruction, of other lanes or for another unit; without lanes where there is none
}

// State is what a policy for lanes that part knows in a cycle, as the tables of its hardware: of a warp, or of a
// scheduler whose threads belong to no warp.
type State struct {
	Cycle     int64
	Scheduler int32
	Block     int32 // index of the warp's block in the grid; -1 where it is a scheduler's
	Warp      int32 // number of the warp in its block
	Tables    []Table
}

// Table is a part of a policy's hardware: "stack", "pool".
type Table struct {
	Name string
	Rows []Row
	More int // rows that are not kept
}

// Row is an entry: threads and what they do next.
type Row struct {
	Place   string  // "top", "CPC1"
	Block   int32   // basic block that they execute next; -1 where there is none
	Line    int32   // number of the instruction's line in Detail.Lines; -1 where it is not known
	Lanes   uint64  // bit i is lane i of the hardware
	Threads []int32 // by lane, where threads are of several warps: their numbers in the hardware, -1 for none
	Count   int     // threads
	Note    string  // what else it has: "until b4"
}

// CTAState is what a block on an SM does.
type CTAState uint8

// The states of blocks.
const (
	CTAIssuing  CTAState = iota // a warp of it can go on, or waits for a result of an instruction
	CTAStalled                  // all its warps wait for memory or at a barrier, or have ended
	CTASwapping                 // its context is being read
	CTAPending                  // it has no slots, and loads on their way
	CTAReady                    // it has no slots, and could go on
	NumCTAStates
)

var ctaStateNames = [NumCTAStates]string{"issuing", "stalled", "swapping in", "inactive, waits for loads", "inactive, ready"}

// String says it in words.
func (s CTAState) String() string { return ctaStateNames[s] }

// BlockState is how long a block was in a state.
type BlockState struct {
	Block int32 // index in the grid
	State CTAState
	// From and To are cycles: it was from From to To-1
	From, To int64
}

// Progress is how far the threads of an SM are that have not returned, in instructions that they have executed.
type Progress struct {
	Cycle       int64
	Least, Most int64
	Threads     int
}
