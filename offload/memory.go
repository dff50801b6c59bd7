package offload

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// memory is the book of all device copies. Finding room costs one walk over the copies for each one that is moved
// out.
type memory struct {
	pools map[device.Device]*mempool.Pool
	limit int64 // of bytes in use on each device; 0 for none
	live  map[*resident]struct{}
	run   int64          // number of the current run
	task  int            // number of the current task in it
	last  map[*Value]int // for each value of the run, the number of the last task that reads or makes it

	reuse reuse // of the host's pool
	made  reuse // of Go's heap

	pinned     map[device.Device]*mempool.Pinned // nil of devices that pin none
	mirrors    map[*copies]struct{}              // that have pinned memory
	mostPinned int64                             // bytes for each device

	busy   []*resident                    // that have an event of the run
	newest map[device.Stream]device.Event // of the run, of those that use copies
	later  []*resident                    // to be freed when what other devices read of them has been read

	needed map[device.Device]int64 // bytes that the current task and later ones of the run read or make
	ending map[int][]*resident     // what is counted in needed, by the last task that it is needed for

	whole []weak.Pointer[Value] // what was read whole from files, and goes when the next run begins

	garbage struct { // copies whose value is gone; cleanups fill it at any time
		sync.Mutex
		list []*copies
	}
}

// begin starts a run.
func (m *memory) begin() {
	m.run++
	m.task = 0
	m.freeLater()
	m.dropWhole()
	m.newest, m.needed, m.ending = emptied(m.newest), emptied(m.needed), emptied(m.ending)
}

// emptied returns an empty map: m, where it has not been large, as clearing takes time with the most that it has had.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if m == nil || len(m) > 100 {
		return make(map[K]V)
	}
	clear(m)
	return m
}

// advance goes on to a task of the run: what only those before it needed is no longer.
func (m *memory) advance(task int) {
	for ; m.task < task; m.task++ {
		for _, r := range m.ending[m.task] {
			m.release(r)
		}
	}
}

// release takes r out of what the run needs.
func (m *memory) release(r *resident) {
	if r.counted == m.run {
		m.needed[r.dev] -= int64(r.block.Bytes())
		r.counted = 0
	}
}

func (m *memory) bytes() (n int64) {
	for r := range m.live {
		n += int64(r.block.Bytes())
	}
	return n
}

// drop notes that the value of c is gone.
func (m *memory) drop(c *copies) {
	m.garbage.Lock()
	m.garbage.list = append(m.garbage.list, c)
	m.garbage.Unlock()
}

// collect frees the device copies of values that are gone.
func (m *memory) collect() {
	m.garbage.Lock()
	list := m.garbage.list
	m.garbage.list = nil
	m.garbage.Unlock()
	for _, c := range list {
		m.unpin(c)
		for r := range c.each {
			m.free(r)
		}
	}
}

func (m *memory) free(r *resident) {
	if _, ok := m.live[r]; !ok {
		return
	}
	delete(m.live, r)
	m.release(r)
	// What is done by now depends on the machine that models a device, and the times of the model must not.
	if len(r.beside) == 0 || !m.pools[r.dev].Modelled() && r.over() {
		m.give(m.pools[r.dev], r)
	} else {
		m.later = append(m.later, r)
	}
	if v := r.value.Value(); v != nil {
		v.copies.lose(r)
	}
}

// freeOf frees r, a copy of v that nobody else has: deferred, it keeps v until then. A copy of a value that the
// collector has found gone is freed as soon as another one needs room.
func (m *memory) freeOf(v *Value, r *resident) {
	m.free(r)
	runtime.KeepAlive(v)
}

// give gives the memory of r back to its pool. Pieces of the pool that lie beside each other are joined and keep one
// event: that of the one that was freed later. It must be the later one on its stream too, so it is the newest there.
func (m *memory) give(pool *mempool.Pool, r *resident) {
	last := r.last
	if newest := m.newest[r.stream]; last != nil && newest != nil {
		last = newest
	}
	pool.Free(r.block, r.stream, last)
}

// usedBy notes that ev, queued on s, reads or writes r.
func (m *memory) usedBy(r *resident, s device.Stream, ev device.Event) {
	m.newest[s] = ev
	if r.last == nil {
		m.busy = append(m.busy, r)
	} else if r.stream != s {
		r.beside = append(slices.DeleteFunc(r.beside, func(u usage) bool { return u.stream == s }), usage{r.stream, r.last})
	}
	r.stream, r.last = s, ev
}

