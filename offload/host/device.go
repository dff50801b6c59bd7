package host

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// ID is the device's name in a registry and in traces.
const ID = "host"

// sharedPerBlock is the shared memory that a thread block may have: it should stay in a core's own caches.
const sharedPerBlock = 1 << 20

var errClosed = errors.New("host: the device is closed")

// Device is the CPU as a device.Device. Its methods may be called from several goroutines.
type Device struct {
	id      string
	opened  time.Time
	memory  *cpu.Memory
	limit   int64
	measure func() float64

	mu      sync.Mutex
	freed   sync.Cond // a buffer's memory came back
	used    int64
	freeing int    // buffers that wait for the work queued before their Free
	next    uint64 // address of the next buffer
	streams map[*stream]bool
	opens   int // streams opened so far
	closed  bool
}

// Open returns the host with so many bytes for buffers; 0 means 80 % of the memory that the process may use.
func Open(limit int64) *Device { return OpenAs(ID, limit) }

// OpenAs is [Open] for a device that computes as the CPU does, under a name of its own.
func OpenAs(id string, limit int64) *Device {
	if limit <= 0 {
		limit = Limit()
	}
	d := &Device{
		id: id, opened: time.Now(), memory: cpu.NewMemory(), limit: limit, next: 1 << 32, streams: make(map[*stream]bool),
		measure: sync.OnceValue(copyBandwidth),
	}
	d.freed.L = &d.mu
	return d
}

// ID returns "host", or the name that the device was opened under.
func (d *Device) ID() string { return d.id }

// Properties returns what the CPU is in a device's words: a core stands for an SM that runs one block at a time with
// warps of one thread. Registers are not limited; the clock is 0, for it varies. The bandwidths are those of a large
// copy on one core, measured at the first call, which takes some milliseconds.
func (d *Device) Properties() device.Properties {
	bw := d.measure()
	return device.Properties{
		Name:               fmt.Sprintf("%s (%d of %d cores)", processorName(), runtime.GOMAXPROCS(0), runtime.NumCPU()),
		SMs:                runtime.GOMAXPROCS(0),
		WarpSize:           1,
		MaxThreadsPerBlock: kir.MaxThreadsPerBlock,
		MaxThreadsPerSM:    kir.MaxThreadsPerBlock,
		MaxBlocksPerSM:     1,
		SharedPerSM:        sharedPerBlock,
		SharedPerBlock:     sharedPerBlock,
		MemoryBytes:        d.limit,
		MemoryBandwidth:    bw,
		HostBandwidth:      bw,
	}
}

// MemoryBytes returns how many bytes buffers may take.
func (d *Device) MemoryBytes() int64 { return d.limit }

// Load optimises f and makes it ready to run. Its error is that of kir.Compile.
func (d *Device) Load(f *kir.Func) (device.Kernel, error) {
	p, err := cpu.Compile(opt.OptimizeForCPU(f))
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	return &kernel{p}, nil
}

type kernel struct{ program *cpu.Program }

// Name returns the kernel's name.
func (k *kernel) Name() string { return k.program.Func().Name }

// NewStream makes a stream. The priority changes nothing: goroutines have none.
func (d *Device) NewStream(priority int) (device.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	s := newStream(d, d.opens)
	d.opens++
	d.streams[s] = true
	return s, nil
}

// Close closes the streams after what is queued on them. Buffers are of no use afterwards.
func (d *Device) Close() error {
	d.mu.Lock()
	d.closed = true
	var open []*stream
	for s := range d.streams {
		open = append(open, s)
	}
	d.mu.Unlock()
	var err error
	for _, s := range open {
		err = errors.Join(err, s.Close())
	}
	return err
}

// now returns the device's time.
// Zero returns the time from which the device's clock counts.
func (d *Device) Zero() time.Time { return d.opened }

func (d *Device) now() trace.Time { return trace.FromDuration(time.Since(d.opened)) }
