package cpu

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Blocks of these tests run side by side, as TestBlocksSideBySide sees.
const besideBlocks, besideThreads = 9, 40

// besideKernel makes a kernel of blocks with a shared array. body gets the thread's number, the block's and the array's
// address, and returns what the thread gives.
func besideKernel(t *testing.T, body func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value) *kir.Func {
	b := kir.NewBuilder("k")
	out := b.Param("out", kir.U64)
	tid, cta := b.Convert(kir.I64, b.Special(kir.TidX)), b.Convert(kir.I64, b.Special(kir.CtaidX))
	array := b.SharedArray("a", kir.I64, besideThreads)
	x := body(b, tid, cta, array)
	b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, b.Op(kir.OpMul, cta, b.Int(kir.I64, besideThreads)), tid), kir.I64), x)
	b.Return()
	return testkernels.MustFunc(t, b)
}

// runBeside runs a kernel and returns its output.
func runBeside(t *testing.T, f *kir.Func) ([]int64, error) {
	t.Helper()
	p := mustCompile(t, f)
	data := make([]byte, 8*besideBlocks*besideThreads)
	m := NewMemory()
	m.Map(1<<32, data)
	l := Launch{Grid: kir.D1(besideBlocks), Block: kir.D1(besideThreads), Params: testkernels.PackParams(1 << 32)[:8], Memory: m, Workers: 1}
	require.Equal(t, besideBlocks, p.sideBySide(&l, 1))
	_, err := p.Run(context.Background(), l)
	out := make([]int64, besideBlocks*besideThreads)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return out, err
}

// loop runs body for i from 0 below n with what it gave before, and returns what it gave last.
func loop(b *kir.Builder, n *kir.Value, body func(i, before *kir.Value) *kir.Value) *kir.Value {
	head, inner, done := b.NewBlock("head", kir.I64, kir.I64), b.NewBlock("body"), b.NewBlock("done")
	b.Jump(head, b.Int(kir.I64, 0), b.Int(kir.I64, 0))
	b.SetBlock(head)
	i, acc := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, i, n), inner, done)
	b.SetBlock(inner)
	next := body(i, acc)
	b.Jump(head, b.Op(kir.OpAdd, i, b.Int(kir.I64, 1)), next)
	b.SetBlock(done)
	return acc
}

// TestBlocksSideBySideWaitAlone: each block waits as often as its number says, at one of two barriers, and has an array
// of its own.
func TestBlocksSideBySideWaitAlone(t *testing.T) {
	t.Parallel()
	f := besideKernel(t, func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value {
		return loop(b, b.Op(kir.OpAdd, cta, b.Int(kir.I64, 1)), func(i, before *kir.Value) *kir.Value {
			b.Store(kir.Shared, b.Index(array, tid, kir.I64), b.Op(kir.OpAdd, b.Op(kir.OpMul, cta, b.Int(kir.I64, 1000)), b.Op(kir.OpAdd, tid, i)))
			odd, even, on := b.NewBlock("odd"), b.NewBlock("even"), b.NewBlock("on", kir.I64)
			b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, b.Op(kir.OpAdd, cta, i), b.Int(kir.I64, 1)), b.Int(kir.I64, 1)), odd, even)
			b.SetBlock(odd)
			b.Barrier()
			b.Jump(on, b.Load(kir.Shared, kir.I64, array)) // one address for all
			b.SetBlock(even)
			b.Barrier()
			b.Jump(on, b.Load(kir.Shared, kir.I64, b.Index(array, b.Op(kir.OpRem, b.Op(kir.OpAdd, tid, b.Int(kir.I64, 7)), b.Int(kir.I64, besideThreads)), kir.I64)))
			b.SetBlock(on)
			b.Barrier()
			return b.Op(kir.OpAdd, b.Op(kir.OpMul, before, b.Int(kir.I64, 3)), on.Params[0])
		})
	})
	got, err := runBeside(t, f)
	require.NoError(t, err)
	for i := range got {
		cta, tid, want := i/besideThreads, i%besideThreads, 0
		for round := range cta + 1 {
			from := 0
			if (cta+round)%2 == 0 {
				from = (tid + 7) % besideThreads
			}
			want = 3*want + 1000*cta + from + round
		}
		require.EqualValues(t, want, got[i], "block %d, thread %d", cta, tid)
	}
}

// TestBlocksSideBySideAddInTrees: parts of blocks, runs of neighbours and single threads, read and write what others of
// their block have written.
func TestBlocksSideBySideAddInTrees(t *testing.T) {
	t.Parallel()
	f := besideKernel(t, func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value {
		mine := b.Index(array, tid, kir.I64)
		b.Store(kir.Shared, mine, b.Op(kir.OpMul, b.Op(kir.OpAdd, tid, b.Int(kir.I64, 1)), b.Op(kir.OpAdd, cta, b.Int(kir.I64, 1))))
		b.Barrier()
		for s := int64(20); s > 0; s /= 2 { // 20, 10, 5, 2, 1: the last of an odd number goes to the first thread
			add, join := b.NewBlock("add"), b.NewBlock("join")
			b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, s)), add, join)
			b.SetBlock(add)
			other := b.Load(kir.Shared, kir.I64, b.Op(kir.OpAdd, mine, b.Int(kir.U64, 8*s)))
			b.Store(kir.Shared, mine, b.Op(kir.OpAdd, b.Load(kir.Shared, kir.I64, mine), other))
			b.Jump(join)
			b.SetBlock(join)
			b.Barrier()
			if s == 5 {
				first, rest := b.NewBlock("first"), b.NewBlock("rest")
				b.Branch(b.Op(kir.OpEq, tid, b.Int(kir.I64, 0)), first, rest)
				b.SetBlock(first)
				b.Store(kir.Shared, mine, b.Op(kir.OpAdd, b.Load(kir.Shared, kir.I64, mine), b.Load(kir.Shared, kir.I64, b.Op(kir.OpAdd, mine, b.Int(kir.U64, 32)))))
				b.Jump(rest)
				b.SetBlock(rest)
				b.Barrier()
			}
		}
		return b.Load(kir.Shared, kir.I64, array)
	})
	got, err := runBeside(t, f)
	require.NoError(t, err)
	for i := range got {
		assert.EqualValues(t, 40*41/2*(i/besideThreads+1), got[i], "block %d", i/besideThreads)
	}
}

