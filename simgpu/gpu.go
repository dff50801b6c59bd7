package simgpu

import (
	"cmp"
	"container/list"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// GPU is a simulated GPU: a device.Device. Its methods may be used from several goroutines.
//
// Everything that is queued on the GPUs of a machine, on whatever stream, is executed in the order in which it was
// queued, by one goroutine that New or NewMachine starts and the last Close ends. Device times do not follow from that:
// they come from streams, engines, links and a modelled host clock, which advances a little with each call and to the
// end of what is waited for.
type GPU struct {
	preset   Preset
	number   int
	id       string
	policies policies
	limits   limits
	written  bool
	check    bool
	window   cyclesOf
	made     *atomic.Bool // of a machine of Custom: whether its name stands for another by now

	arithmetic cpu.Arithmetic

	memory *cpu.Memory
	watch  cpu.Watch
	heap   heap

	box    *box
	closed bool // guarded by box.mu

	mu      sync.Mutex
	streams int
	pinned  []pinnedRange

	// What only the goroutine that executes has: buffers by address, and what is taken of the copy engines (for each
	// direction and for peers), the SMs' room, their issue slots and the memory.
	mapped                    []span
	lines                     atomic.Uint64      // addresses that buffers of lines have taken
	contents                  map[uint64]*buffer // of what is mapped, by its first address
	blank                     []*buffer          // those that have no contents yet
	files                     []*linesBuffer     // that kernels bring lines of
	warm                      *warmth            // what L2 holds; nil without L2
	copyIn, copyOut, copyPeer meter
	room, slots, dram         meter
	waiting                   []*member // launches that are computed and yet to be timed
	nest                      nest
	resident                  list.List // of *residentPage, the one used last first

	managed heap // addresses of managed memory, from managedFrom on
}

// pinnedRange keeps its memory, whose addresses nobody else may get while they count as pinned.
type pinnedRange struct {
	from, to uintptr
	memory   []byte
}

var errClosed = errors.New("the device is closed")

// Option changes a GPU that New makes.
type Option func(*GPU)

// Change changes fields of the preset: Change(func(p *simgpu.Preset) { p.SMs = 8 }).
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.Change(func(p *simgpu.Preset) { p.L2Bytes = 0 })))
func Change(f func(p *Preset)) Option { return func(g *GPU) { f(&g.preset) } }

// WithSMs sets the number of SMs, and leaves the memory and its bandwidth as they are.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.WithSMs(8)))
func WithSMs(n int) Option { return Change(func(p *Preset) { p.SMs = n }) }

// Full makes the timing model time every block of every launch of up to 268 million warp instructions, which takes up
// to some minutes and a gigabyte of the host's memory; launches are sampled else that have more than four million, or
// more than 16 million where a sample's time would be off by more than a tenth.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.Full()))
func Full() Option { return func(g *GPU) { g.limits = fullLimits } }

// SampleAbove makes the timing model sample launches of more than so many warp instructions, with about as many in the
// sample, in place of four million and six, also where the sample is not sure: times come faster, and are less sure.
func SampleAbove(instructions int) Option {
	n := int64(instructions)
	return func(g *GPU) { g.limits = limits{n, n, n} }
}

// AsWritten makes the GPU run kernels as they are written, without what its compiler does to them (kir.Optimize): every
// instruction of the kernel is counted and timed, and every branch parts the lanes.
func AsWritten() Option { return func(g *GPU) { g.written = true } }

// Tesla1 makes the GPU compute with floats of 32 bits as NVIDIA's first machines did: a multiply-add (gpu.FMA) cuts its
// product to 24 bits, and what is subnormal is zero. Times stay as they are. What a kernel computes from constants
// alone is computed by the compiler, as IEEE 754 has it.
//
// For example:
//
//	np.Use(simgpu.Custom("g80", simgpu.Tesla1()))
func Tesla1() Option { return func(g *GPU) { g.arithmetic = cpu.Tesla1 } }

// WithDivergence sets the policy for lanes that part; PDOM is the default.
//
// Under another than PDOM and TF lanes of a warp whose ways are the same need not go together. A kernel that relies on
// it, such as a reduction without barriers in its last steps, fails there with an *OrderError, which names both lines.
// It is looked for while the launch is computed, in 32 of its blocks, which takes some tenths of a second at most;
// gpu.Check looks at all blocks.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.WithDivergence(simgpu.TF{})))
func WithDivergence(d Divergence) Option { return func(g *GPU) { g.policies.divergence = d } }

