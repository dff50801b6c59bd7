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
	Delay      time.Duration

	mu            sync.Mutex
	Reads, Writes int // that were asked for
}

// Name tells of both.
func (f *Faulty) Name() string { return "faulty " + f.Backing.Name() }

// ReadAt reads what is asked for, or up to the byte that is bad.
func (f *Faulty) ReadAt(p []byte, off int64) (int, error) {
	f.count(&f.Reads)
	if f.ReadError == nil || f.Bad < off || f.Bad >= off+int64(len(p)) {
		return f.Backing.ReadAt(p, off)
	}
	n, err := f.Backing.ReadAt(p[:f.Bad-off], off)
	if err == nil || err == io.EOF {
		err = f.ReadError
	}
	return n, err
}

// WriteAt writes what is given, or up to the byte that is bad.
func (f *Faulty) WriteAt(p []byte, off int64) (int, error) {
	f.count(&f.Writes)
	if f.WriteError == nil || f.Bad < off || f.Bad >= off+int64(len(p)) {
		return f.Backing.WriteAt(p, off)
	}
	n, err := f.Backing.WriteAt(p[:f.Bad-off], off)
	if err == nil {
		err = f.WriteError
	}
	return n, err
}

func (f *Faulty) count(n *int) {
	f.mu.Lock()
	*n++
	f.mu.Unlock()
	time.Sleep(f.Delay)
}
