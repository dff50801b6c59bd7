package device

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Device is one thing that runs kernels.
type Device interface {
	ID() string // "host", "sim:v100#0", "cuda:0"
	Properties() Properties
	// Alloc makes a buffer of so many bytes. Its error is an *OutOfMemory when the device is full.
	Alloc(bytes int) (Buffer, error)
	NewStream(priority int) (Stream, error)
	Load(*kir.Func) (Kernel, error)
	Close() error
}

// Properties is what a device is.
type Properties struct {
	Name               string // "Tesla V100 SXM2 16 GB (simulated)"
	Modelled           bool   // its times come from a model
	SMs                int
	WarpSize           int
	ClockHz            float64
	MaxThreadsPerBlock int
	MaxThreadsPerSM    int
	MaxBlocksPerSM     int
	RegistersPerSM     int
	SharedPerSM        int // bytes
	SharedPerBlock     int // bytes
	MemoryBytes        int64
	MemoryBandwidth    float64 // bytes per second
	HostBandwidth      float64 // bytes per second, pinned copies
	PageableBandwidth  float64 // of copies from and to memory that is not pinned; 0 where that is not known
	// What a copy takes before its first byte, and a launch before its first instruction; 0 where that is not known.
	CopyTime, LaunchTime time.Duration
	SubmitTime           time.Duration // that a call takes of the host; 0 where that is not known
}

// Buffer is a piece of a device's memory.
type Buffer interface {
	Bytes() int
	Addr() uint64 // what kernels get as a pointer
	Free() error  // once; the memory is reused after the work that is queued before
}

// Reserver is a device whose memory can be set aside in large pieces, from which a pool cuts buffers: that is fast,
// where Alloc may be slow.
type Reserver interface {
	// Reserve sets memory aside that no kernel can reach. Its error is an *OutOfMemory when the device is full.
	Reserve(bytes int) (Buffer, error)
	// Carve makes a buffer of a part of what was set aside. Its contents are not defined. The part must not overlap
	// that of another buffer that has not been freed; freeing it leaves the rest as it is.
	Carve(from Buffer, off, bytes int) (Buffer, error)
}

// Sharer is a device that works in the host's memory: nothing need be copied to it or from it.
type Sharer interface {
	// Share makes a buffer of memory of the host, which begins on a multiple of 8. Freeing it leaves that as it is.
	Share(b []byte) (Buffer, error)
	MemoryBytes() int64 // Properties.MemoryBytes, without what it takes to know the rest
}

// Pager is a device whose kernels bring in by themselves, line by line, what they touch of memory that is elsewhere.
type Pager interface {
	// CannotPage is why the device's kernels cannot do so after all, as they cannot on older cards; nil where they can.
	CannotPage() error
	// MapLines makes a buffer of lines. Nothing is copied to it or from it, but by kernels, and by those to whom the
	// lines belong. A kernel that comes to write to a readOnly one is trapped there.
	MapLines(lines Lines, readOnly bool) (Buffer, error)
}

// Lines is memory of which a part is there at a time: a file's, through a cache. Its methods are called from several
// goroutines.
type Lines interface {
	cpu.Lines
	Bytes() int64
	// Acquire is Pin for one group, whose accesses, of so many bytes each, are counted, too. The error is of the file.
	Acquire(line int64, accesses, bytes int, write bool) (unsafe.Pointer, error)
	// Reuse counts accesses to a line that has not been released.
	Reuse(accesses, bytes int)
}

// Adopter is a stream of a device whose memory is the host's all the same, as a simulated one's: what is copied need
// not be there twice. It takes its device time, and its bytes count, as if it were.
type Adopter interface {
	// Adopt is CopyIn of all of dst, where nobody writes to src any more.
	Adopt(dst Buffer, src []byte) Event
	// Lend is CopyOut of all of src. What *dst is when the event is done, nobody may write to.
	Lend(dst *[]byte, src Buffer) Event
}

// Pinner is a device that copies faster from memory of the host that it gives out.
type Pinner interface {
	// HostAlloc returns pinned memory of the host, HostFree takes it back: nothing may copy from it or to it any more.
	HostAlloc(bytes int) ([]byte, error)
	HostFree(b []byte) error
}

// Replayer is a device whose times come from a model, and which can time a launch that was computed elsewhere: as it
// would run alone, with nothing in its caches.
type Replayer interface {
	// Replay returns what the device would count of the launch. A kernel that uses what the device lacks is refused,
	// but for one that is to run anyway. It may be called from several goroutines.
	Replay(ctx context.Context, r *cpu.Recording, anyway bool) (*trace.KernelStats, error)
	Policies() string // that the device times launches under: "pdom, gto"
	// Effort says about how long the device takes for a replay, beside others of the same launch.
	Effort() int
}

// Beside is a stream of a modelled device whose user copies much that is not pinned, in pieces and in turns with
// kernels, as the runtime does: such copies have the rate of memory that is not pinned, and kernels of other streams go
// on meanwhile. A program's own streams are taken to copy in one go, for which kernels wait.
type Beside interface {
	CopyBeside() // of the copies that are queued from now on
}

