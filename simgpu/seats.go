package simgpu

// This file is how a scheduler finds, in each cycle, what can issue.

// seat is what decides when a warp split can issue. A scheduler has those of its list side by side, in a few lines of
// the host's cache, as it looks at them in each cycle: splits are large, and there are thousands.
type seat struct {
	readyAt int64 // cycle from which the next instruction can issue if its unit is free
	port    Unit  // that the next instruction occupies
	memory  bool  // it goes through the SM's memory pipeline
	times   bool  // multipliers of UnitSpecial take it as well
	wait    wait  // what for
}

// wait is what a warp split waits for before the cycle in which it can issue; 0 is an operand that soon comes.
type wait uint8

const (
	longWait  wait = 1 << iota // global memory, or a barrier
	fetchWait                  // its instruction buffer
)

// stay lets st wait until something else lets it go on. Threads that are formed anew have no seat.
func (st *warpSplit) stay() {
	if st.seat != nil {
		st.readyAt, st.wait = never, longWait
	}
}

// admit takes a warp split into the list.
func (c *scheduler) admit(st *warpSplit, now int64) {
	c.account(now)
	full := len(c.seats) == cap(c.seats)
	c.splits, c.seats = append(c.splits, st), append(c.seats, *st.seat)
	st.place = int32(len(c.splits))
	if full {
		c.reseat(0)
	} else {
		st.seat = &c.seats[st.place-1]
	}
	if c.held != nil {
		c.held[st.grid]++
	}
}

// reseat gives the splits from a place on the seats that are theirs.
func (c *scheduler) reseat(from int) {
	for i, st := range c.splits[from:] {
		st.place, st.seat = int32(from+i+1), &c.seats[from+i]
	}
}

// stand gives a warp split its seat again outside of the list.
func (st *warpSplit) stand() {
	st.own, st.place = *st.seat, 0
	st.seat = &st.own
}

// replace puts a warp split, which is not in the list, in the place of another.
func (c *scheduler) replace(st, by *warpSplit) {
	i := int(st.place) - 1
	st.stand()
	c.splits[i], c.seats[i] = by, *by.seat
	by.place, by.seat = int32(i+1), &c.seats[i]
}

// remove takes st away when all its lanes have returned, or its block has lost its slots.
func (c *scheduler) remove(st *warpSplit) {
	i := int(st.place) - 1
	if i < 0 {
		return
	}
	st.stand()
	c.splits, c.seats = append(c.splits[:i], c.splits[i+1:]...), append(c.seats[:i], c.seats[i+1:]...)
	c.reseat(i)
	if c.held != nil {
		c.held[st.grid]--
	}
	if c.last >= i {
		c.last--
	}
}

// removeBlock takes what a block has in the list away, and appends it to parts.
func (c *scheduler) removeBlock(b *residentBlock, parts []*warpSplit) []*warpSplit {
	n, first, last := 0, -1, c.last
	for i, st := range c.splits {
		if st.warp.block != b {
			c.splits[n], c.seats[n] = st, c.seats[i]
			n++
			continue
		}
		if first < 0 {
			first = i
		}
		st.stand()
		parts = append(parts, st)
		if c.held != nil {
			c.held[st.grid]--
		}
		if c.last >= i {
			last--
		}
	}
	if first >= 0 {
		clear(c.splits[n:])
		c.splits, c.seats, c.last = c.splits[:n], c.seats[:n], last
		c.reseat(first)
	}
	return parts
}

// standsStill returns why nothing of the list issues, in cycles in which nothing has changed: when the first has its
// operands, and what all wait for.
func (c *scheduler) standsStill() (ready int64, all wait) {
	ready, all = never, longWait|fetchWait
	for i := range c.seats {
		ready, all = min(ready, c.seats[i].readyAt), all&c.seats[i].wait
	}
	return ready, all
}

// firstAt returns the place of the oldest that has its operands in a cycle.
func (c *scheduler) firstAt(ready int64) int {
	for i := range c.seats {
		if c.seats[i].readyAt == ready {
			return i
		}
	}
	return 0
}

// pipeline returns the cycle from which the memory pipeline takes an access; never, where a load must come back first.
func (s *sm) pipeline() int64 {
	if s.full() {
		return never
	}
	return s.memFree - s.queue
}

// free returns the cycle from which what sits in a seat can issue, where the memory pipeline takes an access from a
// cycle on. Before its operands are there it is not known whether it will find its unit free.
func (c *scheduler) free(w *seat, now, memory int64) int64 {
	if w.readyAt > now {
		return w.readyAt
	}
	at := c.unitFree[w.port]
	if w.times {
		at = min(at, c.unitFree[UnitSpecial])
	}
	if w.memory {
		at = max(at, memory)
	}
	return at
}

// look finds all that can issue in cycle now, and returns the cycle in which the first of the others may.
func (c *scheduler) look(now int64) (next int64) {
	c.ready = c.ready[:0]
	next = never
	memory := c.sm.pipeline()
	for i := range c.seats {
		if at := c.free(&c.seats[i], now, memory); at <= now {
			c.ready = append(c.ready, i)
		} else {
			next = min(next, at)
		}
	}
	return next
}

// inTurn is an IssuePolicy of this package that takes the first ready warp in an order: there is no need to look at
// those behind it.
type inTurn interface{ turns() turns }

// turns is such an order: whether what has issued last comes first, and whether the round through all begins behind it
// and not at the oldest.
type turns struct{ known, again, behind bool }

func (GTO) turns() turns { return turns{known: true, again: true} }

func (LRR) turns() turns { return turns{known: true, behind: true} }

func (Oldest) turns() turns { return turns{known: true} }

// lookInTurn finds the place of the first that can issue in cycle now in an order, -1 where none can: then next is the
// cycle in which one may, and it is known why they wait.
func (c *scheduler) lookInTurn(order turns, now int64) (place int, next int64) {
	memory := c.sm.pipeline()
	seats, i := c.seats, 0
	if last := c.last; order.again && uint(last) < uint(len(seats)) && c.free(&seats[last], now, memory) <= now {
		return last, 0
	}
	if order.behind && c.last+1 < len(seats) {
		i = c.last + 1
	}
	// As standsStill says it, while all are looked at: who is blocked was ready before those that wait.
	blocked, all := int64(never), longWait|fetchWait
	next = never
	for range seats {
		s := &seats[i]
		at := s.readyAt
		if at <= now {
			blocked = min(blocked, at)
			if at = c.free(s, now, memory); at <= now {
				return i, 0
			}
		}
		next, all = min(next, at), all&s.wait
		if i++; i == len(seats) {
			i = 0
		}
	}
	if c.stillAt, c.stillFor = blocked, all; blocked == never {
		c.stillAt = next
	}
	c.still = true
	return -1, next
}
