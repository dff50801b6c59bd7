package offload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/placement"
)

// Candidates are what a placement policy chooses among.
type Candidates = placement.Candidates

// SetPlacement sets the policy that says which of several devices a launch runs on. At first it is
// placement.EarliestFinish with a threshold of a tenth.
func (rt *Runtime) SetPlacement(p placement.Policy) {
	rt.take()
	defer rt.release()
	rt.placing = p
}

// Placement returns the policy that says which of several devices a launch runs on.
func (rt *Runtime) Placement() placement.Policy {
	rt.take()
	defer rt.release()
	return rt.placing
}

// Threshold is what part of a launch's arguments a device must have for the policy to consider it, or 0.
func (rt *Runtime) Threshold() float64 { return placement.ThresholdOf(rt.Placement()) }

// places says where the launches of a program run.
type places struct {
	one     device.Device // all of them but those of the CPU, where one is in use
	tasks   []*Task
	several []where
}

// engage notes on which devices p runs, until the function that it returns is called: those in use, and those that its
// tasks ask for.
func (rt *Runtime) engage(p Program) (over func()) {
	var more []device.Device
	for _, t := range p.Tasks {
		for _, d := range t.On {
			if !slices.Contains(rt.using, d) && !slices.Contains(more, d) {
				more = append(more, d)
			}
		}
	}
	if more == nil {
		return func() {}
	}
	rt.running, rt.among = append(slices.Clip(rt.using), more...), nil
	for _, d := range rt.running {
		if _, shares := d.(device.Sharer); !shares {
			rt.among = append(rt.among, d)
		}
	}
	return func() { rt.running, rt.among = rt.using, rt.using }
}

// candidates returns the devices of which one runs t.
func (rt *Runtime) candidates(t *Task) []device.Device {
	if h := t.host(); h != nil {
		return []device.Device{h}
	}
	if t.On != nil {
		return t.On
	}
	return rt.using
}

// where is where one task runs.
type where struct {
	device device.Device // where it runs whole
	tiles  *spread       // where it is divided; nil for a task that is not
	why    string        // it is not

	fromHost, fromOthers int64 // bytes that the planner has copied first
}

// copied notes the copies that the planner has planned.
func (w *where) copied(copies []placement.Copy) {
	for _, c := range copies {
		if c.From == placement.CPU {
			w.fromHost += c.Bytes
		} else {
			w.fromOthers += c.Bytes
		}
	}
}

// of returns where task number i of the program runs whole, or would.
func (ps places) of(i int) device.Device {
	if ps.one != nil {
		if h := ps.tasks[i].host(); h != nil {
			return h
		}
		return ps.one
	}
	return ps.several[i].device
}

// tiles returns how task number i is divided among devices; nil where it is not.
func (ps places) tiles(i int) *spread {
	if ps.one != nil {
		return nil
	}
	return ps.several[i].tiles
}

// assign decides where each task of p with launches runs: on the one device, or, of several, where the policy says,
// the large ones in parts. It takes time linear in the tasks, their arguments, parts and the devices.
//
// watch, where it is not nil, is told of each choice.
func (rt *Runtime) assign(ctx context.Context, p Program, l liveness, watch watcher) (places, error) {
	rt.choose(p)
	if len(rt.running) == 1 {
		return places{one: rt.running[0], tasks: p.Tasks}, nil
	}
	var err error
	out, choice := make([]where, len(p.Tasks)), false
	for i, t := range p.Tasks {
		if t.Launches != nil {
			of := rt.candidates(t)
			out[i].device, choice = of[0], choice || len(of) > 1
		}
	}
	if !choice {
		return places{several: out}, nil
	}
	rates := &linkRates{rt: rt, ctx: ctx}
	options := placement.Options{Devices: len(rt.among), Rates: rates, Policy: rt.placing, Turn: rt.inTurn, Whole: rt.tiling.whole}
	planner, err := placement.Planned(options, func(planner *placement.Planner) error {
		out, err = rt.submit(planner, p, l, rates, watch)
		return err
	})
	if err != nil {
		return places{}, err
	}
	rt.inTurn = planner.Turn()
	return places{several: out}, nil
}

