package multi_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// TestInterruptsOfTiles: an interrupt at any moment, also between the copies of the rows around a tile, leaves nothing
// half copied that is taken for whole later: the same program goes on to the values that it has without.
func TestInterruptsOfTiles(t *testing.T) {
	rt := use(t)
	lazy.Fuse(true)
	offload.MinTile(512)
	defer offload.MinTile(0)
	relax := func(x *lazy.Array) *lazy.Array {
		n := x.Shape()[0]
		c := x.At(arrays.S(1, -1), arrays.S(1, -1))
		c.Set(c.Add(x.At(arrays.S(0, -2), arrays.S(1, -1))).Add(x.At(arrays.S(2, n), arrays.S(1, -1))).Mul(0.3))
		return x
	}
	start := func() *lazy.Array {
		return lazy.FromArray(arrays.Arange(160.0*64).Reshape(160, 64)).Mul(1).Copy()
	}
	lazy.Use("host")
	want := start()
	for range 8 {
		relax(want)
	}
	want.Array()
	lazy.Use("sim:v100x8")
	r := rand.New(rand.NewPCG(7, 7))
	interrupted := 0
	for range 12 {
		ctx, cancel := context.WithCancel(context.Background())
		rt.Context = func() context.Context { return ctx }
		timer := time.AfterFunc(time.Duration(r.IntN(8000))*time.Microsecond, cancel)
		x := start()
		for range 8 {
			relax(x)
			func() {
				defer func() {
					if recover() != nil {
						interrupted++
						rt.Context = nil
					}
				}()
				lazy.Eval(x)
			}()
		}
		timer.Stop()
		cancel()
		rt.Context = nil
		require.Equal(t, want.Array().Bytes(), x.Array().Bytes())
	}
	t.Logf("%d interrupts", interrupted)
	require.Positive(t, interrupted)
}

// TestDroppedTiles: arrays in tiles that nobody has any more give the memory of all devices back.
func TestDroppedTiles(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := use(t)
	lazy.Use("sim:v100x8")
	offload.MinTile(256)
	defer offload.MinTile(0)
	for range 40 {
		x := lazy.FromArray(arrays.Arange(2000.0)).Mul(2)
		lazy.Eval(x, x.At(arrays.S(1, 2000)).Add(x.At(arrays.S(0, 1999))), x.Sum())
	}
	require.Positive(t, rt.Stats().LiveBytes)
	for range 3 {
		offload.Collect()
		lazy.Eval(lazy.FromArray(arrays.Arange(2.0)).Add(1))
	}
	require.Less(t, rt.Stats().LiveBytes, int64(4*2000*8))
	lazy.Use("sim:v100x8#3") // one of them has tiles of an array, and copies the others directly
	x := lazy.FromArray(arrays.Arange(2000.0)).Mul(2)
	lazy.Use("sim:v100x8")
	lazy.Eval(x)
	lazy.Use("sim:v100x8#3")
	before := rt.Stats()
	y := x.Add(1)
	lazy.Eval(y)
	after := rt.Stats()
	require.Equal(t, int64(7*2000), after.BytesPeer-before.BytesPeer)
	require.Equal(t, before.CopiesOut, after.CopiesOut)
	require.Equal(t, 2001.0, lazy.Data[float64](y)[1000])
}

// TestTenThousandDroppedArrays: arrays whose tiles are on eight small GPUs, made and dropped, more than their memories
// hold together: afterwards the pools have given out what they had at first.
func TestTenThousandDroppedArrays(t *testing.T) {
	rt := use(t)
	lazy.Use(simgpu.Custom("tiny", simgpu.Change(func(p *simgpu.Preset) { p.GPUs, p.PCIePeerRate, p.SwitchGPUs = 8, 85e8, 2 })))
	offload.MinTile(256)
	lazy.Fuse(true)
	inUse := func() (n int64) {
		for _, d := range rt.MemoryUse() {
			n += d.Pool.InUse
		}
		return n
	}
	x := lazy.FromArray(arrays.Arange(3000.0)).Mul(0.5)
	lazy.Eval(x)
	before := inUse()
	require.Len(t, x.Places(), 8)
	total := 10_000
	if testsize.Short() {
		total = 1000
	}
	for made := 0; made < total; made += 100 {
		dropped := make([]*lazy.Array, 100)
		for i := range dropped {
			dropped[i] = x.Add(float64(made + i))
		}
		lazy.Eval(dropped...)
		if made == 0 {
			require.Greater(t, inUse(), before+100*8*3000-1)
			require.Len(t, dropped[7].Tiling().Tiles, 8)
		}
	}
	for range 3 { // what other devices read is freed when a later run begins
		lazy.Eval(lazy.FromArray(arrays.Arange(2.0)).Add(1))
		inUse()
	}
	require.Less(t, inUse(), before+8*512, "but for the arrays of the last runs")
}