// WithIssuePolicy sets the policy of the warp schedulers; the preset's Scheduling is the default.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.WithIssuePolicy(simgpu.LRR{})))
func WithIssuePolicy(p IssuePolicy) Option { return func(g *GPU) { g.policies.issue = p } }

// WithPicker sets the policy of which warp a scheduler issues: a Picker, which sees what each warp waits for, how
// many of its loads are on their way and so on, or an IssuePolicy. Under [DWF] without a Policy of its own, a Picker
// is that.
//
// For example:
//
//	few := simgpu.Score("few loads", func(c simgpu.Cand) float64 { return -float64(c.LoadsInFlight) })
//	np.Use(simgpu.Custom("v100", simgpu.WithPicker(few)))
func WithPicker(p Named) Option {
	return func(g *GPU) { g.policies.setPicker(p) }
}

// branches reports whether the compiler leaves branches as they are, where it else makes predicates of short ones: the
// same code for all policies.
func (g *GPU) branches() bool { return g.written || g.preset.Branches }

// WithBlockOrder sets the order in which the blocks of a launch run; InOrder is the default.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.WithBlockOrder(simgpu.Shuffle(7))))
func WithBlockOrder(o BlockOrder) Option { return func(g *GPU) { g.policies.order = o } }

// WithLanes sets in which lanes of the hardware the threads of a warp compute, where threads of several warps issue
// together; Identity is the default.
//
// For example:
//
//	np.Use(simgpu.Custom("tesla2009", simgpu.WithDivergence(simgpu.DWF{}), simgpu.WithLanes(simgpu.Swizzle)))
func WithLanes(m LaneMap) Option { return func(g *GPU) { g.policies.lanes = m } }

// WithCoIssue lets schedulers issue an instruction beside their first choice, in the same cycle: of warps that issue
// under PDOM, TF or a policy of your own. The default is none.
//
// For example:
//
//	np.Use(simgpu.Custom("v100", simgpu.WithDivergence(simgpu.TF{}), simgpu.WithCoIssue(simgpu.SWI{})))
func WithCoIssue(c CoIssue) Option { return func(g *GPU) { g.policies.co = c } }

// WithCTAs sets how many blocks of a kernel an SM holds and which of them issue; Baseline is the default.
//
// For example:
//
//	np.Use(simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{})))
func WithCTAs(c CTAPolicy) Option { return func(g *GPU) { g.policies.ctas = c } }

// WithLoads sets the order in which an SM serves loads of device memory that wait for a place among those in flight,
// and how many that are; FIFO{} is the default.
//
// For example:
//
//	np.Use(simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{}), simgpu.WithLoads(simgpu.ActiveFirst{})))
func WithLoads(o LoadOrder) Option { return func(g *GPU) { g.policies.loads = o } }

// WithNumber makes the GPU's ID end in #n, for a machine with several.
func WithNumber(n int) Option {
	return func(g *GPU) { g.number = n }
}

// Open returns a new GPU of the preset of the given name, "sim:v100", or of a name that Custom returned.
func Open(name string) (device.Device, error) {
	p, options, err := machineOf(name)
	if err != nil {
		return nil, err
	}
	return New(p, options...), nil
}

// machineOf returns what a name of Names or of Custom stands for.
func machineOf(name string) (Preset, []Option, error) {
	if c, ok := customOf(name); ok {
		return c.preset, c.options, nil
	}
	p, err := PresetByName(name)
	return p, nil, err
}

// New returns a GPU, number 0 of its machine and alone in it, as p describes it. It panics when p, with what the
// options change of it, has an error by Check.
func New(p Preset, options ...Option) *GPU {
	g := configured(p, options)
	if err := cmp.Or(g.preset.Check(), g.policies.combines()); err != nil {
		panic(err)
	}
	g.start(newBox(&g.preset, 1))
	return g
}

// start makes a configured GPU one of a machine.
func (g *GPU) start(b *box) {
	g.box = b
	b.gpus = append(b.gpus, g)
	g.id = fmt.Sprintf("sim:%s#%d", g.preset.Name, g.number)
	g.memory, g.contents = cpu.NewMemory(), map[uint64]*buffer{}
	g.warm = newWarmth(g)
	remember(g)
	g.heap = heap{device: g.id, size: g.preset.MemoryBytes}
}

