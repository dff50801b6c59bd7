package opt_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

// upTo makes a kernel of one thread, for i := 0; i < *bound; i++ { body; sum = sum*31 + i }, which stores the sum.
func upTo(t *testing.T, body func(b *kir.Builder, i, bound, out *kir.Value)) *kir.Func {
	t.Helper()
	b := kir.NewBuilder("upTo")
	out, bound := b.Param("out", kir.U64), b.Param("bound", kir.U64)
	head, loop, exit := b.NewBlock("head", kir.I32, kir.U64), b.NewBlock("body"), b.NewBlock("exit")
	b.Jump(head, b.Int(kir.I32, 0), b.Int(kir.U64, 17))
	b.SetBlock(head)
	i, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, i, b.Load(kir.Global, kir.I32, bound)), loop, exit)
	b.SetBlock(loop)
	body(b, i, bound, out)
	hash := b.Op(kir.OpAdd, b.Op(kir.OpMul, sum, b.Int(kir.U64, 31)), b.Convert(kir.U64, i))
	b.Jump(head, b.Op(kir.OpAdd, i, b.Int(kir.I32, 1)), hash)
	b.SetBlock(exit)
	b.Store(kir.Global, out, sum)
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	return f
}

// What a loop counts up to is read before it, so that the loop is unrolled, unless the loop may change it: by a store
// through another pointer, an atomic, or what another thread does before a barrier. The reference reads it each round.
func TestBoundsReadBeforeTheLoop(t *testing.T) {
	const at = 1 << 20
	for _, c := range []struct {
		name   string
		before bool
		body   func(b *kir.Builder, i, bound, out *kir.Value)
	}{
		{"nothing", true, func(*kir.Builder, *kir.Value, *kir.Value, *kir.Value) {}},
		{"a load", true, func(b *kir.Builder, i, bound, out *kir.Value) {
			b.Load(kir.Global, kir.I32, b.Index(out, b.Convert(kir.I64, i), kir.I32))
		}},
		{"a store that meets it in round 3", false, func(b *kir.Builder, i, bound, out *kir.Value) {
			b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, i), kir.I32), b.Int(kir.I32, 5))
		}},
		{"a store of a byte", false, func(b *kir.Builder, i, bound, out *kir.Value) {
			b.Store(kir.Global, b.Index(out, b.Convert(kir.I64, b.Op(kir.OpAdd, i, i)), kir.U8), b.Int(kir.U8, 4))
		}},
		{"an atomic", false, func(b *kir.Builder, i, bound, out *kir.Value) {
			b.Atomic(kir.OpAtomicAdd, kir.Global, bound, b.Int(kir.I32, -1))
		}},
		{"a barrier", false, func(b *kir.Builder, _, _, _ *kir.Value) { b.Barrier() }},
		{"a fence", false, func(b *kir.Builder, _, _, _ *kir.Value) { b.Fence(kir.DeviceScope) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := upTo(t, c.body)
			g := opt.Optimize(f)
			assert.Equal(t, c.before, strings.Count(g.String(), " mul ") > 4, "unrolled by four:\n%v", g)
			p, err := cpu.Compile(g)
			require.NoError(t, err)
			for n := range int32(14) {
				params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, at), at+12) // bound is out[3]
				want := make([]byte, 64)
				binary.LittleEndian.PutUint32(want[12:], uint32(n-1))
				got := append([]byte(nil), want...)
				require.NoError(t, ref.Run(f, ref.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: map[uint64][]byte{at: want}}))
				m := cpu.NewMemory()
				m.Map(at, got)
				_, err := p.Run(t.Context(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(1), Params: params, Memory: m})
				require.NoError(t, err)
				require.Equal(t, want, got, "up to %d", n-1)
			}
		})
	}
}
