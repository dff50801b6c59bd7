package storage

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBackingsReadTheSame: each backing, or what takes its place, gives any range of a file of any size to many threads
// at once; the end of the file is io.EOF; what is written is read.
func TestBackingsReadTheSame(t *testing.T) {
	dirs := []string{t.TempDir(), "/dev/shm"} // a disk, mostly, and memory
	if info, err := os.Stat(dirs[1]); err != nil || !info.IsDir() {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		for i, size := range []int{1, 511, 4096, 3<<20 + 77} {
			content := make([]byte, size)
			r := rand.New(rand.NewPCG(uint64(size), 33))
			for i := range content {
				content[i] = byte(r.Uint32())
			}
			f, err := os.CreateTemp(dir, "backing")
			require.NoError(t, err)
			path := f.Name()
			defer os.Remove(path)
			_, err = f.Write(content)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			for _, name := range Backings {
				f, err := Open(path, Options{Backing: name, Write: name != "mmap"})
				require.NoError(t, err, name)
				if s := f.Stats(); i == 0 {
					t.Log(dir, name, s.Backing, s.Fallback)
					assert.Equal(t, s.Backing == name, s.Fallback == "" || name == "uring", "%s: %s, %q", name, s.Backing, s.Fallback)
				}
				var wg sync.WaitGroup
				for id := range 8 {
					wg.Go(func() {
						r := rand.New(rand.NewPCG(uint64(id), 1))
						for range 40 {
							off := r.IntN(size)
							p := make([]byte, 1+r.IntN(min(size-off, 1<<(r.IntN(22)))))
							n, err := f.backing.ReadAt(p, int64(off))
							if !assert.NoError(t, err, name) || !assert.Equal(t, len(p), n) || !assert.True(t, string(content[off:off+n]) == string(p), name) {
								return
							}
						}
						n, err := f.backing.ReadAt(make([]byte, 5000), int64(size-1))
						assert.Equal(t, 1, n, name)
						assert.Equal(t, io.EOF, err, name)
					})
				}
				wg.Wait()
				if f.Writable() {
					content[size/2]++
					_, err = f.WriteAt(content[size/2:size/2+1], int64(size/2))
					require.NoError(t, err)
					got := make([]byte, 1)
					_, err = f.ReadAt(got, int64(size/2))
					require.NoError(t, err)
					assert.Equal(t, content[size/2], got[0], name)
					require.NoError(t, f.Flush(context.Background()))
				}
				require.NoError(t, f.Close())
				_, err = f.ReadAt(make([]byte, 1), 0)
				assert.Error(t, err, name)
			}
		}
	}
}

// TestThrottled: commands at once take turns, and each its latency: the least that the formula says.
func TestThrottled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, make([]byte, 100), 0o600))
	f, err := Open(path, Options{Peak: 1000, Latency: 5 * time.Millisecond})
	require.NoError(t, err)
	defer f.Close()
	began := time.Now()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { _, err := f.ReadAt(make([]byte, 1), 3); assert.NoError(t, err) })
	}
	wg.Wait()
	assert.GreaterOrEqual(t, time.Since(began), 25*time.Millisecond)
	assert.Equal(t, "throttled pread", f.Backing())
}
