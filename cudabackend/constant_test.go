package cudabackend

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// A launch finds in constant memory what lay in global memory when its turn came, also when launches of the same kernel
// on two streams take tables of their own. The fake driver's kernels read the module's variable, which the copies fill.
func TestTablesThatLaunchesFill(t *testing.T) {
	bothWays(t, func(t *testing.T, newBench maker) {
		b := newBench(t, 1, true)
		kb := kir.NewBuilder("look")
		table, out, n := kb.Param("table", kir.U64), kb.Param("out", kir.U64), kb.Param("n", kir.I64)
		i := kb.Convert(kir.I64, kb.Special(kir.TidX))
		x := kb.Load(kir.Global, kir.I32, kb.Index(table, i, kir.I32))
		kb.Store(kir.Global, kb.Index(out, i, kir.I32), kb.Op(kir.OpMul, x, kb.Convert(kir.I32, n)))
		kb.Return()
		f, err := kb.Func()
		require.NoError(t, err)
		f, err = opt.Constant(f, 0, 16, "table")
		require.NoError(t, err)
		k, err := b.gpu.Load(f)
		require.NoError(t, err)
		second, err := b.gpu.NewStream(0)
		require.NoError(t, err)
		words := func(x int32) (out []byte) {
			for i := range int32(4) {
				out = binary.LittleEndian.AppendUint32(out, uint32(x+i))
			}
			return out
		}
		results := [6][16]byte{}
		for i := range results {
			s := []device.Stream{b.stream, second}[i%2]
			from, to := b.alloc(b.gpu, 16), b.alloc(b.gpu, 16)
			s.CopyIn(from, 0, words(int32(10*i)))
			params := binary.LittleEndian.AppendUint64(nil, from.Addr())
			params = binary.LittleEndian.AppendUint64(params, to.Addr())
			params = binary.LittleEndian.AppendUint64(params, 2)
			s.Launch(k, kir.D1(1), kir.D1(4), 0, params)
			s.CopyOut(results[i][:], to, 0)
		}
		require.NoError(t, b.stream.Sync(ctx))
		require.NoError(t, second.Sync(ctx))
		for i, r := range results {
			for j := range 4 {
				require.EqualValues(t, 2*(10*i+j), binary.LittleEndian.Uint32(r[4*j:]), "launch %d", i)
			}
		}
	})
}
