package storage

import "context"

func (c *Cache) writeBack(line int64, at int) error {
	c.moving.Add(1)
	defer c.moving.Add(-1)
	c.count.writeIOs.Add(1)
	c.events.add("write back", line)
	_, err := c.file.write(c.content(line, at), c.base+line<<c.shift)
	return err
}

// Flush writes what is dirty of bytes off to off+n-1 of the part to the file. What is written to lines meanwhile, by
// accesses that have not been released, is dirty again. When ctx ends it stops between two lines.
func (c *Cache) Flush(ctx context.Context, off, n int64) error {
	var err error
	if c.writes != nil {
		if err := c.writes.finish(ctx); err != nil {
			return err
		}
	}
	c.each(off, n, func(line int64, at int, e *entry) {
		if e.state.Load()&dirty == 0 || err != nil {
			return
		}
		if err = ctx.Err(); err != nil {
			return
		}
		if e.state.And(^dirty)&dirty == 0 {
			return
		}
		c.dirties.Add(-1)
		if err = c.writeBack(line, at); err != nil {
			c.soil(e)
		}
	})
	if c.timed != nil {
		c.timed.clean(off, n)
	}
	return err
}

// forget drops lines with some of bytes off to off+n-1, which the file has otherwise now. Who has references to one
// gets the new bytes.
func (c *Cache) forget(off, n int64) {
	if c.timed != nil {
		c.timed.forget(off, n)
	}
	c.each(off, n, func(line int64, at int, e *entry) {
		if old := e.state.Or(busy); old&busy == 0 && old&count == 1 {
			c.release(at)
			e.state.And(count)
			c.wake(line)
			return
		} else if old&busy == 0 {
			e.state.And(^busy)
			c.wake(line)
		}
		if _, err := c.file.read(c.content(line, at), c.base+line<<c.shift); err == nil && c.decode != nil {
			c.decode(c.content(line, at))
		}
	})
}

// each calls f for the lines in slots that have some of bytes off to off+n-1, which stay meanwhile.
func (c *Cache) each(off, n int64, f func(line int64, at int, e *entry)) {
	if n = min(n, c.size-off); n <= 0 {
		return
	}
	first, last := off>>c.shift, (off+n-1)>>c.shift
	one := func(line int64, at int) {
		e, _ := c.table.pin(line, 1)
		for spins := 0; e.state.Load()&busy != 0; spins++ {
			c.wait(line, e, spins)
		}
		if s := e.state.Load(); s&valid != 0 && (at < 0 || int(e.slot.Load()) == at) {
			f(line, int(e.slot.Load()), e)
		}
		c.unpin(line, e, 1)
	}
	if last-first < int64(len(c.slots)) {
		for line := first; line <= last; line++ {
			one(line, -1)
		}
		return
	}
	for at := range c.slots {
		if line := c.slots[at].line.Load(); c.slots[at].lock.Load() != free && line >= first && line <= last {
			one(line, at)
		}
	}
}

// flushFile is Flush of bytes of the file.
func (c *Cache) flushFile(off, n int64) error {
	if c.dirties.Load() == 0 && (c.writes == nil || c.writes.none()) {
		return nil
	}
	off, n = c.inside(off, n)
	return c.Flush(context.Background(), off, n) // commands heed an interrupt by themselves: see File.Heed
}

// forgetFile is forget of bytes of the file.
func (c *Cache) forgetFile(off, n int64) { c.forget(c.inside(off, n)) }

// inside is what of n bytes from off on of the file is in the part, as bytes of the part.
func (c *Cache) inside(off, n int64) (int64, int64) {
	lo, hi := max(off-c.base, 0), min(off-c.base+n, c.size)
	return lo, hi - lo
}
