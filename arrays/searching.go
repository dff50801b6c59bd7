package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Digitize returns for each element of x in which of the bins between edges it lies: 0 below the first edge, i where
// edges[i-1] <= x < edges[i]. Edges may descend: then it is i where edges[i-1] > x >= edges[i]. With [Right](true) bins
// include the other edge.
//
//mirror:copy
func Digitize(x, edges ArrayLike, right ...RightOption) *Array {
	search := SearchSortedRight
	switch yes := optional("digitize", "options", right, Right(false)).Value.(type) {
	case bool:
		if yes {
			search = SearchSorted
		}
	default:
		check("digitize", &Error{Msg: fmt.Sprintf("Right has %s; give Right(true) or Right(false)", brief.Type(yes))})
	}
	e := must("digitize", edges)
	ascending := search(e, x)
	n := e.Size()
	if n < 2 {
		return ascending
	}
	descending := Sub(n, search(e.At(S(End, End, -1)), x))
	return Where(e.At(0).Greater(e.At(-1)), descending, ascending)
}

// searchable is the list that is searched, by the indices of a Sorter.
//
//mirror:copy
func searchable(x any, sorter []SorterOption) any {
	atMost("searchsorted", "options", sorter, 1)
	if len(sorter) == 0 {
		return x
	}
	a, order := must("searchsorted", x), must("searchsorted", sorter[0].Order)
	if a.NDim() != 1 || !slices.Equal(a.Shape(), order.Shape()) || !order.DType().IsInt() {
		check("searchsorted", &Error{Shapes: [][]int{a.Shape(), order.Shape()}, Msg: fmt.Sprintf(
			"a Sorter of %v of shape %s does not sort shape %s; give the list's ArgSort", order.DType(), shapeString(order.Shape()), shapeString(a.Shape()))})
	}
	return a.At(order)
}
