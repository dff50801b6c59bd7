package gpu

import (
	"fmt"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
)

// Group is some threads of a warp that work together, and exchange values of type T: a tile, see [Tile], or the threads
// that have come to one place, see [Coalesced]. Its methods are for kernels. All threads of the group must call a
// method that exchanges values; where one has ended, or is one that the block does not have, the launch fails.
type Group[T Number] struct {
	lanes uint32 // of the warp
	size  int    // of a tile; 0 for threads that have come together
}

// Tile cuts the warps of a block into tiles of n threads with neighbouring numbers, a power of two up to 32 that is
// known when the kernel is compiled, and returns the thread's. It is CUDA's cg::tiled_partition; [TileOf] is for values
// of other types than float32.
//
// For example:
//
//	t := gpu.Tile(16)
//	v := t.Reduce(x[gpu.GlobalID()]) // the sum of the 16, in all of them
//	if t.Rank() == 0 {
//		out[gpu.GlobalID()/16] = v
//	}
func Tile(n int) Group[float32] { return TileOf[float32](n) }

// TileOf is [Tile] for values of type T.
//
// For example:
//
//	before := gpu.TileOf[int32](32).Scan(count) - count // of the threads of lower ranks
func TileOf[T Number](n int) Group[T] {
	t := emulate.Current("Tile")
	if n < 1 || n > emulate.WarpSize || n&(n-1) != 0 {
		panic(fmt.Sprintf("gpu.Tile(%d): the size of a tile is 1, 2, 4, 8, 16 or 32", n))
	}
	return Group[T]{uint32(1<<n-1) << (t.Lane() &^ (n - 1)), n}
}

// Coalesced returns the threads of the warp that are here with the thread, as CUDA's cg::coalesced_threads does. Which
// those are is not defined, but for the thread itself: what a kernel computes must not depend on it. [CoalescedOf] is
// for values of other types than float32.
//
// For example:
//
//	if x[i] > 0 { // one atomic for all lanes that are here
//		g := gpu.CoalescedOf[int32]()
//		first := int32(0)
//		if g.Rank() == 0 {
//			first = gpu.AtomicAdd(&count[0], int32(g.Size()))
//		}
//		out[int(g.Shfl(first, 0))+g.Rank()] = x[i]
//	}
func Coalesced() Group[float32] { return CoalescedOf[float32]() }

// CoalescedOf is [Coalesced] for values of type T.
func CoalescedOf[T Number]() Group[T] {
	return Group[T]{1 << emulate.Current("Coalesced").Lane(), 0}
}

// Size returns how many threads the group has.
func (g Group[T]) Size() int { return bits.OnesCount32(g.lanes) }

// Rank returns the thread's number in the group, 0 to Size()-1, in the order of the lanes.
func (g Group[T]) Rank() int {
	return bits.OnesCount32(g.lanes & (1<<emulate.Current("Group.Rank").Lane() - 1))
}

// Sync waits for the threads of the group: what each wrote before, they see after it.
func (g Group[T]) Sync() { emulate.Current("Group.Sync").Lanes(g.lanes, "Group.Sync", nil) }

// Shfl returns v of the thread of the given rank. One that the group does not have fails the launch.
func (g Group[T]) Shfl(v T, rank int) T {
	all := g.values("Group.Shfl", v)
	if rank < 0 || rank >= len(all) {
		panic(fmt.Sprintf("gpu.Group.Shfl: rank %d is out of range: the group has %d threads", rank, len(all)))
	}
	return all[rank]
}

// ShflUp returns v of the thread delta ranks below, its own where there is none. A delta that is negative, or not less
// than 32, fails the launch, as does one not less than a tile's size.
func (g Group[T]) ShflUp(v T, delta int) T { return g.moved("Group.ShflUp", v, delta, -1) }

// ShflDown returns v of the thread delta ranks above, as ShflUp does.
func (g Group[T]) ShflDown(v T, delta int) T { return g.moved("Group.ShflDown", v, delta, 1) }

func (g Group[T]) moved(name string, v T, delta, sign int) T {
	all := g.values(name, v)
	most := g.size
	if most == 0 {
		most = emulate.WarpSize
	}
	if delta < 0 || delta >= most {
		panic(fmt.Sprintf("gpu.%s: distance %d is out of range: a tile of %d threads has less", name, delta, most))
	}
	if rank := g.Rank() + sign*delta; rank >= 0 && rank < len(all) {
		return all[rank]
	}
	return v
}

