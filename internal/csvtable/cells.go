package csvtable

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// Cells is the cells of a column in a piece of a file, and what they can be read as.
type Cells struct {
	text      []byte // the piece's, which all columns share, or a copy of the cells alone
	shared    bool
	forgotten bool        // of some cells there is neither text nor place
	odd       bool        // the text is not UTF-8; of a shared one the first column of text knows
	narrow    bool        // the text is Windows-1252
	at        [][2]uint32 // where in text each cell begins and ends; the first has inQuotes
	held      heldValues
	values    []int64 // one for each cell, unless nothing is held
	exact     *bool   // what isExact says, once it was asked
	kinds     cellKinds
}

// inQuotes marks cells that stand in quotes.
const inQuotes = 1 << 31

// heldValues is what the values of a list are, so that most cells are looked at once. What no value stands for is read
// from the text again.
type heldValues uint8

const (
	holdsGone    heldValues = iota // all cells so far are missing
	holdsWhole                     // whole numbers
	holdsFloats                    // the bits of numbers
	holdsTruths                    // 0 and 1
	holdsDates                     // all in the unit of cellKinds
	holdsNothing                   // of another kind, or not all of one
)

// notHeld is the value of a missing cell, but among floats, where it is NaN. No other has it.
const notHeld = math.MinInt64

var gapBits = int64(math.Float64bits(math.NaN()))

// pieceSheets is memory for the lists of a piece, a column behind the other; that of pieces whose cells are no longer
// needed is used again.
type pieceSheets struct {
	places [][2]uint32
	values []int64
}

var spareSheets sync.Pool // of *pieceSheets

// pieceCells is each column's cells in a piece, and the memory that goes when columns have been made of them, or nil.
type pieceCells struct {
	lists  []Cells
	sheets *pieceSheets
}

// cells returns each column's cells in rows.
func (t *table) cells(rows *rowReader, forgetful bool) (pieceCells, error) {
	line := rows.line
	lists, err := t.readCells(rows, forgetful, forgetful && rows.ragged != RaggedSkipped && t.isPlain(rows))
	if err == errForgotten { // the piece is still there
		rows.text, rows.line = rows.all, line
		return t.readCells(rows, forgetful, false)
	}
	return lists, err
}

// readCells is cells. If plain, lines of numbers are read without keeping their places; errForgotten says that these
// are needed.
func (t *table) readCells(rows *rowReader, forgetful, plain bool) (pieceCells, error) {
	sheets, _ := spareSheets.Get().(*pieceSheets)
	if sheets == nil {
		sheets = new(pieceSheets)
	}
	lists := t.newCellLists(rows, sheets)
	var block *cellBlock
	var p plainLines
	numbers, started := false, false // all columns are, as far as they have been read; there has been a line
	err := t.eachLine(rows, func() {
		for started || !plain {
			if plain && (numbers || areNumbers(lists)) {
				if numbers = true; p.into == nil {
					p = t.newPlainLines(rows, floatsOf(sheets.values), 1, rows.lines)
				}
				p.readInto(lists, rows)
				return
			}
			if block == nil {
				block = newCellBlock(rows)
				sheets.place(lists, rows.lines, t.options.Reserve)
			}
			block.cut(rows)
			for i, column := range t.columns {
				lists[i].addBlock(t.format, block, column)
			}
			if block.lines < block.most() {
				return
			}
		}
	}, func(row []string) error {
		numbers, started = false, true
		for i, at := range t.columns {
			lists[i].add(t.format, row[at], rows.quoted != nil && rows.quoted[at])
		}
		return nil
	})
	if err != nil {
		return pieceCells{}, err
	}
	if forgetful && rows.in == nil && tellAll(lists) {
		rows.keep = false
		for i := range lists {
			c := &lists[i]
			c.text, c.at, c.forgotten = nil, nil, true
		}
		return pieceCells{lists, sheets}, nil
	}
	checked := false // the text that columns share
	for i := range lists {
		c := &lists[i]
		if c.forgotten {
			return pieceCells{}, errForgotten
		}
		c.values = slices.Clone(c.values) // its part of the sheet would keep all of that
		if c.isText() && !(c.shared && checked) {
			c.odd = !utf8.Valid(c.text)
			checked = checked || c.shared
		}
	}
	spareSheets.Put(&pieceSheets{values: sheets.values})
	return pieceCells{lists: lists}, nil
}

// newCellLists returns lists for the columns of a piece, whose text they keep.
func (t *table) newCellLists(rows *rowReader, sheets *pieceSheets) []Cells {
	rows.keep = true
	lists := make([]Cells, len(t.columns))
	if n := len(t.columns) * rows.lines; cap(sheets.values) < n {
		sheets.values = sliceOf[int64](t.options.Reserve(8 * n))
	}
	sheets.values = sheets.values[:cap(sheets.values)]
	for i := range lists {
		from := i * rows.lines
		lists[i] = Cells{text: rows.all, shared: rows.in == nil, values: sheets.values[from : from : from+rows.lines], kinds: allKinds}
		if t.options.Typed != nil {
			name := t.name(i)
			if !t.sure && !utf8.ValidString(name) { // see decideEncoding
				name = narrow(name)
			}
			if t.options.Typed[name] {
				lists[i].kinds = cellKinds{typed: true}
				lists[i].holdNothing()
			}
		}
	}
	return lists
}

