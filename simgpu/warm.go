package simgpu

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// warmth is what a GPU's L2 holds between launches: lines by buffer, since each launch has its buffers at places of its
// own. L1 holds nothing, as on NVIDIA's machines; copies from the host and from other GPUs take what they overwrite out
// of L2 and bring nothing. Lines of a buffer that has been freed stay until others need their room, so that it does not
// matter when a garbage collector frees.
//
// It belongs to the goroutine that executes. Methods of a nil *warmth do nothing.
type warmth struct {
	gpu   *GPU
	room  int    // lines of L2
	clock uint64 // of uses, from the first launch on
	held  *residents
}

func newWarmth(g *GPU) *warmth {
	if g.preset.L2Bytes == 0 {
		return nil
	}
	return &warmth{gpu: g, room: g.preset.L2Bytes / lineBytes, held: &residents{}}
}

// placed is a buffer where a launch has it: its lines from a first one on.
type placed struct {
	first, count uint64
	buf          *buffer
}

// foreignLine is where the lines of buffers begin that a launch does not touch.
const foreignLine = (maxPlaces + 2) * (placeStep / lineBytes)

// placedAs returns the buffers of a launch, and then others that have lines in L2, by their first lines.
func (w *warmth) placedAs(at *places) []placed {
	var out []placed
	own := map[*buffer]bool{}
	for _, r := range at.regions {
		if b := w.gpu.contents[r.lo]; b != nil {
			out = append(out, placed{(r.lo + r.shift) / lineBytes, (r.hi - r.lo + lineBytes - 1) / lineBytes, b})
			own[b] = true
		}
	}
	n := uint64(0)
	for b := range w.held.byUse {
		if !own[b] {
			out = append(out, placed{foreignLine + n*(1<<33), 1 << 32, b})
			n++
		}
	}
	slices.SortFunc(out, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	return out
}

// load fills the cache of a machine that begins a launch.
func (w *warmth) load(c *cache, at *places) {
	if w == nil {
		return
	}
	c.clock = w.clock
	for _, p := range w.placedAs(at) {
		r := w.held.of(p.buf)
		if r == nil {
			continue
		}
		for i := range r.lines {
			l := &r.lines[i]
			c.put(cacheKey{p.first + uint64(l.line) + 1, l.used + r.later}, cacheLine{valid: l.valid, dirty: l.dirty})
		}
	}
}

// keep takes over what the cache holds at the end of the launch.
func (w *warmth) keep(c *cache, at *places) {
	if w == nil {
		return
	}
	list := w.placedAs(at)
	w.clock = c.clock
	held := map[*buffer]*resident{}
	near := placed{}
	for _, set := range c.touched {
		for i := range c.ways {
			key, l := c.keys[int(set)*c.ways+i], &c.lines[int(set)*c.ways+i]
			if key.tag == 0 || l.valid == 0 {
				continue
			}
			line := key.tag - 1
			if line-near.first >= near.count || near.buf == nil {
				n, _ := slices.BinarySearchFunc(list, line, func(p placed, line uint64) int {
					if p.first+p.count <= line {
						return -1
					}
					return 1
				})
				if n == len(list) || list[n].first > line { // local memory, which is nobody's when its thread has ended
					continue
				}
				near = list[n]
			}
			r := held[near.buf]
			if r == nil {
				r = &resident{}
				held[near.buf] = r
			}
			r.add(warmLine{key.used, uint32(line - near.first), l.valid, l.dirty})
		}
	}
	w.held = newResidents(held)
}

// overwritten takes n bytes of b from off on out of L2.
func (w *warmth) overwritten(b *buffer, off, n int) {
	if w == nil || n == 0 {
		return
	}
	r := w.held.of(b)
	switch {
	case r == nil:
	case n == b.size:
		w.held.put(b, nil)
	default:
		rest := &resident{later: r.later}
		from, to := uint32(off/lineBytes), uint32((off+n-1)/lineBytes)
		for _, l := range r.lines {
			if l.line < from || l.line > to {
				rest.add(l)
			}
		}
		w.held.put(b, rest)
	}
}

// own returns what L2 holds of the buffers that the parameters of a launch point to, by the number of the first
// parameter.
func (w *warmth) own(at *places) map[int]*resident {
	if w == nil {
		return nil
	}
	out := map[int]*resident{}
	for _, p := range at.pointers {
		if r := at.of(p.addr); p.first == p.param && r != nil {
			if held := w.held.of(w.gpu.contents[r.lo]); held != nil {
				out[p.param] = held
			}
		}
	}
	return out
}

// become makes L2 hold of a launch's buffers what it held at the end of a launch like it; what was used least recently
// gives way.
func (w *warmth) become(was *launched, at *places) {
	if w == nil {
		return
	}
	own := map[*buffer]bool{}
	for _, p := range at.pointers {
		if r := at.of(p.addr); p.first == p.param && r != nil {
			b := w.gpu.contents[r.lo]
			own[b] = true
			w.held.put(b, nil)
			if e := was.end[p.param]; e != nil {
				again := *e
				again.later += w.clock - was.began
				w.held.put(b, &again)
			}
		}
	}
	w.clock += was.uses
	for b := range w.held.byUse {
		if w.held.lines <= w.room {
			break
		}
		if !own[b] {
			w.held.put(b, nil)
		}
	}
}

// warmLines is the lines of a launch's own buffers that L2 holds when it begins, for parts of the launch that are timed
// as samples.
type warmLines struct {
	lines map[uint64]warmRank
	room  int // of all lines, so many are there
}

type warmRank struct {
	newer        int // lines that were used later
	valid, dirty uint8
}

// of returns them by the lines that the launch has them at.
func (w *warmth) of(at *places) *warmLines {
	if w == nil || w.held.lines == 0 {
		return nil
	}
	type use struct {
		used uint64
		line uint64
		l    *warmLine
	}
	var all []use
	for _, p := range w.placedAs(at) {
		if r := w.held.of(p.buf); r != nil {
			for i := range r.lines {
				all = append(all, use{r.lines[i].used + r.later, p.first + uint64(r.lines[i].line), &r.lines[i]})
			}
		}
	}
	slices.SortFunc(all, func(a, b use) int { return cmp.Compare(b.used, a.used) })
	out := &warmLines{lines: map[uint64]warmRank{}, room: w.room}
	for n, u := range all {
		if u.line < foreignLine {
			out.lines[u.line] = warmRank{n, u.l.valid, u.l.dirty}
		}
	}
	return out
}

// at returns what is still there of a line when the launch has brought so many others.
func (w *warmLines) at(line uint64, brought float64) (valid, dirty uint8) {
	if w == nil {
		return 0, 0
	}
	if r, ok := w.lines[line]; ok && float64(r.newer)+brought < float64(w.room) {
		return r.valid, r.dirty
	}
	return 0, 0
}

// leave makes L2 hold what a launch that was sampled leaves there: the lines that are touched last, as many as there is
// room for; what was there before, behind them.
func (w *warmth) leave(f *footprint, blocks int, at *places) {
	if w == nil {
		return
	}
	last := func(first int, times *lineTimes) int {
		if times == nil {
			return first
		}
		return max(first, int(before(times.latest(eras*moments), eras*moments)*float64(blocks)/eras))
	}
	byPlace := make([]int, blocks+1)
	f.each(func(_ uint64, first int, times *lineTimes, _ uint8, _ bool) { byPlace[last(first, times)]++ })
	least, left := blocks+1, w.room
	for least > 0 && left > 0 {
		least--
		left -= byPlace[least]
	}
	c := newCache(w.gpu.preset.L2Bytes, w.gpu.preset.L2Ways)
	w.load(c, at)
	f.each(func(line uint64, first int, times *lineTimes, sectors uint8, written bool) {
		if at := last(first, times); at >= least {
			l := cacheLine{valid: sectors}
			if written {
				l.dirty = l.valid
			}
			c.put(cacheKey{line + 1, w.clock + 1 + uint64(at)}, l)
		}
	})
	c.clock = w.clock + 1 + uint64(blocks)
	w.keep(c, at)
	c.release()
}

// ColdCaches empties the L2 of g, for launches that are queued from now on: they find nothing of what ran before.
func (g *GPU) ColdCaches() {
	g.enqueue(&operation{run: func() {
		g.settle()
		if g.warm != nil {
			g.warm.held = &residents{}
		}
	}})
}

var opened struct {
	sync.Mutex
	gpus map[weak.Pointer[GPU]]bool
}

// remember lets ColdCaches know g until nobody has it.
func remember(g *GPU) {
	p := weak.Make(g)
	opened.Lock()
	defer opened.Unlock()
	if opened.gpus == nil {
		opened.gpus = map[weak.Pointer[GPU]]bool{}
	}
	opened.gpus[p] = true
	runtime.AddCleanup(g, func(p weak.Pointer[GPU]) {
		opened.Lock()
		defer opened.Unlock()
		delete(opened.gpus, p)
	}, p)
}

// ColdCaches empties the L2 of every simulated GPU. A launch else finds there what launches before have left, as on a
// card: to compare two kernels, begin each with cold caches, or launch each twice and take the second. Launches of
// arrays that nobody has asked for yet run later, and begin cold too.
//
// For example:
//
//	simgpu.ColdCaches()
//	gpu.Launch(saxpy, 4, 256, 2.5, x, y)
func ColdCaches() {
	opened.Lock()
	var all []*GPU
	for p := range opened.gpus {
		if g := p.Value(); g != nil && !g.isClosed() {
			all = append(all, g)
		}
	}
	opened.Unlock()
	for _, g := range all {
		g.ColdCaches()
	}
}

// now is the clock of uses.
func (w *warmth) now() uint64 {
	if w == nil {
		return 0
	}
	return w.clock
}
