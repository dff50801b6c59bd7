package offload

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// book is what the planner of one program knows of its values: what will be where.
type book struct {
	rt      *Runtime
	entries map[*Value]*entry
}

// entry is a value's field, over a root of its own.
type entry struct {
	field *placement.Field
	root  []int
	unit  int
	tiles []int // where tiles begin, in bytes, of those that lie side by side
}

// of returns v's entry. What is known first of a value without tiles decides over which root it is.
func (b *book) of(v *Value, root []int, unit int) *entry {
	if e := b.entries[v]; e != nil {
		return e
	}
	c := v.copies
	if len(c.tiles) > 0 {
		root, unit = c.tiles[0].tile.root, c.tiles[0].tile.unit
		if i := slices.IndexFunc(c.tiles, func(r *resident) bool { return !r.tile.line() }); i >= 0 {
			root, unit = c.tiles[i].tile.root, c.tiles[i].tile.unit
		}
	}
	e := &entry{root: root, unit: unit, field: placement.NewFieldIn(b.rt.holders(v), "", unit, root...)}
	for _, r := range c.tiles {
		t := r.tile
		if t.own != nil && c.split && t.line() && t.own.Len() > 0 {
			e.tiles = append(e.tiles, t.own[0].Start*t.unit)
		}
		at := slices.Index(b.rt.among, r.dev)
		if at < 0 {
			at = placement.CPU // by way of the host, from a device that is not in use any more
		}
		for _, box := range t.valid {
			e.field.Valid(e.over(t.root, t.unit, box), at)
		}
	}
	b.entries[v] = e
	return e
}

// whole returns v's entry where all of it is asked for.
func (b *book) whole(v *Value) *placement.Field { return b.of(v, []int{v.size}, 1).field }

// made is whole of a value that is made of nothing: where arrays are whole, it begins on the host, as all do in GrCUDA.
func (b *book) made(v *Value) *placement.Field {
	f := b.whole(v)
	if b.rt.tiling.whole && !v.Done() {
		f.Valid(f.Whole(), placement.CPU)
	}
	return f
}

// reads is what t, which runs whole, does with an input.
func (b *book) reads(t *Task, v *Value) placement.Access {
	s, part := t.Within[v]
	if !part || b.rt.tiling.whole {
		return placement.Reads(b.whole(v))
	}
	return b.read(v, s)
}

// read is the access of who reads a part of v.
func (b *book) read(v *Value, s Stretch) placement.Access {
	root := []int{v.size / s.Unit}
	e := b.of(v, root, s.Unit)
	return placement.Access{Field: e.field, Box: e.over(root, s.Unit, partition.Box{partition.Span(s.Lo, s.Hi)}), Mode: placement.Read}
}

// tilesOf returns where v's tiles begin, as entry.tiles has it. It makes no entry of a value of which nothing is known:
// what works on it says over which root that is.
func (b *book) tilesOf(v *Value) []int {
	if b.entries[v] == nil && len(v.copies.tiles) == 0 {
		return nil
	}
	return b.of(v, []int{v.size}, 1).tiles
}

// over returns the least box over e's root that has all of a box over another.
func (e *entry) over(root []int, unit int, b partition.Box) partition.Box {
	if unit == e.unit && slices.Equal(root, e.root) || b.Len() == 0 {
		return b
	}
	first, last := 0, 0
	for a, r := range b {
		first, last = first*root[a]+r.Start, last*root[a]+r.Last()
	}
	lo, hi := first*unit/e.unit, ((last+1)*unit+e.unit-1)/e.unit
	var out partition.Box
	for _, s := range partition.Stretch(e.root, lo, hi-lo) {
		if out == nil {
			out = s
		} else {
			out = out.Hull(s)
		}
	}
	return out
}

// shared returns what a share of t does with boxes of fields.
func (b *book) shared(t *Task, x *share, inherits func(v *Value) bool) (out []placement.Access) {
	for _, n := range x.in {
		e := b.of(n.v, n.root, n.unit)
		out = append(out, placement.Access{Field: e.field, Box: e.over(n.root, n.unit, n.box), Mode: placement.Read})
	}
	for k, o := range x.out {
		if o.box == nil {
			continue
		}
		mode := placement.Write
		if from := t.from(k); from != nil && !t.Afresh {
			e := b.of(from, o.root, o.unit)
			if inherits(from) {
				b.entries[t.Out[k]] = e
				mode = placement.ReadWrite
			} else {
				out = append(out, placement.Access{Field: e.field, Box: e.over(o.root, o.unit, o.box), Mode: placement.Read})
			}
		}
		e := b.of(t.Out[k], o.root, o.unit)
		out = append(out, placement.Access{Field: e.field, Box: e.over(o.root, o.unit, o.box), Mode: mode})
	}
	return out
}

// begun notes where the tiles begin that t's outputs will have.
func (b *book) begun(t *Task, s *spread) {
	for k, v := range t.Out {
		e := b.entries[v]
		if e == nil || s.cut.Last != nil {
			continue
		}
		e.tiles = nil
		for _, x := range s.shares {
			if o := x.out[k]; len(o.root) == 1 && o.box.Len() > 0 && o.box[0].Step == 1 {
				e.tiles = append(e.tiles, o.box[0].Start*o.unit)
			}
		}
	}
}

// quota says which devices, of those that are able, a part of a task can run on: none gets more of the work than
// others, whatever a policy would have, so that all devices work also on what one has. A function of a program decides
// alone.
type quota struct {
	able  []int
	free  bool  // a function decides
	has   []int // work, by able
	total int
}

