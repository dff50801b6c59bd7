package frames

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Groups is the rows of a table by the values of some of its columns. Each method returns a table of a row per group, in
// ascending order of the keys, which stand in the first columns.
type Groups struct {
	table *Table
	by    []string
	of    []int64 // for each row its group; -1 where a key is missing
	first []int64 // for each group a row of it
}

// GroupBy evaluates the named columns and groups the rows with equal values in them. Rows with a missing key are in no group.
// The cost is that of sorting the keys, of text that of looking each up.
func (t *Table) GroupBy(names ...string) *Groups {
	if len(names) == 0 {
		fail("GroupBy", "no column is named to group by; the table has %s", listed(t.names))
	}
	var group, missed *arrays.Array
	for _, name := range names {
		key := t.columns[t.find("GroupBy", name)].Array()
		size, number := numbered(key)
		gone := missing(key)
		if group == nil {
			group, missed = number, gone
			continue
		}
		// Renumbered for each key, the product stays below the square of the number of rows.
		_, group = arrays.UniqueInverse(group.Mul(max(size, 1)).Add(number))
		missed = missed.Or(gone)
	}
	if missed.Any().Bool() { // a number before all others, taken away again
		_, group = arrays.UniqueInverse(arrays.Where(missed, -1, group))
		group = group.Sub(1)
	}
	g := &Groups{table: t, by: names, of: group.Int64s()}
	for row, k := range g.of {
		for int(k) >= len(g.first) {
			g.first = append(g.first, -1)
		}
		if k >= 0 && g.first[k] < 0 {
			g.first[k] = int64(row)
		}
	}
	return g
}

// numbered returns how many distinct values x has, and for each element the number of its own in their order. Columns of text
// have few of many: a table of those seen so far finds them without moving any text, which sorting all would.
func numbered(x *arrays.Array) (size int, number *arrays.Array) {
	if !x.DType().IsString() {
		values, number := arrays.UniqueInverse(x)
		return values.Size(), number
	}
	text := x.Strings()
	of, seen := make([]int64, len(text)), map[string]int64{}
	for i, s := range text {
		k, known := seen[s]
		if !known {
			k = int64(len(seen))
			seen[s] = k
		}
		of[i] = k
	}
	place := make([]int64, len(seen)) // by the order in which they were seen, that of the values
	for rank, s := range slices.Sorted(maps.Keys(seen)) {
		place[seen[s]] = int64(rank)
	}
	for i, k := range of {
		of[i] = place[k]
	}
	return len(seen), arrays.FromSlice(of)
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.first) }

// keys begins a result: the keys of all groups.
func (g *Groups) keys() *Table {
	return g.table.Select(g.by...).each(np.FromSlice(g.first))
}

// Sum returns the sums of the named columns, or of all that have numbers: int64 of whole numbers and bools, which wraps as Go
// does, float64 of others, whose sums are compensated as Neumaier's, so that the order of the rows hardly matters.
func (g *Groups) Sum(names ...string) *Table {
	return g.reduce("Sum", names, func(x *arrays.Array) *arrays.Array {
		if x.DType().IsFloat() {
			return arrays.FromSlice(g.sums(x.Float64s()))
		}
		out := make([]int64, len(g.first))
		for row, v := range x.AsType(arrays.Int64).Int64s() {
			if k := g.of[row]; k >= 0 {
				out[k] += v
			}
		}
		return arrays.FromSlice(out)
	})
}

// sums leaves NaNs out.
func (g *Groups) sums(x []float64) []float64 {
	sum, lost := make([]float64, len(g.first)), make([]float64, len(g.first))
	for row, v := range x {
		k := g.of[row]
		if k < 0 || v != v {
			continue
		}
		s := sum[k] + v
		if math.Abs(sum[k]) >= math.Abs(v) {
			lost[k] += sum[k] - s + v
		} else {
			lost[k] += v - s + sum[k]
		}
		sum[k] = s
	}
	for k := range sum {
		if !math.IsNaN(lost[k]) { // it is where a sum is infinite
			sum[k] += lost[k]
		}
	}
	return sum
}

