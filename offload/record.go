package offload

import (
	"context"
	"errors"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// recorder collects what one run does and makes its trace.
type recorder struct {
	began  time.Time
	free   time.Time // since when the runtime has done what no event has told of yet
	waited time.Time // when it last began to wait for a device
	queued []queued
	log    trace.Log
	ids    int
	task   int // of the graph, counted from 1
	owner  *Task
	piece  trace.Piece // that is worked on; zero where arrays are whole
	tile   string      // that is worked on, "tile 6 of 8"; "" where a task is not divided
	passes int         // that pieces have been through
	cell   int
	memory *memory

	zeros    map[string]time.Time // of devices whose times are the wall clock's, by ID
	onDevice map[*resident]int    // ID of the event that made a copy
	onHost   map[*Value]int

	bar   Progress // how far the run has come; nil while nobody has waited long
	tasks int      // of the run

	several bool // devices are in use
}

type queued struct {
	device string
	clock  any    // of the device: those of one have equal ones
	name   string // what the event is called in the trace; "" keeps the device's name for it
	ev     device.Event
	id     int
	task   int
	after  []int
	piece  trace.Piece
	tile   string
	owner  *Task // nil for what brings results to the host

	needed, inUse, reserved, memory int64
}

// newRecorder returns a recorder of a run of so many tasks.
func newRecorder(began time.Time, m *memory, tasks int) *recorder {
	r := &recorder{tasks: tasks, began: began, free: began, memory: m, zeros: make(map[string]time.Time), onDevice: make(map[*resident]int), onHost: make(map[*Value]int)}
	r.log.Reserve(2*min(tasks, maxGraph) + 2) // what most runs have
	return r
}

func (r *recorder) id() int {
	r.ids++
	return r.ids
}

// add notes an event on d, with the levels of its memory, and returns its ID.
func (r *recorder) add(d device.Device, name string, ev device.Event, after []int) int {
	q := queued{device: d.ID(), clock: device.ClockOf(d), name: name, ev: ev, id: r.id(), task: r.task, after: after, piece: r.piece, tile: r.tile, owner: r.owner, needed: r.memory.needed[d]}
	if w, ok := d.(device.WallClock); ok {
		r.zeros[d.ID()] = w.Zero()
	}
	pool := r.memory.pool(d)
	q.inUse, q.reserved = pool.Levels()
	q.memory = pool.Size()
	r.queued = append(r.queued, q)
	return q.id
}

// blame returns err, of the run, as a *TaskError when it is that of a device's work for a task.
func (r *recorder) blame(err error) error {
	for _, q := range r.queued {
		if q.owner == nil || !q.ev.Done() {
			continue
		}
		// what follows on its stream has not run; another stream may have failed too
		if e := q.ev.Wait(context.Background()); e != nil {
			if errors.Is(err, e) {
				failed := &TaskError{Task: q.owner, Err: err}
				if r.several {
					failed.Device, failed.Tile = q.device, q.tile
				}
				return failed
			}
		}
	}
	return err
}

// measured adds work of the CPU that began at t0 and ends now, and returns its ID.
func (r *recorder) measured(kind trace.Kind, name string, t0 time.Time, after []int) int {
	r.scheduled(t0)
	r.free = time.Now()
	return r.span(kind, name, t0, r.free, after)
}

// scheduled adds what the runtime itself has done until now that no other event tells of.
func (r *recorder) scheduled(now time.Time) {
	if now.Sub(r.free) > shortest {
		r.span(trace.Overhead, "schedule", r.free, now, nil)
	}
	r.free = now
}

// shortest is the least that makes an event of its own of what is done between others.
const shortest = time.Microsecond

func (r *recorder) span(kind trace.Kind, name string, start, end time.Time, after []int) int {
	id := r.id()
	r.log.Add(trace.Event{ID: id, Name: name, Kind: kind, Device: "host", Task: r.task, After: after,
		Start: trace.FromDuration(start.Sub(r.began)), End: trace.FromDuration(end.Sub(r.began))})
	return id
}

// waiting tells that the runtime waits for a device from now on, until the function that it returns is called.
func (r *recorder) waiting() (over func()) {
	r.waited = time.Now()
	r.scheduled(r.waited)
	return func() { r.free = time.Now() }
}

// makers returns the events that made copies of the values on d, or on the host for nil.
func (r *recorder) makers(d device.Device, vs []*Value) (ids []int) {
	for _, v := range vs {
		id := r.onHost[v]
		if d != nil {
			id = r.onDevice[v.copies.on.of(d)]
		}
		if id > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// finish returns the trace. The host's events and those of the runtime are of one clock, which is 0 when the
// evaluation began. Other devices' times are moved so that they begin at 0, those of one clock together: they count
// from when they were opened, and a modelled clock has nothing to do with the wall clock, so zeros cannot be
// aligned any better.
func (r *recorder) finish() *trace.Log {
	first := make(map[any]trace.Time) // by clock
	var last time.Time
	r.log.Reserve(len(r.queued) + 1) // and what the host has done since
	for i := range r.queued {
		q := &r.queued[i]
		e := q.ev.Trace()
		if t, ok := first[q.clock]; !ok || e.Start-e.Launch < t {
			first[q.clock] = e.Start - e.Launch
		}
	}
	for i := range r.queued {
		q := &r.queued[i]
		e := q.ev.Trace()
		if q.name != "" {
			e.Name = q.name
		}
		if e.Kind == trace.Kernel && q.owner != nil {
			e.Calls = q.owner.Calls
		}
		e.ID, e.Task, e.After, e.Piece, e.Needed = q.id, q.task, q.after, q.piece, q.needed
		e.InUse, e.Reserved, e.Memory = q.inUse, q.reserved, q.memory
		e.Zero = first[q.clock]
		z, wall := r.zeros[e.Device]
		if wall {
			e.Zero = trace.FromDuration(r.began.Sub(z))
		}
		e.Start -= e.Zero
		e.End -= e.Zero
		r.log.Add(e)
		if wall { // to wake up when a device of this clock is done is work of the runtime too
			if end := r.began.Add(e.End.Duration()); end.After(r.waited) && end.After(last) && end.Before(r.free) {
				last = end
			}
		}
	}
	if !last.IsZero() {
		r.free = last
	}
	r.scheduled(time.Now())
	r.queued, r.owner, r.onDevice, r.onHost = nil, nil, nil, nil // the log outlives the run, its values need not
	return &r.log
}
