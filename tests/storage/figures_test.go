//go:build unix

package storage

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProbesAreLinesOfWarps: a warp looks up each line once that its threads want, wherever they are.
func TestProbesAreLinesOfWarps(t *testing.T) {
	path := saved(t)
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		const m = 4096
		r := rand.New(rand.NewPCG(14, 1))
		idx, want := make([]int64, m), int64(0)
		lines := map[int64]bool{}
		for i := range idx {
			if i%32 == 0 {
				clear(lines)
			}
			idx[i] = r.Int64N(20_000) // of 40 lines
			if line := idx[i] * 8 / 4096; !lines[line] {
				lines[line] = true
				want++
			}
		}
		x, err := lazy.Open(path, lazy.Without("reuse"))
		require.NoError(t, err)
		out := lazy.Zeros(m)
		launch(pick(t, m), m, []*lazy.Array{x, lazy.FromSlice(idx, m), out}, 2)
		require.Equal(t, float64(idx[77]), out.Float64(77))
		assert.Equal(t, want, storageOf(t, x).Cache.Probes)
		require.NoError(t, x.Close())
	})
}

// TestSelectiveScan: of a column as many lines are read as have an element that is looked for: with a share p of
// elements and m of them in a line, 1-(1-p)^m of all lines, 14.2 % for p = 0.0003 and m = 512, within three standard
// deviations. What is picked is what a search of all elements in memory picks.
func TestSelectiveScan(t *testing.T) {
	onEach(t, []string{"host"}, func(t *testing.T, rt *offload.Runtime) {
		const trips, p, perLine = 1 << 19, 0.0003, 512
		r := rand.New(rand.NewPCG(14, 2))
		distance, total := make([]float64, trips), make([]float64, trips)
		for i := range distance {
			total[i] = r.Float64() * 50
			if distance[i] = r.Float64() * 30; r.Float64() < p {
				distance[i] = 30 + r.Float64()*20
			}
		}
		dir := t.TempDir()
		open := func(name string, column []float64) *lazy.Array {
			path := filepath.Join(dir, name)
			require.NoError(t, arrays.Save(path, arrays.FromSlice(column, trips)))
			x, err := lazy.Open(path, lazy.Access("lines"))
			require.NoError(t, err)
			return x
		}
		far, paid := open("distance.npy", distance), open("total.npy", total)
		long := lazy.ArgWhere(far.GreaterEqual(30)).Reshape(-1)
		ratio := lazy.Take(paid, long).Div(lazy.Take(far, long)).Float64s()
		var want []float64
		for i, d := range distance {
			if d >= 30 {
				want = append(want, total[i]/d)
			}
		}
		assert.Equal(t, want, ratio)
		const lines = trips / perLine
		q := 1 - math.Pow(1-p, perLine)
		assert.InDelta(t, 0.142, q, 0.0005)
		assert.InDelta(t, lines*q, float64(storageOf(t, paid).Cache.ReadIOs), 3*math.Sqrt(lines*q*(1-q)))
	})
}

// TestGraphFromDisk: the levels of a breadth-first search whose edges are on disk, with a cache of an eighth of them,
// are those of a search in memory.
func TestGraphFromDisk(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		const nodes, degree = 1 << 12, 8
		r := rand.New(rand.NewPCG(14, 3))
		edges := make([]int64, nodes*degree)
		for i := range edges { // a corner of the matrix is likelier at each bit, as in Kronecker graphs
			for range 12 {
				edges[i] <<= 1
				if r.IntN(100) < 30 {
					edges[i]++
				}
			}
		}
		path := filepath.Join(t.TempDir(), "edges.npy")
		require.NoError(t, arrays.Save(path, arrays.FromSlice(edges, len(edges))))
		x, err := lazy.Open(path, lazy.Access("lines"), lazy.LineBytes(512), lazy.CacheBytes(8*nodes*degree/8))
		require.NoError(t, err)
		levels := func(take func(places []int64) []int64) []int {
			level := make([]int, nodes)
			level[0] = 1
			for front, d := []int64{0}, 2; len(front) > 0; d++ {
				var places, next []int64
				for _, u := range front {
					for k := range int64(degree) {
						places = append(places, u*degree+k)
					}
				}
				for _, v := range take(places) {
					if level[v] == 0 {
						level[v] = d
						next = append(next, v)
					}
				}
				front = next
			}
			return level
		}
		want := levels(func(places []int64) []int64 {
			out := make([]int64, len(places))
			for i, k := range places {
				out[i] = edges[k]
			}
			return out
		})
		got := levels(func(places []int64) []int64 { return lazy.Take(x, places).Int64s() })
		assert.Equal(t, want, got)
		assert.Greater(t, want[edges[0]], 0)
		s := storageOf(t, x).Cache
		assert.NotZero(t, s.ReadIOs)
		assert.Equal(t, s.Accesses, s.Hits+s.Misses)
	})
}
