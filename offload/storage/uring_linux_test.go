package storage

import (
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
