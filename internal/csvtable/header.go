package csvtable

import (
	"bufio"
	"bytes"
	"slices"
	"strconv"
	"sync/atomic"
)

// sampleBytes is how much of the text below the first row is looked at to find out whether that is a header.
const sampleBytes = 1 << 16

// cellType is what one cell can be read as.
type cellType int

const (
	isGone cellType = iota
	isWord
	isWholeNumber
	isNumber
	isTruth
	isDate
)

func (f *Format) typeOf(cell string) cellType {
	if f.IsMissing(cell) {
		return isGone
	}
	if _, ok := f.Number(cell); ok {
		if text, _ := f.Spelled(cell); IsWhole(text) {
			return isWholeNumber
		}
		return isNumber
	}
	if _, ok := Truth(cell); ok {
		return isTruth
	}
	if _, _, ok := f.Date(cell); ok {
		return isDate
	}
	return isWord
}

// sampledRows is how many rows are looked at, so few that a byte counts them: there may be a million columns.
const sampledRows = 100

// sampledColumn counts the cells of a column below the first row.
type sampledColumn struct {
	types    [isDate + 1]uint8 // how many cells are of each; no more than sampledRows are looked at
	there    uint8             // cells that are not missing
	quoted   uint8             // of those that are not words
	years    uint8
	recurs   bool // the first row's cell is here once more
	sequence bool // they are 0, 1, 2...
}

// isTyped reports whether all are numbers, bools or dates.
func (c *sampledColumn) isTyped() bool { return c.there > 0 && c.types[isWord] == 0 }

// has reports whether cells are of the kind t: numbers are, whole or not.
func (c *sampledColumn) has(t cellType) bool {
	if t == isWholeNumber || t == isNumber {
		return c.types[isWholeNumber] > 0 || c.types[isNumber] > 0
	}
	return c.types[t] > 0
}

func isYear(cell string) bool {
	return len(cell) == 4 && IsWhole(cell) && (cell[0] == '1' || cell[0] == '2')
}

// sample counts the cells below the first row, which has been read.
func (t *table) sample(first []string) (columns []sampledColumn, rows int) {
	columns = make([]sampledColumn, len(first))
	for i := range columns {
		columns[i].sequence = true
	}
	text, _ := t.sampleText()
	below := &rowReader{in: bufio.NewReader(bytes.NewReader(text)), dialect: t.rows.dialect, width: len(first)}
	below.ragged, below.skipped = RaggedSkipped, new(atomic.Int64)
	for rows < sampledRows {
		row, err := below.next()
		if err != nil {
			return columns, rows
		}
		for i, cell := range row {
			c, kind := &columns[i], t.format.typeOf(cell)
			c.types[kind]++
			if kind != isGone {
				c.there++
				c.recurs = c.recurs || cell == first[i]
				if below.quoted != nil && below.quoted[i] && kind != isWord {
					c.quoted++
				}
				if isYear(cell) {
					c.years++
				}
			}
			c.sequence = c.sequence && cell == strconv.Itoa(rows)
		}
		rows++
	}
	return columns, rows
}

// isHeader decides about the first row, by the types of the columns below it; see [Header].
func (t *table) isHeader(first []string) bool {
	if said := t.options.Header; said != nil {
		t.report.Header, t.report.Why = *said, "Header says so"
		return *said
	}
	quoted := t.rows.quoted
	columns, rows := t.sample(first)
	types := make([]cellType, len(first))
	words, typed := 0, 0
	for i, cell := range first {
		types[i] = t.format.typeOf(cell)
		// quotes make names of numbers, where numbers have none
		if c := &columns[i]; quoted != nil && quoted[i] && (c.quoted == 0 || c.quoted*2 <= c.there) {
			types[i] = isWord
		}
		switch {
		case types[i] == isWord:
			words++
		case types[i] != isGone:
			typed++
		}
	}
	header, doubtful, why := decideHeader(first, types, columns, words, typed, rows)
	t.report.Header, t.report.Doubtful, t.report.Why = header, doubtful, why
	return header
}

// decideHeader is isHeader of a row with so many words and so many numbers, bools and dates.
func decideHeader(first []string, types []cellType, columns []sampledColumn, words, typed, rows int) (header, doubtful bool, why string) {
	if typed == 0 {
		return words > 0, false, "none of its cells is a number, bool or date"
	}
	for i, c := range columns {
		switch {
		case types[i] == isWord && c.isTyped():
			return true, true, "a word stands above a column of numbers, bools or dates"
		case types[i] > isWord && c.types[isWord] >= 2 && !slices.ContainsFunc(c.types[isWholeNumber:], func(n uint8) bool { return n > 0 }):
			return true, true, "a number stands above a column of words"
		case types[i] > isWord && c.isTyped() && !c.has(types[i]):
			return true, true, "a number, bool or date stands above a column of others of these"
		}
	}
	if words > 0 && areLabels(first, types, columns, rows) {
		return true, true, "its numbers look like names, beside words: years, numbers in a row, or whole ones above others"
	}
	if types[0] == isGone && len(first) > 1 && columns[0].there > 0 && columns[0].types[isGone] == 0 && (columns[0].sequence || columns[0].isWords()) {
		index := true
		for i, cell := range first[1:] {
			index = index && cell == strconv.Itoa(i)
		}
		if index {
			return true, true, "its cells are an empty one and 0, 1, 2… above an index, as pandas writes them"
		}
	}
	return false, words > 0, "its cells are of the types that the columns have"
}

// isWords reports whether all are words.
func (c *sampledColumn) isWords() bool { return c.there > 0 && c.types[isWord] == c.there }

// areLabels reports whether numbers of the first row, which has words too, are names: all of them years above columns
// that have other numbers; three or more that follow each other; or whole ones above numbers that are not.
func areLabels(first []string, types []cellType, columns []sampledColumn, rows int) bool {
	seen := map[string]bool{}
	years, others, whole, fractions := true, rows == 0, true, rows > 1
	var numbers []int
	for i, c := range columns {
		if seen[first[i]] || types[i] == isWord && c.recurs {
			return false // of a header no two are the same, and none is a value
		}
		seen[first[i]] = true
		if types[i] <= isWord {
			continue
		}
		if types[i] != isWholeNumber || c.recurs {
			return false
		}
		n, err := strconv.Atoi(first[i])
		whole = whole && err == nil
		numbers = append(numbers, n)
		years = years && isYear(first[i])
		others = others || c.there > c.years
		fractions = fractions && c.types[isNumber] > 0 && c.types[isWholeNumber] == 0
	}
	follow := len(numbers) >= 3
	for i := range numbers[1:] {
		follow = follow && numbers[i+1] == numbers[i]+1
	}
	return whole && (years && others || follow || fractions)
}
