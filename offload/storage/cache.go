package storage

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Cache has lines of a part of a file in memory: who needs single elements acquires their line, which is read where it
// is not there, and releases it. It is the state machine of BaM (Qureshi and others, ASPLOS 2023): a word for each line
// with its references, which lock it against eviction, and a policy that names slots to try. Lines that were written to
// go to the file when they are evicted, or by Flush. Its methods may be called from several goroutines.
type Cache struct {
	file   *File
	base   int64          // in the file, of byte 0 of line 0
	size   int64          // bytes of the part
	decode func(b []byte) // as of Source

	line   int64 // bytes, a power of two
	shift  uint
	slots  []slot
	memory *arena
	table  table
	policy policy
	name   string // of the policy

	moves mover // what brings lines, and takes them away

	uncached, coalesced, reused bool
	timed                       *Timed  // the same in the time of a model, once somebody has asked; nil where there is none
	writes                      *writes // to the file in the background; nil where evictions wait for them

	events *events // nil where nobody wants to know

	dirties  atomic.Int64 // lines that are
	looking  atomic.Int32 // how many look for a slot that they could not have at once
	progress atomic.Int64 // references that were released meanwhile, lines that were read
	moving   atomic.Int64 // lines that are being read or written back
	patience time.Duration
	waiting  [64]waiters // by line, for who waits until it is not busy

	count struct {
		hits, misses, probes, reused, readIOs, writeIOs, evictions, useful atomic.Int64
	}
}

type waiters struct {
	sync.Mutex
	sync.Cond
}

// Sizes of lines.
const (
	LeastLine = 512 // a block of a disk
	MostLine  = 16 << 20
	usualLine = 4096
)

func checkLine(line int64) error {
	if line != 0 && (line < LeastLine || line > MostLine || line&(line-1) != 0) {
		return fmt.Errorf("lines of %d bytes: they are a power of two, from %d, a block of a disk, to %d", line, LeastLine, MostLine)
	}
	return nil
}

// newCache makes the cache of the part of f from base on. o says how; room bounds its memory where o does not.
func newCache(f *File, base, size int64, decode func([]byte), o Options, room int64) (*Cache, error) {
	c := &Cache{
		file: f, base: base, size: size, decode: decode, line: o.Line, name: o.Policy, patience: time.Second,
		uncached: o.Uncached, coalesced: !o.Uncoalesced, reused: !o.Unreused && !o.Uncached,
	}
	c.moves = fromFile{c}
	if o.Async {
		c.writes = newWrites(c)
	}
	if o.Record {
		c.events = &events{began: time.Now()}
	}
	if c.line == 0 {
		c.line = usualLine
	}
	if c.name == "" {
		c.name = Policies[0]
	}
	c.shift = uint(bits.TrailingZeros64(uint64(c.line)))
	lines := (size + c.line - 1) / c.line
	if o.Cache > 0 {
		room = o.Cache
	}
	n := max(min(room/c.line, lines), 1)
	if n >= 1<<31 {
		return nil, fmt.Errorf("a cache of %d lines; there may be 2^31", n)
	}
	c.slots = make([]slot, n)
	var err error
	if c.memory, err = newArena(int(n * c.line)); err != nil {
		return nil, err
	}
	if c.policy, err = policyNamed(c.name, int(n)); err != nil {
		return nil, err
	}
	c.table = newTable(lines)
	for i := range c.waiting {
		c.waiting[i].L = &c.waiting[i].Mutex
	}
	if o.Disks != nil {
		c.timed = newTimed(c, o)
	}
	return c, nil
}

// PinnedError is the error of a line for which there is no slot, as all have lines that are in use.
type PinnedError struct{ Slots int }

// Error says what to do.
func (e *PinnedError) Error() string {
	return fmt.Sprintf("all %d lines of the file's cache are in use at once: open the file with a larger one, as np.Open(path, np.CacheBytes(n))", e.Slots)
}

// ErrCachePinned is every *PinnedError.
var ErrCachePinned = errors.New("all lines of the cache are in use")

// Is reports whether target is ErrCachePinned.
func (e *PinnedError) Is(target error) bool { return target == ErrCachePinned }

// LineShift is the logarithm of the bytes of a line.
func (c *Cache) LineShift() uint { return c.shift }

// Coalesces and Reuses are as of kir/cpu's Lines.
func (c *Cache) Coalesces() bool { return c.coalesced }

// Reuses says whether who has a line may keep it for what it accesses next.
func (c *Cache) Reuses() bool { return c.reused }

// Bytes is how many bytes the part of the file has.
func (c *Cache) Bytes() int64 { return c.size }

// Slots is how many lines have room.
func (c *Cache) Slots() int { return len(c.slots) }

