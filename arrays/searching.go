package arrays

//mirror:copy

import (
	"fmt"
	"slices"
)

// Digitize returns for each element of x in which of the bins between edges it lies: 0 below the first edge, i where
// edges[i-1] <= x < edges[i]. Edges may descend: then it is i where edges[i-1] > x >= edges[i]. With [Right](true) bins
// include the other edge.
func Digitize(x, edges any, opts ...any) *Array {
	search := SearchSortedRight
	for _, opt := range opts {
		right, ok := opt.(RightOption)
		yes, isBool := right.Value.(bool)
		switch {
		case !ok:
			check("digitize", &Error{Msg: fmt.Sprintf("a %T is not an option; give Right(true)", opt)})
		case !isBool:
			check("digitize", &Error{Msg: fmt.Sprintf("Right has a %T; give Right(true) or Right(false)", right.Value)})
		case yes:
			search = SearchSorted
		default:
			search = SearchSortedRight
		}
	}
	e := must("digitize", edges)
	ascending := search(e, x)
	n := e.Size()
	if n < 2 {
		return ascending
	}
	descending := Sub(n, search(e.At(S(End, End, -1)), x))
	return Where(e.At(0).Gt(e.At(-1)), descending, ascending)
}

// searchable is the list that is searched, by the indices of a Sorter.
func searchable(x any, opts []any) any {
	for _, opt := range opts {
		o, ok := opt.(SorterOption)
		if !ok {
			check("searchsorted", &Error{Msg: fmt.Sprintf("a %T is not an option; give Sorter(order)", opt)})
		}
		a, order := must("searchsorted", x), must("searchsorted", o.Order)
		if a.NDim() != 1 || !slices.Equal(a.Shape(), order.Shape()) || !order.DType().IsInt() {
			check("searchsorted", &Error{Shapes: [][]int{a.Shape(), order.Shape()}, Msg: fmt.Sprintf(
				"a Sorter of %v of shape %s does not sort shape %s; give the list's ArgSort", order.DType(), shapeString(order.Shape()), shapeString(a.Shape()))})
		}
		x = a.At(order)
	}
	return x
}
