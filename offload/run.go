package offload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"weak"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Program is what one evaluation executes.
type Program struct {
	Tasks   []*Task   // each after the makers of its inputs
	Want    []*Value  // brought to the host at the end
	Planned time.Time // when planning began, for the trace; zero when nothing was planned
}

// Run executes p and returns its trace, which becomes trace.Last when there was any work. When it fails or is
// interrupted (the context is the running cell's), values made before stay valid, those of the failed run remain to
// be made, and the same program can be run again. The error of a kernel that fails is a *TaskError.
func (rt *Runtime) Run(p Program) (*trace.Log, error) {
	ctx := rt.CellContext()
	if err := rt.acquire(ctx); err != nil {
		return nil, err
	}
	defer rt.release()
	rt.memory.collect()
	rt.memory.begin()
	defer rt.engage(p)()
	defer rt.heed(ctx, p)()

	rec := newRecorder(time.Now(), &rt.memory, len(p.Tasks))
	rec.several = len(rt.running) > 1
	if rt.Cell != nil {
		rec.cell = rt.Cell()
	}
	defer func() {
		if rec.bar != nil {
			rec.bar.Done()
		}
	}()
	if !p.Planned.IsZero() {
		rec.began, rec.free = p.Planned, p.Planned
		rec.measured(trace.Overhead, "fuse and plan", p.Planned, nil)
	}
	var err error
	failed := true // also by a panic of a task's function
	defer func() {
		if failed {
			fault := new(mmap.Fault)
			rt.abandon(p.Tasks, errors.As(err, &fault)) // they may be of zeros, which a file that is cut has at its end
		}
	}()
	golabel.During(func() { err = mmap.Read(func() error { return rt.execute(ctx, p, rec) }) })
	if err != nil {
		if ctx.Err() != nil { // whatever else it may have come to
			return nil, ctx.Err()
		}
		return nil, rec.blame(err)
	}
	failed = false
	p.letSinks()
	rt.memory.settle()
	worked := len(p.Tasks) > 0 || len(rec.queued) > 0
	log := rec.finish()
	if worked {
		rt.stats.Runs++
		trace.SetLast(log)
		if rt.heard != nil {
			*rt.heard = append(*rt.heard, log)
		}
	}
	return log, nil
}

// heed lets devices that work for the run, and files that it reads and writes, know of its interrupt, until the
// function that it returns is called.
func (rt *Runtime) heed(ctx context.Context, p Program) (over func()) {
	var devices []device.Heeder
	var files map[*storage.File]func()
	for _, t := range p.Tasks {
		for _, values := range [][]*Value{t.In, t.Out} {
			for _, v := range values {
				for _, s := range []*storage.Source{v.source, v.sink} {
					if s != nil && s.File() != nil && files[s.File()] == nil {
						if files == nil {
							files = make(map[*storage.File]func())
						}
						files[s.File()] = s.File().Heed(ctx)
					}
				}
			}
		}
	}
	heeds := func(d device.Device) {
		if h, ok := d.(device.Heeder); ok {
			h.Heed(ctx)
			devices = append(devices, h)
		}
	}
	for d := range rt.streams {
		heeds(d)
	}
	for _, d := range rt.running {
		heeds(d)
	}
	return func() {
		for _, h := range devices {
			h.Heed(context.Background())
		}
		for _, over := range files {
			over()
		}
	}
}

// liveness is how long a program needs its values.
type liveness struct {
	last  map[*Value]int // the last task that reads or makes it; the number of tasks when it is wanted
	dying [][]*Value     // temporary values, at the last task that reads them
}

func livenessOf(p Program) liveness {
	l := liveness{make(map[*Value]int), make([][]*Value, len(p.Tasks))}
	for i, t := range p.Tasks {
		for _, v := range t.reads() {
			l.last[v] = i
		}
		for _, v := range t.Out {
			l.last[v] = i
		}
	}
	for _, t := range p.Tasks {
		for _, v := range t.Temporary {
			l.dying[l.last[v]] = append(l.dying[l.last[v]], v)
		}
	}
	for _, v := range p.Want {
		l.last[v] = len(p.Tasks)
	}
	return l
}

