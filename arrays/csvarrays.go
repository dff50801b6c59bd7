package arrays

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/csvtable"
)

// loadText is LoadTable of text.
func loadText(path string, o csvOptions) (names []string, columns []*Array, err error) {
	m := &csvMaker{options: &o}
	names, report, err := csvtable.ReadColumns(path, o.Options, m)
	if err != nil {
		return nil, nil, err
	}
	for i, missing := range m.missing {
		for _, masks := range o.masks {
			masks[names[i]] = missing
		}
	}
	o.tell(report)
	return names, m.columns, nil
}

// csvMaker makes arrays of the columns of a table.
type csvMaker struct {
	options *csvOptions
	columns []*Array
	sync.Mutex
	missing map[int][]bool // which cells are, by column, where MissingInto asks for it and the dtype has no value for it
}

// Begin implements csvtable.Maker.
func (m *csvMaker) Begin(columns int) {
	m.columns, m.missing = make([]*Array, columns), map[int][]bool{}
}

// Batch implements csvtable.Maker.
func (m *csvMaker) Batch() func(i int, c *csvtable.Column) error {
	b := &columnBatch{options: m.options}
	return func(i int, c *csvtable.Column) (err error) {
		b.cells, b.missing = c, nil
		if m.columns[i], err = b.array(); b.missing != nil {
			m.Lock()
			m.missing[i] = b.missing
			m.Unlock()
		}
		return err
	}
}

// columnBatch makes the arrays of some columns of a table. Columns of few rows, of which there may be a million, share
// what they can.
type columnBatch struct {
	options *csvOptions
	cells   *csvtable.Column // at hand
	missing []bool           // of its cells; see csvMaker
	layout  Layout
	arrays  []Array
	storage []uint64
}

// batchArrays is how many small arrays share memory.
const batchArrays = 64

// array makes the array of the column at hand.
func (b *columnBatch) array() (*Array, error) {
	if b.options.types != nil {
		if d, typed := b.options.types[b.cells.Name()]; typed {
			return b.typed(d)
		}
	}
	return b.untyped()
}

// untyped reads cells as the first dtype that all of them have.
func (b *columnBatch) untyped() (a *Array, err error) {
	defer intoError(&err)
	v, err := b.cells.Values(b.room)
	if err != nil {
		return nil, err
	}
	if v.Type == csvtable.Text {
		return b.text(0)
	}
	b.missing = v.Missing
	return b.of(dtypeOfCells(v), v.Data), nil
}

// dtypeOfCells is the dtype of a column's values.
func dtypeOfCells(v csvtable.Values) DType {
	switch v.Type {
	case csvtable.Int64:
		return Int64
	case csvtable.Uint64:
		return Uint64
	case csvtable.Bool:
		return Bool
	case csvtable.Date:
		return DateTime(Unit(v.Unit))
	}
	return Float64
}

// room returns memory for an array of so many bytes, which the caller sets.
func (b *columnBatch) room(size int) []byte {
	if !isSmallColumn(size) {
		return reserve(size)
	}
	words := (size + 7) / 8
	if len(b.storage) < words {
		b.storage = make([]uint64, batchArrays*words)
	}
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.storage))), size)
	b.storage = b.storage[words:]
	return data
}

// isSmallColumn reports whether an array of so many bytes shares its memory with others.
func isSmallColumn(size int) bool { return size <= int(unsafe.Sizeof(freshArray{}.storage)) }

// of is an array of the column's cells that lies in memory of room.
func (b *columnBatch) of(d DType, data []byte) *Array {
	n := b.cells.Len()
	if !isSmallColumn(len(data)) {
		return &Array{d, Contiguous(n), data}
	}
	if len(b.arrays) == 0 {
		b.arrays, b.layout = make([]Array, batchArrays), Contiguous(n)
	}
	a := &b.arrays[0]
	*a = Array{d, b.layout, data}
	b.arrays = b.arrays[1:]
	return a
}

