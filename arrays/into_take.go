package arrays

// take writes the elements of x at the given indices into o's array: at once where they are a line of numbers at ints
// one after the other, or the array is as the fresh one that they would go into.
func (o Out) take(x, indices any, axis []int) *Array {
	z, a, i := o.array("take"), must("take", x), must("take", indices)
	k := 0
	switch {
	case len(axis) > 0:
		k = axisFor("take", a, optional("take", "axes", axis, 0))
	case a.NDim() != 1:
		a = a.Reshape(-1)
	}
	to := z.as(a.dtype)
	if to != nil && (overlap(to.data, a.extent()) || overlap(to.data, i.extent())) {
		to = nil
	}
	if to != nil && a.picksWith(i) && inBounds(i, a.Len()) {
		check("take", z.layout.Receives(Spec{DType: a.dtype, Shape: i.layout.Shape}, z.dtype, false))
		a.pickTo(to.data, i)
		return z
	}
	idx := wholeBut(a.NDim(), k, i)
	if to == nil || !hasIndexArray(idx) {
		return o.put("take", a.At(idx...))
	}
	p, err := a.layout.planIndex(idx)
	check("index", err)
	s, err := p.selection() // looks at the indices before anything is written, and first, as lazy arrays do
	check("index", err)
	check("take", z.layout.Receives(Spec{DType: a.dtype, Shape: p.shape()}, z.dtype, false))
	s.gatherTo(to.data, a)
	return z
}
