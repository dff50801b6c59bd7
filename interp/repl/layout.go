package repl

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"src.elv.sh/pkg/ui"
)

// wrap breaks lines that are longer than a width between words. The rest of a line stands below the second column of a
// table's row, else below the line's beginning. Colours have no width.
func wrap(text string, width int) string {
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
			n := utf8.RuneCountInString(escapes.ReplaceAllString(word, ""))
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
var secondColumn = regexp.MustCompile(`^ *(\S.*?  +)?`)

// reflow fills the paragraphs of a comment up to a width. What is indented is code or a list, and stays as it is.
func reflow(text string, width int) string {
	var b strings.Builder
	open := false // the last line ends without a line's end, for the next to join it
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		prose := line != "" && line[0] != ' ' && line[0] != '\t'
		switch {
		case open && prose:
			b.WriteByte(' ')
		case open:
			b.WriteByte('\n')
		}
		b.WriteString(line)
		if open = prose; !prose {
			b.WriteByte('\n')
		}
	}
	return wrap(strings.TrimRight(b.String(), "\n"), width)
}

// described lays out what is known of a name: a declaration in colours, and behind a blank line its comment.
func described(text string, width int) ui.Text {
	declaration, comment, _ := strings.Cut(spaces(text), "\n\n")
	out := highlight(wrap(declaration, width))
	if comment != "" {
		out = ui.Concat(out, ui.T("\n\n"+reflow(comment, width)))
	}
	return out
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// height is how many lines a text takes in a terminal.
func height(text string, columns int) (lines int) {
	for line := range strings.Lines(escapes.ReplaceAllString(text, "")) {
		lines += 1 + max(0, utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))-1)/columns
	}
	return lines
}
