package offload

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/placement"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Runtime executes tasks. Its methods may be called from several goroutines; runs follow one another.
type Runtime struct {
	// Context, when set, is asked for the context of the running cell: cancelling it interrupts a run.
	Context func() context.Context
	// Cell, when set, is asked for the number of the running cell, for reports of who holds memory.
	Cell func() int
	// Here, when set, is asked for the place in a program that is being executed, and returns nil where it does not
	// know: errors that are found later tell of it.
	Here func() any
	// Warn, when set, is told what went another way than asked for.
	Warn func(message string)
	// Progress, when set, begins to show how far a run has come: it is called when somebody has waited for one for a
	// while.
	Progress func(label string, total int) Progress

	devices *device.Registry
	memory  memory
	gone    func(*copies) // memory.drop

	turn    chan struct{}   // holds one token; who has it may touch what follows, and the copies of all values
	current device.Device   // the first of those in use
	using   []device.Device // that run kernels
	inUse   atomic.Pointer[[]device.Device]
	running []device.Device   // those of the program that runs: in use, or tasks have them
	among   []device.Device   // of those, what the planner places tasks on: without what shares the host's memory, where there are others
	name    string            // what those are called together
	placing placement.Policy  // says which of them runs what
	inTurn  int               // where a policy goes on that takes them in turn
	heard   *[]*trace.Log     // gets the traces of runs, for EachPolicy; nil for nobody
	links   map[string]*Links // by the devices between which they are
	streams map[device.Device]*lanes
	kernels map[device.Device]map[[32]byte]device.Kernel
	stats   Stats
	paging  bool

	losses   map[device.Device]int // of devices in streams, when their stream was made
	everLost bool

	budget atomic.Int64 // of the host's memory, for what is read from files; 0 for a part of what is free
	free   freeMemory

	pieceRows int // the most rows of a piece; 0 where the policy says it
	policy    PiecePolicy
	tiling    tiling
}

// Stats counts what a Runtime has done since it was made.
type Stats struct {
	Runs       int64 // evaluations that did any work
	Launches   int64 // kernels
	CPUTasks   int64
	CopiesIn   int64
	CopiesOut  int64
	BytesIn    int64
	BytesOut   int64
	CopiesPeer int64 // from one device to another, without the host
	BytesPeer  int64
	PinnedIn   int64 // bytes of BytesIn that came from pinned memory
	Pieces     int64 // of pipelines that did not fit in a device's memory
	Evictions  int64 // device copies dropped to make room
	LiveBytes  int64 // device memory that values hold now
	Pinned     int64 // memory of the host that is pinned for values now
}

// New returns a runtime over the devices of r that runs kernels on the named one until Use is called.
func New(r *device.Registry, name string) (*Runtime, error) {
	d, err := r.Get(name)
	if err != nil {
		return nil, err
	}
	rt := &Runtime{
		devices: r, current: d, using: []device.Device{d}, name: d.ID(), paging: true,
		placing: usual.policy,
		turn:    make(chan struct{}, 1),
		streams: make(map[device.Device]*lanes),
		kernels: make(map[device.Device]map[[32]byte]device.Kernel),
		losses:  make(map[device.Device]int),
	}
	rt.running, rt.among = rt.using, rt.using
	rt.inUse.Store(&rt.using)
	rt.gone = rt.memory.drop
	rt.memory.live = make(map[*resident]struct{})
	rt.memory.pools = make(map[device.Device]*mempool.Pool)
	rt.memory.pinned, rt.memory.mirrors, rt.memory.mostPinned = make(map[device.Device]*mempool.Pinned), make(map[*copies]struct{}), mostPinned
	rt.turn <- struct{}{}
	return rt, nil
}

