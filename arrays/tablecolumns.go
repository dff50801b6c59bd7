package arrays

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// keptMask gets, when it is kept, which values of whole numbers and bools are missing, which then stay what they are.
type keptMask struct {
	kept bool
	mask []bool
}

// columnArray makes an array of a column that a reader of tables has decoded; it lies in the column's memory where that
// is as arrays have it. gone, if it is there, gets which values are missing.
func columnArray(c tables.Column, gone *keptMask) (*Array, error) {
	switch {
	case c.Lists != nil:
		a, err := columnArray(*c.Lists, nil)
		if err != nil {
			return nil, err
		}
		return a.Reshape(append([]int{c.Rows, c.Size}, a.Shape()[1:]...)...), nil
	case c.Chosen != nil:
		return chosenArray(c.Chosen)
	case c.Type == tables.Text:
		return textsColumn(c)
	}
	d, _, ok := npyDType(c.Type)
	if !ok {
		return nil, fmt.Errorf("%s has no dtype", c.Type)
	}
	return withMissing(FromBytes(d, []int{c.Rows}, c.Data), c.Missing, gone)
}

// maskArray is a mask as an array, in the mask's memory.
func maskArray(mask []bool) *Array {
	return FromBytes(Bool, []int{len(mask)}, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(mask))), len(mask)))
}

// withMissing marks missing values in a, those where mask, if it is there, says so.
func withMissing(a *Array, mask []bool, gone *keptMask) (*Array, error) {
	if !slices.Contains(mask, true) {
		return a, nil
	}
	where := maskArray(mask)
	switch d := a.dtype; {
	case gone != nil && gone.kept && (d.IsBool() || d.IsInt() && !d.IsTime()):
		gone.mask = mask
		return Where(where, New(d), a), nil
	case d.IsBool():
		return nil, errors.New("it has bools that are missing, which no dtype holds; fill them, write 0 and 1, or read them with LoadTable and MissingInto(masks)")
	case d.isDate() || d.isSpan():
		nat := New(d)
		elements[int64](nat.data)[0] = notATime
		return Where(where, nat, a), nil
	case d.IsString():
		return Where(where, "", a), nil
	case d.IsInt():
		if d.Size() == 8 { // what is missing may be anything
			there := Where(where, New(d), a)
			if wide := there.Abs().Max(); d == Int64 && there.Min().Int64s()[0] == math.MinInt64 || wide.AsType(Uint64).Uint64s()[0] > 1<<53 {
				return nil, errors.New("it has missing values, and whole numbers beyond 2^53, which float64 would round: LoadTable with MissingInto(masks) leaves them as they are")
			}
			a = there
		}
		a = a.AsType(Float64)
	}
	return Where(where, math.NaN(), a), nil
}

// chosenArray looks up the values of each piece in its dictionary.
func chosenArray(pieces []tables.Chosen) (*Array, error) {
	parts := make([]any, len(pieces))
	for i, p := range pieces {
		values, err := columnArray(p.Values, nil)
		if err != nil {
			return nil, err
		}
		index, err := columnArray(tables.Column{Type: p.Index.Type, Rows: p.Index.Rows, Data: p.Index.Data}, nil)
		if err != nil {
			return nil, err
		}
		at := index.AsType(Int64)
		if mask := p.Index.Missing; mask != nil {
			at = Where(maskArray(mask), 0, at)
			if values.Len() == 0 {
				values = New(values.dtype, 1)
			}
		}
		if at.Size() > 0 && (at.Min().Int() < 0 || at.Max().Int() >= values.Len()) {
			return nil, errors.New("an index is outside of its dictionary")
		}
		part, err := withMissing(Take(values, at, 0), p.Index.Missing, nil)
		if err != nil {
			return nil, err
		}
		parts[i] = part
	}
	if len(parts) == 1 {
		return parts[0].(*Array), nil
	}
	return Concat(0, parts...), nil
}

