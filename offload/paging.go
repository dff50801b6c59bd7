package offload

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// page runs the chain that begins with task number i of a program in pieces on d, if that is needed and possible, and
// returns how many tasks that were; 0 when they should be run one by one.
func (rt *Runtime) page(ctx context.Context, d device.Device, tasks []*Task, i int, l liveness, rec *recorder) (int, error) {
	all := chains(rt.together(tasks[i:]))
	size := rt.memory.pool(d).Size()
	need := l.settle(all, d, i)
	if need <= size && tasks[i].streams() {
		if n, err := rt.pageBest(ctx, d, all, rt.streamingRoom(), tasks, i, l, rec); n > 0 || err != nil || all == nil {
			return n, err
		}
	} else if need <= size { // others have what there is of it
		return 0, nil
	}
	if !rt.paging && need > size {
		return 0, &NotPaged{device.OutOfMemory{Device: d.ID(), Need: need, Free: size, Size: size}}
	}
	if err := rt.evictAll(ctx, d, rec); err != nil {
		return 0, err
	}
	room := size
	if tasks[i].streams() {
		room = rt.streamingRoom()
	}
	return rt.pageBest(ctx, d, all, room, tasks, i, l, rec)
}

// together returns those of the tasks that can run in pieces with the first: with several devices the next may be
// another one's, and beside one those of the CPU are that one's.
func (rt *Runtime) together(tasks []*Task) []*Task {
	if len(rt.running) > 1 {
		return tasks[:1]
	}
	for i, t := range tasks {
		if t.host() != tasks[0].host() {
			return tasks[:i]
		}
	}
	return tasks
}

// pageOne runs task number i of a program in pieces after all, as there was no room for it: memory that is in use, or
// in stretches that are too short, is known only then. It reports whether it could.
func (rt *Runtime) pageOne(ctx context.Context, d device.Device, tasks []*Task, i int, l liveness, rec *recorder) (bool, error) {
	if _, shares := d.(device.Sharer); shares || !rt.paging || tasks[i].Launches == nil {
		return false, nil
	}
	all := chains(tasks[i : i+1])
	if all == nil {
		return false, nil
	}
	for _, v := range tasks[i].Out {
		rt.memory.forget(v)
	}
	if err := rt.evictAll(ctx, d, rec); err != nil {
		return false, err
	}
	n, err := rt.pageBest(ctx, d, all, rt.memory.pool(d).Size(), tasks, i, l, rec)
	return n > 0, err
}

// pageBest runs the one of the chains, which begin with task number i of a program, that is foreseen to be the
// fastest, in the memory that is free, or so much of it at most. It returns how many tasks that were.
func (rt *Runtime) pageBest(ctx context.Context, d device.Device, all []*memoryPlan, room int64, tasks []*Task, i int, l liveness, rec *recorder) (int, error) {
	pool := rt.memory.pool(d)
	inUse, _ := pool.Levels()
	for free := min(pool.Size()-inUse, room); ; free /= 2 { // what is free may be in short stretches, as only trying tells
		best := rt.fastest(all, d, d, free, i, l) // its inputs may have gone too
		if best == nil {
			return 0, nil
		}
		inherits := func(task int, v *Value) bool { return l.inherits(tasks[i+task], i+task, v) }
		err := rt.runPieces(ctx, d, best, inherits, rec)
		if !errors.Is(err, device.ErrOutOfMemory) {
			return len(best.tasks), err
		}
		for _, t := range best.tasks {
			for _, v := range t.Out {
				rt.memory.forget(v)
			}
		}
	}
}

// settle settles chains that begin with task number i of l's program, and returns what the longest of them needs.
func (l liveness) settle(all []*memoryPlan, d device.Device, i int) (need int64) {
	longest := 0
	for _, p := range all {
		n := len(p.tasks)
		p.settle(d, func(v *Value) bool { return l.kept(v, i+n) }, func(from *Value) bool {
			for k, t := range p.tasks {
				if l.inherits(t, i+k, from) {
					return true
				}
			}
			return false
		})
		if n > longest {
			longest, need = n, p.whole()
		}
	}
	return need
}

