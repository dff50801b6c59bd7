package gpu

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/gpu/emulate"
)

// Integer is the constraint of atomics on bits and of numbers that count.
type Integer interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~int | ~uint
}

// Number is the constraint of atomics: types of 32 or 64 bits.
type Number interface {
	Integer | ~float32 | ~float64
}

// Scalar is the constraint of shuffles.
type Scalar interface {
	Number | ~int8 | ~int16 | ~uint8 | ~uint16 | ~bool
}

// Float is the constraint of [FMA].
type Float interface{ ~float32 | ~float64 }

// FMA returns x*y + z, rounded once: one instruction, which counts as two operations, where x*y + z is two
// instructions. Package math has it for float64 only.
//
// For example:
//
//	y[i] = gpu.FMA(a, x[i], y[i]) // a*x[i] + y[i]
func FMA[T Float](x, y, z T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(emulate.FMA32(float32(x), float32(y), float32(z)))
	}
	return T(math.FMA(float64(x), float64(y), float64(z)))
}

// Shared returns a variable that the threads of a block share, such as a [256]float32. Its contents are undefined at
// first. Each call in the text is one variable; call it at the beginning of a kernel, where all threads come.
//
// For example:
//
//	s := gpu.Shared[[256]float32]()
//	s[gpu.ThreadX()] = in[gpu.GlobalID()]
//	gpu.Sync()
func Shared[T any]() *T {
	return emulate.Current("Shared").Shared(func() any { return new(T) }).(*T)
}

// SharedOf returns, for what [Shared] has returned, the same of block number rank of the cluster: distributed shared
// memory. It is CUDA's cluster.map_shared_rank.
//
// For example:
//
//	first := gpu.SharedOf(s, 0) // all blocks of the cluster use the one of its first block
func SharedOf[T any](p *T, rank int) *T {
	return emulate.Current("SharedOf").SharedOf(p, rank).(*T)
}

// SharedDynamic returns the shared memory that the launch adds to a block's own, with [DynamicShared], as a slice. All
// calls return the same memory.
//
// For example:
//
//	s := gpu.SharedDynamic[float32]() // the launch has gpu.DynamicShared(4*256) among its arguments
//	s[gpu.ThreadX()] = x[gpu.GlobalID()]
func SharedDynamic[T any]() []T {
	var x T
	return emulate.Current("SharedDynamic").DynamicShared(*new(T), func(bytes int) any {
		return make([]T, uintptr(bytes)/unsafe.Sizeof(x))
	}).([]T)
}

// Constant returns a table in the device's constant memory: an array, number or struct that is known when the kernel is
// compiled, such as [3]float32{0.25, 0.5, 0.25}, of at most 256 numbers. All threads read it; none can write to it.
// Threads of a warp that read the same element are served at once.
//
// For example:
//
//	w := gpu.Constant([3]float32{0.25, 0.5, 0.25})
//	out[i] = w[0]*in[i-1] + w[1]*in[i] + w[2]*in[i+1]
func Constant[T any](table T) *T {
	emulate.Current("Constant")
	return &table
}

// CopyAsync copies *from, in global memory, to *to, an element of shared memory; the thread goes on before that is
// done. It sees what it has copied after [WaitCopies], the other threads of the block after a [Sync] behind that.
// Machines copy so from compute capability 8.0 on; on older ones the thread waits, as the compiler of CUDA has it. It
// is __pipeline_memcpy_async.
//
// For example:
//
//	gpu.CopyAsync(&s[t], &x[i])
//	gpu.CommitCopies()
//	// work on what was copied before
//	gpu.WaitCopies(0)
//	gpu.Sync()
func CopyAsync[T Number](to, from *T) {
	emulate.Current("CopyAsync").Later(func() { *to = *from })
}

// ReadBlocks is *from, an element of a slice that is a parameter, read below the cache of files where that is an array
// that np.Open has opened: threads of a warp whose elements are in one line of the file have it read for them alone, by
// one command, and it does not stay. It is for what is read once, such as a stream beside random accesses. Elsewhere it
// is a load that bypasses L1.
//
// For example:
//
//	sum += gpu.ReadBlocks(&edges[i])
func ReadBlocks[T Number](from *T) T {
	emulate.Current("ReadBlocks")
	return *from
}

// CopyTo sets a variable of a package that kernels use, on the device that np.Use has chosen: CopyTo(&hits, 0). It is
// CUDA's cudaMemcpyToSymbol. See [Variable].
//
// For example:
//
//	gpu.CopyTo(&hits, 0)
func CopyTo[T any](p *T, v T) {
	VariableOf(p).Set(v)
}

// CopyFrom returns the value of a variable of a package that kernels use, on the device that np.Use has chosen:
// CopyFrom(&hits). It is CUDA's cudaMemcpyFromSymbol. See [Variable].
//
// For example:
//
//	var hits int32 // of a cell; kernels add to it
//	gpu.CopyFrom(&hits)
func CopyFrom[T any](p *T) T {
	return VariableOf(p).Value().(T)
}

