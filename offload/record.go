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
	queued []queued
	log    trace.Log
	ids    int
	task   int // of the graph, counted from 1
	owner  *Task
	cell   int
	memory *memory

	onDevice map[*resident]int // ID of the event that made a copy
	onHost   map[*Value]int

	bar   Progress // how far the run has come; nil while nobody has waited long
	tasks int      // of the run
}

type queued struct {
	name  string // what the event is called in the trace; "" keeps the device's name for it
	ev    device.Event
	id    int
	task  int
	after []int
	owner *Task // nil for what brings results to the host

	needed, inUse, reserved, memory int64
}

func newRecorder(began time.Time, m *memory) *recorder {
	return &recorder{began: began, memory: m, onDevice: make(map[*resident]int), onHost: make(map[*Value]int)}
}

func (r *recorder) id() int {
	r.ids++
	return r.ids
}

// add notes an event on d, with the levels of its memory, and returns its ID.
func (r *recorder) add(d device.Device, name string, ev device.Event, after []int) int {
	q := queued{name: name, ev: ev, id: r.id(), task: r.task, after: after, owner: r.owner, needed: r.memory.needed[d]}
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
		if e := q.ev.Wait(context.Background()); e != nil { // what follows on its stream has not run
			if errors.Is(err, e) {
				return &TaskError{q.owner, err}
			}
			break
		}
	}
	return err
}

// measured adds work of the CPU that began at t0 and ends now, and returns its ID.
func (r *recorder) measured(kind trace.Kind, name string, t0 time.Time, after []int) int {
	id := r.id()
	r.log.Add(trace.Event{ID: id, Name: name, Kind: kind, Device: "host", Task: r.task, After: after,
		Start: trace.FromDuration(t0.Sub(r.began)), End: trace.FromDuration(time.Since(r.began))})
	return id
}

// makers returns the events that made copies of the values on d, or on the host for nil.
func (r *recorder) makers(d device.Device, vs []*Value) (ids []int) {
	for _, v := range vs {
		id := r.onHost[v]
		if d != nil {
			id = r.onDevice[v.copies.on[d]]
		}
		if id > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// finish returns the trace. Each device's times are moved so that its first event is at 0: devices count from when they
// were opened, and a modelled clock has nothing to do with the wall clock, so zeros cannot be aligned any better.
func (r *recorder) finish() *trace.Log {
	first := make(map[string]trace.Time)
	events := make([]trace.Event, len(r.queued))
	for i, q := range r.queued {
		e := q.ev.Trace()
		if q.name != "" {
			e.Name = q.name
		}
		e.ID, e.Task, e.After, e.Needed = q.id, q.task, q.after, q.needed
		e.InUse, e.Reserved, e.Memory = q.inUse, q.reserved, q.memory
		if t, ok := first[e.Device]; !ok || e.Start < t {
			first[e.Device] = e.Start
		}
		events[i] = e
	}
	for _, e := range events {
		e.Start -= first[e.Device]
		e.End -= first[e.Device]
		r.log.Add(e)
	}
	r.queued, r.owner, r.onDevice, r.onHost = nil, nil, nil, nil // the log outlives the run, its values need not
	return &r.log
}