// textsColumn makes an array of texts, of the dtype that [textDType] says.
func textsColumn(c tables.Column) (*Array, error) {
	longest, total := 1, 0
	for s := range c.Texts {
		longest, total = max(longest, utf8.RuneCountInString(s)), total+len(s)
	}
	if textDType(longest, c.Rows, int64(total)) == StringDType {
		if err := budget.For(fmt.Sprintf("a column of %d texts", c.Rows), int64(total)+int64(textSize)*int64(c.Rows)); err != nil {
			return nil, err
		}
		v := make([]string, 0, c.Rows)
		for s := range c.Texts {
			v = append(v, strings.Clone(s))
		}
		return withMissing(ofTexts(v), c.Missing, nil)
	}
	a := New(Str(longest), c.Rows)
	at := 0
	for s := range c.Texts {
		row := elements[uint32](a.data[4*longest*at:])
		n := 0
		for _, r := range s {
			row[n] = uint32(r)
			n++
		}
		at++
	}
	return withMissing(a, c.Missing, nil)
}

// tableColumns are arrays as columns of a table, with a value of each for an element of the first axis. Columns may
// have gaps, as o says.
func tableColumns(names []string, columns []*Array, o *csvOptions) ([]tables.Column, error) {
	if len(names) != len(columns) || len(columns) == 0 {
		return nil, fmt.Errorf("%d names are given for %d columns; give each its name, and at least one", len(names), len(columns))
	}
	out, seen := make([]tables.Column, len(columns)), make(map[string]bool, len(names))
	for i, a := range columns {
		name := brief.Quoted(names[i])
		if a == nil {
			return nil, fmt.Errorf("column %s is nil; was it never assigned?", name)
		}
		if a.NDim() == 0 {
			return nil, fmt.Errorf("column %s is 0-d; a column has its values along the first axis", name)
		}
		switch n := a.Len(); {
		case seen[names[i]]:
			return nil, fmt.Errorf("two columns are named %s", name)
		case n != columns[0].Len():
			return nil, fmt.Errorf("column %s has %d values, column %s has %d", name, n, brief.Quoted(names[0]), columns[0].Len())
		}
		seen[names[i]] = true
		c, err := tableColumn(a)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", name, err)
		}
		if c.Missing = o.gaps(names[i]); c.Missing != nil && len(c.Missing) != c.Rows {
			return nil, fmt.Errorf("column %s has %d values, and %d are said to be missing or not", name, c.Rows, len(c.Missing))
		}
		c.Name = names[i]
		out[i] = c
	}
	return out, nil
}

// polledTexts yields texts to who copies them, and polls.
func polledTexts(all []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var work poller
		for _, s := range all {
			if work.did(64 + len(s)); !yield(s) {
				return
			}
		}
	}
}

// tableColumn is a as a column over its first axis. Dates and spans get a unit that tables have: days, and seconds or
// finer ones.
func tableColumn(a *Array) (tables.Column, error) {
	n := a.Len()
	if a.NDim() > 1 {
		size := a.layout.Shape[1]
		inner, err := tableColumn(a.Reshape(append([]int{n * size}, a.layout.Shape[2:]...)...))
		return tables.Column{Rows: n, Size: size, Lists: &inner}, err
	}
	switch d := a.dtype; {
	case d.IsComplex():
		return tables.Column{}, errors.New("there are no complex numbers in Arrow; save Real(x) and Imag(x) as two columns")
	case d.IsString():
		return tables.Column{Type: tables.Text, Rows: n, Texts: polledTexts(a.Strings())}, nil
	case d.isDate() || d.isSpan():
		switch u, span := d.unit(), d.isSpan(); {
		case span && u.varies():
			return tables.Column{}, fmt.Errorf("spans of a %v have no type in Arrow; convert them: AsType(TimeDelta(Day))", u)
		case !span && u <= Day:
			a = a.AsType(DateTime(Day))
		case u < Second && span:
			a = a.AsType(TimeDelta(Second))
		case u < Second:
			a = a.AsType(DateTime(Second))
		}
	}
	return tables.Column{Type: npyName(a.dtype), Rows: n, Data: a.Bytes()}, nil
}