// Acquire refers to a line for so many accesses, of so many bytes each, which are then made at the address until
// Release is called with the same. write says that they change it. The error is of the file, or a *PinnedError.
func (c *Cache) Acquire(line int64, accesses, bytes int, write bool) (unsafe.Pointer, error) {
	p, read, err := c.Pin(line, 1, accesses, write)
	switch {
	case err != nil:
		c.Count(1, 0, 0, 0, accesses*bytes)
	case read:
		c.Count(1, 0, accesses, 0, accesses*bytes)
	default:
		c.Count(1, accesses, 0, 0, accesses*bytes)
	}
	return p, err
}

// Pin is Acquire for groups of threads that look a line up one after the other, with so many accesses together, which
// the caller counts: read says whether the line was not there, and the first group has brought it.
func (c *Cache) Pin(line int64, groups, accesses int, write bool) (p unsafe.Pointer, read bool, err error) {
	return c.pin(line, groups, uint32(accesses), write, nil)
}

// Count counts lookups of groups of threads, the accesses of those, accesses without a lookup to lines that had not
// been released, and the bytes of all.
func (c *Cache) Count(groups, hits, misses, reused, bytes int) {
	for _, x := range []struct {
		to *atomic.Int64
		n  int
	}{
		{&c.count.probes, groups}, {&c.count.hits, hits + reused}, {&c.count.misses, misses},
		{&c.count.reused, reused}, {&c.count.useful, bytes},
	} {
		if x.n != 0 {
			x.to.Add(int64(x.n))
		}
	}
}

// Put has a line be b, all of it, which the file gets as it gets what is written to lines: a device that had the line
// gives it back. It counts no accesses.
func (c *Cache) Put(line int64, b []byte) error {
	p, _, err := c.pin(line, 0, 1, true, b)
	if err == nil {
		copy(unsafe.Slice((*byte)(p), len(b)), b)
		c.Release(line, 1, true)
	}
	return err
}

// Pinned is the error of a device's cache of the same size all of whose lines are in use.
func (c *Cache) Pinned() error { return &PinnedError{len(c.slots)} }

// pin is Pin with n references to a line that need not be read where it is not there: the file has content, unless that
// is nil.
func (c *Cache) pin(line int64, groups int, n uint32, write bool, content []byte) (p unsafe.Pointer, read bool, err error) {
	e, before := c.table.pin(line, n)
	s := before + n
	for spins := 0; ; spins++ {
		switch {
		case s&(valid|busy) == valid:
			at := int(e.slot.Load())
			c.found(line, at, groups)
			if write {
				c.soil(e)
			}
			return c.place(at), false, nil
		case s&(valid|busy) == 0:
			if old := e.state.Or(busy); old&busy != 0 {
				break
			} else if old&valid != 0 { // somebody else has read it
				e.state.And(^busy)
				c.wake(line)
				break
			}
			at, soiled, err := c.fill(line, content)
			if err != nil {
				e.state.And(^busy)
				c.wake(line)
				c.unpin(line, e, n)
				return nil, false, err
			}
			e.slot.Store(int32(at))
			if groups > 0 {
				c.events.add("miss", line)
			}
			if groups > 1 {
				c.found(line, at, groups-1)
			}
			if write || soiled {
				c.soil(e)
			}
			e.state.Add(valid - busy)
			c.advance()
			c.wake(line)
			return c.place(at), true, nil
		}
		c.wait(line, e, spins)
		s = e.state.Load()
	}
}

// found says that groups of threads have found a line in a slot.
func (c *Cache) found(line int64, at, groups int) {
	if c.policy.used(at); c.events != nil {
		for range groups {
			c.events.add("hit", line)
		}
	}
}

// place is where the bytes of a slot are; nil in a model.
func (c *Cache) place(at int) unsafe.Pointer {
	if c.memory == nil {
		return nil
	}
	return c.memory.at(int64(at) << c.shift)
}

// Release ends what Acquire began.
func (c *Cache) Release(line int64, accesses int, write bool) {
	e := c.table.at(line)
	if write { // a Flush may have written it meanwhile
		c.soil(e)
	}
	c.unpin(line, e, uint32(accesses))
	if c.uncached {
		c.drop(line, e)
	}
}

// drop takes a line from its slot at once, unless somebody else has it.
func (c *Cache) drop(line int64, e *entry) {
	at := int(e.slot.Load())
	if e.state.Load()&valid == 0 || at >= len(c.slots) {
		return
	}
	if s := &c.slots[at]; s.lock.CompareAndSwap(unlocked, locked) {
		gone := false
		if s.line.Load() == line {
			gone, _ = c.evict(line, at) // where it cannot be written it stays, and Flush tells
		}
		if s.lock.Store(unlocked); gone {
			s.lock.CompareAndSwap(unlocked, free)
		}
	}
}

