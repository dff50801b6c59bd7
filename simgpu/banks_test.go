package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// bankMachine is tesla2009 with so many banks of L1.
func bankMachine(banks int, more ...Option) []Option {
	return append(more, AsWritten(), Change(func(p *Preset) { p.L1Banks = banks }))
}

// linesApart loads a word from each lane's own line, with so many lines from a lane to the next, many times.
func linesApart(t *testing.T, lines int) *kir.Func {
	b := kir.NewBuilder("strided")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	at := b.Index(x, b.Op(kir.OpMul, tid, b.Int(kir.I64, int64(lines*lineBytes/4))), kir.F32)
	sum := b.Const(kir.F32, 0)
	for range 64 {
		sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.F32, at))
	}
	b.Store(kir.Global, b.Index(out, tid, kir.F32), sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// By hand: 32 lanes on 32 neighbouring lines take two turns of 16 banks, fewer than the four clocks that a warp takes
// of its unit; where all lines are in one bank they take 32; without banks a line a cycle is looked up. 24 warps hide
// the latency.
func TestLinesOfOneBankTakeTurns(t *testing.T) {
	cycles := func(lines, banks int, o ...Option) float64 {
		b := newBench(t, "tesla2009", bankMachine(banks, o...)...)
		st := b.launch(linesApart(t, lines), kir.D1(1), kir.D1(768), b.alloc(768*lines*lineBytes+4096), b.alloc(4*768)).Stats
		return float64(st.Cycles)
	}
	apart, together := cycles(1, 16), cycles(16, 16)
	assert.InEpsilon(t, 24*64*32, together, 0.1)
	assert.Less(t, apart, 0.45*together)
	assert.LessOrEqual(t, cycles(1, Unbanked), apart)
	assert.InEpsilon(t, 24*64*32, cycles(1, 0), 0.1)
	assert.InEpsilon(t, apart, cycles(1, 16, WithLoads(FIFO{})), 0.001, "a queue without a limit changes nothing")
}

// A cache that keeps what is stored writes a sector back once, however often its lanes store to it; one that does not
// writes each time.
func TestWriteBackKeepsStores(t *testing.T) {
	b := kir.NewBuilder("again")
	out := b.Param("out", kir.U64)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	for i := range 8 {
		b.Store(kir.Global, b.Index(out, tid, kir.F32), b.Const(kir.F32, float64(i)))
	}
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	bytes := func(keeps bool) int64 {
		x := newBench(t, "tesla2009", AsWritten(), Change(func(p *Preset) { p.WriteBack = keeps }))
		return x.launch(f, kir.D1(1), kir.D1(256), x.alloc(4*256)).Stats.DRAMBytes
	}
	assert.EqualValues(t, 4*256, bytes(true))
	assert.EqualValues(t, 8*4*256, bytes(false))
}
