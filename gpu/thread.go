package gpu

import (
	"fmt"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
)

// ThreadX returns the thread's place in its block along x.
//
// For example:
//
//	out[gpu.BlockX()*gpu.BlockDimX()+gpu.ThreadX()] = 1 // the element gpu.GlobalID()
func ThreadX() int { return emulate.Current("ThreadX").Index[0] }

// ThreadY returns the thread's place in its block along y.
//
// For example:
//
//	s[gpu.ThreadY()][gpu.ThreadX()] = 0 // s is [16][16]float32, the block gpu.Block(16, 16)
func ThreadY() int { return emulate.Current("ThreadY").Index[1] }

// ThreadZ returns the thread's place in its block along z.
func ThreadZ() int { return emulate.Current("ThreadZ").Index[2] }

// BlockX returns the block's place in the grid along x.
//
// For example:
//
//	if gpu.ThreadX() == 0 {
//		sums[gpu.BlockX()] = s[0] // one value of each block
//	}
func BlockX() int { return emulate.Current("BlockX").Block[0] }

// BlockY returns the block's place in the grid along y.
//
// For example:
//
//	row := gpu.BlockY()*gpu.BlockDimY() + gpu.ThreadY()
func BlockY() int { return emulate.Current("BlockY").Block[1] }

// BlockZ returns the block's place in the grid along z.
func BlockZ() int { return emulate.Current("BlockZ").Block[2] }

// BlockDimX returns the number of threads in a block along x.
//
// For example:
//
//	i := gpu.BlockX()*gpu.BlockDimX() + gpu.ThreadX() // gpu.GlobalID()
func BlockDimX() int { return emulate.Current("BlockDimX").BlockDim[0] }

// BlockDimY returns the number of threads in a block along y.
//
// For example:
//
//	row := gpu.BlockY()*gpu.BlockDimY() + gpu.ThreadY()
func BlockDimY() int { return emulate.Current("BlockDimY").BlockDim[1] }

// BlockDimZ returns the number of threads in a block along z.
func BlockDimZ() int { return emulate.Current("BlockDimZ").BlockDim[2] }

// GridDimX returns the number of blocks in the grid along x.
//
// For example:
//
//	blocks := gpu.GridDimX() * gpu.GridDimY() // of a grid of two dimensions
func GridDimX() int { return emulate.Current("GridDimX").GridDim[0] }

// GridDimY returns the number of blocks in the grid along y.
func GridDimY() int { return emulate.Current("GridDimY").GridDim[1] }

// GridDimZ returns the number of blocks in the grid along z.
func GridDimZ() int { return emulate.Current("GridDimZ").GridDim[2] }

// GlobalID returns the thread's place in the whole grid along x: BlockX()*BlockDimX() + ThreadX().
//
// For example:
//
//	if i := gpu.GlobalID(); i < len(x) {
//		x[i] *= 2
//	}
func GlobalID() int { return global("GlobalID", 0) }

// GlobalX is GlobalID: the thread's place in the whole grid along x.
func GlobalX() int { return global("GlobalX", 0) }

// GlobalY returns the thread's place in the whole grid along y.
//
// For example:
//
//	if x, y := gpu.GlobalX(), gpu.GlobalY(); x < w && y < h {
//		out[y*w+x] = 3 * in[y*w+x]
//	}
func GlobalY() int { return global("GlobalY", 1) }

// GlobalZ returns the thread's place in the whole grid along z.
func GlobalZ() int { return global("GlobalZ", 2) }

func global(name string, axis int) int {
	t := emulate.Current(name)
	return t.Block[axis]*t.BlockDim[axis] + t.Index[axis]
}

// GlobalSize returns the number of threads in the grid along x: the step of a loop over more elements than threads.
//
// For example:
//
//	for i := gpu.GlobalID(); i < len(x); i += gpu.GlobalSize() { // any number of elements
//		x[i] *= 2
//	}
func GlobalSize() int {
	t := emulate.Current("GlobalSize")
	return t.GridDim[0] * t.BlockDim[0]
}

// ThreadRank returns the thread's number in its block, x fastest.
//
// For example:
//
//	s[gpu.ThreadRank()] = x[gpu.ThreadRank()] // also in blocks of two dimensions
func ThreadRank() int { return emulate.Current("ThreadRank").Rank }

// LaneID returns the thread's number in its warp, 0 to 31.
//
// For example:
//
//	if gpu.LaneID() == 0 {
//		out[gpu.GlobalID()/32] = sum // one value of each warp
//	}
func LaneID() int { return emulate.Current("LaneID").Lane() }

// WarpID returns the number of the thread's warp in its block.
//
// For example:
//
//	sums[gpu.WarpID()] = sum // sums is [8]float32, shared by a block of 256 threads
func WarpID() int { return emulate.Current("WarpID").Rank / emulate.WarpSize }

// Sync waits for all threads of the block: what each wrote before, all see after it. All threads that have not ended
// must come to the same call.
//
// For example:
//
//	s[gpu.ThreadX()] = x[gpu.GlobalID()]
//	gpu.Sync() // all threads of the block have written
//	first := s[0]
func Sync() { emulate.Current("Sync").Sync("Sync", nil) }

