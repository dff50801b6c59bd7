package offload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/partition"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// slot is memory for the pieces of one value.
type slot struct {
	block *mempool.Block
	last  device.Event // that used it
	on    device.Stream
}

// stage is memory of the host for pieces whose elements do not lie side by side in the value's: they are packed
// there.
type stage struct {
	bytes []byte
	last  device.Event  // that copies from it or to it
	box   partition.Box // what is being copied to it; nil for nothing
}

// passage is the way of a chain of tasks through a device, piece by piece.
type passage struct {
	*memoryPlan
	rt      *Runtime
	d       device.Device
	compute device.Stream
	lanes   *lanes
	rec     *recorder

	slots   map[*use][]*slot
	sources map[*Value][]byte // the host's side of what is copied in
	pinned  map[*Value]*mempool.PinnedBlock
	results map[*Value][]byte // and of what is copied out
	taken   map[*Value][]byte // what some of them were before
	stages  map[*use][]*stage
	scratch map[*Task][]*Value
	streams bool              // from a file, or to one
	at      map[*Value]uint64 // addresses of the current piece's elements
	lo, hi  int               // the current piece
}

// runPieces streams a chain of tasks through device d. inherits says of what a task's output begins with that the
// output can have its memory.
func (rt *Runtime) runPieces(ctx context.Context, d device.Device, p *memoryPlan, inherits func(task int, v *Value) bool, rec *recorder) (err error) {
	compute, err := rt.stream(d)
	if err != nil {
		return err
	}
	x := &passage{
		memoryPlan: p, rt: rt, d: d, compute: compute, lanes: rt.streams[d], rec: rec,
		streams: slices.ContainsFunc(p.tasks, (*Task).streams),
		slots:   make(map[*use][]*slot), sources: make(map[*Value][]byte), pinned: make(map[*Value]*mempool.PinnedBlock),
		results: make(map[*Value][]byte), taken: make(map[*Value][]byte), stages: make(map[*use][]*stage), scratch: make(map[*Task][]*Value), at: make(map[*Value]uint64),
	}
	if err := x.lanes.open(d); err != nil {
		return err
	}
	pool := rt.memory.pool(d)
	defer func() {
		for _, ss := range x.slots {
			for _, s := range ss {
				pool.Free(s.block, s.on, s.last)
			}
		}
	}()
	defer func() {
		if errors.Is(err, device.ErrOutOfMemory) { // the task will run another way, and write the same elements again
			for from, b := range x.taken {
				from.host = b
			}
		}
	}()
	if err := x.prepare(ctx, inherits); err != nil {
		return err
	}
	for i, t := range p.tasks {
		for _, n := range p.cuts[i].scratch(t) {
			v := rt.NewValue(n)
			r, err := rt.place(ctx, d, compute, v, rec)
			if err != nil {
				return err
			}
			defer rt.memory.free(r)
			x.scratch[t] = append(x.scratch[t], v)
		}
	}
	if c := p.cuts[0]; c.Before != nil {
		if err := x.steps(ctx, x.before); err != nil {
			return err
		}
		rec.owner = p.tasks[0]
		if _, err := rt.launchAll(d, compute, p.tasks[0], c.Between, x.scratch[p.tasks[0]], nil, p.tasks[0].Name, rec); err != nil {
			return err
		}
	}
	if err := x.steps(ctx, x.step); err != nil {
		return err
	}
	for i, t := range p.tasks {
		if len(p.cuts[i].Last) == 0 {
			continue
		}
		rec.owner = t
		ev, err := rt.launchAll(d, compute, t, p.cuts[i].Last, x.scratch[t], nil, t.Name, rec)
		if err != nil {
			return err
		}
		for _, v := range t.Out {
			if r := v.copies.on.of(d); r != nil {
				rt.memory.usedBy(r, compute, ev)
			}
		}
	}
	if err := rt.sync(ctx, rec); err != nil {
		return err
	}
	for _, u := range p.uses {
		for _, s := range x.stages[u] {
			if err := x.spread(u, s); err != nil {
				return err
			}
		}
		if u.kept && !u.fixed && u.v.sink != nil {
			u.v.source = u.v.sink
		}
	}
	for v, b := range x.results {
		v.host = b
	}
	return nil
}

