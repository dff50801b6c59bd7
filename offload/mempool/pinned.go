package mempool

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/poison"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Pinned gives out memory of the host that a device copies from faster than from other memory. It has a limit, as what
// is pinned is the system's no more: a program that pins much slows all others. Its methods are for one goroutine at a
// time.
type Pinned struct {
	from  device.Pinner
	limit int64
	stats PinnedStats
	free  []*PinnedBlock // what came back, the oldest first
}

// PinnedBlock is some pinned memory.
type PinnedBlock struct {
	Bytes []byte
	whole []byte
	last  device.Event
}

// PinnedStats is what is pinned.
type PinnedStats struct {
	InUse int64 // bytes of blocks that are given out
	Kept  int64 // bytes of those that came back and can be given out again
	Limit int64
}

const (
	pinnedStep = 1 << 16 // what sizes are rounded up to
	pinnedKept = 4       // of the limit, that part is kept at most when blocks have come back
)

// NewPinned returns the pinned memory of d, up to so many bytes; nil where d has none.
func NewPinned(d device.Device, limit int64) *Pinned {
	p, ok := d.(device.Pinner)
	if !ok {
		return nil
	}
	return &Pinned{from: p, limit: limit}
}

// Alloc returns a block of so many bytes with anything in them; nil where the limit, or the device, does not give as
// much.
func (p *Pinned) Alloc(bytes int) *PinnedBlock {
	need := (int64(bytes) + pinnedStep - 1) / pinnedStep * pinnedStep
	i := slices.IndexFunc(p.free, func(b *PinnedBlock) bool { return int64(len(b.whole)) == need && b.done() })
	if i >= 0 {
		b := p.free[i]
		p.free = slices.Delete(p.free, i, i+1)
		p.stats.Kept -= need
		p.stats.InUse += need
		b.Bytes = b.whole[:bytes]
		poison.Fill(b.whole) // what copied from it when it came back is done
		return b
	}
	p.giveBack(p.limit - p.stats.InUse - need)
	if p.stats.InUse+p.stats.Kept+need > p.limit {
		return nil
	}
	whole, err := p.from.HostAlloc(int(need))
	if err != nil {
		return nil
	}
	p.stats.InUse += need
	return &PinnedBlock{Bytes: whole[:bytes], whole: whole}
}

// UsedBy notes that ev copies from b.
func (b *PinnedBlock) UsedBy(ev device.Event) { b.last = ev }

// done reports whether nothing copies from b any more.
func (b *PinnedBlock) done() bool {
	if b.last != nil && b.last.Done() {
		b.last = nil
	}
	return b.last == nil
}

// Free takes b back: to be given out again, once nothing copies from it.
func (p *Pinned) Free(b *PinnedBlock) {
	n := int64(len(b.whole))
	if b.done() {
		poison.Fill(b.whole)
	}
	p.stats.InUse -= n
	p.stats.Kept += n
	p.free = append(p.free, b)
	p.giveBack(p.limit / pinnedKept)
}

// giveBack gives the device what is kept beyond so many bytes.
func (p *Pinned) giveBack(keep int64) {
	p.free = slices.DeleteFunc(p.free, func(b *PinnedBlock) bool {
		if p.stats.Kept <= keep || !b.done() || p.from.HostFree(b.whole) != nil {
			return false
		}
		p.stats.Kept -= int64(len(b.whole))
		return true
	})
}

// SetLimit bounds the bytes that are pinned. What is in use beyond it stays until it comes back.
func (p *Pinned) SetLimit(bytes int64) {
	p.limit = bytes
	p.giveBack(min(bytes/pinnedKept, bytes-p.stats.InUse))
}

// Stats returns what is pinned now.
func (p *Pinned) Stats() PinnedStats {
	s := p.stats
	s.Limit = p.limit
	return s
}