// usage is something queued on a stream.
type usage struct {
	stream device.Stream
	event  device.Event // nil for nothing, or what is over
}

// over reports whether all uses of r but the last are: then its memory can be used again after that.
func (r *resident) over() bool {
	r.beside = slices.DeleteFunc(r.beside, func(u usage) bool { return u.event.Done() })
	return len(r.beside) == 0
}

// waiting reports whether memory of d is to be freed when what reads it is done.
func (m *memory) waiting(d device.Device) bool {
	return slices.ContainsFunc(m.later, func(r *resident) bool { return r.dev == d })
}

// freeLater frees what nothing reads any more.
func (m *memory) freeLater() {
	m.later = slices.DeleteFunc(m.later, func(r *resident) bool {
		pool := m.pools[r.dev]
		if pool != nil && !r.over() {
			return false
		}
		if pool != nil { // its device has not lost its memory meanwhile
			m.give(pool, r)
		}
		return true
	})
}

// ready lets what is queued on s from now on read r.
func (r *resident) ready(s device.Stream) {
	r.begun(s)
	for _, u := range r.along {
		r.after(s, u)
	}
}

// begun lets what is queued on s from now on write parts of r that nothing else reads or writes.
func (r *resident) begun(s device.Stream) { r.after(s, r.made) }

// after lets s wait for what has written r or a part of it.
func (r *resident) after(s device.Stream, u usage) {
	if u.event != nil && u.stream != s && !slices.Contains(r.known, usage{s, u.event}) {
		s.Wait(u.event) // also when it is done: the times of a model come from that
		r.known = append(r.known, usage{s, u.event})
	}
}

// writtenBy notes that ev, queued on s, writes r.
func (r *resident) writtenBy(s device.Stream, ev device.Event) {
	r.made, r.along, r.known = usage{s, ev}, nil, nil
}

// partlyWrittenBy notes that ev, queued on s, writes a part of r beside others.
func (r *resident) partlyWrittenBy(s device.Stream, ev device.Event) {
	r.along = append(slices.DeleteFunc(r.along, func(u usage) bool { return u.stream == s }), usage{s, ev})
}

// settled lets what is queued on s from now on write r.
func (r *resident) settled(s device.Stream) {
	if r.last != nil && r.stream != s {
		s.Wait(r.last)
	}
	for _, u := range r.beside {
		if u.stream != s {
			s.Wait(u.event)
		}
	}
}

// settle lets go of the events of a run that is over. Of one that was given up some may not be done yet.
func (m *memory) settle() {
	m.busy = slices.DeleteFunc(m.busy, func(r *resident) bool {
		if !r.over() || r.last != nil && !r.last.Done() || r.made.event != nil && !r.made.event.Done() {
			return false
		}
		r.last, r.made, r.along, r.known = nil, usage{}, nil, nil
		r.block.Settle()
		return true
	})
	m.freeLater()
	for _, p := range m.pools {
		p.Settle()
	}
}

// forget frees all copies of v: it is not made any more. What is queued may go on reading them, for buffers are freed
// in the order of the work.
func (m *memory) forget(v *Value) {
	v.dropSpill()
	v.host, v.source = nil, nil
	m.unpin(v.copies)
	for r := range v.copies.each {
		m.free(r)
	}
}

// distrust frees what this run has copied of values that are elsewhere too: it was given up, and a copy may not have
// come to be.
func (m *memory) distrust() {
	for r := range m.live {
		v := r.value.Value()
		switch {
		case v == nil || r.block.Host != nil:
		case r.since == m.run:
			if v.safe(m.run) {
				m.free(r)
			}
		case r.tile != nil && r.tile.filled == m.run:
			r.tile.valid = r.tile.before
		}
	}
}

// touch notes that this run uses r, the copy of v.
func (m *memory) touch(r *resident, v *Value) {
	until, ok := m.last[v]
	if !ok { // scratch: for this task alone
		until = m.task
	}
	r.used, r.until = m.run, until
	if r.counted != m.run {
		r.counted = m.run
		m.needed[r.dev] += int64(r.block.Bytes())
		m.ending[until] = append(m.ending[until], r)
	}
}

// oldest returns the copy on d that was used longest ago, of those that the rest of this run does not need; nil when
// there is none.
func (m *memory) oldest(d device.Device) *resident {
	var old *resident
	for r := range m.live {
		needed := r.used == m.run && r.until >= m.task
		if r.dev == d && !needed && (old == nil || r.used < old.used) {
			old = r
		}
	}
	return old
}

// firstReserve is how much of a device is set aside at first: at most this, and no more than half.
const firstReserve = 64 << 20

