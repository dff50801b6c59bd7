package mmap

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// Fault is the error of reading a mapped file where it cannot be read.
type Fault struct {
	Path   string
	Offset int64 // of the first byte that could not be read
	Size   int64 // what the file has now; -1 where that is not known
	Was    int64 // and had when it was mapped
	Closed bool  // it was closed before
}

// Error says what happened, and what to do.
func (f *Fault) Error() string {
	name := brief.Path(f.Path)
	switch {
	case f.Closed:
		return fmt.Sprintf("%s was closed; open it again to use its elements", name)
	case f.Size >= 0 && f.Size < f.Was:
		return fmt.Sprintf("%s cannot be read at byte %d: it was cut from %s to %s (%d bytes) while it was in use; open it again, or Load it to have a copy that nobody can change",
			name, f.Offset, budget.Bytes(f.Was), budget.Bytes(f.Size), f.Size)
	}
	return fmt.Sprintf("%s cannot be read at byte %d: its disk, or the machine that has it, reports an error", name, f.Offset)
}

// addressed is Go's error of a fault, which knows where.
type addressed interface {
	runtime.Error
	Addr() uintptr
}

// Reason returns the *Fault that a panic with value v was, or nil where it was something else.
func Reason(v any) *Fault {
	switch v := v.(type) {
	case *Fault:
		return v
	case addressed:
		if f := at(v.Addr()); f != nil {
			return f.fault(v.Addr())
		}
	}
	return nil
}

// fault says why address p cannot be read.
func (f *File) fault(p uintptr) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := &Fault{Path: f.path, Offset: int64(p - f.base), Size: -1, Was: f.size, Closed: f.closed}
	if info, err := f.from.Stat(); err == nil {
		out.Size = info.Size()
	} else if info, err := os.Stat(f.path); err == nil {
		out.Size = info.Size()
	}
	return out
}

// Read calls do, which may read mapped files, and returns its error, or a *Fault where one of them could not be read.
// Other panics go on.
func Read(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer Recover(&err)
	return do()
}

// Recover is deferred by what reads mapped files on a goroutine that stops at faults: one becomes the error.
func Recover(err *error) {
	v := recover()
	if v == nil {
		return
	}
	f := Reason(v)
	if f == nil {
		panic(v)
	}
	*err = f
}

// Steady returns b, or a copy of it where it lies in a mapped file: for code that is not Go's, in which a fault ends
// the program. It panics with a *Fault.
func Steady(b []byte) []byte {
	if Of(b) == nil {
		return b
	}
	var out []byte
	if err := Read(func() error { out = append(out, b...); return nil }); err != nil {
		panic(err)
	}
	return out
}
