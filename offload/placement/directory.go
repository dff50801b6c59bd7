package placement

import "github.com/arrayrepl/arrayrepl/offload/partition"

// Field is the storage of one array: what is valid where. Make it with [NewField].
type Field struct {
	Name  string
	shape []int
	bytes int           // of an element
	all   partition.Box // of the root

	valid   partition.Index[Memories] // which have valid copies: boxes are disjoint, and all of the root together
	writers uses                      // what has been submitted and not superseded
	readers uses

	room    partition.Room // of all boxes of these, which no two of them share
	changed []copies       // memory for the next change
	parts   []partition.Box
	rest    []use
	gone    []int // numbers of boxes
	cut     []int
}

// copies says which memories have valid copies of a box.
type copies struct {
	box partition.Box
	in  Memories
}

// use is a box that a vertex reads or writes.
type use struct {
	by  *Vertex
	box partition.Box
}

// uses are who uses which boxes, as long as what comes later may have to wait for it.
type uses = partition.Index[*Vertex]

// NewField returns the field of an array with elements of so many bytes, which the host alone has.
func NewField(name string, bytes int, shape ...int) *Field {
	return NewFieldIn(MemoriesOf(CPU), name, bytes, shape...)
}

// NewFieldIn is NewField of an array that these memories have valid copies of; none, where it is yet to be made.
func NewFieldIn(in Memories, name string, bytes int, shape ...int) *Field {
	f := &Field{Name: name, shape: shape, bytes: bytes, all: partition.Whole(shape)}
	if f.all.Len() > 0 {
		f.valid.Add(partition.Whole(shape), in)
	}
	return f
}

// Copy returns the field of an array that begins as a copy of f: where f is valid, and written by what has written f.
// Who changes it has an access of mode Begin to f, too.
func (f *Field) Copy() *Field {
	c := &Field{Name: f.Name, shape: f.shape, bytes: f.bytes, all: f.all}
	for i := range f.valid.Len() {
		box, in := f.valid.At(i)
		c.valid.Add(c.room.Clone(box), *in)
	}
	for i := range f.writers.Len() {
		box, by := f.writers.At(i)
		c.writers.Add(c.room.Clone(box), *by)
	}
	return c
}

// Valid notes that a memory has a valid copy of a box.
func (f *Field) Valid(b partition.Box, m int) { f.change(b, m, false) }

// OnDevices reports whether a device has a valid copy of any of a box.
func (f *Field) OnDevices(b partition.Box) (has bool) {
	f.within(b, func(_ partition.Box, in Memories, _ int) bool {
		has = in != Memories{} && in != MemoriesOf(CPU)
		return !has
	})
	return has
}

// WholeOnDevice reports whether a device has a valid copy of all of the field.
func (f *Field) WholeOnDevice() bool {
	var in Memories
	for i := range f.valid.Len() {
		if _, here := f.valid.At(i); i == 0 {
			in = *here
		} else {
			in = in.And(*here)
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
	for i := range f.valid.Len() {
		if box, in := f.valid.At(i); !yield(box, *in) {
			return
		}
	}
}

// within yields each box of f.valid that has elements of b, the memories that have them, and how many they are.
func (f *Field) within(b partition.Box, yield func(box partition.Box, in Memories, elements int) bool) {
	for _, i := range f.valid.Meeting(b) {
		if box, in := f.valid.At(i); !yield(box, *in, box.MeetLen(b)) {
			return
		}
	}
}

// change notes that a memory has a valid copy of what of b the field has, or that it alone has. It looks at the boxes
// that meet b, and at those beside them.
func (f *Field) change(b partition.Box, m int, alone bool) {
	only := MemoriesOf(m)
	gone, cut, changed := f.gone[:0], f.cut[:0], f.changed[:0]
	for _, i := range f.valid.Meeting(b) {
		box, had := f.valid.At(i)
		in := only
		if !alone {
			in = had.With(m)
		}
		switch {
		case in == *had:
		case b.Contains(box):
			gone, changed = append(gone, i), append(changed, copies{box, in})
		default:
			cut = append(cut, i)
			changed = append(changed, copies{f.room.Meet(box, b), in})
			f.parts = f.room.Without(f.parts[:0], box, b)
			for _, rest := range f.parts[1:] {
				changed = append(changed, copies{rest, *had})
			}
			copy(box, f.parts[0]) // where it is
			f.room.Back(f.parts[0])
		}
	}
	f.gone, f.cut, f.changed = gone, cut, changed
	f.valid.Changed(cut...)
	f.valid.Remove(gone)
	for _, c := range changed {
		f.put(c)
	}
}

// put adds c to f.valid. Boxes that make a larger one are one.
func (f *Field) put(c copies) {
	n, at := c.box.Len(), -1
	f.valid.Beside(c.box, func(i int) bool {
		if o, in := f.valid.At(i); *in == c.in && o.HullLen(c.box) == o.Len()+n {
			at = i
		}
		return at < 0
	})
	if at < 0 {
		f.valid.Add(c.box, c.in)
		return
	}
	o, _ := f.valid.At(at)
	o.Widen(c.box)
	f.valid.Changed(at)
	f.room.Back(c.box)
}
