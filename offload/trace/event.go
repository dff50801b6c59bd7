package trace

import (
	"fmt"
	"time"
)

// Time is a moment or a duration in picoseconds, from the start of the evaluation. Integer, so that a simulated run
// gives the same figures on every machine.
type Time int64

// Units of Time.
const (
	Nanosecond  Time = 1000
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// FromDuration returns d as a Time.
func FromDuration(d time.Duration) Time { return Time(d) * Nanosecond }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Duration returns t as a time.Duration, without what is less than a nanosecond.
func (t Time) Duration() time.Duration { return time.Duration(t / Nanosecond) }

// String returns t with three digits and a unit: "12.3 µs".
func (t Time) String() string {
	for _, u := range []struct {
		size Time
		name string
	}{{Second, "s"}, {Millisecond, "ms"}, {Microsecond, "µs"}, {Nanosecond, "ns"}} {
		if t >= u.size || t <= -u.size {
			return fmt.Sprintf("%.3g %s", float64(t)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d ps", int64(t))
}

// Kind is what an event is.
type Kind uint8

// The kinds of events.
const (
	Alloc    Kind = iota // device memory made or found in the pool
	CopyIn               // host to device
	CopyOut              // device to host
	CopyPeer             // device to device
	Kernel               // a kernel's run
	Host                 // work of the CPU on values
	Overhead             // the runtime's own work: planning, fusing, compiling
	numKinds
)

var kindNames = [numKinds]string{"alloc", "copy in", "copy out", "peer copy", "kernel", "host", "overhead"}

// String returns the kind's name as charts show it.
func (k Kind) String() string { return kindNames[k] }

// Event is one thing that happened on one stream of one device.
type Event struct {
	ID         int // unique in the log; 0 where nobody refers to it
	Name       string
	Kind       Kind
	Device     string // "sim:v100#0", "cuda:0", "host"
	Stream     int    // in the device
	Start, End Time
	Launch     Time // just before Start, that giving it to the device took; 0 where that is not known
	Zero       Time // of the device's own clock, at which the log's 0 is
	Modelled   bool // a simulated device's time; false for a measured one
	Bytes      int64
	Peer       string       // of a CopyPeer: the device that the bytes come from
	To         string       // of a CopyPeer: the device that they go to, where that is not Device
	Stats      *KernelStats // for kernels of devices that know them

	// The device's memory in use when the event was queued, and all of it; Memory is 0 where that is not known.
	InUse, Memory int64
	Reserved      int64 // what the device's pool has set aside, InUse included; 0 where that is not known
	// Of InUse, what the rest of the evaluation still reads or makes; the rest are values kept for later ones, which
	// are moved out when room is short.
	Needed int64

	Calls []Call // of a kernel that a runtime of streams has called: how it was set up, in order

	After []int // the events, by ID, that made what this one reads
	Piece Piece // that it is for, of arrays that are cut as they do not fit in the device's memory
	Task  int   // the task of the log's Graph that it belongs to, counted from 1; 0 for none
}

// Call is one call of the runtime that sets a kernel up, before the one that runs it: "push stream" of "x.X".
type Call struct {
	Name  string
	Of    string // the parameter that it is about; empty for none
	Bytes int64  // of the stream that is handed over; nothing is copied yet
}

// String is the call with what it is about: "push stream x".
func (c Call) String() string {
	if c.Of == "" {
		return c.Name
	}
	return c.Name + " " + c.Of
}

// Piece is a part of the arrays of an evaluation that does not fit in a device's memory: it is brought in, goes
// through all kernels, and is taken out again. The zero value is no piece.
type Piece struct {
	Pass     int // of all pieces through the device, counted from 1: some evaluations take them through more than once
	Number   int // in its pass, from 1
	From, To int // its rows: From and those after it, before To
}

// Queued returns when giving e to its device began: Start, less what the launch took.
func (e *Event) Queued() Time { return e.Start - e.Launch }

// Duration returns End - Start.
func (e *Event) Duration() Time { return e.End - e.Start }
