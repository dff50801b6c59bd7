package multi_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// oddLine has n floats: many are equal, some are NaN, infinite, or zeros of both signs.
func oddLine(n int) *arrays.Array {
	x := make([]float64, n)
	state := uint64(n)
	for i := range x {
		state = state*6364136223846793005 + 1442695040888963407
		switch k := state >> 33; k % 23 {
		case 0:
			x[i] = math.NaN()
		case 1:
			x[i] = math.Copysign(0, -1)
		case 2:
			x[i] = 0
		case 3:
			x[i] = math.Inf(int(k>>5)%2*2 - 1)
		case 4, 5, 6, 7:
			x[i] = float64(k % 7)
		default:
			x[i] = float64(k%100_003) - 50_000
		}
	}
	return arrays.FromSlice(x)
}

// TestOneLongLineSortedByEight: all devices sort tiles of one line and merge those, and the bits are those of package
// arrays, of elements and of places, whatever the dtype and where samples do not tell all.
func TestOneLongLineSortedByEight(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := use(t)
	lazy.Fuse(true)
	offload.MinTile(512)
	defer offload.MinTile(0)
	for _, n := range []int{1000, 20_011} {
		odd := oddLine(n)
		for _, d := range []arrays.DType{arrays.Float64, arrays.Float32, arrays.Float16, arrays.Int32,
			arrays.Int64, arrays.Uint64, arrays.Int8, arrays.Bool} {
			few := n > 5000 || testsize.Short() // each dtype takes kernels of its own
			if few && d != arrays.Float64 && (n > 5000 || d != arrays.Int32) {
				continue
			}
			eager := odd
			if !d.IsFloat() {
				eager = arrays.Where(odd.Sub(odd).Equal(0), odd, 7.0).AsType(arrays.Int64)
			}
			eager = eager.AsType(d)
			lazy.Use("sim:v100x8")
			x := lazy.FromArray(eager)
			sorted, places := x.Sort(), x.ArgSort()
			tiles := min(n*d.Size()/512, 8)
			if tiles < 2 {
				continue
			}
			require.Contains(t, lazy.Explain(sorted).String(), "tiles of it are sorted first")
			before := rt.Stats()
			lazy.Eval(sorted)
			moved := rt.Stats().BytesPeer - before.BytesPeer
			on := map[string]bool{}
			for _, e := range trace.Last().Events() {
				if e.Kind == trace.Kernel {
					on[e.Device] = true
				}
			}
			require.Len(t, on, tiles, "%v, %d", d, n)
			require.Len(t, sorted.Tiling().Tiles, tiles)
			if n > 5000 { // an element goes to another device once; the rest is samples
				require.Less(t, moved, int64(n*d.Size())*3/2)
			}
			require.Equal(t, eager.Sort().Copy().Bytes(), sorted.Copy().Array().Bytes(), "%v, %d", d, n)
			require.Equal(t, eager.ArgSort().Copy().Bytes(), places.Copy().Array().Bytes(), "%v, %d", d, n)
			if n > 5000 && d == arrays.Float64 { // marks and what is picked by them are in tiles, too
				distinct := lazy.Unique(x)
				lazy.Eval(distinct)
				require.Greater(t, len(distinct.Tiling().Tiles), 1)
			}
			values, counts := lazy.UniqueCounts(x)
			wantValues, wantCounts := arrays.UniqueCounts(eager)
			require.Equal(t, wantValues.Copy().Bytes(), values.Copy().Array().Bytes(), "%v, %d", d, n)
			require.Equal(t, wantCounts.Copy().Bytes(), counts.Copy().Array().Bytes(), "%v, %d", d, n)
		}
	}
}

// TestLinesThatOneDeviceSorts: Explain says why several devices do not share a sort.
func TestLinesThatOneDeviceSorts(t *testing.T) {
	use(t)
	lazy.Use("sim:v100x8")
	x := lazy.FromArray(oddLine(3000))
	text := lazy.Explain(x.Sort()).String()
	require.True(t, strings.Contains(text, "is not two tiles of"), text)
	offload.MinTile(512)
	offload.WholeArrays(true)
	defer offload.WholeArrays(false)
	defer offload.MinTile(0)
	text = lazy.Explain(x.Sort()).String()
	require.True(t, strings.Contains(text, "arrays are whole"), text)
	require.Equal(t, oddLine(3000).Sort().Bytes(), x.Sort().Array().Bytes())
}
