package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// tail is the last steps of a reduction in shared memory, which threads of one warp make. It does them in the block of
// that number alone, or in all.
func tail(t *testing.T, barriers bool, block int64) *kir.Func {
	b := kir.NewBuilder("tail")
	out := b.Param("out", kir.U64)
	s := b.SharedArray("s", kir.I32, 64)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	at := func(d int64) *kir.Value { return b.Index(s, b.Op(kir.OpAdd, tid, b.Int(kir.I64, d)), kir.I32) }
	sync := func() {
		if barriers {
			b.WarpBarrier(b.FullMask())
		}
	}
	b.Pos = kir.Pos{File: "cell 5", Line: 32}
	b.Store(kir.Shared, at(0), b.Convert(kir.I32, tid))
	b.Store(kir.Shared, at(32), b.Int(kir.I32, 0))
	sync()
	done := b.NewBlock("done")
	if block >= 0 {
		here := b.NewBlock("here")
		b.Branch(b.Op(kir.OpEq, b.Convert(kir.I64, b.Special(kir.CtaidX)), b.Int(kir.I64, block)), here, done)
		b.SetBlock(here)
	}
	for d := int64(16); d > 0; d /= 2 {
		b.Pos = kir.Pos{File: "cell 5", Line: int(d)}
		sum := b.Op(kir.OpAdd, b.Load(kir.Shared, kir.I32, at(0)), b.Load(kir.Shared, kir.I32, at(d)))
		sync()
		b.Store(kir.Shared, at(0), sum)
		sync()
	}
	b.Store(kir.Global, b.Index(out, tid, kir.I32), b.Load(kir.Shared, kir.I32, at(0)))
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

// A reduction's tail is right where lanes of a warp go together, and by luck elsewhere. The race checker says so,
// whatever memory is like: with Check, in a launch without, and of what was recorded. Warp barriers make it right
// everywhere.
func TestPoliciesRefuseWhatReliesOnLockstep(t *testing.T) {
	for _, d := range []Divergence{PDOM{}, TF{}, SBI{}, NREC{}, MIMD{}, DWF{}} {
		for _, barriers := range []bool{true, false} {
			for _, how := range []string{"checked", "launched", "recorded"} {
				options := []Option{AsWritten(), WithDivergence(d)}
				if how == "checked" {
					options = append(options, Check())
				}
				m := newBench(t, "tesla2009", options...)
				f := tail(t, barriers, -1)
				var err error
				if how == "recorded" {
					memory := cpu.NewMemory()
					memory.Map(1<<20, make([]byte, 4*64))
					r, bad := cpu.NewRecording(f, cpu.Launch{Grid: kir.D1(1), Block: kir.D1(32), Params: []byte{0, 0, 16, 0, 0, 0, 0, 0}, Memory: memory}, 1<<20)
					require.NoError(t, bad)
					_, err = m.gpu.Replay(ctx, r, false)
				} else {
					k, bad := m.gpu.Load(f)
					require.NoError(t, bad)
					m.stream.Launch(k, kir.D1(1), kir.D1(32), 0, pack(t, m.alloc(4*64)))
					err = m.stream.Sync(ctx)
				}
				if barriers || inStep(d) {
					require.NoError(t, err, "%s, %s", d.Name(), how)
					continue
				}
				var order *OrderError
				require.ErrorAs(t, err, &order, "%s, %s", d.Name(), how)
				assert.Equal(t, "cell 5", order.Pos.File)
				assert.Regexp(t, `thread \(\d+\) of block \(0\) at cell 5, line 16 reads.* and thread \(\d+\) of block \(0\) at cell 5, line 32 writes`, err.Error(), "both lines")
				assert.Contains(t, err.Error(), "a warp barrier must stand between")
				assert.Contains(t, err.Error(), "put gpu.SyncWarp() between the two")
			}
		}
	}
}

// Of many blocks some are looked at: the last among them, which often goes another way.
func TestLockstepIsLookedForInTheLastBlock(t *testing.T) {
	m := newBench(t, "tesla2009", AsWritten(), WithDivergence(DWF{}))
	k, err := m.gpu.Load(tail(t, false, 2999))
	require.NoError(t, err)
	m.stream.Launch(k, kir.D1(3000), kir.D1(32), 0, pack(t, m.alloc(4*64)))
	var order *OrderError
	require.ErrorAs(t, m.stream.Sync(ctx), &order)
	assert.Equal(t, kir.Dim3{X: 2999}, order.Block)
}

// The report says in how many of its blocks it was looked: what is wrong in another is missed.
func TestReportsSayWhereLockstepWasLookedFor(t *testing.T) {
	for _, c := range []struct {
		d      Divergence
		blocks int
		want   int
	}{{DWF{}, 3000, 32}, {MIMD{}, 5, 5}, {PDOM{}, 3000, 0}} {
		m := newBench(t, "tesla2009", AsWritten(), WithDivergence(c.d))
		e := m.launch(tail(t, c.blocks <= 32, 50), kir.D1(c.blocks), kir.D1(32), m.alloc(4*64))
		assert.Equal(t, c.want, e.Stats.LockstepBlocks, c.d.Name())
	}
}
