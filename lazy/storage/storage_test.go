package storage_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestUse: files that are opened afterwards are read so, and tell of the model beside what was read in truth.
func TestUse(t *testing.T) {
	lazy.Use("host")
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, lazy.Save(path, lazy.Arange(100_000)))
	require.NoError(t, storage.Use("sim:optane*4", storage.Line(512), storage.Cache(1<<20), storage.Policy("lru"), lazy.Access("lines")))
	defer storage.Use("")
	x, err := lazy.Open(path)
	require.NoError(t, err)
	assert.Equal(t, []int{5, 70_000, 5}, lazy.Take(x, []int{5, 70_000, 5}).Ints())
	s, err := x.Storage()
	require.NoError(t, err)
	require.NotNil(t, s.Model)
	assert.Equal(t, "optane*4", s.Model.Machine)
	assert.Equal(t, s.Reads, s.Model.Reads)
	assert.Equal(t, s.BytesRead, s.Model.BytesRead)
	assert.Equal(t, s.Model.Queued, s.Model.Reads)
	assert.Greater(t, s.Model.Time, 11*time.Microsecond)
	assert.Equal(t, "lru", s.Cache.Policy)
	assert.EqualValues(t, 2, s.Cache.ReadIOs)
	assert.Contains(t, s.String(), "sim optane*4: ")
	assert.Contains(t, s.Backing, "sim:optane*4 over pread")
	assert.Equal(t, 4999950000, x.Sum().Int())
	require.NoError(t, x.Close())

	require.NoError(t, storage.Use("uring"))
	for _, wrong := range []string{"tape", "sim:", "sim:optane*0", "optane"} {
		assert.Error(t, storage.Use(wrong), wrong)
	}
	require.NoError(t, storage.Use(""))
	x, err = lazy.Open(path)
	require.NoError(t, err)
	s, err = x.Storage()
	require.NoError(t, err)
	assert.Nil(t, s.Model)
}

// TestPages: what happened to lines is told by kinds.
func TestPages(t *testing.T) {
	lazy.Use("host")
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, lazy.Save(path, lazy.Arange(100_000)))
	x, err := lazy.Open(path, lazy.Recorded(), lazy.CacheBytes(8192), lazy.Access("lines"))
	require.NoError(t, err)
	for _, k := range []int{0, 600, 1200, 1201} {
		lazy.Eval(lazy.Take(x, []int{k}))
	}
	counts := map[string]int{}
	for _, kind := range []string{"hit", "miss", "evict", "write back"} {
		ms, mb, err := storage.Pages(x, kind)
		require.NoError(t, err)
		assert.Len(t, mb, len(ms))
		counts[kind] = len(ms)
	}
	assert.Equal(t, map[string]int{"hit": 1, "miss": 3, "evict": 1, "write back": 0}, counts)
	_, mb, _ := storage.Pages(x, "miss")
	assert.Equal(t, []float64{0, 0.004096, 0.008192}, mb)
	_, _, err = storage.Pages(x, "joy")
	assert.Error(t, err)
	_, _, err = storage.Pages(lazy.Ones(3), "hit")
	assert.Error(t, err)
}

// TestCalibrate: it measures something, keeps it, and leaves no file.
func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	c, err := storage.CalibrateWith(4<<20, time.Millisecond, dir)
	require.NoError(t, err)
	assert.False(t, c.Assumed)
	d := c.Depths(4096)
	assert.NotEmpty(t, d.Depths) // a slow disk is not asked for more than it can do
	assert.Equal(t, []int{1, 2, 4, 8, 16, 32, 64}[:len(d.Depths)], d.Depths)
	assert.Equal(t, 4096, d.Line)
	assert.False(t, d.Modelled)
	assert.InEpsilon(t, slices.Max(d.Rates)/d.Rates[0], d.Knee, 1e-9, "T·L: the peak's rate times the time of a read alone")
	assert.Equal(t, 65536, c.Depths(40000).Line)
	for _, p := range c.Random {
		assert.Positive(t, p.IOPS)
		assert.InEpsilon(t, p.IOPS*float64(p.Line), p.Bytes, 1e-9)
	}
	assert.Positive(t, c.Sequential)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
	assert.Contains(t, c.String(), "real: ")
	_, err = storage.CalibrateWith(1, time.Millisecond, filepath.Join(dir, "none"))
	assert.Error(t, err)
}

// TestModel: what cells ask the model for; package nvme tests the figures.
func TestModel(t *testing.T) {
	r, err := storage.BlockBench{Threads: 20_000, Line: 4096, SSDs: 2, QPs: 64, Depth: 256, Random: true, Second: "coalesced"}.Run()
	require.NoError(t, err)
	assert.Positive(t, r.IOPS)
	assert.Contains(t, r.String(), "optane*2 (sim)")
	_, err = storage.BlockBench{Machine: "tape"}.Run()
	assert.Error(t, err)
	_, err = storage.BlockBench{Second: "third"}.Run()
	assert.ErrorContains(t, err, "there is no order")
	turns, err := storage.BlockBench{Threads: 1 << 18}.Run()
	require.NoError(t, err)
	bySM, err := storage.BlockBench{Threads: 1 << 18, Choice: "by SM"}.Run()
	require.NoError(t, err)
	assert.Less(t, bySM.IOPS, turns.IOPS, "108 SMs use 108 of 128 pairs, at 38,800 commands a second each")
	assert.Greater(t, bySM.IOPS, 0.8*108*38_800)
	_, err = storage.BlockBench{Choice: "by chance"}.Run()
	assert.ErrorContains(t, err, "there is no choice")
	y, err := storage.Curve("980pro", 512, []int{1, 10, 1000})
	require.NoError(t, err)
	assert.InEpsilon(t, 800e3, y[2], 0.01)
	_, err = storage.Curve("980pro", 512, []int{0})
	assert.Error(t, err)
	knee, err := storage.Knee("optane", 512)
	require.NoError(t, err)
	assert.InEpsilon(t, 57.1, knee, 0.01)
	assert.InEpsilon(t, 558.6, storage.Little(26e9, 512, 11*time.Microsecond), 0.001)
	curve, err := storage.Depths("sim:optane", 512)
	require.NoError(t, err)
	assert.Equal(t, "optane", curve.Name)
	assert.True(t, curve.Modelled)
	assert.InEpsilon(t, 5.1e6, curve.Rates[len(curve.Rates)-1], 0.03, "the least of 5.1 M/s and what 128 pairs of queues pass")
	assert.Equal(t, knee, curve.Knee)
	_, err = storage.Depths("tape", 512)
	assert.Error(t, err)
	dollars, err := storage.CostPerGB("optane")
	require.NoError(t, err)
	assert.Equal(t, 2.54, dollars)
	assert.Contains(t, storage.Presets().String(), "Samsung PM1735")
	ways, err := storage.Ways("optane*4", 4096)
	require.NoError(t, err)
	assert.Greater(t, ways[0].BytesPerSecond, ways[1].BytesPerSecond)
	_, err = storage.Tiled(1, 1, 1, 0)
	assert.Error(t, err)
}
