package storage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// File is an open file of which sources have ranges. Its methods may be called from several goroutines.
type File struct {
	path     string
	backing  Backing
	disk     *os.File // nil of what is not on a disk
	writable bool

	mu     sync.Mutex
	size   int64 // when it was opened, or last written to by this program
	time   time.Time
	users  int
	kept   bool // somebody has it who does not tell
	closed bool
}

// Open opens a regular file by Pread. With write it can be written to, and changes of others are not told.
func Open(path string, write bool) (*File, error) {
	mode := os.O_RDONLY
	if write {
		mode = os.O_RDWR
	}
	disk, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, err
	}
	info, err := disk.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a %s, not a file whose elements can be read in any order", brief.Path(path), kind(info.Mode()))
	}
	if err != nil {
		disk.Close()
		return nil, err
	}
	return &File{path: path, backing: Pread{disk}, disk: disk, writable: write, size: info.Size(), time: info.ModTime()}, nil
}

// On returns a file of another backing, of no size that is known. path names it in errors.
func On(path string, b Backing, writable bool) *File {
	return &File{path: path, backing: b, writable: writable}
}

func kind(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&os.ModeNamedPipe != 0:
		return "pipe"
	}
	return "device"
}

// SetSize says how many bytes a file of [On] has.
func (f *File) SetSize(bytes int64) { f.size = bytes }

// Path is the file's name, as it was opened.
func (f *File) Path() string { return f.path }

// Backing is the name of what the file is read by.
func (f *File) Backing() string { return f.backing.Name() }

// Size is how many bytes the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Retain counts one more user. It returns an error after Close.
func (f *File) Retain() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return &Error{Path: f.path, Err: os.ErrClosed}
	}
	f.users++
	return nil
}

// Release counts one user less. The last closes the file.
func (f *File) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.users--; f.users == 0 && !f.kept {
		_ = f.shut()
	}
}

// Escape keeps the file open until Close.
func (f *File) Escape() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept = true
}

// Close closes the file, once. Reads and writes are errors from then on.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shut()
}

// shut closes the file. f.mu is held.
func (f *File) shut() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.backing.Close()
}

// Check returns an error when the file was closed, or when another program has cut it or written to it.
func (f *File) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return &Error{Path: f.path, Err: os.ErrClosed}
	}
	if f.disk == nil || f.writable {
		return nil
	}
	info, err := f.disk.Stat()
	switch {
	case err != nil:
		return &Error{Path: f.path, Err: err}
	case info.Size() < f.size:
		return &Error{Path: f.path, Offset: info.Size(), Err: ErrCut}
	case !info.ModTime().Equal(f.time):
		return &Error{Path: f.path, Err: ErrChanged}
	}
	return nil
}

// What other programs do to files.
var (
	ErrCut     = errors.New("another program has cut it short; open it again")
	ErrChanged = errors.New("another program has written to it since it was opened; open it again")
)

// Error is what went wrong with a file, and at which byte.
type Error struct {
	Path   string
	Write  bool
	Offset int64
	Err    error
}

// Error names file and byte.
func (e *Error) Error() string {
	name := brief.Path(e.Path)
	if errors.Is(e.Err, os.ErrClosed) {
		return name + " was closed; open it again to use its elements"
	}
	what := "read"
	if e.Write {
		what = "written"
	}
	if e.Err == ErrChanged {
		return name + " cannot be used: " + e.Err.Error()
	}
	return fmt.Sprintf("%s cannot be %s at byte %d: %s", name, what, e.Offset, brief.Reason(e.Err))
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ReadAt reads all of p, or returns an *Error.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.backing.ReadAt(p, off)
	if n == len(p) {
		return n, nil
	}
	if err == nil || err == io.EOF {
		err = ErrCut
	}
	return n, &Error{Path: f.path, Offset: off + int64(n), Err: err}
}

// WriteAt writes all of p, or returns an *Error.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.backing.WriteAt(p, off)
	if err != nil {
		return n, &Error{Path: f.path, Write: true, Offset: off + int64(n), Err: err}
	}
	return n, nil
}

// Sync has the disk keep what was written.
func (f *File) Sync() error {
	if err := f.backing.Sync(); err != nil {
		return &Error{Path: f.path, Write: true, Err: err}
	}
	return nil
}
