package simgpu

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// footprint is the lines of device memory that a launch, or a part of it, touches, and for each the block that runs
// first of those that touch it. It takes four bytes for each line of a page of 4 MB that is touched at all. Several
// goroutines may add to it.
type footprint struct {
	pages  sync.Map // of *footprintPage by number
	lines  atomic.Int64
	shared atomic.Int64 // lines that more than one block touches
}

const pageLines = 1 << 15

// footprintPage has for each line the place of the block, and 1, whether others touch it too, and whether any writes to
// it; 0 is nobody.
type footprintPage [pageLines]atomic.Uint32

const (
	sharedLine  = 1 << 31
	writtenLine = 1 << 30
	linePlace   = writtenLine - 1
)

// footprintWriter adds to a footprint. It remembers where it was last.
type footprintWriter struct {
	f    *footprint
	near uint64
	page *footprintPage
}

// add notes that the block at a place touches a line, to write or not.
func (w *footprintWriter) add(line uint64, at int, writes bool) {
	if n := line / pageLines; w.page == nil || n != w.near {
		page, ok := w.f.pages.Load(n)
		if !ok {
			page, _ = w.f.pages.LoadOrStore(n, new(footprintPage))
		}
		w.near, w.page = n, page.(*footprintPage)
	}
	entry := &w.page[line%pageLines]
	for {
		was := entry.Load()
		now := uint32(at)&linePlace + 1
		if place := was & linePlace; was != 0 && place != now {
			now = min(now, place) | sharedLine
		}
		now |= was &^ linePlace
		if writes {
			now |= writtenLine
		}
		if was == now {
			return
		}
		if entry.CompareAndSwap(was, now) {
			if was == 0 {
				w.f.lines.Add(1)
			}
			if now&^was&sharedLine != 0 {
				w.f.shared.Add(1)
			}
			return
		}
	}
}

// first returns the place of the block that runs first of those that touch a line, or -1, and whether others touch it.
func (f *footprint) first(line uint64) (at int, shared bool) {
	page, ok := f.pages.Load(line / pageLines)
	if !ok {
		return -1, false
	}
	n := page.(*footprintPage)[line%pageLines].Load()
	return int(n&linePlace) - 1, n&sharedLine != 0
}

// each calls do for every line of the footprint, page after page: the place of the block that runs first of those that
// touch it, and whether others do too, and whether any writes to it.
func (f *footprint) each(do func(line uint64, first int, shared, written bool)) {
	var pages []uint64
	f.pages.Range(func(n, _ any) bool {
		pages = append(pages, n.(uint64))
		return true
	})
	slices.Sort(pages)
	for _, n := range pages {
		page, _ := f.pages.Load(n)
		for i := range page.(*footprintPage) {
			if x := page.(*footprintPage)[i].Load(); x != 0 {
				do(n*pageLines+uint64(i), int(x&linePlace)-1, x&sharedLine != 0, x&writtenLine != 0)
			}
		}
	}
}

// others is the blocks of a launch that are not in the part of it that is timed, as L2 of that part sees them: lines
// that they have touched before are there, as far as L2 has room for all lines.
type others struct {
	launch *footprint
	part   map[int]bool // places of the part's blocks
	over   bool         // nearly all of the launch has ended: what anybody touches is there
	wave   int          // blocks that the machine holds
	room   uint64       // of 1<<32 lines, so many are still there
	seen   map[uint64]struct{}
	given  int64 // sectors that they have brought

	warm   *warmLines // what L2 held before the launch
	blocks int        // of the launch
}

// before returns what L2 still holds of a line from before the launch when the block at a place runs.
func (o *others) before(line uint64, at int) (valid, dirty uint8) {
	if o.warm == nil {
		return 0, 0
	}
	share := 1.0
	if !o.over {
		share = float64(at) / float64(o.blocks)
	}
	return o.warm.at(line, share*float64(o.launch.lines.Load()))
}

// othersThan returns the others of a part, whose blocks touch so many lines, and how many bytes of L2 the part has: all
// where the lines that blocks share have room in it, for what is used again stays there; else as many for its lines as
// the launch has for all.
func othersThan(p *Preset, launch *footprint, part map[int]bool, lines int64) (o *others, l2 int) {
	o = &others{launch: launch, part: part, room: 1 << 32, seen: map[uint64]struct{}{}}
	shared, room := launch.shared.Load(), int64(p.L2Bytes/lineBytes)
	if shared <= room {
		return o, p.L2Bytes
	}
	o.room = uint64(float64(room) / float64(shared) * (1 << 32))
	return o, int(math.Ceil(float64(p.L2Bytes) * min(1, float64(lines)/float64(launch.lines.Load()))))
}

// brought reports whether others have brought a sector to L2 which the block at a place reads first of the part, and
// whether it may still be on its way: of two blocks that run at a time either may come first. What the part has had and
// lost it must read again.
func (o *others) brought(line uint64, sector uint8, at int) (brought, coming bool) {
	first, shared := o.launch.first(line)
	switch {
	case first < 0:
		return false, false
	case o.over && !shared && o.part[first]:
		return false, false
	case !o.over && (first >= at || o.part[first]):
		return false, false
	}
	key := line<<8 | uint64(sector)
	chance := line * 0x9e3779b97f4a7c15
	if chance>>32 >= o.room {
		return false, false
	}
	if _, had := o.seen[key]; had {
		return false, false
	}
	o.seen[key] = struct{}{}
	o.given++
	return true, !o.over && at-first < o.wave && chance>>8&1 == 0
}