// TestBlocksSideBySideCountAlone: atomics in shared memory are those of a block, in the order of its threads.
func TestBlocksSideBySideCountAlone(t *testing.T) {
	t.Parallel()
	f := besideKernel(t, func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value {
		b.Store(kir.Shared, b.Index(array, tid, kir.I64), cta)
		b.Barrier()
		return b.Atomic(kir.OpAtomicAdd, kir.Shared, b.Index(array, b.Op(kir.OpRem, tid, b.Int(kir.I64, 3)), kir.I64), tid)
	})
	got, err := runBeside(t, f)
	require.NoError(t, err)
	for cta := range besideBlocks {
		sums := [3]int{cta, cta, cta}
		for tid := range besideThreads {
			require.EqualValues(t, sums[tid%3], got[cta*besideThreads+tid], "block %d, thread %d", cta, tid)
			sums[tid%3] += tid
		}
	}
}

// TestBlocksSideBySideFail: errors are those of the lowest block that has one, and say what that block has.
func TestBlocksSideBySideFail(t *testing.T) {
	t.Parallel()
	torn := besideKernel(t, func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value {
		one, other, on := b.NewBlock("one"), b.NewBlock("other"), b.NewBlock("on")
		b.Branch(b.Op(kir.OpAnd, b.Op(kir.OpGe, cta, b.Int(kir.I64, 5)), b.Op(kir.OpLt, tid, b.Int(kir.I64, 7))), one, other)
		b.SetBlock(one)
		b.Barrier()
		b.Jump(on)
		b.SetBlock(other)
		b.Barrier()
		b.Jump(on)
		b.SetBlock(on)
		return b.Load(kir.Shared, kir.I64, array)
	})
	_, err := runBeside(t, torn)
	var barrier *kir.BarrierError
	require.True(t, errors.As(err, &barrier), "%v", err)
	assert.Equal(t, kir.Dim3{X: 5}, barrier.Block)
	assert.Equal(t, [2]int{7, besideThreads - 7}, barrier.Waiting)

	outside := besideKernel(t, func(b *kir.Builder, tid, cta, array *kir.Value) *kir.Value {
		b.Store(kir.Shared, b.Index(array, tid, kir.I64), tid)
		b.Barrier()
		return b.Load(kir.Shared, kir.I64, b.Index(array, b.Op(kir.OpAdd, tid, b.Op(kir.OpRem, cta, b.Int(kir.I64, 3))), kir.I64))
	})
	_, err = runBeside(t, outside)
	var trap *kir.Trap
	require.True(t, errors.As(err, &trap), "%v", err)
	assert.Equal(t, kir.Dim3{X: 1}, trap.Block)
	assert.Equal(t, kir.Dim3{X: besideThreads - 1}, trap.Thread)
	assert.Contains(t, trap.Msg, "320 bytes of shared memory")
}

// TestBlocksSideBySideWaitForEachOther: a block that spins until the one before it has written does not keep that from
// running.
func TestBlocksSideBySideWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := kir.NewBuilder("k")
	out := b.Param("out", kir.U64)
	tid, cta := b.Convert(kir.I64, b.Special(kir.TidX)), b.Convert(kir.I64, b.Special(kir.CtaidX))
	array := b.SharedArray("a", kir.I64, besideThreads)
	first, spin, on := b.NewBlock("first"), b.NewBlock("spin"), b.NewBlock("on", kir.I64)
	b.Branch(b.Op(kir.OpEq, cta, b.Int(kir.I64, 0)), first, spin)
	b.SetBlock(spin)
	before := b.Load(kir.Global, kir.I64, b.Index(out, b.Op(kir.OpSub, b.Op(kir.OpMul, cta, b.Int(kir.I64, besideThreads)), b.Int(kir.I64, 1)), kir.I64))
	b.BranchTo(b.Op(kir.OpEq, before, b.Int(kir.I64, 0)), kir.Edge{To: spin}, kir.Edge{To: on, Args: []*kir.Value{before}})
	b.SetBlock(first)
	b.Jump(on, b.Int(kir.I64, 1))
	b.SetBlock(on)
	b.Store(kir.Shared, b.Index(array, tid, kir.I64), b.Op(kir.OpAdd, on.Params[0], b.Int(kir.I64, 1)))
	b.Barrier()
	b.Store(kir.Global, b.Index(out, b.Op(kir.OpAdd, b.Op(kir.OpMul, cta, b.Int(kir.I64, besideThreads)), tid), kir.I64), b.Load(kir.Shared, kir.I64, array))
	b.Return()
	got, err := runBeside(t, testkernels.MustFunc(t, b))
	require.NoError(t, err)
	for i := range got {
		assert.EqualValues(t, 2+i/besideThreads, got[i])
	}
}