// acquire waits for the runs before to end. A function that a run calls would wait for that run, and so for ever: it
// gets errWithin.
func (rt *Runtime) acquire(ctx context.Context) error {
	select {
	case <-rt.turn:
		return nil
	default:
	}
	if golabel.Within() {
		return errWithin
	}
	select {
	case <-rt.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take is acquire for what nobody interrupts. It panics where acquire has an error.
func (rt *Runtime) take() {
	if err := rt.acquire(context.Background()); err != nil {
		panic(err)
	}
}

var errWithin = errors.New("a function that is being evaluated asks for, or changes, something of the runtime that evaluates it, " +
	"as its device, its statistics or its limits. Do that in the cell, before or after")

func (rt *Runtime) release() { rt.turn <- struct{}{} }

// CellContext returns the context of the running cell, or the background context when Context is not set.
func (rt *Runtime) CellContext() context.Context {
	if rt.Context != nil {
		if ctx := rt.Context(); ctx != nil {
			return ctx
		}
	}
	return context.Background()
}

// Stats returns the counts so far.
func (rt *Runtime) Stats() Stats {
	rt.take()
	defer rt.release()
	s := rt.stats
	s.LiveBytes = rt.memory.bytes()
	for _, p := range rt.memory.pinned {
		if p != nil {
			s.Pinned += p.Stats().InUse
		}
	}
	return s
}

// NewValue returns a value of so many bytes, which a task will make.
func (rt *Runtime) NewValue(bytes int) *Value {
	v := &Value{size: bytes, copies: new(copies)}
	runtime.AddCleanup(v, rt.gone, v.copies)
	return v
}

// HostValue returns a value that is the bytes b, which must not change while the value lives.
func (rt *Runtime) HostValue(b []byte) *Value {
	v := rt.NewValue(len(b))
	v.host = b
	if b == nil {
		v.host = []byte{}
	}
	return v
}

// lanes are the streams of a device: copies go beside kernels where pieces stream through it, and kernels that do not
// need each other's results beside each other.
type lanes struct {
	kernels []lane // at least one
	in, out device.Stream
	peers   map[device.Device]device.Stream // for copies from each other device, so that they come side by side
}

// open makes the lanes for copies.
func (l *lanes) open(d device.Device) (err error) {
	if l.in == nil {
		l.in, err = d.NewStream(0)
	}
	if err == nil && l.out == nil {
		l.out, err = d.NewStream(0)
	}
	for _, s := range []device.Stream{l.in, l.out} {
		if b, ok := s.(device.Beside); ok {
			b.CopyBeside()
		}
	}
	return err
}

func (l *lanes) all() []device.Stream {
	var out []device.Stream
	for _, k := range l.kernels {
		out = append(out, k.stream)
	}
	for _, s := range []device.Stream{l.in, l.out} {
		if s != nil {
			out = append(out, s)
		}
	}
	return slices.AppendSeq(out, maps.Values(l.peers))
}

// peer returns the stream of d for copies from another device.
func (l *lanes) peer(d, from device.Device) (device.Stream, error) {
	if s := l.peers[from]; s != nil {
		return s, nil
	}
	s, err := d.NewStream(0)
	if err != nil {
		return nil, err
	}
	if l.peers == nil {
		l.peers = make(map[device.Device]device.Stream)
	}
	l.peers[from] = s
	return s, nil
}

// stream returns the first stream on which rt computes on d.
func (rt *Runtime) stream(d device.Device) (device.Stream, error) {
	if l := rt.streams[d]; l != nil {
		return l.kernels[0].stream, nil
	}
	n := lossesOf(d) // before: when they become more, this stream may be void
	l := &lanes{}
	err := l.another(d)
	if err != nil {
		return nil, err
	}
	rt.streams[d], rt.losses[d] = l, n
	return l.kernels[0].stream, nil
}

// String is for people: what was done, in one line.
func (s Stats) String() string {
	between := ""
	if s.CopiesPeer > 0 {
		between = ", between devices " + device.Bytes(s.BytesPeer)
	}
	return fmt.Sprintf("%d evaluations, %d kernels, %d tasks on the CPU; copied in %s, out %s%s; %s of device memory in use",
		s.Runs, s.Launches, s.CPUTasks, device.Bytes(s.BytesIn), device.Bytes(s.BytesOut), between, device.Bytes(s.LiveBytes))
}
