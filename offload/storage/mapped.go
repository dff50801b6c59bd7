package storage

import (
	"io"
	"os"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// Mmap reads a file that lies in memory. It takes no writes.
type Mmap struct {
	mapped *mmap.File
	bytes  []byte
}

// NewMmap maps f, which is closed with it. It returns nil where that cannot be: f is empty, no file, or the system maps
// none.
func NewMmap(f *os.File) (*Mmap, error) {
	m, b, err := mmap.Map(f)
	if m == nil {
		return nil, err
	}
	return &Mmap{m, b}, m.Retain()
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

// WriteAt is an error.
func (m *Mmap) WriteAt([]byte, int64) (int, error) { return 0, os.ErrPermission }

// Sync does nothing.
func (*Mmap) Sync() error { return nil }

// Close takes the mapping away and closes the file.
func (m *Mmap) Close() error {
	err := m.mapped.Close()
	m.mapped.Release()
	return err
}
