package simgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// tableKernel reads a table of constant memory with a step between the lanes' words and one between iterations.
func tableKernel(t *testing.T, words, step, lane int) *kir.Func {
	b := kir.NewBuilder("table")
	out := b.Param("out", kir.U64)
	table := b.ConstTable("table", kir.U32, make([]byte, 4*words))
	tid := b.Special(kir.TidX)
	head, body, end := b.NewBlock("head", kir.U32, kir.U32), b.NewBlock("body"), b.NewBlock("end")
	zero := b.Int(kir.U32, 0)
	b.Jump(head, b.Op(kir.OpMul, tid, b.Int(kir.U32, int64(lane))), zero)
	b.SetBlock(head)
	at, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, at, b.Int(kir.U32, int64(words))), body, end)
	b.SetBlock(body)
	x := b.Load(kir.Const, kir.U32, b.Op(kir.OpAdd, table, b.Convert(kir.U64, b.Op(kir.OpMul, at, b.Int(kir.U32, 4)))))
	b.Jump(head, b.Op(kir.OpAdd, at, b.Int(kir.U32, int64(step))), b.Op(kir.OpAdd, sum, x))
	b.SetBlock(end)
	own := b.Op(kir.OpAdd, tid, b.Op(kir.OpMul, b.Special(kir.CtaidX), b.Special(kir.NTidX)))
	b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, own), kir.U32), sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// The cache of constant memory: a line of 64 bytes is missed once, words that lanes share take one pass, each other
// word one of its own, and a table that is larger than the cache and read from its beginning again and again is missed
// each time (least recently used out first). Figures are counted by hand.
func TestConstantCache(t *testing.T) {
	for _, c := range []struct {
		name                  string
		words, step, lane     int
		loads, passes, misses int64
		change                func(p *Preset)
	}{
		{"one word for all lanes", 256, 1, 0, 256, 256, 16, nil},
		{"a word for each lane", 256, 32, 1, 8, 256, 16, nil},
		{"all of it is there", 256, 1, 0, 256, 256, 0, func(p *Preset) { p.ConstBytes = 0 }},
		{"64 KB", 16384, 16, 0, 1024, 1024, 1024, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := g80
			p.SMs = 1
			if c.change != nil {
				c.change(&p)
			}
			b := newBenchOf(t, p, AsWritten())
			st := b.launch(tableKernel(t, c.words, c.step, c.lane), kir.D1(1), kir.D1(32), b.alloc(128)).Stats
			require.Equal(t, []int64{c.loads, c.passes, c.misses}, []int64{st.ConstLoads, st.ConstPasses, st.ConstMisses})
		})
	}
	cycles := func(bytes int) int64 {
		p := g80
		p.ConstBytes = bytes
		b := newBenchOf(t, p)
		return b.launch(tableKernel(t, 4096, 16, 0), kir.D1(1), kir.D1(32), b.alloc(128)).Stats.Cycles
	}
	require.Greater(t, cycles(8*kib), 3*cycles(0), "256 lines, of which the compiler asks for four at a time")
}
