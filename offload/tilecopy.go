package offload

import (
	"context"
	"slices"
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// stretch is elements that lie side by side.
type stretch struct{ at, n int }

// stretches returns where b, over a root, lies in what t has packed: in order, so that those of two copies go together.
// nil is a copy of the whole.
func (t *tile) stretches(b partition.Box, root []int) (out []stretch) {
	start := 0
	switch {
	case t == nil:
	case t.line():
		start = t.box[0].Start
	default:
		b, root = b.Within(t.box), t.box.Shape()
	}
	b.Runs(root, func(at, n, _ int) { out = append(out, stretch{at - start, n}) })
	return out
}

// pairs calls yield for each stretch of elements that lies side by side both in from and in to, which are the same
// elements.
func pairs(from, to []stretch, yield func(from, to, n int)) {
	for i, k := 0, 0; i < len(from) && k < len(to); {
		n := min(from[i].n, to[k].n)
		yield(from[i].at, to[k].at, n)
		if from[i] = (stretch{from[i].at + n, from[i].n - n}); from[i].n == 0 {
			i++
		}
		if to[k] = (stretch{to[k].at + n, to[k].n - n}); to[k].n == 0 {
			k++
		}
	}
}

// holdTile notes that block is a copy of a part of v on d, in which nothing is valid yet.
func (rt *Runtime) holdTile(ctx context.Context, d device.Device, s device.Stream, v *Value, t *tile, rec *recorder) (*resident, error) {
	block, err := rt.room(ctx, d, s, t.bytes(), rec)
	if err != nil {
		return nil, err
	}
	r := &resident{dev: d, block: block, stream: s, value: weak.Make(v), since: rt.memory.run, cell: rec.cell, tile: t}
	r.made = usage{s, rt.memory.newest[s]} // others write it when what had that memory before is over
	if rec.owner != nil {
		r.maker = rec.owner.Name
	}
	rt.memory.touch(r, v)
	rt.memory.live[r] = struct{}{}
	v.copies.tiles = append(v.copies.tiles, r)
	return r, nil
}

// tileFor returns a copy on d that has room for what a part of the work reads of a value: that which has most of it
// already, or a new one.
func (rt *Runtime) tileFor(ctx context.Context, d device.Device, n *need, rec *recorder) (*resident, error) {
	if r := n.v.copies.on.of(d); r != nil && n.serves(r) {
		rt.memory.touch(r, n.v)
		return r, nil
	}
	var best *resident
	var missing []partition.Box
	for _, r := range n.v.copies.tiles {
		if r.dev != d || !n.serves(r) {
			continue
		}
		if m := n.missing(r); best == nil || size(m) < size(missing) {
			best, missing = r, m
		}
	}
	if best == nil {
		l, err := rt.lanesOf(d)
		if err != nil {
			return nil, err
		}
		return rt.holdTile(ctx, d, l.in, n.v, newTile(n.root, n.box, n.unit), rec)
	}
	rt.memory.touch(best, n.v)
	return best, nil
}

func size(boxes []partition.Box) (n int) {
	for _, b := range boxes {
		n += b.Len()
	}
	return n
}

// lanesOf returns the streams of d, those for copies among them.
func (rt *Runtime) lanesOf(d device.Device) (*lanes, error) {
	if _, err := rt.stream(d); err != nil {
		return nil, err
	}
	l := rt.streams[d]
	return l, l.open(d)
}

// way is how what is missing comes to a device.
type way struct {
	source device.Device // that is asked first; nil for the nearest
	direct int           // so many bytes or less are copied on the stream that reads them
}

// fill copies what r, which is a tile, does not have to it, from other copies of v: r is one of v, or of what begins as
// a copy of it. What comes from other devices comes side by side; what r's own device has is copied on s.
func (rt *Runtime) fill(ctx context.Context, r *resident, s device.Stream, by way, v *Value, missing []partition.Box, rec *recorder) error {
	if len(missing) == 0 {
		return nil
	}
	t := r.tile
	l, err := rt.lanesOf(r.dev)
	if err != nil {
		return err
	}
	root, rest := t.root, missing
	if t.line() {
		for _, q := range v.copies.tiles { // boxes are cut as those are from which they come
			if !q.tile.line() && q.tile.unit == t.unit {
				root = q.tile.root
				rest, _ = over(missing, t.root, root)
				break
			}
		}
	}
	for len(rest) > 0 {
		from, part := rt.nearest(ctx, r, v, by.source, root, rest)
		if from == nil {
			break
		}
		in := s
		if from.dev != r.dev && size(missing)*t.unit > by.direct {
			if in, err = l.peer(r.dev, from.dev); err != nil {
				return err
			}
		}
		if err := rt.copyTile(ctx, in, from, r, part, root, v, rec); err != nil {
			return err
		}
		rest = without(rest, part)
	}
	if len(rest) > 0 {
		if err := rt.fetch(ctx, v, rec); err != nil {
			return err
		}
		rt.fillFromHost(l, r, v, rest, root, rec)
	}
	for _, b := range missing {
		t.add(b, rt.memory.run)
	}
	return nil
}

// nearest returns the copy of v from which r can get a part of boxes without the host, and that part: of r's own device
// where that has one, else by the planner's rule.
func (rt *Runtime) nearest(ctx context.Context, r *resident, v *Value, source device.Device, root []int, boxes []partition.Box) (from *resident, part []partition.Box) {
	type offer struct {
		from *resident
		part []partition.Box
	}
	offers := make(map[int]offer)
	var in placement.Memories
	to := slices.Index(rt.among, r.dev)
	for q := range v.copies.each {
		if q == r || q.dev != r.dev && !linked(r.dev, q.dev) {
			continue
		}
		have := boxes
		if q.tile != nil {
			valid, ok := over(q.tile.valid, q.tile.root, root)
			if !ok || q.tile.unit != r.tile.unit {
				continue
			}
			have = meet(boxes, valid)
		}
		if len(have) == 0 {
			continue
		}
		number := slices.Index(rt.among, q.dev)
		if number < 0 { // of a device that is not in use any more
			number = len(rt.among)
		}
		if o := offers[number]; o.from == nil || size(have) > size(o.part) {
			offers[number] = offer{q, have}
			if number < len(rt.among) {
				in = in.With(number)
			}
		}
	}
	at := len(rt.among)
	if o := offers[slices.Index(rt.among, source)]; o.from != nil {
		return o.from, o.part
	} else if _, own := offers[to]; own {
		at = to
	} else if m := placement.Source(&linkRates{rt: rt, ctx: ctx}, in, to); m != placement.CPU {
		at = m
	}
	return offers[at].from, offers[at].part
}

// meet is what of boxes is in others.
func meet(boxes, others []partition.Box) (out []partition.Box) {
	for _, b := range boxes {
		for _, o := range others {
			if b.Meets(o) {
				out = append(out, b.Meet(o))
			}
		}
	}
	return out
}

// copyTile copies boxes over a root from one copy of v to another, on a stream of the receiver's.
func (rt *Runtime) copyTile(ctx context.Context, in device.Stream, from, to *resident, boxes []partition.Box, root []int, v *Value, rec *recorder) error {
	if from.value.Value() == v {
		rt.memory.touch(from, v)
	}
	from.ready(in)
	to.begun(in)
	after := []int{}
	if id := rec.onDevice[from]; id > 0 {
		after = append(after, id)
	}
	var last device.Event
	unit, peer := to.tile.unit, from.dev != to.dev
	for _, b := range boxes {
		there, here := from.tile.stretches(b, root), to.tile.stretches(b, root)
		if max(len(there), len(here)) > mostStretches {
			ev, ok, err := rt.copyPacked(ctx, in, from, to, b, root, after, rec)
			if err != nil {
				return err
			}
			if ok {
				last = ev
				continue
			}
		}
		pairs(there, here, func(f, t, n int) {
			last = in.CopyPeer(to.block.Buffer, t*unit, from.block.Buffer, f*unit, n*unit)
			rec.onDevice[to] = rec.add(to.dev, "", last, after)
			if peer {
				rt.stats.CopiesPeer++
				rt.stats.BytesPeer += int64(n * unit)
			}
		})
	}
	rt.wroteBeside(to, in, last)
	rt.memory.usedBy(from, in, last)
	return nil
}

// wrote notes that ev, queued on s after all that had written r, writes r.
func (rt *Runtime) wrote(r *resident, s device.Stream, ev device.Event) {
	rt.memory.usedBy(r, s, ev)
	r.writtenBy(s, ev)
}

// wroteBeside notes that ev, queued on s, writes a part of r that nothing else does.
func (rt *Runtime) wroteBeside(r *resident, s device.Stream, ev device.Event) {
	rt.memory.usedBy(r, s, ev)
	r.partlyWrittenBy(s, ev)
}

// fillFromHost copies boxes over a root of the host's copy of v to r.
func (rt *Runtime) fillFromHost(l *lanes, r *resident, v *Value, boxes []partition.Box, root []int, rec *recorder) {
	t := r.tile
	from, pinned := rt.source(r.dev, v, rec)
	r.begun(l.in)
	var last device.Event
	copyIn := func(at int, from []byte, name string) {
		last = l.in.CopyIn(r.block.Buffer, at, from)
		rec.onDevice[r] = rec.add(r.dev, name, last, rec.makers(nil, []*Value{v}))
		rt.stats.CopiesIn++
		rt.stats.BytesIn += int64(len(from))
	}
	for _, b := range boxes {
		host, here := (*tile)(nil).stretches(b, root), t.stretches(b, root)
		if len(host) > 1 && len(here) == 1 { // packed first: one copy
			packed := make([]byte, 0, b.Len()*t.unit)
			for _, s := range host {
				packed = append(packed, from[s.at*t.unit:(s.at+s.n)*t.unit]...)
			}
			copyIn(here[0].at*t.unit, packed, "")
			continue
		}
		pairs(host, here, func(h, at, n int) {
			name := ""
			if pinned != nil {
				name = "copy in, pinned"
				rt.stats.PinnedIn += int64(n * t.unit)
			}
			copyIn(at*t.unit, from[h*t.unit:(h+n)*t.unit], name)
			if pinned != nil {
				pinned.UsedBy(last)
			}
		})
	}
	rt.wroteBeside(r, l.in, last)
}

// join makes a copy of v, which several devices have tiles of, on the host: all devices copy at once.
func (rt *Runtime) join(ctx context.Context, v *Value, rec *recorder) error {
	host := make([]byte, v.size)
	type packed struct {
		bytes []byte
		to    []stretch
		unit  int
	}
	var spread []packed
	streams := make(map[device.Stream]bool)
	var after []int
	for _, r := range v.copies.tiles {
		t := r.tile
		if t.own == nil || t.own.Len() == 0 {
			continue
		}
		l, err := rt.lanesOf(r.dev)
		if err != nil {
			return err
		}
		r.ready(l.out)
		streams[l.out] = true
		there, here := t.stretches(t.own, t.root), (*tile)(nil).stretches(t.own, t.root)
		copyOut := func(to []byte, at int) {
			ev := l.out.CopyOut(to, r.block.Buffer, at)
			rt.memory.usedBy(r, l.out, ev)
			made := []int{}
			if id := rec.onDevice[r]; id > 0 {
				made = append(made, id)
			}
			after = append(after, rec.add(r.dev, "", ev, made))
			rt.stats.CopiesOut++
			rt.stats.BytesOut += int64(len(to))
		}
		if len(here) > 1 && len(there) == 1 {
			p := packed{make([]byte, t.own.Len()*t.unit), here, t.unit}
			copyOut(p.bytes, there[0].at*t.unit)
			spread = append(spread, p)
			continue
		}
		pairs(there, here, func(at, h, n int) { copyOut(host[h*t.unit:(h+n)*t.unit], at*t.unit) })
	}
	for s := range streams {
		if err := rt.wait(ctx, s, rec); err != nil {
			return err
		}
	}
	for _, p := range spread {
		from := p.bytes
		for _, s := range p.to {
			n := copy(host[s.at*p.unit:(s.at+s.n)*p.unit], from)
			from = from[n:]
		}
	}
	if len(after) > 0 {
		rec.onHost[v] = after[len(after)-1]
	}
	v.host = host
	return nil
}

// joinOn makes a copy of old, which several devices have tiles of, on d: of v, which is old or begins as a copy of it.
func (rt *Runtime) joinOn(ctx context.Context, d device.Device, s device.Stream, old, v *Value, rec *recorder) error {
	unit := old.copies.unit()
	_, err := rt.beginPart(ctx, d, s, old, v, Stretch{Unit: unit, Lo: 0, Hi: old.size / unit}, rec)
	return err
}

// beginPart makes v on d with the elements of a part of old, of what is nearest.
func (rt *Runtime) beginPart(ctx context.Context, d device.Device, s device.Stream, old, v *Value, p Stretch, rec *recorder) (*resident, error) {
	l, err := rt.lanesOf(d)
	if err != nil {
		return nil, err
	}
	r, err := rt.place(ctx, d, l.in, v, rec)
	if err != nil {
		return nil, err
	}
	r.tile = newTile([]int{old.size / p.Unit}, partition.Box{partition.Span(p.Lo, p.Hi)}, p.Unit)
	v.copies.on.drop(d) // it is not one of the whole yet
	r.made = usage{l.in, rt.memory.newest[l.in]}
	if err = rt.fill(ctx, r, s, way{}, old, []partition.Box{r.tile.box}, rec); err != nil {
		rt.memory.free(r)
		return nil, err
	}
	r.tile = nil
	v.copies.on.put(r)
	r.ready(s)
	return r, nil
}

// unit is the bytes of an element, as tiles have it.
func (c *copies) unit() int { return c.tiles[0].tile.unit }
