package simgpu

import "math/bits"

// This file is SBI's scoreboard: what waits for what where the threads of a warp are in several places that part and
// meet while instructions are in flight.

// relation is a matrix of truths: bit 3*i+j is that of row i and column j.
type relation uint16

// after returns the product of two relations: whether row i of r reaches column j of next by way of some place.
func (r relation) after(next relation) (out relation) {
	for i := range 3 {
		row := r >> (3 * i) & 7
		for k := range 3 {
			if row>>k&1 == 1 {
				out |= next >> (3 * k) & 7 << (3 * i)
			}
		}
	}
	return out
}

// transfer returns which threads of the places before may be in which of those after.
func transfer(before, after [3]Mask) (t relation) {
	for i, from := range before {
		for j, to := range after {
			if from&to != 0 {
				t |= 1 << (3*i + j)
			}
		}
	}
	return t
}

// same is transfer where no thread has gone to another place.
func same(places *[3]Mask) (t relation) {
	for i, m := range places {
		if m != 0 {
			t |= 1 << (4 * i)
		}
	}
	return t
}

// matrix is the scoreboard of a warp: an entry for what it has issued in a cycle, by place: 0 the lowest, 1 the next, 2
// all others.
type matrix struct {
	entries []matrixEntry // in flight, the oldest first
	masks   [3]Mask       // threads of the places
	any     bool          // the last entry is of what has issued in this cycle
}

type matrixEntry struct {
	at    [3]int64 // as warpSplit.ready
	names [3]names // of the values that it makes
	may   relation // threads that have issued row i may be in place j now
}

// names is what a value has been called since it was made. One with more than there is room for counts as any.
type names struct {
	list [4]int32
	n    int32
}

func (s *names) add(value int32) {
	if int(s.n) < len(s.list) {
		s.list[s.n] = value
	}
	s.n++
}

// among reports whether the value may be one of a list.
func (s *names) among(list []int32) bool {
	if int(s.n) > len(s.list) {
		return len(list) > 0
	}
	for _, x := range s.list[:s.n] {
		for _, y := range list {
			if x == y {
				return true
			}
		}
	}
	return false
}

// note notes that what a place has issued in this cycle makes a value, at a time.
func (m *matrix) note(place int, value int32, at int64) {
	if value < 0 {
		return
	}
	if !m.any {
		m.any, m.entries = true, append(m.entries, matrixEntry{})
	}
	e := &m.entries[len(m.entries)-1]
	e.at[place] = max(e.at[place], at)
	e.names[place].add(value)
}

// rename notes that a value is called dst too where it is one of those.
func (m *matrix) rename(of []int32, dst int32) {
	own := [1]int32{dst}
	add := func(e *matrixEntry) {
		for i := range e.names {
			if s := &e.names[i]; s.n > 0 && s.among(of) && !s.among(own[:]) {
				s.add(dst)
			}
		}
	}
	for i := range m.entries {
		add(&m.entries[i])
	}
}

// settle notes where threads are now, and forgets what is done in cycle now.
func (m *matrix) settle(after *[3]Mask, now int64) {
	if len(m.entries) == 0 {
		m.masks = *after
		return
	}
	stay := m.masks == *after // then entries say what they have said
	var t relation
	if stay {
		t = same(after)
	} else {
		t = transfer(m.masks, *after)
		m.masks = *after
	}
	old := m.entries
	if m.any {
		old = old[:len(old)-1]
	}
	n := 0
	for i := range old {
		e := &old[i]
		if e.done() <= now {
			continue
		}
		if !stay && e.may != 0 {
			e.may = e.may.after(t)
		}
		if n < i {
			old[n] = *e
		}
		n++
	}
	if m.any {
		m.any, m.entries[len(old)].may = false, t
		if n < len(old) {
			m.entries[n] = m.entries[len(old)]
		}
		n++
	}
	m.entries = m.entries[:n]
}

// done returns the cycle from which the entry is free.
func (e *matrixEntry) done() int64 { return max(e.at[0], e.at[1], e.at[2]) / 2 }

// until returns the time, as warpSplit.ready, from which a place has what an instruction depends on, and at at the
// earliest.
func (m *matrix) until(place int, deps []int32, at int64) int64 {
	column := relation(0b001001001) << place
	for i := range m.entries {
		e := &m.entries[i]
		for rows := e.may & column; rows != 0; rows &= rows - 1 {
			row := bits.TrailingZeros16(uint16(rows)) / 3
			if e.at[row] > at && e.names[row].among(deps) {
				at = e.at[row]
			}
		}
	}
	return at
}

// free returns the cycle from which there is an entry for what issues in cycle now or later.
func (m *matrix) free(now int64) int64 {
	if len(m.entries) < matrixEntries {
		return now
	}
	busy, first := 0, int64(never)
	for i := range m.entries {
		if d := m.entries[i].done(); d > now {
			busy, first = busy+1, min(first, d)
		}
	}
	if busy < matrixEntries {
		return now
	}
	return first
}