// kept reports whether v is needed by tasks from number after on, or by others later.
func (l liveness) kept(v *Value, after int) bool {
	last := l.last[v]
	return last >= after || !slices.Contains(l.dying[last], v)
}

// inherits reports whether nothing reads v after t, task number i, takes it for what its output begins with.
func (l liveness) inherits(t *Task, i int, v *Value) bool {
	reads := t.reads()
	at := slices.Index(reads, v)
	return slices.Contains(l.dying[i], v) && !slices.Contains(reads[at+1:], v)
}

// bytes is more than p needs on a device at once, however it runs: where that fits nobody need look closer.
func (p Program) bytes() (n int64) {
	for _, t := range p.Tasks {
		for _, vs := range [][]*Value{t.In, t.Out, t.From} {
			for _, v := range vs {
				if v != nil {
					n += mempool.Rounded(v.size)
				}
			}
		}
		for _, k := range t.Scratch {
			n += mempool.Rounded(k)
		}
	}
	return n
}

// large reports whether parts of p may need more than the smallest device that runs it has, as they cannot where its
// memory is the host's.
func (rt *Runtime) large(p Program) bool {
	bytes := p.bytes()
	for _, d := range rt.running {
		if _, shares := d.(device.Sharer); !shares && bytes > rt.memory.pool(d).Size() {
			return true
		}
	}
	return false
}