// Mean returns the means of the named columns, or of all that have numbers, in float64; NaN where a group has no values.
func (g *Groups) Mean(names ...string) *Table {
	return g.reduce("Mean", names, func(x *arrays.Array) *arrays.Array {
		v := x.AsType(arrays.Float64).Float64s()
		out := g.sums(v)
		n := make([]float64, len(out))
		for row, v := range v {
			if k := g.of[row]; k >= 0 && v == v {
				n[k]++
			}
		}
		for k := range out {
			out[k] /= n[k]
		}
		return arrays.FromSlice(out)
	})
}

// Min returns the least values of the named columns, or of all that have numbers; dates and text can be named too. A group
// without values has NaN, NaT or empty text.
func (g *Groups) Min(names ...string) *Table { return g.reduce("Min", names, g.extreme(-1)) }

// Max returns the largest values, as [Groups.Min] the least.
func (g *Groups) Max(names ...string) *Table { return g.reduce("Max", names, g.extreme(1)) }

func (g *Groups) extreme(sign int) func(x *arrays.Array) *arrays.Array {
	return func(x *arrays.Array) *arrays.Array {
		gone := missing(x).Bools()
		var at []int64
		switch d := x.DType(); {
		case d.IsString():
			at = best(g, x.Strings(), gone, sign)
		case d.IsFloat():
			at = best(g, x.AsType(arrays.Float64).Float64s(), gone, sign)
		case d == arrays.Uint64:
			at = best(g, x.Uint64s(), gone, sign)
		default:
			at = best(g, x.AsType(arrays.Int64).Int64s(), gone, sign)
		}
		return x.At(arrays.FromSlice(at))
	}
}

// best returns for each group the row of its least or largest value; of a group where all are missing its first row, which
// is missing.
func best[T cmp.Ordered](g *Groups, v []T, gone []bool, sign int) []int64 {
	at := slices.Clone(g.first)
	for row, x := range v {
		k := g.of[row]
		if k < 0 || gone[row] {
			continue
		}
		if gone[at[k]] || cmp.Compare(x, v[at[k]])*sign > 0 {
			at[k] = int64(row)
		}
	}
	return at
}

// Count returns the number of rows of each group, in a column named count; with names the number of their values that are
// not missing.
func (g *Groups) Count(names ...string) *Table {
	if len(names) > 0 {
		return g.reduce("Count", names, func(x *arrays.Array) *arrays.Array { return g.count(missing(x).Bools()) })
	}
	out := g.keys()
	name := "count"
	for slices.Contains(g.by, name) {
		name += "_"
	}
	return out.With(name, g.count(nil))
}

func (g *Groups) count(gone []bool) *arrays.Array {
	out := make([]int64, len(g.first))
	for row, k := range g.of {
		if k >= 0 && (gone == nil || !gone[row]) {
			out[k]++
		}
	}
	return arrays.FromSlice(out)
}

// reduce calls f for columns, with all rows of each.
func (g *Groups) reduce(op string, names []string, f func(*arrays.Array) *arrays.Array) *Table {
	chosen := names
	if len(names) == 0 {
		for i, name := range g.table.names {
			d := g.table.columns[i].DType()
			if !slices.Contains(g.by, name) && d.IsNumber() && !d.IsComplex() {
				chosen = append(chosen, name)
			}
		}
	}
	columns := make([]*np.Array, len(chosen))
	for i, name := range chosen {
		columns[i] = g.table.columns[g.table.find(op, name)]
		d := columns[i].DType()
		anyOrder := op == "Min" || op == "Max" || op == "Count"
		switch {
		case d.IsComplex() && op != "Count":
			fail(op, "column %q is %v; complex numbers have no order: take Real, Imag or Abs of it", name, d)
		case !d.IsNumber() && !anyOrder:
			fail(op, "column %q is %v; only numbers have a sum or a mean: name other columns, or none for all of numbers", name, d)
		}
		if slices.Contains(g.by, name) {
			fail(op, "column %q is a key of the groups already", name)
		}
	}
	np.Eval(columns...) // together, so that what they share is computed once
	out := g.keys()
	for i, name := range chosen {
		out.Set(name, f(columns[i].Array()))
	}
	return out
}

// String says what g is; its methods show more.
func (g *Groups) String() string {
	return fmt.Sprintf("%d groups of %d rows by %s: use Sum, Mean, Min, Max or Count", g.Len(), g.table.rows, listed(g.by))
}
