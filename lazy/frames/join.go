package frames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// JoinOption says how [Table.Join] joins: a [JoinKind], [On], [OnPair] and [Suffixes].
type JoinOption interface{ join(*joining) }

// JoinKind is which rows a join has.
type JoinKind int

const (
	// Inner has the rows of the left table with a partner, in their order.
	Inner JoinKind = iota
	// Left has all rows of the left table, in their order.
	Left
	// Right has all rows of the right table, in their order.
	Right
	// Outer has all rows of both, in ascending order of the keys, missing ones last.
	Outer
)

// String returns the name of the kind.
func (k JoinKind) String() string {
	if k < Inner || k > Outer {
		return fmt.Sprintf("JoinKind(%d)", int(k))
	}
	return [...]string{"Inner", "Left", "Right", "Outer"}[k]
}

func (k JoinKind) join(o *joining) { o.kind = k }

type joining struct {
	kind          JoinKind
	left, right   []string // the keys
	first, second string   // suffixes
}

type joinOption func(*joining)

func (f joinOption) join(o *joining) { f(o) }

// On names columns that both tables have: rows are partners where the values in all of them are equal.
func On(names ...string) JoinOption {
	return joinOption(func(o *joining) { o.left, o.right = append(o.left, names...), append(o.right, names...) })
}

// OnPair is [On] for a column that has another name in the right table; the result has both.
func OnPair(left, right string) JoinOption {
	return joinOption(func(o *joining) { o.left, o.right = append(o.left, left), append(o.right, right) })
}

// Suffixes are what is put behind names that both tables have and that are not keys, "_x" and "_y" otherwise.
func Suffixes(left, right string) JoinOption {
	return joinOption(func(o *joining) { o.first, o.second = left, right })
}

// Join returns rows of t beside those of right with the same keys, as pandas' merge does: t.Join(cities,
// frames.On("city"), frames.Left). Each row has all its partners, in their order. Without [On] the keys are all columns
// that both have; without a [JoinKind] it is [Inner]. Missing keys are equal to each other. What a row without a
// partner lacks is missing: whole numbers stay whole numbers. First come the columns of t, then those of right, less
// keys of the same name.
//
// Keys are looked up by hashing: the cost grows with the rows of both tables and of the result, which many rows of one
// key on both sides make large: m·n for m and n of them. An Outer join sorts its keys. Join panics with *arrays.Error
// when a key is not there, keys have dtypes that cannot be equal, names are there twice, and when there is no memory
// for the result.
func (t *Table) Join(right *Table, options ...JoinOption) *Table {
	o := joining{first: "_x", second: "_y"}
	for _, option := range options {
		option.join(&o)
	}
	if o.kind < Inner || o.kind > Outer {
		fail("Join", "there is no join %v; they are Inner, Left, Right and Outer", o.kind)
	}
	if len(o.left) == 0 {
		for _, name := range t.names {
			if slices.Contains(right.names, name) {
				On(name).join(&o)
			}
		}
		if len(o.left) == 0 {
			fail("Join", "the tables have no column in common: %s here, and %s in the other; name keys with OnPair", listed(t.names), listed(right.names))
		}
	}
	left, other := keys(t, right, &o)
	numbers, distinct := rowNumbers(left, other)
	l, r := o.pairs(numbers[0], numbers[1], distinct, len(t.names)+len(right.names))
	if o.kind == Outer {
		l, r = byKey(left, other, l, r)
	}
	return o.result(t, right, l, r)
}

// keys returns the keys of both tables, each pair of one dtype where they are dates.
func keys(t, right *Table, o *joining) (left, other []*Column) {
	seen := map[[2]string]bool{}
	for i := range o.left {
		pair := [2]string{o.left[i], o.right[i]}
		if seen[pair] {
			fail("Join", "the key %q is named twice", pair[0])
		}
		seen[pair] = true
	}
	left = t.all("Join", o.left)
	other = make([]*Column, len(o.right))
	for i, name := range o.right {
		if !slices.Contains(right.names, name) {
			right.find("Join, in the right table", name)
		}
		other[i] = right.columns[slices.Index(right.names, name)]
	}
	evaluate(slices.Concat(left, other))
	for i := range left {
		a, b := left[i].DType(), other[i].DType()
		if keyKind(a) != keyKind(b) {
			fail("Join", "the key %q is %s and %q of the right table %s, which are never equal: convert one with AsType", o.left[i], left[i].typeName(), o.right[i], other[i].typeName())
		}
		if a.IsTime() && a != b {
			d := arrays.Promote(a, b)
			left[i], other[i] = &Column{values: left[i].values.AsType(d)}, &Column{values: other[i].values.AsType(d)}
		}
	}
	return left, other
}

func keyKind(d np.DType) string {
	switch {
	case d.IsBool():
		return "bool"
	case d.IsNumber():
		return "number"
	case d.IsString():
		return "text"
	}
	kind, _, _ := strings.Cut(d.String(), "[")
	return kind
}

