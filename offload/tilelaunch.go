package offload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// colours is a task that runs in parts on several devices.
type colours struct {
	*spread
	t   *Task
	rt  *Runtime
	rec *recorder

	in         [][]*resident // of each share, by its needs
	out        [][]*resident // and by the task's outputs; nil where it takes over the memory of what it begins as
	overwrites bool          // a share does
	scratch    map[device.Device][]*Value
}

// launchTiles runs t in parts on several devices, if it is to; whole says that it has to run in one.
func (rt *Runtime) launchTiles(ctx context.Context, s *spread, t *Task, inherits func(v *Value) bool, rec *recorder) (whole bool, err error) {
	if s == nil {
		return true, nil
	}
	c := &colours{spread: s, t: t, rt: rt, rec: rec, in: make([][]*resident, len(s.shares)), out: make([][]*resident, len(s.shares)),
		scratch: make(map[device.Device][]*Value)}
	defer func() {
		for d, vs := range c.scratch {
			for _, v := range vs {
				if r := v.copies.on.of(d); r != nil {
					rt.memory.free(r)
				}
			}
		}
	}()
	// Nothing is overwritten before there is room for all: where there is not, the task can still run whole, in pieces.
	for i := range s.shares {
		if err = c.makeRoom(ctx, i, inherits); err != nil {
			break
		}
	}
	if err == nil && s.last != nil {
		err = c.place(ctx, s.last)
	}
	if errors.Is(err, device.ErrOutOfMemory) {
		for _, r := range slices.Concat(c.in...) {
			if r.tile != nil && len(r.tile.valid) == 0 {
				rt.memory.free(r)
			}
		}
		for _, v := range t.Out {
			rt.memory.forget(v)
		}
		return true, nil
	}
	if c.overwrites { // what others read of it is copied before
		for i := range s.shares {
			if err == nil {
				err = c.fill(ctx, i, nil)
			}
		}
	}
	plan := c.deliver(ctx)
	for _, i := range plan.order {
		if err == nil && !c.overwrites { // the first compute while the others are given what they need
			err = c.fill(ctx, i, plan.from[i])
		}
		if err == nil && s.cut.Before != nil {
			err = c.launch(ctx, i, s.cut.Before, false)
		} else if err == nil {
			err = c.launch(ctx, i, s.cut.Launches, true)
		}
	}
	if err == nil && s.last != nil {
		err = c.combine(ctx)
	}
	for i := range s.shares {
		if err == nil && s.cut.Before != nil {
			err = c.launch(ctx, i, s.cut.Launches, true)
		}
	}
	if err != nil {
		return false, err
	}
	for _, v := range t.Out {
		v.copies.split, v.copies.passed = s.cut.Last == nil, nil
	}
	return false, nil
}

// place makes room on d for what is made there whole, if anything is, and for scratch memory.
func (c *colours) place(ctx context.Context, d device.Device) error {
	s, err := c.rt.stream(d)
	if err != nil {
		return err
	}
	if err := c.addScratch(ctx, d, s); err != nil {
		return err
	}
	for _, v := range c.t.Out {
		if c.cut.Last == nil {
			break
		}
		if _, err := c.rt.place(ctx, d, s, v, c.rec); err != nil {
			return err
		}
	}
	return nil
}

// scratchSizes are what each device needs of scratch memory: its shares run one after the other.
func (c *colours) scratchSizes() ([]int, error) {
	sizes := c.cut.scratch(c.t)
	if c.cut.Room == nil {
		return sizes, nil
	}
	sizes = make([]int, len(sizes))
	for _, x := range c.shares {
		needed, err := c.cut.Room(x.part)
		if err != nil {
			return nil, err
		}
		for i, n := range needed {
			sizes[i] = max(sizes[i], n)
		}
	}
	return sizes, nil
}

func (c *colours) addScratch(ctx context.Context, d device.Device, s device.Stream) error {
	sizes, err := c.scratchSizes()
	if err != nil {
		return err
	}
	for len(c.scratch[d]) < len(sizes) {
		v := c.rt.NewValue(sizes[len(c.scratch[d])])
		if _, err := c.rt.place(ctx, d, s, v, c.rec); err != nil {
			return err
		}
		c.scratch[d] = append(c.scratch[d], v)
	}
	return nil
}

// makeRoom makes room for what share number i reads and makes on its device.
func (c *colours) makeRoom(ctx context.Context, i int, inherits func(v *Value) bool) error {
	x, rt := &c.shares[i], c.rt
	s, err := rt.stream(x.on)
	if err != nil {
		return err
	}
	for _, n := range x.in {
		r, err := rt.tileFor(ctx, x.on, n, c.rec)
		if err != nil {
			return err
		}
		c.in[i] = append(c.in[i], r)
	}
	if err := c.addScratch(ctx, x.on, s); err != nil {
		return err
	}
	for k, o := range x.out {
		var r *resident
		from := c.t.from(k)
		if from != nil && inherits(from) {
			if r := from.tileOf(x.on, o); r != nil { // it takes over that memory
				rt.memory.touch(r, from)
				c.out[i], c.overwrites = append(c.out[i], nil), true
				continue
			}
		}
		if o.box == nil {
			c.out[i] = append(c.out[i], nil)
			continue
		}
		if r, err = rt.holdTile(ctx, x.on, s, c.t.Out[k], newTile(o.root, o.room, o.unit), c.rec); err != nil {
			return err
		}
		r.tile.own = o.box
		c.out[i] = append(c.out[i], r)
	}
	return nil
}

