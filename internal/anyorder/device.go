// Package anyorder is a device for tests that finds events that a stream should have waited for: it does what its
// streams have to do as late as it may, and in any order that the events allow.
package anyorder

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Device does nothing until somebody waits, and then of what may be done a random operation first, often many of one
// stream: an event that is missing shows as wrong values. It belongs to one goroutine.
type Device struct {
	*Machine
	id     string
	memory *cpu.Memory
	size   int64
	used   int64
}

// Machine is devices that may wait for each other's events, and copy from each other.
type Machine struct {
	Devices []*Device
	Crossed int // operations that were done before one that was queued earlier
	Waits   int // for events, that streams were asked for
	Skipped int // the number of the one, from 1, that is left out; 0 for none

	rnd      *rand.Rand
	modelled bool
	next     uint64
	streams  []*stream
	favoured *stream // goes on, mostly, while it can
	number   int
	newest   int        // number of the last operation that was done
	clock    trace.Time // of events: what an operation takes means little
}

// New returns a device with so many bytes.
func New(seed uint64, bytes int64) *Device {
	d := NewMachine(seed, 1, bytes).Devices[0]
	d.id = "anyorder"
	return d
}

// NewMachine returns a machine of devices with so many bytes each: anyorder#0 and so on.
func NewMachine(seed uint64, devices int, bytes int64) *Machine {
	m := &Machine{rnd: rand.New(rand.NewPCG(seed, 9)), modelled: seed%2 == 0, next: 1 << 32}
	for i := range devices {
		m.Devices = append(m.Devices, &Device{Machine: m, id: fmt.Sprintf("anyorder#%d", i), memory: cpu.NewMemory(), size: bytes})
	}
	return m
}

// ID implements device.Device.
func (d *Device) ID() string { return d.id }

// LinkedTo implements device.Linked.
func (d *Device) LinkedTo(other device.Device) bool {
	o, ok := other.(*Device)
	return ok && o.Machine == d.Machine
}

// Properties implements device.Device.
func (d *Device) Properties() device.Properties {
	return device.Properties{
		Name: "a device that does things in any order", Modelled: d.modelled, SMs: 4, WarpSize: 32,
		MaxThreadsPerBlock: 1024, MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32, RegistersPerSM: 65536, SharedPerSM: 96 << 10, SharedPerBlock: 48 << 10,
		MemoryBytes: d.size, MemoryBandwidth: 1e11, HostBandwidth: 1e10,
	}
}

// Streams implements device.Concurrent.
func (d *Device) Streams() int { return 4 }

// Close implements device.Device.
func (d *Device) Close() error { return nil }

// Alloc implements device.Device.
func (d *Device) Alloc(bytes int) (device.Buffer, error) { return d.Reserve(bytes) }

// Reserve implements device.Reserver.
func (d *Device) Reserve(bytes int) (device.Buffer, error) {
	if d.used+int64(bytes) > d.size {
		return nil, &device.OutOfMemory{Device: d.ID(), Need: int64(bytes), Free: d.size - d.used, Size: d.size}
	}
	d.used += int64(bytes)
	b := &buffer{addr: d.next, data: make([]byte, bytes), of: d}
	for i := range b.data {
		b.data[i] = 0xa5
	}
	d.memory.Map(b.addr, b.data)
	d.next += (uint64(bytes)+255)&^255 + 1<<20 // aligned as those of a card
	return b, nil
}

// Carve implements device.Reserver.
func (d *Device) Carve(from device.Buffer, off, bytes int) (device.Buffer, error) {
	b := from.(*buffer)
	return &buffer{addr: b.addr + uint64(off), data: b.data[off : off+bytes]}, nil
}

// Load implements device.Device.
func (d *Device) Load(f *kir.Func) (device.Kernel, error) {
	p, err := cpu.Compile(opt.Optimize(f))
	return kernel{p}, err
}

// NewStream implements device.Device.
func (d *Device) NewStream(int) (device.Stream, error) {
	s := &stream{d: d}
	d.streams = append(d.streams, s)
	return s, nil
}

type kernel struct{ *cpu.Program }

func (k kernel) Name() string { return k.Func().Name }

type buffer struct {
	addr uint64
	data []byte
	of   *Device // of what is not carved
}