// unset is an array of the column's cells, which the caller sets.
func (b *columnBatch) unset(d DType) *Array { return b.of(d, b.room(b.cells.Len()*d.Size())) }

// typed reads cells as the dtype that ColumnType gives; one that is not of it is a *csvtable.CellFault.
func (b *columnBatch) typed(d DType) (a *Array, err error) {
	n := b.cells.Len()
	switch {
	case d == StringDType:
		_, size := b.widest()
		return b.texts(size)
	case d.IsString():
		return b.text(d.chars())
	case d.IsBool():
		return readTyped(b, n, d, d, bitOf)
	case d.IsUnsigned():
		return readTyped(b, n, d, Uint64, func(b *columnBatch, cell string, d DType) (uint64, error) {
			v, err := b.whole(cell, d)
			return v.Uint64(), err
		})
	case d.IsInt() && !d.IsTime():
		return readTyped(b, n, d, Int64, func(b *columnBatch, cell string, d DType) (int64, error) {
			v, err := b.whole(cell, d)
			return v.Int64(), err
		})
	case d.IsFloat():
		return readTyped(b, n, d, Float64, func(b *columnBatch, cell string, d DType) (float64, error) {
			v, ok := b.cells.Format().Number(cell)
			if !ok {
				return 0, notTyped(cell, "a number")
			}
			return v, nil
		})
	case d.isDate():
		return readTyped(b, n, d, d, func(b *columnBatch, cell string, d DType) (int64, error) {
			v, u, ok := b.cells.Format().Date(cell)
			if !ok {
				v, u, ok = b.cells.Format().AnyDate(cell)
			}
			if !ok {
				return 0, notTyped(cell, "a date; DateFormat(layout) adds a form of dates")
			}
			return toUnit(v, Unit(u), d.unit(), true), nil
		})
	}
	a, row := b.unset(d), 0
	defer func() {
		if fault, ok := err.(*Error); ok {
			a, err = nil, &csvtable.CellFault{Row: row, Msg: fault.Msg}
		}
	}()
	defer intoError(&err)
	for cell := range b.cells.All {
		if b.cells.Format().IsMissing(cell) {
			a.Set(missingOf(d), row)
		} else {
			a.Set(FromSlice([]string{cell}).AsType(d).Reshape(), row)
		}
		row++
	}
	return a, nil
}

// readTyped reads cells by f as elements of wide, which become those of d.
func readTyped[T element](b *columnBatch, n int, d, wide DType, f func(*columnBatch, string, DType) (T, error)) (a *Array, err error) {
	row := 0
	defer func() {
		if fault, ok := err.(*Error); ok {
			a, err = nil, &csvtable.CellFault{Row: row, Msg: fault.Msg}
		}
	}()
	defer intoError(&err)
	a = b.unset(wide)
	v := elements[T](a.data)
	hasMissing := d.IsTime() || d.IsInexact()
	var gone T
	if hasMissing {
		gone = elements[T](missingOf(wide).data)[0]
	}
	for cell := range b.cells.All {
		switch missing := b.cells.Format().IsMissing(cell); {
		case missing && hasMissing:
			v[row] = gone
		case missing && b.options.Masked:
			if b.missing == nil {
				b.missing = make([]bool, n)
			}
			b.missing[row] = true
		case missing:
			return nil, &csvtable.CellFault{Row: row, Msg: fmt.Sprintf("the cell is missing, and %v has no value for that: read it as float64 or text, or say MissingInto(masks)", d)}
		default:
			if v[row], err = f(b, cell, d); err != nil {
				return nil, &csvtable.CellFault{Row: row, Msg: err.Error()}
			}
		}
		row++
	}
	if wide != d {
		a = a.AsType(d)
	}
	return a, nil
}

// missingOf returns what stands for a missing value in a dtype that has one.
func missingOf(d DType) *Array {
	if d.IsTime() {
		nat := New(d)
		elements[int64](nat.data)[0] = notATime
		return nat
	}
	return Scalar(math.NaN()).AsType(d)
}