// TestOneFullGPU: what has no room on one GPU goes through that one in pieces; others run theirs whole.
func TestOneFullGPU(t *testing.T) {
	testsize.InTurn(t, 1)
	rt := use(t)
	lazy.Fuse(true)
	lazy.Use("sim:tiny", "sim:v100x8#2") // of 16 MB, and of 16 GB
	offload.MaxTiles(1)
	turn := 0
	offload.Policy(func(offload.Candidates) int { turn++; return turn % 2 })
	const n = 1_200_000
	x := lazy.FromArray(arrays.Arange(float64(n)))
	small, large := x.Mul(2).Add(1), x.Mul(3).Sub(1)
	before := rt.Stats()
	lazy.Eval(large, small)
	require.Greater(t, rt.Stats().Pieces-before.Pieces, int64(1))
	kernels := map[string]int{}
	for _, e := range trace.Last().Events() {
		if e.Kind == trace.Kernel {
			kernels[e.Device]++
		}
	}
	require.Equal(t, 1, kernels["sim:v100x8#2"])
	require.Greater(t, kernels["sim:tiny#0"], 1)
	pieces := append(small.Tiled().Tiles, large.Tiled().Tiles...) // of the one that went to the small GPU
	require.Greater(t, len(pieces), 1)
	next := 0
	for i, p := range pieces {
		require.Equal(t, trace.Tile{From: []int{next}, To: p.To, Step: []int{1}, Device: "sim:tiny#0", Turn: i + 1}, p)
		next = p.To[0]
	}
	require.Equal(t, n, next)
	for _, i := range []int{0, 1, n / 2, n - 1} {
		require.Equal(t, []float64{float64(2*i + 1), float64(3*i - 1)}, []float64{lazy.Data[float64](small)[i], lazy.Data[float64](large)[i]})
	}
}

// TestALinkLess: without one of its links a machine copies between those two GPUs over PCIe, more slowly; values and
// bytes are the same.
func TestALinkLess(t *testing.T) {
	testsize.InTurn(t, 1)
	rt := use(t)
	less := simgpu.Custom("v100x8", simgpu.Change(func(p *simgpu.Preset) {
		p.Links = slices.Clone(p.Links)
		for _, k := range [][2]int{{0, 3}, {3, 0}} {
			p.Links[k[0]] = slices.Clone(p.Links[k[0]])
			p.Links[k[0]][k[1]] = 0
		}
	}))
	var took []trace.Time
	for _, machine := range []string{"sim:v100x8", less} {
		lazy.Use(machine + "#0")
		x := lazy.FromArray(arrays.Arange(1e6)).Mul(2)
		lazy.Eval(x)
		lazy.Use(machine + "#3")
		before := rt.Stats()
		y := x.Add(1)
		lazy.Eval(y)
		require.Equal(t, int64(8e6), rt.Stats().BytesPeer-before.BytesPeer)
		require.Equal(t, before.CopiesOut, rt.Stats().CopiesOut)
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.CopyPeer {
				took = append(took, e.End-e.Start)
			}
		}
		require.Equal(t, 1999.0, lazy.Data[float64](y)[999])
	}
	require.Len(t, took, 2)
	require.Greater(t, took[1], 4*took[0]) // 8.5 GB/s in place of 48
}

// TestPackedCopiesOnFullGPUs: what is packed on one GPU to be unpacked on another stays until it is there, though
// nobody but the copy has it, and a GPU that is full asks the collector what is gone.
func TestPackedCopiesOnFullGPUs(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := use(t)
	defer rt.SetMemLimit(0)
	defer offload.MinTile(0)
	defer offload.SetTiles(offload.Slabs)
	lazy.Use("sim:v100x8#0", "sim:v100x8#1", "sim:v100x8#2", "sim:v100x8#3")
	offload.MinTile(1000)
	offload.SetTiles(offload.Balanced)
	const rows, cols = 64, 64
	eager := arrays.Arange(float64(rows*cols)).Sin().Reshape(rows, cols)
	sum := func(x *lazy.Array) *lazy.Array { // of elements and their neighbours on the right
		return x.At(lazy.All, arrays.S(0, -1)).Add(x.At(lazy.All, arrays.S(1, cols)))
	}
	want := eager.At(arrays.All, arrays.S(0, -1)).Add(eager.At(arrays.All, arrays.S(1, cols)))
	evicted := rt.Stats().Evictions
	for limit := int64(3*8192 + 256); limit < 60_000; limit += 8192 { // tiles of x and others, a tile to read, and one to write
		rt.SetMemLimit(0)
		x := lazy.FromArray(eager).Mul(1)
		var others []*lazy.Array
		for i := range 4 {
			others = append(others, x.Add(float64(i)))
		}
		lazy.Eval(append(others, x)...)
		rt.SetMemLimit(limit)
		got := sum(x)
		require.NoError(t, lazy.TryEval(got), "memory %d", limit)
		require.Equal(t, want.Copy().Bytes(), got.Array().Bytes(), "memory %d", limit)
		require.Len(t, others, 4)
	}
	require.Greater(t, rt.Stats().Evictions, evicted)
}
