package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// someThreads is a kernel whose first so many threads of a block add one to a word of shared memory, and which does
// nothing else.
func someThreads(t *testing.T, threads int64) *kir.Func {
	b := kir.NewBuilder("some")
	own := b.SharedArray("own", kir.U32, 256)
	tid := b.Special(kir.TidX)
	at := b.Index(own, b.Convert(kir.I64, tid), kir.U32)
	then, end := b.NewBlock("then"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.U32, threads)), then, end)
	b.SetBlock(then)
	b.Store(kir.Shared, at, b.Op(kir.OpAdd, b.Load(kir.Shared, kir.U32, at), b.Int(kir.U32, 1)))
	b.Jump(end)
	b.SetBlock(end)
	b.Barrier()
	b.Return()
	return build(t, b)
}

// TestPredicatedSideIsIssuedByAll: a short side of a branch that lanes part at stands under a predicate, so that warps
// issue it also where none of their lanes goes there; those instructions count as issued, with no lane.
func TestPredicatedSideIsIssuedByAll(t *testing.T) {
	run := func(threads int64, options ...Option) *trace.KernelStats {
		m := newBench(t, "v100", options...)
		return m.launch(someThreads(t, threads), kir.D1(4), kir.D1(256)).Stats
	}
	all, one := run(256), run(32)
	assert.Equal(t, all.WarpInstructions, one.WarpInstructions)
	const side = 3 // a load, a sum, a store
	assert.Equal(t, all.ThreadInstructions-one.ThreadInstructions, int64(4*7*32*side))
	sum := int64(0)
	for _, n := range one.Issued {
		sum += n
	}
	assert.Equal(t, one.WarpInstructions, sum)
	assert.EqualValues(t, 4*7*side, one.Issued[0])
	// as it is written, warps go around
	assert.Less(t, run(32, AsWritten()).WarpInstructions, run(256, AsWritten()).WarpInstructions)
}

// TestBarriersCountWarps: an SM notes 16 threads a cycle at barriers (CUDA C++ Programming Guide, throughput of
// __syncthreads for 7.x), so that each warp more costs two cycles.
func TestBarriersCountWarps(t *testing.T) {
	cycles := func(threads, arrival int) int64 {
		p, err := PresetByName("v100")
		require.NoError(t, err)
		p.BarrierArrival = arrival
		b := kir.NewBuilder("barriers")
		for range 20 {
			b.Barrier()
		}
		b.Return()
		return newBenchOf(t, p).launch(build(t, b), kir.D1(1), kir.D1(threads)).Stats.Cycles
	}
	assert.InDelta(t, 20*2*8, cycles(1024, 2)-cycles(768, 2), 40)
	assert.Less(t, cycles(1024, 0)-cycles(768, 0), int64(20*5))
}

// TestDivisionOnSeveralUnits: the instructions of a quotient of integers are on three units, so that many take less
// time than on one.
func TestDivisionOnSeveralUnits(t *testing.T) {
	p, err := PresetByName("v100")
	require.NoError(t, err)
	b := kir.NewBuilder("divide")
	out, by := b.Param("out", kir.U64), b.Param("by", kir.U32)
	b.Store(kir.Global, b.Index(out, b.GlobalIDX(), kir.U32), b.Op(kir.OpDiv, b.Special(kir.TidX), by))
	b.Return()
	f := build(t, b)
	c := newCode(&p, f, f, true)
	busy := map[Unit]int64{}
	for _, blk := range c.blocks {
		for _, in := range blk.instrs {
			for _, s := range in.steps {
				busy[s.port] += s.busy
			}
		}
	}
	assert.Equal(t, map[Unit]int64{UnitSpecial: 3 * 8, UnitFP32: 8 * 2, UnitInt: 9 * 2}, busy)
}

// TestAtomicsOfAWarp: a bank of L2 takes five cycles for the atomics of a warp on words of a sector, and one for each
// further lane at one word; a turn at a word of shared memory is one pass, and two where machines lock it.
func TestAtomicsOfAWarp(t *testing.T) {
	const blocks, rounds = 64, 20
	cycles := func(preset string, space kir.Space, stride int64) float64 {
		b := kir.NewBuilder("atomics")
		at := b.Param("words", kir.U64)
		if space == kir.Shared {
			at = b.SharedArray("own", kir.U32, 32)
		}
		at = b.Index(at, b.Convert(kir.I64, b.Op(kir.OpMul, b.Special(kir.TidX), b.Int(kir.U32, stride))), kir.U32)
		for range rounds {
			b.Atomic(kir.OpAtomicAdd, space, at, b.Int(kir.U32, 1))
		}
		b.Return()
		m := newBench(t, preset, Full())
		return float64(m.launch(build(t, b), kir.D1(blocks), kir.D1(32), m.alloc(128)).Stats.Cycles)
	}
	for _, c := range []struct {
		name string
		got  float64
		want float64
	}{
		{"one word of L2", cycles("v100", kir.Global, 0), blocks * rounds * (5 + 31)},
		{"neighbours: four sectors of a bank", cycles("v100", kir.Global, 1), blocks * rounds * 4 * 5},
		{"one word of shared memory: turns", cycles("v100", kir.Shared, 0), rounds * 32},
		{"with a lock, of the five blocks on an SM", cycles("gtx480", kir.Shared, 0), 5 * rounds * 64},
	} {
		assert.InEpsilon(t, c.want, c.got, 0.12, c.name)
	}
}
