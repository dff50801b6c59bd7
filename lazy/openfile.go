package lazy

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/offload/device"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/storage/nvme"
)

// FileOption changes how [Open] and [Create] have an array in its file: [Backing], [Writable], [Raw], [LineBytes],
// [CacheBytes], [CachePolicy], [AsyncWriteback], [Without], [Recorded], [Throttle], [Column], [Drive], [Behind],
// [Access].
type FileOption func(*fileOptions)

type fileOptions struct {
	disk.Options
	raw    bool
	dtype  DType
	shape  []int
	column string // of an Arrow file; "" for another file
	wrong  error  // an option
}

// Backing says what reads the file: "pread", system calls that the system's cache of files serves; "direct", system
// calls past that cache; "uring", many of those at once; "mmap", the file in memory. What the machine or the file's
// disk does not have is replaced, and [Array.Storage] says by what and why.
func Backing(name string) FileOption { return func(o *fileOptions) { o.Options.Backing = name } }

// Writable opens the file for writing too: assignments to the array, and kernels, change it. No other session can open
// it so meanwhile.
func Writable() FileOption { return func(o *fileOptions) { o.Write = true } }

// LineBytes is how much of a file is read at a time where single elements are needed, by kernels and by [Take]: a power
// of two, from 512 to 16777216; 4096 at first.
func LineBytes(n int64) FileOption { return func(o *fileOptions) { o.Line = n } }

// CacheBytes bounds the memory of lines that were read and may be needed again; a quarter of the budget at first.
func CacheBytes(n int64) FileOption { return func(o *fileOptions) { o.Cache = n } }

// CachePolicy says which line goes for a new one: "clock", as at first, whose hand goes round; "second chance", which
// passes over what was used since; "lru", what was used longest ago; "random".
func CachePolicy(name string) FileOption { return func(o *fileOptions) { o.Policy = name } }

// Throttle makes the file's disk slower than it is: each read and write takes so much longer, and there are so many a
// second at most; 0 for any number. See what a program does on a slow disk.
func Throttle(perSecond float64, latency time.Duration) FileOption {
	return func(o *fileOptions) { o.Peak, o.Latency = max(perSecond, 0), max(latency, 0) }
}

// AsyncWriteback lets lines that kernels have changed go to the file beside the reads of others in their place, where
// otherwise a read waits for the write. [Array.Flush] waits for all of them.
func AsyncWriteback() FileOption { return func(o *fileOptions) { o.Async = true } }

// Recorded has [Array.Storage] say what happened to lines: which were found and which were read, evicted and written
// back, and when.
func Recorded() FileOption { return func(o *fileOptions) { o.Record = true } }

// Without leaves out a part of how kernels read lines, for who wants to see what it is good for: "cache", lines stay no
// longer than they are used; "coalescing", threads of a warp that want one line ask for it each by itself; "reuse", a
// warp looks for the line that it had last. Other names are an error of Open.
func Without(parts ...string) FileOption {
	return func(o *fileOptions) {
		for _, part := range parts {
			switch part {
			case "cache":
				o.Uncached = true
			case "coalescing":
				o.Uncoalesced = true
			case "reuse":
				o.Unreused = true
			default:
				o.wrong = fmt.Errorf("there is no part %s of reading by lines; there are cache, coalescing and reuse", brief.Quoted(part))
			}
		}
	}
}

// Drive puts SSDs that are not there before the file, "optane*4" as [nvme.ParseConfig] has it: what is read and written
// goes through their queues, and [Array.Storage] says how long the commands would take on them, by a model. The file is
// as fast as it is.
func Drive(machine string) FileOption {
	return func(o *fileOptions) {
		c, err := nvme.ParseConfig(machine)
		if err != nil {
			o.wrong = err
		}
		o.behind(func(b disk.Backing) (disk.Backing, error) { return nvme.NewDrive(b, c) })
		o.Disks = func() (disk.Disks, error) { return nvme.NewModel(c) }
	}
}

// Behind puts something of the program's own between the array and what reads its file: a [disk.Faulty], in which reads
// and writes go wrong, to see what a program makes of that. Of several options the first is next to the file.
func Behind(wrap func(disk.Backing) disk.Backing) FileOption {
	return func(o *fileOptions) {
		o.behind(func(b disk.Backing) (disk.Backing, error) {
			if b = wrap(b); b == nil {
				return nil, errors.New("what np.Behind was given returns nil")
			}
			return b, nil
		})
	}
}

// behind has wrap come after what is there already.
func (o *fileOptions) behind(wrap func(disk.Backing) (disk.Backing, error)) {
	inner := o.Behind
	o.Behind = func(b disk.Backing) (disk.Backing, error) {
		if inner != nil {
			var err error
			if b, err = inner(b); err != nil {
				return nil, err
			}
		}
		return wrap(b)
	}
}

// Access says how elements of the file are read that are picked by their places: "lines", those that have them, or
// "stream", all of the file in order. Without it that is what is foreseen to be faster; see [Explain].
func Access(way string) FileOption {
	return func(o *fileOptions) {
		if o.Options.Access = way; way != "lines" && way != "stream" {
			o.wrong = fmt.Errorf("there is no access %s; there are lines and stream", brief.Quoted(way))
		}
	}
}

// OpenWith has [Open] and [Create] begin with these options from now on, in the place of those of its last call; their
// own come after.
func OpenWith(opts ...FileOption) error {
	o := gather(opts)
	if o.wrong != nil {
		return &Error{Op: "open", Msg: o.wrong.Error(), Err: o.wrong}
	}
	defaults.Store(&opts)
	return nil
}

var defaults atomic.Pointer[[]FileOption]

