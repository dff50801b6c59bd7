package cudabackend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// attribute is one of a card's (CUdevice_attribute).
type attribute uintptr

const (
	attrMaxThreadsPerBlock  attribute = 1
	attrClockKHz            attribute = 13
	attrSMs                 attribute = 16
	attrWarpSize            attribute = 10
	attrMemoryClockKHz      attribute = 36
	attrMemoryBusBits       attribute = 37
	attrMaxThreadsPerSM     attribute = 39
	attrMajor               attribute = 75
	attrMinor               attribute = 76
	attrSharedPerSM         attribute = 81
	attrRegistersPerSM      attribute = 82
	attrSharedPerBlockOptIn attribute = 97
	attrMaxBlocksPerSM      attribute = 106
	attrMemoryPools         attribute = 115
)

var attributes = []attribute{attrMaxThreadsPerBlock, attrClockKHz, attrSMs, attrWarpSize, attrMemoryClockKHz, attrMemoryBusBits, attrMaxThreadsPerSM,
	attrMajor, attrMinor, attrSharedPerSM, attrRegistersPerSM, attrSharedPerBlockOptIn, attrMaxBlocksPerSM, attrMemoryPools}

// firstNewAttribute is the first that drivers of CUDA 10 may not know.
const firstNewAttribute = attrMaxBlocksPerSM

// GPU is an NVIDIA GPU: a device.Device. Its methods may be used from several goroutines.
type GPU struct {
	driver  *driver
	ordinal int
	handle  int32   // CUdevice
	context uintptr // the primary context
	title   string
	attrs   map[attribute]int
	pools   bool // memory comes from the driver's pool, in the order of a stream
	bytes   int64
	used    atomic.Int64

	mu      sync.Mutex
	streams map[*stream]bool
	opened  int // streams so far
	modules []uintptr
	pinned  []uintptr
	peers   map[*GPU]bool // whose memory this one may read and write
	free    []uintptr     // events
	slots   [][]byte      // pinned, for records of failed checks
	memory  uintptr       // the stream of allocations
	ready   uintptr       // the event of the last of them
	allocs  int           // how many there were
	lost    error         // why nothing works any more
	closed  bool
	clock   clock

	cell  context.Context // see Heed; nil where nobody has said
	pages pager

	libraries sync.Mutex // one call of them at a time; taken before mu
	handles   handles
}

var errClosed = errors.New("the device is closed")

// Names returns the names of the GPUs: "cuda:0". Its error says why there are none.
func Names() ([]string, error) {
	d, err := open()
	if err != nil {
		return nil, err
	}
	var n int32
	if err := d.must(fnDeviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(prefix, i))
	}
	if n == 0 {
		return nil, errors.New("the NVIDIA driver sees no GPU")
	}
	return names, nil
}

// prefix begins the names of all GPUs.
const prefix = "cuda:"

func init() { device.Offer(func(r *device.Registry) { Register(r) }) }

// Register adds the GPUs of this machine to r, by their names. The driver is opened when somebody asks for one of them,
// or for all names. With the command of a worker, a program that calls [ServeWorker], work on GPUs runs in such a
// process: what breaks the driver there does not break it here. Systems other than Linux have no workers.
func Register(r *device.Registry, worker ...string) {
	open := opener(worker)
	r.AddFamily(prefix, func() []string {
		names, _ := Names() // no driver, no names
		return names
	}, func(name string) (device.Device, error) {
		names, err := Names()
		if err != nil {
			return nil, fmt.Errorf("%w; simulated GPUs serve without one (sim:v100)", err)
		}
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("the driver knows %s", strings.Join(names, ", "))
		}
		return open(i)
	})
}

// DriverVersion returns the version of CUDA that the driver is for ("12.4") and the path of its library.
func DriverVersion() (version, path string, err error) {
	d, err := open()
	if err != nil {
		return "", "", err
	}
	return cudaVersion(d.version), d.path, nil
}

func cudaVersion(n int) string { return fmt.Sprintf("%d.%d", n/1000, n%1000/10) }

