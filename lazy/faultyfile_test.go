package lazy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"syscall"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fileLength is how many float64 the files of these tests have: 4 MB.
const fileLength = 1 << 19

// withBudget sets the budget for a test.
func withBudget(t *testing.T, bytes int64) {
	SetHostBudget(bytes)
	t.Cleanup(func() { SetHostBudget(0) })
}

// numbersFile is a .npy file of the numbers from 0.
func numbersFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, arrays.Save(path, arrays.Arange(fileLength).AsType(Float64)))
	return path
}

// failing is what f panics with.
func failing(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// TestBackings: each gives the same elements, and what goes wrong in it is an error with file and byte; afterwards the
// array can be used again.
func TestBackings(t *testing.T) {
	withBudget(t, 1<<20)
	path := numbersFile(t)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	want := float64(fileLength) * (fileLength - 1) / 2
	for name, backing := range map[string]func() disk.Backing{
		"mem":   func() disk.Backing { return disk.NewMem(content) },
		"pread": func() disk.Backing { f, err := os.Open(path); require.NoError(t, err); return disk.Pread{File: f} },
		"mmap": func() disk.Backing {
			f, err := os.Open(path)
			require.NoError(t, err)
			m, err := disk.NewMmap(f)
			require.NoError(t, err)
			if m == nil {
				return disk.Pread{File: f}
			}
			return m
		},
	} {
		for fault, cause := range map[string]error{"nothing": nil, "EIO": syscall.EIO, "a short read": io.EOF} {
			b := &disk.Faulty{Backing: backing(), Bad: 3 << 20, Delay: time.Microsecond}
			f := disk.On("x.npy", b, false)
			f.SetSize(int64(len(content)))
			x, err := open(f, fileOptions{})
			require.NoError(t, err, name)
			b.ReadError = cause
			if cause != nil {
				err := failing(func() { x.Sum().Float64() })
				assert.ErrorContains(t, err, fmt.Sprintf("x.npy cannot be read at byte %d: ", 3<<20), "%s, %s", name, fault)
				if cause != io.EOF {
					assert.ErrorIs(t, err, cause)
				}
				assert.Equal(t, 1000.0, x.Float64(1000), "what can be read is")
			}
			b.ReadError = nil
			assert.Equal(t, want, x.Sum().Float64(), "%s, %s", name, fault)
			assert.Equal(t, want, x.Add(1).Sub(1).Sum().Float64(), "%s, %s", name, fault)
			require.NoError(t, x.Close())
			assert.ErrorContains(t, failing(func() { x.Sum().Float64() }), "was closed")
		}
	}
}

// TestSinkFaults: a disk that is full while a result is written piece by piece is an error with file and byte.
func TestSinkFaults(t *testing.T) {
	withBudget(t, 1<<20)
	x := FromArray(arrays.Arange(fileLength).AsType(Float64))
	b := &disk.Faulty{Backing: disk.NewMem(nil), Bad: 3 << 20, WriteError: syscall.ENOSPC}
	sink, err := disk.Range(disk.On("y.npy", b, true), 128, 8*fileLength, nil)
	require.NoError(t, err)
	n := newNode(kindCast, Float64, contiguous([]int{fileLength}), &ordinary, x.Mul(3).view())
	err = n.streamTo(sink)
	assert.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, fmt.Sprintf("y.npy cannot be written at byte %d", 3<<20))
	b.WriteError = nil
	n = newNode(kindCast, Float64, contiguous([]int{fileLength}), &ordinary, x.Mul(3).view())
	require.NoError(t, n.streamTo(sink))
	got := make([]byte, 8*fileLength)
	require.NoError(t, sink.ReadAt(got, 0))
	assert.Equal(t, x.Mul(3).Array().Bytes(), got)
}

// TestInterruptedSave: leaves the file that was there, and nothing beside it.
func TestInterruptedSave(t *testing.T) {
	withBudget(t, 1<<20)
	x, err := Open(numbersFile(t))
	require.NoError(t, err)
	dir := t.TempDir()
	path := filepath.Join(dir, "y.npy")
	require.NoError(t, Save(path, arrays.Arange(3)))
	ctx, cancel := context.WithCancel(context.Background())
	before := runtime().Context
	runtime().Context = func() context.Context { return ctx }
	defer func() { runtime().Context = before }()
	time.AfterFunc(2*time.Millisecond, cancel)
	for err == nil {
		if panicked := failing(func() { err = Save(path, x.Mul(3).Sqrt()) }); panicked != nil {
			err = panicked
		}
	}
	assert.True(t, errors.Is(err, context.Canceled), err)
	runtime().Context = before
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// TestFilesOfAnySizeTakeTheBudget: what is computed of a file 16 times as large as the budget allocates no more at a
// time than that, and some.
func TestFilesOfAnySizeTakeTheBudget(t *testing.T) {
	testsize.InTurn(t, 2)
	const bytes, most = 256 << 20, 16 << 20 // a hole takes no room on the disk
	path := filepath.Join(t.TempDir(), "hole.npy")
	head := arrays.Wiring{}.NPYHeader(Float64, []int{bytes / 8})
	require.NoError(t, os.WriteFile(path, head, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(head))+bytes))
	withBudget(t, most)
	x, err := Open(path)
	require.NoError(t, err)
	offload.Collect()
	inUse := func() uint64 {
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	var peak uint64
	before := inUse() // of other tests
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			peak = max(peak, inUse())
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	assert.Equal(t, 0.0, x.Sum().Float64())
	assert.Equal(t, 1.0, x.Add(1).Max().Float64())
	close(stop)
	<-stopped
	assert.Less(t, peak, before+most+64<<20, "bytes at once")
}

// TestFullDisk: an assignment that the disk has no room for is an error with file and byte, and so is a Flush; what was
// written before is there, and the array is as useful as before.
func TestFullDisk(t *testing.T) {
	withBudget(t, 1<<20)
	content, err := os.ReadFile(numbersFile(t))
	require.NoError(t, err)
	b := &disk.Faulty{Backing: disk.NewMem(content), Bad: 3 << 20}
	f := disk.On("x.npy", b, true)
	f.SetSize(int64(len(content)))
	x, err := open(f, fileOptions{})
	require.NoError(t, err)
	waiting := x.At(arrays.S(7, 9)).Add(1)
	b.WriteError = syscall.ENOSPC
	for name, set := range map[string]func(){
		"a number":     func() { x.Set(5) },
		"in memory":    func() { x.Set(Arange(1000), arrays.S(3<<17-500, 3<<17+500)) },
		"by way of it": func() { x.Set(x.Mul(2)) },
	} {
		err := failing(set)
		assert.ErrorContains(t, err, fmt.Sprintf("x.npy cannot be written at byte %d: ", 3<<20), name)
		assert.ErrorIs(t, err, syscall.ENOSPC, name)
	}
	assert.Equal(t, []float64{8, 9}, waiting.Float64s(), "what was asked for before")
	b.WriteError = nil
	x.Set(Arange(fileLength))
	assert.Equal(t, float64(fileLength)*(fileLength-1)/2, x.Sum().Float64())
	assert.NoError(t, x.Flush())
	assert.NoError(t, x.Close())
	left, err := filepath.Glob(".arrayrepl-*")
	require.NoError(t, err)
	assert.Empty(t, left)
}
