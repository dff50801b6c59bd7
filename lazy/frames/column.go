package frames

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Column is the values of one column, and which of them are missing. A value is missing where it is NaN, NaT or empty
// text; whole numbers and bools, which have no value for that, have a mask beside them and stay what they are. Its
// methods return new columns or arrays.
//
// [Table.Column] returns one, [Table.Set] and [New] take one. Where arrays are wanted, [Column.Array] and
// [Column.Filled] are the ways.
//
// Texts of which one is much longer than the others are of [arrays.StringDType]; see [arrays.FromSlice].
type Column struct {
	values *np.Array // 1-d
	// bool: which are missing, 0 or false in values; nil where none is, and where the dtype has a value for it
	gone *arrays.Array
}

// NewColumn returns a column of values as [New] takes them; it panics with *arrays.Error when they are not 1-d.
func NewColumn(values any) *Column {
	c, err := column(values)
	if err == nil && c.values.NDim() != 1 {
		err = &arrays.Error{Msg: fmt.Sprintf("the values have the shape %v; a column is 1-d", c.values.Shape())}
	}
	if err != nil {
		fail("NewColumn", "%v", err)
	}
	return c
}

// Masked returns a column of the values of which those are missing for which missing is true: Masked([]int{1, 0, 3},
// []bool{false, true, false}). Missing is a bool array or slice with an element for each value. The mask is evaluated.
func Masked(values, missing any) *Column {
	c := NewColumn(values)
	m, err := operand(missing)
	if err != nil {
		fail("Masked", "%v", err)
	}
	if !m.DType().IsBool() || m.NDim() != 1 || m.Len() != c.Len() {
		fail("Masked", "the mask has dtype %v and shape %v; it must be bool and have an element for each of the %d values", m.DType(), m.Shape(), c.Len())
	}
	return c.without(m.Array())
}

// column makes a column of what users give for one; it may have 0 dimensions, or more than one.
func column(v any) (*Column, error) {
	if c, ok := v.(*Column); ok && c != nil {
		return c, nil
	}
	a, err := operand(v)
	if err != nil {
		return nil, err
	}
	return &Column{values: a}, nil
}

// hasMissing reports whether a dtype has a value that stands for a missing one.
func hasMissing(d arrays.DType) bool { return d.IsInexact() || d.IsTime() || d.IsString() }

// without returns c with the values missing, too, for which gone is true; gone may be nil.
func (c *Column) without(gone *arrays.Array) *Column {
	if gone == nil || gone.Len() == 0 || !gone.AnyTrue().Bool() {
		return c
	}
	d := c.values.DType()
	mask := np.FromArray(gone)
	switch {
	case d.IsInexact():
		return &Column{values: np.Where(mask, np.Full(math.NaN()).AsType(d), c.values)}
	case d.IsTime():
		return &Column{values: np.Where(mask, np.FromArray(arrays.FromSlice([]string{"NaT"}).AsType(d)), c.values)}
	case d.IsString():
		return &Column{values: np.Where(mask, "", c.values)}
	}
	if c.gone != nil {
		gone = gone.LogicalOr(c.gone)
		mask = np.FromArray(gone)
	}
	return &Column{values: np.Where(mask, np.FromArray(arrays.New(d)), c.values), gone: gone}
}

// Len returns the number of values.
func (c *Column) Len() int {
	return c.values.Len()
}

// DType returns the dtype of the values, which those that are missing leave as it is.
func (c *Column) DType() np.DType {
	return c.values.DType()
}

// Array returns the values as an array. Whole numbers and bools of which some are missing become float64 with NaN in
// their place; where that would round a whole number, beyond 2^53, it panics with *arrays.Error: [Column.Filled] keeps
// them.
func (c *Column) Array() *np.Array {
	a, err := c.array()
	if err != nil {
		fail("Array", "%v", err)
	}
	return a
}

func (c *Column) array() (*np.Array, error) {
	if c.gone == nil {
		return c.values, nil
	}
	if err := c.roundless(); err != nil {
		return nil, err
	}
	return np.Where(np.FromArray(c.gone), math.NaN(), c.values.AsType(np.Float64)), nil
}

// roundless returns an error when float64 would round one of the whole numbers.
func (c *Column) roundless() error {
	const most = 1 << 53
	large := false
	switch c.DType() {
	case arrays.Int64:
		for _, v := range c.values.Int64s() {
			large = large || v > most || v < -most
		}
	case arrays.Uint64:
		for _, v := range c.values.Uint64s() {
			large = large || v > most
		}
	}
	if large {
		return &arrays.Error{Msg: "some values are missing, and whole numbers beyond 2^53 would be rounded in a float64 array with NaN: Column(name).Filled(0) keeps them, and Column(name).Missing() tells which are missing"}
	}
	return nil
}

