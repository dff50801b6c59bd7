package frames

import (
	"cmp"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// eager is a column of computed values.
func eager[T any](values []T) *Column { return &Column{values: np.FromSlice(values)} }

// floats returns values as float64, NaN where they are missing. Whole numbers beyond 2^53 are rounded, as in all means.
func (c *Column) floats() []float64 {
	v := c.values.Array().AsType(arrays.Float64).Float64s()
	if c.gone != nil {
		for i, gone := range c.gone.Bools() {
			if gone {
				v[i] = math.NaN()
			}
		}
	}
	return v
}

func sums(g *Groups, c *Column) *Column {
	x := c.values.Array()
	switch d := x.DType(); {
	case d.IsFloat():
		return eager(g.sums(c.floats()))
	case d.IsUnsigned():
		return eager(wholeSums(g, x.AsType(arrays.Uint64).Uint64s()))
	}
	return eager(wholeSums(g, x.AsType(arrays.Int64).Int64s()))
}

// wholeSums needs no mask: missing values are 0.
func wholeSums[T int64 | uint64](g *Groups, v []T) []T {
	out := make([]T, len(g.first))
	for row, v := range v {
		asks(row)
		if k := g.of[row]; k >= 0 {
			out[k] += v
		}
	}
	return out
}

// sums leaves NaNs out.
func (g *Groups) sums(x []float64) []float64 {
	sum, lost := make([]float64, len(g.first)), make([]float64, len(g.first))
	for row, v := range x {
		asks(row)
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

// moments returns how many values each group has, and their means.
func (g *Groups) moments(x []float64) (n, mean []float64) {
	n, mean = make([]float64, len(g.first)), g.sums(x)
	for row, v := range x {
		asks(row)
		if k := g.of[row]; k >= 0 && v == v {
			n[k]++
		}
	}
	for k := range mean {
		mean[k] /= n[k]
	}
	return n, mean
}

func means(g *Groups, c *Column) *Column {
	_, mean := g.moments(c.floats())
	return eager(mean)
}

func variances(g *Groups, c *Column) *Column { return eager(g.variances(c.floats())) }

// variances are those of samples, in two passes.
func (g *Groups) variances(x []float64) []float64 {
	n, mean := g.moments(x)
	squares := make([]float64, len(x))
	for row, v := range x {
		asks(row)
		if k := g.of[row]; k >= 0 {
			squares[row] = (v - mean[k]) * (v - mean[k])
		}
	}
	out := g.sums(squares)
	for k := range out {
		if out[k] /= n[k] - 1; n[k] < 2 || math.IsNaN(mean[k]-mean[k]) { // no deviations from an infinite mean
			out[k] = math.NaN()
		}
	}
	return out
}

func deviations(g *Groups, c *Column) *Column {
	out := g.variances(c.floats())
	for k, v := range out {
		out[k] = math.Sqrt(v)
	}
	return eager(out)
}

func medians(g *Groups, c *Column) *Column {
	x := c.floats()
	out := make([]float64, len(g.first))
	groups := byNumber(g.of, int64(len(g.first)))
	var values []float64
	done := 0 // rows
	for k := range out {
		values = values[:0]
		for _, row := range groups.of(int64(k)) {
			asks(done)
			done++
			if v := x[row]; v == v {
				values = append(values, v)
			}
		}
		if len(values) < manyValues {
			slices.Sort(values)
		} else {
			values = arrays.FromSlice(values).Sort().Float64s()
		}
		switch n := len(values); {
		case n == 0:
			out[k] = math.NaN()
		case n%2 == 1:
			out[k] = values[n/2]
		default:
			out[k] = middle(values[n/2-1], values[n/2])
		}
	}
	return eager(out)
}

// manyValues is how many take so long to sort that arrays does it, which asks whether to go on.
const manyValues = 1 << 16

// middle is the mean of two numbers, whose sum may be beyond float64.
func middle(a, b float64) float64 {
	if m := (a + b) / 2; !math.IsInf(m, 0) {
		return m
	}
	return a/2 + b/2
}

// extreme returns the least or the largest value of each group.
func (g *Groups) extreme(c *Column, sign int) *Column {
	d := c.DType()
	if d.IsString() {
		return c.rows(best(g, c.texts("Min"), c.gaps(), sign))
	}
	x := c.values.Array()
	var at []int64
	switch {
	case d.IsFloat():
		at = best(g, x.AsType(arrays.Float64).Float64s(), c.gaps(), sign)
	case d == arrays.Uint64:
		at = best(g, x.Uint64s(), c.gaps(), sign)
	default:
		at = best(g, x.AsType(arrays.Int64).Int64s(), c.gaps(), sign)
	}
	return c.rows(at)
}

// best returns for each group the row of its least or largest value; -1 where all are missing.
func best[T cmp.Ordered](g *Groups, v []T, gaps []bool, sign int) []int64 {
	return g.chosen(gaps, func(row, before int64) bool { return cmp.Compare(v[row], v[before])*sign > 0 })
}

// chosen returns for each group a row whose value is not missing, or -1: the first one, or one that is better than
// those before.
func (g *Groups) chosen(gaps []bool, better func(row, before int64) bool) []int64 {
	at := make([]int64, len(g.first))
	for k := range at {
		at[k] = -1
	}
	for row, k := range g.of {
		asks(row)
		if k < 0 || gaps != nil && gaps[row] {
			continue
		}
		if at[k] < 0 || better(int64(row), at[k]) {
			at[k] = int64(row)
		}
	}
	return at
}

func firsts(g *Groups, c *Column) *Column {
	return c.rows(g.chosen(c.gaps(), func(_, _ int64) bool { return false }))
}

func lasts(g *Groups, c *Column) *Column {
	return c.rows(g.chosen(c.gaps(), func(_, _ int64) bool { return true }))
}

func (g *Groups) count(gaps []bool) *Column {
	out := make([]int64, len(g.first))
	for row, k := range g.of {
		asks(row)
		if k >= 0 && (gaps == nil || !gaps[row]) {
			out[k]++
		}
	}
	return eager(out)
}

func distinctValues(g *Groups, c *Column) *Column {
	gaps := c.gaps()
	numbers := newNumbering().numbers(c)
	seen := map[[2]int64]bool{}
	out := make([]int64, len(g.first))
	for row, k := range g.of {
		asks(row)
		pair := [2]int64{k, numbers[row]}
		if k >= 0 && (gaps == nil || !gaps[row]) && !seen[pair] {
			seen[pair] = true
			out[k]++
		}
	}
	return eager(out)
}
