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

// Reserve makes room for n events that are going to be added.
func (l *Log) Reserve(n int) {
	l.mu.Lock()
	l.events = slices.Grow(l.events, n)
	l.mu.Unlock()
}

// Events returns a copy of the events ordered by start, then by device and stream.
func (l *Log) Events() []Event {
	l.mu.Lock()
	out := append([]Event(nil), l.events...)
	l.mu.Unlock()
	slices.SortStableFunc(out, inOrder)
	return out
}

// inOrder compares events as Events orders them.
func inOrder(a, b Event) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Device, b.Device), cmp.Compare(a.Stream, b.Stream))
}

// LastOf returns the last event of a kind in the order of Events, if there is one. It copies no others.
func (l *Log) LastOf(kind Kind) (last Event, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := -1
	for i := range l.events {
		if l.events[i].Kind == kind && (at < 0 || inOrder(l.events[i], l.events[at]) >= 0) {
			at = i
		}
	}
	if at < 0 {
		return Event{}, false
	}
	return l.events[at], true
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
	l.mu.Lock()
	defer l.mu.Unlock()
	at := make([]string, 0, 8) // devices that ran kernels
	for i := range l.events {
		if e := &l.events[i]; e.Kind == Kernel && !slices.Contains(at, e.Device) {
			at = append(at, e.Device)
		}
	}
	if len(at) == 0 {
		at = append(at, "host")
	}
	var start, end Time
	first := true
	for i := range l.events {
		e := &l.events[i]
		if e.Kind == Overhead || !slices.Contains(at, e.Device) {
			continue
		}
		if begin := e.Queued(); first || begin < start {
			start = begin
		}
		if first || e.End > end {
			end = e.End
		}
		first = false
	}
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