// Concurrent is a device that runs kernels of several streams at once where they leave each other room.
type Concurrent interface {
	// Streams is how many streams with kernels are worth having; 1 where kernels follow one another all the same.
	Streams() int
}

// WallClock is a device whose events have the wall clock's times.
type WallClock interface {
	Zero() time.Time // what events count from
}

// Linked is a device that CopyPeer copies to from others, directly or by ways of the device's own.
type Linked interface {
	// LinkedTo reports whether other is one of those.
	LinkedTo(other Device) bool
}

// Clocked is a device whose events' times may be of one clock with those of others, as those of the GPUs of a simulated
// machine are.
type Clocked interface {
	Clock() any // equal for devices that have one clock
}

// ClockOf returns what is equal for devices whose events' times can be compared.
func ClockOf(d Device) any {
	if c, ok := d.(Clocked); ok {
		return c.Clock()
	}
	return d
}

// Replaceable is a device whose name may come to stand for another: a machine that a program describes anew. Who has it
// goes on with it.
type Replaceable interface {
	Replaced() bool
}

// Kernel is a kernel that a device has loaded.
type Kernel interface {
	Name() string
}

// Lister is a device that shows a kernel as the machine instructions that it executes.
type Lister interface {
	Listing(f *kir.Func) (string, error)
	// Footprint returns how many registers of 32 bits a thread takes, and how many bytes of local memory.
	Footprint(f *kir.Func) (registers, local int, err error)
}

// Limited is a kernel of a device that may be older than what the kernel uses.
type Limited interface {
	// Lacks is why the device, were it built, could not run the kernel; nil where it could. It runs all the same.
	Lacks() error
}

// Stream is an asynchronous queue that works in order.
type Stream interface {
	// CopyIn copies src to dst from byte off on. src must stay as it is until the event is done.
	CopyIn(dst Buffer, off int, src []byte) Event
	// CopyOut copies from byte off of src on, len(dst) bytes.
	CopyOut(dst []byte, src Buffer, off int) Event
	// CopyPeer copies bytes within a device, or from another device of its kind where the two are linked.
	CopyPeer(dst Buffer, dstOff int, src Buffer, srcOff, bytes int) Event
	// Launch runs k with the packed parameters, which it copies.
	Launch(k Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) Event
	// Wait lets what is queued from now on begin after e, an event of any stream of the same kind of device.
	Wait(e Event)
	// Sync waits until all is done and returns the first error since the last Sync. When ctx is cancelled it returns
	// within 100 ms and the rest of the queue is given up.
	Sync(ctx context.Context) error
	Close() error
}

// Event is the end of one queued operation.
type Event interface {
	// Wait blocks until the operation is done and returns its error.
	Wait(ctx context.Context) error
	// Done reports whether it is done. Nobody waits for that, the modelled host neither: a look changes no times.
	Done() bool
	// Trace returns the record of the operation, in device time since the device was opened. Call it after Wait.
	Trace() trace.Event
}

// OutOfMemory says that an allocation did not fit.
type OutOfMemory struct {
	Device           string
	Need, Free, Size int64 // bytes
	Remedy           string
}

func (e *OutOfMemory) Error() string {
	s := fmt.Sprintf("%s is out of memory: %s needed, %s of %s free", e.Device, Bytes(e.Need), Bytes(e.Free), Bytes(e.Size))
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// ErrOutOfMemory matches every *OutOfMemory in errors.Is.
var ErrOutOfMemory = errors.New("out of device memory")

// Is reports whether target is ErrOutOfMemory.
func (e *OutOfMemory) Is(target error) bool { return target == ErrOutOfMemory }

// Bytes formats a number of bytes for people: "1.50 MB". Units are powers of 1000, as data sheets and NumPy users
// write.
func Bytes(n int64) string {
	f, units := float64(n), []string{"kB", "MB", "GB", "TB"}
	if n < 1000 && n > -1000 {
		return fmt.Sprintf("%d B", n)
	}
	unit := ""
	for _, u := range units {
		f, unit = f/1000, u
		if f < 1000 && f > -1000 {
			break
		}
	}
	return fmt.Sprintf("%.3g %s", f, unit)
}

// Heeder is a device whose streams may keep a caller waiting for room while work goes on that may have no end.
type Heeder interface {
	// Heed tells that what is queued from now on is nobody's any more when ctx ends: whoever waits for room then gets
	// away.
	Heed(ctx context.Context)
}

// Forgetful is a device whose memory may be lost while the program goes on: a fault of a kernel breaks all that is on a
// real GPU.
type Forgetful interface {
	// Losses counts how often that has happened. Buffers, streams and kernels that were made before are void each time;
	// the device itself can be used again, or says why not.
	Losses() int
}

// Noticer is a Forgetful device that may have lost its memory for a reason that no operation's error tells.
type Noticer interface {
	// Notice tells of it, once; it is "" otherwise.
	Notice() string
}
