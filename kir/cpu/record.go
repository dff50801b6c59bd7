package cpu

import (
	"io"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Recorder hears what a run of one thread block did, in the order in which it happened: enough for a timing model to
// replay it under any policy of forming warps. Slices are valid during the call only.
//
// A Step follows for each basic block on the threads' way; the Accesses of a step come after it, before the next step,
// in the order of the block's memory operations. Blocks and values are those of Program.Func, in which a barrier is the
// last value of its block: the threads that made the step wait there.
type Recorder interface {
	// Step says that the given threads (indices in the block, increasing; x fastest) executed blk.
	Step(blk *kir.Block, threads []int32)
	// Access says that they executed the load, store or atomic v, at one address each.
	Access(v *kir.Value, threads []int32, at Addresses)
	// End says that the block has come to its end, without an error.
	End()
}

// Addresses is where the threads of an access went. It is valid during the call only.
type Addresses struct {
	w *worker
	a *reg
	t *taped // of one that a Tape plays
}

// Affine returns the rule that the addresses follow, if they do: the thread at (x, y, z) of the block went to base +
// x*step[0] + y*step[1] + z*step[2].
func (at Addresses) Affine() (base uint64, step [3]int64, ok bool) {
	if at.t != nil {
		return at.t.base, at.t.step, at.t.affine
	}
	return at.a.base, [3]int64(at.a.s[:3]), at.a.affine
}

// List returns the addresses of the threads, in their order.
func (at Addresses) List() []uint64 {
	if at.t != nil {
		return at.t.list()
	}
	w := at.w
	all := lanes[uint64](at.a.lanes(&w.extent), w.n)
	w.addrs = w.addrs[:0]
	for _, t := range w.list {
		w.addrs = append(w.addrs, all[t])
	}
	return w.addrs
}

// LaneRecorder is a Recorder that wants to hear of shuffles whose value is not defined.
type LaneRecorder interface {
	Recorder
	// NoLane says that a thread read by the shuffle v from a lane of its warp that is not there: its thread has ended,
	// or the block has none. The thread got its own value; a GPU's may be any.
	NoLane(v *kir.Value, thread int32, lane int)
}

// Launch is one execution of a Program.
type Launch struct {
	Grid, Block kir.Dim3
	SharedBytes int    // dynamic shared memory, from byte Func.SharedBytes on; all shared memory begins as bytes 0xff
	Params      []byte // the packed buffer, ParamBytes long, little-endian
	Memory      *Memory
	Workers     int // blocks run side by side on at most so many goroutines; 0 means all cores

	// Order is the order in which the blocks run, by their numbers (x fastest): each number once. Then one block runs
	// after another, on one goroutine, and the error is that of the first block in Order that comes to one. Nil leaves
	// the order to Run.
	Order []int

	// Output takes what OpPrintf prints, at most a megabyte of a launch; nil is os.Stdout.
	Output io.Writer

	// Watch, when set, tells where the launch is while it runs.
	Watch *Watch

	// Record returns the recorder of block number cta (x fastest), or nil for a block that nobody listens to. It and
	// the recorders are called from several goroutines, but each recorder from one. A nil Record records nothing.
	Record func(cta int) Recorder
}

// Counts is what every run counts, recorded or not.
type Counts struct {
	// ThreadInstructions counts, for each block of the grid, what its threads executed: Block.Instructions for each
	// step of each thread.
	ThreadInstructions []int64
}
