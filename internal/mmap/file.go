package mmap

import (
	"cmp"
	"os"
	"slices"
	"sync"
	"unsafe"
)

// File is a file in memory. Its methods may be called from several goroutines.
type File struct {
	path string
	data []byte   // all of the file as it was when it was mapped; of nothing once the mapping is gone
	base uintptr  // where that lies
	size int64    // and how much it is
	from *os.File // to see whether the file has been cut

	mu      sync.Mutex
	users   int  // who has called Retain and not Release
	escaped bool // slices are with somebody who does not tell
	closed  bool
	gone    bool // the mapping
}

// files are the mappings of the process, by address. Faults are rare, and so are files.
var files struct {
	sync.RWMutex
	list []*File
}

// add makes f known to faults.
func (f *File) add() {
	files.Lock()
	defer files.Unlock()
	i, _ := slices.BinarySearchFunc(files.list, f.base, func(o *File, at uintptr) int { return cmp.Compare(o.base, at) })
	files.list = slices.Insert(files.list, i, f)
}

// remove makes f unknown: its addresses may become those of other memory.
func (f *File) remove() {
	files.Lock()
	defer files.Unlock()
	files.list = slices.DeleteFunc(files.list, func(o *File) bool { return o == f })
}

// at returns the file that has, or had, address p; nil where there is none.
func at(p uintptr) *File {
	files.RLock()
	defer files.RUnlock()
	i, found := slices.BinarySearchFunc(files.list, p, func(o *File, at uintptr) int { return cmp.Compare(o.base, at) })
	if !found {
		i--
	}
	if i < 0 || p-files.list[i].base >= files.list[i].span() {
		return nil
	}
	return files.list[i]
}

// Of returns the file in which b lies, or nil.
func Of(b []byte) *File {
	if len(b) == 0 {
		return nil
	}
	return at(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

// Count is how many files are mapped now.
func Count() int {
	files.RLock()
	defer files.RUnlock()
	return len(files.list)
}

// Path is the file's name, as it was opened.
func (f *File) Path() string { return f.path }

// Retain counts one more user. It returns an error after Close.
func (f *File) Retain() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.gone {
		return f.closedError()
	}
	f.users++
	return nil
}

// Release counts one user less. The last takes the mapping away, unless slices have escaped.
func (f *File) Release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.users--
	f.dropUnused()
}

// Escape says that slices of the file are with somebody who will not tell when they are gone: it then stays mapped
// until Close.
func (f *File) Escape() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.escaped = true
}

// Reclaim takes back an Escape: who has the slices counts as a user now, if anybody does.
func (f *File) Reclaim() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.escaped = false
	f.dropUnused()
}

// dropUnused takes the mapping away where nobody has a slice of it. f.mu is held.
func (f *File) dropUnused() {
	if f.users > 0 || f.escaped || f.gone {
		return
	}
	f.gone = true
	f.remove()
	f.unmap()
	f.from.Close()
}

// Close takes the file out of memory. Slices of it fault from now on, where they are read within [Read] or on the
// goroutine of a cell. Their addresses stay taken while somebody has them.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.gone {
		return nil
	}
	f.closed = true
	if err := f.cover(); err != nil {
		return err
	}
	f.from.Close()
	if f.users == 0 && !f.escaped {
		f.gone = true
		f.remove()
		f.unmap()
	}
	return nil
}

// Check returns an error when the file has been closed, or has become shorter than what is mapped: of its last page
// what is missing reads as zeros, without a fault.
func (f *File) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.gone {
		return f.closedError()
	}
	if info, err := f.from.Stat(); err == nil && info.Size() < f.size {
		return &Fault{Path: f.path, Offset: info.Size(), Size: info.Size(), Was: f.size}
	}
	return nil
}

func (f *File) closedError() error { return &Fault{Path: f.path, Closed: true} }