func (g *GPU) isClosed() bool {
	g.box.mu.Lock()
	defer g.box.mu.Unlock()
	return g.closed
}

// configured returns a GPU with nothing but its configuration.
func configured(p Preset, options []Option) *GPU {
	g := &GPU{preset: p, limits: usualLimits}
	g.preset.SharedCarveouts = slices.Clone(p.SharedCarveouts)
	for _, o := range options {
		o(g)
	}
	q := &g.policies
	if d, ok := q.divergence.(DWF); ok && d.Policy == nil && q.picker != nil {
		d.Policy = q.picker
		q.divergence, q.picker = d, nil
	}
	if d, ok := q.divergence.(DWF); ok && q.issue != nil && q.wrong == nil {
		q.wrong = fmt.Errorf("simgpu: %s issues groups of a pool, so that %s, which sees warps, has nothing to choose: DWF takes a Picker, or a Policy such as DMaj", nameOf(d), nameOf(q.issue))
	}
	if _, turns := q.divergence.(Sharer); turns {
		if _, same := q.issue.(LRR); q.issue != nil && !same && q.wrong == nil {
			q.wrong = fmt.Errorf("simgpu: %s issues in turns, so that %s has nothing to choose", nameOf(q.divergence), nameOf(q.issue))
		}
		q.issue = LRR{}
	}
	if q.issue == nil {
		q.issue = g.preset.Scheduling
	}
	if q.issue == nil {
		q.issue = GTO{}
	}
	if q.divergence == nil {
		q.divergence = PDOM{}
	}
	if q.order == nil {
		q.order = InOrder{}
	}
	return g
}

// ID returns "sim:v100#0".
func (g *GPU) ID() string { return g.id }

// LinkedTo implements device.Linked: the GPUs of a machine copy to each other.
func (g *GPU) LinkedTo(other device.Device) bool {
	o, ok := other.(*GPU)
	return ok && o.box == g.box
}

// Clock implements device.Clocked: the GPUs of a machine have one clock.
func (g *GPU) Clock() any { return g.box }

// Preset returns what the GPU is made from.
func (g *GPU) Preset() Preset { return g.preset }

// Properties returns the limits and rates of the preset.
func (g *GPU) Properties() device.Properties {
	p := &g.preset
	return device.Properties{
		Name:               p.Title,
		Modelled:           true,
		SMs:                p.SMs,
		WarpSize:           p.WarpSize,
		ClockHz:            float64(p.ClockMHz) * 1e6,
		MaxThreadsPerBlock: p.MaxThreadsPerBlock,
		MaxThreadsPerSM:    p.MaxThreadsPerSM,
		MaxBlocksPerSM:     p.MaxBlocksPerSM,
		RegistersPerSM:     p.Registers,
		SharedPerSM:        p.SharedPerSM,
		SharedPerBlock:     p.mostShared(),
		MemoryBytes:        p.MemoryBytes,
		MemoryBandwidth:    float64(p.DRAMPeak),
		HostBandwidth:      float64(p.PinnedRate),
		PageableBandwidth:  float64(p.PageableRate),
		CopyTime:           time.Duration(p.CopyLatency),
		LaunchTime:         time.Duration(p.LaunchLatency),
		SubmitTime:         time.Duration(p.SubmitTime),
	}
}

// Alloc makes a buffer, zeroed. Its error is a *device.OutOfMemory when the device is full.
func (g *GPU) Alloc(bytes int) (device.Buffer, error) {
	if g.isClosed() {
		return nil, fmt.Errorf("%s: %w", g.id, errClosed)
	}
	addr, err := g.heap.alloc(bytes)
	if err != nil {
		return nil, err
	}
	b := &buffer{gpu: g, addr: addr, size: bytes}
	g.mapBuffer(b)
	return b, nil
}

// mapBuffer lets kernels reach b. Its address may have belonged to a buffer that queued work still uses, so the mapping
// takes its turn. It has contents when something is copied to it or a kernel is launched.
func (g *GPU) mapBuffer(b *buffer) {
	g.enqueue(&operation{run: func() {
		g.contents[b.addr] = b
		g.blank = append(g.blank, b)
		at, _ := g.spanAt(b.addr)
		g.mapped = slices.Insert(g.mapped, at, span{b.addr, sizeOf(b.size)})
	}})
}

