package opt_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// reachOf runs a kernel of one slice to read and one to write, and their lengths: fill emits what thread i does.
func reachOf(t *testing.T, grid, block int, bits []uint64, fill func(b *kir.Builder, in, out, i *kir.Value, n [2]*kir.Value)) []opt.Reach {
	t.Helper()
	b := kir.NewBuilder("k")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	n := [2]*kir.Value{b.Param("n", kir.I64), b.Param("m", kir.I64)}
	fill(b, in, out, b.GlobalIDX(), n)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return opt.Reaches(f, kir.D1(grid), kir.D1(block), func(n int) (uint64, bool) { return bits[n], n > 1 })
}

// when emits what runs where a condition holds.
func when(b *kir.Builder, cond *kir.Value, do func()) {
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(cond, work, end)
	b.SetBlock(work)
	do()
	b.Jump(end)
	b.SetBlock(end)
}

func TestReaches(t *testing.T) {
	f32 := func(b *kir.Builder, base, i *kir.Value) *kir.Value { return b.Index(base, i, kir.F32) }
	copied := func(b *kir.Builder, in, out, from, to *kir.Value) {
		b.Store(kir.Global, f32(b, out, to), b.Load(kir.Global, kir.F32, f32(b, in, from)))
	}
	bits := []uint64{0, 0, 100, 7}
	got := reachOf(t, 2, 64, bits, func(b *kir.Builder, in, out, i *kir.Value, n [2]*kir.Value) {
		when(b, b.Op(kir.OpLt, i, n[0]), func() { copied(b, in, out, i, b.Op(kir.OpAdd, i, n[1])) })
	})
	assert.Equal(t, opt.Reach{Reads: true, Read: kir.Between(0, 399)}, got[0], "in[i] for i < 100")
	assert.Equal(t, opt.Reach{Writes: true, Written: kir.Between(28, 427)}, got[1], "out[i+7]")
	assert.Equal(t, opt.Reach{}, got[2])

	got = reachOf(t, 3, 32, bits, func(b *kir.Builder, in, out, i *kir.Value, n [2]*kir.Value) {
		back := b.Op(kir.OpSub, b.Op(kir.OpSub, n[0], b.Int(kir.I64, 1)), i)
		copied(b, in, out, back, b.Op(kir.OpMul, i, b.Int(kir.I64, 2)))
	})
	assert.Equal(t, kir.Between(16, 399), got[0].Read, "in[99-i] for i < 96")
	assert.Equal(t, kir.Between(0, 190*4+3), got[1].Written, "out[2i]")

	got = reachOf(t, 2, 64, bits, func(b *kir.Builder, in, out, i *kir.Value, n [2]*kir.Value) { // out[i] += in[out[i]]
		at := f32(b, out, i)
		b.Store(kir.Global, at, b.Load(kir.Global, kir.F32, f32(b, in, b.Convert(kir.I64, b.Load(kir.Global, kir.I32, at)))))
	})
	assert.Equal(t, opt.Reach{Reads: true}, got[0], "an index out of memory")
	assert.Equal(t, opt.Reach{Reads: true, Writes: true, Read: kir.Between(0, 511), Written: kir.Between(0, 511)}, got[1])

	got = reachOf(t, 2, 64, bits, func(b *kir.Builder, _, out, i *kir.Value, n [2]*kir.Value) { // no more than is known
		b.Store(kir.Global, f32(b, out, b.Op(kir.OpRem, i, n[1])), b.Const(kir.F32, 1))
		when(b, b.Op(kir.OpGe, i, b.Op(kir.OpAdd, n[0], n[1])), func() { b.Store(kir.Global, f32(b, out, i), b.Const(kir.F32, 2)) })
	})
	assert.Equal(t, opt.Reach{Writes: true, Written: kir.Between(0, 511)}, got[1], "out[i%7], and out[i] for 107 <= i < 128")

	got = reachOf(t, 2, 64, bits, func(b *kir.Builder, in, out, i *kir.Value, _ [2]*kir.Value) { // by the address itself
		when(b, b.Op(kir.OpLt, in, out), func() { copied(b, in, out, i, i) })
	})
	for _, r := range got {
		assert.Equal(t, opt.Reach{Reads: true, Writes: true}, r)
	}
}

// touched is what a run accesses.
type touched struct {
	t    *testing.T
	seed uint64
	want []opt.Reach
	seen *int
}

func (touched) Step(*kir.Block, []int32) {}
func (touched) End()                     {}

func (x touched) Access(v *kir.Value, _ []int32, at cpu.Addresses) {
	if v.Space != kir.Global {
		return
	}
	for _, addr := range at.List() {
		p, base := 0, uint64(random.InBase)
		if addr >= random.OutBase {
			p, base = 1, random.OutBase
		}
		r, lo := x.want[p], int64(addr-base)
		hi := lo + int64(kir.AccessBytes(v)) - 1
		if v.Op != kir.OpStore {
			require.True(x.t, r.Reads && (!r.Read.Known || r.Read.Lo <= lo && hi <= r.Read.Hi), "seed %d: %s reads %d to %d of parameter %d: %+v", x.seed, v.Text(), lo, hi, p, r)
		}
		if v.Op != kir.OpLoad {
			require.True(x.t, r.Writes && (!r.Written.Known || r.Written.Lo <= lo && hi <= r.Written.Hi), "seed %d: %s writes %d to %d of parameter %d: %+v", x.seed, v.Text(), lo, hi, p, r)
		}
		*x.seen++
	}
}

// TestRandomKernelsStayWithinTheirReach: random kernels access no memory that Reaches does not tell of.
func TestRandomKernelsStayWithinTheirReach(t *testing.T) {
	seen, known := 0, 0
	for seed := range testsize.Seeds("kir/opt.TestRandomKernelsStayWithinTheirReach") {
		k := random.New(17_000+seed, withIndices)
		var bits []uint64
		for _, p := range k.Func.Params {
			var word [8]byte
			copy(word[:], k.Params[p.Offset:p.Offset+p.Bytes()])
			bits = append(bits, binary.LittleEndian.Uint64(word[:]))
		}
		want := opt.Reaches(k.Func, k.Grid, k.Block, func(n int) (uint64, bool) { return bits[n], n > 1 })
		for _, r := range want[:2] {
			if r.Reads && r.Read.Known || r.Writes && r.Written.Known {
				known++
			}
		}
		p, err := cpu.Compile(k.Func)
		require.NoError(t, err)
		m := cpu.NewMemory()
		m.Map(random.InBase, k.Input)
		m.Map(random.OutBase, k.Output())
		_, err = p.Run(context.Background(), cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.Params, Memory: m, Workers: 1,
			Record: func(int) cpu.Recorder { return touched{t, seed, want, &seen} }})
		if err != nil {
			require.NotContains(t, err.Error(), "seed")
		}
	}
	assert.Greater(t, known, 20, "few are known: the test shows little")
	assert.Greater(t, seen, 1000)
}
