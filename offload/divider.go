package offload

import "github.com/arrayrepl/arrayrepl/offload/partition"

// Divider says how the work of a task can be cut, so that what does not fit in a device's memory goes through it step
// by step, and several devices work on one task. It is asked only then.
type Divider interface {
	// Ways is in how many ways the work can be tried to be cut: by the axes of what is computed, and as one line of
	// elements.
	Ways() int
	// Along says how the work is cut in way number i; the error says why it cannot be.
	Along(i int) (*Cut, error)
}

// Cut is how a task's work is cut along one axis of its domain. A part of the domain is worked on by itself: it needs
// those elements of the inputs that the views of its part have, and makes those of the outputs.
type Cut struct {
	Unit   string // what a part has several of: "rows"
	Domain []int  // the shape of the work
	Axis   int
	Align  int // parts begin at multiples of it along Axis; 0 for any
	// Apart is whether parts that begin at multiples of Align can be on different devices.
	Apart bool

	// In and Out are the elements of each of the task's inputs and outputs that the work is about. Of an output that
	// does not change along Axis, Last makes the elements. Without Last there is one part, or each goes on with what
	// the parts before it have left there and in Buffers, and they run one after the other on one device.
	In, Out []Field
	// Needs says of what a part needs all, whatever its size; empty for nothing.
	Needs string
	// Scratch is how many of the task's scratch buffers, the first ones, the parts use; 0 for all of them. Buffers,
	// where it is not nil, are the sizes of what they use in place of those, and Room says what of each of them a part
	// needs, where that is less.
	Scratch int
	Buffers []int
	Room    func(part partition.Box) ([]int, error)
	// Dense is whether launches can have the elements of values only as a part's own, side by side, and Aligned whether
	// these must begin at a multiple of 16 bytes of memory.
	Dense, Aligned bool

	// Launches makes the kernels for a part, which is any box of the domain where Align is 0 and Last nil, and a part
	// along Axis otherwise. at tells where it has the elements of a view.
	Launches func(part partition.Box, at PartView) ([]Launch, error)
	// Before, where it is not nil, makes the kernels for a part that must have run for all parts before Launches runs
	// for any, and Between what runs then. They read inputs, and write scratch buffers alone.
	Before  func(part partition.Box, at PartView) ([]Launch, error)
	Between []Launch
	// Last makes what runs once all parts have run. It reads scratch buffers alone.
	Last []Launch
	// Filled says what of scratch buffers the launches of a part fill that Last reads, or those of Before that
	// Between reads; and Wanted what a part's launches read that Between has made. With them, parts can be on
	// different devices.
	Filled, Wanted func(part partition.Box) []Section
}

// Section is bytes of a scratch buffer of a task.
type Section struct{ Buffer, At, Bytes int }

// meets reports whether the launches of all parts wait for what has come together of them.
func (c *Cut) meets() bool { return c.Before != nil }

// Patcher is a Divider whose task begins as a copy of From[0] and changes what a view of it has. Patch returns the cut
// by which any box of the domain can be done alone.
type Patcher interface{ Patch() *Cut }

// Field is what a task reads or makes of a value.
type Field struct {
	Shape []int            // of the whole value
	Bytes int              // of an element
	Views []partition.View // over the domain; several where it reads the value in several ways
	// Span says which elements, of a line of them, the parts of an output are where the numbers tell and no view
	// does: a part makes those of the rows from lo to hi-1, one for each row at most.
	Span func(lo, hi int) (from, to int)
	// Ranges says which elements of an input, of a line of them, a part reads where the numbers tell and no view does:
	// each range is what a view of that offset and extent has. The part must be known for as long as the task is, and a
	// task that reads so is divided among devices, but does not go through one piece by piece.
	Ranges func(part partition.Box) []partition.View
}

// PartView returns where a part has the elements of a view of v: what stands for v in the part's launches, and the view
// of that.
type PartView func(v *Value, view partition.View) (*Value, partition.View)

// scratch are the sizes of the scratch buffers of t that parts use.
func (c *Cut) scratch(t *Task) []int {
	switch {
	case c.Buffers != nil:
		return c.Buffers
	case c.Scratch > 0:
		return t.Scratch[:c.Scratch]
	}
	return t.Scratch
}

// rows is the extent that is cut.
func (c *Cut) rows() int { return c.Domain[c.Axis] }

// part is the part of c's domain from index lo to hi-1 along the axis that is cut.
func (c *Cut) part(lo, hi int) partition.Box {
	b := partition.Whole(c.Domain)
	b[c.Axis] = partition.Span(lo, hi)
	return b
}
