package offload

import (
	"context"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// How values come to the devices where they are read, from the host or from others, and back to the host.

// bring makes a valid copy of v on d.
func (rt *Runtime) bring(ctx context.Context, d device.Device, s device.Stream, v *Value, rec *recorder) error {
	if r := v.copies.on.of(d); r != nil {
		rt.memory.touch(r, v)
		r.ready(s)
		return nil
	}
	if from := rt.peerOf(ctx, d, v); from != nil {
		if _, err := rt.copyPeer(ctx, d, from, v, v, rec); err != nil {
			return err
		}
		v.copies.on.of(d).ready(s)
		return nil
	}
	if v.copies.split && v.host == nil {
		return rt.joinOn(ctx, d, s, v, v, rec)
	}
	if err := rt.fetch(ctx, v, rec); err != nil {
		return err
	}
	if block := rt.memory.pool(d).Share(v.host); block != nil {
		rec.onDevice[rt.hold(d, s, v, block, rec)] = rec.onHost[v]
		return nil
	}
	in := s
	if len(rt.running) > 1 { // what other devices wait for need not wait for kernels of this one
		l := rt.streams[d]
		if err := l.open(d); err != nil {
			return err
		}
		in = l.in
	}
	r, err := rt.place(ctx, d, in, v, rec)
	if err != nil {
		return err
	}
	rec.onDevice[r], err = rt.copyIn(ctx, d, in, r, v, rec)
	r.ready(s)
	return err
}

// peerOf returns the copy of v that d can have without the host: of the devices in use by the planner's rule, else
// that of any other device; nil where there is none.
func (rt *Runtime) peerOf(ctx context.Context, d device.Device, v *Value) (other *resident) {
	var in placement.Memories
	for _, r := range v.copies.on {
		if r.dev == d || !linked(d, r.dev) {
			continue
		}
		if i := slices.Index(rt.among, r.dev); i >= 0 {
			in = in.With(i)
		} else if other == nil || r.dev.ID() < other.dev.ID() {
			other = r
		}
	}
	if from := placement.Source(&linkRates{rt: rt, ctx: ctx}, in, slices.Index(rt.among, d)); from != placement.CPU {
		return v.copies.on.of(rt.among[from])
	}
	return other
}

// copyPeer makes v on d of the copy from that another device has of old, beside what d computes, and returns the
// event.
func (rt *Runtime) copyPeer(ctx context.Context, d device.Device, from *resident, old, v *Value, rec *recorder) (event int, err error) {
	if _, err := rt.stream(d); err != nil {
		return 0, err
	}
	in, err := rt.streams[d].peer(d, from.dev)
	if err != nil {
		return 0, err
	}
	rt.memory.touch(from, old)
	r, err := rt.place(ctx, d, in, v, rec)
	if err != nil {
		return 0, err
	}
	from.ready(in)
	ev := in.CopyPeer(r.block.Buffer, 0, from.block.Buffer, 0, old.size)
	rt.memory.usedBy(from, in, ev)
	rt.wrote(r, in, ev)
	rt.stats.CopiesPeer++
	rt.stats.BytesPeer += int64(old.size)
	event = rec.add(d, "", ev, rec.makers(from.dev, []*Value{old}))
	rec.onDevice[r] = event
	return event, nil
}

// copyIn fills r from the host's copy of v.
func (rt *Runtime) copyIn(ctx context.Context, d device.Device, s device.Stream, r *resident, v *Value, rec *recorder) (event int, err error) {
	var ev device.Event
	name := ""
	from, pinned := rt.source(d, v, rec)
	if a, ok := s.(device.Adopter); ok && pinned == nil && from != nil {
		v.lent = true
		ev = a.Adopt(r.block.Buffer, v.Lend())
	} else if v.source != nil {
		if ev, err = rt.copyRanges(ctx, s, r, v); err != nil {
			return 0, err
		}
	} else {
		ev = s.CopyIn(r.block.Buffer, 0, from)
	}
	if pinned != nil {
		pinned.UsedBy(ev)
		name = "copy in, pinned"
		rt.stats.PinnedIn += int64(v.size)
	}
	rt.memory.usedBy(r, s, ev)
	r.writtenBy(s, ev)
	rt.stats.CopiesIn++
	rt.stats.BytesIn += int64(v.size)
	return rec.add(d, name, ev, rec.makers(nil, []*Value{v})), nil
}

// fetch makes a valid copy of v on the host.
func (rt *Runtime) fetch(ctx context.Context, v *Value, rec *recorder) error {
	if v.host != nil {
		return nil
	}
	if v.source != nil {
		return rt.readWhole(ctx, v, rec)
	}
	if len(v.copies.on) > 0 {
		r := v.copies.on[0]
		d := r.dev
		s, err := rt.stream(d)
		if err != nil {
			return err
		}
		if made := r.made.stream; made != nil && rt.streams[d].of(made) != nil {
			s = made // others may have much to do
		}
		if r.block.Host != nil { // it is there already
			if err := rt.wait(ctx, s, rec); err != nil {
				return err
			}
			v.host, rec.onHost[v] = r.block.Host, rec.onDevice[r]
			return nil
		}
		r.ready(s)
		var host []byte
		var ev device.Event
		a, lends := s.(device.Adopter)
		if lends {
			ev = a.Lend(&host, r.block.Buffer)
		} else {
			host = make([]byte, v.size)
			ev = s.CopyOut(host, r.block.Buffer, 0)
		}
		rt.memory.usedBy(r, s, ev)
		rec.onHost[v] = rec.add(d, "", ev, rec.makers(d, []*Value{v}))
		if err := rt.wait(ctx, s, rec); err != nil {
			return err
		}
		rt.stats.CopiesOut++
		rt.stats.BytesOut += int64(v.size)
		v.host, v.lent = host, lends
		return nil
	}
	if v.copies.split {
		return rt.join(ctx, v, rec)
	}
	return fmt.Errorf("a value of %s is needed before the task that makes it", device.Bytes(int64(v.size)))
}
