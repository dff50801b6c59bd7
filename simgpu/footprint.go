package simgpu

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// footprint is the lines of device memory that a launch touches, and for each the block that runs first of those that
// touch it, and of which sectors; for lines that several touch, also when they do. It takes four bytes for each line of
// a page of 4 MB that is touched at all, and 48 more for each of some neighbours of which one is shared. Several
// goroutines may add to it; what it holds in the end does not depend on their order.
type footprint struct {
	blocks int      // of the launch
	pages  sync.Map // of *footprintPage by number
	lines  atomic.Int64
	shared atomic.Int64 // lines that more than one block touches
}

const (
	pageLines = 1 << 15
	nearLines = 1 << 8 // whose times are in one piece
)

// footprintPage has for each line the place of the block, and 1, whether others touch it too, whether any writes to it,
// and which sectors are touched as long as there is one block; 0 is nobody. The place is in steps of 1<<step() blocks.
type footprintPage struct {
	lines [pageLines]atomic.Uint32
	times [pageLines / nearLines]atomic.Pointer[[nearLines]lineTimes]
}

const (
	sharedLine  = 1 << 31
	writtenLine = 1 << 30
	sectorShift = 30 - lineSectors
	linePlace   = 1<<sectorShift - 1
	lineSectors = lineBytes / sectorBytes
	allSectors  = 1<<lineSectors - 1
)

// step returns how many bits of places are left out in entries, so that all fit: neighbours count as one block in a
// launch of 2^25 blocks or more. Up to 2^28 they are of one group, of which a sample has all or none.
func (f *footprint) step() int { return max(0, bits.Len(uint(f.blocks))-(sectorShift-1)) }

// footprintWriter adds to a footprint. It remembers where it was last.
type footprintWriter struct {
	f    *footprint
	near uint64
	page *footprintPage
}

// pageOf returns the page of a line, or nil.
func (f *footprint) pageOf(line uint64) *footprintPage {
	if page, ok := f.pages.Load(line / pageLines); ok {
		return page.(*footprintPage)
	}
	return nil
}

// add notes that the block at a place touches sectors of a line, to write or not.
func (w *footprintWriter) add(line uint64, sectors uint8, at int, writes bool) {
	if n := line / pageLines; w.page == nil || n != w.near {
		page, ok := w.f.pages.Load(n)
		if !ok {
			page, _ = w.f.pages.LoadOrStore(n, new(footprintPage))
		}
		w.near, w.page = n, page.(*footprintPage)
	}
	entry, step := &w.page.lines[line%pageLines], w.f.step()
	for {
		was := entry.Load()
		now := uint32(at>>step) + 1
		place := was & linePlace
		shared := place != 0 && place != now
		if shared {
			now = min(now, place) | sharedLine
		}
		now |= was &^ linePlace
		if now&sharedLine == 0 {
			now |= uint32(sectors) << sectorShift
		}
		if writes {
			now |= writtenLine
		}
		if was != now && !entry.CompareAndSwap(was, now) {
			continue
		}
		if was == 0 {
			w.f.lines.Add(1)
		}
		if now&^was&sharedLine != 0 {
			w.f.shared.Add(1)
			w.f.touchedAt(w.page, line, uint8(was>>sectorShift&allSectors), int(place-1)<<step)
		}
		if shared || was&sharedLine != 0 {
			w.f.touchedAt(w.page, line, sectors, at)
		}
		return
	}
}

// first returns the place of the block that runs first of those that touch a line, or -1, and whether others touch it.
func (f *footprint) first(line uint64) (at int, shared bool) {
	page := f.pageOf(line)
	if page == nil {
		return -1, false
	}
	n := page.lines[line%pageLines].Load()
	if n == 0 {
		return -1, false
	}
	return int(n&linePlace-1) << f.step(), n&sharedLine != 0
}

// each calls do for every line of the footprint, page after page: the place of the block that runs first of those that
// touch it, and when any do, if it is more than one, the sectors, and whether any writes to it.
func (f *footprint) each(do func(line uint64, first int, times *lineTimes, sectors uint8, written bool)) {
	var pages []uint64
	f.pages.Range(func(n, _ any) bool {
		pages = append(pages, n.(uint64))
		return true
	})
	slices.Sort(pages)
	step := f.step()
	for _, n := range pages {
		page := f.pageOf(n * pageLines)
		for i := range page.lines {
			if x := page.lines[i].Load(); x != 0 {
				line := n*pageLines + uint64(i)
				var times *lineTimes
				sectors := uint8(x >> sectorShift & allSectors)
				if x&sharedLine != 0 {
					times = page.timesOf(line)
					sectors = times.sectors()
				}
				do(line, int(x&linePlace-1)<<step, times, sectors, x&writtenLine != 0)
			}
		}
	}
}