// place gives lists room for the places of so many cells each.
func (s *pieceSheets) place(lists []Cells, lines int, reserve func(int) []byte) {
	if n := len(lists) * lines; cap(s.places) < n {
		s.places = sliceOf[[2]uint32](reserve(8 * n))
	}
	s.places = s.places[:cap(s.places)]
	for i := range lists {
		from := i * lines
		lists[i].at = append(s.places[from:from:from+lines], lists[i].at...)
	}
}

// areNumbers reports whether the cells so far are numbers and nothing else, and float64 has those that were last.
func areNumbers(lists []Cells) bool {
	for i := range lists {
		c := &lists[i]
		if !c.isNumber() || c.held > holdsFloats || c.kinds.whole && !c.isExactFrom(len(c.values)-1) {
			return false
		}
	}
	return true
}

// Len is how many cells there are.
func (c *Cells) Len() int {
	if c.held != holdsNothing {
		return len(c.values)
	}
	return len(c.at)
}

// isText reports whether the cells are nothing but text.
func (c *Cells) isText() bool {
	k := &c.kinds
	return k.typed || k.words || k.some && !k.number && !k.truth && !k.date
}

// isNumber reports whether they are numbers and nothing else.
func (c *Cells) isNumber() bool {
	k := &c.kinds
	return k.number && k.some && !k.truth && !k.date
}

// tellAll reports whether the values say all that any column would ask of its cells, but one of text. Of whole numbers
// with missing ones these are what float64 has: others would be text.
func (c *Cells) tellAll() bool {
	k := &c.kinds
	if k.some && k.number && k.date { // see DateFormat
		return false
	}
	switch c.held {
	case holdsGone:
		return !k.typed && !k.words
	case holdsTruths:
		return !k.gone
	case holdsDates:
		return true
	case holdsWhole:
		return !k.gone || c.isExact()
	case holdsFloats:
		return !k.whole || c.isExact()
	}
	return false
}

// tellAll reports whether all lists do.
func tellAll(lists []Cells) bool {
	for i := range lists {
		if !lists[i].tellAll() {
			return false
		}
	}
	return true
}

// isExact reports whether whole numbers are what float64 says.
func (c *Cells) isExact() bool {
	if c.exact == nil {
		is := c.isExactFrom(0)
		c.exact = &is
	}
	return *c.exact
}

// isExactFrom is isExact of the cells from one on.
func (c *Cells) isExactFrom(from int) bool {
	const largest = 1 << 53
	switch c.held {
	case holdsWhole:
		for _, v := range c.values[from:] {
			if uint64(v+largest-1) > 2*largest-2 && v != notHeld {
				return false
			}
		}
	case holdsFloats:
		for _, v := range floatsOf(c.values[from:]) {
			if math.Abs(v) >= largest {
				return false
			}
		}
	case holdsNothing:
		return false
	}
	return true
}

// floats sets numbers, which are NaN where they are missing.
func (c *Cells) floats(into []float64) {
	switch c.held {
	case holdsFloats:
		copy(into, floatsOf(c.values))
	default:
		for i, v := range c.values {
			if into[i] = float64(v); v == notHeld {
				into[i] = math.NaN()
			}
		}
	}
}

// whole sets whole numbers, which are 0 where they are missing.
func (c *Cells) whole(into []int64) {
	switch {
	case c.held == holdsFloats && c.kinds.gone:
		for i, v := range floatsOf(c.values) {
			if into[i] = int64(v); v != v {
				into[i] = 0
			}
		}
	case c.held == holdsFloats:
		for i, v := range floatsOf(c.values) {
			into[i] = int64(v)
		}
	case c.kinds.gone:
		for i, v := range c.values {
			if into[i] = v; v == notHeld {
				into[i] = 0
			}
		}
	default:
		copy(into, c.values)
	}
}

// truths sets bools, which are false where they are missing.
func (c *Cells) truths(into []uint8) {
	for i, v := range c.values {
		into[i] = bit(v == 1)
	}
}

// isGap reports whether a value is a missing one.
func (c *Cells) isGap(v int64) bool {
	if c.held == holdsFloats {
		return math.Float64frombits(uint64(v)) != math.Float64frombits(uint64(v))
	}
	return v == notHeld
}

// asFloats makes floats of the values so far, all of which are numbers or missing.
func (c *Cells) asFloats() {
	c.floats(floatsOf(c.values))
	c.held = holdsFloats
}

