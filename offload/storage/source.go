package storage

import (
	"context"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// Owner is whose the bytes of sources are. It counts those who use it, and lets the bytes go with the last of them.
type Owner interface {
	Path() string
	Retain() error // an error after Close
	Release()
	Escape() // somebody has bytes of it who will not tell: it stays until Close
	Close() error
	Check() error // why its bytes are not what they were, or nil
}

// Source is the host's side of a value: so many bytes of an owner, which gives ranges of them and may take some. It
// counts as one user of the owner until Release. Its methods may be called from several goroutines.
type Source struct {
	owner    Owner
	memory   []byte // of a mapping
	file     *File  // of a range
	at, size int64
	decode   func(b []byte) // makes elements of what a file has; may be nil
	released atomic.Bool
}

// Mapped returns the source of bytes that lie in a mapped file.
func Mapped(f *mmap.File, b []byte) (*Source, error) {
	if err := f.Retain(); err != nil {
		return nil, err
	}
	return &Source{owner: f, memory: b, size: int64(len(b))}, nil
}

// Range returns the source of bytes at to at+size-1 of a file. decode, which may be nil, makes elements of what was
// read: ranges of whole ones.
func Range(f *File, at, size int64, decode func(b []byte)) (*Source, error) {
	if err := f.Retain(); err != nil {
		return nil, err
	}
	return &Source{owner: f, file: f, at: at, size: size, decode: decode}, nil
}

// Memory returns the bytes where they lie in memory, else nil.
func (s *Source) Memory() []byte { return s.memory }

// Bytes is how many there are.
func (s *Source) Bytes() int64 { return s.size }

// ReadAt reads the bytes from off on, len(p) of them.
func (s *Source) ReadAt(p []byte, off int64) error {
	if s.file == nil {
		return mmap.Read(func() error {
			copy(p, s.memory[off:])
			return nil
		})
	}
	if err := s.readRaw(p, off); err != nil {
		return err
	}
	if s.decode != nil {
		s.decode(p)
	}
	return nil
}

// readRaw reads what the file has.
func (s *Source) readRaw(p []byte, off int64) error {
	_, err := s.file.ReadAt(p, s.at+off)
	return err
}

// File is the file that the source is a range of, or nil.
func (s *Source) File() *File { return s.file }

// WriteAt writes bytes from off on. Only a range of a file that was opened for that takes them.
func (s *Source) WriteAt(p []byte, off int64) error {
	_, err := s.file.WriteAt(p, s.at+off)
	return err
}

// copied is how much Copy reads between two looks at whether anyone still waits.
const copied = 8 << 20

// Copy writes what from has to to.
func Copy(ctx context.Context, to, from *Source) error {
	b := make([]byte, min(copied, from.size))
	if err := from.Check(); err != nil {
		return err
	}
	for off := int64(0); off < from.size; off += int64(len(b)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		b = b[:min(int64(len(b)), from.size-off)]
		if err := from.ReadAt(b, off); err != nil {
			return err
		}
		if err := to.WriteAt(b, off); err != nil {
			return err
		}
	}
	return from.Check()
}

// Path is the name of the file.
func (s *Source) Path() string { return s.owner.Path() }

// Check returns an error when the file is not what it was: it was closed, cut short, or written to by others.
func (s *Source) Check() error { return s.owner.Check() }

// Escape says that somebody has the memory who will not tell when it is gone.
func (s *Source) Escape() {
	if s.memory != nil { // what was read from a range is the program's
		s.owner.Escape()
	}
}

// Close lets the file go for all who use it, as whom it is an error from now on.
func (s *Source) Close() error { return s.owner.Close() }

// Release ends the use of the file, once.
func (s *Source) Release() {
	if !s.released.Swap(true) {
		s.owner.Release()
	}
}
