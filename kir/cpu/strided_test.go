package cpu_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// Loads eight elements apart, which are taken apart together, see what a store between them has written, end at the
// end of the memory, and trap behind it.
func TestLoadsRowsApart(t *testing.T) {
	const threads, wide = 1024, 8
	build := func(last int64) *kir.Func { // column 0 is stored to column 3, then all up to last are added
		b := kir.NewBuilder("rows")
		in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
		i := b.GlobalIDX()
		row := b.Op(kir.OpMul, i, b.Int(kir.I64, wide))
		at := func(k int64) *kir.Value { return b.Index(in, b.Op(kir.OpAdd, row, b.Int(kir.I64, k)), kir.F32) }
		sum := b.Load(kir.Global, kir.F32, at(0))
		sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.F32, at(3)))
		b.Store(kir.Global, at(3), sum)
		for k := range last + 1 {
			sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.F32, at(k)))
		}
		b.Store(kir.Global, b.Index(out, i, kir.F32), sum)
		b.Return()
		f, err := b.Func()
		require.NoError(t, err)
		return f
	}
	for _, last := range []int64{7, 8} {
		in, out := make([]byte, 4*wide*threads), make([]byte, 4*threads)
		for i := range wide * threads {
			_, _ = binary.Encode(in[4*i:], binary.LittleEndian, float32(i%97))
		}
		memory := cpu.NewMemory()
		memory.Map(1<<20, in)
		memory.Map(1<<24, out)
		p, err := cpu.Compile(build(last))
		require.NoError(t, err)
		params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<20), 1<<24)
		_, err = p.Run(context.Background(), cpu.Launch{Grid: kir.D1(4), Block: kir.D1(256), Params: params, Memory: memory})
		if last == wide {
			var trap *kir.Trap
			require.ErrorAs(t, err, &trap)
			require.Equal(t, 255, trap.Thread.X)
			continue
		}
		require.NoError(t, err)
		for i := range threads {
			x := func(k int) float32 { return float32((wide*i + k) % 97) }
			want := x(0) + x(3)
			sum := want
			for k := range wide {
				if k == 3 {
					sum += want
				} else {
					sum += x(k)
				}
			}
			var got float32
			_, err := binary.Decode(out[4*i:], binary.LittleEndian, &got)
			require.NoError(t, err)
			require.Equal(t, sum, got, i)
		}
	}
}
