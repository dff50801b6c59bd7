package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Options are how a file is opened. The zero value is for reading, by what the machine does best.
type Options struct {
	Write   bool
	Backing string // one of Backings; "" is "pread"

	// Of what reads single lines of the file: see Cache. 0 and nil are what fits the file and the budget.
	Line, Cache int64
	Policy      string

	// What a cache can go without, to see what it is for; see Cache.
	Uncached, Uncoalesced, Unreused bool
	// Async is whether lines that were written to go to the file while others are read in their place.
	Async bool
	// Record is whether Stats has what happened to lines.
	Record bool

	// Access says how single elements are read: "lines" or "stream"; "" is what is foreseen to be faster.
	Access string
	// Behind puts something between the file and its backing; nil for nothing.
	Behind func(Backing) (Backing, error)

	// Disks makes the disks that kernels of modelled devices read the file from, in the model's time; nil where there
	// are none, and lines take no time there.
	Disks func() (Disks, error)

	// As of Throttled: the file is made slower than it is where one is not 0.
	Peak    float64
	Latency time.Duration
}

// Backings are the names of what files can be read by. Those that a machine, or a file's disk, does not have are
// replaced by another, and File.Fallback says why.
var Backings = []string{"pread", "direct", "uring", "mmap"}

// Open opens a regular file. A file that this program has open for writing is that one once more. One that any other
// program has open for writing through this package is an error for who wants to write to it too.
func Open(path string, o Options) (*File, error) {
	if o.Backing != "" && !slices.Contains(Backings, o.Backing) {
		return nil, fmt.Errorf("there is no backing %q; there are %s", brief.Text(o.Backing), strings.Join(Backings, ", "))
	}
	if _, err := policyNamed(o.Policy, 1); err != nil {
		return nil, err
	}
	if err := checkLine(o.Line); err != nil {
		return nil, err
	}
	mode := os.O_RDONLY
	if o.Write {
		mode = os.O_RDWR
	}
	disk, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, err
	}
	f, err := opened(path, disk, o)
	if err != nil || f.disk != disk {
		disk.Close()
	}
	return f, err
}

func opened(path string, disk *os.File, o Options) (*File, error) {
	info, err := disk.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a %s, not a file whose elements can be read in any order", brief.Path(path), kind(info.Mode()))
	}
	if f := writing.find(info); f != nil {
		return f, nil
	}
	if o.Write {
		if err := lockFile(disk); err != nil {
			return nil, &Error{Path: path, Write: true, Err: ErrBusy}
		}
	}
	f := &File{path: path, disk: disk, options: o, size: info.Size(), time: info.ModTime()}
	f.backing, f.fallback, err = backingOf(disk, o)
	if err == nil && (o.Peak > 0 || o.Latency > 0) {
		f.backing = NewThrottled(f.backing, o.Peak, o.Latency)
	}
	if err == nil && o.Behind != nil {
		f.backing, err = o.Behind(f.backing)
	}
	if err == nil && o.Write {
		writing.add(f, info)
	}
	return f, err
}

// backingOf makes the backing that o names, or another and the reason.
func backingOf(disk *os.File, o Options) (b Backing, fallback string, err error) {
	switch o.Backing {
	case "mmap":
		if o.Write {
			return Pread{disk}, "a file that is written to is not mapped", nil
		}
		m, err := NewMmap(disk)
		if err != nil {
			return nil, "", err
		}
		if m == nil {
			return Pread{disk}, "the file cannot be mapped", nil
		}
		return m, "", nil
	case "direct", "uring":
		return systemBacking(disk, o)
	}
	return Pread{disk}, "", nil
}

// ErrBusy is why a file cannot be written to that another program writes to.
var ErrBusy = errors.New("another session has it open for writing; close it there, or open it for reading")

// writing are the files that this program has open for writing.
var writing writers

type writers struct {
	sync.Mutex
	files map[*File]os.FileInfo
}

func (w *writers) add(f *File, info os.FileInfo) {
	w.Lock()
	defer w.Unlock()
	if w.files == nil {
		w.files = make(map[*File]os.FileInfo)
	}
	w.files[f] = info
}

func (w *writers) remove(f *File) {
	w.Lock()
	defer w.Unlock()
	delete(w.files, f)
}

// find returns the open file that info is of, or nil.
func (w *writers) find(info os.FileInfo) *File {
	w.Lock()
	defer w.Unlock()
	for f, other := range w.files {
		if os.SameFile(info, other) {
			return f
		}
	}
	return nil
}

// Written lets the file path have all that this program has written to it, for who reads it by other means. It does
// nothing where the file is not open for writing.
func Written(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // who reads it will say so
	}
	if f := writing.find(info); f != nil {
		return f.Flush(ctx)
	}
	return nil
}
