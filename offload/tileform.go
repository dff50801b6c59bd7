package offload

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// TileForm is how arrays are cut into tiles for several devices.
type TileForm uint8

// The forms.
const (
	// Slabs cuts the first axis, and the next where that is shorter than there are tiles: elements of a tile lie side
	// by side, and reductions and products of it read no other.
	Slabs TileForm = iota
	// Balanced makes the extents of a tile as equal as can be, as Legate NumPy does: stencils copy least between
	// devices.
	Balanced
)

// tiling is how large tiles are made.
type tiling struct {
	least int64 // bytes of a tile; 0 for what fills the device
	most  int   // tiles of an array; 0 for the number of devices
	form  TileForm
	whole bool // arrays are not divided, and copied whole
}

// mostTiles bounds the tiles of an array.
const mostTiles = 4096

// setTiles changes how large tiles are made.
func (rt *Runtime) setTiles(change func(*tiling)) {
	rt.take()
	defer rt.release()
	change(&rt.tiling)
}

// leastTile is how many bytes a tile has at least: 1 kB for each warp of half of those that d has room for, as in
// Legate NumPy.
func leastTile(d device.Device) int64 {
	p := d.Properties()
	return int64(max(p.SMs, 1)) * int64(max(p.MaxThreadsPerSM/max(p.WarpSize, 1)/2, 1)) << 10
}

// tilesOf is how many tiles an array of so many bytes has on devices, by their numbers, and how many bytes one has at
// least.
func (rt *Runtime) tilesOf(bytes int64, on []int) (n int, least int64) {
	least, n = rt.tiling.least, rt.tiling.most
	if least == 0 {
		for _, i := range on {
			least = max(least, leastTile(rt.among[i]))
		}
	}
	if n == 0 {
		n = len(on)
	}
	return int(min(int64(n), bytes/least)), least
}

// TilesOf is into how many tiles an array of so many bytes would be divided among the devices in use now; 1 where it
// would not be.
func (rt *Runtime) TilesOf(bytes int) int {
	rt.take()
	defer rt.release()
	if rt.tiling.whole || len(rt.using) < 2 {
		return 1
	}
	on := make([]int, len(rt.among))
	for i := range on {
		on[i] = i
	}
	n, _ := rt.tilesOf(int64(bytes), on)
	return max(n, 1)
}

// Whole reports whether arrays are not divided among devices, but copied whole.
func (rt *Runtime) Whole() bool {
	rt.take()
	defer rt.release()
	return rt.tiling.whole
}

// spread is how the work of a task is divided among devices: by tiles of its largest array.
type spread struct {
	cut    *Cut
	counts []int // tiles along each axis
	shape  []int // of the work, or of the array of which something is changed
	shares []share
	last   device.Device // runs cut.Last, and has what that makes
}

// share is a colour: a part of the work.
type share struct {
	part partition.Box // of the domain; nil where nothing changes of a tile
	tile partition.Box // of the array of which something is changed; nil in other tasks
	on   device.Device
	in   []*need
	out  []outTile
}

// outTile is the part of an output that a share makes.
type outTile struct {
	root []int
	box  partition.Box // nil where no share makes the output alone
	room partition.Box // box and what later launches will read beside it
	unit int
}

// divide says how t is divided among the devices in use; nil, and why, where it runs whole on one of them. tiles
// returns where the tiles begin that a value has, in bytes.
func (rt *Runtime) divide(t *Task, tiles func(v *Value) []int) (*spread, string) {
	switch {
	case rt.tiling.whole:
		return nil, "arrays are whole (offload.WholeArrays)"
	case t.Parts == nil:
		return nil, "any part of it may need all of what it reads"
	case t.On != nil:
		return nil, "it was asked for on one device"
	case t.streams():
		return nil, "a file that it reads or writes goes through one device, piece by piece"
	}
	var key *Value
	bytes, on := t.most(), rt.sharing(t)
	n, least := rt.tilesOf(bytes, on)
	if n >= 2 { // it reads as much, perhaps
		var err error
		if key, bytes, err = t.largest(); err != nil {
			return nil, err.Error()
		}
		n, _ = rt.tilesOf(bytes, on)
		// What is in tiles is left in as many: to work on fewer would move them.
		if key != nil && bytes > int64(key.size)/2 {
			n = max(n, len(tiles(key)))
			if most := rt.tiling.most; most > 0 {
				n = min(n, most)
			}
		}
	}
	if n < 2 {
		return nil, fmt.Sprintf("what it works on, %s at most, is not two tiles of %s or more (offload.MinTile)", device.Bytes(bytes), device.Bytes(least))
	}
	var s *spread
	var why string
	if p, ok := t.Parts.(Patcher); ok {
		s, why = rt.dividePatch(t, p.Patch(), n)
	} else if s, why = rt.divideAxes(t, n); s == nil || len(s.shares) < n {
		if other := rt.divideLine(t, n, key, tiles); other != nil && (s == nil || other.cut.Before != nil && len(other.shares) > len(s.shares)) {
			s = other
		}
	}
	if s == nil {
		return nil, why
	}
	if len(s.shares) < 2 {
		return nil, "there is nothing to divide"
	}
	return s, s.complete(t)
}