// Open opens the GPU of the given number. Opening one twice gives two devices that share its memory.
func Open(ordinal int) (*GPU, error) {
	d, err := open()
	if err != nil {
		return nil, err
	}
	g := &GPU{
		driver: d, ordinal: ordinal, attrs: map[attribute]int{},
		streams: map[*stream]bool{}, peers: map[*GPU]bool{},
	}
	g.pages.card = g
	if err := d.must(fnDeviceGet, uintptr(unsafe.Pointer(&g.handle)), uintptr(ordinal)); err != nil {
		return nil, err
	}
	name := make([]byte, 256)
	if err := d.must(fnDeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(g.handle)); err != nil {
		return nil, err
	}
	g.title = cString(&name[0])
	if err := d.must(fnDeviceTotalMem, uintptr(unsafe.Pointer(&g.bytes)), uintptr(g.handle)); err != nil {
		return nil, err
	}
	for _, a := range attributes {
		var x int32
		if err := d.must(fnDeviceGetAttribute, uintptr(unsafe.Pointer(&x)), uintptr(a), uintptr(g.handle)); err != nil && a < firstNewAttribute {
			return nil, err
		}
		g.attrs[a] = int(x)
	}
	if err := d.must(fnPrimaryCtxRetain, uintptr(unsafe.Pointer(&g.context)), uintptr(g.handle)); err != nil {
		return nil, err
	}
	if err := d.within(g.context, g.start); err != nil {
		d.call(fnPrimaryCtxRelease, uintptr(g.handle))
		return nil, err
	}
	return g, nil
}

// start makes what every GPU has in its context.
func (g *GPU) start() error {
	const nonBlocking = 1
	if err := g.driver.must(fnStreamCreate, uintptr(unsafe.Pointer(&g.memory)), nonBlocking, 0); err != nil {
		return err
	}
	if err := g.startPool(); err != nil {
		return err
	}
	var err error
	if g.ready, err = g.event(); err != nil {
		return err
	}
	if g.clock.origin, err = g.event(); err != nil {
		return err
	}
	if err := g.driver.must(fnEventRecord, g.clock.origin, g.memory); err != nil {
		return err
	}
	return g.driver.must(fnStreamSynchronize, g.memory)
}

// do calls f in a thread that has the GPU's context, unless the GPU is closed or lost. Its error is kept where it loses
// the GPU.
func (g *GPU) do(f func() error) error {
	g.mu.Lock()
	err := g.lost
	if g.closed {
		err = errClosed
	}
	g.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", g.ID(), err)
	}
	return g.noted(g.driver.within(g.context, f))
}

// Lost is the error of everything that is asked of a GPU, or of what was made on it, after a fault broke its context:
// its memory is gone. What the host has is not.
type Lost struct {
	Cause   *Error // nil where the worker ended by itself
	How     string // what is known then: "the worker was ended: signal: killed"
	Kernels string // that were under way, where that is known: "kernel saxpy"
	Again   bool   // a new worker starts with the next use

	interrupted bool // the worker was ended for what a cell that is over had queued
}

func (e *Lost) Error() string {
	var s strings.Builder
	s.WriteString("the GPU's context is broken and what was in its memory is lost")
	if e.Kernels != "" {
		s.WriteString(", while " + e.Kernels + " ran")
	}
	if e.Again {
		s.WriteString("; the next use starts it anew: ")
	} else {
		s.WriteString(", until the kernel is restarted; simulated GPUs and the host go on (np.Use): ")
	}
	if e.Cause == nil {
		return s.String() + e.How
	}
	return s.String() + e.Cause.Error()
}

func (e *Lost) Unwrap() error {
	if e.Cause == nil {
		return nil
	}
	return e.Cause
}

// Losses is 1 after the GPU's memory was lost; see device.Forgetful.
func (g *GPU) Losses() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost == nil {
		return 0
	}
	return 1
}

// noted names the device in err and remembers an error after which nothing works.
func (g *GPU) noted(err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) && e.Result.sticky() {
		g.mu.Lock()
		if g.lost == nil {
			g.lost = &Lost{Cause: e}
		}
		err = g.lost
		g.mu.Unlock()
	}
	return fmt.Errorf("%s: %w", g.ID(), err)
}

// ID returns "cuda:0".
func (g *GPU) ID() string { return fmt.Sprint(prefix, g.ordinal) }

// LinkedTo implements device.Linked: the driver copies between all of its GPUs, by way of the host where it must.
func (g *GPU) LinkedTo(other device.Device) bool {
	o, ok := other.(*GPU)
	return ok && o.driver == g.driver
}

