package frames

import (
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// numbering gives equal values one number, from 0 in the order in which they are seen, by hashing. Numbers of different
// dtypes are equal where they are exactly: whole ones are looked up as int64, larger ones as uint64, all others by
// their bits.
type numbering struct {
	whole map[int64]int64
	large map[uint64]int64
	bits  map[uint64]int64
	pairs map[[2]int64]int64
	text  map[string]int64
	gone  int64 // the number of missing values; -1 before one was seen
	next  int64
}

func newNumbering() *numbering {
	return &numbering{whole: map[int64]int64{}, large: map[uint64]int64{}, bits: map[uint64]int64{}, pairs: map[[2]int64]int64{}, text: map[string]int64{}, gone: -1}
}

// number looks up a value.
func number[K comparable](n *numbering, seen map[K]int64, v K) int64 {
	k, known := seen[v]
	if !known {
		k = n.next
		n.next++
		seen[v] = k
	}
	return k
}

func (n *numbering) missing() int64 {
	if n.gone < 0 {
		n.gone = n.next
		n.next++
	}
	return n.gone
}

func (n *numbering) unsigned(v uint64) int64 {
	if v <= math.MaxInt64 {
		return number(n, n.whole, int64(v))
	}
	return number(n, n.large, v)
}

func (n *numbering) float(v float64) int64 {
	switch {
	case v == math.Trunc(v) && v >= -1<<63 && v < 1<<63:
		return number(n, n.whole, int64(v))
	case v == math.Trunc(v) && v >= 1<<63 && v < 1<<64:
		return number(n, n.large, uint64(v))
	}
	return number(n, n.bits, math.Float64bits(v))
}

// numbers returns the number of each value of c; of dates only where all that is numbered has one unit.
func (n *numbering) numbers(c *Column) []int64 {
	out := make([]int64, c.Len())
	gaps := c.gaps()
	each := func(of func(i int) int64) {
		for i := range out {
			asks(i)
			if gaps != nil && gaps[i] {
				out[i] = n.missing()
			} else {
				out[i] = of(i)
			}
		}
	}
	d := c.DType()
	if d.IsString() {
		v := c.texts("Unique")
		each(func(i int) int64 { return number(n, n.text, v[i]) })
		return out
	}
	x := c.values.Array()
	switch {
	case d.IsComplex():
		v := x.AsType(arrays.Complex128).Complex128s()
		each(func(i int) int64 { return number(n, n.pairs, [2]int64{n.float(real(v[i])), n.float(imag(v[i]))}) })
	case d.IsFloat():
		v := x.AsType(arrays.Float64).Float64s()
		each(func(i int) int64 { return n.float(v[i]) })
	case d == arrays.Uint64:
		v := x.Uint64s()
		each(func(i int) int64 { return n.unsigned(v[i]) })
	default:
		v := x.AsType(arrays.Int64).Int64s()
		each(func(i int) int64 { return number(n, n.whole, v[i]) })
	}
	return out
}

// rowNumbers gives equal rows of several tables one number, from 0 in the order in which they are seen, and returns how
// many there are. Each table has its columns, as many as the others.
func rowNumbers(tables ...[]*Column) (numbers [][]int64, distinct int64) {
	numbers = make([][]int64, len(tables))
	for k := range tables[0] {
		values, both := newNumbering(), newNumbering()
		for t, columns := range tables {
			v := values.numbers(columns[k])
			if k > 0 {
				for i, before := range numbers[t] {
					asks(i)
					v[i] = number(both, both.pairs, [2]int64{before, v[i]})
				}
			}
			numbers[t] = v
		}
		if distinct = values.next; k > 0 {
			distinct = both.next
		}
	}
	return numbers, distinct
}

// lists are the rows of each number, in their order: those of number k are rows[start[k]:start[k+1]].
type lists struct{ start, rows []int64 }

// byNumber sorts rows by their numbers, by counting. Rows of the number -1 are in no list.
func byNumber(numbers []int64, distinct int64) lists {
	l := lists{start: make([]int64, distinct+1)}
	for row, k := range numbers {
		asks(row)
		if k >= 0 {
			l.start[k+1]++
		}
	}
	for k := range distinct {
		l.start[k+1] += l.start[k]
	}
	l.rows = make([]int64, l.start[distinct])
	next := append([]int64(nil), l.start[:distinct]...)
	for row, k := range numbers {
		asks(row)
		if k >= 0 {
			l.rows[next[k]] = int64(row)
			next[k]++
		}
	}
	return l
}

// of returns the rows of number k.
func (l lists) of(k int64) []int64 { return l.rows[l.start[k]:l.start[k+1]] }
