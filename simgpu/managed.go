package simgpu

import (
	"cmp"
	"container/list"
	"context"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Managed memory is the host's, as all memory of a simulated GPU. What is kept beside it is where each page is: with
// the host, or on the device, whose pages leave in the order of their last use when room is short. Which pages a launch
// touches, and from which block on, follows from the lines that its blocks touch. All of it belongs to the goroutine
// that executes.

// managedFrom is where the addresses of managed memory begin, and managedMost how many bytes there may be of it.
const (
	managedFrom = 1 << 39
	managedMost = 1 << 38
)

// pages is where the pages of a managed buffer are.
type pages struct {
	bytes  int
	on     []*list.Element // of GPU.resident, by page: nil of one that is with the host
	advice device.Advice
}

// residentPage is a page on the device.
type residentPage struct {
	of    *buffer
	page  int
	dirty bool // the host has not what it holds
}

// managedBuffer is a buffer of managed memory.
type managedBuffer struct{ *buffer }

// Memory implements device.Managed.
func (b managedBuffer) Memory() []byte { return b.data }

// Advise implements device.Managed: it takes its turn in the queue.
func (b managedBuffer) Advise(a device.Advice) {
	b.gpu.enqueue(&operation{run: func() { b.pages.advice = a }})
}

// AllocManaged implements device.Unified.
func (g *GPU) AllocManaged(bytes int) (device.Managed, error) {
	switch {
	case g.isClosed():
		return nil, fmt.Errorf("%s: %w", g.id, errClosed)
	case g.preset.PageBytes == 0:
		return nil, fmt.Errorf("%s has no managed memory whose pages move by themselves: that came with compute capability 6.0; use gpu.NewBuffer and copies", g.id)
	}
	if err := budget.For("managed memory", int64(bytes)); err != nil {
		return nil, err
	}
	g.mu.Lock()
	if g.managed.device == "" {
		g.managed = heap{device: g.id + ", managed memory", size: managedMost}
	}
	g.mu.Unlock()
	addr, err := g.managed.alloc(bytes)
	if err != nil {
		return nil, err
	}
	b := &buffer{gpu: g, addr: addr + managedFrom, size: bytes, data: make([]byte, bytes)}
	n := (bytes + g.preset.PageBytes - 1) / g.preset.PageBytes
	b.pages = &pages{bytes: g.preset.PageBytes, on: make([]*list.Element, n)}
	g.mapBuffer(b)
	g.enqueue(&operation{run: func() { g.memory.Map(b.addr, b.data) }})
	return managedBuffer{b}, nil
}

// room is how many pages the device has room for, beside what is allocated of its memory.
func (g *GPU) pageRoom() int {
	free, _ := g.MemInfo()
	return max(1, int(free/int64(g.preset.PageBytes)))
}

// migration is what came of touching pages.
type migration struct{ in, out, written int } // pages to the device, away from it, and of these such as the host had not

// bring makes a page one of the device's, and the one used last.
func (g *GPU) bring(b *buffer, page int, write bool, room int, m *migration) (fault bool) {
	e := b.pages.on[page]
	if e == nil {
		for g.resident.Len() >= room {
			g.evict(g.resident.Back(), m)
		}
		e = g.resident.PushFront(&residentPage{of: b, page: page})
		b.pages.on[page] = e
		m.in++
		fault = true
	}
	g.resident.MoveToFront(e)
	if write || b.pages.advice != device.AdviseReadMostly {
		e.Value.(*residentPage).dirty = true
	}
	return fault
}

// evict gives a page back to the host.
func (g *GPU) evict(e *list.Element, m *migration) {
	p := g.resident.Remove(e).(*residentPage)
	p.of.pages.on[p.page] = nil
	m.out++
	if p.dirty {
		m.written++
	}
}

// linkTime is how long so many pages take over the link.
func (p *Preset) linkTime(pages int) trace.Time {
	return trace.Time(float64(pages) * float64(p.PageBytes) * 1e12 / float64(p.PinnedRate))
}

// pageTouch is a page that blocks touch, from the one at a place on.
type pageTouch struct {
	block int
	of    *buffer
	page  int
	write bool
}

// managedIn returns the managed buffers of a launch.
func (g *GPU) managedIn(at *places) (out []placed) {
	for _, r := range at.regions {
		if b := g.contents[r.lo]; b != nil && b.pages != nil {
			out = append(out, placed{(r.lo + r.shift) / lineBytes, (r.hi - r.lo + lineBytes - 1) / lineBytes, b})
		}
	}
	slices.SortFunc(out, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	return out
}

// faults moves the pages that a launch touches, wave after wave of blocks, and returns when it waited for them.
func (g *GPU) faults(buffers []placed, f *footprint, wave int, length trace.Time) (list []trace.FaultBatch, remote int64) {
	p := &g.preset
	lines := uint64(p.PageBytes / lineBytes)
	known := map[[2]uint64]int{} // of touches, by first line of the page and block
	var touches []pageTouch
	f.each(func(line uint64, first int, times *lineTimes, _ uint8, written bool) {
		i, ok := slices.BinarySearchFunc(buffers, line, func(b placed, line uint64) int {
			switch {
			case line < b.first:
				return 1
			case line >= b.first+b.count:
				return -1
			}
			return 0
		})
		if !ok {
			return
		}
		page := (line - buffers[i].first) / lines
		key := [2]uint64{buffers[i].first + page*lines, uint64(first)}
		n, ok := known[key]
		if !ok {
			n = len(touches)
			known[key] = n
			touches = append(touches, pageTouch{block: first, of: buffers[i].buf, page: int(page)})
		}
		touches[n].write = touches[n].write || written
	})
	slices.SortStableFunc(touches, func(a, b pageTouch) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.page, b.page)) })
	room := g.pageRoom()
	late := trace.Time(0)
	for i := 0; i < len(touches); {
		number := touches[i].block / wave
		m, batch := migration{}, 0
		end := func() {
			if batch == 0 {
				return
			}
			at := trace.Time(float64(length)*float64(number*wave)/float64(f.blocks)) + late
			took := trace.Time(p.FaultTime)*trace.Nanosecond + p.linkTime(m.in+m.written)
			list = append(list, trace.FaultBatch{At: at, Took: took, Pages: m.in, Evicted: m.out})
			late += took
			m, batch = migration{}, 0
		}
		for ; i < len(touches) && touches[i].block/wave == number; i++ {
			t := touches[i]
			if t.of.pages.advice == device.AdviseOnHost && t.of.pages.on[t.page] == nil {
				remote += int64(p.PageBytes)
				continue
			}
			if g.bring(t.of, t.page, t.write, room, &m) {
				batch++
			}
			if batch == p.FaultBatch {
				end()
			}
		}
		end()
	}
	return list, remote
}