// Properties returns what the driver says of the card. The host's bandwidth is not known.
func (g *GPU) Properties() device.Properties {
	a := g.attrs
	return device.Properties{
		Name:               g.title,
		SMs:                a[attrSMs],
		WarpSize:           a[attrWarpSize],
		ClockHz:            float64(a[attrClockKHz]) * 1e3,
		MaxThreadsPerBlock: a[attrMaxThreadsPerBlock],
		MaxThreadsPerSM:    a[attrMaxThreadsPerSM],
		MaxBlocksPerSM:     a[attrMaxBlocksPerSM],
		RegistersPerSM:     a[attrRegistersPerSM],
		SharedPerSM:        a[attrSharedPerSM],
		SharedPerBlock:     a[attrSharedPerBlockOptIn],
		MemoryBytes:        g.bytes,
		// two transfers a clock
		MemoryBandwidth: 2 * float64(a[attrMemoryClockKHz]) * 1e3 * float64(a[attrMemoryBusBits]) / 8,
	}
}

// Heed tells that what is queued from now on is nobody's any more when ctx ends: kernels that wait for lines of files
// end then. See device.Heeder.
func (g *GPU) Heed(ctx context.Context) {
	g.mu.Lock()
	g.cell = ctx
	g.mu.Unlock()
}

func (g *GPU) interrupted() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cell == nil {
		return nil
	}
	return g.cell.Done()
}

// CannotPage is why kernels of the card cannot read files; nil where they can. See device.Pager.
func (g *GPU) CannotPage() error { return cannotPage(g.ComputeCapability(), g.pools) }

// MapLines makes a buffer of lines of a file, which kernels fetch; see device.Pager.
func (g *GPU) MapLines(lines device.Lines, readOnly bool) (device.Buffer, error) {
	return g.pages.mapLines(lines, readOnly)
}

// ComputeCapability returns 90 for sm_90.
func (g *GPU) ComputeCapability() int { return 10*g.attrs[attrMajor] + g.attrs[attrMinor] }

// event returns an event that nobody else has. Called in the context.
func (g *GPU) event() (uintptr, error) {
	g.mu.Lock()
	if n := len(g.free); n > 0 {
		e := g.free[n-1]
		g.free = g.free[:n-1]
		g.mu.Unlock()
		return e, nil
	}
	g.mu.Unlock()
	var e uintptr
	err := g.driver.must(fnEventCreate, uintptr(unsafe.Pointer(&e)), 0)
	return e, err
}

// recycle takes events back.
func (g *GPU) recycle(events ...uintptr) {
	g.mu.Lock()
	g.free = append(g.free, events...)
	g.mu.Unlock()
}

// Close waits for what is queued and gives everything back. Buffers and streams are of no use afterwards.
func (g *GPU) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	streams, lost := g.streams, g.lost
	g.streams = nil
	g.mu.Unlock()
	err := g.driver.within(g.context, func() error {
		for s := range streams {
			g.driver.call(fnStreamSynchronize, s.handle)
		}
		g.handles.destroy()
		for s := range streams {
			g.driver.call(fnStreamDestroy, s.handle)
			g.driver.call(fnEventDestroy, s.tail)
		}
		g.driver.call(fnStreamSynchronize, g.memory)
		g.driver.call(fnStreamDestroy, g.memory)
		for _, m := range g.modules {
			g.driver.call(fnModuleUnload, m)
		}
		for _, p := range g.pinned {
			g.driver.call(fnMemFreeHost, p)
		}
		for _, e := range append(g.free, g.clock.origin, g.ready) {
			g.driver.call(fnEventDestroy, e)
		}
		return nil
	})
	err = errors.Join(err, g.driver.must(fnPrimaryCtxRelease, uintptr(g.handle)))
	if lost != nil {
		return nil // everything fails now, and whoever works with the GPU has been told
	}
	return err
}

// clock turns the driver's events into device times: from an origin that moves on, since the driver gives differences
// in milliseconds as 32-bit floats.
type clock struct {
	mu     sync.Mutex
	origin uintptr
	at     trace.Time // of origin
}

// renewed is how far from the origin an event becomes the new one: at a second, a float has steps of 60 ns.
const renewed = trace.Second

// times returns the times of two events that are over, and takes them back.
func (g *GPU) times(start, end uintptr) (from, to trace.Time, err error) {
	c := &g.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	var before, length float32
	if err := g.driver.must(fnEventElapsedTime, uintptr(unsafe.Pointer(&before)), c.origin, start); err != nil {
		return 0, 0, err
	}
	if err := g.driver.must(fnEventElapsedTime, uintptr(unsafe.Pointer(&length)), start, end); err != nil {
		return 0, 0, err
	}
	from = c.at + milliseconds(before)
	to = from + milliseconds(length)
	if milliseconds(before) > renewed {
		start, c.origin, c.at = c.origin, start, from
	}
	g.recycle(start, end)
	return from, to, nil
}

func milliseconds(x float32) trace.Time { return trace.Time(float64(x) * float64(trace.Millisecond)) }
