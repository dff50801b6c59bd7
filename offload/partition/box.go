package partition

import "slices"

// Box is a set of elements of a root: those whose index along each axis is in the axis's range. A root without axes has
// one element, and its box no ranges.
type Box []Range

// Whole is all elements of a root of that shape.
func Whole(shape []int) Box {
	b := make(Box, len(shape))
	for a, n := range shape {
		b[a] = Span(0, n)
	}
	return b
}

// Len is the number of elements.
func (b Box) Len() int {
	n := 1
	for _, r := range b {
		n *= r.Len()
	}
	return n
}

// Shape is the number of indices along each axis: the shape of the elements when they are packed.
func (b Box) Shape() []int {
	shape := make([]int, len(b))
	for a, r := range b {
		shape[a] = r.Len()
	}
	return shape
}

// Has reports whether the element of that index is in b.
func (b Box) Has(index []int) bool {
	for a, r := range b {
		if !r.Has(index[a]) {
			return false
		}
	}
	return true
}

// Contains reports whether all elements of o, of the same root, are in b. It takes time linear in the axes, as Meet and
// Hull do.
func (b Box) Contains(o Box) bool {
	if o.Len() == 0 {
		return true
	}
	for a, r := range b {
		if !r.Contains(o[a]) {
			return false
		}
	}
	return true
}

// Meet is the elements that are in both boxes.
func (b Box) Meet(o Box) Box { return (*Room)(nil).Meet(b, o) }

// Meets reports whether the boxes have an element in common.
func (b Box) Meets(o Box) bool {
	for a := range b {
		r, s := &b[a], &o[a]
		if r.Step == 1 && s.Step == 1 { // most are
			if max(r.Start, s.Start) >= min(r.Stop, s.Stop) {
				return false
			}
		} else if r.Meet(*s).Len() == 0 {
			return false
		}
	}
	return true
}

// MeetLen is how many elements the boxes have in common.
func (b Box) MeetLen(o Box) int {
	n := 1
	for a := range b {
		r, s := &b[a], &o[a]
		k := 0
		if r.Step == 1 && s.Step == 1 {
			k = min(r.Stop, s.Stop) - max(r.Start, s.Start)
		} else {
			k = r.Meet(*s).Len()
		}
		if k <= 0 {
			return 0
		}
		n *= k
	}
	return n
}

// HullLen is how many elements the hull of both boxes has.
func (b Box) HullLen(o Box) int {
	nb, no := b.Len(), o.Len()
	if nb == 0 || no == 0 {
		return nb + no
	}
	n := 1
	for a := range b {
		if r, s := &b[a], &o[a]; r.Step == 1 && s.Step == 1 && (r.Len() > 1 || s.Len() > 1) { // most are
			n *= max(r.Stop, s.Stop) - min(r.Start, s.Start)
		} else {
			n *= r.Hull(*s).Len()
		}
	}
	return n
}

// Hull is the smallest box that contains both.
func (b Box) Hull(o Box) Box {
	if b.Len() == 0 {
		return o
	}
	if o.Len() == 0 {
		return b
	}
	out := slices.Clone(b)
	out.Widen(o)
	return out
}

// Widen makes b its hull with o. Both have elements.
func (b Box) Widen(o Box) {
	for a, r := range b {
		b[a] = r.Hull(o[a])
	}
}

// Without is what of b is not in o, as boxes that do not meet. There are at most two for each axis, and more where o's
// steps leave elements out: see [Range.Without].
func (b Box) Without(o Box) []Box { return (*Room)(nil).Without(nil, b, o) }

// Runs calls yield for each run of elements that lie side by side in a root of that shape, in C order: where it begins
// there, how many elements it has, and how many came before it. It makes as few as there are and takes time linear in
// them.
func (b Box) Runs(shape []int, yield func(at, n, before int)) {
	if b.Len() == 0 {
		return
	}
	length, tail := 1, len(b) // the axes from tail on are one run for each index of those before
	for tail > 0 {
		r := b[tail-1]
		if r.Step != 1 && r.Len() > 1 {
			break
		}
		length *= r.Len()
		tail--
		if r.Len() != shape[tail] {
			break
		}
	}
	pitch := make([]int, len(b))
	n, first := 1, 0
	for a := len(b) - 1; a >= 0; a-- {
		pitch[a] = n
		first += n * b[a].Start
		n *= shape[a]
	}
	index := make([]int, tail)
	for at, before := first, 0; ; before += length {
		yield(at, length, before)
		a := tail - 1
		for ; a >= 0; a-- {
			step := b[a].Step * pitch[a]
			if index[a]++; index[a] < b[a].Len() {
				at += step
				break
			}
			at -= (index[a] - 1) * step
			index[a] = 0
		}
		if a < 0 {
			return
		}
	}
}

// Run returns where b, which is not empty, begins in a root of that shape, in elements, and whether its elements lie
// side by side there.
func (b Box) Run(shape []int) (at int, together bool) {
	a := len(b) - 1
	for a >= 0 && b[a].Len() == shape[a] { // whole axes
		a--
	}
	together = a < 0 || b[a].Step == 1
	for a--; a >= 0; a-- {
		together = together && b[a].Len() == 1
	}
	for a, r := range b {
		at = at*shape[a] + r.Start
	}
	return at, together
}
