package storage

import (
	"io"
	"sync"
	"time"
)

// Faulty is a backing in which things go wrong, for tests: those reads and writes fail that touch byte Bad, with the
// errors that are set; others take Delay.
type Faulty struct {
	Backing
	Bad        int64 // a byte of the file
	ReadError  error // of reads that touch it: syscall.EIO; io.EOF for those that end before it
	WriteError error // of writes that touch it: syscall.ENOSPC
	Times      int   // how often that happens; 0 for always
	Delay      time.Duration

	mu            sync.Mutex
	Reads, Writes int // that were asked for
	failed        int // of both
}

// Name tells of both.
func (f *Faulty) Name() string { return "faulty " + f.Backing.Name() }

// ReadAt reads what is asked for, or up to the byte that is bad.
func (f *Faulty) ReadAt(p []byte, off int64) (int, error) {
	wrong := f.count(&f.Reads, f.ReadError, off, len(p))
	if wrong == nil {
		return f.Backing.ReadAt(p, off)
	}
	n, err := f.Backing.ReadAt(p[:f.Bad-off], off)
	if err == nil || err == io.EOF {
		err = wrong
	}
	return n, err
}

// WriteAt writes what is given, or up to the byte that is bad.
func (f *Faulty) WriteAt(p []byte, off int64) (int, error) {
	wrong := f.count(&f.Writes, f.WriteError, off, len(p))
	if wrong == nil {
		return f.Backing.WriteAt(p, off)
	}
	n, err := f.Backing.WriteAt(p[:f.Bad-off], off)
	if err == nil {
		err = wrong
	}
	return n, err
}

// count counts a read or write of n bytes from off on, and returns what goes wrong with it.
func (f *Faulty) count(of *int, with error, off int64, n int) error {
	f.mu.Lock()
	*of++
	if with != nil && f.Bad >= off && f.Bad < off+int64(n) && (f.Times == 0 || f.failed < f.Times) {
		f.failed++
	} else {
		with = nil
	}
	f.mu.Unlock()
	time.Sleep(f.Delay)
	return with
}

// Mend lets nothing go wrong from now on.
func (f *Faulty) Mend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ReadError, f.WriteError, f.Times, f.Delay, f.failed = nil, nil, 0, 0, 0
}