// AtomicAdd adds v to *p, as one step that no other thread interrupts, and returns what stood there before. The order
// in which threads take turns is not defined: sums of floats may differ in their last bits from device to device.
//
// For example:
//
//	gpu.AtomicAdd(&counts[key], 1)
func AtomicAdd[T Number](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, *p+v })
	return old
}

// AtomicMin makes *p the smaller of *p and v, and returns what stood there before.
func AtomicMin[T Number](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, min(*p, v) })
	return old
}

// AtomicMax makes *p the larger of *p and v, and returns what stood there before.
func AtomicMax[T Number](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, max(*p, v) })
	return old
}

// AtomicAnd makes *p the bits that *p and v share, and returns what stood there before.
func AtomicAnd[T Integer](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, *p&v })
	return old
}

// AtomicOr adds the bits of v to *p, and returns what stood there before.
func AtomicOr[T Integer](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, *p|v })
	return old
}

// AtomicXor flips the bits of v in *p, and returns what stood there before.
func AtomicXor[T Integer](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, *p^v })
	return old
}

// AtomicExch makes *p be v and returns what stood there before.
func AtomicExch[T Number](p *T, v T) (old T) {
	emulate.Atomically(func() { old, *p = *p, v })
	return old
}

// AtomicCAS makes *p be v if it is old, and returns what stood there before: old when it did.
//
// For example:
//
//	first := gpu.AtomicCAS(&lock[0], 0, 1) == 0 // true in one thread
func AtomicCAS[T Integer](p *T, old, v T) (was T) {
	emulate.Atomically(func() {
		if was = *p; was == old {
			*p = v
		}
	})
	return was
}

// ShflIdx returns v of the thread in the given lane of the warp; all threads of the warp must come.
func ShflIdx[T Scalar](v T, lane int) T { return shuffled("ShflIdx", v, lane&31) }

// ShflUp returns v of the thread delta lanes below, its own where there is none.
func ShflUp[T Scalar](v T, delta int) T {
	return shuffled("ShflUp", v, emulate.Current("ShflUp").Lane()-delta&31)
}

// ShflDown returns v of the thread delta lanes above, its own where there is none.
//
// For example:
//
//	for d := 16; d > 0; d /= 2 { // the sum of a warp, in lane 0
//		v += gpu.ShflDown(v, d)
//	}
func ShflDown[T Scalar](v T, delta int) T {
	return shuffled("ShflDown", v, emulate.Current("ShflDown").Lane()+delta&31)
}

// ShflXor returns v of the thread whose lane differs by the bits of mask.
//
// For example:
//
//	for h := 16; h > 0; h /= 2 {
//		sum += gpu.ShflXor(sum, h) // every lane has the sum of the warp in the end
//	}
func ShflXor[T Scalar](v T, mask int) T {
	return shuffled("ShflXor", v, emulate.Current("ShflXor").Lane()^mask&31)
}

func shuffled[T Scalar](name string, v T, lane int) T {
	round := emulate.Current(name).Warp(name, v)
	if lane < 0 || lane >= len(round) || round[lane] == nil {
		return v
	}
	return round[lane].(T)
}

// MatchAny returns the lanes of the warp, bit l for lane l, whose v is the thread's own.
func MatchAny[T Number](v T) uint32 {
	var lanes uint32
	for l, x := range emulate.Current("MatchAny").Warp("MatchAny", v) {
		if x != nil && x.(T) == v {
			lanes |= 1 << l
		}
	}
	return lanes
}

// MatchAll returns the lanes of the warp that are there, and true, when v is the same in all of them; else 0 and false.
// All threads of the warp must come.
//
// For example:
//
//	if _, same := gpu.MatchAll(key); same { // one atomic for the whole warp
//		if gpu.LaneID() == 0 {
//			gpu.AtomicAdd(&counts[key], 32)
//		}
//	}
func MatchAll[T Number](v T) (lanes uint32, same bool) {
	for l, x := range emulate.Current("MatchAll").Warp("MatchAll", v) {
		switch {
		case x == nil:
		case x.(T) != v:
			return 0, false
		default:
			lanes |= 1 << l
		}
	}
	return lanes, true
}

// Word is the constraint of the reductions of a warp: integers of 32 bits.
type Word interface{ ~int32 | ~uint32 }

// ReduceAdd returns the sum of v over the lanes of the warp, in all of them; it wraps. It is one instruction, which
// machines have from compute capability 8.0 on; [Group.Reduce] does as much elsewhere, and for other types. All threads
// of the warp must come.
//
// For example:
//
//	sum := gpu.ReduceAdd(v) // v is an int32
func ReduceAdd[T Word](v T) T {
	return reduced("ReduceAdd", v, func(x, y T) T { return x + y })
}

// ReduceMin returns the least v of the lanes of the warp, as [ReduceAdd] does their sum.
func ReduceMin[T Word](v T) T {
	return reduced("ReduceMin", v, func(x, y T) T { return min(x, y) })
}

