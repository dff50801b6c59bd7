package csvtable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// Type is what all cells of a column are.
type Type int

// Float64 and the others are stored as Go's types of these names, Bool as bytes 0 and 1, Date as int64 in the [Values]'
// unit, with the calendar's NaT. [Text] has no values but the cells' texts, for the caller to store.
const (
	Float64 Type = iota
	Int64
	Uint64
	Bool
	Date
	Text
)

// size is how many bytes a value has.
func (t Type) size() int {
	if t == Bool {
		return 1
	}
	return 8
}

// Values are those of a column.
type Values struct {
	Type    Type
	Unit    calendar.Unit // of dates
	Data    []byte        // as many values as the column has cells; missing ones are NaN, NaT, 0 or false
	Missing []bool        // which those are, where [Options.Masked] asks for it and the type has no value for them
}

// Column is the cells of one column.
type Column struct {
	*table
	lists []*Cells // of each piece of the file
	at    int      // of the columns that are read
	cells int
	note  string
}

// CellFault is a cell that is not of the type that it should be: an error of what makes columns.
type CellFault struct {
	Row int // from 0, the header not counted
	Msg string
}

// Error implements error.
func (f *CellFault) Error() string { return fmt.Sprintf("row %d: %s", f.Row+1, f.Msg) }

// begin takes the lists of the i-th of the columns that are read.
func (c *Column) begin(i int) {
	c.at, c.cells, c.note = i, 0, ""
	for _, l := range c.lists {
		c.cells += l.Len()
	}
}

// Name is that of the column: without a header, its number in the file.
func (c *Column) Name() string { return c.name(c.at) }

// Len is how many cells there are.
func (c *Column) Len() int { return c.cells }

// Format says what cells mean.
func (c *Column) Format() *Format { return c.format }

// Pieces is the cells of each piece of the file. Who goes through them calls [Host.Poll] for each.
func (c *Column) Pieces() []*Cells { return c.lists }

// All yields the texts of all cells, and whether each stands in quotes. They share memory with others.
func (c *Column) All(yield func(cell string, quoted bool) bool) {
	for _, l := range c.lists {
		c.options.Poll()
		for k := range l.Len() {
			if !yield(l.Cell(k)) {
				return
			}
		}
	}
}

// Values reads cells as the first type that all of them have, into memory that room returns for a number of bytes.
func (c *Column) Values(room func(bytes int) []byte) (Values, error) {
	k, forgotten := allKinds, false
	for _, l := range c.lists {
		k.and(l.kinds)
		forgotten = forgotten || l.forgotten && l.held != holdsGone
	}
	if k.some && k.date { // a layout of digits alone was asked for
		k.number = false
	}
	f, masked := c.format, k.gone && c.options.Masked
	exact := k.whole && k.number && c.areExact(k.gone && !masked)
	switch {
	case !k.some && !k.words, k.some && k.number && (!k.whole || exact && k.gone && !masked):
		return fromValues(c, room, Values{Type: Float64}, false, (*Cells).floats), nil
	case k.some && exact:
		return fromValues(c, room, Values{Type: Int64}, masked, (*Cells).whole), nil
	case k.truth && k.some && (!k.gone || masked) && c.areHeld(holdsTruths):
		return fromValues(c, room, Values{Type: Bool}, masked, (*Cells).truths), nil
	case k.date && k.some && !k.number && c.areHeld(holdsDates):
		return fromValues(c, room, Values{Type: Date, Unit: k.unit}, false, func(l *Cells, into []int64) {
			for i, v := range l.values {
				into[i] = f.inUnit(v, l.kinds.unit, k.unit)
			}
		}), nil
	case forgotten:
		return Values{}, errForgotten
	case !k.some: // words in quotes alone
	case k.truth && (!k.gone || masked):
		return read(c, room, Values{Type: Bool}, masked, 0, func(s string) (uint8, error) {
			v, _ := Truth(s)
			return bit(v), nil
		})
	case k.number && (k.gone && !masked || k.huge || k.beyond && k.negative):
		c.note = "has whole numbers that no dtype holds exactly, with those that are missing, and is text: ColumnType(name, Float64) rounds them"
	case k.number && k.beyond:
		return read(c, room, Values{Type: Uint64}, masked, 0, func(s string) (uint64, error) {
			s, _ = f.Spelled(s)
			return strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, 64)
		})
	case k.number:
		return read(c, room, Values{Type: Int64}, masked, 0, func(s string) (int64, error) {
			s, _ = f.Spelled(s)
			return strconv.ParseInt(s, 10, 64)
		})
	case k.date:
		return read(c, room, Values{Type: Date, Unit: k.unit}, false, calendar.NaT, func(s string) (int64, error) {
			v, u, ok := f.Date(s)
			if !ok {
				return 0, fmt.Errorf("%s is not a date", brief.Quoted(s))
			}
			return f.inUnit(v, u, k.unit), nil
		})
	}
	return Values{Type: Text}, nil
}

// areExact reports whether whole numbers are what their values say; as floats, if they are to be floats.
func (c *Column) areExact(floats bool) bool {
	for _, l := range c.lists {
		c.options.Poll()
		if l.held == holdsNothing || (floats || l.held == holdsFloats) && !l.isExact() {
			return false
		}
	}
	return true
}

// areHeld reports whether all lists hold values of a kind, or missing ones.
func (c *Column) areHeld(kind heldValues) bool {
	for _, l := range c.lists {
		if l.held != kind && l.held != holdsGone {
			return false
		}
	}
	return true
}

// fromValues makes values of a type, which f makes of those that a list holds.
func fromValues[T any](c *Column, room func(int) []byte, v Values, masked bool, f func(l *Cells, into []T)) Values {
	v.Data = room(c.cells * v.Type.size())
	into := sliceOf[T](v.Data)
	if masked {
		v.Missing = make([]bool, 0, c.cells)
	}
	for _, l := range c.lists {
		c.options.Poll()
		f(l, into)
		into = into[len(l.values):]
		if masked {
			for _, held := range l.values {
				v.Missing = append(v.Missing, l.isGap(held))
			}
		}
	}
	return v
}

// read makes values of a type, which f makes of the cells; gone is the value of missing ones.
func read[T any](c *Column, room func(int) []byte, v Values, masked bool, gone T, f func(string) (T, error)) (Values, error) {
	v.Data = room(c.cells * v.Type.size())
	into, i := sliceOf[T](v.Data), 0
	if masked {
		v.Missing = make([]bool, c.cells)
	}
	for cell := range c.All {
		if c.format.IsMissing(cell) {
			into[i] = gone
			if masked {
				v.Missing[i] = true
			}
		} else {
			var err error
			if into[i], err = f(cell); err != nil {
				return Values{}, err
			}
		}
		i++
	}
	return v, nil
}

// Widest is how many characters the texts of the column have at most, at least 1, and the bytes of all cells.
func (c *Column) Widest() (longest int, size int64) {
	longest = 1
	for _, l := range c.lists {
		c.options.Poll()
		for k := range l.Len() {
			cell, quoted := l.Cell(k)
			size += int64(len(cell))
			if len(cell) > longest && (quoted || !c.format.IsMissing(cell)) {
				longest = max(longest, utf8.RuneCountInString(cell))
			}
		}
	}
	return longest, size
}
