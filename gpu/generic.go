package gpu

import (
	"math"
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