// fastest returns the chain that is foreseen to end first of the longest that fit, with its pieces; nil if none does.
// What is on at counts as there, and so many bytes of d's memory are free.
func (rt *Runtime) fastest(all []*memoryPlan, d, at device.Device, free int64, i int, l liveness) (best *memoryPlan) {
	for len(all) > 0 {
		l.settle(all, at, i)
		longest := 0
		for _, p := range all {
			if p.fit(d, free, rt.pieceRows, rt.policy) {
				n := len(p.tasks)
				if n > longest || n == longest && p.took < best.took {
					longest, best = n, p
				}
			}
		}
		if best != nil {
			return best
		}
		var shorter []*memoryPlan // fewer tasks need less at once
		for _, p := range all {
			if n := len(p.tasks) / 2; n > 0 {
				shorter = append(shorter, p.firstOf(n))
			}
		}
		all = shorter
	}
	return nil
}

// evictAll makes room for pieces: what this run has not used so far goes to the host, or is gone.
func (rt *Runtime) evictAll(ctx context.Context, d device.Device, rec *recorder) error {
	Collect()
	rt.memory.collect()
	for {
		old := rt.memory.oldest(d)
		if old == nil {
			return nil
		}
		if v := old.value.Value(); v != nil && v.only(old) {
			if err := rt.fetch(ctx, v, rec); err != nil {
				return err
			}
		}
		rt.memory.free(old)
		rt.stats.Evictions++
	}
}

// NotPaged is the error of an evaluation that does not fit in the device's memory while paging is off: it was found
// out before anything ran.
type NotPaged struct{ device.OutOfMemory }

func (e *NotPaged) Error() string {
	return fmt.Sprintf("%s has %s of memory, the evaluation needs %s: let it run in pieces, with offload.Paging(true)", e.Device, device.Bytes(e.Size), device.Bytes(e.Need))
}

// Unwrap returns the device's form of the error.
func (e *NotPaged) Unwrap() error { return &e.OutOfMemory }

// Paging says whether evaluations that do not fit in a device's memory run in pieces, as they do at first.
func (rt *Runtime) Paging(on bool) {
	rt.take()
	defer rt.release()
	rt.paging = on
}

// PieceRows bounds the pieces of evaluations that do not fit in a device's memory to n rows, or to the least that
// kernels which reduce can be cut to; 0, as at first, leaves it to the policy.
func (rt *Runtime) PieceRows(n int) {
	rt.take()
	defer rt.release()
	rt.pieceRows = max(n, 0)
}

// SetPieces says how large the pieces are made where PieceRows does not.
func (rt *Runtime) SetPieces(policy PiecePolicy) {
	rt.take()
	defer rt.release()
	rt.policy = policy
}

// fallback runs t, which does not fit on the current device and cannot be cut, on the CPU.
func (rt *Runtime) fallback(ctx context.Context, t *Task, inherits func(*Value) bool, cause error, rec *recorder) error {
	d, err := rt.devices.Get("host")
	if err != nil || d == rt.current || !errors.Is(cause, device.ErrOutOfMemory) {
		return cause
	}
	for _, v := range t.Out {
		rt.memory.forget(v)
	}
	if rt.Warn != nil {
		advice := ""
		if t.Parts == nil {
			advice = ". To have it on the device, call it with parts of the arrays that fit, or take a device with more memory"
		}
		rt.Warn(fmt.Sprintf("%s runs on the CPU: %s, and %v%s", t.Name, t.uncut(), cause, advice))
	}
	if t.CPU != nil {
		return rt.runCPU(ctx, t, inherits, rec)
	}
	return rt.launchOn(ctx, d, t, inherits, rec)
}

// uncut says why t is not cut into pieces where it does not fit.
func (t *Task) uncut() string {
	if t.Parts == nil {
		return "it cannot be cut into pieces, as any part of it may need all of what it reads"
	}
	why := ""
	for i := range t.Parts.Ways() {
		c, err := t.Parts.Along(i)
		switch {
		case err != nil:
		case c.Needs != "":
			return "it cannot be cut into pieces that fit, as each needs all of " + c.Needs
		default:
			return "even its smallest pieces are too large"
		}
		if why == "" {
			why = err.Error()
		}
	}
	return "it cannot be cut into pieces, as " + why
}

func sameView(a, b partition.View) bool {
	return a.Offset == b.Offset && slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Strides, b.Strides)
}