// most is the bytes of the largest value that t reads or makes, of which it may read a part.
func (t *Task) most() (bytes int64) {
	for _, vs := range [][]*Value{t.In, t.Out} {
		for _, v := range vs {
			bytes = max(bytes, int64(v.size))
		}
	}
	return bytes
}

// largest returns the input or output of which t reads or makes most, and the bytes of that. The error says why t
// cannot be cut, where it cannot.
func (t *Task) largest() (key *Value, bytes int64, err error) {
	var c *Cut
	if p, ok := t.Parts.(Patcher); ok {
		c = p.Patch()
	}
	for i := 0; c == nil && i < t.Parts.Ways(); i++ {
		var why error
		if c, why = t.Parts.Along(i); err == nil {
			err = why
		}
	}
	if c == nil {
		return nil, 0, err
	}
	for _, v := range t.Out {
		if int64(v.size) > bytes {
			key, bytes = v, int64(v.size)
		}
	}
	whole := partition.Whole(c.Domain)
	for k, v := range t.In {
		if int64(v.size) <= bytes {
			continue
		}
		read := int64(0) // in ranges, together
		for view, part := range c.In[k].read(whole) {
			n := needOf(v, c.In[k], view, part)
			size := int64(n.box.Len() * n.unit)
			if read += size; c.In[k].Ranges != nil {
				size = read
			}
			if size > bytes {
				key, bytes = v, size
			}
		}
	}
	return key, bytes, nil
}

// counts says how many tiles each axis of a shape is cut into, of those that can be.
func (rt *Runtime) counts(shape []int, able func(axis int) bool, n int) []int {
	masked := slices.Clone(shape)
	for a := range masked {
		if !able(a) {
			masked[a] = 1
		}
	}
	if rt.tiling.form == Balanced {
		return partition.Balanced(masked, n)
	}
	return partition.Slabs(masked, n)
}

// blocks cuts the whole of a shape.
func blocks(shape, counts []int) []partition.Box {
	tile := partition.Tile(shape, counts)
	p := partition.Blocks(shape, tile)
	out := make([]partition.Box, p.Len())
	for i := range out {
		out[i] = p.Box(p.Colour(i))
	}
	return out
}

// divideAxes divides t along the axes that any box of can be done alone.
func (rt *Runtime) divideAxes(t *Task, n int) (*spread, string) {
	var cut *Cut
	able := map[int]bool{}
	why := ""
	for i := range t.Parts.Ways() {
		c, err := t.Parts.Along(i)
		switch {
		case err != nil:
			if why == "" {
				why = err.Error()
			}
		case c.Align > 1 || c.Last != nil || c.Before != nil:
		case cut == nil:
			cut = c
			able[c.Axis] = true
		case slices.Equal(c.Domain, cut.Domain):
			able[c.Axis] = true
		}
	}
	if cut == nil {
		return nil, why
	}
	s := &spread{cut: cut, shape: cut.Domain, counts: rt.counts(cut.Domain, func(a int) bool { return able[a] }, n)}
	if s.counts == nil {
		return nil, "what can be cut of it is too short for two tiles"
	}
	for _, b := range blocks(cut.Domain, s.counts) {
		s.shares = append(s.shares, share{part: b})
	}
	return s, ""
}

// divideLine divides what is reduced in blocks whose results are combined in the end, and what is scanned in blocks
// whose totals come together in between, at ends of blocks. Where an input has tiles, what lies in one of them whole is
// a part of a reduction, and so is the block over the end of one; a scan, of which a part is a tile of the result, is
// cut at the end of a block that is nearest.
func (rt *Runtime) divideLine(t *Task, n int, key *Value, tiles func(v *Value) []int) *spread {
	for i := range t.Parts.Ways() {
		c, err := t.Parts.Along(i)
		if err != nil || !c.Apart && (c.Filled == nil || c.Last == nil && c.Before == nil || c.Last != nil && len(t.Scratch) != 1) {
			continue
		}
		align, rows := max(c.Align, 1), c.rows()
		var ends []int
		if k := c.following(t, key, tiles); k >= 0 {
			f := c.In[k]
			step := f.Views[0].Strides[c.Axis]
			for _, at := range tiles(t.In[k]) {
				at = (at/f.Bytes - f.Views[0].Offset) / step
				if c.Before != nil || c.Apart {
					ends = append(ends, (at+align/2)/align*align)
				} else {
					ends = append(ends, at/align*align, (at+align-1)/align*align)
				}
			}
		}
		if ends == nil {
			step := ((rows+n-1)/n + align - 1) / align * align
			for at := step; at < rows; at += step {
				ends = append(ends, at)
			}
		}
		ends = append(ends, 0, rows)
		slices.Sort(ends)
		s := &spread{cut: c, shape: c.Domain}
		for k, at := range ends[1:] {
			if before := max(ends[k], 0); at > before && before < rows {
				s.shares = append(s.shares, share{part: c.part(before, min(at, rows))})
			}
		}
		if len(s.shares) < 2 {
			continue
		}
		s.counts = slices.Repeat([]int{1}, len(c.Domain))
		s.counts[c.Axis] = len(s.shares)
		return s
	}
	return nil
}

