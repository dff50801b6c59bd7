package multi_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
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
