package frames

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Equal says where the values are equal to those of v: a number, text, an array, a slice or a column of as many. As
// in all comparisons of columns, the answer is missing where a value is, and [Table.Where] leaves those rows out. It
// panics with *arrays.Error when the two cannot be compared.
func (c *Column) Equal(v any) *Column { return c.compared("Equal", v, (*np.Array).Equal) }

// NotEqual is [Column.Equal] for values that are not equal; missing where one of them is missing, unlike NaN, which
// is not equal to anything.
func (c *Column) NotEqual(v any) *Column { return c.compared("NotEqual", v, (*np.Array).NotEqual) }

// Less is [Column.Equal] for values that are less, or before.
func (c *Column) Less(v any) *Column { return c.compared("Less", v, (*np.Array).Less) }

// LessEqual is [Column.Equal] for values that are less or equal.
func (c *Column) LessEqual(v any) *Column { return c.compared("LessEqual", v, (*np.Array).LessEqual) }

// Greater is [Column.Equal] for values that are greater, or after.
func (c *Column) Greater(v any) *Column { return c.compared("Greater", v, (*np.Array).Greater) }

// GreaterEqual is [Column.Equal] for values that are greater or equal.
func (c *Column) GreaterEqual(v any) *Column {
	return c.compared("GreaterEqual", v, (*np.Array).GreaterEqual)
}

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
		gone, y = gone.LogicalOr(other.missing()), other.values
	} else if other.values.NDim() == 0 { // a Go number stays weak: 1 beside float32
		gone = gone.LogicalOr(missing(other.values.Array()))
	}
	return (&Column{values: f(c.values, y)}).without(gone)
}

// LogicalAnd says where both are true, as pandas and SQL do: false where one is false, missing where one is missing
// and the other not false.
func (c *Column) LogicalAnd(v any) *Column {
	return c.joined("LogicalAnd", v, func(a, b *arrays.Array) *arrays.Array { return a.LogicalAnd(b) }, func(x *np.Array) *np.Array { return x.LogicalNot() })
}

// LogicalOr says where one is true: true where one is, missing where one is missing and the other not true.
func (c *Column) LogicalOr(v any) *Column {
	return c.joined("LogicalOr", v, func(a, b *arrays.Array) *arrays.Array { return a.LogicalOr(b) }, func(x *np.Array) *np.Array { return x })
}

// joined is LogicalAnd or LogicalOr: missing where one is, but for where the other decides, which a column's own
// values say.
func (c *Column) joined(op string, v any, f func(a, b *arrays.Array) *arrays.Array, decides func(*np.Array) *np.Array) *Column {
	other, err := column(v)
	if err != nil {
		fail(op, "%v", err)
	}
	if !c.DType().IsBool() || !other.DType().IsBool() || other.values.NDim() != 1 || other.Len() != c.Len() {
		fail(op, "a column of %v of shape %v meets one of %v of shape %v; both must be bool, of one length", c.typeName(), c.values.Shape(), other.typeName(), other.values.Shape())
	}
	x, y := c.values.Array(), other.values.Array()
	decided := func(c *Column) *arrays.Array { return decides(c.values).Array().LogicalAnd(c.missing().LogicalNot()) }
	gone := c.missing().LogicalOr(other.missing()).LogicalAnd(decided(c).LogicalOr(decided(other)).LogicalNot())
	return (&Column{values: np.FromArray(f(x, y))}).without(gone)
}

// LogicalNot says where the values are false; what is missing stays missing. It panics with *arrays.Error for columns
// that are not of bools.
func (c *Column) LogicalNot() *Column {
	if !c.DType().IsBool() {
		fail("Not", "the column is %v; only bools have a contrary", c.DType())
	}
	return (&Column{values: c.values.LogicalNot()}).without(c.gone)
}
