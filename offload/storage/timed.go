package storage

import (
	"sync"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Disks are disks that are not there, in the time of a model.
type Disks interface {
	// Command gives a disk a command about bytes of a file. It is known there at a time, and done later.
	Command(at trace.Time, write bool, off int64, bytes int) (taken, done trace.Time)
	// Modelled is what was counted since the disks were made.
	Modelled() Modelled
}

// Timed is a cache in the time of a model: the state machine of [Cache], with commands to disks that are not there in
// the place of reads of a file. It is a trace.LineTimer.
type Timed struct {
	mu     sync.Mutex
	cache  *Cache
	make   func() (Disks, error)
	disks  Disks
	async  bool
	began  CacheStats   // before the launch
	counts Modelled     // the same
	shared bool         // the disks are another's, which counts them
	ready  []trace.Time // by slot: when its line is there
	uses   []use        // that end later: a heap
	now    trace.Time   // when the access goes on that is made
	wait   trace.LineWait
}

// use is threads' use of a line, which stays until they are done.
type use struct {
	until    trace.Time
	line     int64
	accesses int
	write    bool
}

func newTimed(of *Cache, o Options) *Timed {
	t := &Timed{make: o.Disks, async: o.Async, ready: make([]trace.Time, len(of.slots))}
	t.cache = &Cache{
		base: of.base, size: of.size, line: of.line, shift: of.shift, name: of.name, slots: make([]slot, len(of.slots)), moves: t,
		uncached: of.uncached, coalesced: of.coalesced, reused: of.reused, table: newTable((of.size + of.line - 1) / of.line),
	}
	t.cache.policy, _ = policyNamed(of.name, len(of.slots))
	for i := range t.cache.waiting {
		t.cache.waiting[i].L = &t.cache.waiting[i].Mutex
	}
	return t
}

// LineTimer is the cache in the time of a model; nil where its file has no modelled disks.
func (c *Cache) LineTimer() trace.LineTimer {
	if c.timed == nil {
		return nil
	}
	return c.timed
}

// Begin implements trace.LineTimer.
func (t *Timed) Begin(with trace.LineTimer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.uses) > 0 {
		t.release(t.pop())
	}
	clear(t.ready)
	t.began = t.cache.Stats()
	d, err := t.make()
	if err != nil { // it was tried when the file was opened
		panic(err)
	}
	t.disks, t.shared = d, false
	if o, ok := with.(*Timed); ok && o != t && o.disks != nil && o.disks.Modelled().Machine == d.Modelled().Machine {
		t.disks, t.shared = o.disks, true
	}
	t.counts = t.disks.Modelled()
}

// On says that the accesses from now on are those of threads on the SM of that number, where disks go by that.
func (t *Timed) On(sm int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d, ok := t.disks.(interface{ On(sm int) }); ok {
		d.On(sm)
	}
}

// Access implements trace.LineTimer.
func (t *Timed) Access(at trace.Time, line int64, accesses, bytes int, write bool) (trace.LineWait, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.uses) > 0 && t.uses[0].until <= at {
		t.release(t.pop())
	}
	misses := t.cache.count.misses.Load()
	t.now, t.wait = at, trace.LineWait{Busy: at, Queue: at, Done: at}
	if _, err := t.cache.Acquire(line, accesses, bytes, write); err != nil {
		return t.wait, err
	}
	if t.cache.count.misses.Load() == misses {
		there := polled(at, t.ready[t.cache.table.at(line).slot.Load()])
		t.wait = trace.LineWait{Busy: there, Queue: there, Done: there}
	}
	t.push(use{t.wait.Done, line, accesses, write})
	return t.wait, nil
}

// Past implements trace.LineTimer.
func (t *Timed) Past(at trace.Time, line int64, accesses, bytes int) trace.LineWait {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.cache
	c.count.useful.Add(int64(accesses * bytes))
	t.now, t.wait = at, trace.LineWait{Busy: at, Queue: at, Done: at}
	if c.ahead(line) {
		c.count.hits.Add(int64(accesses))
		return t.wait
	}
	c.count.misses.Add(int64(accesses))
	c.count.readIOs.Add(1)
	t.command(false, line)
	return t.wait
}

// Reuse implements trace.LineTimer.
func (t *Timed) Reuse(line int64, accesses, bytes int, write bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.cache.reused {
		return false
	}
	e := t.cache.table.at(line)
	if e == nil || e.state.Load()&valid == 0 {
		return false
	}
	t.cache.Reuse(accesses, bytes)
	if write {
		t.cache.soil(e)
	}
	return true
}