// following returns the number of the input whose tiles parts along c's axis can be: the key, or the first that has
// tiles. It is -1 where there is none, or other axes go further than that one.
func (c *Cut) following(t *Task, key *Value, tiles func(v *Value) []int) int {
	fits := func(k int) bool {
		if len(c.In[k].Views) == 0 {
			return false
		}
		v := c.In[k].Views[0]
		step := v.Strides[c.Axis]
		for a, s := range v.Strides {
			if a != c.Axis && v.Shape[a] > 1 && s > step {
				return false
			}
		}
		return step > 0
	}
	if k := slices.Index(t.In, key); k >= 0 && fits(k) {
		return k
	}
	if c.Before == nil {
		return -1
	}
	return slices.IndexFunc(t.In, func(v *Value) bool { return fits(slices.Index(t.In, v)) && len(tiles(v)) > 1 })
}

// dividePatch divides an array of which something is changed.
func (rt *Runtime) dividePatch(t *Task, c *Cut, n int) (*spread, string) {
	f := c.Out[0]
	to, ok := f.Views[0].Over(f.Shape)
	if !ok {
		return nil, "what is assigned to is not a box of the array"
	}
	s := &spread{cut: c, shape: f.Shape, counts: rt.counts(f.Shape, func(int) bool { return true }, n)}
	if s.counts == nil {
		return nil, "the array is too short for two tiles"
	}
	for _, b := range blocks(f.Shape, s.counts) {
		part, ok := to.Before(b, c.Domain)
		if !ok {
			return nil, "what is assigned to is not a box of the array"
		}
		root, box := asLine(f.Shape, b)
		s.shares = append(s.shares, share{part: part, tile: b, out: []outTile{{root: root, box: box, unit: f.Bytes}}})
	}
	return s, ""
}

// complete notes what each share reads and makes, and says why that is not possible.
func (s *spread) complete(t *Task) string {
	c := s.cut
	if span := c.Out[0].Span; span != nil { // who makes nothing has nothing to do
		s.shares = slices.DeleteFunc(s.shares, func(x share) bool {
			from, to := span(x.part[c.Axis].Start, x.part[c.Axis].Stop)
			return from == to
		})
		if len(s.shares) < 2 {
			return "one part of it makes all"
		}
	}
	for i := range s.shares {
		x := &s.shares[i]
		if x.part != nil {
			for k, v := range t.In {
				x.in = append(x.in, needs(v, c.In[k], x.part, c)...)
			}
		}
		if x.out == nil {
			for k, f := range c.Out {
				o := outTile{unit: f.Bytes}
				if f.Span != nil {
					from, to := f.Span(x.part[c.Axis].Start, x.part[c.Axis].Stop)
					o.root, o.box = []int{elements(f.Shape)}, partition.Box{partition.Span(from, to)}
				} else if c.Last == nil {
					m, ok := f.Views[0].Over(f.Shape)
					if !ok {
						return "what a part of it makes is not a box of the result"
					}
					box, exact := m.Image(x.part)
					if !exact || box.Len() > x.part.Len() {
						return "parts of it do not make results of their own"
					}
					o.root, o.box = asLine(f.Shape, box)
				} else if k > 0 {
					return "it makes several results together"
				}
				x.out = append(x.out, o)
			}
		}
		for k := range x.out {
			x.out[k].makeRoom(t.from(k), x.in)
		}
	}
	return ""
}

// makeRoom leaves room in the tile for what a launch reads around it of what the output begins as a copy of: the next
// launch will read as much around this one, as stencils do.
func (o *outTile) makeRoom(from *Value, in []*need) {
	o.room = o.box
	if from == nil {
		return
	}
	for _, n := range in {
		if n.v != from || n.unit != o.unit || !slices.Equal(n.root, o.root) {
			continue
		}
		if hull := o.room.Hull(n.box); hull.Len() <= o.box.Len()+o.box.Len()/2 && step(hull) == 1 {
			o.room = hull
		}
	}
}

// step is the largest step of a box.
func step(b partition.Box) int {
	most := 1
	for _, r := range b {
		most = max(most, r.Step)
	}
	return most
}

// home is where the first share runs.
func (s *spread) home() device.Device { return s.shares[0].on }

// fitsInTiles reports whether t is divided among the devices in use so that what each has to do fits in so many bytes.
func (rt *Runtime) fitsInTiles(t *Task, bytes int64) bool {
	if len(rt.using) == 1 {
		return false
	}
	s, why := rt.divide(t, func(*Value) []int { return nil })
	if s == nil || why != "" {
		return false
	}
	most := int64(0) // of a share
	for _, x := range s.shares {
		n := int64(0)
		for _, r := range x.in {
			n += mempool.Rounded(r.box.Len() * r.unit)
		}
		for _, o := range x.out {
			if o.box != nil {
				n += mempool.Rounded(o.room.Len() * o.unit)
			}
		}
		most = max(most, n)
	}
	devices := len(rt.sharing(t))
	return most*int64((len(s.shares)+devices-1)/devices) <= bytes
}
