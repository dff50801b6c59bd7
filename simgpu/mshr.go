package simgpu

import "slices"

// This file is the table of lines of which misses are in flight (miss status holding registers), as a queue of loads
// looks at it: how many of them there are, and which line is back first.

// mshr is a line of which a miss is in flight.
type mshr struct {
	line  uint64
	ready int64
}

// mshrs are the lines of an SM that are on their way. There are two lists, each with the one that is back first in
// front: what L2 has comes back long before what DRAM has, and each of the two about in the order in which it was asked
// for, so that a line goes to the end of one list where it would go to the middle of a single one.
type mshrs struct {
	lists [2]returning
	kinds linesByKind // of all of them
}

// returning is a list of misses, the one that is back first in front. Those before back are back.
type returning struct {
	list []mshr
	back int
}

// away are the misses of the list that are in flight.
func (l *returning) away() []mshr { return l.list[l.back:] }

// last returns when the last of the list is back, or a time before all others.
func (l *returning) last() int64 {
	if l.back == len(l.list) {
		return -1
	}
	return l.list[len(l.list)-1].ready
}

// after returns how many of the list are in flight after cycle at.
func (l *returning) after(at int64) int {
	n := len(l.list) - l.back
	for _, m := range l.away() {
		if m.ready > at {
			break
		}
		n--
	}
	return n
}

// put puts a miss into its place.
func (l *returning) put(m mshr) {
	l.list = append(l.list, m)
	i := len(l.list) - 1
	for ; i > l.back && l.list[i-1].ready > m.ready; i-- {
		l.list[i] = l.list[i-1]
	}
	l.list[i] = m
}

// after returns how many lines are in flight after cycle at.
func (t *mshrs) after(at int64) int { return t.lists[0].after(at) + t.lists[1].after(at) }

// first returns when the next line is back, or never.
func (t *mshrs) first() int64 {
	first := int64(never)
	for i := range t.lists {
		if away := t.lists[i].away(); len(away) > 0 {
			first = min(first, away[0].ready)
		}
	}
	return first
}

// enter notes that a miss of a line is in flight until cycle ready.
func (t *mshrs) enter(line uint64, ready int64) {
	kind := t.kinds.of(line)
	if *kind > 0 {
		ready = t.again(line, ready)
	}
	*kind++
	l, other := &t.lists[0], &t.lists[1]
	if a, b := l.last(), other.last(); a > ready && b < a || a <= ready && a < b && b <= ready {
		l = other // the one in which it comes closer to the end
	}
	l.put(mshr{line, ready})
}

// again takes a line out of the table, if it is there, and returns the later of two times at which it is back.
func (t *mshrs) again(line uint64, ready int64) int64 {
	for i := range t.lists {
		l := &t.lists[i]
		for k, m := range l.away() {
			if m.line == line {
				l.list = slices.Delete(l.list, l.back+k, l.back+k+1)
				*t.kinds.of(line)--
				return max(m.ready, ready)
			}
		}
	}
	return ready
}

// arrived forgets the misses that are back in cycle now.
func (t *mshrs) arrived(now int64) {
	for i := range t.lists {
		l := &t.lists[i]
		for l.back < len(l.list) && l.list[l.back].ready <= now {
			*t.kinds.of(l.list[l.back].line)--
			l.back++
		}
		switch {
		case l.back == len(l.list):
			l.list, l.back = l.list[:0], 0
		case l.back > 64: // the list moves to the front of its room now and then
			l.list, l.back = slices.Delete(l.list, 0, l.back), 0
		}
	}
}
