package offload

import (
	"iter"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// tile is what a copy on a device has of a value: the elements of a box, packed.
type tile struct {
	root []int         // over which box is: all elements as one axis where those of the box lie side by side
	box  partition.Box // what there is room for
	unit int           // bytes of an element
	own  partition.Box // of those tiles that together are the value: no other of them has that; nil of the others

	valid  []partition.Box // what of the box is there, disjoint
	before []partition.Box // and was when the run filled began
	filled int64
}

// newTile returns a tile with nothing in it. Where the box's elements lie side by side, its root is one axis.
func newTile(root []int, box partition.Box, unit int) *tile {
	root, box = asLine(root, box)
	return &tile{root: root, box: box, unit: unit}
}

// asLine is box over a root of one axis, where its elements lie side by side.
func asLine(root []int, box partition.Box) ([]int, partition.Box) {
	if len(root) == 1 && (len(box) == 0 || box[0].Step == 1) {
		return root, box
	}
	if box.Len() == 0 {
		return []int{elements(root)}, partition.Box{{}}
	}
	if at, together := box.Run(root); together {
		return []int{elements(root)}, partition.Box{partition.Span(at, at+box.Len())}
	}
	return root, box
}

func elements(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

func (t *tile) line() bool { return len(t.root) == 1 && t.box[0].Step == 1 }

// bytes is how much memory the tile needs.
func (t *tile) bytes() int { return t.box.Len() * t.unit }

// over returns boxes over t's root, or a part of it that lies side by side, as boxes over another root; false where
// they are not boxes there.
func over(boxes []partition.Box, from, to []int) ([]partition.Box, bool) {
	if slices.Equal(from, to) {
		return boxes, true
	}
	var out []partition.Box
	for _, b := range boxes {
		at, together := b.Run(from)
		if !together {
			return nil, false
		}
		out = append(out, partition.Stretch(to, at, b.Len())...)
	}
	return out, true
}

// without is what of boxes is in none of others.
func without(boxes, others []partition.Box) []partition.Box {
	for _, o := range others {
		var rest []partition.Box
		for _, b := range boxes {
			rest = append(rest, b.Without(o)...)
		}
		boxes = rest
	}
	return boxes
}

// add notes that b is there, which was not, in that run.
func (t *tile) add(b partition.Box, run int64) {
	if t.filled != run {
		t.before, t.filled = slices.Clone(t.valid), run
	}
	for i, v := range t.valid {
		if hull := v.Hull(b); hull.Len() == v.Len()+b.Len() {
			t.valid[i] = hull
			return
		}
	}
	t.valid = append(t.valid, b)
}

// need is a part of a value that a launch reads by some views.
type need struct {
	v     *Value
	as    *Value // what stands for v in the launch
	views []partition.View
	part  partition.Box // of what views are of: that of the work, or all of a range
	root  []int
	box   partition.Box
	unit  int
	dense bool // the launch can have it only packed
	start int  // and from a multiple of so many bytes on
}

// needs returns what a part of the work reads of a value: what its views have in common is there once. A field without
// views is read by the CPU alone.
func needs(v *Value, f Field, part partition.Box, c *Cut) (out []*need) {
views:
	for view, part := range f.read(part) {
		n := needOf(v, f, view, part)
		if n.dense, n.start = c.Dense, 1; c.Aligned {
			n.start = vectorBytes
		}
		for _, o := range out {
			if n.dense || f.Ranges != nil || !slices.Equal(o.root, n.root) {
				continue
			}
			if hull := o.box.Hull(n.box); hull.Len() <= o.box.Len()+n.box.Len() {
				o.box, o.views = hull, append(o.views, view)
				continue views
			}
		}
		out = append(out, n)
	}
	for _, n := range out[min(1, len(out)):] {
		n.as = &Value{size: v.size, copies: &copies{}}
	}
	for _, n := range out {
		n.root, n.box = asLine(n.root, n.box)
	}
	return out
}

// read yields the views by which a part of the work reads a value, each with the part of it.
func (f Field) read(part partition.Box) iter.Seq2[partition.View, partition.Box] {
	return func(yield func(partition.View, partition.Box) bool) {
		for _, view := range f.Views {
			if !yield(view, part) {
				return
			}
		}
		if f.Ranges == nil {
			return
		}
		for _, r := range f.Ranges(part) {
			if !yield(r, partition.Whole(r.Shape)) {
				return
			}
		}
	}
}

// vectorBytes is what kernels load at once at most.
const vectorBytes = 16

// needOf is the least box of a root that has what a view of a part of the work has.
func needOf(v *Value, f Field, view partition.View, part partition.Box) *need {
	n := &need{v: v, as: v, views: []partition.View{view}, part: part, unit: f.Bytes}
	all := v.size / f.Bytes
	for _, root := range [][]int{f.Shape, view.Root(all), {all}} {
		if root == nil {
			continue
		}
		m, ok := view.Over(root)
		if !ok {
			continue
		}
		if box, _ := m.Image(part); n.root == nil || box.Len() < n.box.Len() {
			n.root, n.box = root, box
		}
	}
	return n
}

// sees returns the view, of a part of the work, of what the tile has packed; false where there is no room for that.
func (t *tile) sees(view partition.View, part partition.Box) (partition.View, bool) {
	m, ok := view.Over(t.root)
	if !ok {
		return partition.View{}, false
	}
	if box, _ := m.Image(part); !t.box.Contains(box) {
		return partition.View{}, false
	}
	return m.In(t.box, part), true
}

// serves reports whether a launch can have n of r.
func (n *need) serves(r *resident) bool {
	for _, view := range n.views {
		got := view.Part(n.part)
		if r.tile != nil {
			var ok bool
			if got, ok = r.tile.sees(view, n.part); !ok || r.tile.unit != n.unit {
				return false
			}
		}
		if n.dense && (!sameSteps(got, n.packed(view)) || got.Offset*n.unit%n.start != 0) {
			return false
		}
	}
	return true
}

// sameSteps reports whether two views of one shape go from element to element by the same steps.
func sameSteps(v, w partition.View) bool {
	for a, n := range v.Shape {
		if n > 1 && v.Strides[a] != w.Strides[a] {
			return false
		}
	}
	return true
}

// packed is a view of n's part in the packed elements of its box.
func (n *need) packed(view partition.View) partition.View {
	m, _ := view.Over(n.root)
	return m.In(n.box, n.part)
}

// at returns the view, of a part of the work, of what r has.
func (r *resident) at(view partition.View, part partition.Box) partition.View {
	if r.tile == nil {
		return view.Part(part)
	}
	got, ok := r.tile.sees(view, part)
	if !ok {
		panic("offload: a launch is given a tile that does not have what it works on")
	}
	return got
}

// missing is what of n r, which serves it, does not have, over the root that r's tile has. The least box of n over
// another root may have elements that no view of it asks for, and for which the tile has no room.
func (n *need) missing(r *resident) []partition.Box {
	if r.tile == nil {
		return nil
	}
	boxes, ok := over([]partition.Box{n.box}, n.root, r.tile.root)
	if !ok { // what the tile has is more, then, and all of it may be needed
		boxes = []partition.Box{r.tile.box}
	}
	return without(meet(boxes, []partition.Box{r.tile.box}), r.tile.valid)
}

// lose takes r out of the copies of its value.
func (c *copies) lose(r *resident) {
	if r.tile == nil {
		if c.on.of(r.dev) == r {
			c.on.drop(r.dev)
		}
		return
	}
	c.tiles = slices.DeleteFunc(c.tiles, func(other *resident) bool { return other == r })
	if r.tile.own != nil {
		c.split = false
	}
}

// each yields all copies.
func (c *copies) each(yield func(*resident) bool) {
	for _, r := range c.on {
		if !yield(r) {
			return
		}
	}
	for _, r := range slices.Clone(c.tiles) {
		if !yield(r) {
			return
		}
	}
}

// only reports whether v has elements in r alone.
func (v *Value) only(r *resident) bool {
	switch c := v.copies; {
	case v.stays():
		return false
	case r.tile == nil:
		return len(c.on) == 1 && !c.split
	default:
		return r.tile.own != nil && c.split && len(c.on) == 0
	}
}

// safe reports whether v is somewhere without what the run has copied.
func (v *Value) safe(run int64) bool {
	if v.stays() {
		return true
	}
	for _, r := range v.copies.on {
		if r.since < run {
			return true
		}
	}
	if !v.copies.split {
		return false
	}
	for _, r := range v.copies.tiles {
		if r.tile.own != nil && r.since == run {
			return false
		}
	}
	return true
}
