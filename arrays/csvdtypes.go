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

// columnBatch makes the arrays of some columns of a table. Columns of few rows, of which there may be a million, share
// what they can.
type columnBatch struct {
	*table
	made    *madeColumn // of the column at hand
	layout  Layout
	arrays  []Array
	storage []uint64
}

// batchColumns is how many columns are made together, and let go together when they are small. Of few long columns each
// is made by itself, by several processors.
const batchColumns = 64

// madeColumn is what is to be said of a column.
type madeColumn struct {
	missing []bool // which cells are, where MissingInto asks for it and the dtype has no value for it
	note    string
}

// cellFault is a cell that is not of the dtype that ColumnType says.
type cellFault struct {
	row int
	msg string
}

// Error implements error.
func (f *cellFault) Error() string { return fmt.Sprintf("row %d: %s", f.row+1, f.msg) }

// makeColumns makes the arrays of columns from their cells in all pieces. Of faults it returns that of the first
// column, with its place.
func (t *table) makeColumns(columns []*Array, pieces [][]cellList) (made []*madeColumn, at int, fault error) {
	step := batchColumns
	if len(columns) < 2*batchColumns && len(pieces) > 0 && pieces[0][0].count() > restRows {
		step = 1
	}
	batches := (len(columns) + step - 1) / step
	faults, places := make([]error, batches), make([]int, batches)
	made = make([]*madeColumn, len(columns)) // nil where there is nothing to be said
	workers.Do(batches, func(k int) {
		b := columnBatch{table: t, made: new(madeColumn)}
		lists := make([]*cellList, len(pieces))
		for i := k * step; i < min((k+1)*step, len(columns)) && faults[k] == nil; i++ {
			for p := range pieces {
				lists[p] = &pieces[p][i]
			}
			*b.made = madeColumn{}
			var d DType
			typed := t.options.types != nil
			if typed {
				d, typed = t.options.types[t.name(i)]
			}
			if typed {
				columns[i], faults[k] = b.typed(lists, d)
			} else {
				columns[i], faults[k] = b.column(lists)
			}
			if b.made.missing != nil || b.made.note != "" {
				m := *b.made // made here, or each column would have one
				made[i] = &m
			}
			places[k] = i
		}
	}, poll)
	for k, err := range faults {
		if err != nil && (fault == nil || err == errForgotten) { // then all are read again
			at, fault = places[k], err
		}
	}
	return made, at, fault
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

// textFits returns an error when there is no memory for an array of n texts of a width that was asked for.
func textFits(width, n int) error {
	return budget.For(fmt.Sprintf("a column of %d texts of %d characters", n, width), budget.Product(4, width, n))
}

// column reads cells as the first dtype that all of them have.
func (b *columnBatch) column(lists []*cellList) (a *Array, err error) {
	defer intoError(&err)
	k, n, forgotten := allKinds, 0, false
	for _, l := range lists {
		k.and(l.kinds)
		n += l.count()
		forgotten = forgotten || l.forgotten && l.held != holdsGone
	}
	if k.some && k.date { // a layout of digits alone was asked for
		k.number = false
	}
	f, masked := b.format, k.gone && b.options.masks != nil
	exact := k.whole && k.number && areExact(lists, k.gone && !masked)
	switch {
	case !k.some && !k.words, k.some && k.number && (!k.whole || exact && k.gone && !masked):
		a := b.array(Float64, n)
		into := elements[float64](a.data)
		for _, l := range lists {
			poll()
			l.floats(into)
			into = into[len(l.values):]
		}
		return a, nil
	case k.some && exact:
		return fromValues(b, lists, n, Int64, masked, (*cellList).whole), nil
	case k.truth && k.some && (!k.gone || masked) && areHeld(lists, holdsTruths):
		return fromValues(b, lists, n, Bool, masked, (*cellList).truths), nil
	case k.date && k.some && !k.number && areHeld(lists, holdsDates):
		return fromValues(b, lists, n, DateTime(k.unit), false, func(l *cellList, into []int64) {
			for i, v := range l.values {
				into[i] = toUnit(v, l.kinds.unit, k.unit, true)
			}
		}), nil
	case forgotten:
		return nil, errForgotten
	case !k.some: // words in quotes alone
	case k.truth && (!k.gone || masked):
		return read(b, lists, n, Bool, masked, func(s string) (uint8, error) {
			v, _ := csvTruth(s)
			return bit(v), nil
		})
	case k.number && (k.gone && !masked || k.huge || k.beyond && k.negative):
		b.made.note = "has whole numbers that no dtype holds exactly, with those that are missing, and is text: ColumnType(name, Float64) rounds them"
	case k.number && k.beyond:
		return read(b, lists, n, Uint64, masked, func(s string) (uint64, error) {
			s, _ = f.spelled(s)
			return strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, 64)
		})
	case k.number:
		return read(b, lists, n, Int64, masked, func(s string) (int64, error) {
			s, _ = f.spelled(s)
			return strconv.ParseInt(s, 10, 64)
		})
	case k.date:
		return read(b, lists, n, DateTime(k.unit), false, func(s string) (int64, error) {
			v, u, ok := f.date(s)
			if !ok {
				return 0, &Error{Msg: fmt.Sprintf("%s is not a date", brief.Quoted(s))}
			}
			return toUnit(v, u, k.unit, true), nil
		})
	}
	return b.text(lists, n, 0)
}

