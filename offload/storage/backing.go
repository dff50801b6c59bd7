package storage

import (
	"io"
	"os"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// Backing is what the bytes of a file are read from and written to. Reads and writes may be made by several goroutines.
type Backing interface {
	io.ReaderAt // an error where it reads less
	io.WriterAt
	Name() string // "pread"
	Sync() error  // what was written stays, whatever happens to the machine
	Close() error
}

// Pread reads and writes a file by system calls, range by range.
type Pread struct{ *os.File }

// Name returns "pread".
func (Pread) Name() string { return "pread" }

// Mmap reads a file that lies in memory, and writes to it by system calls.
type Mmap struct {
	*os.File
	mapped *mmap.File
	bytes  []byte
}

// NewMmap maps f. It returns nil where that cannot be: f is empty, no file, or the system maps none.
func NewMmap(f *os.File) (*Mmap, error) {
	m, b, err := mmap.Open(f.Name())
	if m == nil {
		return nil, err
	}
	return &Mmap{f, m, b}, m.Retain()
}

// Name returns "mmap".
func (*Mmap) Name() string { return "mmap" }

// ReadAt copies from the mapping.
func (m *Mmap) ReadAt(p []byte, off int64) (n int, err error) {
	err = mmap.Read(func() error {
		if n = copy(p, m.bytes[min(off, int64(len(m.bytes))):]); n < len(p) {
			return io.EOF
		}
		return m.mapped.Check()
	})
	return n, err
}

// Close takes the mapping away and closes the file.
func (m *Mmap) Close() error {
	err := m.mapped.Close()
	m.mapped.Release()
	if closed := m.File.Close(); err == nil {
		err = closed
	}
	return err
}

// Mem is a file in memory.
type Mem struct {
	mu    sync.RWMutex
	bytes []byte
}

// NewMem returns a file in memory that begins as b.
func NewMem(b []byte) *Mem { return &Mem{bytes: b} }

// Name returns "mem".
func (*Mem) Name() string { return "mem" }

// ReadAt copies from the file.
func (m *Mem) ReadAt(p []byte, off int64) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n := copy(p, m.bytes[min(off, int64(len(m.bytes))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt copies to the file, which grows as needed.
func (m *Mem) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if more := off + int64(len(p)) - int64(len(m.bytes)); more > 0 {
		m.bytes = append(m.bytes, make([]byte, more)...)
	}
	return copy(m.bytes[off:], p), nil
}

// Sync does nothing.
func (*Mem) Sync() error { return nil }

// Close does nothing.
func (*Mem) Close() error { return nil }
