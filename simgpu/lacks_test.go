package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// What each machine lacks: the capabilities are those of the CUDA C Programming Guide 8.0, "Features and Technical
// Specifications", and of its sections B.12 (atomic functions), B.13 (votes), B.14 (shuffles) and B.19 (formatted
// output); of __match_any_sync 9.0, B.14.
func TestOldMachinesLack(t *testing.T) {
	for _, c := range []struct {
		what, needs string
		body        func(b *kir.Builder, p *kir.Value)
	}{
		{"", "1.0", func(b *kir.Builder, p *kir.Value) {
			x := b.Load(kir.Global, kir.F64, p) // doubles that are moved and not computed
			b.Store(kir.Global, p, x)
			b.Barrier()
		}},
		{"atomics on global memory", "1.1", atomicOf(kir.OpAtomicAdd, kir.Global, kir.U32)},
		{"atomics on shared memory", "1.2", atomicOf(kir.OpAtomicCAS, kir.Shared, kir.U32)},
		{"atomics of 64 bits on global memory", "1.2", atomicOf(kir.OpAtomicAdd, kir.Global, kir.U64)},
		{"votes of a warp", "1.2", func(b *kir.Builder, p *kir.Value) {
			b.Store(kir.Global, p, b.Convert(kir.U32, b.Vote(kir.OpVoteAny, b.Op(kir.OpEq, b.Special(kir.TidX), b.Int(kir.U32, 3)), b.Int(kir.U32, 1<<32-1))))
		}},
		{"float64", "1.3", func(b *kir.Builder, p *kir.Value) {
			x := b.Load(kir.Global, kir.F64, p)
			b.Store(kir.Global, p, b.Op(kir.OpMul, x, x))
		}},
		{"atomics of 64 bits on shared memory", "2.0", atomicOf(kir.OpAtomicExch, kir.Shared, kir.U64)},
		{"atomic sums of float32", "2.0", atomicOf(kir.OpAtomicAdd, kir.Global, kir.F32)},
		{"shuffles of a warp", "3.0", func(b *kir.Builder, p *kir.Value) {
			b.Store(kir.Global, p, b.Shuffle(kir.NewShuffle(kir.ShuffleDown, 32), b.Special(kir.TidX), b.Int(kir.U32, 1), b.Int(kir.U32, 1<<32-1)))
		}},
		{"atomic minima, maxima and logic of 64 bits", "3.5", atomicOf(kir.OpAtomicMax, kir.Global, kir.U64)},
		{"atomic sums of float64", "6.0", atomicOf(kir.OpAtomicAdd, kir.Global, kir.F64)},
	} {
		b := kir.NewBuilder("k")
		p := b.Param("p", kir.U64)
		c.body(b, p)
		b.Return()
		f, err := b.Func()
		require.NoError(t, err, c.what)
		for _, name := range []string{"g80", "gtx280", "gtx480", "p100", "v100", "tesla2009", "fermivt"} {
			x := newBench(t, name)
			has := x.gpu.preset.Capability
			k, err := x.gpu.Load(f)
			require.NoError(t, err)
			err = k.(device.Limited).Lacks()
			if has == "" || has >= c.needs { // one digit each
				assert.NoError(t, err, "%s on %s", c.what, name)
				continue
			}
			var lack *Lack
			require.ErrorAs(t, err, &lack, "%s on %s", c.what, name)
			assert.Equal(t, []string{c.what, c.needs, has}, []string{lack.Feature, lack.Needs, lack.Has})
			for _, part := range []string{"kernel k ", c.what, c.needs, has, "gpu.Anyway()"} {
				assert.Contains(t, err.Error(), part)
			}
		}
	}
}

func atomicOf(op kir.Op, space kir.Space, typ kir.Type) func(b *kir.Builder, p *kir.Value) {
	return func(b *kir.Builder, p *kir.Value) {
		at := p
		if space == kir.Shared {
			at = b.SharedArray("s", typ, 32)
		}
		x := []*kir.Value{b.Convert(typ, b.Special(kir.TidX))}
		if op == kir.OpAtomicCAS {
			x = append(x, x[0])
		}
		old := b.Atomic(op, space, at, x...)
		b.Store(kir.Global, p, old)
	}
}

// Of random kernels: a machine of capability c lacks something exactly where one of a lower capability does too.
// Whatever it lacks, the kernel can be loaded.
func TestLacksByCapability(t *testing.T) {
	for seed := range uint64(40) {
		k := random.New(seed, random.All)
		lacked := ""
		for _, has := range []string{"7.0", "6.0", "5.0", "3.0", "2.0", "1.3", "1.2", "1.1", "1.0"} {
			x := newBench(t, "v100", AsWritten(), Change(func(p *Preset) { p.Capability = has }))
			loaded, err := x.gpu.Load(k.Func)
			require.NoError(t, err)
			err = loaded.(device.Limited).Lacks()
			if err == nil {
				require.Empty(t, lacked, "seed %d: %s has what a newer machine lacks", seed, has)
				continue
			}
			lack := err.(*Lack)
			require.True(t, older(has, lack.Needs))
			if lacked != "" {
				require.Equal(t, lacked, lack.Feature, "the newest feature is told first")
			}
			lacked = lack.Feature
		}
	}
}
