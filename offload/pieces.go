package offload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// Pieces says how a task's work is cut along the rows of its values, so that values that do not fit in a device's memory
// stream through it.
type Pieces struct {
	Rows  int
	Align int // pieces have a multiple of so many rows; 0 for any
	// In and Out are the bytes of one row of each of the task's inputs and outputs; 0 of those that every piece sees whole.
	In, Out []int
	// Launches makes the kernels for rows lo to lo+rows; pointers to values that are cut are to row lo.
	Launches func(lo, rows int) []Launch
	// Last makes what runs once all pieces have run.
	Last []Launch
}

// pipeline returns how many of the tasks can go through the device together, piece by piece: they are cut into as many rows,
// and none reads whole what another makes.
func pipeline(tasks []*Task) int {
	whole := make(map[*Value]bool) // made by one of them, but not in pieces
	for i, t := range tasks {
		if t.Pieces == nil || t.Pieces.Rows != tasks[0].Pieces.Rows {
			return i
		}
		for k, v := range t.In {
			if whole[v] || t.Pieces.In[k] == 0 && madeBy(tasks[:i], v) {
				return i
			}
		}
		for k, v := range t.Out {
			if t.Pieces.Out[k] == 0 {
				whole[v] = true
			}
		}
	}
	return len(tasks)
}

func madeBy(tasks []*Task, v *Value) bool {
	for _, t := range tasks {
		for _, out := range t.Out {
			if out == v {
				return true
			}
		}
	}
	return false
}

// use is what a pipeline does with one value.
type use struct {
	v           *Value
	row         int // bytes; 0 of a value that is whole
	first, last int // tasks that make or read it
	made        bool
	kept        bool // it is brought to the host, piece by piece
	there       bool // the device has it
	in          *use // whose memory it has: its own, or that of one between that nothing reads any more
}

// memoryPlan says what the pieces of a pipeline need.
type memoryPlan struct {
	uses  []*use
	rows  int   // of all
	fixed int64 // bytes that stay through all pieces
	there int64 // bytes of what the device has already
	row   int64 // bytes of a row of all that the device does not have

	tasks   []*Task
	piece   int           // rows
	in, out int           // how many pieces of what is copied in and out have room at once: with two, copies go beside kernels
	took    time.Duration // foreseen
}

// planMemory adds up what tasks, a pipeline, need on a device. kept says of an output that it is needed afterwards.
func planMemory(tasks []*Task, d device.Device, kept func(*Value) bool) *memoryPlan {
	p := &memoryPlan{tasks: tasks, rows: tasks[0].Pieces.Rows, in: 1, out: 1}
	of := make(map[*Value]*use)
	note := func(v *Value, row, task int, made bool) {
		u := of[v]
		if u == nil {
			u = &use{v: v, row: row, first: task, made: made, kept: made && kept(v)}
			of[v], p.uses = u, append(p.uses, u)
		}
		u.last = task
	}
	align := 1
	for i, t := range tasks {
		for k, v := range t.In {
			note(v, t.Pieces.In[k], i, false)
		}
		for k, v := range t.Out {
			note(v, t.Pieces.Out[k], i, true)
		}
		for _, n := range t.Scratch {
			p.fixed += mempool.Rounded(n)
		}
		align = lcm(align, max(t.Pieces.Align, 1))
	}
	for _, u := range p.uses {
		switch {
		case u.row == 0:
			p.fixed += mempool.Rounded(u.v.size)
		case u.made:
			if u.in = p.over(u); u.in == u {
				p.row += int64(u.row)
			}
		case u.v.copies.on[d] == nil:
			p.row += int64(u.row)
		default:
			u.there = true
			p.there += mempool.Rounded(u.v.size)
		}
	}
	p.piece = align
	return p
}

// over returns a value between the tasks whose memory u can have, as its last reader comes before u's maker; u if there is none.
func (p *memoryPlan) over(u *use) *use {
	for _, old := range p.uses {
		if u.kept || old.in != old || old.kept || old.row != u.row || old == u {
			continue
		}
		free := true
		for _, other := range p.uses { // which has it too
			if other.in == old && other.last >= u.first {
				free = false
			}
		}
		if free {
			return old
		}
	}
	return u
}

