package frames

import (
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// asOften returns the column of text such that n rows of it can be taken, the same text in many of them: of
// StringDType, where they share it, if elements as wide as the longest would waste memory.
func (c *Column) asOften(n int) *Column {
	if c.DType() == arrays.StringDType || n <= c.Len() {
		return c
	}
	longest, bytes := 1, int64(0)
	for i, s := range c.values.Strings() {
		asks(i)
		if bytes += int64(len(s)); len(s) > longest {
			longest = max(longest, utf8.RuneCountInString(s))
		}
	}
	if budget.WideTexts(longest, n, bytes) || budget.For("a column of texts", budget.Product(4, longest, n)) != nil {
		return &Column{values: c.values.AsType(arrays.StringDType)}
	}
	return c
}

// Strings evaluates a column of text and returns its texts, empty ones where they are missing. It panics with
// *arrays.Error for other columns.
func (c *Column) Strings() []string { return c.texts("Strings") }

// Strings is [Column.Strings] of the column of that name. It panics with *arrays.Error when there is no such column.
func (t *Table) Strings(name string) []string {
	c := t.column("Strings", name)
	if !c.DType().IsString() {
		fail("Strings", "column %q is of %s, not of text", name, c.typeName())
	}
	return c.Strings()
}

// ofTexts returns a column of texts.
func ofTexts(v []string) *Column { return &Column{values: np.FromSlice(v)} }

// typeName is the dtype, for people.
func (c *Column) typeName() string {
	if c.DType() == arrays.StringDType {
		return "text"
	}
	return c.DType().String()
}
