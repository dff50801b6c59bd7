package simgpu

// This file is how a scheduler finds, in each cycle, what can issue.

// seat is what decides when a warp split can issue. A scheduler has those of its list side by side, in a few lines of
// the host's cache, as it looks at them in each cycle: splits are large, and there are thousands.
type seat struct {
	readyAt int64 // cycle from which the next instruction can issue if its unit is free
	port    Unit  // that the next instruction occupies
	memory  bool  // it goes through the SM's memory pipeline
	times   bool  // multipliers of UnitSpecial take it as well
	long    bool  // it waits for global memory or at a barrier
	fetches bool  // it waits for its instruction buffer, not for an operand
}

// stay lets st wait until something else lets it go on. Threads that are formed anew have no seat.
func (st *warpSplit) stay() {
	if st.seat != nil {
		st.readyAt, st.long = never, true
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

// standstill is why nothing of a scheduler's list issues.
type standstill struct {
	known    bool
	ready    int64 // cycle in which the first has its operands
	first    int   // its place, the lowest of several
	short    bool  // some wait for something else than memory and barriers
	fetching bool  // all wait for their instruction buffers
}

var noneYet = standstill{known: true, ready: never, fetching: true}

// add takes in the seat at a place.
func (w *standstill) add(s *seat, place int) {
	if s.readyAt < w.ready || s.readyAt == w.ready && place < w.first {
		w.ready, w.first = s.readyAt, place
	}
	w.short = w.short || !s.long
	w.fetching = w.fetching && s.fetches
}

// standsStill returns why nothing issues, in cycles in which nothing has changed.
func (c *scheduler) standsStill() (w standstill) {
	w = noneYet
	for i := range c.seats {
		w.add(&c.seats[i], i)
	}
	return w
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
type inTurn interface {
	// turn returns a place that comes first, or -1, and that at which the round through all begins.
	turn(last int) (first, from int)
}

func (GTO) turn(last int) (first, from int) { return last, 0 }

func (LRR) turn(last int) (first, from int) { return -1, last + 1 }

func (Oldest) turn(int) (first, from int) { return -1, 0 }

// lookInTurn finds the place of the first that can issue in cycle now in an order, -1 where none can: then next is the
// cycle in which one may, and it is known why they wait.
func (c *scheduler) lookInTurn(order inTurn, now int64) (place int, next int64) {
	memory := c.sm.pipeline()
	seats := c.seats
	first, from := order.turn(c.last)
	if first >= 0 && first < len(seats) && c.free(&seats[first], now, memory) <= now {
		return first, 0
	}
	if from >= len(seats) {
		from = 0
	}
	next = never
	// As standstill.add says it; this is looked at more often than all else, so that it stays in registers.
	ready, lowest, short, fetching := int64(never), 0, false, true
	for base, part := from, seats[from:]; ; base, part = 0, seats[:from] {
		for i := range part {
			s := &part[i]
			at := s.readyAt
			if at < ready || at == ready && base+i < lowest {
				ready, lowest = at, base+i
			}
			if at <= now {
				if at = c.free(s, now, memory); at <= now {
					return base + i, 0
				}
			}
			next = min(next, at)
			short, fetching = short || !s.long, fetching && s.fetches
		}
		if base == 0 {
			break
		}
	}
	c.still = standstill{known: true, ready: ready, first: lowest, short: short, fetching: fetching}
	return -1, next
}