func notTyped(cell, what string) error {
	return fmt.Errorf("%s is not %s, as ColumnType says", brief.Quoted(cell), what)
}

func bitOf(_ *columnBatch, cell string, _ DType) (uint8, error) {
	v, ok := csvtable.Truth(cell)
	if !ok && cell != "0" && cell != "1" {
		return 0, notTyped(cell, "True, False, 0 or 1")
	}
	return bit(v || cell == "1"), nil
}

// whole reads a whole number in the range of a dtype, also one with a point or an exponent.
func (b *columnBatch) whole(cell string, d DType) (*big.Int, error) {
	zero := new(big.Int)
	text, ok := b.cells.Format().Spelled(cell)
	if !ok || strings.Trim(text, "0123456789.eE+-") != "" || len(text) > 400 {
		return zero, notTyped(cell, "a whole number")
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		v, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil || !v.IsInt() || v.MantExp(nil) > 200 {
			return zero, notTyped(cell, "a whole number")
		}
		n, _ = v.Int(nil)
	}
	info := IInfo(d)
	if n.Cmp(big.NewInt(info.Min)) < 0 || n.Cmp(new(big.Int).SetUint64(info.Max)) > 0 {
		return zero, notTyped(cell, fmt.Sprintf("in the range of %v, %d to %d", d, info.Min, info.Max))
	}
	return n, nil
}

// text makes an array of texts: of the dtype that textDType says, or of a width that none may be above.
func (b *columnBatch) text(width int) (*Array, error) {
	longest, size := b.widest()
	if width == 0 {
		if textDType(longest, b.cells.Len(), size) == StringDType {
			return b.texts(size)
		}
		width = longest
	} else if err := textFits(width, b.cells.Len()); err != nil {
		return nil, &Error{Msg: err.Error() + "; ColumnType(name, StringDType) takes as much as there is text", Err: err}
	}
	a, format := b.unset(Str(width)), b.cells.Format()
	i := 0
	for _, l := range b.cells.Pieces() {
		poll()
		for k := range l.Len() {
			cell, quoted := l.Cell(k)
			if !quoted && format.IsMissing(cell) {
				cell = ""
			}
			if width < longest && utf8.RuneCountInString(cell) > width && b.options.textWidth == 0 {
				return nil, &csvtable.CellFault{Row: i, Msg: fmt.Sprintf("%s is longer than %v; Str(0) is as wide as there is, TextWidth cuts texts", brief.Quoted(cell), Str(width))}
			}
			putRow(a.data, width, i, cell)
			i++
		}
	}
	return a, nil
}

// widest is how many characters the texts of the column have at most, and the bytes of all.
func (b *columnBatch) widest() (longest int, size int64) {
	longest, size = b.cells.Widest()
	if b.options.textWidth > 0 {
		longest = min(longest, b.options.textWidth)
	}
	return longest, size
}

// texts makes an array of StringDType, whose texts share one piece of memory.
func (b *columnBatch) texts(size int64) (*Array, error) {
	n := b.cells.Len()
	if err := budget.For(fmt.Sprintf("a column of %d texts", n), size+int64(textSize)*int64(n)); err != nil {
		return nil, err
	}
	var all strings.Builder
	all.Grow(int(size))
	ends := make([]int, 0, n)
	for cell, quoted := range b.cells.All {
		if quoted || !b.cells.Format().IsMissing(cell) {
			all.WriteString(firstChars(cell, b.options.textWidth))
		}
		ends = append(ends, all.Len())
	}
	out, from := make([]string, n), 0
	for i, to := range ends {
		out[i], from = all.String()[from:to], to
	}
	return ofTexts(out), nil
}

// textFits returns an error when there is no memory for an array of n texts of a width that was asked for.
func textFits(width, n int) error {
	return budget.For(fmt.Sprintf("a column of %d texts of %d characters", n, width), budget.Product(4, width, n))
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
