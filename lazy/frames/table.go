package frames

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/nearest"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Table is columns of one length. Its methods return new tables that share the columns; [Table.Set] alone changes it.
type Table struct {
	names   []string
	columns []*Column
	rows    int
	notes   []string // said below the table as it was read
}

// New returns a table of names and values in turn: New("city", []string{"Ulm", "Graz"}, "people", []int{126_000,
// 292_000}). Values are columns, 1-d arrays, lazy or not, or Go slices, all of one length; a single number, text or
// bool fills its column. It panics with *arrays.Error on anything else.
func New(namesAndValues ...any) *Table {
	if len(namesAndValues)%2 != 0 {
		fail("New", "names and values come in turn: New(\"x\", xs, \"y\", ys); %d arguments are given", len(namesAndValues))
	}
	t := &Table{rows: -1}
	for i := 0; i < len(namesAndValues); i += 2 {
		// a scalar takes the length of the others
		if c, err := column(namesAndValues[i+1]); err == nil && c.values.NDim() == 1 {
			t.rows = c.Len()
			break
		}
	}
	if t.rows < 0 {
		t.rows = min(1, len(namesAndValues)/2)
	}
	for i := 0; i < len(namesAndValues); i += 2 {
		name, ok := namesAndValues[i].(string)
		if !ok {
			fail("New", "argument %d is %s; it must be the name of the column that follows it", i+1, brief.Type(namesAndValues[i]))
		}
		if slices.Contains(t.names, name) {
			fail("New", "two columns are named %q", name)
		}
		t.Set(name, namesAndValues[i+1])
	}
	return t
}

// fail panics with an error that a cell shows with its line. Names, which are args that are strings, are cut as package
// brief does.
func fail(op, format string, args ...any) {
	panic(&arrays.Error{Op: "frames." + op, Msg: fmt.Sprintf(format, brief.Args(args)...)})
}

// operand makes a lazy array of a column's values.
func operand(v any) (*np.Array, error) {
	if a, ok := v.(*np.Array); ok && a != nil {
		return a, nil
	}
	a, _, err := arrays.AsArray(v)
	if err != nil {
		return nil, err
	}
	return np.FromArray(a), nil
}

// Len returns the number of rows.
func (t *Table) Len() int { return t.rows }

// Names returns the names of the columns, in their order.
func (t *Table) Names() []string { return slices.Clone(t.names) }

// Col returns a column as an array, the array that it is: what is assigned to its elements is in the table. A column of
// whole numbers or bools of which some are missing is a new array of float64 with NaN in their place, as [Column.Array]
// says, so that what is computed of it is right; [Table.Column] keeps them as they are. Comparisons of NaN and NaT are
// false, but for that of being unequal, and empty text, which stands for missing text, is a text there. It panics with
// *arrays.Error when there is no column of that name.
func (t *Table) Col(name string) *np.Array {
	c := t.column("Col", name)
	a, err := c.array()
	if err != nil {
		fail("Col", "column %q: %v", name, err)
	}
	return a
}

// Column returns a column with what is missing of it. It panics with *arrays.Error when there is none of that name.
func (t *Table) Column(name string) *Column { return t.column("Column", name) }

func (t *Table) column(op, name string) *Column { return t.columns[t.find(op, name)] }

func (t *Table) find(op, name string) int {
	i := slices.Index(t.names, name)
	if i < 0 {
		meant := brief.Whole("")
		if near := nearest.Name(name, t.names); near != "" {
			meant = brief.Whole(" (did you mean " + brief.Quoted(near) + "?)")
		}
		fail(op, "there is no column %q%s; the table has %s", name, meant, listed(t.names))
	}
	return i
}

// all returns the columns of those names.
func (t *Table) all(op string, names []string) []*Column {
	out := make([]*Column, len(names))
	for i, name := range names {
		out[i] = t.column(op, name)
	}
	return out
}

// listed is what a message says of many names.
func listed(names []string) brief.Whole {
	if len(names) == 0 {
		return "none"
	}
	return brief.Whole(brief.List(names))
}

// Set makes values the column of that name, at the right when it is new. See [New] for what values may be.
func (t *Table) Set(name string, values any) {
	c, err := column(values)
	if err != nil {
		fail("Set", "column %q: %v", name, err)
	}
	switch {
	case c.values.NDim() == 0:
		c = &Column{values: np.BroadcastTo(c.values, t.rows).Copy()}
	case c.values.NDim() > 1:
		fail("Set", "column %q: the values have the shape %v; a column is 1-d", name, c.values.Shape())
	case c.Len() != t.rows && len(t.columns) > 0:
		fail("Set", "column %q: %d values are given for the %d rows of the table", name, c.Len(), t.rows)
	}
	t.rows = c.Len()
	if i := slices.Index(t.names, name); i >= 0 {
		t.columns[i] = c
		return
	}
	t.names, t.columns = append(t.names, name), append(t.columns, c)
}

// With is [Table.Set] of a new table; t is left as it is.
func (t *Table) With(name string, values any) *Table {
	out := t.clone()
	out.Set(name, values)
	return out
}

