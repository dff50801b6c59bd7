package frames

import (
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// Sort returns the rows in ascending order of the named columns, the first before the second; "-name" sorts that column
// in descending order. Rows that are equal keep their order, missing values come last either way, and text is in the
// order of its code points.
func (t *Table) Sort(by ...string) *Table {
	if len(by) == 0 {
		fail("Sort", "no column is named to sort by; the table has %s", listed(t.names))
	}
	columns, down := make([]*Column, len(by)), make([]bool, len(by))
	for i, name := range by {
		column, cut := strings.CutPrefix(name, "-")
		if slices.Contains(t.names, name) {
			column, cut = name, false
		}
		columns[i], down[i] = t.column("Sort", column), cut
	}
	return t.each(order(columns, down))
}

// order returns the rows in the order of columns, of which some descend.
func order(columns []*Column, down []bool) *arrays.Array {
	rows := arrays.Arange(columns[0].Len())
	for i, c := range slices.Backward(columns) { // stable sorts, the least important first
		keys := c.values.Array().At(rows)
		var at *arrays.Array
		if down[i] { // from the last row on, so that equal ones come out in their order when all are turned round
			backwards := arrays.ArgSort(keys.At(arrays.S(arrays.End, arrays.End, -1)))
			at = arrays.Sub(keys.Len()-1, backwards).At(arrays.S(arrays.End, arrays.End, -1))
		} else {
			at = arrays.ArgSort(keys)
		}
		if rows = rows.At(at); c.gaps() != nil {
			gone := c.missing().At(rows)
			rows = arrays.Concat(0, rows.At(gone.LogicalNot()), rows.At(gone))
		}
	}
	return rows
}