func (b *buffer) Bytes() int   { return len(b.data) }
func (b *buffer) Addr() uint64 { return b.addr }
func (b *buffer) Free() error {
	if b.of != nil {
		b.of.used -= int64(len(b.data))
	}
	return nil
}

// stream is a queue: of its operations the first may be done when what it waits for is done.
type stream struct {
	d      *Device
	queue  []*event
	failed error
}

// event is an operation and its end.
type event struct {
	s      *stream
	number int
	after  *event // what it waits for, or nil
	work   func() error
	bytes  int // that it copies
	record trace.Event
	done   bool
	err    error
}

var _ interface {
	device.Device
	device.Reserver
	device.Concurrent
	device.Linked
} = (*Device)(nil)

func (s *stream) add(kind trace.Kind, name string, work func() error) device.Event {
	s.d.number++
	e := &event{s: s, number: s.d.number, work: work}
	e.record = trace.Event{Name: name, Kind: kind, Device: s.d.ID()}
	s.queue = append(s.queue, e)
	return e
}

func (s *stream) copies(kind trace.Kind, name string, bytes int, work func() error) device.Event {
	e := s.add(kind, name, work)
	e.(*event).bytes = bytes
	return e
}

// step does one of the operations that may be done.
func (d *Machine) step() {
	var ready []*stream
	for _, s := range d.streams {
		if len(s.queue) > 0 && (s.queue[0].after == nil || s.queue[0].after.done) {
			ready = append(ready, s)
		}
	}
	if !slices.Contains(ready, d.favoured) || d.rnd.IntN(6) == 0 {
		d.favoured = ready[d.rnd.IntN(len(ready))]
	}
	s := d.favoured
	e := s.queue[0]
	s.queue = s.queue[1:]
	if e.number < d.newest {
		d.Crossed++
	}
	d.newest = max(d.newest, e.number)
	if e.err = s.failed; e.err == nil && e.work != nil {
		e.err = e.work()
		s.failed = e.err
	}
	e.record.Start = d.clock
	d.clock += trace.Microsecond + trace.Time(e.bytes)
	e.record.End = d.clock
	e.done = true
}

func (e *event) Wait(context.Context) error {
	for !e.done {
		e.s.d.step()
	}
	return e.err
}

func (e *event) Done() bool { return e.done }

func (e *event) Trace() trace.Event {
	e.Wait(context.Background())
	return e.record
}

func (s *stream) CopyIn(dst device.Buffer, off int, src []byte) device.Event {
	return s.copies(trace.CopyIn, "copy in", len(src), func() error { copy(dst.(*buffer).data[off:], src); return nil })
}

func (s *stream) CopyOut(dst []byte, src device.Buffer, off int) device.Event {
	return s.copies(trace.CopyOut, "copy out", len(dst), func() error { copy(dst, src.(*buffer).data[off:]); return nil })
}

func (s *stream) CopyPeer(dst device.Buffer, dstOff int, src device.Buffer, srcOff, bytes int) device.Event {
	return s.copies(trace.CopyPeer, "copy", bytes, func() error {
		copy(dst.(*buffer).data[dstOff:], src.(*buffer).data[srcOff:srcOff+bytes])
		return nil
	})
}

func (s *stream) Launch(k device.Kernel, grid, block kir.Dim3, sharedBytes int, params []byte) device.Event {
	return s.add(trace.Kernel, k.Name(), func() error {
		_, err := k.(kernel).Run(context.Background(), cpu.Launch{
			Grid: grid, Block: block, SharedBytes: sharedBytes, Params: params, Memory: s.d.memory,
		})
		return err
	})
}

func (s *stream) Wait(e device.Event) {
	w := s.add(trace.Overhead, "wait", nil).(*event)
	if s.d.Waits++; s.d.Waits != s.d.Skipped {
		w.after = e.(*event)
	}
}

func (s *stream) Sync(ctx context.Context) error {
	for len(s.queue) > 0 {
		if ctx.Err() != nil {
			for _, e := range s.queue {
				e.done, e.err = true, fmt.Errorf("given up: %w", ctx.Err())
			}
			s.queue = nil
			return ctx.Err()
		}
		s.d.step()
	}
	err := s.failed
	s.failed = nil
	return err
}

func (s *stream) Close() error {
	if len(s.queue) > 0 {
		return errors.New("a stream with work is closed")
	}
	return nil
}
