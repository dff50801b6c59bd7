package opt_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// Random kernels, whose input is read only, give the same with their input in constant memory: by the judge of engines,
// by the engine, and after they were PTX. The judge is the kernel as it was.
func TestConstantInput(t *testing.T) {
	trials, moved := 0, 0
	for seed := range testsize.Seeds("kir/opt.TestConstantInput") {
		trials++
		k := random.New(seed, random.All)
		f, err := opt.Constant(k.Func, 0, len(k.Input), "input")
		if err != nil {
			var e *opt.ConstantError
			require.ErrorAs(t, err, &e, "seed %d", seed)
			continue
		}
		loads := 0
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				if v.Op == kir.OpLoad && v.Space == kir.Const {
					loads++
				}
			}
		}
		if loads > 0 {
			moved++
		}
		parsed, err := kir.Parse(f.String())
		require.NoError(t, err)
		require.True(t, kir.Equal(f, parsed))
		text, err := ptx.Print(ptx.Options{Target: 80}, f)
		require.NoError(t, err)
		back, err := ptx.Parse(text)
		require.NoError(t, err, text)
		run := func(f *kir.Func) []byte {
			p, err := cpu.Compile(f)
			require.NoError(t, err)
			m, out := cpu.NewMemory(), k.Output()
			m.Map(random.InBase, append([]byte(nil), k.Input...))
			m.Map(random.OutBase, out)
			_, err = p.Run(context.Background(), cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.Params, Memory: m})
			require.NoError(t, err, "seed %d", seed)
			return out
		}
		want, slow := run(k.Func), k.Output()
		require.NoError(t, ref.Run(f, ref.Launch{Grid: k.Grid, Block: k.Block, Params: k.Params,
			Memory: map[uint64][]byte{random.InBase: append([]byte(nil), k.Input...), random.OutBase: slow}}))
		for how, out := range map[string][]byte{"engine": run(f), "optimised": run(opt.Optimize(f)), "ref": slow, "ptx": run(back[0])} {
			require.True(t, k.Same(want, out), "seed %d, %s", seed, how)
		}
	}
	require.Greater(t, moved, trials/4)
}

// What cannot be in constant memory is refused, each for its reason.
func TestConstantRefusals(t *testing.T) {
	for _, c := range []struct {
		why   string
		build func(b *kir.Builder, table, other *kir.Value)
	}{
		{"it writes to it", func(b *kir.Builder, table, other *kir.Value) {
			b.Store(kir.Global, b.Op(kir.OpAdd, table, b.Int(kir.U64, 4)), b.Int(kir.I32, 1))
		}},
		{"it writes to it", func(b *kir.Builder, table, other *kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, table, b.Int(kir.I32, 1))
		}},
		{"it does more with an address", func(b *kir.Builder, table, other *kir.Value) { b.Store(kir.Global, other, table) }},
		{"an address in constant memory here and one of other memory elsewhere", func(b *kir.Builder, table, other *kir.Value) {
			at := b.Op(kir.OpSelect, b.Op(kir.OpLt, b.Special(kir.TidX), b.Int(kir.U32, 4)), table, other)
			b.Store(kir.Global, other, b.Load(kir.Global, kir.I32, at))
		}},
	} {
		b := kir.NewBuilder("k")
		c.build(b, b.Param("table", kir.U64), b.Param("other", kir.U64))
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		_, err = opt.Constant(f, 0, 64, "table")
		require.ErrorContains(t, err, c.why)
	}
}
