package storage

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// rowsFile is a range, 128 bytes from the beginning of a file of so many random bytes on.
func rowsFile(t *testing.T, size int, o Options, decode func([]byte)) (*Source, []byte) {
	b := make([]byte, 128+size)
	r := rand.New(rand.NewPCG(uint64(size), 33))
	for i := 0; i+8 <= len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], r.Uint64())
	}
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	f, err := Open(path, o)
	require.NoError(t, err)
	s, err := Range(f, 128, int64(size), decode)
	require.NoError(t, err)
	t.Cleanup(s.Release)
	return s, b[128:]
}

// TestReadRows: rows by their numbers are those of the file in the order of the numbers, by each backing, through the
// cache and past it, where the cache has room for the lines and where not, whatever the order of bytes. Accesses,
// lines and useful bytes are counted, and what the cache has is not read again.
func TestReadRows(t *testing.T) {
	testsize.InTurn(t, 1)
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		row := 1 << r.IntN(8)
		rows := 1 + r.IntN(60_000/row*8)
		o := Options{Backing: Backings[r.IntN(4)], Line: 512 << r.IntN(4), Cache: int64(1 << (10 + r.IntN(11))), Policy: Policies[r.IntN(4)]}
		var decode func([]byte)
		if row >= 8 && r.IntN(3) == 0 {
			decode = func(b []byte) {
				for i := 0; i+8 <= len(b); i += 8 {
					slices.Reverse(b[i : i+8])
				}
			}
		}
		s, all := rowsFile(t, rows*row, o, decode)
		if all = slices.Clone(all); decode != nil {
			decode(all)
		}
		at := int64(row * r.IntN(min(rows, 100)))
		numbers := make([]int64, r.IntN(3000))
		for i := range numbers {
			numbers[i] = r.Int64N(int64(rows) - at/int64(row))
		}
		require.True(t, s.InBatches(at, int64(row)))
		byLines := r.IntN(3) > 0
		distinct := map[int64]bool{}
		for pass := range 2 {
			got := make([]byte, len(numbers)*row)
			reads := s.file.Stats().Cache.ReadIOs
			require.NoError(t, s.ReadRows(context.Background(), got, numbers, at, int64(row), byLines, 1<<20), "seed %d", seed)
			for i, k := range numbers {
				from := at + k*int64(row)
				require.Equal(t, all[from:from+int64(row)], got[i*row:(i+1)*row], "seed %d", seed)
				distinct[from/o.Line] = true
			}
			c := s.file.Stats().Cache
			if !byLines {
				require.Zero(t, c.Accesses)
				continue
			}
			require.EqualValues(t, (pass+1)*len(numbers), c.Accesses, "seed %d", seed)
			require.EqualValues(t, (pass+1)*len(numbers)*row, c.Useful)
			require.Equal(t, c.Accesses, c.Hits+c.Misses)
			if pass == 0 {
				require.EqualValues(t, len(distinct), c.Misses)
				require.Equal(t, c.Misses, c.ReadIOs)
			} else if len(distinct) <= c.Slots {
				require.Equal(t, reads, c.ReadIOs, "seed %d: all lines are there", seed)
			}
		}
	}
}

// TestReadRowsOfWrittenLines: what is in the cache and not in the file is seen, by lines and past them.
func TestReadRowsOfWrittenLines(t *testing.T) {
	for i, slots := range []int64{2, 1000, 2, 1000} {
		s, all := rowsFile(t, 1<<16, Options{Write: true, Line: 512, Cache: 512 * slots}, nil)
		c, err := s.Cache(0)
		require.NoError(t, err)
		p, err := c.Acquire(3, 1, 8, true)
		require.NoError(t, err)
		*(*uint64)(p) = 7
		c.Release(3, 1, true)
		got, numbers := make([]byte, 3000*8), make([]int64, 3000)
		for i := range numbers {
			numbers[i] = int64(i * 7919 % 8192)
		}
		require.NoError(t, s.ReadRows(context.Background(), got, numbers, 0, 8, i < 2, 0))
		binary.LittleEndian.PutUint64(all[3*512:], 7)
		for i, k := range numbers {
			require.Equal(t, all[k*8:k*8+8], got[i*8:i*8+8])
		}
	}
}

// TestReadRowsEnd: a read that fails ends all of it, and names file and byte; so does who does not wait any more. The
// cache works afterwards.
func TestReadRowsEnd(t *testing.T) {
	s, all := rowsFile(t, 1<<20, Options{Line: 512, Cache: 1 << 20}, nil)
	numbers := []int64{0, 1 << 16, 5}
	require.NoError(t, os.Truncate(s.file.path, 1<<18))
	wrong := new(Error)
	require.ErrorAs(t, s.ReadRows(context.Background(), make([]byte, 24), numbers, 0, 8, true, 0), &wrong)
	assert.EqualValues(t, 128+1<<19, wrong.Offset)
	got := make([]byte, 8)
	require.NoError(t, s.ReadRows(context.Background(), got, []int64{5}, 0, 8, true, 0))
	assert.Equal(t, all[40:48], got)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, s.ReadRows(ctx, make([]byte, 24), numbers, 0, 8, false, 0), context.Canceled)
}