// spanAt returns where in mapped the span that begins at addr is, or belongs.
func (g *GPU) spanAt(addr uint64) (int, bool) {
	return slices.BinarySearchFunc(g.mapped, addr, func(s span, addr uint64) int { return cmp.Compare(s.addr, addr) })
}

// Reserve sets memory aside for Carve. Only addresses are taken, and the room that they stand for.
func (g *GPU) Reserve(bytes int) (device.Buffer, error) {
	addr, err := g.heap.alloc(bytes)
	if err != nil {
		return nil, err
	}
	return &buffer{gpu: g, addr: addr, reserved: bytes}, nil
}

// Carve makes a buffer of a part of what Reserve set aside. It is zeroed.
func (g *GPU) Carve(from device.Buffer, off, bytes int) (device.Buffer, error) {
	all, ok := from.(*buffer)
	if !ok || all.gpu != g || off < 0 || bytes < 0 || bytes > all.reserved-off {
		return nil, fmt.Errorf("%s: bytes %d to %d are not of a reservation", g.id, off, off+bytes)
	}
	b := &buffer{gpu: g, addr: all.addr + uint64(off), size: bytes, carved: true}
	g.mapBuffer(b)
	return b, nil
}

func (g *GPU) release(b *buffer) error {
	g.mu.Lock()
	if b.freed {
		g.mu.Unlock()
		return fmt.Errorf("%s: the buffer at %#x was freed before", g.id, b.addr)
	}
	b.freed = true
	g.mu.Unlock()
	if b.reserved == 0 {
		g.enqueue(&operation{run: func() {
			g.settle()
			if b.pages != nil {
				for _, e := range b.pages.on {
					if e != nil {
						g.resident.Remove(e)
					}
				}
			}
			g.memory.Unmap(b.addr)
			delete(g.contents, b.addr)
			b.data = nil
			if at, ok := g.spanAt(b.addr); ok {
				g.mapped = slices.Delete(g.mapped, at, at+1)
			}
		}})
	}
	switch {
	case b.pages != nil:
		g.managed.free(b.addr - managedFrom)
	case !b.carved:
		g.heap.free(b.addr)
	}
	return nil
}

// MemInfo returns the bytes of device memory that are free, and all.
func (g *GPU) MemInfo() (free, total int64) {
	g.heap.mu.Lock()
	defer g.heap.mu.Unlock()
	return g.heap.size - g.heap.used, g.heap.size
}

// HostAlloc returns zeroed host memory that counts as pinned, for all GPUs of the machine: copies from and to it run at
// the preset's PinnedRate, others at its PageableRate. It stays pinned until HostFree, or until the GPU is closed.
func (g *GPU) HostAlloc(bytes int) ([]byte, error) {
	b := make([]byte, bytes)
	if bytes > 0 {
		from := uintptr(unsafe.Pointer(&b[0]))
		g.mu.Lock()
		g.pinned = append(g.pinned, pinnedRange{from, from + uintptr(bytes), b})
		g.mu.Unlock()
	}
	return b, nil
}

// HostFree takes back what HostAlloc has returned.
func (g *GPU) HostFree(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	from := uintptr(unsafe.Pointer(&b[0]))
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.pinned, func(r pinnedRange) bool { return r.from == from })
	if i < 0 {
		return fmt.Errorf("%s: this memory is not pinned", g.id)
	}
	g.pinned = slices.Delete(g.pinned, i, i+1)
	return nil
}

// isPinned reports whether a GPU of g's machine has pinned b: it is pinned for all of them then, as of CUDA with
// unified addresses.
func (g *GPU) isPinned(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	from := uintptr(unsafe.Pointer(&b[0]))
	return slices.ContainsFunc(g.box.gpus, func(of *GPU) bool { return of.hasPinned(from, len(b)) })
}

func (g *GPU) hasPinned(from uintptr, bytes int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.pinned {
		if from >= r.from && from+uintptr(bytes) <= r.to {
			return true
		}
	}
	return false
}

// Close gives up what is queued and ends the GPU. Its buffers and streams are of no use afterwards.
func (g *GPU) Close() error {
	if g.box != nil { // nil of a GPU that New has not made
		g.box.close(g)
	}
	return nil
}