// Migrate implements device.Migrator.
func (s *stream) Migrate(b device.Buffer, toDevice bool) device.Event {
	name, kind := "prefetch to the host", trace.CopyOut
	if toDevice {
		name, kind = "prefetch", trace.CopyIn
	}
	buf, ok := b.(managedBuffer)
	if !ok || buf.gpu != s.gpu {
		return s.submit(name, kind, 0, nil, fmt.Errorf("%s: the buffer is not of managed memory", s.gpu.id))
	}
	g := s.gpu
	return s.submit(name, kind, 0, func(_ context.Context, at moment, e *trace.Event) error {
		m, n := migration{}, 0
		room := g.pageRoom()
		for i, on := range buf.pages.on {
			switch {
			case toDevice && i < room:
				g.bring(buf.buffer, i, false, room, &m)
			case !toDevice && on != nil:
				g.evict(on, &m)
			}
		}
		if n = m.in + m.written; !toDevice {
			n = m.written
		}
		e.Bytes = int64(n) * int64(g.preset.PageBytes)
		engine := &g.copyOut
		if toDevice {
			engine = &g.copyIn
		}
		length := g.preset.linkTime(n)
		if n > 0 {
			length += trace.Time(g.preset.CopyLatency) * trace.Nanosecond
		}
		engine.forget(at.submitted)
		e.Start, e.End = occupy(at.latest(), length, share{engine, whole})
		return nil
	}, nil)
}