// areExact reports whether whole numbers are what their values say; as floats, if they are to be floats.
func areExact(lists []*cellList, floats bool) bool {
	for _, l := range lists {
		poll()
		if l.held == holdsNothing || (floats || l.held == holdsFloats) && !l.isExact() {
			return false
		}
	}
	return true
}

// areHeld reports whether all lists hold values of a kind, or missing ones.
func areHeld(lists []*cellList, kind heldValues) bool {
	for _, l := range lists {
		if l.held != kind && l.held != holdsGone {
			return false
		}
	}
	return true
}

// fromValues makes an array of n elements, which f makes of the values of a list.
func fromValues[T element](b *columnBatch, lists []*cellList, n int, dtype DType, masked bool, f func(l *cellList, into []T)) *Array {
	a := b.array(dtype, n)
	into := elements[T](a.data)
	if masked {
		b.made.missing = make([]bool, 0, n)
	}
	for _, l := range lists {
		poll()
		f(l, into)
		into = into[len(l.values):]
		if masked {
			for _, v := range l.values {
				b.made.missing = append(b.made.missing, l.isGap(v))
			}
		}
	}
	return a
}

// text makes an array of texts: of the dtype that textDType says, or of a width that none may be above.
func (b *columnBatch) text(lists []*cellList, n, width int) (*Array, error) {
	longest, size := b.widest(lists)
	if width == 0 {
		if textDType(longest, n, size) == StringDType {
			return b.texts(lists, n, size)
		}
		width = longest
	} else if err := textFits(width, n); err != nil {
		return nil, &Error{Msg: err.Error() + "; ColumnType(name, StringDType) takes as much as there is text", Err: err}
	}
	a := b.array(Str(width), n)
	i := 0
	for _, l := range lists {
		poll()
		for k := range l.count() {
			cell, quoted := l.cell(k)
			if !quoted && b.format.isMissing(cell) {
				cell = ""
			}
			if width < longest && utf8.RuneCountInString(cell) > width && b.options.textWidth == 0 {
				return nil, &cellFault{i, fmt.Sprintf("%s is longer than %v; Str(0) is as wide as there is, TextWidth cuts texts", brief.Quoted(cell), Str(width))}
			}
			putRow(a.data, width, i, cell)
			i++
		}
	}
	return a, nil
}

// widest is how many characters the texts of a column have at most, and the bytes of all.
func (b *columnBatch) widest(lists []*cellList) (longest int, size int64) {
	longest = 1
	for _, l := range lists {
		poll()
		for k := range l.count() {
			cell, quoted := l.cell(k)
			size += int64(len(cell))
			if len(cell) > longest && (quoted || !b.format.isMissing(cell)) {
				longest = max(longest, utf8.RuneCountInString(cell))
			}
		}
	}
	if b.options.textWidth > 0 {
		longest = min(longest, b.options.textWidth)
	}
	return longest, size
}

// texts makes an array of StringDType, whose texts share one piece of memory.
func (b *columnBatch) texts(lists []*cellList, n int, size int64) (*Array, error) {
	if err := budget.For(fmt.Sprintf("a column of %d texts", n), size+int64(textSize)*int64(n)); err != nil {
		return nil, err
	}
	var all strings.Builder
	all.Grow(int(size))
	ends := make([]int, 0, n)
	for _, l := range lists {
		poll()
		for cell, quoted := range l.all {
			if quoted || !b.format.isMissing(cell) {
				all.WriteString(firstChars(cell, b.options.textWidth))
			}
			ends = append(ends, all.Len())
		}
	}
	out, from := make([]string, n), 0
	for i, to := range ends {
		out[i], from = all.String()[from:to], to
	}
	return ofTexts(out), nil
}

// firstChars is the beginning of s, n characters of it; with 0, all.
func firstChars(s string, n int) string {
	if n == 0 || len(s) <= n {
		return s
	}
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}

// read makes an array of n elements, which f makes of the cells; missing ones are 0 or NaT.
func read[T element](b *columnBatch, lists []*cellList, n int, dtype DType, masked bool, f func(string) (T, error)) (*Array, error) {
	a := b.array(dtype, n)
	v, i := elements[T](a.data), 0
	if masked {
		b.made.missing = make([]bool, n)
	}
	var gone T
	if dates, ok := any(&gone).(*int64); ok && dtype.IsTime() {
		*dates = notATime
	}
	for _, l := range lists {
		poll()
		for cell := range l.all {
			if b.format.isMissing(cell) {
				v[i] = gone
				if masked {
					b.made.missing[i] = true
				}
			} else {
				var err error
				if v[i], err = f(cell); err != nil {
					return nil, err
				}
			}
			i++
		}
	}
	return a, nil
}