// choose asks the tasks that choose a device themselves, each after those before it.
func (rt *Runtime) choose(p Program) {
	if !slices.ContainsFunc(p.Tasks, func(t *Task) bool { return t.Choose != nil }) {
		return
	}
	made := map[*Value]device.Device{} // by the tasks before, where; nil for the host
	has := func(v *Value, d device.Device) bool {
		if _, shares := d.(device.Sharer); shares {
			d = nil
		}
		if at, ok := made[v]; ok {
			return at == d
		}
		if d == nil {
			return !v.OnDevice()
		}
		return v.On(d)
	}
	for _, t := range p.Tasks {
		if t.Choose != nil && len(t.On) > 1 {
			d, why := t.Choose(t.On, has)
			t.On, t.Chosen = []device.Device{d}, &why
		}
		var at device.Device
		if t.Launches != nil {
			at = rt.candidates(t)[0]
			if _, shares := at.(device.Sharer); shares {
				at = nil
			}
		}
		for _, v := range t.Out {
			made[v] = at
		}
	}
}

// watcher is told of the choices of a policy: for a task, by its number, and for each part of one that is divided.
type watcher func(task int, c Candidates, chosen int)

// submit plans all of p.
func (rt *Runtime) submit(planner *placement.Planner, p Program, l liveness, rates *linkRates, watch watcher) (out []where, err error) {
	if err := rates.ctx.Err(); err != nil {
		return nil, err
	}
	out = make([]where, len(p.Tasks))
	b := &book{rt, make(map[*Value]*entry)}
	for i, t := range p.Tasks {
		if t.Launches == nil || !slices.Contains(rt.among, rt.candidates(t)[0]) {
			if t.Launches != nil {
				out[i].device = rt.candidates(t)[0]
			}
			for _, v := range t.reads() {
				planner.HostRead(b.whole(v), nil)
			}
			for _, v := range t.Out {
				planner.HostWrite(b.whole(v), nil)
			}
			continue
		}
		if watch != nil {
			planner.Watch = func(c Candidates, chosen int) { watch(i, c, chosen) }
		}
		out[i], err = b.place(planner, t, func(v *Value) bool { return l.inherits(t, i, v) })
		if rates.err != nil {
			return nil, rates.err
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// place plans one task.
func (b *book) place(planner *placement.Planner, t *Task, inherits func(v *Value) bool) (w where, err error) {
	s, why := b.rt.divide(t, b.tilesOf)
	if s != nil && why == "" {
		w.tiles = s
		err := b.spread(planner, t, s, inherits, &w)
		w.device = s.home()
		return w, err
	}
	var accesses []placement.Access
	for _, v := range t.In {
		accesses = append(accesses, b.reads(t, v))
	}
	var made []*placement.Field // of nothing
	for k, v := range t.Out {
		from := t.from(k)
		if from == nil || t.Afresh {
			made = append(made, b.made(v))
			accesses = append(accesses, placement.Writes(b.whole(v)))
			continue
		}
		if part, ok := t.part(k); ok {
			made = append(made, b.made(v))
			accesses = append(accesses, b.read(from, part), placement.Writes(b.whole(v)))
			continue
		}
		first := b.whole(from)
		if e := b.entries[from]; inherits(from) {
			b.entries[v] = e
		} else {
			b.entries[v] = &entry{field: first.Copy(), root: e.root, unit: e.unit}
			accesses = append(accesses, placement.Access{Field: first, Mode: placement.Begin})
		}
		accesses = append(accesses, placement.Updates(b.whole(v)))
	}
	v, copies, err := planner.SubmitAmong(b.rt.able(t), t.Name, accesses...)
	if err != nil {
		return w, err
	}
	w.device, w.why = b.rt.among[v.Device], why
	w.copied(slices.DeleteFunc(copies, func(c placement.Copy) bool { return slices.Contains(made, c.Field) }))
	return w, nil
}

// able returns which of the devices among which tasks are placed, by their numbers, can run t: nil for all.
func (rt *Runtime) able(t *Task) (numbers []int) {
	of := rt.candidates(t)
	if t.For == nil && slices.Equal(of, rt.among) {
		return nil
	}
	for i, d := range rt.among {
		if slices.Contains(of, d) && (t.For == nil || d == t.For || d.Properties() == t.For.Properties()) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// sharing returns which of those devices a task is divided among that is not asked for on certain ones.
func (rt *Runtime) sharing(t *Task) (numbers []int) {
	if numbers = rt.able(t); numbers == nil {
		for i := range rt.among {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// holders returns which of the devices among which tasks are placed, by their numbers, and the host have valid copies
// of all of v. What another device has comes by way of the host.
func (rt *Runtime) holders(v *Value) (in placement.Memories) {
	for i, d := range rt.among {
		if v.copies.on.of(d) != nil {
			in = in.With(i)
		}
	}
	if v.stays() || in.Empty() && len(v.copies.on) > 0 && !v.copies.split {
		in = in.With(placement.CPU)
	}
	return in
}

// linkRates are those of the links between the devices in use, measured when they are asked for first. A plan asks for
// them several times for each launch.
type linkRates struct {
	rt      *Runtime
	ctx     context.Context
	err     error
	full    bool   // a device has no room to measure them now: all ways are equal
	links   *Links // nil before they are asked for
	devices []device.Properties
}

// Rate implements placement.Rates.
func (r *linkRates) Rate(from, to int) float64 {
	if l := r.measured(); l != nil {
		return l.Rate(from, to)
	}
	return 1
}

// Together implements placement.Costs, as do Copy, Launch, Submit and Plain: by what devices say of themselves.
func (r *linkRates) Together() float64 {
	if l := r.measured(); l != nil {
		return l.Together()
	}
	return 0
}

func (r *linkRates) Copy(d int) float64   { return r.of(d).CopyTime.Seconds() }
func (r *linkRates) Launch(d int) float64 { return r.of(d).LaunchTime.Seconds() }
func (r *linkRates) Submit(d int) float64 { return r.of(d).SubmitTime.Seconds() }
func (r *linkRates) Plain(d int) float64  { return r.of(d).PageableBandwidth / 1e9 }

func (r *linkRates) of(d int) *device.Properties {
	if r.devices == nil {
		for _, d := range r.rt.among {
			r.devices = append(r.devices, d.Properties())
		}
	}
	return &r.devices[d]
}

// measured returns the links; nil where they cannot be measured, which err then says.
func (r *linkRates) measured() *Links {
	if r.links == nil && r.err == nil && !r.full {
		r.links, r.err = r.rt.linksInUse(r.ctx)
		if r.full = errors.Is(r.err, device.ErrOutOfMemory); r.full {
			r.err = nil
		}
	}
	return r.links
}

// linksInUse returns the links between the devices in use. They are measured once for the same devices. On full devices
// what has ended makes room for that, and if this is not enough, what no task that runs needs.
func (rt *Runtime) linksInUse(ctx context.Context) (*Links, error) {
	var key strings.Builder
	for _, d := range rt.among {
		fmt.Fprintln(&key, d.ID())
	}
	if l := rt.links[key.String()]; l != nil {
		return l, nil
	}
	l, err := probe(ctx, rt.among)
	for _, makeRoom := range []func(context.Context, device.Device, *recorder) error{rt.settleOn, rt.evictAll} {
		if !errors.Is(err, device.ErrOutOfMemory) {
			break
		}
		rec := newRecorder(time.Now(), &rt.memory, 0) // of no evaluation
		for _, d := range rt.among {
			if err := makeRoom(ctx, d, rec); err != nil {
				return nil, err
			}
			rt.memory.pool(d).Trim()
		}
		l, err = probe(ctx, rt.among)
	}
	if err != nil {
		return nil, fmt.Errorf("the links between the devices could not be measured: %w", err)
	}
	if rt.links == nil {
		rt.links = make(map[string]*Links)
	}
	rt.links[key.String()] = l
	return l, nil
}
