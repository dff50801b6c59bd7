package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// branching goes so often through a block of one addition and a branch.
func branching(t testing.TB, n int) *kir.Func {
	b := kir.NewBuilder("rounds")
	out := b.Param("out", kir.U64)
	body, end := b.NewBlock("body"), b.NewBlock("end")
	i := b.BlockParam(body, kir.I64)
	b.Jump(body, b.Int(kir.I64, 0))
	b.SetBlock(body)
	next := b.Op(kir.OpAdd, i, b.Int(kir.I64, 1))
	b.BranchTo(b.Op(kir.OpLt, next, b.Int(kir.I64, int64(n))), kir.Edge{To: body, Args: []*kir.Value{next}}, kir.Edge{To: end})
	b.SetBlock(end)
	b.Store(kir.Global, b.Index(out, b.GlobalIDX(), kir.I64), next)
	b.Return()
	return build(t, b)
}

// By hand: after each of its branches the one warp waits for instructions for the branch's 8 cycles but that in which
// it issues. Without an instruction buffer the same cycles are waits for results, and nothing takes another time.
func TestEmptyInstructionBuffers(t *testing.T) {
	run := func(n, warps int, buffer bool) *trace.KernelStats {
		b := newBench(t, "fermivt", AsWritten(), WithSMs(1), Change(func(p *Preset) { p.Schedulers, p.InstructionBuffer = 1, buffer }))
		return b.launch(branching(t, n), kir.D1(1), kir.D1(32*warps), b.alloc(8*32*warps)).Stats
	}
	few, many, without := run(10, 1, true), run(30, 1, true), run(30, 1, false)
	assert.Equal(t, int64(20*(8-1)), many.Stalls[trace.StallFetch]-few.Stalls[trace.StallFetch])
	assert.Zero(t, without.Stalls[trace.StallFetch])
	assert.Equal(t, many.Cycles, without.Cycles)
	assert.Equal(t, many.Stalls[trace.StallFetch]+many.Stalls[trace.StallShort], without.Stalls[trace.StallShort])
	full := run(30, 8, true)
	assert.Less(t, full.Stalls[trace.StallFetch], many.Stalls[trace.StallFetch], "other warps issue meanwhile, or wait for results")
}
