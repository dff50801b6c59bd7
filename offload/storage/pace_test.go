package storage

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// crowded counts the commands that are under way at a disk.
type crowded struct {
	Backing
	now, most atomic.Int64
}

func (c *crowded) begin() {
	n := c.now.Add(1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
}

func (c *crowded) ReadAt(p []byte, off int64) (int, error) {
	c.begin()
	defer c.now.Add(-1)
	return c.Backing.ReadAt(p, off)
}

func (c *crowded) WriteAt(p []byte, off int64) (int, error) {
	c.begin()
	defer c.now.Add(-1)
	return c.Backing.WriteAt(p, off)
}

// TestFewCommandsAtOnceOnSlowDisks: an interrupt waits for what a disk has been asked for. On one of 300 commands a
// second that is less than it does in 100 ms, whatever asks: reads of rows, lines that are written in the background,
// a calibration. On a fast disk more are under way.
func TestFewCommandsAtOnceOnSlowDisks(t *testing.T) {
	testsize.InTurn(t, 1)
	const size, in100ms = 4 << 20, 24
	ctx := context.Background()
	for name, c := range map[string]struct {
		options Options
		does    func(t *testing.T, f *File, s *Source)
	}{
		"rows": {Options{}, func(t *testing.T, f *File, s *Source) {
			numbers := make([]int64, 120) // each in a line of its own
			for i := range numbers {
				numbers[i] = int64(i) * 1024
			}
			require.NoError(t, s.ReadRows(ctx, make([]byte, 8*len(numbers)), numbers, 0, 8, true, 1<<20))
		}},
		"lines in the background": {Options{Write: true, Async: true, Cache: 4096}, func(t *testing.T, f *File, s *Source) {
			c, err := s.Cache(1 << 20)
			require.NoError(t, err)
			for line := range int64(100) {
				require.NoError(t, c.Put(line*2, make([]byte, 4096)))
			}
			require.NoError(t, f.Flush(ctx))
		}},
		"a calibration": {Options{}, func(t *testing.T, f *File, s *Source) {
			var c Calibration
			require.NoError(t, c.measure(ctx, f, size, time.Millisecond, func() {}))
			assert.GreaterOrEqual(t, len(c.Random), 4*3)
		}},
	} {
		disk := &crowded{Backing: NewThrottled(NewMem(make([]byte, size)), 300, 0)}
		f := On("x", disk, c.options.Write)
		f.options = c.options
		f.SetSize(size)
		s, err := Range(f, 0, size, nil)
		require.NoError(t, err)
		c.does(t, f, s)
		assert.Greater(t, disk.most.Load(), int64(1), name)
		assert.Less(t, disk.most.Load(), int64(in100ms), name)
		s.Release()
	}
	disk := &crowded{Backing: NewThrottled(NewMem(make([]byte, size)), 0, time.Millisecond)}
	f := On("x", disk, false)
	f.SetSize(size)
	s, err := Range(f, 0, size, nil)
	require.NoError(t, err)
	defer s.Release()
	numbers := make([]int64, 1000)
	for i := range numbers {
		numbers[i] = int64(i) * 512
	}
	require.NoError(t, s.ReadRows(ctx, make([]byte, 8*len(numbers)), numbers, 0, 8, true, 1<<10))
	assert.Greater(t, disk.most.Load(), int64(paceLeast), "as none waits for others")
}
