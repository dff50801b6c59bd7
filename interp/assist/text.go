package assist

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// room is how many bytes are parsed to answer a question, beside some times the length of its text.
const room = 1 << 20

// begin begins the answer of a question about src. It returns what ends it.
func (a *Assistant) begin(src string) (end func()) {
	a.left = room + 6*len(src)
	return a.end
}

// end takes back what the last analysed text did to types of earlier cells: methods that it declares on them exist
// until then.
func (a *Assistant) end() {
	if a.text != nil {
		a.text.Undo()
		a.text = nil
	}
}

// parses reports whether text is a cell without syntax errors. When as much has been parsed for one question as it may
// take, no text is.
func (a *Assistant) parses(text string) bool {
	if a.left -= len(text); a.left < 0 {
		return false
	}
	return a.Parse(text)
}

// analyse analyses a text in the place of the one before.
func (a *Assistant) analyse(text string, cursor int) *Text {
	a.end()
	a.text = a.Analyse(text, cursor)
	return a.text
}

// probeWhole checks a text that is a whole cell; nil when its syntax has errors.
func (a *Assistant) probeWhole(src string) *Text {
	if !a.parses(src) {
		return nil
	}
	return a.analyse(src, len(src))
}

// probeAt checks the text before a cursor, which may stop anywhere, and the declarations after it. Lines with other
// syntax errors count as blank. Offsets in before are kept. It returns nil when nothing can be made of the text.
func (a *Assistant) probeAt(before, after string) *Text {
	p := look(before)
	for n := 0; p.stray >= 0 && n < 20; n++ {
		before = blank(before, p.stray, p.stray+1)
		p = look(before)
	}
	tail, ok := p.repair(before, a.parses)
	if !ok { // the statement is broken further up: its last line alone
		from := strings.LastIndexByte(before, '\n') + 1
		before = blank(before, p.levels[0].start, from)
		p = look(before)
		if tail, ok = p.repair(before, a.parses); !ok {
			return nil
		}
	}
	return a.analyse(before+tail+"\n"+a.declarations(after), len(before))
}

// declarations returns the functions, types and constants that begin at the lines of a text, those that parse.
func (a *Assistant) declarations(text string) string {
	var out, chunk strings.Builder
	flush := func() {
		if chunk.Len() > 0 && a.parses(chunk.String()) {
			out.WriteString(chunk.String())
		}
		chunk.Reset()
	}
	for line := range strings.Lines(text) {
		first, _, _ := strings.Cut(line, " ")
		switch {
		case first == "func" || first == "type" || first == "const":
			flush()
			chunk.WriteString(line)
		case chunk.Len() == 0:
		case line[0] == ' ' || line[0] == '\t' || line[0] == '}' || line[0] == ')' || line[0] == '\n':
			chunk.WriteString(line)
		default:
			flush()
		}
	}
	flush()
	return out.String()
}

// blank replaces text[from:to] by spaces, lines kept.
func blank(text string, from, to int) string {
	b := []byte(text)
	syntax.Blank(b, from, to)
	return string(b)
}
