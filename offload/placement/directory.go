package placement

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Field is the storage of one array: what is valid where. Make it with [NewField].
type Field struct {
	Name  string
	shape []int
	bytes int // of an element

	valid   []copies // disjoint, and all of the root together
	changed []copies // memory for the next change
	writers []use    // what has been submitted and not superseded
	readers []use
}

// copies says which memories have valid copies of a box.
type copies struct {
	box partition.Box
	in  Memories
}

// NewField returns the field of an array with elements of so many bytes, which the host alone has.
func NewField(name string, bytes int, shape ...int) *Field {
	return &Field{Name: name, shape: shape, bytes: bytes, valid: []copies{{partition.Whole(shape), MemoriesOf(CPU)}}}
}

// NewFieldIn is NewField of an array that these memories have valid copies of; none, where it is yet to be made.
func NewFieldIn(in Memories, name string, bytes int, shape ...int) *Field {
	f := NewField(name, bytes, shape...)
	f.valid[0].in = in
	return f
}

// Copy returns the field of an array that begins as a copy of f: where f is valid, and written by what has written f.
// Who changes it has an access of mode Begin to f, too.
func (f *Field) Copy() *Field {
	return &Field{Name: f.Name, shape: f.shape, bytes: f.bytes, valid: slices.Clone(f.valid), writers: slices.Clone(f.writers)}
}

// Valid notes that a memory has a valid copy of a box.
func (f *Field) Valid(b partition.Box, m int) {
	f.change(b, func(in Memories) Memories { return in.With(m) })
}

// OnDevices reports whether a device has a valid copy of any of a box.
func (f *Field) OnDevices(b partition.Box) (has bool) {
	f.within(b, func(_ partition.Box, in Memories) bool {
		has = in != Memories{} && in != MemoriesOf(CPU)
		return !has
	})
	return has
}

// WholeOnDevice reports whether a device has a valid copy of all of the field.
func (f *Field) WholeOnDevice() bool {
	var in Memories
	first := true
	f.within(f.Whole(), func(_ partition.Box, some Memories) bool {
		if first {
			in, first = some, false
		} else {
			for w := range in.words {
				in.words[w] &= some.words[w]
			}
		}
		return !in.Empty()
	})
	return in != Memories{} && in != MemoriesOf(CPU)
}

// Whole is all of the field.
func (f *Field) Whole() partition.Box { return partition.Whole(f.shape) }

// Bytes is the size of the field.
func (f *Field) Bytes() int64 { return f.size(f.Whole()) }

func (f *Field) size(b partition.Box) int64 { return int64(b.Len()) * int64(f.bytes) }

// Places yields the boxes of the field that have valid copies in the same memories, with these. Boxes are disjoint,
// and all of the field together.
func (f *Field) Places(yield func(partition.Box, Memories) bool) {
	for _, c := range f.valid {
		if !yield(c.box, c.in) {
			return
		}
	}
}

// within yields the parts of b with the memories that have valid copies of them.
func (f *Field) within(b partition.Box, yield func(partition.Box, Memories) bool) {
	for _, c := range f.valid {
		switch {
		case !c.box.Meets(b):
		case b.Contains(c.box):
			if !yield(c.box, c.in) {
				return
			}
		case !yield(c.box.Meet(b), c.in):
			return
		}
	}
}

// change replaces the memories of what of b the field has by what of says of them. Its time is linear in the boxes of
// the field that differ in their memories.
func (f *Field) change(b partition.Box, of func(Memories) Memories) {
	out := f.valid[:0]
	changed := f.changed[:0]
	for _, c := range f.valid {
		switch in := of(c.in); {
		case !c.box.Meets(b) || in == c.in:
			out = append(out, c)
		case b.Contains(c.box):
			changed = append(changed, copies{c.box, in})
		default:
			for _, rest := range c.box.Without(b) {
				changed = append(changed, copies{rest, c.in})
			}
			changed = append(changed, copies{c.box.Meet(b), in})
		}
	}
next:
	for _, c := range changed {
		for i, o := range out { // boxes that make a larger one are one
			if o.in != c.in {
				continue
			}
			if o.box.HullLen(c.box) == o.box.Len()+c.box.Len() {
				out[i].box = o.box.Hull(c.box)
				continue next
			}
		}
		out = append(out, c)
	}
	f.valid, f.changed = out, changed
}
