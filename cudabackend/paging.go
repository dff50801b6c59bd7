package cudabackend

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/paging"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// pagingCard is a GPU, here or in a worker, whose kernels fetch lines of files.
type pagingCard interface {
	device.Device
	HostAlloc(bytes int) ([]byte, error)
	HostFree(b []byte) error
	ComputeCapability() int
	CannotPage() error
	seen(pinned []byte) (uint64, error) // the address by which kernels see memory of HostAlloc
	loadText(f *kir.Func, text string) (device.Kernel, error)
	copyStream() (device.Stream, error) // for copies while kernels run that wait for them
	interrupted() <-chan struct{}       // closed when nobody wants any more what is queued now; nil where nobody says
}

// pagingSince is the least compute capability for it: Volta's threads of a warp go on independently of each other, and
// they can rest.
const pagingSince = 70

// cannotPage is why kernels of a card cannot read files; nil where they can. pools is whether memory comes from the
// driver's.
func cannotPage(capability int, pools bool) error {
	switch {
	case capability < pagingSince:
		return fmt.Errorf("it has compute capability %d.%d, and only from 7.0 on, Volta, do threads of a warp go on independently of each other and rest while they wait", capability/10, capability%10)
	case !pools:
		return errors.New("its driver is older than CUDA 11.2, and frees memory when all kernels have ended alone, while they may wait for copies")
	case runtime.GOOS == "windows":
		return errors.New("the driver of Windows may hold copies back until a kernel has ended, and the kernel waits for them")
	}
	return nil
}

// pager is what a card has for kernels that fetch lines of files: package paging says how.
type pager struct {
	card pagingCard

	mu        sync.Mutex
	directory device.Buffer
	setup     device.Stream // of what kernels find
	copies    device.Stream // beside kernels, which wait for them
	segments  [paging.Segments]*lineBuffer
	variants  map[variant]device.Kernel
	services  []*service // that are not over
}

// variant is a kernel that is lowered for files at some of its parameters.
type variant struct {
	kernel device.Kernel
	at     string
}

// Sizes of memory by which lines go.
const (
	mostStages     = 64
	mostStageBytes = 8 << 20
	leastSlots     = 64
)

// lineBuffer is memory of which kernels fetch lines: a device.Buffer at addresses where the card has none.
type lineBuffer struct {
	pager    *pager
	number   int
	lines    device.Lines
	readOnly bool
	shift    uint
	slots    int
	bytes    int64

	memory            device.Buffer // control block, table, slots
	table, meta, data int           // where they are in it
	host              []byte        // ring, answers, stages
	lap               uint
	ring, answers     []uint64 // in host
	stages            chan []byte

	// of the service that has it
	head    uint64
	held    []atomic.Int64 // the line in each slot: of one request at a time, which the card orders, as no lock does
	counted [3]uint64

	mu    sync.Mutex
	users int
	freed bool
}

