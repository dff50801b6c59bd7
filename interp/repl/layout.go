package repl

import (
	"strings"
	"unicode/utf8"

	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

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
	return display.Wrap(strings.TrimRight(b.String(), "\n"), width)
}

// described lays out what is known of a name: a declaration in colours, and behind a blank line its comment.
func described(text string, width int) ui.Text {
	declaration, comment, _ := strings.Cut(spaces(text), "\n\n")
	out := highlight(display.Wrap(declaration, width))
	if comment != "" {
		out = ui.Concat(out, ui.T("\n\n"+reflow(comment, width)))
	}
	return out
}

// height is how many lines a text takes in a terminal.
func height(text string, columns int) (lines int) {
	for line := range strings.Lines(display.Plain(text)) {
		lines += 1 + max(0, utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))-1)/columns
	}
	return lines
}
