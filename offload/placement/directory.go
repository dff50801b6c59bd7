package placement

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Field is the storage of one array: what is valid where. Make it with [NewField].
type Field struct {
	Name  string
	shape []int
	bytes int           // of an element
	all   partition.Box // of the root

	valid   []copies // disjoint, and all of the root together
	writers []use    // what has been submitted and not superseded
	readers []use

	room    partition.Room // of all boxes of these, which no two of them share
	changed []copies       // memory for the next change
	parts   []partition.Box
	cut     []use
}

// copies says which memories have valid copies of a box.
type copies struct {
	box partition.Box
	in  Memories
}

// NewField returns the field of an array with elements of so many bytes, which the host alone has.
func NewField(name string, bytes int, shape ...int) *Field {
	return NewFieldIn(MemoriesOf(CPU), name, bytes, shape...)
}

// NewFieldIn is NewField of an array that these memories have valid copies of; none, where it is yet to be made.
func NewFieldIn(in Memories, name string, bytes int, shape ...int) *Field {
	valid := []copies{{partition.Whole(shape), in}}
	return &Field{Name: name, shape: shape, bytes: bytes, all: partition.Whole(shape), valid: valid}
}

// Copy returns the field of an array that begins as a copy of f: where f is valid, and written by what has written f.
// Who changes it has an access of mode Begin to f, too.
func (f *Field) Copy() *Field {
	c := &Field{Name: f.Name, shape: f.shape, bytes: f.bytes, all: f.all}
	c.valid, c.writers = slices.Clone(f.valid), slices.Clone(f.writers)
	for i := range c.valid {
		c.valid[i].box = c.room.Clone(c.valid[i].box)
	}
	for i := range c.writers {
		c.writers[i].box = c.room.Clone(c.writers[i].box)
	}
	return c
}

// Valid notes that a memory has a valid copy of a box.
func (f *Field) Valid(b partition.Box, m int) { f.change(b, m, false) }

// OnDevices reports whether a device has a valid copy of any of a box.
func (f *Field) OnDevices(b partition.Box) (has bool) {
	f.within(b, func(_ *copies, in Memories, _ int) bool {
		has = in != Memories{} && in != MemoriesOf(CPU)
		return !has
	})
	return has
}

// WholeOnDevice reports whether a device has a valid copy of all of the field.
func (f *Field) WholeOnDevice() bool {
	var in Memories
	for i, c := range f.valid {
		if i == 0 {
			in = c.in
		} else {
			in = in.And(c.in)
		}
	}
	return in != Memories{} && in != MemoriesOf(CPU)
}

// Whole is all of the field.
func (f *Field) Whole() partition.Box { return partition.Whole(f.shape) }

// Bytes is the size of the field.
func (f *Field) Bytes() int64 { return f.size(f.all) }

func (f *Field) size(b partition.Box) int64 { return int64(b.Len()) * int64(f.bytes) }

// Places yields the boxes of the field that have valid copies in the same memories, with these. Boxes are disjoint,
// and all of the field together. They are as they are until the field changes.
func (f *Field) Places(yield func(partition.Box, Memories) bool) {
	for _, c := range f.valid {
		if !yield(c.box, c.in) {
			return
		}
	}
}

// within yields each of f.valid that has elements of b, the memories that have them, and how many they are.
func (f *Field) within(b partition.Box, yield func(c *copies, in Memories, elements int) bool) {
	for i := range f.valid {
		c := &f.valid[i]
		if n := c.box.MeetLen(b); n > 0 && !yield(c, c.in, n) {
			return
		}
	}
}

// change notes that a memory has a valid copy of what of b the field has, or that it alone has. Its time is linear in
// the boxes of the field that differ in their memories.
func (f *Field) change(b partition.Box, m int, alone bool) {
	out, changed := f.valid[:0], f.changed[:0]
	only := MemoriesOf(m)
	for _, c := range f.valid {
		in := only
		if !alone {
			in = c.in.With(m)
		}
		if in == c.in || !c.box.Meets(b) {
			out = append(out, c)
			continue
		}
		if !b.Contains(c.box) {
			f.parts = f.room.Without(f.parts[:0], c.box, b)
			for _, rest := range f.parts {
				changed = append(changed, copies{rest, c.in})
			}
			for a, r := range c.box {
				c.box[a] = r.Meet(b[a])
			}
		}
		changed = append(changed, copies{c.box, in})
	}
next:
	for _, c := range changed {
		n := c.box.Len()
		for _, o := range out { // boxes that make a larger one are one
			if o.in == c.in && o.box.HullLen(c.box) == o.box.Len()+n {
				o.box.Widen(c.box)
				f.room.Back(c.box)
				continue next
			}
		}
		out = append(out, c)
	}
	clear(f.valid[min(len(out), len(f.valid)):])
	f.valid, f.changed = out, changed
}