// mapLines makes a buffer of lines; see device.Pager.
func (p *pager) mapLines(lines device.Lines, readOnly bool) (device.Buffer, error) {
	if err := p.card.CannotPage(); err != nil {
		return nil, fmt.Errorf("kernels of %s cannot read files: %w", p.card.ID(), err)
	}
	b := &lineBuffer{pager: p, number: -1, lines: lines, readOnly: readOnly, bytes: lines.Bytes(), shift: lines.LineShift()}
	n := (b.bytes + 1<<b.shift - 1) >> b.shift
	if n > paging.MostLines || b.bytes > paging.MostBytes {
		return nil, fmt.Errorf("%s: a file of %d lines of %d bytes: kernels of a card read files of up to %d lines; open it with longer ones, as np.Open(path, np.LineBytes(%d))",
			p.card.ID(), n, 1<<b.shift, paging.MostLines, 1<<bits.Len64(uint64(b.bytes-1)>>26))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.begin(); err != nil {
		return nil, err
	}
	for i, s := range p.segments {
		if s == nil {
			b.number = i
			break
		}
	}
	if b.number < 0 {
		return nil, fmt.Errorf("%s: kernels have %d files already", p.card.ID(), paging.Segments)
	}
	b.slots = max(min(lines.Slots(), int(n), paging.MostSlots), 1)
	if err := b.allocate(int(n)); err != nil {
		return nil, err
	}
	if err := b.initialise(int(n)); err != nil {
		b.release()
		return nil, err
	}
	p.segments[b.number] = b
	return b, nil
}

// begin makes what all files share. Called with p.mu held.
func (p *pager) begin() (err error) {
	if p.setup == nil {
		if p.setup, err = p.card.NewStream(0); err != nil {
			return err
		}
	}
	if p.copies == nil {
		if p.copies, err = p.card.copyStream(); err != nil {
			return err
		}
	}
	if p.directory == nil {
		p.directory, err = p.card.Alloc(paging.DirectoryBytes)
	}
	return err
}

// allocate gets memory of card and host: with fewer slots where the card has not so much.
func (b *lineBuffer) allocate(lines int) (err error) {
	align := func(n int) int { return (n + 255) &^ 255 }
	for ; ; b.slots /= 2 {
		b.table = align(paging.ControlSize)
		b.meta = align(b.table + lines*paging.EntryBytes)
		b.data = align(b.meta + b.slots*paging.SlotBytes)
		b.memory, err = b.pager.card.Alloc(b.data + b.slots<<b.shift)
		if err == nil {
			break
		}
		if !errors.Is(err, device.ErrOutOfMemory) || b.slots/2 < leastSlots {
			return err
		}
	}
	b.lap = uint(bits.Len(uint(b.slots - 1)))
	stages := max(min(mostStages, b.slots, mostStageBytes>>b.shift), 1)
	words := 1<<b.lap + b.slots
	if b.host, err = b.pager.card.HostAlloc(align(8*words) + stages<<b.shift); err != nil {
		return errors.Join(err, b.memory.Free())
	}
	all := wordsOf(b.host[:8*words])
	b.ring, b.answers = all[:1<<b.lap], all[1<<b.lap:]
	b.stages = make(chan []byte, stages)
	for s := range slices.Chunk(b.host[align(8*words):], 1<<b.shift) {
		b.stages <- s
	}
	b.held = make([]atomic.Int64, b.slots)
	return nil
}

// initialise writes the control block, with nothing in the slots. Called with p.mu held.
func (b *lineBuffer) initialise(lines int) error {
	seen, err := b.pager.card.seen(b.host)
	if err != nil {
		return err
	}
	at, s := b.memory.Addr(), b.pager.setup
	zeros := make([]byte, min(b.data, 1<<20))
	for off := 0; off < b.data; off += len(zeros) {
		s.CopyIn(b.memory, off, zeros[:min(len(zeros), b.data-off)])
	}
	flags := uint64(0)
	if b.readOnly {
		flags |= paging.FlagReadOnly
	}
	if !b.lines.Coalesces() {
		flags |= paging.FlagAlone
	}
	control := make([]byte, paging.ControlSize)
	for off, x := range map[int]uint64{
		paging.CtlShift: uint64(b.shift), paging.CtlSize: uint64(b.bytes), paging.CtlFlags: flags, paging.CtlSlots: uint64(b.slots),
		paging.CtlTable: at + uint64(b.table), paging.CtlMeta: at + uint64(b.meta), paging.CtlData: at + uint64(b.data),
		paging.CtlRing: seen, paging.CtlMask: 1<<b.lap - 1, paging.CtlLap: uint64(b.lap), paging.CtlReplies: seen + 8<<b.lap,
		paging.CtlPatience: 1 << 22, // some seconds of rests
	} {
		binary.LittleEndian.PutUint64(control[off:], x)
	}
	s.CopyIn(b.memory, 0, control)
	s.CopyIn(b.pager.directory, 8*b.number, binary.LittleEndian.AppendUint64(nil, at))
	return s.Sync(backgroundContext)
}

// Bytes returns the size of the part of the file.
func (b *lineBuffer) Bytes() int { return int(b.bytes) }

// Addr returns the address, which kernels get as a pointer.
func (b *lineBuffer) Addr() uint64 { return paging.Base(b.number) }

// Free gives the memory back after the launches that are queued.
func (b *lineBuffer) Free() error {
	b.mu.Lock()
	if b.freed {
		b.mu.Unlock()
		return fmt.Errorf("%s: the buffer at %#x was freed before", b.pager.card.ID(), b.Addr())
	}
	b.freed = true
	idle := b.users == 0
	b.mu.Unlock()
	if idle {
		return b.end()
	}
	return nil
}

func (b *lineBuffer) use(n int) {
	b.mu.Lock()
	b.users += n
	idle := b.users == 0 && b.freed
	b.mu.Unlock()
	if idle {
		b.end() // a broken context tells the next who asks
	}
}

func (b *lineBuffer) end() error {
	b.pager.mu.Lock()
	b.pager.segments[b.number] = nil
	b.pager.mu.Unlock()
	return b.release()
}

func (b *lineBuffer) release() error {
	return errors.Join(b.memory.Free(), b.pager.card.HostFree(b.host))
}

// prepare returns the kernel and the parameters for a launch of k, whose function is f, on a stream: where one of the
// parameters is an address of lines, a kernel that fetches them, and who serves it. The launch begins when earlier ones
// of the same stream or on the same files are served to their end.
func (p *pager) prepare(on any, k device.Kernel, f *kir.Func, params []byte) (device.Kernel, []byte, *service, error) {
	if p == nil || f == nil || len(params) != f.ParamBytes() {
		return k, params, nil, nil
	}
	at, buffers := p.touched(f, params)
	if len(at) == 0 {
		return k, params, nil, nil
	}
	lowered, err := p.variant(k, f, at)
	if err != nil {
		return k, params, nil, err
	}
	s := &service{pager: p, on: on, buffers: buffers, over: make(chan struct{}), interrupted: p.card.interrupted()}
	p.mu.Lock()
	directory := p.directory.Addr()
	var before []*service
	for _, o := range p.services {
		if o.on == on || slices.ContainsFunc(o.buffers, func(b *lineBuffer) bool {
			return slices.ContainsFunc(buffers, func(c *lineBuffer) bool { return b.lines == c.lines })
		}) {
			before = append(before, o)
		}
	}
	p.services = append(p.services, s)
	p.mu.Unlock()
	for _, b := range buffers {
		b.use(1)
	}
	for _, o := range before {
		<-o.over
	}
	packed := append(slices.Clone(params), make([]byte, -len(params)&7)...)
	return lowered, binary.LittleEndian.AppendUint64(packed, directory), s, nil
}

// quiet waits for the launches that are served. A driver that loads code may wait for all kernels, with which it must
// not keep copies waiting that those wait for.
func (p *pager) quiet() {
	if p == nil {
		return
	}
	p.mu.Lock()
	services := slices.Clone(p.services)
	p.mu.Unlock()
	for _, s := range services {
		<-s.over
	}
}

// touched returns where addresses of lines are in the packed parameters of f, and whose they are.
func (p *pager) touched(f *kir.Func, params []byte) (at []int, buffers []*lineBuffer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, prm := range f.Params {
		if prm.Type != kir.U64 && prm.Type != kir.Void {
			continue
		}
		for off := (prm.Offset + 7) &^ 7; off+8 <= prm.Offset+prm.Bytes(); off += 8 {
			n, in, ok := paging.SegmentOf(binary.LittleEndian.Uint64(params[off:]))
			if !ok || p.segments[n] == nil || in > uint64(p.segments[n].bytes) {
				continue
			}
			if at = append(at, off); !slices.Contains(buffers, p.segments[n]) {
				buffers = append(buffers, p.segments[n])
			}
		}
	}
	return at, buffers
}

// variant returns k as one that fetches lines of the files at the given bytes of its parameters, loading it once.
func (p *pager) variant(k device.Kernel, f *kir.Func, at []int) (device.Kernel, error) {
	key := variant{k, fmt.Sprint(at)}
	p.mu.Lock()
	lowered := p.variants[key]
	p.mu.Unlock()
	if lowered != nil {
		return lowered, nil
	}
	g, err := paging.Lower(f, func(off int) bool { return slices.Contains(at, off) })
	if err != nil {
		return nil, err
	}
	if g.Bounds.MaxThreads == 0 && g.Bounds.MaxRegisters == 0 { // the look takes registers: the largest blocks still fit
		g.Bounds.MaxThreads = kir.MaxThreadsPerBlock
	}
	text, err := ptx.Print(ptx.Options{Target: targetFor(p.card.ComputeCapability()), Lines: true}, g)
	if err != nil {
		return nil, err
	}
	if lowered, err = p.card.loadText(g, text); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.variants == nil {
		p.variants = make(map[variant]device.Kernel)
	}
	p.variants[key] = lowered
	return lowered, nil
}