// pool returns d's memory.
func (m *memory) pool(d device.Device) *mempool.Pool {
	p := m.pools[d]
	if p == nil {
		o := mempool.Options{Initial: firstReserve}
		if _, shares := d.(device.Sharer); !shares {
			o.Initial, o.Limit = min(o.Initial, d.Properties().MemoryBytes/2), m.limit
		}
		p = mempool.New(d, o)
		m.pools[d] = p
	}
	return p
}

// slowAlloc is how long finding memory takes before it is an event of its own.
const slowAlloc = 20 * time.Microsecond

// place makes room for v, whose contents are not valid yet, on d for work on s.
func (rt *Runtime) place(ctx context.Context, d device.Device, s device.Stream, v *Value, rec *recorder) (*resident, error) {
	block, err := rt.room(ctx, d, s, v.size, rec)
	if err != nil {
		return nil, err
	}
	return rt.hold(d, s, v, block, rec), nil
}

// hold notes that block is v's copy on d.
func (rt *Runtime) hold(d device.Device, s device.Stream, v *Value, block *mempool.Block, rec *recorder) *resident {
	r := &resident{dev: d, block: block, stream: s, value: weak.Make(v), since: rt.memory.run, cell: rec.cell}
	if rec.owner != nil {
		r.maker = rec.owner.Name
	}
	rt.memory.touch(r, v)
	rt.memory.live[r] = struct{}{}
	v.copies.on.put(r)
	return r
}

// room finds memory. A full device first loses the copies of values that are gone, then those that the rest of this
// run does not need, the least recently used first.
func (rt *Runtime) room(ctx context.Context, d device.Device, s device.Stream, bytes int, rec *recorder) (*mempool.Block, error) {
	t0 := time.Now()
	defer func() {
		if time.Since(t0) >= slowAlloc {
			rec.measured(trace.Alloc, "room for "+device.Bytes(int64(bytes)), t0, nil)
		}
	}()
	pool := rt.memory.pool(d)
	rt.memory.look(pool, bytes)
	block, err := pool.Alloc(bytes, s)
	if err != nil && errors.Is(err, device.ErrOutOfMemory) && rt.memory.waiting(d) {
		if serr := rt.settleOn(ctx, d, rec); serr != nil {
			return nil, serr
		}
		block, err = pool.Alloc(bytes, s)
	}
	if err != nil && errors.Is(err, device.ErrOutOfMemory) {
		Collect() // only a collection tells which values are gone
		rt.memory.collect()
		block, err = pool.Alloc(bytes, s)
	}
	_, shares := d.(device.Sharer) // then its values are on the host already
	for waited := false; err != nil && errors.Is(err, device.ErrOutOfMemory); {
		old := rt.memory.oldest(d)
		if old == nil || shares {
			if waited {
				return nil, err
			}
			waited = true // what has been freed may still be in use: when it is not, the pool can be cut anew
			if serr := rt.settleOn(ctx, d, rec); serr != nil {
				return nil, serr
			}
			pool.Trim()
			block, err = pool.Alloc(bytes, s)
			continue
		}
		if v := old.value.Value(); v != nil && v.only(old) {
			if ferr := rt.fetch(ctx, v, rec); ferr != nil {
				return nil, fmt.Errorf("%w; moving an older value to the host failed: %w", err, ferr)
			}
		}
		rt.memory.free(old)
		rt.stats.Evictions++
		block, err = pool.Alloc(bytes, s)
	}
	return block, err
}

// settleOn waits until d has done what is queued, and frees what that used.
func (rt *Runtime) settleOn(ctx context.Context, d device.Device, rec *recorder) error {
	if l := rt.streams[d]; l != nil {
		for _, s := range l.all() {
			if err := rt.wait(ctx, s, rec); err != nil {
				return err
			}
		}
	}
	rt.memory.freeLater()
	return nil
}

// Collect collects garbage and waits until the cleanups of what it found have run, or have got no further for 100 ms,
// as where one of the program's waits: after it the runtime knows what values are gone.
func Collect() {
	const patience, step = 100 * time.Millisecond, 50 * time.Microsecond
	runtime.GC()
	counts := []metrics.Sample{{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
	metrics.Read(counts)
	queued, ran, since := counts[0].Value.Uint64(), counts[1].Value.Uint64(), time.Now()
	for ran < queued && time.Since(since) < patience {
		time.Sleep(step)
		metrics.Read(counts[1:])
		if now := counts[1].Value.Uint64(); now != ran {
			ran, since = now, time.Now()
		}
	}
}