func (t *Table) clone() *Table {
	return &Table{names: slices.Clone(t.names), columns: slices.Clone(t.columns), rows: t.rows}
}

// Select returns the named columns, in that order. It panics with *arrays.Error when one is not there or named twice.
func (t *Table) Select(names ...string) *Table {
	out := &Table{rows: t.rows}
	for _, name := range names {
		if slices.Contains(out.names, name) {
			fail("Select", "column %q is named twice", name)
		}
		out.names, out.columns = append(out.names, name), append(out.columns, t.column("Select", name))
	}
	return out
}

// Drop returns the columns that are not named.
func (t *Table) Drop(names ...string) *Table {
	out := t.clone()
	for _, name := range names {
		i := out.find("Drop", name)
		out.names, out.columns = slices.Delete(out.names, i, i+1), slices.Delete(out.columns, i, i+1)
	}
	return out
}

// Rename returns the table with another name for a column, which stays in its place. It panics with *arrays.Error when
// there is no such column, or another one has the new name.
func (t *Table) Rename(name, to string) *Table {
	out := t.clone()
	i := out.find("Rename", name)
	if j := slices.Index(t.names, to); j >= 0 && j != i {
		fail("Rename", "column %q cannot be named %q: another one is", name, to)
	}
	out.names[i] = to
	return out
}

// Rows returns rows lo to hi, without hi. Negative numbers count from the end, and what lies beyond the table is left
// out, as in NumPy's slices. The columns are views.
func (t *Table) Rows(lo, hi int) *Table { return t.each(np.S(lo, hi)) }

// Head returns the first n rows.
func (t *Table) Head(n int) *Table { return t.Rows(0, max(n, 0)) }

// Tail returns the last n rows.
func (t *Table) Tail(n int) *Table { return t.Rows(max(t.rows-max(n, 0), 0), t.rows) }

// each indexes all columns alike.
func (t *Table) each(index any) *Table {
	out := t.clone()
	for i, c := range out.columns {
		out.columns[i] = c.at(index)
		out.rows = out.columns[i].Len()
	}
	return out
}

// Where returns the rows for which mask is true: a bool array, slice or column with an element for each row, as
// t.Col("total").Greater(100) and t.Column("name").Contains("x") are. Rows for which a column is missing are left
// out. The mask is evaluated, once.
func (t *Table) Where(mask any) *Table {
	m, err := column(mask)
	if err != nil {
		fail("Where", "%v", err)
	}
	if d := m.DType(); !d.IsBool() || m.values.NDim() != 1 || m.Len() != t.rows {
		fail("Where", "the mask has dtype %s and shape %v; it must be bool and have an element for each of the %d rows", m.typeName(), m.values.Shape(), t.rows)
	}
	// What is missing is false in values.
	return t.each(arrays.NonZero(m.values.Array())[0])
}

// DropMissing returns the rows in which none of the named columns, or of all where none is named, is missing.
func (t *Table) DropMissing(names ...string) *Table {
	if len(names) == 0 {
		names = t.names
	}
	there := make([]bool, t.rows)
	for i := range there {
		there[i] = true
	}
	for _, c := range t.all("DropMissing", names) {
		for i, gone := range c.gaps() {
			there[i] = there[i] && !gone
		}
	}
	return t.Where(there)
}

// Unique returns the rows that have other values in the named columns, or in all where none is named, than each row
// before them. Missing values are equal to each other. Its cost grows with the number of rows, as values are looked up
// by hashing.
func (t *Table) Unique(names ...string) *Table {
	if len(names) == 0 {
		names = t.names
	}
	if len(names) == 0 {
		return t.clone()
	}
	numbers, distinct := rowNumbers(t.all("Unique", names))
	return t.each(arrays.FromSlice(firstRows(numbers[0], distinct)))
}

// firstRows returns the first row of each number; numbers count in the order of the rows.
func firstRows(numbers []int64, distinct int64) []int64 {
	first := make([]int64, 0, distinct)
	for row, k := range numbers {
		asks(row)
		if k == int64(len(first)) {
			first = append(first, int64(row))
		}
	}
	return first
}

// Array returns the named columns, or all where none is named, as one array of rows by columns, of the dtype to which
// theirs are promoted. Missing whole numbers and bools are NaN, as [Column.Array] says. It panics with *arrays.Error
// where text or dates stand beside numbers, which have no dtype together.
func (t *Table) Array(names ...string) *np.Array {
	if len(names) == 0 {
		names = t.names
	}
	if len(names) == 0 {
		return np.Zeros(t.rows, 0)
	}
	list := make([]any, len(names))
	kind := func(d np.DType) string {
		switch {
		case d.IsString():
			return "text"
		case d.IsTime():
			return "dates"
		}
		return "numbers"
	}
	for i, name := range names {
		a, err := t.column("Array", name).array()
		if err != nil {
			fail("Array", "column %q: %v", name, err)
		}
		if first := list[0]; i > 0 && kind(first.(*np.Array).DType()) != kind(a.DType()) {
			fail("Array", "column %q is %v and column %q %v, which have no dtype together: name columns of one kind", names[0], first.(*np.Array).DType(), name, a.DType())
		}
		list[i] = a
	}
	return np.Stack(1, list...)
}
