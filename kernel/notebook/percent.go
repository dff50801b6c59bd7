package notebook

import (
	"encoding/json"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// The percent format of Jupytext (https://jupytext.readthedocs.io/en/latest/formats-scripts.html) writes a notebook
// as a Go file: a line "// %%" begins a cell, which may have a title, a type and metadata behind it. What is not Go
// is in comments: the text of Markdown and raw cells, magics, and cells in another language.
var (
	percentMark   = lazyregexp.New(`^\s*//\s*%%(?:%*\s(.*)|\s*)$`)
	percentOption = lazyregexp.New(`(?:^|\s)([A-Za-z_][\w.-]*)\s*=\s*`)
	// What Jupytext takes for a magic of a Go notebook, with one comment more than the notebook has; and what is one
	// in a file that it did not write, where a comment may begin with "!" or "%d".
	percentMagic = lazyregexp.New(`^(?:// |//)+(?:!\*|!|%{1,3})[a-zA-Z]`)
	handMagic    = lazyregexp.New(`^// ?%{1,2}[a-zA-Z]{2}`)
	notEscaped   = lazyregexp.New(`//\s*noescape`)
)

// IsPercent reports whether a text is a notebook in the percent format: it has a cell's mark before its first line
// that is neither empty nor a comment, or two of them.
func IsPercent(src string) bool {
	marks, code := 0, false
	for line := range strings.Lines(src) {
		line = strings.TrimRight(line, "\r\n")
		if percentMark.MatchString(line) {
			if marks++; !code || marks == 2 {
				return true
			}
			continue
		}
		code = code || strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "//")
	}
	return false
}

// ParsePercent reads a notebook in the percent format. What stands before the first mark is a cell too, but for the
// header, from which nothing is taken. Where Jupytext's header is, its rules hold to the letter: it does not look for
// raw strings, so that lines in them that look like magics, or marks, are read as it wrote them.
func ParsePercent(src string) *Notebook {
	lines := strings.Split(strings.ReplaceAll(src, "\r\n", "\n"), "\n")
	if strings.HasSuffix(src, "\n") {
		lines = lines[:len(lines)-1]
	}
	body := afterHeader(lines)
	magics, quote := handMagic, goQuote{}
	if len(body) < len(lines) {
		magics, quote = percentMagic, goQuote{none: true}
	}
	lines = body
	nb, text := &Notebook{Metadata: map[string]any{}}, quote
	begin, mark := 0, ""
	cell := func(end int, marked bool) {
		body := lines[begin:end]
		for len(body) > 0 && strings.TrimSpace(body[len(body)-1]) == "" {
			body = body[:len(body)-1]
		}
		if marked || len(body) > 0 {
			nb.Cells = append(nb.Cells, percentCell(mark, body, magics, quote))
		}
	}
	marked := false
	for i, line := range lines {
		if !text.raw && percentMark.MatchString(line) {
			cell(i, marked)
			begin, mark, marked, text = i+1, percentMark.FindStringSubmatch(line)[1], true, quote
			continue
		}
		text.read(line)
	}
	cell(len(lines), marked)
	return nb
}

// afterHeader leaves out Jupytext's header: YAML between two lines "// ---", before which the encoding may stand.
func afterHeader(lines []string) []string {
	const fence = "// ---"
	from := 0
	if len(lines) > 0 && strings.HasPrefix(lines[0], "// -*- coding:") {
		from = 1
	}
	for i, line := range lines[from:] {
		line = strings.TrimRight(line, " ")
		switch {
		case i == 0 && line != fence || !strings.HasPrefix(line, "//"):
			return lines
		case i > 0 && line == fence:
			return lines[from+i+1:]
		}
	}
	return lines
}

// percentCell makes a cell of its mark's options and its lines, in which comments that match are magics.
func percentCell(mark string, lines []string, magics *lazyregexp.Regexp, quote goQuote) *Cell {
	title, options := percentOptions(mark)
	c := &Cell{Type: "code", Metadata: options}
	for _, typ := range []struct{ mark, name string }{{"[markdown]", "markdown"}, {"[md]", "markdown"}, {"[raw]", "raw"}} {
		if strings.Contains(title, typ.mark) {
			c.Type = typ.name
		}
	}
	language, _ := options["language"].(string)
	out := make([]string, 0, len(lines)+1)
	switch {
	case c.Type != "code":
		for _, line := range lines {
			if line = uncommented(line); quote.none && magics.MatchString(line) { // Jupytext comments it twice
				line = uncommented(line)
			}
			out = append(out, line)
		}
	case language != "" && language != "go":
		magic := "%%" + language
		if args, _ := options["magic_args"].(string); args != "" {
			magic += " " + args
		}
		delete(options, "language")
		delete(options, "magic_args")
		out = append(out, magic)
		for _, line := range lines {
			out = append(out, uncommented(line))
		}
	default:
		for _, line := range lines {
			if !quote.raw && magics.MatchString(line) && !notEscaped.MatchString(line) {
				line = uncommented(line)
			}
			quote.read(line)
			out = append(out, line)
		}
	}
	c.Source = strings.Join(out, "\n")
	return c
}

// uncommented takes one comment's mark from a line, and a blank behind it.
func uncommented(line string) string {
	rest := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(rest)]
	if after, ok := strings.CutPrefix(rest, "// "); ok {
		return indent + after
	}
	return indent + strings.TrimPrefix(rest, "//")
}

// percentOptions takes a mark's title and options apart: key=value with values as JSON has them, or one JSON object.
func percentOptions(mark string) (title string, options map[string]any) {
	options = map[string]any{}
	if at := strings.IndexByte(mark, '{'); at >= 0 && !strings.Contains(mark[:at], "=") {
		if json.Unmarshal([]byte(mark[at:]), &options) == nil {
			return strings.TrimSpace(mark[:at]), options
		}
	}
	title = mark
	for rest, first := mark, true; ; first = false {
		m := percentOption.FindStringSubmatchIndex(rest)
		if m == nil {
			return title, options
		}
		if first {
			title = rest[:m[0]]
		}
		key, text := rest[m[2]:m[3]], rest[m[1]:]
		var value any
		d := json.NewDecoder(strings.NewReader(text))
		if d.Decode(&value) == nil {
			options[key], rest = value, text[d.InputOffset():]
			continue
		}
		word, after, _ := strings.Cut(text, " ") // as a person writes it: language=bash
		if quoted, rest, ok := strings.Cut(strings.TrimPrefix(text, "'"), "'"); ok && strings.HasPrefix(text, "'") {
			word, after = quoted, rest
		}
		options[key], rest = word, " "+after
	}
}

// goQuote follows whether a line begins inside of a raw string; none takes no notice of them.
type goQuote struct{ raw, none bool }

// read takes one line. Quotes in comments and in other literals do not count.
func (q *goQuote) read(line string) {
	for i := 0; !q.none && i < len(line); i++ {
		switch c := line[i]; {
		case q.raw:
			q.raw = c != '`'
		case c == '`':
			q.raw = true
		case c == '/' && strings.HasPrefix(line[i:], "//"):
			return
		case c == '"' || c == '\'':
			for i++; i < len(line) && line[i] != c; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		}
	}
}