// Raw says that the file has nothing but elements of that dtype, in C order and the machine's order of bytes. One size
// may be -1.
func Raw(dtype DType, shape ...int) FileOption {
	return func(o *fileOptions) { o.raw, o.dtype, o.shape = true, dtype, shape }
}

// Column says that the file is an IPC file of Arrow, and which of its columns of numbers, dates or durations is meant.
// In several record batches it is one array all the same. What does not lie in the file as elements of arrays do is an
// error: bools, texts, missing values, compressed batches, streams.
func Column(name string) FileOption { return func(o *fileOptions) { o.column = name } }

func gather(opts []FileOption) (o fileOptions) {
	o.Disks = func() (disk.Disks, error) { return nvme.NewModel(nvme.Config{}) } // for simulated GPUs
	if first := defaults.Load(); first != nil {
		for _, opt := range *first {
			opt(&o)
		}
	}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Open returns the array of a .npy file, which stays on its disk: only the header is read. What is computed of it
// reads the parts that it needs, piece by piece, and takes no more memory than [SetHostBudget] says, however large
// the file is: elementwise operations, reductions, parts by slices, and what is made of these. Kernels written in Go,
// and [Take], read the lines of it that they touch. What needs all elements at once reads the file as a whole where
// the budget allows it, and is an error otherwise, before it reads.
//
// The file is closed when no array has it any more, or by [Array.Close]. When another program cuts it, or writes to it,
// what reads it is an error; a file that was replaced or removed is read as it was. Texts are an error: Load them.
func Open(path string, opts ...FileOption) (*Array, error) {
	o := gather(opts)
	f, err := (*disk.File)(nil), o.wrong
	if err == nil {
		f, err = disk.Open(path, o.Options)
	}
	if err != nil {
		return nil, &Error{Op: "open", Msg: err.Error(), Err: err}
	}
	return open(f, o)
}

// open returns the array of an open file, which has it alone but where it is open for writing.
func open(f *disk.File, o fileOptions) (*Array, error) {
	if err := f.Retain(); err != nil { // the last to release it closes it
		return nil, err
	}
	defer f.Release()
	of, err := whereIn(f, o)
	if err != nil {
		return nil, err
	}
	if f.Writable() && of.Bytes > 0 {
		return writableArray(f, of)
	}
	if of.Bytes <= smallBytes || len(of.Shape) == 0 { // nobody is told when a small array is gone
		b := make([]byte, of.Bytes)
		if _, err := f.ReadAt(b, of.At); err != nil {
			return nil, &Error{Op: "open", Msg: err.Error(), Err: err}
		}
		if of.Decode != nil {
			of.Decode(b)
		}
		return ordered(FromArray(arrays.FromBytes(of.DType, of.Shape, b)), of.Fortran), nil
	}
	n, err := fileNode(f, of)
	if err != nil {
		return nil, err
	}
	return ordered(n.whole(), of.Fortran), nil
}

// fileNode returns the node of elements in a file.
func fileNode(f *disk.File, of arrays.NPYFile) (*node, error) {
	s, err := disk.Range(f, of.At, of.Bytes, of.Decode)
	if err != nil {
		return nil, err
	}
	n := newNode(kindValue, of.DType, contiguous(slices.Clone(of.Shape)), &ordinary)
	n.value = runtime().SourceValue(s)
	n.own().onDisk = true
	filesOpened.Store(true)
	return n, nil
}

// whereIn says where f has its elements.
func whereIn(f *disk.File, o fileOptions) (of arrays.NPYFile, err error) {
	if o.column != "" {
		if f.Writable() {
			return of, &Error{Op: "open", Msg: f.Path() + ": columns of Arrow files are opened for reading alone"}
		}
		of, parts, err := arrays.Wiring{}.ArrowFile(f.Path(), o.column)
		if err == nil && len(parts) > 0 {
			if of.At = parts[0][0]; len(parts) > 1 {
				of.At = 0
				f.Only(parts)
			}
		}
		return of, err
	}
	if !o.raw {
		return arrays.Wiring{}.NPYFile(f.Path(), f, f.Size())
	}
	of, err = arrays.Wiring{}.RawFile(o.dtype, o.shape, f.Size())
	if err != nil {
		return of, &Error{Op: "open", Shapes: [][]int{o.shape}, Msg: f.Path() + ": " + err.Error()}
	}
	return of, nil
}

// onDisk reports whether a's elements are in a file that is read in parts.
func (a *Array) onDisk() bool {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	n := a.ref.node
	return n != nil && n.onDisk
}

// tooLarge reports whether a's elements are in a file that may not be read as a whole, and are more of it than is
// gathered from it.
func (a *Array) tooLarge() bool {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	n := a.ref.node
	if n == nil || !n.onDisk && (n.value == nil || !n.value.Spilled()) {
		return false
	}
	budget, own := runtime().HostBudget(), int64(a.NBytes())
	return int64(sizeBytes(n)) > budget && (own > budget || 4*own >= int64(sizeBytes(n)))
}

// unshown is what is shown of an array that is too large to be read for that.
func (a *Array) unshown() string {
	size := device.Bytes(int64(a.NBytes()))
	if s, err := a.source(); err == nil && s != nil {
		size += " in " + s.Path()
	}
	return fmt.Sprintf("%v array of shape %s, %s. It is too large to be read and shown as a whole; x.At(np.S(0, 10)) shows a part", a.dtype, shapeTuple(a.layout.Shape), size)
}

// ordered returns a, or the array of which a is the axes in the other order.
func ordered(a *Array, fortran bool) *Array {
	if fortran {
		return a.T()
	}
	return a
}