// Missing returns for each value whether it is missing. It evaluates the values, but for whole numbers and bools.
func (c *Column) Missing() *np.Array { return np.FromArray(c.missing()) }

func (c *Column) missing() *arrays.Array {
	switch {
	case c.gone != nil:
		return c.gone
	case !hasMissing(c.DType()):
		return arrays.New(arrays.Bool, c.Len())
	}
	return missing(c.values.Array())
}

// gaps is missing as a slice, nil where nothing is.
func (c *Column) gaps() []bool {
	if c.gone == nil && !hasMissing(c.DType()) {
		return nil
	}
	m := c.missing().Bools()
	for _, gone := range m {
		if gone {
			return m
		}
	}
	return nil
}

// missing says for each element whether it is NaN or NaT, or empty text.
func missing(x *arrays.Array) *arrays.Array {
	switch d := x.DType(); {
	case d.IsInexact(), d.IsTime():
		return arrays.IsNaN(x)
	case d.IsString():
		return x.Equal("")
	}
	return arrays.New(arrays.Bool, x.Shape()...)
}

// Filled returns the values with value, a number, text, bool or array of as many, where they are missing: whole numbers
// stay whole numbers. It panics with *arrays.Error when value is not one that the dtype holds.
func (c *Column) Filled(value any) *np.Array {
	v, err := operand(value)
	if err != nil {
		fail("Filled", "%v", err)
	}
	d := c.DType()
	switch {
	case v.NDim() > 1 || v.NDim() == 1 && v.Len() != c.Len():
		fail("Filled", "the value has the shape %v; one is wanted, or one for each of the %d", v.Shape(), c.Len())
	case d.IsString() != v.DType().IsString():
		fail("Filled", "the column is %s, the value %v: text is filled by text, and nothing else is", c.typeName(), v.DType())
	case d.IsBool() && !v.DType().IsBool():
		fail("Filled", "the column is bool, the value %v: say true or false", v.DType())
	case !d.IsString():
		err := d.Holds(v.Array())
		if err == nil && d.IsInt() && v.DType().IsFloat() && !v.Array().Equal(arrays.Trunc(v.Array())).AllTrue().Bool() {
			err = fmt.Errorf("the value %v has a fraction", v)
		}
		if err != nil {
			fail("Filled", "the column is %v: %v", d, err)
		}
		v = v.AsType(d)
	}
	gaps := c.gaps()
	if gaps == nil {
		return c.values
	}
	return np.Where(np.FromSlice(gaps), v, c.values)
}

// at indexes the values and what is missing of them.
func (c *Column) at(index any) *Column {
	lazily := index
	if a, ok := index.(*arrays.Array); ok {
		lazily = np.FromArray(a)
	}
	out := &Column{values: c.values.At(lazily)}
	if c.gone != nil {
		if gone := c.gone.At(index); gone.AnyTrue().Bool() {
			out.gone = gone
		}
	}
	return out
}

// rows returns the values of those rows; -1 is a missing one.
func (c *Column) rows(rows []int64) *Column {
	if c.DType().IsString() {
		c = c.asOften(len(rows))
	}
	var absent []bool
	for i, row := range rows {
		if row >= 0 {
			continue
		}
		if absent == nil {
			absent = make([]bool, len(rows))
			rows = append([]int64(nil), rows...)
		}
		absent[i], rows[i] = true, 0
	}
	if absent == nil {
		return c.at(arrays.FromSlice(rows))
	}
	if c.Len() == 0 {
		c = &Column{values: np.FromArray(arrays.New(c.DType(), len(rows)))}
	} else {
		c = c.at(arrays.FromSlice(rows))
	}
	return c.without(arrays.FromSlice(absent))
}

// String shows the column as a table of one.
func (c *Column) String() string { return c.shownAs().String() }

// MIMEBundle is how a cell shows the column.
func (c *Column) MIMEBundle() display.Bundle { return c.shownAs().MIMEBundle() }

func (c *Column) shownAs() *Table {
	name := c.typeName()
	if c.DType().IsString() {
		name = "text"
	}
	return &Table{names: []string{name}, columns: []*Column{c}, rows: c.Len()}
}
