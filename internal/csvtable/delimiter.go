package csvtable

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// otherDelimiters are those that are found where commas separate nothing. A space is not: texts of two words have it.
var otherDelimiters = []rune{'\t', ';', '|'}

// findDelimiter decides what separates cells where [Delimiter] does not say it. It is a comma, unless the first rows
// have not all as many cells by commas, or one, and by another delimiter they have: then it is the one with the most.
func (t *table) findDelimiter() {
	text, isAll := t.sampleText()
	first, _, _ := bytes.Cut(text, []byte("\n"))
	hasComma := bytes.IndexByte(first, ',') >= 0
	if isComma := t.options.Point != ','; isComma && hasComma && !bytes.ContainsAny(first, string(otherDelimiters)) {
		return
	} else if isComma {
		if n := t.evenCells(text, isAll, ','); n > 1 || n == 0 && t.options.Ragged != RaggedRefused {
			return
		}
	}
	most, best := 1, rune(0)
	for _, r := range otherDelimiters {
		if r == t.options.Quote || strings.HasPrefix(t.rows.comment, string(r)) {
			continue
		}
		if n := t.evenCells(text, isAll, r); n > most {
			most, best = n, r
		}
	}
	if best != 0 {
		t.options.Delimiter, t.rows.comma = best, best
		t.report.Notes = append(t.report.Notes, fmt.Sprintf("cells are separated by %q, of which each row has as many, and not by commas: Delimiter(%q) says so, Delimiter(',') reads it otherwise", best, best))
	}
}

// sampleText is text to look at before it is read: whole lines, if there is more of it.
func (t *table) sampleText() (text []byte, isAll bool) {
	text, err := t.rows.in.Peek(sampleBytes)
	if err == nil {
		text = text[:max(bytes.LastIndexByte(text, '\n'), bytes.LastIndexByte(text, '\r'))+1]
	}
	return text, err != nil
}

// evenCells returns how many cells the rows of a sample have by a delimiter, or 0 where they have not all as many.
func (t *table) evenCells(text []byte, isAll bool, comma rune) int {
	d := t.rows.dialect
	d.comma, d.ragged, d.skipped = comma, RaggedRefused, new(atomic.Int64)
	rows := &rowReader{in: bufio.NewReader(bytes.NewReader(text)), dialect: d}
	for range sampledRows {
		switch _, err := rows.next(); {
		case err == io.EOF:
			return rows.width
		case err != nil && !isAll && rows.cutOff: // in quotes, where the sample ends
			return rows.width
		case err != nil:
			return 0
		}
	}
	return rows.width
}
