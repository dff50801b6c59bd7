package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Table is columns of one length. Its methods return new tables that share the columns; [Table.Set] alone changes it.
type Table struct {
	names   []string
	columns []*np.Array // 1-d, of rows elements
	rows    int
	notes   []string // said below the table as it was read
}

// New returns a table of names and values in turn: New("city", []string{"Ulm", "Graz"}, "people", []int{126_000, 292_000}).
// Values are 1-d arrays, lazy or not, or Go slices, all of one length; a single number, text or bool fills its column. It
// panics with *arrays.Error on anything else.
func New(namesAndValues ...any) *Table {
	if len(namesAndValues)%2 != 0 {
		fail("New", "names and values come in turn: New(\"x\", xs, \"y\", ys); %d arguments are given", len(namesAndValues))
	}
	t := &Table{rows: -1}
	for i := 0; i < len(namesAndValues); i += 2 {
		if a, err := operand(namesAndValues[i+1]); err == nil && a.NDim() == 1 { // a scalar takes the length of the others
			t.rows = a.Len()
			break
		}
	}
	if t.rows < 0 {
		t.rows = min(1, len(namesAndValues)/2)
	}
	for i := 0; i < len(namesAndValues); i += 2 {
		name, ok := namesAndValues[i].(string)
		if !ok {
			fail("New", "argument %d is a %T; it must be the name of the column that follows it", i+1, namesAndValues[i])
		}
		if slices.Contains(t.names, name) {
			fail("New", "two columns are named %q", name)
		}
		t.Set(name, namesAndValues[i+1])
	}
	return t
}

// fail panics with an error that a cell shows with its line. Names, which are args that are strings, are cut as package brief does.
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

// Col returns a column, as it is: what is assigned to its elements is in the table. It panics with *arrays.Error when there is
// none of that name.
func (t *Table) Col(name string) *np.Array { return t.columns[t.find("Col", name)] }

func (t *Table) find(op, name string) int {
	i := slices.Index(t.names, name)
	if i < 0 {
		fail(op, "there is no column %q; the table has %s", name, listed(t.names))
	}
	return i
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
	a, err := operand(values)
	if err != nil {
		fail("Set", "column %q: %v", name, err)
	}
	switch {
	case a.NDim() == 0:
		a = np.BroadcastTo(a, t.rows).Copy()
	case a.NDim() > 1:
		fail("Set", "column %q: the values have the shape %v; a column is 1-d", name, a.Shape())
	case a.Len() != t.rows && len(t.columns) > 0:
		fail("Set", "column %q: %d values are given for the %d rows of the table", name, a.Len(), t.rows)
	}
	t.rows = a.Len()
	if i := slices.Index(t.names, name); i >= 0 {
		t.columns[i] = a
		return
	}
	t.names, t.columns = append(t.names, name), append(t.columns, a)
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

// Select returns the named columns, in that order.
func (t *Table) Select(names ...string) *Table {
	out := &Table{rows: t.rows}
	for _, name := range names {
		out.names, out.columns = append(out.names, name), append(out.columns, t.columns[t.find("Select", name)])
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

// Rows returns rows lo to hi, without hi. Negative numbers count from the end, and what lies beyond the table is left out, as
// in NumPy's slices. The columns are views.
func (t *Table) Rows(lo, hi int) *Table { return t.each(np.S(lo, hi)) }

// Head returns the first n rows.
func (t *Table) Head(n int) *Table { return t.Rows(0, max(n, 0)) }

// Tail returns the last n rows.
func (t *Table) Tail(n int) *Table { return t.Rows(max(t.rows-max(n, 0), 0), t.rows) }

// each indexes all columns alike.
func (t *Table) each(index any) *Table {
	out := t.clone()
	for i, c := range out.columns {
		out.columns[i] = c.At(index)
		out.rows = out.columns[i].Len()
	}
	return out
}

// Where returns the rows for which mask is true: a bool array or slice with an element for each row, as t.Col("total").Gt(100)
// is. The mask is evaluated, once.
func (t *Table) Where(mask any) *Table {
	m, err := operand(mask)
	if err != nil {
		fail("Where", "%v", err)
	}
	if !m.DType().IsBool() || m.NDim() != 1 || m.Len() != t.rows {
		fail("Where", "the mask has dtype %v and shape %v; it must be bool and have an element for each of the %d rows", m.DType(), m.Shape(), t.rows)
	}
	return t.each(np.FromArray(arrays.NonZero(m.Array())[0]))
}

// Sort returns the rows in ascending order of the named columns, the first before the second; "-name" sorts that column in
// descending order. Rows that are equal keep their order, missing values come last either way.
func (t *Table) Sort(by ...string) *Table {
	if len(by) == 0 {
		fail("Sort", "no column is named to sort by; the table has %s", listed(t.names))
	}
	order := arrays.Arange(t.rows)
	for _, name := range slices.Backward(by) { // stable sorts, the least important first
		column, down := strings.CutPrefix(name, "-")
		if slices.Contains(t.names, name) {
			column, down = name, false
		}
		keys := t.columns[t.find("Sort", column)].Array().At(order)
		if down {
			keys = descending(keys)
		}
		order = order.At(arrays.ArgSort(keys))
	}
	return t.each(np.FromArray(order))
}

// descending returns numbers that ascend where x descends.
func descending(x *arrays.Array) *arrays.Array {
	values, ranks := arrays.UniqueInverse(x)
	down := arrays.Sub(float64(values.Size()), ranks.AsType(arrays.Float64))
	return arrays.Where(missing(x), math.Inf(1), down)
}

// missing says for each element whether it is NaN or NaT, or empty text.
func missing(x *arrays.Array) *arrays.Array {
	switch d := x.DType(); {
	case d.IsInexact(), d.IsTime():
		return arrays.IsNaN(x)
	case d.IsString():
		return x.Eq("")
	}
	return arrays.New(arrays.Bool, x.Shape()...)
}