// prompt is how many bytes, where a launch lacks nothing else, are copied on its own stream: to wait for another costs
// the host as much as a copy.
const prompt = 1 << 20

// fill copies what share number i reads to its device, from another one if that is given, and what its outputs begin
// as.
func (c *colours) fill(ctx context.Context, i int, source device.Device) error {
	x, rt := &c.shares[i], c.rt
	s, err := rt.stream(x.on)
	if err != nil {
		return err
	}
	for k, r := range c.out[i] {
		if r == nil {
			continue
		}
		if from := c.t.from(k); from != nil && !c.t.Afresh { // first: it is long, and may go on beside what comes from others
			if err := rt.fill(ctx, r, s, way{}, from, []partition.Box{x.out[k].box}, c.rec); err != nil {
				return err
			}
		}
		r.tile.valid = []partition.Box{x.out[k].box}
	}
	absent, lacking := make([][]partition.Box, len(x.in)), 0
	for k, n := range x.in {
		if absent[k] = n.missing(c.in[i][k]); len(absent[k]) > 0 {
			lacking++
		}
	}
	by := way{source: source}
	if lacking == 1 {
		by.direct = prompt
	}
	for k, n := range x.in {
		if err := rt.fill(ctx, c.in[i][k], s, by, n.v, absent[k], c.rec); err != nil {
			return err
		}
	}
	return nil
}

// tileOf is the tile of v on d that is of the same elements as one to be made; nil where there is none.
func (v *Value) tileOf(d device.Device, o outTile) *resident {
	for _, r := range v.copies.tiles {
		if t := r.tile; r.dev == d && t.own != nil && t.unit == o.unit && slices.Equal(t.root, o.root) && slices.Equal(t.own, o.box) {
			return r
		}
	}
	return nil
}

// inherit lets an output have the memory of a tile of what it begins as.
func (c *colours) inherit(x *share, k int, s device.Stream) (*resident, error) {
	from, to, o := c.t.from(k), c.t.Out[k], x.out[k]
	r := from.tileOf(x.on, o)
	if r == nil {
		return nil, fmt.Errorf("a tile of %s is gone that was there", device.Bytes(int64(o.box.Len()*o.unit)))
	}
	r.settled(s)
	r.ready(s)
	from.copies.lose(r)
	to.copies.tiles, r.value = append(to.copies.tiles, r), weak.Make(to)
	r.tile.valid = []partition.Box{o.box}
	c.rt.memory.release(r)
	c.rt.memory.touch(r, to)
	return r, nil
}

// launch queues kernels of share number i. makes says that they make the task's outputs.
func (c *colours) launch(ctx context.Context, i int, kernels func(partition.Box, PartView) ([]Launch, error), makes bool) error {
	x, rt := &c.shares[i], c.rt
	if err := ctx.Err(); err != nil {
		return err
	}
	s, err := rt.stream(x.on)
	if err != nil {
		return err
	}
	at := make(map[*Value]uint64)
	var after []int
	for k, r := range c.in[i] {
		r.ready(s)
		at[x.in[k].as] = r.block.Addr()
		if id := c.rec.onDevice[r]; id > 0 {
			after = append(after, id)
		}
	}
	for k := range x.out {
		if x.out[k].box == nil || !makes {
			continue
		}
		if c.out[i][k] == nil {
			if c.out[i][k], err = c.inherit(x, k, s); err != nil {
				return err
			}
		}
		r := c.out[i][k]
		r.ready(s)
		at[c.t.Out[k]] = r.block.Addr()
	}
	if x.part == nil {
		return nil
	}
	if c.cut.meets() && makes {
		for _, v := range c.scratch[x.on] { // which others have written too
			r := v.copies.on.of(x.on)
			r.ready(s)
			if id := c.rec.onDevice[r]; id > 0 {
				after = append(after, id)
			}
		}
	}
	launches, err := kernels(x.part, func(v *Value, view partition.View) (*Value, partition.View) { return c.held(i, v, view) })
	if err != nil {
		return err
	}
	c.rec.tile = fmt.Sprintf("tile %d of %d", i+1, len(c.shares))
	defer func() { c.rec.tile = "" }()
	name := c.t.Name + ", " + c.rec.tile
	for _, l := range launches {
		ev, err := rt.issue(x.on, s, l, c.scratch[x.on], at, c.rec)
		if err != nil {
			return err
		}
		rt.streams[x.on].queued(s, ev, rt.memory.run)
		id := c.rec.add(x.on, name, ev, after)
		after = []int{id}
		for _, r := range c.in[i] {
			rt.memory.usedBy(r, s, ev)
		}
		for _, r := range c.out[i] {
			if r != nil && makes {
				rt.wrote(r, s, ev)
				c.rec.onDevice[r] = id
			}
		}
		for _, v := range c.scratch[x.on] {
			r := v.copies.on.of(x.on)
			rt.wrote(r, s, ev)
			c.rec.onDevice[r] = id
		}
	}
	return nil
}

