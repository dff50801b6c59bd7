package frames

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// textExtent says whether an array of texts would waste memory.
type textExtent struct {
	longest int   // in characters
	bytes   int64 // that all have
}

func extent(list []string) (e textExtent) {
	for _, s := range list {
		if e.bytes += int64(len(s)); len(s) > e.longest {
			e.longest = max(e.longest, utf8.RuneCountInString(s))
		}
	}
	return e
}

// wastes reports whether n of them had better not be in an array, or there is no memory for one.
func (e textExtent) wastes(n int) bool {
	return budget.WideTexts(e.longest, n, e.bytes) || budget.For("a column of texts", budget.Product(4, e.longest, n)) != nil
}

// ofTexts returns a column of texts, in an array where that does not waste memory. It keeps v.
func ofTexts(v []string) *Column { return ofSharedTexts(v, extent(v)) }

// ofSharedTexts is ofTexts where several are the same text of those that e describes.
func ofSharedTexts(v []string, e textExtent) *Column {
	if e.wastes(len(v)) {
		return &Column{apart: v}
	}
	return eager(v)
}

// widened makes an array of texts that stand apart. An error says what it would take.
func widened(list []string) (*np.Array, error) {
	a, err := operand(list)
	var refused *arrays.Error
	if errors.As(err, &refused) && refused.Err != nil {
		return nil, fmt.Errorf("its longest text has %d characters: %w: Strings gives its texts as they are, Where, Head or Rows leave fewer of them", extent(list).longest, refused.Err)
	}
	return a, err
}

// Strings evaluates a column of text and returns its texts, empty ones where they are missing. It panics with *arrays.Error for other columns.
func (c *Column) Strings() []string { return slices.Clone(c.texts("Strings")) }

// Strings is [Column.Strings] of the column of that name. It panics with *arrays.Error when there is no such column.
func (t *Table) Strings(name string) []string {
	c := t.column("Strings", name)
	if !c.DType().IsString() {
		fail("Strings", "column %q is of %s, not of text", name, c.typeName())
	}
	return c.Strings()
}

// typeName is the dtype, for people: texts that stand apart have none.
func (c *Column) typeName() string {
	if c.values == nil {
		return "text"
	}
	return c.DType().String()
}

func (c *Column) shape() []int {
	if c.values == nil {
		return []int{len(c.apart)}
	}
	return c.values.Shape()
}

func (c *Column) nDim() int { return len(c.shape()) }

// chosenTexts returns the texts of those rows; that of -1 is empty.
func chosenTexts(texts []string, rows []int64) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		if row >= 0 {
			out[i] = texts[row]
		}
	}
	return out
}

// filledTexts returns the texts with v, one or as many, where they are missing.
func (c *Column) filledTexts(v *np.Array) []string {
	fill := v.Array().Strings()
	out := slices.Clone(c.apart)
	for i, s := range out {
		if s == "" {
			out[i] = fill[i%len(fill)] // one, or one for each
		}
	}
	return out
}

// ranks numbers texts in their order, equal ones alike: sorting the numbers sorts the texts without moving any.
func ranks(texts []string) *arrays.Array {
	of := newNumbering()
	number := of.numbers(&Column{apart: texts})
	distinct := make([]string, of.next)
	for i, k := range number {
		distinct[k] = texts[i]
	}
	rank := make([]int64, of.next)
	order := make([]int64, of.next)
	for k := range order {
		order[k] = int64(k)
	}
	slices.SortFunc(order, func(a, b int64) int { return cmp.Compare(distinct[a], distinct[b]) })
	for i, k := range order {
		rank[k] = int64(i)
	}
	for i, k := range number {
		number[i] = rank[k]
	}
	return arrays.FromSlice(number)
}
