package storage

import (
	"io"
	"os"
	"sync"
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
