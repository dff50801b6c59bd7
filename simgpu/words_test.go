package simgpu

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestWordsOfWideNumbers: to make a number of 64 bits of two words, to take a word of it, and to change one word takes
// no more instructions than a machine with registers of 32 bits needs: none, none, and one.
func TestWordsOfWideNumbers(t *testing.T) {
	count := func(make func(b *kir.Builder, x, y *kir.Value) *kir.Value) (uint64, int64) {
		b := kir.NewBuilder("words")
		in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
		x, y := b.Load(kir.Global, kir.U32, in), b.Load(kir.Global, kir.U32, b.Index(in, b.Int(kir.I64, 1), kir.U32))
		b.Store(kir.Global, out, make(b, x, y))
		b.Return()
		f := build(t, b)
		m := newBench(t, "v100", AsWritten(), Full())
		from, to := m.put(binary.LittleEndian.AppendUint64(nil, 0x1234567890abcdef)), m.alloc(8)
		st := m.launch(f, kir.D1(1), kir.D1(32), from, to).Stats
		return binary.LittleEndian.Uint64(m.get(to)), st.WarpInstructions
	}
	wide := func(b *kir.Builder, x *kir.Value) *kir.Value { return b.Convert(kir.U64, x) }
	shift := func(b *kir.Builder, op kir.Op, x *kir.Value) *kir.Value { return b.Op(op, x, b.Int(kir.U32, 32)) }
	pack := func(b *kir.Builder, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpOr, wide(b, x), shift(b, kir.OpShl, wide(b, y)))
	}
	_, least := count(func(b *kir.Builder, x, y *kir.Value) *kir.Value { return wide(b, x) })
	for _, c := range []struct {
		name string
		make func(b *kir.Builder, x, y *kir.Value) *kir.Value
		want uint64
		more int64
	}{
		{"pack", pack, 0x1234567890abcdef, 0},
		{"high word", func(b *kir.Builder, x, y *kir.Value) *kir.Value { return shift(b, kir.OpShr, pack(b, x, y)) }, 0x12345678, 0},
		{"change the low word", func(b *kir.Builder, x, y *kir.Value) *kir.Value {
			return b.Op(kir.OpXor, pack(b, x, y), wide(b, y))
		}, 0x1234567890abcdef ^ 0x12345678, 1},
		{"change both", func(b *kir.Builder, x, y *kir.Value) *kir.Value {
			return b.Op(kir.OpXor, pack(b, x, y), pack(b, y, x))
		}, 0x1234567890abcdef ^ 0x90abcdef12345678, 2},
		{"keep the high word", func(b *kir.Builder, x, y *kir.Value) *kir.Value {
			return b.Op(kir.OpAnd, pack(b, x, y), b.Bits(kir.U64, 0xffffffff00000000))
		}, 0x1234567800000000, 1},
		{"shift of a signed number", func(b *kir.Builder, x, y *kir.Value) *kir.Value {
			return b.Convert(kir.U64, b.Op(kir.OpShr, b.Convert(kir.I64, pack(b, x, y)), b.Int(kir.U32, 32)))
		}, 0x12345678, 3},
	} {
		got, n := count(c.make)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.more, n-least, c.name)
	}
}
