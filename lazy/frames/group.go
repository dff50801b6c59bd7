package frames

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Groups is the rows of a table by the values of some of its columns. Each method returns a table of a row per group,
// in ascending order of the keys, which stand in the first columns. Missing values are left out of what is computed, as
// pandas does.
type Groups struct {
	table *Table
	by    []string
	of    []int64 // for each row its group; -1 where a key is missing
	first []int64 // for each group its first row
}

// GroupBy evaluates the named columns and groups the rows with equal values in them. Rows with a missing key are in no
// group. Keys are looked up by hashing: the cost grows with the number of rows, and with n log n of the number n of
// groups, which are sorted.
func (t *Table) GroupBy(names ...string) *Groups {
	if len(names) == 0 {
		fail("GroupBy", "no column is named to group by; the table has %s", listed(t.names))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			fail("GroupBy", "column %q is named twice", name)
		}
	}
	columns := t.all("GroupBy", names)
	evaluate(columns)
	numbers, distinct := rowNumbers(columns)
	of := numbers[0]
	first := firstRows(of, distinct)
	for _, c := range columns { // those of missing keys are -1
		if gaps := c.gaps(); gaps != nil {
			for i, row := range first {
				asks(i)
				if row >= 0 && gaps[row] {
					first[i] = -1
				}
			}
		}
	}
	var kept []int64 // numbers of groups
	for k, row := range first {
		asks(k)
		if row >= 0 {
			kept = append(kept, int64(k))
		}
	}
	g := &Groups{table: t, by: names, of: of, first: make([]int64, len(kept))}
	for i, k := range kept {
		g.first[i] = first[k]
	}
	keys := make([]*Column, len(columns))
	for i, c := range columns {
		keys[i] = c.at(arrays.FromSlice(g.first))
	}
	place := make([]int64, distinct)
	for k := range place {
		place[k] = -1
	}
	sorted := make([]int64, len(kept))
	for i, k := range order(keys, make([]bool, len(keys))).Int64s() {
		asks(i)
		place[kept[k]] = int64(i)
		sorted[i] = g.first[k]
	}
	g.first = sorted
	for row, k := range of {
		asks(row)
		of[row] = place[k]
	}
	return g
}

// evaluate computes columns together, so that what they share is computed once.
func evaluate(columns []*Column) {
	values := make([]*np.Array, len(columns))
	for i, c := range columns {
		values[i] = c.values
	}
	np.Eval(values...)
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.first) }

// keys begins a result: the keys of all groups.
func (g *Groups) keys() *Table {
	if len(g.by) == 0 { // all rows are one group
		return &Table{rows: 1}
	}
	return g.table.Select(g.by...).each(arrays.FromSlice(g.first))
}

// Sum returns the sums of the named columns, or of all that have numbers: int64 of whole numbers and bools, uint64 of
// unsigned ones, which wrap as Go's do, float64 of others, whose sums are compensated as Neumaier's, so that the order
// of the rows hardly matters. That of no values is 0.
func (g *Groups) Sum(names ...string) *Table { return g.each(Sum, names) }

// Mean returns the means of the named columns, or of all that have numbers, in float64; NaN where a group has no
// values.
func (g *Groups) Mean(names ...string) *Table { return g.each(Mean, names) }

// Median returns the medians of the named columns, or of all that have numbers, in float64; NaN where a group has no
// values. The values of each group are sorted.
func (g *Groups) Median(names ...string) *Table { return g.each(Median, names) }

// Var returns the variances of the named columns, or of all that have numbers, with n-1 as pandas has them; NaN where a
// group has fewer than two values.
func (g *Groups) Var(names ...string) *Table { return g.each(Var, names) }

// Std returns the standard deviations, the square roots of [Groups.Var].
func (g *Groups) Std(names ...string) *Table { return g.each(Std, names) }

// Min returns the least values of the named columns, or of all that have numbers; dates and text can be named too. A
// group without values has a missing one.
func (g *Groups) Min(names ...string) *Table { return g.each(Min, names) }

// Max returns the largest values, as [Groups.Min] the least.
func (g *Groups) Max(names ...string) *Table { return g.each(Max, names) }

// First returns the first values of the named columns, or of all, that are not missing.
func (g *Groups) First(names ...string) *Table { return g.each(First, names) }

// Last returns the last values of the named columns, or of all, that are not missing.
func (g *Groups) Last(names ...string) *Table { return g.each(Last, names) }

// NUnique returns how many different values the named columns, or all, have.
func (g *Groups) NUnique(names ...string) *Table { return g.each(NUnique, names) }

// Count returns the number of rows of each group, in a column named count; with names the number of their values that
// are not missing.
func (g *Groups) Count(names ...string) *Table {
	if len(names) > 0 {
		return g.each(Count, names)
	}
	name := "count"
	for slices.Contains(g.by, name) {
		name += "_"
	}
	return g.Agg(Size().As(name))
}

// each computes one aggregation of several columns, which keep their names.
func (g *Groups) each(of func(column string) Aggregation, names []string) *Table {
	op := of("").name
	chosen := names
	if len(names) == 0 {
		for i, name := range g.table.names {
			if !slices.Contains(g.by, name) && of(name).allows(g.table.columns[i].DType(), true) {
				chosen = append(chosen, name)
			}
		}
	}
	list := make([]Aggregation, len(chosen))
	for i, name := range chosen {
		if g.table.find(op, name); slices.Contains(g.by, name) {
			fail(op, "column %q is a key of the groups already", name)
		}
		list[i] = of(name).As(name)
	}
	return g.aggregate(op, list)
}

// String says what g is; its methods show more.
func (g *Groups) String() string {
	return fmt.Sprintf("%d groups of %d rows by %s: use Sum, Mean, Count and their like, or Agg for several", g.Len(), g.table.rows, listed(g.by))
}
