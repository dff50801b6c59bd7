package arrays

import "slices"

// The shapes of the results below depend on the elements. With an axis it is the parts along it that are compared, as
// in a table whose rows or columns occur more than once: they ascend by their first elements, where those are equal by
// the second, and so on in C order, and two that have a NaN are never equal.

// Unique returns the distinct elements of x, ascending; NaNs count as one. With an axis it returns the distinct parts
// of x along it.
//
//mirror:host
func Unique(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("unique", axis)
	a := must("unique", x)
	if len(axes) == 0 && int(a.dtype) < len(distinctInts) && distinctInts[a.dtype] != nil {
		return distinctInts[a.dtype](a)
	}
	u, _, _ := unique(a, axes)
	return u
}

// UniqueCounts returns the distinct elements of x, or parts along an axis, ascending, and how often each is there.
//
//mirror:host
func UniqueCounts(x ArrayLike, axis ...AxisOption) (values, counts *Array) {
	axes := axesFrom("unique", axis)
	u, _, c := unique(x, axes)
	return u, c
}

// UniqueInverse returns the distinct elements of x, ascending, and for each element of x, in its shape, the index of
// its value. With an axis it returns the distinct parts along it, and a list of the index of each part.
//
//mirror:host
func UniqueInverse(x ArrayLike, axis ...AxisOption) (values, inverse *Array) {
	axes := axesFrom("unique", axis)
	a := must("unique", x)
	u, order, counts := unique(a, axes)
	return u, inverseOf(a, axes, order, counts)
}

// UniqueAll returns the distinct elements of x, ascending; for each the index in C order at which it is first; in the
// shape of x the indices of values; and how often each is there. With an axis it is of the parts along it, as
// [UniqueInverse].
//
//mirror:host
func UniqueAll(x ArrayLike, axis ...AxisOption) (values, first, inverse, counts *Array) {
	axes := axesFrom("unique", axis)
	a := must("unique", x)
	u, order, c := unique(a, axes)
	starts := CumSum(c).Sub(c)
	return u, order.At(starts), inverseOf(a, axes, order, c), c
}

// inverseOf returns the index among the values of each element, or part, from the order of all and how often each is
// there.
func inverseOf(a *Array, axis []int, order, counts *Array) *Array {
	shape := a.layout.Shape
	if len(axis) > 0 {
		shape = []int{order.Size()}
	}
	inv := New(Int64, shape...)
	to, from := elements[int64](inv.data), elements[int64](order.data)
	at := 0
	for v, n := range elements[int64](counts.data) {
		for range n {
			to[from[at]] = int64(v)
			at++
		}
	}
	return inv
}

// unique returns the values, the indices that sort x, and the counts.
func unique(x any, axis []int) (values, order, counts *Array) {
	a := must("unique", x)
	k, err := axisOf(axis, a.layout.Shape, true)
	check("unique", err)
	if k >= 0 {
		return uniqueParts(a, k)
	}
	a = a.Reshape(-1)
	order = ArgSort(a)
	sorted := a.At(order)
	starts := orderOf(a.dtype).starts(contents(sorted))
	return sorted.At(FromSlice(starts)), order, distances(starts, sorted.Len())
}

// uniqueParts is unique of the parts along axis k.
func uniqueParts(a *Array, k int) (values, order, counts *Array) {
	parts := a.MoveAxis(k, 0)
	n := parts.Len()
	size := sizeOf(parts.layout.Shape[1:])
	rows := parts.Reshape(n, size)
	order = Arange(n)
	starts := []int{}
	if n > 0 {
		starts = append(starts, 0)
	}
	if n > 1 && size > 0 {
		columns := Unstack(rows, 1)
		slices.Reverse(columns)
		keys := make([]any, size)
		for i, c := range columns {
			keys[i] = c
		}
		order = LexSort(keys...)
		rows = rows.At(order)
		differ := NotEqual(rows.At(From(1)), rows.At(To(-1))).AnyTrue(Axis(1))
		starts = append(starts, FlatNonZero(differ).Add(1).Ints()...)
	}
	return parts.At(order.At(FromSlice(starts))).MoveAxis(0, k), order, distances(starts, n)
}

// distances returns how far it is from each of starts to the next, of the last to n.
func distances(starts []int, n int) *Array {
	counts := New(Int64, len(starts))
	c := elements[int64](counts.data)
	for i, s := range starts {
		end := n
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		c[i] = int64(end - s)
	}
	return counts
}