// ShflXor returns v of the thread whose rank differs by the bits of mask. One that the tile does not have fails the
// launch; only tiles have this method.
func (g Group[T]) ShflXor(v T, mask int) T {
	if g.size == 0 {
		panic("gpu.Group.ShflXor is for tiles: the ranks of threads that have come together are any")
	}
	all := g.values("Group.ShflXor", v)
	if mask < 0 || mask >= g.size {
		panic(fmt.Sprintf("gpu.Group.ShflXor: mask %d is out of range: the group has %d threads", mask, len(all)))
	}
	return all[g.Rank()^mask]
}

// Reduce returns the sum of v over the group, in all its threads. Neighbours are added first, then pairs of
// neighbours, and so on: ((0+1)+(2+3))+((4+5)+(6+7)), so that sums of floats are the same everywhere.
func (g Group[T]) Reduce(v T) T {
	return g.reduced("Group.Reduce", v, func(x, y T) T { return x + y })
}

// Max returns the greatest v of the group, in all its threads; NaN where one is.
func (g Group[T]) Max(v T) T {
	return g.reduced("Group.Max", v, func(x, y T) T { return max(x, y) })
}

// Min returns the least v of the group, in all its threads; NaN where one is.
func (g Group[T]) Min(v T) T {
	return g.reduced("Group.Min", v, func(x, y T) T { return min(x, y) })
}

func (g Group[T]) reduced(name string, v T, op func(x, y T) T) T {
	all := g.values(name, v)
	for d := 1; d < len(all); d *= 2 {
		for i := 0; i+d < len(all); i += 2 * d {
			all[i] = op(all[i], all[i+d])
		}
	}
	return all[0]
}

// Scan returns the sum of v over the threads of the group up to the thread itself, by rank: an inclusive scan. The
// thread adds what stands 1, 2, 4, 8 and 16 ranks below, after Hillis and Steele.
func (g Group[T]) Scan(v T) T {
	all := g.values("Group.Scan", v)
	for d := 1; d < len(all); d *= 2 {
		for i := len(all) - 1; i >= d; i-- {
			all[i] += all[i-d]
		}
	}
	return all[g.Rank()]
}

// Any reports whether p is true for one thread of the group or more.
func (g Group[T]) Any(p bool) bool { return g.vote("Group.Any", p) != 0 }

// All reports whether p is true for all threads of the group.
func (g Group[T]) All(p bool) bool { return g.vote("Group.All", !p) == 0 }

// Ballot returns the threads of a tile, bit r for rank r, for which p is true; only tiles have this method.
func (g Group[T]) Ballot(p bool) uint32 {
	if g.size == 0 {
		panic("gpu.Group.Ballot is for tiles: the ranks of threads that have come together are any")
	}
	return g.vote("Group.Ballot", p) >> bits.TrailingZeros32(g.lanes)
}

// MatchAny returns the threads of a tile, bit r for rank r, whose v is the thread's own; only tiles have this method.
func (g Group[T]) MatchAny(v T) uint32 {
	if g.size == 0 {
		panic("gpu.Group.MatchAny is for tiles: the ranks of threads that have come together are any")
	}
	var same uint32
	for r, x := range g.values("Group.MatchAny", v) {
		if x == v {
			same |= 1 << r
		}
	}
	return same
}

// vote returns the lanes for which p is true.
func (g Group[T]) vote(name string, p bool) (lanes uint32) {
	for l, v := range emulate.Current(name).Lanes(g.lanes, name, p) {
		if v == true {
			lanes |= 1 << l
		}
	}
	return lanes
}

// values returns what the threads of the group brought, by rank.
func (g Group[T]) values(name string, v T) []T {
	var out []T
	for l, x := range emulate.Current(name).Lanes(g.lanes, name, v) {
		if g.lanes>>l&1 == 0 {
			continue
		}
		if x == nil {
			panic(fmt.Sprintf("gpu.%s: lane %d of the warp is of the group and has ended, or is one that the block does not have", name, l))
		}
		out = append(out, x.(T))
	}
	return out
}
