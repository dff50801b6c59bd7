package offload

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"weak"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// memory is the book of all device copies. Finding room costs one walk over the copies for each one that is moved out.
type memory struct {
	live map[*resident]struct{}
	run  int64          // number of the current run
	task int            // number of the current task in it
	last map[*Value]int // for each value of the run, the number of the last task that reads or makes it

	garbage struct { // copies whose value is gone; cleanups fill it at any time
		sync.Mutex
		list []*copies
	}
}

func (m *memory) bytes() (n int64) {
	for r := range m.live {
		n += int64(r.buf.Bytes())
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
		for _, r := range c.on {
			m.free(r)
		}
	}
}

func (m *memory) free(r *resident) {
	if _, ok := m.live[r]; !ok {
		return
	}
	delete(m.live, r)
	r.buf.Free()
	if v := r.value.Value(); v != nil {
		delete(v.copies.on, r.dev)
	}
}

// forget frees all copies of v: it is not made any more. What is queued may go on reading them, for buffers are freed in the
// order of the work.
func (m *memory) forget(v *Value) {
	v.host = nil
	for _, r := range v.copies.on {
		m.free(r)
	}
}

// touch notes that this run uses r, the copy of v.
func (m *memory) touch(r *resident, v *Value) {
	until, ok := m.last[v]
	if !ok { // scratch: for this task alone
		until = m.task
	}
	r.used, r.until = m.run, until
}

// oldest returns the copy on d that was used longest ago, of those that the rest of this run does not need; nil when there
// is none.
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

// place makes room for v on d; its contents are not valid yet. A full device first loses the copies of values that are
// gone, then those that the rest of this run does not need, the least recently used first.
func (rt *Runtime) place(ctx context.Context, d device.Device, v *Value, rec *recorder) (*resident, error) {
	buf, err := d.Alloc(v.size)
	if err != nil {
		runtime.GC() // only a collection tells which values are gone
		rt.memory.collect()
		buf, err = d.Alloc(v.size)
	}
	for err != nil {
		old := rt.memory.oldest(d)
		if old == nil {
			return nil, err
		}
		if v := old.value.Value(); v != nil && v.host == nil && len(v.copies.on) == 1 {
			if ferr := rt.fetch(ctx, v, rec); ferr != nil {
				return nil, fmt.Errorf("%w; moving an older value to the host failed: %w", err, ferr)
			}
		}
		rt.memory.free(old)
		rt.stats.Evictions++
		buf, err = d.Alloc(v.size)
	}
	r := &resident{dev: d, buf: buf, value: weak.Make(v)}
	rt.memory.touch(r, v)
	rt.memory.live[r] = struct{}{}
	v.copies.on[d] = r
	return r, nil
}