// steps lets one do what it does with each piece.
func (x *passage) steps(ctx context.Context, one func(ctx context.Context, k int) error) error {
	x.rec.passes++
	defer func() { x.rec.piece = trace.Piece{} }()
	steps := partition.Blocks([]int{x.rows}, []int{x.piece})
	plan := partition.Schedule{Devices: 1}
	for colour := range steps.Len() {
		_, step := plan.At(colour)
		rows := steps.Box(steps.Colour(colour))[0]
		if x.lo, x.hi = rows.Start, rows.Stop; ctx.Err() != nil {
			return ctx.Err()
		}
		x.rec.piece = trace.Piece{Pass: x.rec.passes, Number: step + 1, From: x.lo, To: x.hi}
		if err := one(ctx, step); err != nil {
			return err
		}
		x.rt.stats.Pieces++
		if x.streams {
			leaveLittle()
		}
	}
	return nil
}

// prepare makes the host's side ready, and what all pieces need on the device.
func (x *passage) prepare(ctx context.Context, inherits func(task int, v *Value) bool) error {
	rt := x.rt
	for _, u := range x.uses { // what must come from elsewhere comes first
		whole := u.box(0, x.rows).Len()*u.bytes == u.v.size
		switch {
		case u.there:
			r := u.v.copies.on.of(x.d)
			rt.memory.touch(r, u.v)
			r.ready(x.compute)
		case u.fixed && u.made:
			if _, err := rt.place(ctx, x.d, x.compute, u.v, x.rec); err != nil {
				return err
			}
		case u.fixed && whole:
			if err := rt.bring(ctx, x.d, x.compute, u.v, x.rec); err != nil {
				return err
			}
		case !u.made && u.v.source != nil && u.v.host == nil: // it is read range by range
		case !u.made:
			if err := rt.fetch(ctx, u.v, x.rec); err != nil {
				return err
			}
			if x.sources[u.v] == nil {
				x.sources[u.v], x.pinned[u.v] = rt.source(x.d, u.v, x.rec)
			}
		case u.from != nil:
			if err := rt.fetch(ctx, u.from, x.rec); err != nil {
				return err
			}
			if inherits(u.first, u.from) && !u.from.lent && x.of[u.from] == nil {
				x.results[u.v] = u.from.Host() // its memory is another's from now on
				x.taken[u.from], u.from.host = u.from.host, nil
				rt.memory.unpin(u.from.copies)
			} else {
				x.results[u.v] = bytes.Clone(u.from.host)
			}
		case u.kept && u.v.sink == nil:
			x.results[u.v] = make([]byte, u.v.size)
		}
	}
	return nil
}

// before takes one piece through what the first task does with all of them before anything is made.
func (x *passage) before(ctx context.Context, k int) error {
	_, err := x.work(ctx, k, 0, make(map[*use]*slot), x.cuts[0].Before, false)
	return err
}

// step takes one piece through all tasks.
func (x *passage) step(ctx context.Context, k int) error {
	now := make(map[*use]*slot)
	for i := range x.tasks {
		ev, err := x.work(ctx, k, i, now, x.cuts[i].Launches, true)
		if err != nil {
			return err
		}
		for _, u := range x.uses {
			if !u.kept || u.fixed || u.first != i {
				continue
			}
			if err := x.copyOut(ctx, u, now[u], ev, k, u.last == i); err != nil {
				return err
			}
		}
	}
	return nil
}

