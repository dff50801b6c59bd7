package partition

import (
	"cmp"
	"slices"
)

// Map is an operation's index map: element i of its domain needs the element of the root whose index along axis a is
// Start[a] + Σ Step·i[Axis] over the terms of a. Slices, broadcasts, reductions, contractions, transposes, windows and
// all views of constant strides are such maps.
type Map struct {
	Start []int
	Terms [][]Term
}

// Term is what an axis of the domain adds to an index.
type Term struct{ Axis, Step int }

// Select is the map whose axis a follows axis axes[a] of the domain, and is at 0 where that is negative. It is the
// identity for 0, 1, …; a permutation for these in another order; a broadcast's operand or a reduction's result where
// some are left out; and an operand of a contraction, whose domain has the axes of the result and those that are summed
// over.
func Select(axes ...int) Map {
	m := Map{make([]int, len(axes)), make([][]Term, len(axes))}
	for a, d := range axes {
		if d >= 0 {
			m.Terms[a] = []Term{{d, 1}}
		}
	}
	return m
}

// Window is the map of a slice: it begins at start and goes on by step, which may be negative, along each axis.
func Window(start, step []int) Map {
	m := Map{slices.Clone(start), make([][]Term, len(start))}
	for a, s := range step {
		m.Terms[a] = []Term{{a, s}}
	}
	return m
}

// View is what a view of constant strides is over the elements of its root in C order: element i is number Offset + Σ
// Strides·i.
type View struct {
	Offset         int
	Shape, Strides []int
}

// Over returns the view as a map to a root of that shape. It returns false where a step of the view goes over the end
// of an axis, as in a view of reshaped elements: then a root of one axis, which always does, has to be taken. It takes
// time linear in the product of both numbers of axes.
func (v View) Over(root []int) (Map, bool) {
	m := Map{make([]int, len(root)), make([][]Term, len(root))}
	pitch := make([]int, len(root))
	n := 1
	for a := len(root) - 1; a >= 0; a-- {
		pitch[a] = n
		n *= root[a]
	}
	rest := v.Offset
	lo, hi := make([]int, len(root)), make([]int, len(root))
	for a := range root {
		m.Start[a] = rest / pitch[a]
		rest %= pitch[a]
		lo[a], hi[a] = m.Start[a], m.Start[a]
	}
	for d, s := range v.Strides {
		if s == 0 || v.Shape[d] < 2 {
			continue
		}
		at := -1
		for a, p := range pitch { // the largest pitch that the stride is a multiple of
			if root[a] > 1 && s%p == 0 {
				at = a
				break
			}
		}
		if at < 0 {
			return Map{}, false
		}
		step := s / pitch[at]
		m.Terms[at] = append(m.Terms[at], Term{d, step})
		if far := step * (v.Shape[d] - 1); far < 0 {
			lo[at] += far
		} else {
			hi[at] += far
		}
		if lo[at] < 0 || hi[at] >= root[at] {
			return Map{}, false
		}
	}
	return m, true
}

// Root returns the shape of a root of n elements whose axes are those of the view, in the order of their strides: the
// matrix that a slice of reshaped elements is a part of. It is nil where the strides are not multiples of one another.
func (v View) Root(n int) []int {
	var pitches []int
	for d, s := range v.Strides {
		if v.Shape[d] > 1 && s != 0 {
			pitches = append(pitches, max(s, -s))
		}
	}
	slices.Sort(pitches)
	var root []int
	inner := 1
	for _, p := range slices.Compact(pitches) {
		if p%inner != 0 {
			return nil
		}
		if p > inner {
			root, inner = append(root, p/inner), p
		}
	}
	if n%inner != 0 {
		return nil
	}
	root = append(root, n/inner)
	slices.Reverse(root)
	return root
}

// Depends reports whether the map's elements change along an axis of the domain.
func (m Map) Depends(axis int) bool {
	for _, terms := range m.Terms {
		for _, t := range terms {
			if t.Axis == axis && t.Step != 0 {
				return true
			}
		}
	}
	return false
}

// Image is the smallest box that contains what the elements of part, a box of the domain, need, and whether they need
// all of it. Between two axes that go together, as on a diagonal, and where steps leave holes, they do not. It takes
// time linear in the terms, but for sorting those of an axis.
func (m Map) Image(part Box) (box Box, exact bool) {
	if part.Len() == 0 {
		return make(Box, len(m.Start)), true
	}
	exact = true
	box = make(Box, len(m.Start))
	type progression struct{ step, last int }
	var room [4]progression
	for a, start := range m.Start {
		sums, step := room[:0], 0
		lo, hi := start, start
		for _, t := range m.Terms[a] {
			r := part[t.Axis]
			lo, hi = lo+t.Step*r.Start, hi+t.Step*r.Start
			if n := r.Len(); n > 1 && t.Step != 0 {
				s := t.Step * r.Step
				if s > 0 {
					hi += s * (n - 1)
				} else {
					lo += s * (n - 1)
					s = -s
				}
				step = gcd(step, s)
				sums = append(sums, progression{s, n - 1})
				exact = exact && !m.shared(t.Axis, a)
			}
		}
		box[a] = Every(lo, hi+1, max(step, 1))
		if len(sums) > 1 {
			// The sums of progressions leave no hole where each step is at most one more than what the smaller ones
			// reach.
			slices.SortFunc(sums, func(x, y progression) int { return cmp.Compare(x.step, y.step) })
			reach := 0
			for _, p := range sums {
				exact = exact && p.step <= reach+step
				reach += p.step * p.last
			}
		}
	}
	return box, exact
}

// shared reports whether an axis of the domain moves along another axis of the root than a.
func (m Map) shared(axis, a int) bool {
	for other, terms := range m.Terms {
		for _, t := range terms {
			if other != a && t.Axis == axis && t.Step != 0 {
				return true
			}
		}
	}
	return false
}

// In returns the view of part, a box of m's domain, in the packed elements of box: C order, and only these. box must
// contain the image of part.
func (m Map) In(box, part Box) View {
	v := View{Shape: part.Shape(), Strides: make([]int, len(part))}
	pitch := 1
	for a := len(box) - 1; a >= 0; a-- {
		first := m.Start[a]
		for _, t := range m.Terms[a] {
			first += t.Step * part[t.Axis].Start
			if v.Shape[t.Axis] > 1 {
				v.Strides[t.Axis] += t.Step * part[t.Axis].Step / box[a].Step * pitch
			}
		}
		v.Offset += (first - box[a].Start) / box[a].Step * pitch
		pitch *= box[a].Len()
	}
	return v
}

// Part returns the view of part, a box of v's domain, over the same root.
func (v View) Part(part Box) View {
	out := View{v.Offset, part.Shape(), make([]int, len(part))}
	for d, r := range part {
		out.Offset += r.Start * v.Strides[d]
		out.Strides[d] = v.Strides[d] * r.Step
	}
	return out
}
