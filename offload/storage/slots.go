package storage

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/poison"
)

// This file is how lines of a cache come into its slots, and leave them for others.

// mover brings lines of a cache and takes them away: from a file and to it, or in the time of a model.
type mover interface {
	// bring brings a line to a slot. soiled is whether the file has not what comes.
	bring(line int64, slot int) (soiled bool, err error)
	// take takes a line away that was changed, to the file in the end. The error lets it stay.
	take(line int64, slot int) error
	// pause waits where no slot could be had so far. The error is a *PinnedError.
	pause(p *patience) error
}

// patience is how far somebody is who waits for a slot.
type patience struct {
	since time.Time
	seen  int64
}

// slot is room for a line.
type slot struct {
	lock atomic.Int32 // free, unlocked, locked
	line atomic.Int64 // that it has, where it is not free
}

const (
	free int32 = iota
	unlocked
	locked
)

// fill finds a slot for a line, which is busy, and reads it where its content is nil. soiled is whether the file has
// not what is read.
func (c *Cache) fill(line int64, content []byte) (at int, soiled bool, err error) {
	if at, err = c.find(line); err != nil {
		return 0, false, err
	}
	if content != nil {
		copy(c.content(line, at), content)
		return at, false, nil
	}
	if soiled, err = c.moves.bring(line, at); err != nil {
		c.release(at)
		return 0, false, err
	}
	return at, soiled, nil
}

// fromFile moves lines of a cache from its file and to it.
type fromFile struct{ *Cache }

func (c fromFile) bring(line int64, slot int) (soiled bool, err error) {
	b := c.content(line, slot)
	if c.writes != nil && c.writes.taken(line, b) {
		return true, nil
	}
	return false, c.read(line, b)
}

func (c fromFile) take(line int64, slot int) error {
	if c.writes != nil {
		c.writes.begin(line, c.content(line, slot))
		return nil
	}
	return c.writeBack(line, slot)
}

// pause waits while others use lines, and for a while after the last of them has done anything.
func (c fromFile) pause(p *patience) error {
	if err := c.file.interrupted(); err != nil {
		return err
	}
	if now := c.progress.Load(); now != p.seen || p.since.IsZero() || c.moving.Load() > 0 {
		p.seen, p.since = now, time.Now()
	} else if time.Since(p.since) > c.patience {
		return &PinnedError{len(c.slots)}
	}
	time.Sleep(min(c.patience/8, time.Millisecond))
	return nil
}

// release makes a slot free whose line is busy: who looks at it meanwhile goes on soon.
func (c *Cache) release(at int) {
	for !c.slots[at].lock.CompareAndSwap(unlocked, free) {
		runtime.Gosched()
	}
}

func (c *Cache) read(line int64, to []byte) error {
	c.moving.Add(1)
	defer c.moving.Add(-1)
	c.count.readIOs.Add(1)
	if _, err := c.file.read(to, c.base+line<<c.shift); err != nil {
		return err
	}
	if c.decode != nil {
		c.decode(to)
	}
	return nil
}

// content is the bytes of a slot that a line has: the last is shorter.
func (c *Cache) content(line int64, at int) []byte {
	return c.memory.bytes[int64(at)<<c.shift:][:min(c.line, c.size-line<<c.shift)]
}

// find returns a slot that is line's from now on.
func (c *Cache) find(line int64) (int, error) {
	var p patience
	waits := false
	for tries := 1; ; tries++ {
		at := c.policy.candidate()
		s := &c.slots[at]
		if s.lock.Load() == free && s.lock.CompareAndSwap(free, locked) {
			s.line.Store(line)
			s.lock.Store(unlocked)
			return at, nil
		}
		if s.lock.Load() == unlocked && s.lock.CompareAndSwap(unlocked, locked) {
			old := s.line.Load()
			evicted, err := c.evict(old, at)
			if evicted {
				s.line.Store(line)
			}
			s.lock.Store(unlocked)
			if evicted || err != nil {
				return at, err
			}
		}
		if tries%(2*len(c.slots)) != 0 {
			continue
		}
		if !waits {
			waits = true
			c.looking.Add(1)
			defer c.looking.Add(-1)
		}
		if err := c.moves.pause(&p); err != nil {
			return 0, err
		}
	}
}

// evict takes a line from the slot that it is in, which is locked, unless somebody refers to it. The error is of
// writing it: then it stays.
func (c *Cache) evict(line int64, at int) (bool, error) {
	e := c.table.at(line)
	if e == nil || e.state.Load()&(count|busy) != 0 {
		return false, nil
	}
	old := e.state.Or(busy)
	if old&busy != 0 {
		return false, nil
	}
	if old&count != 0 {
		e.state.And(^busy)
		c.wake(line)
		return false, nil
	}
	if old&valid == 0 || int(e.slot.Load()) != at { // it is being brought to another one
		e.state.And(^busy)
		c.wake(line)
		return false, nil
	}
	if old&dirty != 0 {
		if err := c.moves.take(line, at); err != nil {
			e.state.And(^busy)
			c.wake(line)
			return false, err
		}
		c.dirties.Add(-1)
	}
	if c.memory != nil {
		poison.Fill(c.content(line, at))
	}
	after := e.state.And(count) & count // references of who came late stay: they read the line again
	c.count.evictions.Add(1)
	c.events.add("evict", line)
	c.wake(line)
	if after == 0 {
		c.table.idle(line, e)
	}
	return true, nil
}