// whole is how much memory the pipeline needs when it is not cut.
func (p *memoryPlan) whole() int64 { return p.fixed + p.there + p.row*int64(p.rows) }

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// slot is memory for the pieces of one value.
type slot struct {
	block *mempool.Block
	last  device.Event // that used it
	on    device.Stream
}

// runPieces streams a pipeline through device d.
func (rt *Runtime) runPieces(ctx context.Context, d device.Device, tasks []*Task, p *memoryPlan, rec *recorder) (err error) {
	compute, err := rt.stream(d)
	if err != nil {
		return err
	}
	l := rt.streams[d]
	if err := l.open(d); err != nil {
		return err
	}
	pool := rt.memory.pool(d)
	slots := make(map[*Value][]*slot)
	free := func(s *slot) { pool.Free(s.block, s.on, s.last) }
	defer func() {
		for _, ss := range slots {
			for _, s := range ss {
				free(s)
			}
		}
	}()
	host, sources, pinned := make(map[*Value][]byte), make(map[*Value][]byte), make(map[*Value]*mempool.PinnedBlock)
	for _, u := range p.uses { // the host's side first: what must come from elsewhere
		switch {
		case u.row == 0 && !u.made:
			if err := rt.bring(ctx, d, compute, u.v, rec); err != nil {
				return err
			}
		case u.row == 0:
			if _, err := rt.place(ctx, d, compute, u.v, rec); err != nil {
				return err
			}
		case !u.made && u.v.copies.on[d] == nil:
			if err := rt.fetch(ctx, u.v, rec); err != nil {
				return err
			}
			sources[u.v], pinned[u.v] = rt.source(d, u.v, rec)
		case u.kept:
			host[u.v] = make([]byte, u.v.size)
		}
	}
	scratch := make(map[*Task][]*Value)
	for _, t := range tasks {
		for _, n := range t.Scratch {
			v := rt.NewValue(n)
			r, err := rt.place(ctx, d, compute, v, rec)
			if err != nil {
				return err
			}
			defer rt.memory.free(r)
			scratch[t] = append(scratch[t], v)
		}
	}
	// get returns a value's slot for a piece, which work on s may use after what used it last.
	get := func(u *use, k int, s device.Stream) (*slot, error) {
		n := p.slots(u)
		of := u.v
		if u.in != nil {
			of = u.in.v
		}
		ss := slots[of]
		if len(ss) <= k%n {
			block, err := rt.room(ctx, d, s, p.piece*u.row, rec)
			if err != nil {
				return nil, err
			}
			slots[of] = append(ss, &slot{block: block, on: s})
			return slots[of][k%n], nil
		}
		got := ss[k%n]
		if got.last != nil && got.on != s {
			s.Wait(got.last)
		}
		return got, nil
	}
	at := make(map[*Value]uint64)
	for k, lo := 0, 0; lo < p.rows; k, lo = k+1, lo+p.piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := min(p.piece, p.rows-lo)
		now := make(map[*Value]*slot)
		for i, t := range tasks {
			rec.owner = t
			for _, u := range p.uses {
				switch r := u.v.copies.on[d]; {
				case u.first != i:
				case r != nil:
					rt.memory.touch(r, u.v)
					at[u.v] = r.block.Addr() + uint64(lo*u.row)
				default:
					s := compute
					if !u.made {
						s = l.in
					}
					got, err := get(u, k, s)
					if err != nil {
						return err
					}
					now[u.v], at[u.v] = got, got.block.Addr()
					if !u.made {
						ev, name := l.in.CopyIn(got.block.Buffer, 0, sources[u.v][lo*u.row:(lo+rows)*u.row]), "copy in, piece %d"
						if b := pinned[u.v]; b != nil {
							b.UsedBy(ev)
							name = "copy in, pinned, piece %d"
							rt.stats.PinnedIn += int64(rows * u.row)
						}
						rec.add(d, fmt.Sprintf(name, k+1), ev, nil)
						rt.stats.CopiesIn++
						rt.stats.BytesIn += int64(rows * u.row)
						compute.Wait(ev)
						got.last, got.on = ev, l.in
					}
				}
			}
			ev, err := rt.launchAll(d, compute, t, t.Pieces.Launches(lo, rows), scratch[t], at, fmt.Sprintf("%s, piece %d", t.Name, k+1), rec)
			if err != nil {
				return err
			}
			for _, vs := range [][]*Value{t.In, t.Out} {
				for _, v := range vs {
					if s := now[v]; s != nil {
						s.last, s.on = ev, compute
					} else if r := v.copies.on[d]; r != nil {
						rt.memory.usedBy(r, compute, ev)
					}
				}
			}
			for _, u := range p.uses {
				if !u.kept || u.row == 0 || u.first != i {
					continue
				}
				s := now[u.v]
				l.out.Wait(ev)
				out := l.out.CopyOut(host[u.v][lo*u.row:(lo+rows)*u.row], s.block.Buffer, 0)
				rec.add(d, fmt.Sprintf("copy out, piece %d", k+1), out, nil)
				rt.stats.CopiesOut++
				rt.stats.BytesOut += int64(rows * u.row)
				if u.last == i { // later tasks read it too, and end after the copy has begun at least
					s.last, s.on = out, l.out
				} else {
					compute.Wait(out)
				}
			}
		}
		rt.stats.Pieces++
	}
	for _, t := range tasks {
		if len(t.Pieces.Last) == 0 {
			continue
		}
		rec.owner = t
		ev, err := rt.launchAll(d, compute, t, t.Pieces.Last, scratch[t], nil, t.Name, rec)
		if err != nil {
			return err
		}
		for _, v := range t.Out {
			if r := v.copies.on[d]; r != nil {
				rt.memory.usedBy(r, compute, ev)
			}
		}
	}
	if err := rt.sync(ctx, rec); err != nil {
		return err
	}
	for v, b := range host {
		v.host = b
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

// page runs the pipeline that begins with tasks[0] in pieces, if that is needed and possible, and returns how many tasks that
// were; 0 when they should be run one by one.
func (rt *Runtime) page(ctx context.Context, tasks []*Task, kept func(v *Value, after int) bool, rec *recorder) (int, error) {
	d := rt.current
	if _, shares := d.(device.Sharer); shares || tasks[0].Pieces == nil {
		return 0, nil
	}
	n := pipeline(tasks)
	if n == 0 {
		return 0, nil
	}
	plan := planMemory(tasks[:n], d, func(v *Value) bool { return kept(v, n) })
	size := rt.memory.pool(d).Size()
	if plan.whole() <= size {
		return 0, nil
	}
	if !rt.paging {
		return 0, &NotPaged{device.OutOfMemory{Device: d.ID(), Need: plan.whole(), Free: size, Size: size}}
	}
	if err := rt.evictAll(ctx, d, rec); err != nil {
		return 0, err
	}
	plan = planMemory(tasks[:n], d, func(v *Value) bool { return kept(v, n) }) // its inputs may have gone too
	inUse, _ := rt.memory.pool(d).Levels()
	if !plan.fit(d, size-inUse, rt.pieceRows, rt.policy) {
		return 0, nil
	}
	return n, rt.runPieces(ctx, d, tasks[:n], plan, rec)
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
		if v := old.value.Value(); v != nil && v.host == nil && len(v.copies.on) == 1 {
			if err := rt.fetch(ctx, v, rec); err != nil {
				return err
			}
		}
		rt.memory.free(old)
		rt.stats.Evictions++
	}
}

// NotPaged is the error of an evaluation that does not fit in the device's memory while paging is off: it was found out before
// anything ran.
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

// PieceRows bounds the pieces of evaluations that do not fit in a device's memory to n rows, or to the least that kernels
// which reduce can be cut to; 0, as at first, leaves it to the policy.
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
		rt.Warn(fmt.Sprintf("%s runs on the CPU: it cannot be cut into pieces, and %v", t.Name, cause))
	}
	if t.CPU != nil {
		return rt.runCPU(ctx, t, inherits, rec)
	}
	return rt.launchOn(ctx, d, t, inherits, rec)
}