// pairs returns the rows of both tables that the rows of the result are made of; -1 is none.
func (o *joining) pairs(left, right []int64, distinct int64, columns int) (l, r []int64) {
	if o.kind == Right {
		mirrored := *o
		mirrored.kind = Left
		r, l = mirrored.pairs(right, left, distinct, columns)
		return l, r
	}
	partners := byNumber(right, distinct)
	rows := int64(0)
	for row, k := range left {
		asks(row)
		n := partners.start[k+1] - partners.start[k]
		if n == 0 && o.kind != Inner {
			n = 1
		}
		rows += n
	}
	if err := budget.For(fmt.Sprintf("a join of %d rows", rows), budget.Product(int(rows), 8*(columns+2))); err != nil {
		fail("Join", "%v: many rows of both tables have the same keys", err)
	}
	l, r = make([]int64, 0, rows), make([]int64, 0, rows)
	met := make([]bool, distinct)
	for row, k := range left {
		asks(row)
		met[k] = true
		list := partners.of(k)
		for _, partner := range list {
			asks(len(l))
			l, r = append(l, int64(row)), append(r, partner)
		}
		if len(list) == 0 && o.kind != Inner {
			l, r = append(l, int64(row)), append(r, -1)
		}
	}
	if o.kind == Outer {
		for row, k := range right {
			asks(row)
			if !met[k] {
				l, r = append(l, -1), append(r, int64(row))
			}
		}
	}
	return l, r
}

// byKey sorts pairs of rows by their keys.
func byKey(left, right []*Column, l, r []int64) (sortedL, sortedR []int64) {
	both := make([]*Column, len(left))
	for i := range both {
		both[i] = either(left[i], right[i], l, r)
	}
	rows := order(both, make([]bool, len(both))).Int64s()
	sortedL, sortedR = make([]int64, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		asks(i)
		sortedL[i], sortedR[i] = l[row], r[row]
	}
	return sortedL, sortedR
}

// either returns the value of the left column, or where there is no row of it, that of the right one.
func either(left, right *Column, l, r []int64) *Column {
	d := arrays.Promote(left.DType(), right.DType())
	if !slices.Contains(l, -1) {
		return left.as(d).rows(l)
	}
	if !slices.Contains(r, -1) {
		return right.as(d).rows(r)
	}
	if d.IsString() && (left.asOften(len(l)).DType() == arrays.StringDType || right.asOften(len(r)).DType() == arrays.StringDType) {
		d = arrays.StringDType
	}
	a, b := left.as(d).rows(l), right.as(d).rows(r)
	absent := make([]bool, len(l))
	for i, row := range l {
		asks(i)
		absent[i] = row < 0
	}
	fromRight := arrays.FromSlice(absent)
	out := &Column{values: np.Where(np.FromArray(fromRight), b.values, a.values)}
	if hasMissing(d) {
		return out
	}
	return out.without(arrays.Where(fromRight, b.missing(), a.missing()))
}

// as converts c. Whole numbers become floats only where none is rounded.
func (c *Column) as(d np.DType) *Column {
	switch {
	case c.DType() == d, d.IsString() && d != arrays.StringDType:
		return c
	case c.gone != nil && d.IsInexact():
		return (&Column{values: c.Array()}).as(d)
	case c.gone != nil:
		return (&Column{values: c.values.AsType(d)}).without(c.gone)
	case c.DType().IsInt() && d.IsInexact() && c.roundless() != nil:
		fail("Join", "a key is of %v here and of %v there, and has whole numbers beyond 2^53, which that would round: convert one with AsType", c.DType(), d)
	}
	return &Column{values: c.values.AsType(d)}
}

// result puts the columns together.
func (o *joining) result(t, right *Table, l, r []int64) *Table {
	out := &Table{rows: len(l)}
	add := func(name string, c *Column) {
		if slices.Contains(out.names, name) {
			fail("Join", "two columns of the result would be named %q: choose other Suffixes, or Rename one", name)
		}
		out.names, out.columns = append(out.names, name), append(out.columns, c)
	}
	shared := func(name string) bool { // it is one column of both tables
		for i := range o.left {
			if o.left[i] == name && o.right[i] == name {
				return true
			}
		}
		return false
	}
	for i, name := range t.names {
		switch {
		case shared(name):
			add(name, either(t.columns[i], right.column("Join", name), l, r))
		case slices.Contains(right.names, name):
			add(name+o.first, t.columns[i].rows(l))
		default:
			add(name, t.columns[i].rows(l))
		}
	}
	for i, name := range right.names {
		switch {
		case shared(name):
		case slices.Contains(t.names, name):
			add(name+o.second, right.columns[i].rows(r))
		default:
			add(name, right.columns[i].rows(r))
		}
	}
	return out
}
