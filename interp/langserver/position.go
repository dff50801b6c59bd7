package langserver

import (
	"sort"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// lines finds positions as the protocol has them, a line and a column of UTF-16 units, both from 0, in a text.
type lines struct {
	text   string
	starts []int
}

func linesOf(text string) lines { return lines{text, syntax.LineStarts(text)} }

// offset is the byte offset of a position. A position beyond a line's end is the end of the line, as the protocol says.
func (l lines) offset(line, column int) int {
	if line < 0 {
		return 0
	}
	if line >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.starts[line], len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1] - 1
	}
	for column > 0 && at < end {
		r, n := utf8.DecodeRuneInString(l.text[at:end])
		at, column = at+n, column-units(r)
	}
	return at
}

// position is the line and the column of a byte offset.
func (l lines) position(at int) (line, column int) {
	line = sort.SearchInts(l.starts, at+1) - 1
	for _, r := range l.text[l.starts[line]:at] {
		column += units(r)
	}
	return line, column
}

// units is how many UTF-16 units a character has.
func units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
