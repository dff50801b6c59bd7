package storage

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestRingTakesFewer: whatever io_uring_enter does with a command, who reads has the file's bytes: it takes none and
// tells no error, it is interrupted before or after it has taken one, it has no memory, or waits for results to be
// fetched; and a wait for results ends early.
func TestRingTakesFewer(t *testing.T) {
	testsize.InTurn(t, 2)
	content := make([]byte, 1<<20+77)
	for i := range content {
		content[i] = byte(rand.Uint32())
	}
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	errs := []error{nil, unix.EINTR, unix.EAGAIN, unix.EBUSY}
	for name, does := range map[string]func(r *rand.Rand, real func() error) error{
		"nothing now and then": func(r *rand.Rand, real func() error) error {
			if k := r.IntN(8); k < 4 {
				return errs[k]
			}
			return real()
		},
		"it, and an error": func(r *rand.Rand, real func() error) error {
			if k := r.IntN(8); k < 4 {
				_ = real()
				return errs[k]
			}
			return real()
		},
		"nothing any more": func(r *rand.Rand, _ func() error) error { return errs[r.IntN(4)] },
		"what is refused":  func(*rand.Rand, func() error) error { return unix.EPERM },
	} {
		f, err := Open(path, Options{Backing: "uring"})
		require.NoError(t, err)
		u, is := f.backing.(*Uring)
		if !is {
			t.Skip(f.fallback)
		}
		var calls atomic.Int64
		u.call = func(ring int, submit, wait, flags uintptr) error {
			r := rand.New(rand.NewPCG(uint64(calls.Add(1)), 33))
			return does(r, func() error { return enterRing(ring, submit, wait, flags) })
		}
		var wg sync.WaitGroup
		for id := range 8 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(id), 1))
				for range 30 {
					off := r.IntN(len(content))
					p := make([]byte, 1+r.IntN(min(len(content)-off, 1<<r.IntN(21))))
					n, err := f.ReadAt(p, int64(off))
					if !assert.NoError(t, err, name) || !assert.Equal(t, len(p), n, name) || !assert.True(t, string(content[off:off+n]) == string(p), name) {
						return
					}
				}
			})
		}
		wg.Wait()
		assert.Positive(t, calls.Load())
		require.NoError(t, f.Close())
	}
}

// TestLongReads: reads of several commands that begin and end anywhere, also behind the end of the file, give what the
// system's own give, past its cache and through it, and leave no command behind.
func TestLongReads(t *testing.T) {
	for _, size := range []int{2*wagon - 1, 4 * wagon, 5*wagon + 4096, 9*wagon + 513} {
		content := make([]byte, size)
		_, err := rand.NewChaCha8([32]byte{byte(size)}).Read(content)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "x")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		f, err := Open(path, Options{Backing: "uring"})
		require.NoError(t, err)
		past, is := f.backing.(*Uring)
		if !is {
			t.Skip(f.fallback)
		}
		disk, err := os.Open(path)
		require.NoError(t, err)
		through, err := newUring(disk, nil)
		require.NoError(t, err)
		for name, u := range map[string]*Uring{"past the cache": past, "through it": through} {
			var wg sync.WaitGroup
			for id := range 40 { // 40 that want four commands each are more than there are
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(id), uint64(size)))
					for range 2 {
						off, p := r.IntN(size+5000), make([]byte, wagon+1+r.IntN(size))
						n, err := u.ReadAt(p, int64(off))
						want := content[min(off, size):min(off+len(p), size)]
						assert.True(t, string(want) == string(p[:n]), "%s: %d bytes at %d of %d", name, len(p), off, size)
						if len(want) < len(p) {
							assert.ErrorIs(t, err, io.EOF)
						} else {
							assert.NoError(t, err)
						}
					}
				})
			}
			wg.Wait()
			assert.Len(t, u.room, uringDepth, name)
		}
		require.NoError(t, through.Close())
		require.NoError(t, f.Close())
	}
}