// held says where share number i has the elements of a view.
func (c *colours) held(i int, v *Value, view partition.View) (*Value, partition.View) {
	x := &c.shares[i]
	for k, n := range x.in {
		if n.v == v && slices.ContainsFunc(n.views, func(w partition.View) bool { return sameView(w, view) }) {
			return n.as, c.in[i][k].at(view, n.part)
		}
	}
	for k, out := range c.t.Out {
		if out == v {
			return out, c.out[i][k].at(view, x.part)
		}
	}
	panic("offload: a task that is divided asks for a view that its cut does not have")
}

// combine brings what the shares have made in scratch memory together, and runs what is to be done with that; what
// shares want of it goes back to their devices.
func (c *colours) combine(ctx context.Context) error {
	rt, d := c.rt, c.last
	s, err := rt.stream(d)
	if err != nil {
		return err
	}
	var here []*resident // scratch memory
	var after []int
	for _, v := range c.scratch[d] {
		r := v.copies.on.of(d)
		here = append(here, r)
		if id := c.rec.onDevice[r]; id > 0 {
			after = append(after, id)
		}
	}
	for _, x := range c.shares {
		ids, err := c.sections(ctx, x.on, d, c.cut.Filled(x.part))
		if err != nil {
			return err
		}
		after = append(after, ids...)
	}
	for _, r := range here {
		r.ready(s)
	}
	written, launches := here, c.cut.Between
	if c.cut.Last != nil {
		written, launches = nil, c.cut.Last
		for _, v := range c.t.Out {
			written = append(written, v.copies.on.of(d))
		}
	}
	for _, launch := range launches {
		ev, err := rt.issue(d, s, launch, c.scratch[d], nil, c.rec)
		if err != nil {
			return err
		}
		rt.streams[d].queued(s, ev, rt.memory.run)
		id := c.rec.add(d, c.t.Name, ev, after)
		for _, r := range here {
			rt.memory.usedBy(r, s, ev)
		}
		for _, r := range written {
			rt.wrote(r, s, ev)
			c.rec.onDevice[r] = id
		}
		if c.cut.meets() {
			after = []int{id} // the next reads what this one has left
		}
	}
	if c.cut.Wanted == nil {
		return nil
	}
	for _, x := range c.shares {
		if _, err := c.sections(ctx, d, x.on, c.cut.Wanted(x.part)); err != nil {
			return err
		}
	}
	return nil
}

// sections copies bytes of scratch memory from one device to another, and returns the events that did.
func (c *colours) sections(ctx context.Context, from, to device.Device, sections []Section) (ids []int, err error) {
	for _, x := range sections {
		if from == to || x.Bytes == 0 {
			continue
		}
		r := c.scratch[to][x.Buffer].copies.on.of(to)
		id, err := c.section(ctx, c.scratch[from][x.Buffer].copies.on.of(from), r, x.At, x.Bytes)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, id); c.cut.meets() {
			c.rec.onDevice[r] = id
		}
	}
	return ids, nil
}

// section copies n bytes of scratch memory from one device to another, beside what comes from further ones.
func (c *colours) section(ctx context.Context, from, to *resident, at, n int) (id int, err error) {
	rt := c.rt
	l, err := rt.lanesOf(to.dev)
	if err != nil {
		return 0, err
	}
	after := []int{}
	if id := c.rec.onDevice[from]; id > 0 {
		after = append(after, id)
	}
	in, ev := l.in, device.Event(nil)
	if linked(to.dev, from.dev) {
		if in, err = l.peer(to.dev, from.dev); err != nil {
			return 0, err
		}
		to.begun(in)
		from.ready(in)
		ev = in.CopyPeer(to.block.Buffer, at, from.block.Buffer, at, n)
		rt.memory.usedBy(from, in, ev)
		rt.stats.CopiesPeer++
		rt.stats.BytesPeer += int64(n)
	} else {
		other, err := rt.lanesOf(from.dev)
		if err != nil {
			return 0, err
		}
		host := make([]byte, n)
		from.ready(other.out)
		out := other.out.CopyOut(host, from.block.Buffer, at)
		rt.memory.usedBy(from, other.out, out)
		after = []int{c.rec.add(from.dev, "", out, after)}
		if err := rt.wait(ctx, other.out, c.rec); err != nil {
			return 0, err
		}
		to.begun(in)
		ev = in.CopyIn(to.block.Buffer, at, host)
		rt.stats.CopiesOut++
		rt.stats.BytesOut += int64(n)
		rt.stats.CopiesIn++
		rt.stats.BytesIn += int64(n)
	}
	rt.wroteBeside(to, in, ev)
	return c.rec.add(to.dev, "", ev, after), nil
}