func (rt *Runtime) execute(ctx context.Context, p Program, rec *recorder) error {
	if err := p.checkSources(); err != nil {
		return err
	}
	l := livenessOf(p)
	dying := l.dying
	on, err := rt.assign(ctx, p, l, nil)
	if err != nil {
		return err
	}
	if err := rt.checkBudget(p, l, on); err != nil {
		return err
	}
	if err := p.openSpills(); err != nil {
		return err
	}
	if len(p.Tasks) > 0 {
		rec.log.SetGraph(graphOf(p, on))
	}
	rt.memory.last = l.last
	defer func() { rt.memory.last = nil }()
	large := rt.large(p)
	for i := 0; i < len(p.Tasks); i++ {
		t := p.Tasks[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		rt.memory.advance(i)
		rec.task = 0
		if i < maxGraph {
			rec.task = i + 1
		}
		rec.owner = t
		inherits := func(v *Value) bool { return l.inherits(t, i, v) }
		if whole, err := rt.launchTiles(ctx, on.tiles(i), t, inherits, rec); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		} else if !whole {
			for _, v := range dying[i] {
				rt.memory.forget(v)
			}
			continue
		}
		if t.Launches != nil && (large || t.streams()) {
			n, err := rt.page(ctx, on.of(i), p.Tasks, i, l, rec)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			if n > 0 {
				for range n - 1 {
					for _, v := range dying[i] {
						rt.memory.forget(v)
					}
					i++
				}
				for _, v := range dying[i] {
					rt.memory.forget(v)
				}
				continue
			}
		}
		var err error
		if t.Launches == nil {
			err = rt.runCPU(ctx, t, inherits, rec)
		} else if err = rt.launchOn(ctx, on.of(i), t, inherits, rec); errors.Is(err, device.ErrOutOfMemory) {
			cut, cause := false, err
			if cut, err = rt.pageOne(ctx, on.of(i), p.Tasks, i, l, rec); err == nil && !cut || errors.Is(err, device.ErrOutOfMemory) {
				err = rt.fallback(ctx, t, inherits, cause, rec)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		for _, v := range dying[i] {
			rt.memory.forget(v)
		}
	}
	rt.memory.advance(len(p.Tasks))
	rec.task, rec.owner = 0, nil
	if err := p.unwritten(); err != nil {
		return err
	}
	for _, v := range p.Want {
		if err := rt.fetch(ctx, v, rec); err != nil {
			return err
		}
	}
	if err := rt.sync(ctx, rec); err != nil {
		return err
	}
	return p.checkSources()
}

func (rt *Runtime) sync(ctx context.Context, rec *recorder) error {
	for _, l := range rt.streams {
		for _, s := range l.all() {
			if err := rt.wait(ctx, s, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// abandon gives up what is queued and makes the outputs of tasks unmade again, all or those that the
// host does not have; and what was copied from the host is copied again the next time.
func (rt *Runtime) abandon(tasks []*Task, all bool) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for _, l := range rt.streams {
		for _, s := range l.all() {
			s.Sync(over) // its error is the one that brought us here, or the cancellation
		}
	}
	for _, t := range tasks {
		for _, v := range t.Out {
			if v.host == nil || all {
				rt.memory.forget(v)
			}
		}
	}
	rt.memory.distrust()
	rt.memory.settle() // what comes next need not wait for what has failed
}

// launchOn queues t's kernels on d, after copies of the inputs that are not there. inherits says of a value in t.From
// that nothing reads it but t.
func (rt *Runtime) launchOn(ctx context.Context, d device.Device, t *Task, inherits func(*Value) bool, rec *recorder) error {
	d = rt.pagerFor(d, t)
	s, err := rt.streamFor(d, t)
	if err != nil {
		return err
	}
	paged, err := rt.mapOnDemand(d, t)
	if err != nil {
		return err
	}
	defer paged.free()
	held := make(map[*Value]*resident) // what the launches have of inputs
	at := paged.at
	for _, v := range t.In {
		if _, there := paged.at[v]; there {
			continue
		}
		if part, ok := t.Within[v]; ok && !rt.tiling.whole && v.copies.on.of(d) == nil && len(rt.among) > 1 && slices.Contains(rt.among, d) {
			r, addr, err := rt.bringPart(ctx, d, s, v, part, rec)
			if err != nil {
				return err
			}
			if held[v] = r; at == nil {
				at = make(map[*Value]uint64)
			}
			at[v] = addr
			continue
		}
		if err := rt.bring(ctx, d, s, v, rec); err != nil {
			return err
		}
		held[v] = v.copies.on.of(d)
	}
	var begun []int
	for i, v := range t.Out {
		if part, ok := t.part(i); ok {
			r, err := rt.beginPart(ctx, d, s, t.from(i), v, part, rec)
			if err != nil {
				return err
			}
			if id := rec.onDevice[r]; id > 0 {
				begun = append(begun, id)
			}
			continue
		}
		if from := t.from(i); from != nil && !t.Afresh {
			event, err := rt.begin(ctx, d, s, from, v, inherits(from), rec)
			if err != nil {
				return err
			}
			v.copies.on.of(d).ready(s)
			if event > 0 {
				begun = append(begun, event)
			}
			continue
		}
		if _, ok := s.(device.Adopter); ok {
			rt.memory.seek(v.size)
		}
		if _, err := rt.place(ctx, d, s, v, rec); err != nil {
			return err
		}
	}
	scratch := make([]*Value, len(t.Scratch))
	for i, n := range t.Scratch {
		scratch[i] = rt.NewValue(n)
		r, err := rt.place(ctx, d, s, scratch[i], rec)
		if err != nil {
			return err
		}
		defer rt.memory.free(r)
	}
	after, last := begun, 0
	for _, v := range t.In {
		if id := rec.onDevice[held[v]]; id > 0 {
			after = append(after, id)
		}
	}
	for _, l := range t.Launches {
		ev, err := rt.issue(d, s, l, scratch, at, rec)
		if err != nil {
			return err
		}
		last = rec.add(d, t.Name, ev, after)
		for _, v := range t.In {
			if r := held[v]; r != nil {
				rt.memory.usedBy(r, s, ev)
			}
		}
		for _, vs := range [][]*Value{t.Out, scratch} {
			for _, v := range vs {
				rt.memory.usedBy(v.copies.on.of(d), s, ev)
			}
		}
		for _, v := range t.Out {
			v.copies.on.of(d).writtenBy(s, ev)
		}
		rt.streams[d].queued(s, ev, rt.memory.run)
		after = []int{last} // the next launch reads what this one left in scratch
	}
	for _, v := range t.Out {
		rec.onDevice[v.copies.on.of(d)] = last
	}
	return nil
}

// begin makes out on d, with the contents of from, and returns the event that did.
func (rt *Runtime) begin(ctx context.Context, d device.Device, s device.Stream, from, out *Value, inherits bool, rec *recorder) (event int, err error) {
	old := from.copies.on.of(d)
	if old != nil && inherits && !(from.lent && old.block.Host != nil) {
		old.settled(s)
		from.copies.on.drop(d)
		out.copies.on.put(old)
		old.value = weak.Make(out)
		rt.memory.release(old)
		rt.memory.touch(old, out)
		return rec.onDevice[old], nil
	}
	if old == nil {
		if old = rt.peerOf(ctx, d, from); old != nil {
			return rt.copyPeer(ctx, d, old, from, out, rec)
		}
	}
	if old != nil {
		rt.memory.touch(old, from)
	} else if from.copies.split && from.host == nil {
		err := rt.joinOn(ctx, d, s, from, out, rec)
		return rec.onDevice[out.copies.on.of(d)], err
	} else if err := rt.fetch(ctx, from, rec); err != nil {
		return 0, err
	}
	r, err := rt.place(ctx, d, s, out, rec)
	if err != nil {
		return 0, err
	}
	if old != nil {
		old.ready(s)
		ev := s.CopyPeer(r.block.Buffer, 0, old.block.Buffer, 0, from.size)
		rt.memory.usedBy(old, s, ev)
		rt.memory.usedBy(r, s, ev)
		return rec.add(d, "", ev, rec.makers(d, []*Value{from})), nil
	}
	return rt.copyIn(ctx, d, s, r, from, rec)
}

// runCPU runs t's function on the host.
func (rt *Runtime) runCPU(ctx context.Context, t *Task, inherits func(*Value) bool, rec *recorder) error {
	in, out := make([][]byte, len(t.In)), make([][]byte, len(t.Out))
	for i, v := range t.In {
		if t.brings(v) {
			continue
		}
		if err := rt.fetch(ctx, v, rec); err != nil {
			return err
		}
		in[i] = v.host
	}
	for i, from := range t.From {
		if from == nil {
			continue
		}
		if err := rt.fetch(ctx, from, rec); err != nil {
			return err
		}
		if out[i] = from.host; inherits(from) && !from.lent {
			from.Host() // its memory is another's from now on
			from.host = nil
			rt.memory.unpin(from.copies)
		} else {
			out[i] = bytes.Clone(out[i])
		}
	}
	for i, v := range t.Out {
		if out[i] == nil && !(t.Puts && v.sink != nil) {
			rt.memory.seek(v.size)
			if t.Whole {
				out[i] = budget.Unset(v.size)
			} else {
				out[i] = make([]byte, v.size)
			}
		}
	}
	t0 := time.Now()
	if err := t.CPU(out, in); err != nil {
		return err
	}
	id := rec.measured(trace.Host, t.Name, t0, rec.makers(nil, t.reads()))
	rt.stats.CPUTasks++
	for i, v := range t.Out {
		rec.onHost[v] = id
		if v.host = out[i]; t.Puts && v.sink != nil {
			v.source = v.sink
		}
	}
	return nil
}

// load returns l's function as a kernel of d, loading each structure once. The cache grows with the number of
// different kernels.
func (rt *Runtime) load(d device.Device, l Launch, rec *recorder) (device.Kernel, error) {
	cache := rt.kernels[d]
	if cache == nil {
		cache = make(map[[32]byte]device.Kernel)
		rt.kernels[d] = cache
	}
	f, h := l.Func, l.Hash
	if h == [32]byte{} {
		h = f.Hash()
	}
	k := cache[h]
	if k == nil {
		t0 := time.Now()
		var err error
		if k, err = d.Load(f); errors.Is(err, device.ErrOutOfMemory) { // a driver keeps code there, too
			rt.memory.pool(d).Trim()
			k, err = d.Load(f)
		}
		if err != nil {
			return nil, err
		}
		rec.measured(trace.Overhead, "compile "+f.Name, t0, nil)
		cache[h] = k
	}
	if old, ok := k.(device.Limited); ok && l.Strict {
		if err := old.Lacks(); err != nil {
			return nil, err
		}
	}
	return k, nil
}
