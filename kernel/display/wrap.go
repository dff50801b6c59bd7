package display

import (
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// Wrapped is a text whose lines fit the terminal in front of the session, where there is one; see [Wrap].
func Wrapped(text string) string {
	columns := CurrentScreen().Columns
	if columns <= 0 {
		return text
	}
	return Wrap(text, columns)
}

// Wrap breaks lines that are longer than a width between words. The rest of a line stands below the second column of a
// table's row, else below the line's beginning. Colours have no width.
func Wrap(text string, width int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString("\n")
		}
		margin := ""
		if m := secondColumn.FindString(line); utf8.RuneCountInString(m) <= width/2 {
			margin = strings.Repeat(" ", utf8.RuneCountInString(m))
		}
		col := 0
		for j, word := range strings.Split(line, " ") {
			n := utf8.RuneCountInString(Plain(word))
			switch {
			case j > 0 && col+1+n > width && col > len(margin):
				b.WriteString("\n" + margin)
				col = len(margin)
			case j > 0:
				b.WriteString(" ")
				col++
			}
			b.WriteString(word)
			col += n
		}
	}
	return b.String()
}

// secondColumn is what stands before the second column of a table's row, or before a line's first word.
var secondColumn = lazyregexp.New(`^ *(\S.*?  +)?`)

// escapes are the sequences that colour a terminal's text.
var escapes = lazyregexp.New("\x1b\\[[0-9;]*m")

// Plain is text without the sequences that colour it in a terminal.
func Plain(text string) string { return escapes.ReplaceAllString(text, "") }
