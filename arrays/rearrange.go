package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Repeat returns x with every element n times in a row along an axis, over the flattened array when none is named. n is
// an int, or []int or a 1-D array of ints with a number for each element, whose sum is looked at now.
//
//mirror:copy
func Repeat(x, n ArrayLike, axis ...AxisOption) *Array {
	const op = "repeat"
	axes := axesFrom(op, axis)
	a := must(op, x)
	if len(axes) == 0 {
		a = a.Reshape(-1)
	}
	k := axisFor(op, a, optional(op, "axes", axes, 0))
	switch n := n.(type) {
	case int:
		notNegative(op, n)
		b := a.MoveAxis(k, -1)
		shape := b.Shape()
		last := shape[len(shape)-1]
		b = BroadcastTo(b.ExpandDims(b.NDim()), append(slices.Clone(shape), n)...)
		return b.Reshape(append(shape[:len(shape)-1], last*n)...).MoveAxis(-1, k)
	case []int:
		if len(n) == 1 { // as a number
			return Repeat(a, n[0], k)
		}
		if size := a.Shape()[k]; len(n) != size {
			check(op, &Error{Shapes: [][]int{a.Shape(), {len(n)}}, Msg: fmt.Sprintf("there are %d numbers for the %d elements of axis %d", len(n), size, k)})
		}
		total := 0.0 // which does not wrap
		for _, times := range n {
			notNegative(op, times)
			total += float64(times)
		}
		const many = 1 << 24
		if total > many { // then it is to be seen first whether there is memory
			return Repeat(a, FromSlice(n), k)
		}
		places := make([]int, 0, int(total))
		for i, times := range n {
			for range times {
				places = append(places, i)
			}
		}
		return Take(a, FromSlice(places), k)
	case *Array:
		if !n.DType().IsInt() || n.NDim() != 1 || n.Size() < 2 {
			return Repeat(a, n.AsType(Int64).Ints(), k)
		}
		if size := a.Shape()[k]; n.Size() != size {
			check(op, &Error{Shapes: [][]int{a.Shape(), n.Shape()}, Msg: fmt.Sprintf("there are %d numbers for the %d elements of axis %d", n.Size(), size, k)})
		}
		notNegative(op, n.Min().Int())
		total := n.AsType(Float64).Sum().Float64() // which does not wrap, and is exact below 2^53
		if total >= 1<<53 {
			check(op, &Error{Shapes: [][]int{a.Shape(), n.Shape()}, Msg: fmt.Sprintf("the numbers make %.3g elements in all, for which there is no memory", total)})
		}
		ends := n.AsType(Int64).CumSum() // element i is there up to the i-th of them
		return Take(a, SearchSortedRight(ends, Arange(int(total))), k)
	}
	check(op, &Error{Msg: fmt.Sprintf("%s does not say how often; give an int, or []int or a 1-D array of ints with a number for each element", brief.Type(n))})
	return nil
}

// notNegative refuses n repetitions that are fewer than none.
//
//mirror:copy
func notNegative(op string, n int) {
	if n < 0 {
		check(op, &Error{Msg: fmt.Sprintf("%d repetitions cannot be made; use 0 or more", n)})
	}
}

// Tile returns x repeated as a whole: reps[i] times along axis i, aligned at the last axis.
//
//mirror:copy
func Tile(x ArrayLike, reps ...int) *Array {
	a := must("tile", x)
	for a.NDim() < len(reps) {
		a = a.ExpandDims(0)
	}
	for len(reps) < a.NDim() {
		reps = slices.Insert(slices.Clone(reps), 0, 1)
	}
	var apart, stretched, joined []int
	for axis, size := range a.Shape() {
		if reps[axis] < 0 {
			check("tile", &Error{Msg: fmt.Sprintf("%d repetitions cannot be made; use 0 or more", reps[axis])})
		}
		apart = append(apart, 1, size)
		stretched = append(stretched, reps[axis], size)
		joined = append(joined, reps[axis]*size)
	}
	return BroadcastTo(a.Reshape(apart...), stretched...).Reshape(joined...).Copy()
}

// Roll returns x with its elements moved by shift places along an axis, or along each of several, those that leave at
// one end coming in at the other; in C order over all elements when no axis is named.
//
//mirror:copy
func Roll(x ArrayLike, shift int, axis ...AxisOption) *Array {
	axes := axesFrom("roll", axis)
	a := must("roll", x)
	if len(axes) == 0 {
		return Roll(a.Reshape(-1), shift, 0).Reshape(a.Shape()...)
	}
	if len(axes) > 1 {
		a = Roll(a, shift, axes[1:])
	}
	k := axisFor("roll", a, axes[0])
	b := a.MoveAxis(k, 0)
	n := b.Len()
	if n == 0 {
		return a.Copy()
	}
	cut := ((-shift)%n + n) % n
	return Concat(0, b.At(From(cut)), b.At(To(cut))).MoveAxis(0, k)
}

// Take returns the elements of x at the given indices along an axis, over the flattened array when none is named.
//
//mirror:copy
func Take(x, indices ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("take", axis)
	a := must("take", x)
	i := must("take", indices)
	if len(axes) == 0 {
		if a.NDim() != 1 {
			a = a.Reshape(-1)
		}
		return a.At(i)
	}
	return pickAlong(a, i, axisFor("take", a, optional("take", "axes", axes, 0)))
}

// Rot90 turns x by k quarters of a turn, or by one, in the plane of two axes, from the first to the second: Rot90(x, k,
// i, j) names them, otherwise they are the first two of x.
//
//mirror:copy
func Rot90(x ArrayLike, k ...int) *Array {
	a := must("rot90", x)
	if len(k) > 1 {
		return rot90Plane(a, k)
	}
	if a.NDim() < 2 {
		check("rot90", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more"})
	}
	switch ((optional("rot90", "numbers of turns", k, 1) % 4) + 4) % 4 {
	case 1:
		return a.Flip(1).SwapAxes(0, 1)
	case 2:
		return a.Flip(0, 1)
	case 3:
		return a.SwapAxes(0, 1).Flip(1)
	}
	return a
}

// rot90Plane is Rot90 in the plane of the axes k[1] and k[2].
//
//mirror:copy
func rot90Plane(a *Array, k []int) *Array {
	if len(k) != 3 {
		check("rot90", &Error{Msg: fmt.Sprintf("%d numbers are given; it takes the quarters of a turn, or these and two axes", len(k))})
	}
	i, j := axisFor("rot90", a, k[1]), axisFor("rot90", a, k[2])
	if i == j {
		check("rot90", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("axis %d is named twice; a plane has two axes", i)})
	}
	order := []int{i, j} // the plane's axes first, then the others
	for axis := range a.NDim() {
		if axis != i && axis != j {
			order = append(order, axis)
		}
	}
	back := make([]int, len(order))
	for to, from := range order {
		back[from] = to
	}
	return Rot90(a.T(order), k[0]).T(back)
}