// End implements trace.LineTimer.
func (t *Timed) End() trace.LineStats {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.uses) > 0 {
		t.release(t.pop())
	}
	a, b, m := t.began, t.cache.Stats(), t.disks.Modelled()
	s := trace.LineStats{
		Machine: m.Machine, Policy: b.Policy, Line: b.Line, Slots: int64(b.Slots),
		Accesses: b.Accesses - a.Accesses, Hits: b.Hits - a.Hits, Misses: b.Misses - a.Misses, Probes: b.Probes - a.Probes, Reused: b.Reused - a.Reused,
		ReadIOs: b.ReadIOs - a.ReadIOs, WriteIOs: b.WriteIOs - a.WriteIOs, Evictions: b.Evictions - a.Evictions, Useful: b.Useful - a.Useful,
	}
	if !t.shared {
		s.Doorbells, s.ExtraReads = m.RungInModel-t.counts.RungInModel, m.ExtraReads-t.counts.ExtraReads
	}
	return s
}

// bring implements mover.
func (t *Timed) bring(line int64, slot int) (soiled bool, err error) {
	c := t.cache
	c.count.readIOs.Add(1)
	t.command(false, line)
	t.ready[slot] = t.now
	return false, nil
}

// take implements mover.
func (t *Timed) take(line int64, slot int) error {
	c := t.cache
	c.count.writeIOs.Add(1)
	if t.async {
		t.disks.Command(t.now, true, c.base+line<<c.shift, int(min(c.line, c.size-line<<c.shift)))
		return nil
	}
	t.command(true, line)
	return nil
}

// command gives a disk a command and waits until it is done.
func (t *Timed) command(write bool, line int64) {
	c := t.cache
	taken, done := t.disks.Command(t.now, write, c.base+line<<c.shift, int(min(c.line, c.size-line<<c.shift)))
	t.wait.Queue += taken - t.now // of two commands, all that they wait in queues comes first
	t.now = polled(taken, done)
	t.wait.Done = t.now
}

// pause implements mover: the next use ends.
func (t *Timed) pause(*patience) error {
	if len(t.uses) == 0 {
		return &PinnedError{len(t.cache.slots)}
	}
	u := t.pop()
	t.release(u)
	if u.until > t.now {
		t.wait = trace.LineWait{Busy: u.until, Queue: u.until, Done: u.until}
		t.now = u.until
	}
	return nil
}

func (t *Timed) release(u use) { t.cache.Release(u.line, u.accesses, u.write) }

// Between looks at whether something has happened somebody waits for 8 ns, then twice as long each time, up to 256 (A).
const (
	firstPause = 8 * trace.Nanosecond
	mostPause  = 256 * trace.Nanosecond
)

// polled is when somebody sees that something has happened who looks for it from a time on.
func polled(from, happens trace.Time) trace.Time {
	at, pause := from, firstPause
	for at < happens {
		if pause == mostPause {
			return at + (happens-at+pause-1)/pause*pause
		}
		at, pause = at+pause, 2*pause
	}
	return at
}

func (t *Timed) push(u use) {
	h := append(t.uses, u)
	i := len(h) - 1
	for ; i > 0 && u.until < h[(i-1)/2].until; i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i], t.uses = u, h
}

func (t *Timed) pop() use {
	h := t.uses
	first, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	t.uses = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for k := 1; k < len(h); k = 2*i + 1 {
		if k+1 < len(h) && h[k+1].until < h[k].until {
			k++
		}
		if h[k].until >= x.until {
			break
		}
		h[i] = h[k]
		i = k
	}
	h[i] = x
	return first
}

// clean notes that the file has what was written to lines.
func (t *Timed) clean(off, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.cache
	c.each(off, n, func(_ int64, _ int, e *entry) {
		if e.state.And(^dirty)&dirty != 0 {
			c.dirties.Add(-1)
		}
	})
}

// forget drops lines that nobody uses.
func (t *Timed) forget(off, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.uses) > 0 {
		t.release(t.pop())
	}
	c := t.cache
	c.each(off, n, func(_ int64, at int, e *entry) {
		if e.state.And(count)&dirty != 0 {
			c.dirties.Add(-1)
		}
		c.release(at)
	})
}