// ReduceMax returns the greatest v of the lanes of the warp, as [ReduceAdd] does their sum.
func ReduceMax[T Word](v T) T {
	return reduced("ReduceMax", v, func(x, y T) T { return max(x, y) })
}

// ReduceAnd returns the bits that v has in all lanes of the warp, as [ReduceAdd] does their sum.
func ReduceAnd[T Word](v T) T {
	return reduced("ReduceAnd", v, func(x, y T) T { return x & y })
}

// ReduceOr returns the bits that v has in any lane of the warp, as [ReduceAdd] does their sum.
func ReduceOr[T Word](v T) T {
	return reduced("ReduceOr", v, func(x, y T) T { return x | y })
}

// ReduceXor returns the bits that v has in an odd number of lanes of the warp, as [ReduceAdd] does their sum.
func ReduceXor[T Word](v T) T {
	return reduced("ReduceXor", v, func(x, y T) T { return x ^ y })
}

func reduced[T Word](name string, v T, op func(x, y T) T) T {
	round := emulate.Current(name).Warp(name, v)
	first := true
	for _, x := range round {
		switch {
		case x == nil:
		case first:
			v, first = x.(T), false
		default:
			v = op(v, x.(T))
		}
	}
	return v
}

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

// Half is the constraint of the factors of [MMA].
type Half interface{ Float16 | BFloat16 }

// MatrixA is a warp's matrix of 16 rows and 16 columns, the first factor of [MMA]: each thread has eight of its
// elements.
type MatrixA[T Half] [4]uint32

// MatrixB is a warp's matrix of 16 rows and 8 columns, the second factor of [MMA]: each thread has four of its
// elements.
type MatrixB[T Half] [2]uint32

// LoadA reads a matrix of 16 rows and 16 columns, whose rows begin stride elements apart in x, an even number. All
// threads of the warp must come.
//
// For example:
//
//	a := gpu.LoadA(x[16*row*n+16*k:], n) // a tile of an n by n matrix
func LoadA[T Half](x []T, stride int) (m MatrixA[T]) {
	row, col := emulate.Quad("LoadA")
	for i := range m {
		at := (row+8*(i%2))*stride + col + 8*(i/2)
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// LoadA8 is LoadA of a matrix of 16 rows and 8 columns; the other columns are zeros. Where both factors of [MMA] are
// such ones, by LoadB8 or LoadBT8, the product is m16n8k8, 16 by 8 times 8 by 8, which takes half the time.
//
// For example:
//
//	c = gpu.MMA(gpu.LoadA8(a[row*n+k:], n), gpu.LoadB8(b[k*n+col:], n), c) // k goes on by 8
func LoadA8[T Half](x []T, stride int) (m MatrixA[T]) {
	row, col := emulate.Quad("LoadA8")
	for i := range 2 {
		at := (row+8*i)*stride + col
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// LoadB8 is LoadB of a matrix of 8 rows and 8 columns; the other rows are zeros.
func LoadB8[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadB8")
	at := row*stride + col
	m[0] = uint32(x[at]) | uint32(x[at+stride])<<16
	return m
}

// LoadBT8 is LoadBT of a matrix of 8 rows and 8 columns; the other rows are zeros.
func LoadBT8[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadBT8")
	at := col*stride + row
	m[0] = uint32(x[at]) | uint32(x[at+1])<<16
	return m
}

// LoadB reads a matrix of 16 rows and 8 columns, whose rows begin stride elements apart in x. All threads of the warp
// must come.
func LoadB[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadB")
	for i := range m {
		at := (row+8*i)*stride + col
		m[i] = uint32(x[at]) | uint32(x[at+stride])<<16
	}
	return m
}

// LoadBT is LoadB from the transposed matrix: the columns lie one after the other and begin stride elements apart, an
// even number, so that a thread's neighbours are read at once.
func LoadBT[T Half](x []T, stride int) (m MatrixB[T]) {
	col, row := emulate.Quad("LoadBT")
	for i := range m {
		at := col*stride + row + 8*i
		m[i] = uint32(x[at]) | uint32(x[at+1])<<16
	}
	return m
}

// MMA returns a*b + c, a product of matrices of a warp by its tensor cores: 16 by 16 times 16 by 8, m16n8k16. Products
// are exact, and each element's sum of them and c is rounded once, to the nearest float32. All threads of the warp must
// come. A card's tensor cores cut off bits of such sums, in ways that NVIDIA does not document: there last bits may be
// others.
//
// For example:
//
//	var c gpu.MatrixC
//	for k := 0; k < n; k += 16 {
//		c = gpu.MMA(gpu.LoadA(a[row*n+k:], n), gpu.LoadB(b[k*n+col:], n), c)
//	}
//	gpu.StoreC(c, out[row*n+col:], n)
func MMA[T Half](a MatrixA[T], b MatrixB[T], c MatrixC) MatrixC {
	_, brain := any(T(0)).(BFloat16)
	return emulate.MMA(a, b, c, brain)
}