// work lets kernels of task i work on piece k, which has the memory of now and gets more of it, and returns the event
// that ends them. makes says that they make the task's outputs.
func (x *passage) work(ctx context.Context, k, i int, now map[*use]*slot, kernels func(partition.Box, PartView) ([]Launch, error), makes bool) (device.Event, error) {
	rt, d, compute, rec := x.rt, x.d, x.compute, x.rec
	t, c := x.tasks[i], x.cuts[i]
	rec.owner = t
	for _, u := range x.uses {
		if u.first > i || u.last < i || u.made && !makes {
			continue
		}
		if r := u.resident(d); r != nil {
			rt.memory.touch(r, u.v)
			x.at[u.as] = r.block.Addr()
			continue
		}
		if u.first != i {
			continue
		}
		got, filled, err := x.slot(ctx, u, k)
		if err != nil {
			return nil, err
		}
		now[u], x.at[u.as] = got, got.block.Addr()
		if !u.made && !filled {
			if err := x.copyIn(ctx, u, got, k); err != nil {
				return nil, err
			}
		}
	}
	launches, err := kernels(c.part(x.lo, x.hi), func(v *Value, view partition.View) (*Value, partition.View) { return x.held(c, v, view) })
	if err != nil || len(launches) == 0 {
		return nil, err
	}
	ev, err := rt.launchAll(d, compute, t, launches, x.scratch[t], x.at, fmt.Sprintf("%s, piece %d", t.Name, k+1), rec)
	if err != nil {
		return nil, err
	}
	for _, u := range x.uses {
		if !u.by(c) {
			continue
		}
		if s := now[u]; s != nil {
			s.last, s.on = ev, compute
		} else if r := u.resident(d); r != nil {
			rt.memory.usedBy(r, compute, ev)
		}
	}
	return ev, nil
}

// resident is the whole of u's value on d, where pieces take it from there.
func (u *use) resident(d device.Device) *resident {
	if !u.there && !u.fixed {
		return nil
	}
	return u.v.copies.on.of(d)
}

// held says where the current piece of a task, which is cut as c, has the elements of a view.
func (x *passage) held(c *Cut, v *Value, view partition.View) (*Value, partition.View) {
	part := c.part(x.lo, x.hi)
	for _, u := range x.uses {
		if u.v != v {
			continue
		}
		if w := slices.IndexFunc(u.windows, func(w window) bool { return w.cut == c && sameView(w.view, view) }); w >= 0 {
			if u.resident(x.d) != nil {
				return u.as, view.Part(part)
			}
			return u.as, u.windows[w].m.In(u.box(x.lo, x.hi), part)
		}
	}
	panic("offload: a task that is cut asks for a view that its cut does not have")
}

// slot returns a value's memory for the piece, which work may use after what used it last; and whether what every
// piece needs is there already.
func (x *passage) slot(ctx context.Context, u *use, k int) (got *slot, filled bool, err error) {
	s := x.compute
	if !u.made {
		s = x.lanes.in
	}
	n, of, size := x.memoryPlan.slots(u), u, u.size(x.piece)
	if u.in != nil {
		of = u.in
	}
	if u.fixed {
		n = 1
	}
	ss := x.slots[of]
	if len(ss) <= k%n {
		block, err := x.rt.room(ctx, x.d, s, size, x.rec)
		if err != nil {
			return nil, false, err
		}
		x.slots[of] = append(ss, &slot{block: block, on: s})
		return x.slots[of][k%n], false, nil
	}
	got = ss[k%n]
	if got.last != nil && got.on != s {
		s.Wait(got.last)
	}
	return got, u.fixed, nil
}

// stage returns memory of the host for the piece, after what used it last. There is one more than the device has room
// for, so that the host packs one piece while others are copied.
func (x *passage) stage(ctx context.Context, u *use, k int) (*stage, error) {
	ss := x.stages[u]
	most := x.memoryPlan.slots(u) + 1
	if len(ss) <= k%most {
		s := &stage{bytes: make([]byte, u.size(x.piece))}
		x.stages[u] = append(ss, s)
		return s, nil
	}
	s := ss[k%most]
	if s.last != nil {
		if err := s.last.Wait(ctx); err != nil {
			return nil, err
		}
	}
	return s, x.spread(u, s)
}