// hold appends a value of some kind, or drops all where they are of another.
func (c *Cells) hold(kind heldValues, v int64) {
	switch {
	case c.held == kind:
	case c.held == holdsGone && kind != holdsFloats:
		c.held = kind
	case c.held <= holdsFloats && kind == holdsFloats:
		c.asFloats()
	case c.held == holdsFloats && kind == holdsWhole:
		v = int64(math.Float64bits(float64(v)))
	default:
		c.holdNothing()
		return
	}
	c.values = append(c.values, v)
}

func (c *Cells) holdNothing() { c.held, c.values = holdsNothing, nil }

// holdGap appends a missing value.
func (c *Cells) holdGap() {
	switch c.held {
	case holdsNothing:
	case holdsFloats:
		c.values = append(c.values, gapBits)
	default:
		c.values = append(c.values, notHeld)
	}
}

// add appends a cell, a part of the text if that is shared.
func (c *Cells) add(f *Format, cell string, quoted bool) {
	from := len(c.text)
	switch {
	case c.shared && cell == "": // it may be no part of anything
		from = 0
	case c.shared:
		from = int(uintptr(unsafe.Pointer(unsafe.StringData(cell))) - uintptr(unsafe.Pointer(unsafe.SliceData(c.text))))
	default:
		c.text = append(c.text, cell...)
	}
	mark := uint32(0)
	if quoted {
		mark = inQuotes
	}
	c.at = append(c.at, [2]uint32{uint32(from) | mark, uint32(from + len(cell))})
	if !c.kinds.typed {
		c.see(f, cell, quoted)
	}
}

// Cell is one of them, and whether it stands in quotes; it shares the list's memory.
func (c *Cells) Cell(i int) (cell string, quoted bool) {
	if c.forgotten { // all are missing, or the text would be there
		return "", false
	}
	at := c.at[i]
	from := at[0] &^ inQuotes
	if cell = textOf(c.text[from:at[1]]); c.narrow {
		cell = narrow(cell)
	}
	return cell, from != at[0]
}

// cellKinds says what the cells of a column can be read as.
type cellKinds struct {
	number, truth, date, some bool
	unit                      calendar.Unit
	whole                     bool // all numbers are a sign and digits
	negative, beyond          bool // some are below zero, or beyond int64
	huge                      bool // some are beyond 64 bits
	gone                      bool // some cells are missing
	words                     bool // some of these are words in quotes, which are text in a column of text
	typed                     bool // the dtype is given, and nothing else is known
}

// allKinds are those of no cells.
var allKinds = cellKinds{whole: true, number: true, truth: true, date: true, unit: calendar.Day}

// and adds what another piece of the column is.
func (k *cellKinds) and(o cellKinds) {
	k.number, k.truth, k.date, k.whole = k.number && o.number, k.truth && o.truth, k.date && o.date, k.whole && o.whole
	k.some, k.negative, k.beyond, k.huge = k.some || o.some, k.negative || o.negative, k.beyond || o.beyond, k.huge || o.huge
	k.gone, k.words, k.typed, k.unit = k.gone || o.gone, k.words || o.words, k.typed || o.typed, max(k.unit, o.unit)
}

// see takes a cell into account.
func (c *Cells) see(f *Format, cell string, quoted bool) {
	k := &c.kinds
	if f.IsMissing(cell) {
		k.gone, k.words = true, k.words || quoted && cell != ""
		c.holdGap()
		return
	}
	first := !k.some
	k.some = true
	isNumber, truth, day := k.number, false, int64(0)
	if k.number {
		k.number = c.seeNumber(f, cell)
	}
	isNumber = isNumber && k.number
	if k.whole = k.whole && k.number; k.truth {
		truth, k.truth = Truth(cell)
	}
	sameUnit := false
	if k.date {
		v, u, ok := f.Date(cell)
		sameUnit = first && u >= k.unit || u == k.unit
		day, k.date, k.unit = v, ok, max(k.unit, u)
	}
	switch {
	case isNumber:
	case k.truth:
		c.hold(holdsTruths, int64(bit(truth)))
	case k.date && sameUnit:
		c.hold(holdsDates, day)
	default:
		c.holdNothing()
	}
}

// seeNumber takes a cell into account where all so far are numbers, and reports whether it is one.
func (c *Cells) seeNumber(f *Format, cell string) bool {
	k := &c.kinds
	v, ok := f.Number(cell)
	if !ok {
		return false
	}
	if k.whole {
		digits, _ := f.Spelled(cell)
		if k.whole = IsWhole(digits); k.whole {
			k.negative = k.negative || digits[0] == '-'
			n, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				k.seeLong(digits)
			} else if n != notHeld && (n != 0 || digits[0] != '-') { // nor is there a zero below zero
				c.hold(holdsWhole, n)
				return true
			}
		}
	}
	c.hold(holdsFloats, int64(math.Float64bits(v)))
	return true
}

// seeLong takes digits into account that are beyond int64.
func (k *cellKinds) seeLong(digits string) {
	k.beyond = true
	if _, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64); err != nil {
		k.huge = true
	}
}
