package arrays

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// columnBatch makes the arrays of some columns of a table. Columns of few rows, of which there may be a million, share what they can.
type columnBatch struct {
	textWidth int
	layout    Layout
	arrays    []Array
	storage   []uint64
}

// batchColumns is how many columns are made together, and let go together when they are small.
const batchColumns = 64

// makeColumns makes the arrays of columns from their cells in all pieces. Of faults it returns that of the first column, with its place.
func makeColumns(columns []*Array, pieces [][]cellList, textWidth int) (at int, fault error) {
	batches := (len(columns) + batchColumns - 1) / batchColumns
	faults, places := make([]error, batches), make([]int, batches)
	workers.Do(batches, func(k int) {
		b := columnBatch{textWidth: textWidth}
		lists := make([]*cellList, len(pieces))
		for i := k * batchColumns; i < min((k+1)*batchColumns, len(columns)) && faults[k] == nil; i++ {
			for p := range pieces {
				lists[p] = &pieces[p][i]
			}
			columns[i], faults[k] = b.column(lists)
			places[k] = i
		}
	}, poll)
	for k, err := range faults {
		if err != nil && (fault == nil || err == errForgotten) { // then all are read again
			at, fault = places[k], err
		}
	}
	return at, fault
}

// array returns an array for a column of n elements, which the caller sets.
func (b *columnBatch) array(d DType, n int) *Array {
	size := n * d.Size()
	if size > int(unsafe.Sizeof(freshArray{}.storage)) {
		return newUnset(d, []int{n})
	}
	if len(b.arrays) == 0 {
		b.arrays, b.layout = make([]Array, batchColumns), Contiguous(n)
	}
	words := (size + 7) / 8
	if len(b.storage) < words {
		b.storage = make([]uint64, batchColumns*words)
	}
	a := &b.arrays[0]
	*a = Array{d, b.layout, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.storage))), size)}
	b.arrays, b.storage = b.arrays[1:], b.storage[words:]
	return a
}

// textFits returns an error when an array of n texts, as wide as the longest, is too much to be made of so many bytes of text.
func textFits(longest, n int, bytes int64) error {
	size := budget.Product(4, longest, n)
	if longest > maxChars {
		return fmt.Errorf("an array has up to %d of them", maxChars)
	}
	if err := budget.For(fmt.Sprintf("a column of %d texts, all as wide as the longest,", n), size); err != nil {
		return err
	}
	if budget.Unpacks("", bytes, size) != nil {
		return fmt.Errorf("texts of an array are as wide as the longest, so that %s of text would take %s", budget.Bytes(bytes), budget.Bytes(size))
	}
	return nil
}

// column reads cells as the first dtype that all of them have.
func (b *columnBatch) column(lists []*cellList) (a *Array, err error) {
	defer intoError(&err)
	k, n, forgotten := cellKinds{whole: true, number: true, truth: true, date: true, unit: Day}, 0, false
	for _, l := range lists {
		o := l.kinds
		k.whole, k.number, k.truth, k.date = k.whole && o.whole, k.number && o.number, k.truth && o.truth, k.date && o.date
		k.some, k.unit = k.some || o.some, max(k.unit, o.unit)
		if forgotten = forgotten || l.forgotten; l.forgotten {
			n += len(l.numbers)
		} else {
			n += len(l.at)
		}
	}
	switch {
	case !k.some || k.number && !k.whole:
		a := b.array(Float64, n)
		into := elements[float64](a.data)
		for _, l := range lists {
			into = into[copy(into, l.numbers):]
		}
		return a, nil
	case k.whole && areExact(lists):
		a := b.array(Int64, n)
		into := elements[int64](a.data)
		for _, l := range lists {
			for i, v := range l.numbers {
				into[i] = int64(v)
			}
			into = into[len(l.numbers):]
		}
		return a, nil
	case forgotten:
		return nil, errForgotten
	case k.truth:
		return read(b, lists, n, Bool, func(s string) (uint8, error) { return bit(strings.EqualFold(s, "true")), nil })
	case k.whole:
		return read(b, lists, n, Int64, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	case k.date:
		return read(b, lists, n, DateTime(k.unit), func(s string) (int64, error) {
			if s == "NA" {
				return notATime, nil
			}
			v, u, ok := parseDate(s)
			if !ok {
				return 0, &Error{Msg: fmt.Sprintf("%s is not a date", brief.Quoted(s))}
			}
			return toUnit(v, u, k.unit, true), nil
		})
	}
	width, err := b.width(lists, n)
	if err != nil {
		return nil, err
	}
	a = b.array(Str(width), n)
	i := 0
	for _, l := range lists {
		for cell := range l.all {
			putRow(a.data, width, i, cell)
			i++
		}
	}
	return a, nil
}

// width is how many characters the texts of a column have at most. What no array should hold is an error: strings are as wide as the
// longest.
func (b *columnBatch) width(lists []*cellList, n int) (int, error) {
	longest, row, size, i := 1, 0, 0, 0
	for _, l := range lists {
		for cell := range l.all {
			size += len(cell)
			if i++; len(cell) > longest {
				if chars := utf8.RuneCountInString(cell); chars > longest {
					longest, row = chars, i
				}
			}
		}
	}
	if b.textWidth > 0 {
		longest = min(longest, b.textWidth)
	}
	if err := textFits(longest, n, int64(size)); err != nil {
		return 0, &Error{Msg: fmt.Sprintf("row %d has a text of %d characters: %v; TextWidth(100) cuts texts to 100 characters, Columns(names...) reads other columns", row, longest, err), Err: err}
	}
	return longest, nil
}

// read makes an array of n elements, which f makes of the cells.
func read[T element](b *columnBatch, lists []*cellList, n int, dtype DType, f func(string) (T, error)) (*Array, error) {
	a := b.array(dtype, n)
	v, i := elements[T](a.data), 0
	for _, l := range lists {
		for cell := range l.all {
			var err error
			if v[i], err = f(cell); err != nil {
				return nil, err
			}
			i++
		}
	}
	return a, nil
}
