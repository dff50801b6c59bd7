package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// recorder collects what one run does and makes its trace.
type recorder struct {
	began  time.Time
	queued []queued
	log    trace.Log
}

type queued struct {
	name string // what the event is called in the trace; "" keeps the device's name for it
	ev   device.Event
}

func (r *recorder) add(name string, ev device.Event) { r.queued = append(r.queued, queued{name, ev}) }

// measured adds work of the CPU that began at t0 and ends now.
func (r *recorder) measured(kind trace.Kind, name string, t0 time.Time) {
	r.log.Add(trace.Event{Name: name, Kind: kind, Device: "host",
		Start: trace.FromDuration(t0.Sub(r.began)), End: trace.FromDuration(time.Since(r.began))})
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
	return &r.log
}
