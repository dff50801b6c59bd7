package partition

// Room gives boxes of memory that it has: for what makes many of them, each for a short time. The boxes that it gives
// are its caller's, as any others are, until they are given back. The zero value is ready; a nil Room allocates each
// box. It belongs to one goroutine.
type Room struct {
	free  [][]Box // by their number of axes
	rest  []Range
	boxes int // that there was room for in the last piece of memory
}

// mostBoxes is the most boxes that a Room asks for at once.
const mostBoxes = 64

// Box returns a box of so many axes. What its ranges are is not said.
func (m *Room) Box(axes int) Box {
	switch {
	case m == nil || axes == 0:
		return make(Box, axes)
	case axes < len(m.free) && len(m.free[axes]) > 0:
		last := len(m.free[axes]) - 1
		b := m.free[axes][last]
		m.free[axes] = m.free[axes][:last]
		return b
	case len(m.rest) < axes:
		m.boxes = min(2*m.boxes+1, mostBoxes)
		m.rest = make([]Range, m.boxes*axes)
	}
	b := Box(m.rest[:axes:axes])
	m.rest = m.rest[axes:]
	return b
}

// Back takes a box that nobody uses any more. The next call of a method may give it to another.
func (m *Room) Back(b Box) {
	if m == nil || len(b) == 0 {
		return
	}
	for len(m.free) <= len(b) {
		m.free = append(m.free, nil)
	}
	m.free[len(b)] = append(m.free[len(b)], b)
}

// Clone returns a copy of b.
func (m *Room) Clone(b Box) Box {
	out := m.Box(len(b))
	copy(out, b)
	return out
}

// Meet is [Box.Meet].
func (m *Room) Meet(b, o Box) Box {
	out := m.Box(len(b))
	for a, r := range b {
		out[a] = r.Meet(o[a])
	}
	return out
}

// Without appends [Box.Without] to out. None of the boxes is b or o.
func (m *Room) Without(out []Box, b, o Box) []Box {
	if b.Len() == 0 || o.Contains(b) {
		return out
	}
	if !b.Meets(o) {
		return append(out, m.Clone(b))
	}
	rest := m.Clone(b)
	var few [4]Range
	for a, r := range b { // those that differ first along axis a
		for _, x := range r.without(few[:0], o[a]) {
			part := m.Clone(rest)
			part[a] = x
			out = append(out, part)
		}
		rest[a] = r.Meet(o[a])
	}
	m.Back(rest)
	return out
}