// Read reads p from byte off of the part on: by lines, or past them where it is as long as a line.
func (c *Cache) Read(p []byte, off int64) error {
	if int64(len(p)) >= c.line {
		if _, err := c.file.ReadAt(p, c.base+off); err != nil {
			return err
		}
		if c.decode != nil {
			c.decode(p)
		}
		return nil
	}
	for len(p) > 0 {
		line := off >> c.shift
		in := off - line<<c.shift
		n := int(min(int64(len(p)), c.line-in))
		at, err := c.Acquire(line, 1, n, false)
		if err != nil {
			return err
		}
		copy(p[:n], unsafe.Slice((*byte)(unsafe.Add(at, in)), n))
		c.Release(line, 1, false)
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// Past reads all of a line for so many accesses, of so many bytes each, to b, without the cache, unless that has what
// the file has not.
func (c *Cache) Past(line int64, accesses, bytes int, b []byte) error {
	n := min(c.line, c.size-line<<c.shift)
	if c.ahead(line) {
		p, err := c.Acquire(line, accesses, bytes, false)
		if err == nil {
			copy(b[:n], unsafe.Slice((*byte)(p), n))
			c.Release(line, accesses, false)
		}
		return err
	}
	c.count.misses.Add(int64(accesses))
	c.count.useful.Add(int64(accesses * bytes))
	c.events.add("miss", line)
	return c.read(line, b[:n])
}

// ahead reports whether the cache has bytes of a line that the file has not, or has not yet.
func (c *Cache) ahead(line int64) bool {
	if c.writes != nil && c.writes.has(line) {
		return true
	}
	e := c.table.at(line)
	for spins := 0; e != nil && e.state.Load()&busy != 0; spins++ {
		c.wait(line, e, spins)
	}
	return e != nil && e.state.Load()&dirty != 0
}

// Reuse counts accesses to a line that has not been released.
func (c *Cache) Reuse(accesses, bytes int) {
	c.Count(0, 0, 0, accesses, accesses*bytes)
}

func (c *Cache) unpin(line int64, e *entry, n uint32) {
	c.advance()
	if e.state.Add(-n)&(valid|count) == 0 {
		c.table.idle(line, e)
	}
}

// advance says that others may find a slot now, for those who look for one: without them no two processors meet here.
func (c *Cache) advance() {
	if c.looking.Load() > 0 {
		c.progress.Add(1)
	}
}

// soil makes a line that is referred to dirty.
func (c *Cache) soil(e *entry) {
	if e.state.Load()&dirty == 0 && e.state.Or(dirty)&dirty == 0 {
		c.dirties.Add(1)
	}
}

// wait waits a little for a line that is busy: soon by turns, later asleep.
func (c *Cache) wait(line int64, e *entry, spins int) {
	if spins < 50 {
		runtime.Gosched()
		return
	}
	w := &c.waiting[uint64(line)%uint64(len(c.waiting))]
	w.Lock()
	defer w.Unlock()
	if e.state.Load()&busy != 0 {
		w.Wait()
	}
}

// wake wakes who waits for a line.
func (c *Cache) wake(line int64) {
	w := &c.waiting[uint64(line)%uint64(len(c.waiting))]
	w.Lock()
	defer w.Unlock()
	w.Broadcast()
}

// has reports whether a line is there.
func (c *Cache) has(line int64) bool {
	e := c.table.at(line)
	return e != nil && e.state.Load()&(valid|busy) == valid
}

// Stats returns the counters.
func (c *Cache) Stats() CacheStats {
	s := CacheStats{
		Policy: c.name, Line: c.line, Slots: len(c.slots), Bytes: c.line * int64(len(c.slots)),
		Hits: c.count.hits.Load(), Misses: c.count.misses.Load(), Probes: c.count.probes.Load(), Reused: c.count.reused.Load(),
		ReadIOs: c.count.readIOs.Load(), WriteIOs: c.count.writeIOs.Load(), Evictions: c.count.evictions.Load(), Useful: c.count.useful.Load(),
	}
	s.Accesses, s.Events = s.Hits+s.Misses, c.events.all()
	for i := range c.slots {
		if c.slots[i].lock.Load() == free {
			continue
		}
		if e := c.table.at(c.slots[i].line.Load()); e != nil && e.state.Load()&(busy|count) != 0 {
			s.InUse++
		}
	}
	return s
}

// Cache returns the cache of a range of a file, which is made by the first to ask, with so much memory as the file's
// options say, or room.
func (s *Source) Cache(room int64) (*Cache, error) {
	f := s.file
	if f == nil {
		return nil, errors.New("the source is not a range of a file")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, &Error{Path: f.path, Err: os.ErrClosed}
	}
	for _, c := range f.caches {
		if c.base == s.at && c.size == s.size {
			return c, nil
		}
	}
	c, err := newCache(f, s.at, s.size, s.decode, f.options, room)
	if err != nil {
		return nil, err
	}
	f.caches = append(f.caches[:len(f.caches):len(f.caches)], c)
	return c, nil
}
