//go:build unix

package mmap_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// open maps a file of n bytes that are not zero.
func open(t *testing.T, n int) (f *mmap.File, data []byte, path string) {
	path = filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte{7}, n), 0o600))
	f, data, err := mmap.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f, data, path
}

// sum reads all of b.
//
//go:noinline
func sum(b []byte) (n int) {
	for _, x := range b {
		n += int(x)
	}
	return n
}

// TestCut: reading what was cut off is an error with file and offset, on any goroutine, and the rest can be read.
func TestCut(t *testing.T) {
	page := os.Getpagesize()
	f, data, path := open(t, 4*page+100)
	require.NoError(t, f.Check())
	require.NoError(t, os.Truncate(path, int64(page)))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			err := mmap.Read(func() error { sum(data); return nil })
			fault := new(mmap.Fault)
			if assert.ErrorAs(t, err, &fault) {
				assert.Equal(t, mmap.Fault{Path: path, Offset: int64(page), Size: int64(page), Was: int64(4*page + 100)}, *fault)
				assert.Contains(t, err.Error(), "was cut")
			}
			copied := make([]byte, len(data))
			assert.Error(t, mmap.Read(func() error { copy(copied, data); return nil }), "in the runtime's own copying")
		})
	}
	group.Wait()
	assert.NoError(t, mmap.Read(func() error { assert.Equal(t, 7*page, sum(data[:page])); return nil }))
	assert.Panics(t, func() { mmap.Steady(data) })
	require.NoError(t, os.Truncate(path, int64(page-1)))
	assert.ErrorContains(t, f.Check(), "byte", "zeros in the last page are not a fault")
}

// TestOthersGoOn: what is not about a mapped file is not taken for it.
func TestOthersGoOn(t *testing.T) {
	open(t, 10)
	assert.PanicsWithValue(t, "mine", func() { _ = mmap.Read(func() error { panic("mine") }) })
	assert.Panics(t, func() {
		_ = mmap.Read(func() error {
			var p *int
			*p = 1
			return nil
		})
	})
}

// TestReleased: the last user takes the mapping away, once; escaped slices keep it.
func TestReleased(t *testing.T) {
	before := mmap.Count()
	f, data, _ := open(t, 100)
	require.Same(t, f, mmap.Of(data[50:]))
	require.NoError(t, f.Retain())
	require.NoError(t, f.Retain())
	f.Release()
	assert.Equal(t, 700, sum(data))
	f.Release()
	assert.Equal(t, before, mmap.Count())
	assert.Nil(t, mmap.Of(data))
	assert.Error(t, f.Retain())
	assert.NoError(t, f.Close())

	f, data, _ = open(t, 100)
	require.NoError(t, f.Retain())
	f.Escape()
	f.Release()
	assert.Equal(t, 700, sum(data))
	require.NoError(t, f.Close())
	assert.NotNil(t, mmap.Of(data), "its addresses are not given to others")
	assert.ErrorContains(t, mmap.Read(func() error { sum(data); return nil }), "was closed")
	assert.ErrorContains(t, f.Check(), "was closed")
	assert.NoError(t, f.Close())
}

// TestClosedWhileRead: readers on several goroutines get all of it, or the error.
func TestClosedWhileRead(t *testing.T) {
	f, data, _ := open(t, 1<<20)
	require.NoError(t, f.Retain())
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 1000 {
				if err := mmap.Read(func() error { assert.Equal(t, 7<<20, sum(data)); return nil }); err != nil {
					assert.ErrorContains(t, err, "was closed")
					return
				}
			}
		})
	}
	require.NoError(t, f.Close())
	group.Wait()
	f.Release()
	assert.Nil(t, mmap.Of(data))
}
