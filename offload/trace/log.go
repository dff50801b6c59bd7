package trace

import (
	"cmp"
	"slices"
	"sync"
)

// Log is the record of one evaluation. Its methods may be called from several goroutines. The zero Log is ready.
type Log struct {
	mu     sync.Mutex
	events []Event
	graph  *Graph

	modelled *Log // what Modelled returned when there were this many events
	copied   int
}

// Add appends e.
func (l *Log) Add(e Event) {
	l.mu.Lock()
	l.events = append(l.events, e)
	l.mu.Unlock()
}

// Events returns a copy of the events ordered by start, then by device and stream.
func (l *Log) Events() []Event {
	l.mu.Lock()
	out := append([]Event(nil), l.events...)
	l.mu.Unlock()
	slices.SortStableFunc(out, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Device, b.Device), cmp.Compare(a.Stream, b.Stream))
	})
	return out
}

// Modelled returns a log of the events whose times are modelled, with the same graph: what is the same in each run. It
// is the same log each time, as long as nothing is added.
func (l *Log) Modelled() *Log {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.modelled == nil || l.copied != len(l.events) || l.modelled.graph != l.graph {
		l.modelled, l.copied = &Log{graph: l.graph}, len(l.events)
		for _, e := range l.events {
			if e.Modelled {
				l.modelled.events = append(l.modelled.events, e)
			}
		}
	}
	return l.modelled
}

// Kernels returns the kernel events that carry statistics, in order.
func (l *Log) Kernels() []Event {
	var out []Event
	for _, e := range l.Events() {
		if e.Kind == Kernel && e.Stats != nil {
			out = append(out, e)
		}
	}
	return out
}

// Span returns when the first of the events was queued and when the last ended, 0 and 0 of none.
func (l *Log) Span() (start, end Time) { return Span(l.Events()) }

// Span returns when the first of events was queued and when the last ended, 0 and 0 of none. It is what a device, or
// the CPU, is said to have taken everywhere: launches belong to it.
func Span(events []Event) (start, end Time) {
	for i := range events {
		e := &events[i]
		if i == 0 {
			start, end = e.Queued(), e.End
		}
		start, end = min(start, e.Queued()), max(end, e.End)
	}
	return start, end
}

// Took returns how long the devices that ran the evaluation's kernels were at it: from the first thing that one of
// them was given, copies too, to the end of the last. Without kernels it is the CPU's time. What the runtime did
// itself (planning, compiling) is not counted.
func (l *Log) Took() Time {
	events := l.Events()
	at := map[string]bool{}
	for _, e := range events {
		if e.Kind == Kernel {
			at[e.Device] = true
		}
	}
	if len(at) == 0 {
		at["host"] = true
	}
	start, end := Span(slices.DeleteFunc(events, func(e Event) bool { return !at[e.Device] || e.Kind == Overhead }))
	return end - start
}

var last struct {
	sync.Mutex
	log *Log
}

// SetLast makes l what Last returns.
func SetLast(l *Log) {
	last.Lock()
	last.log = l
	last.Unlock()
}

// Last returns the log of the newest evaluation that did any work, or nil when nothing has been evaluated.
func Last() *Log {
	last.Lock()
	defer last.Unlock()
	return last.log
}
