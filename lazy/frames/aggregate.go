package frames

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Aggregation is one number, or one value, of the values of a column: [Sum], [Mean], [Median], [Std], [Var], [Min],
// [Max], [First], [Last], [Count], [NUnique] and [Size] make them, [Groups.Agg] and [Table.Agg] compute them. Missing
// values are left out.
type Aggregation struct {
	name, column, as string
	takes            takes
	of               func(g *Groups, c *Column) *Column
}

// takes is which columns have an aggregation.
type takes int

const (
	realNumbers takes = iota
	ordered
	anything
	rowsAlone // it is of no column
)

// allows reports whether columns of d have the aggregation; unasked, where no columns are named, whether they are among
// those that are meant.
func (a Aggregation) allows(d np.DType, unasked bool) bool {
	isReal := d.IsNumber() && !d.IsComplex()
	switch a.takes {
	case realNumbers:
		return isReal
	case ordered:
		return isReal || !unasked && !d.IsComplex()
	}
	return true
}

// As returns the aggregation with a name for its column, which otherwise is that of the column and the function's:
// people_sum.
func (a Aggregation) As(name string) Aggregation {
	a.as = name
	return a
}

// Sum is the sum of a column of numbers: see [Groups.Sum].
func Sum(column string) Aggregation {
	return Aggregation{"Sum", column, column + "_sum", realNumbers, sums}
}

// Mean is the mean of a column of numbers: see [Groups.Mean].
func Mean(column string) Aggregation {
	return Aggregation{"Mean", column, column + "_mean", realNumbers, means}
}

// Median is the median of a column of numbers: see [Groups.Median].
func Median(column string) Aggregation {
	return Aggregation{"Median", column, column + "_median", realNumbers, medians}
}

// Var is the variance of a column of numbers: see [Groups.Var].
func Var(column string) Aggregation {
	return Aggregation{"Var", column, column + "_var", realNumbers, variances}
}

// Std is the standard deviation of a column of numbers: see [Groups.Std].
func Std(column string) Aggregation {
	return Aggregation{"Std", column, column + "_std", realNumbers, deviations}
}

// Min is the least value of a column: see [Groups.Min].
func Min(column string) Aggregation {
	return Aggregation{"Min", column, column + "_min", ordered, func(g *Groups, c *Column) *Column { return g.extreme(c, -1) }}
}

// Max is the largest value of a column: see [Groups.Max].
func Max(column string) Aggregation {
	return Aggregation{"Max", column, column + "_max", ordered, func(g *Groups, c *Column) *Column { return g.extreme(c, 1) }}
}

// First is the first value of a column that is not missing.
func First(column string) Aggregation {
	return Aggregation{"First", column, column + "_first", anything, firsts}
}

// Last is the last value of a column that is not missing.
func Last(column string) Aggregation {
	return Aggregation{"Last", column, column + "_last", anything, lasts}
}

// Count is the number of values of a column that are not missing, in int64.
func Count(column string) Aggregation {
	return Aggregation{"Count", column, column + "_count", anything, func(g *Groups, c *Column) *Column { return g.count(c.gaps()) }}
}

// NUnique is the number of different values of a column, in int64.
func NUnique(column string) Aggregation {
	return Aggregation{"NUnique", column, column + "_nunique", anything, distinctValues}
}

// Size is the number of rows, whatever is missing in them, in int64; its column is named size.
func Size() Aggregation {
	return Aggregation{"Size", "", "size", rowsAlone, func(g *Groups, _ *Column) *Column { return g.count(nil) }}
}

// Agg computes several aggregations, a column each: g.Agg(frames.Sum("people"), frames.Mean("people").As("mean"),
// frames.Size()). It panics with *arrays.Error for columns that are not there, that have no such aggregation, and for
// two results of one name. Each takes time that grows with the number of rows; [Median] sorts the values of each group.
func (g *Groups) Agg(aggregations ...Aggregation) *Table { return g.aggregate("Agg", aggregations) }

// Agg computes aggregations of all rows: a table of one row. See [Groups.Agg].
func (t *Table) Agg(aggregations ...Aggregation) *Table {
	g := &Groups{table: t, of: make([]int64, t.rows), first: []int64{-1}}
	if t.rows > 0 {
		g.first[0] = 0
	}
	return g.aggregate("Agg", aggregations)
}

func (g *Groups) aggregate(op string, list []Aggregation) *Table {
	columns := make([]*Column, len(list))
	var needed []*Column
	seen := slices.Clone(g.by)
	for i, a := range list {
		if a.of == nil {
			fail(op, "argument %d is an empty Aggregation; frames.Sum, frames.Mean and their like make them", i+1)
		}
		if slices.Contains(seen, a.as) {
			fail(op, "two columns of the result are named %q: name one with As", a.as)
		}
		if seen = append(seen, a.as); a.takes == rowsAlone {
			continue
		}
		columns[i] = g.table.column(op, a.column)
		needed = append(needed, columns[i])
		if d := columns[i].DType(); !a.allows(d, false) {
			if d.IsComplex() {
				fail(op, "column %q is %v; complex numbers have no order: take Real, Imag or Abs of it", a.column, d)
			}
			fail(op, "column %q is %s; only numbers have a %s: name other columns, or none for all of numbers", a.column, columns[i].typeName(), said[a.name])
		}
	}
	evaluate(needed)
	out := g.keys()
	for i, a := range list {
		out.names, out.columns = append(out.names, a.as), append(out.columns, a.of(g, columns[i]))
	}
	return out
}

var said = map[string]string{"Sum": "sum", "Mean": "mean", "Median": "median", "Var": "variance", "Std": "standard deviation"}

// Unique returns the different values in the order in which they first appear; the missing ones count as one value.
func (c *Column) Unique() *Column {
	numbers, distinct := rowNumbers([]*Column{c})
	return c.at(arrays.FromSlice(firstRows(numbers[0], distinct)))
}

// ValueCounts returns how often each value of a column is there, missing ones aside, the most frequent first and
// equally frequent ones in the order in which they first appear. The columns are name and count.
func (t *Table) ValueCounts(name string) *Table {
	c := t.column("ValueCounts", name)
	numbers, distinct := rowNumbers([]*Column{c})
	first := firstRows(numbers[0], distinct)
	g := &Groups{of: numbers[0], first: first}
	count := "count"
	if name == count {
		count += "_"
	}
	return New(name, c.at(arrays.FromSlice(first)), count, g.count(c.gaps())).DropMissing(name).Sort("-" + count)
}
