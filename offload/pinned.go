package offload

import (
	"time"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What is copied to a device again and again, as the inputs of an evaluation in pieces that is repeated, or what had to
// make room, is kept in pinned memory too: with its second copy the CPU copies it there once, and all copies from then
// on begin there. The host's own memory stays as it is, for arrays and the slices that cells have of them live there:
// pinned is a second copy, which nobody else sees and which can be taken away at any time.
const (
	leastPinned = 1 << 18 // bytes; below it latency decides, not the rate
	mostPinned  = 1 << 30 // bytes for each device, at first
)

// mirror is a value's copy in pinned memory.
type mirror struct {
	block *mempool.PinnedBlock
	pool  *mempool.Pinned
}

// pinnedPool returns the pinned memory of d, nil where there is none.
func (m *memory) pinnedPool(d device.Device) *mempool.Pinned {
	p, ok := m.pinned[d]
	if !ok {
		p = mempool.NewPinned(d, m.mostPinned)
		m.pinned[d] = p
	}
	return p
}

// mirrorOn returns v's copy in memory that is pinned for d, or nil.
func (m *memory) mirrorOn(d device.Device, v *Value) *mempool.PinnedBlock {
	c := v.copies
	if c.pinned.block == nil || c.pinned.pool != m.pinned[d] {
		return nil
	}
	return c.pinned.block
}

// source returns what to copy v to d from: its memory on the host, or pinned memory that has the same, which block then
// is.
func (rt *Runtime) source(d device.Device, v *Value, rec *recorder) (from []byte, block *mempool.PinnedBlock) {
	m := &rt.memory
	if b := m.mirrorOn(d, v); b != nil {
		return b.Bytes, b
	}
	if v.source != nil { // a file that is larger than memory would be there as a whole
		return v.host, nil
	}
	v.copies.copied++
	if v.copies.copied < 2 || v.size < leastPinned || v.copies.pinned.block != nil {
		return v.host, nil
	}
	pool := m.pinnedPool(d)
	if pool == nil {
		return v.host, nil
	}
	if budget.Limited("memory that is pinned", int64(v.size)) != nil {
		return v.host, nil
	}
	t0 := time.Now()
	b := pool.Alloc(v.size)
	if b == nil {
		return v.host, nil
	}
	copy(b.Bytes, v.host)
	v.copies.pinned = mirror{b, pool}
	m.mirrors[v.copies] = struct{}{}
	rec.measured(trace.Host, "to pinned memory", t0, rec.makers(nil, []*Value{v}))
	return b.Bytes, b
}

// unpin gives back the pinned memory of c.
func (m *memory) unpin(c *copies) {
	if c.pinned.block == nil {
		return
	}
	c.pinned.pool.Free(c.pinned.block)
	c.pinned = mirror{}
	delete(m.mirrors, c)
}

// losePinned forgets the memory that was pinned for d, which has lost it.
func (m *memory) losePinned(d device.Device) {
	for c := range m.mirrors {
		if c.pinned.pool == m.pinned[d] {
			c.pinned = mirror{}
			delete(m.mirrors, c)
		}
	}
	delete(m.pinned, d)
}

// SetPinnedLimit bounds the memory of the host that is pinned for each device, so that what is copied there again and
// again is copied faster; 0 turns that off, and gives back what is pinned. It is 1 GiB at first.
func (rt *Runtime) SetPinnedLimit(bytes int64) {
	rt.take()
	defer rt.release()
	m := &rt.memory
	m.mostPinned = max(bytes, 0)
	if m.mostPinned == 0 {
		for c := range m.mirrors {
			m.unpin(c)
		}
	}
	for _, p := range m.pinned {
		if p != nil {
			p.SetLimit(m.mostPinned)
		}
	}
}

// Pinned reports whether v is in memory that is pinned for d.
func (rt *Runtime) Pinned(v *Value, d device.Device) bool {
	rt.take()
	defer rt.release()
	return rt.memory.mirrorOn(d, v) != nil
}
