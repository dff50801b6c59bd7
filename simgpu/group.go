package simgpu

// Group is threads that issue together, where a policy forms groups from the threads of several warps.
type Group struct {
	PC      int              // number of the instruction that they execute next, in the order of the kernel's code
	Lanes   Mask             // that have a thread
	Threads *[maxWarp]Thread // by lane; of those in Lanes
	Age     int64            // its number among those that its scheduler's policy has formed: the least is the oldest
	Since   int64            // cycle in which it was formed
}

// Thread is a thread's number in its scheduler's hardware: that of its warp times the width of warps, and its lane in
// the warp.
type Thread int32

// Cand is a group that a scheduler may issue, as a Picker sees it.
type Cand struct {
	Group
	Ready bool // its unit takes it now
	Unit  Unit // whose lanes its instruction occupies
	Width int  // threads that it has
	Split int  // under SBI: 0 of the lower of a warp's places that issue, 1 of the higher
	Warp  int  // its number in the hardware; of groups of several warps 0
	AtPC  int  // threads that wait at its PC, in all groups
	Block int  // index of its block in the grid; of groups of several warps 0, as the three below
	Wait  Wait // why it is not ready
	// LoadsInFlight is how many loads and atomics of its warp are not back
	LoadsInFlight int
	LastIssue     int64 // cycle in which it issued last; 0: never
	Passed        int   // under DWF: immediate postdominators of branches that its threads have come to: of the one that has come to fewest

	in     *instr
	listed bool // DMaj's heap knows of it
}

// Env is what a Picker is given besides its candidates, one for each scheduler.
type Env struct {
	Last  int // index of the warp that issued last, or where it was: -1 at first, and where groups are of several warps
	State any // the policy's own: nil at first, and then what it was left as
}

// Picker is a policy of which group a scheduler issues: of the warps that it has, or of those that DWF forms.
type Picker interface {
	Name() string
	// Pick returns an index into c, of a group that is ready, or -1 for none in this cycle. c is not empty and holds
	// the oldest group first; it may not be kept. It is asked when a group is ready.
	Pick(now int64, c []Cand, e *Env) int
}