// spread puts what has been copied to s where the result has it.
func (x *passage) spread(u *use, s *stage) (err error) {
	if s.box == nil {
		return nil
	}
	if sink := u.v.sink; sink != nil {
		s.box.Runs(u.root, func(at, n, before int) {
			if err == nil {
				err = sink.WriteAt(s.bytes[before*u.bytes:][:n*u.bytes], int64(at*u.bytes))
			}
		})
		s.box = nil
		return err
	}
	to := x.results[u.v]
	s.box.Runs(u.root, func(at, n, before int) {
		copy(to[at*u.bytes:(at+n)*u.bytes], s.bytes[before*u.bytes:])
	})
	s.box = nil
	return nil
}

// copyIn copies what the current piece needs of u to its slot.
func (x *passage) copyIn(ctx context.Context, u *use, to *slot, k int) error {
	rt, in := x.rt, x.lanes.in
	box := u.box(x.lo, x.hi)
	n := box.Len() * u.bytes
	from, name := []byte(nil), "copy in, piece %d"
	at, together := box.Run(u.root)
	var packed *stage
	if source := u.v.source; source != nil {
		s, err := x.stage(ctx, u, k)
		if err != nil {
			return err
		}
		if err := readBox(ctx, source, s.bytes, box, u.root, u.bytes); err != nil {
			return err
		}
		from, packed = s.bytes[:n], s
	} else if together {
		from = x.sources[u.v][at*u.bytes:][:n]
	} else {
		s, err := x.stage(ctx, u, k)
		if err != nil {
			return err
		}
		source := x.sources[u.v]
		box.Runs(u.root, func(at, n, before int) {
			copy(s.bytes[before*u.bytes:], source[at*u.bytes:(at+n)*u.bytes])
		})
		from, packed = s.bytes[:n], s
	}
	ev := in.CopyIn(to.block.Buffer, 0, from)
	if packed != nil {
		packed.last = ev
	} else if b := x.pinned[u.v]; b != nil {
		b.UsedBy(ev)
		name = "copy in, pinned, piece %d"
		rt.stats.PinnedIn += int64(n)
	}
	x.rec.add(x.d, fmt.Sprintf(name, k+1), ev, nil)
	rt.stats.CopiesIn++
	rt.stats.BytesIn += int64(n)
	x.compute.Wait(ev)
	to.last, to.on = ev, in
	return nil
}

// copyOut brings the current piece of u to the host once made, the event that makes it, is over. last says that no
// later task reads it.
func (x *passage) copyOut(ctx context.Context, u *use, from *slot, made device.Event, k int, last bool) error {
	rt, out := x.rt, x.lanes.out
	box := u.box(x.lo, x.hi)
	n := box.Len() * u.bytes
	if n == 0 { // of a span
		return nil
	}
	u.v.copies.pass(passed{x.d.ID(), k, box, u.root})
	at, together := box.Run(u.root)
	var to []byte
	var packed *stage
	if together && u.v.sink == nil {
		to = x.results[u.v][at*u.bytes:][:n]
	} else {
		s, err := x.stage(ctx, u, k)
		if err != nil {
			return err
		}
		to, packed = s.bytes[:n], s
	}
	out.Wait(made)
	ev := out.CopyOut(to, from.block.Buffer, 0)
	if packed != nil {
		packed.last, packed.box = ev, box
	}
	x.rec.add(x.d, fmt.Sprintf("copy out, piece %d", k+1), ev, nil)
	rt.stats.CopiesOut++
	rt.stats.BytesOut += int64(n)
	if last {
		from.last, from.on = ev, out
	} else { // later tasks read it too, and end after the copy has begun at least
		x.compute.Wait(ev)
	}
	return nil
}

// launchAll queues launches and returns the event of the last.
func (rt *Runtime) launchAll(d device.Device, s device.Stream, t *Task, launches []Launch, scratch []*Value, at map[*Value]uint64, name string, rec *recorder) (last device.Event, err error) {
	for _, l := range launches {
		if last, err = rt.issue(d, s, l, scratch, at, rec); err != nil {
			return nil, err
		}
		rec.add(d, name, last, nil)
	}
	return last, nil
}
