package trace

// Window is what one SM did in some cycles of a kernel, slot by slot, where the machine was asked to keep it
// (simgpu.Window).
type Window struct {
	SM       int
	From, To int64  // cycles: from From to To-1
	Slots    []Slot // in the order of issue
	Blocks   []BlockState
	Progress []Progress
	Cut      bool // there was more than is kept
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
