package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// File is an open file of which sources have ranges. Its methods may be called from several goroutines.
type File struct {
	path     string
	backing  Backing
	fallback string   // why that is not the one that was asked for
	disk     *os.File // nil of what is not on a disk
	options  Options

	moved moved
	rows  pace                            // of reads of single rows
	cell  atomic.Pointer[context.Context] // see Heed

	using sync.RWMutex // held by who reads or writes, so that Close waits
	gone  bool

	mu     sync.Mutex
	size   int64 // when it was opened, or last written to by this program
	time   time.Time
	users  int
	kept   bool // somebody has it who does not tell
	closed bool
	caches []*Cache // of parts of the file, which do not overlap
	beside any      // see Beside
}

// On returns a file of another backing, of no size that is known. path names it in errors.
func On(path string, b Backing, writable bool) *File {
	return &File{path: path, backing: b, options: Options{Write: writable}}
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

// Writable reports whether the file was opened for writing.
func (f *File) Writable() bool { return f.options.Write }

// Used reports whether anybody counts as a user of the file.
func (f *File) Used() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.users > 0
}

// Beside returns what the first caller has made to be kept with the file.
func (f *File) Beside(make func() any) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.beside == nil {
		f.beside = make()
	}
	return f.beside
}

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
	var err error
	if f.options.Write {
		writing.remove(f)
		for _, c := range f.caches {
			if wrong := c.Flush(context.Background(), 0, c.size); err == nil {
				err = wrong
			}
		}
	}
	f.using.Lock()
	defer f.using.Unlock()
	f.gone = true
	if closed := f.backing.Close(); err == nil {
		err = closed
	}
	return err
}

// Check returns an error when the file was closed, or when another program has cut it or written to it.
func (f *File) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return &Error{Path: f.path, Err: os.ErrClosed}
	}
	if f.disk == nil || f.options.Write {
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

// ReadAt reads all of p, or returns an *Error. It sees what has been written to lines of caches.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	for _, c := range f.cached() {
		if err := c.flushFile(off, int64(len(p))); err != nil {
			return 0, err
		}
	}
	return f.read(p, off)
}

func (f *File) read(p []byte, off int64) (int, error) {
	f.using.RLock()
	defer f.using.RUnlock()
	if f.gone {
		return 0, &Error{Path: f.path, Err: os.ErrClosed}
	}
	if err := f.interrupted(); err != nil {
		return 0, err
	}
	n, err := f.backing.ReadAt(p, off)
	f.moved.reads.Add(1)
	f.moved.bytesRead.Add(int64(n))
	if n == len(p) {
		return n, nil
	}
	if err == nil || err == io.EOF {
		err = ErrCut
	}
	return n, &Error{Path: f.path, Offset: off + int64(n), Err: err}
}

// WriteAt writes all of p, or returns an *Error. Lines of caches have it too.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	caches := f.cached()
	for _, c := range caches {
		if err := c.flushFile(off, int64(len(p))); err != nil {
			return 0, err
		}
	}
	n, err := f.write(p, off)
	for _, c := range caches {
		c.forgetFile(off, int64(len(p)))
	}
	return n, err
}

func (f *File) write(p []byte, off int64) (int, error) {
	f.using.RLock()
	defer f.using.RUnlock()
	if f.gone {
		return 0, &Error{Path: f.path, Err: os.ErrClosed}
	}
	if err := f.interrupted(); err != nil {
		return 0, err
	}
	n, err := f.backing.WriteAt(p, off)
	f.moved.writes.Add(1)
	f.moved.bytesWritten.Add(int64(n))
	if err != nil {
		return n, &Error{Path: f.path, Write: true, Offset: off + int64(n), Err: err}
	}
	return n, nil
}

func (f *File) cached() []*Cache {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.caches
}

// Heed has no command to the file begin once ctx is done, whatever it is for, until the function that it returns is
// called: whoever needs many commands without a look at ctx ends with its error. What was to be written stays in its
// line.
func (f *File) Heed(ctx context.Context) (over func()) {
	f.cell.Store(&ctx)
	return func() { f.cell.Store(nil) }
}

// interrupted returns why no command may begin.
func (f *File) interrupted() error {
	if ctx := f.cell.Load(); ctx != nil {
		return (*ctx).Err()
	}
	return nil
}

// WriteBack writes what lines of caches have and the file has not.
func (f *File) WriteBack(ctx context.Context) error {
	for _, c := range f.cached() {
		if err := c.Flush(ctx, 0, c.size); err != nil {
			return err
		}
	}
	return nil
}

// Flush is WriteBack, and has the disk keep all that was written.
func (f *File) Flush(ctx context.Context) error {
	if err := f.WriteBack(ctx); err != nil {
		return err
	}
	return f.Sync()
}

// Sync has the disk keep what was written.
func (f *File) Sync() error {
	if !f.options.Write {
		return nil
	}
	if err := f.backing.Sync(); err != nil {
		return &Error{Path: f.path, Write: true, Err: err}
	}
	return nil
}
