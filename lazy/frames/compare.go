package frames

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Eq says where the values are equal to those of v: a number, text, an array, a slice or a column of as many. As in all
// comparisons of columns, the answer is missing where a value is, and [Table.Where] leaves those rows out. It panics
// with *arrays.Error when the two cannot be compared.
func (c *Column) Eq(v any) *Column { return c.compared("Eq", v, (*np.Array).Eq) }

// Ne is [Column.Eq] for values that are not equal; missing where one of them is missing, unlike NaN, which is not equal
// to anything.
func (c *Column) Ne(v any) *Column { return c.compared("Ne", v, (*np.Array).Ne) }

// Lt is [Column.Eq] for values that are less, or before.
func (c *Column) Lt(v any) *Column { return c.compared("Lt", v, (*np.Array).Lt) }

// Le is [Column.Eq] for values that are less or equal.
func (c *Column) Le(v any) *Column { return c.compared("Le", v, (*np.Array).Le) }

// Gt is [Column.Eq] for values that are greater, or after.
func (c *Column) Gt(v any) *Column { return c.compared("Gt", v, (*np.Array).Gt) }

// Ge is [Column.Eq] for values that are greater or equal.
func (c *Column) Ge(v any) *Column { return c.compared("Ge", v, (*np.Array).Ge) }

func (c *Column) compared(op string, v any, f func(x *np.Array, y any) *np.Array) *Column {
	gone := c.missing()
	y := v
	other, err := column(v)
	if err != nil {
		fail(op, "%v", err)
	}
	if other.values.NDim() == 1 && other.Len() != c.Len() {
		fail(op, "%d values are compared with the %d of the column", other.Len(), c.Len())
	}
	if other.values.NDim() == 1 {
		gone, y = gone.Or(other.missing()), other.values
	} else if other.values.NDim() == 0 { // a Go number stays weak: 1 beside float32
		gone = gone.Or(missing(other.values.Array()))
	}
	return (&Column{values: f(c.values, y)}).without(gone)
}

// And says where both are true, as pandas and SQL do: false where one is false, missing where one is missing and the
// other not false.
func (c *Column) And(v any) *Column {
	return c.joined("And", v, func(a, b *arrays.Array) *arrays.Array { return a.And(b) }, func(x *np.Array) *np.Array { return x.Not() })
}

// Or says where one is true: true where one is, missing where one is missing and the other not true.
func (c *Column) Or(v any) *Column {
	return c.joined("Or", v, func(a, b *arrays.Array) *arrays.Array { return a.Or(b) }, func(x *np.Array) *np.Array { return x })
}

// joined is And or Or: missing where one is, but for where the other decides, which a column's own values say.
func (c *Column) joined(op string, v any, f func(a, b *arrays.Array) *arrays.Array, decides func(*np.Array) *np.Array) *Column {
	other, err := column(v)
	if err != nil {
		fail(op, "%v", err)
	}
	if !c.DType().IsBool() || !other.DType().IsBool() || other.values.NDim() != 1 || other.Len() != c.Len() {
		fail(op, "a column of %v of shape %v meets one of %v of shape %v; both must be bool, of one length", c.typeName(), c.values.Shape(), other.typeName(), other.values.Shape())
	}
	x, y := c.values.Array(), other.values.Array()
	decided := func(c *Column) *arrays.Array { return decides(c.values).Array().And(c.missing().Not()) }
	gone := c.missing().Or(other.missing()).And(decided(c).Or(decided(other)).Not())
	return (&Column{values: np.FromArray(f(x, y))}).without(gone)
}

// Not says where the values are false; what is missing stays missing. It panics with *arrays.Error for columns that are
// not of bools.
func (c *Column) Not() *Column {
	if !c.DType().IsBool() {
		fail("Not", "the column is %v; only bools have a contrary", c.DType())
	}
	return (&Column{values: c.values.Not()}).without(c.gone)
}