// open returns the devices that can have so much work beside what they have: those that come nearer to their part by
// it, or which have least.
func (q *quota) open(work int) (devices []int) {
	if q.free {
		return q.able
	}
	for i, d := range q.able {
		if (2*q.has[i]+work)*len(q.able) < 2*q.total {
			devices = append(devices, d)
		}
	}
	if len(devices) > 0 {
		return devices
	}
	least := slices.Min(q.has)
	for i, d := range q.able {
		if q.has[i] == least {
			devices = append(devices, d)
		}
	}
	return devices
}

// give notes that a device has so much work.
func (q *quota) give(device, work int) { q.has[slices.Index(q.able, device)] += work }

// work is how much of a task x does, in elements.
func (x *share) work() int {
	if x.tile != nil {
		return x.tile.Len()
	}
	return x.part.Len()
}

// divided reports whether devices have tiles of what is read. What one has all of, of which there is a note in whole,
// says nothing of where a part belongs.
func divided(accesses []placement.Access, whole map[*placement.Field]bool) bool {
	return slices.ContainsFunc(accesses, func(a placement.Access) bool {
		return a.Mode != placement.Write && !whole[a.Field] && a.Field.OnDevices(a.Box)
	})
}

// spread plans a task that is divided: where each share runs, and where the last launches do.
func (b *book) spread(planner *placement.Planner, t *Task, s *spread, inherits func(v *Value) bool, w *where) error {
	able := b.rt.sharing(t)
	q := quota{able: able, free: placement.IsFunc(b.rt.placing), has: make([]int, len(able))}
	for i := range s.shares {
		q.total += s.shares[i].work()
	}
	// What has made the smallest of what a part reads does not draw it away from the tile that it works on.
	defer func(usual placement.StreamChoice) { planner.Streams = usual }(planner.Streams)
	planner.Streams = placement.DeviceFirst
	var parts, brought *placement.Field // scratch memory: what comes together, and what goes back
	if s.cut.Filled != nil {
		parts, brought = scratchField(s.cut.scratch(t)), scratchField(s.cut.scratch(t))
	}
	whole := make(map[*placement.Field]bool)
	for i := range s.shares {
		x := &s.shares[i]
		accesses := b.shared(t, x, inherits)
		if s.cut.Before != nil {
			accesses = reading(accesses)
		}
		if parts != nil {
			accesses = append(accesses, s.sections(t, parts, s.cut.Filled(x.part), placement.Write)...)
		}
		for _, a := range accesses {
			if _, known := whole[a.Field]; !known {
				whole[a.Field] = a.Field.WholeOnDevice()
			}
		}
		open := q.open(x.work())
		if home := able[i*len(able)/len(s.shares)]; len(open) > 1 && slices.Contains(open, home) && !divided(accesses, whole) && !placement.IsFunc(b.rt.placing) {
			open = []int{home} // arrays of one shape begin alike, and neighbours beside each other
		}
		v, copies, err := planner.SubmitAmong(open, t.Name, accesses...)
		if err != nil {
			return err
		}
		w.copied(copies)
		q.give(v.Device, x.work())
		x.on = b.rt.among[v.Device]
	}
	if parts == nil {
		b.begun(t, s)
		return nil
	}
	accesses := []placement.Access{placement.Reads(parts)}
	if s.cut.Before != nil {
		accesses = []placement.Access{placement.Writes(brought)}
		for _, x := range s.shares {
			accesses = append(accesses, s.sections(t, parts, s.cut.Filled(x.part), placement.Read)...)
		}
	} else {
		for _, v := range t.Out {
			accesses = append(accesses, placement.Writes(b.whole(v)))
		}
	}
	v, copies, err := planner.SubmitAmong(able, t.Name, accesses...)
	if err != nil {
		return err
	}
	s.last = b.rt.among[v.Device]
	w.copied(copies)
	if s.cut.Before == nil {
		return nil
	}
	for i := range s.shares {
		x := &s.shares[i]
		accesses := append(b.shared(t, x, inherits), s.sections(t, brought, s.cut.Wanted(x.part), placement.Read)...)
		_, copies, err := planner.SubmitAmong([]int{slices.Index(b.rt.among, x.on)}, t.Name, accesses...)
		if err != nil {
			return err
		}
		w.copied(copies)
	}
	b.begun(t, s)
	return nil
}

// scratchField is the field of all scratch buffers of a task, one behind the other.
func scratchField(sizes []int) *placement.Field {
	n := 0
	for _, k := range sizes {
		n += k
	}
	return placement.NewFieldIn(placement.Memories{}, "", 1, n)
}

// sections are accesses to scratch buffers, in the field of all.
func (s *spread) sections(t *Task, f *placement.Field, sections []Section, mode placement.Mode) (out []placement.Access) {
	sizes := s.cut.scratch(t)
	for _, x := range sections {
		at := x.At
		for _, n := range sizes[:x.Buffer] {
			at += n
		}
		out = append(out, placement.Access{Field: f, Box: partition.Box{partition.Span(at, at+x.Bytes)}, Mode: mode})
	}
	return out
}

// reading are those of accesses that read.
func reading(accesses []placement.Access) (out []placement.Access) {
	for _, a := range accesses {
		if a.Mode == placement.Read {
			out = append(out, a)
		}
	}
	return out
}