// SyncCount is Sync, and returns for how many of the threads p is true.
func SyncCount(p bool) int {
	n := 0
	for _, v := range emulate.Current("SyncCount").Sync("SyncCount", p) {
		if v == true {
			n++
		}
	}
	return n
}

// SyncAnd is Sync, and returns whether p is true for all the threads.
func SyncAnd(p bool) bool {
	for _, v := range emulate.Current("SyncAnd").Sync("SyncAnd", p) {
		if v == false {
			return false
		}
	}
	return true
}

// SyncOr is Sync, and returns whether p is true for one of the threads or more.
func SyncOr(p bool) bool {
	for _, v := range emulate.Current("SyncOr").Sync("SyncOr", p) {
		if v == true {
			return true
		}
	}
	return false
}

// SyncGrid waits for all threads of the grid: what each wrote before, all see after it. It is CUDA's grid.sync() of
// cooperative groups, for kernels that [LaunchCooperative] launches: all their blocks are on the device at a time. No
// block may have ended.
//
// Steps of a stencil in one launch:
//
//	for range steps { // a launch for each step is the other way
//		next[i] = (x[i-1] + x[i+1]) / 2
//		gpu.SyncGrid()
//		x[i] = next[i]
//		gpu.SyncGrid()
//	}
func SyncGrid() { emulate.Current("SyncGrid").SyncGrid() }

// CommitCopies makes a group of the thread's copies by [CopyAsync] since the last one, for [WaitCopies].
func CommitCopies() { emulate.Current("CommitCopies").Commit() }

// WaitCopies waits for the thread's groups of copies by [CopyAsync], but the left newest: a constant. Copies that
// [CommitCopies] has not made a group of are not waited for.
//
// For example:
//
//	gpu.WaitCopies(1) // what was copied before is there; the newest group is on its way
func WaitCopies(left int) { emulate.Current("WaitCopies").Finish(left) }

// SyncWarp waits for the threads of the warp: what each wrote before, they see after it.
//
// For example:
//
//	s[t] = v
//	gpu.SyncWarp()
//	v += s[t^1] // another lane of the warp has written it
func SyncWarp() { emulate.Current("SyncWarp").Warp("SyncWarp", nil) }

// Fence lets all threads of the device see what the thread wrote before it no later than what it writes after.
func Fence() { emulate.Current("Fence") }

// FenceBlock is Fence for the threads of the block.
func FenceBlock() { emulate.Current("FenceBlock") }

// FenceSystem is Fence for all devices and the host.
//
// For example:
//
//	data[i] = v
//	gpu.FenceSystem() // who sees flag[0] == 1 sees data[i] too
//	flag[0] = 1
func FenceSystem() { emulate.Current("FenceSystem") }

// Ballot returns the lanes of the warp, bit l for lane l, for which p is true. All threads of the warp must come.
func Ballot(p bool) uint32 {
	var lanes uint32
	for l, v := range emulate.Current("Ballot").Warp("Ballot", p) {
		if v == true {
			lanes |= 1 << l
		}
	}
	return lanes
}

// Any reports whether p is true for one thread of the warp or more. All threads of the warp must come.
//
// For example:
//
//	for gpu.Any(v > 1) { // until all lanes of the warp are done
//		v /= 2
//	}
func Any(p bool) bool {
	for _, v := range emulate.Current("Any").Warp("Any", p) {
		if v == true {
			return true
		}
	}
	return false
}

// All reports whether p is true for all threads of the warp. All threads of the warp must come.
//
// For example:
//
//	if gpu.All(x[i] == 0) { // the same answer in all lanes of the warp
//		return
//	}
func All(p bool) bool {
	for _, v := range emulate.Current("All").Warp("All", p) {
		if v == false {
			return false
		}
	}
	return true
}

// ActiveMask returns the lanes of the warp that are here with the thread. Which those are is not defined, but for the
// thread itself.
func ActiveMask() uint32 { return 1 << emulate.Current("ActiveMask").Lane() }

// AtomicInc makes *p 0 where it is limit or more, else adds 1, and returns what stood there before.
func AtomicInc(p *uint32, limit uint32) (old uint32) {
	emulate.Atomically(func() {
		if old = *p; old >= limit {
			*p = 0
		} else {
			*p = old + 1
		}
	})
	return old
}

// AtomicDec makes *p limit where it is 0 or more than limit, else subtracts 1, and returns what stood there before.
func AtomicDec(p *uint32, limit uint32) (old uint32) {
	emulate.Atomically(func() {
		if old = *p; old == 0 || old > limit {
			*p = limit
		} else {
			*p = old - 1
		}
	})
	return old
}

var clock atomic.Int64

// Clock counts cycles of the device; it never falls. Emulated, it counts its own calls.
func Clock() int { return int(clock.Add(1)) }

// Printf prints from a kernel, as fmt.Printf does: numbers and bools, in a constant format.
func Printf(format string, args ...any) {
	emulate.Current("Printf")
	fmt.Printf(format, args...)
}
