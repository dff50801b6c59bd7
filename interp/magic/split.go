package magic

import (
	"cmp"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// part is a run of a cell's text that is either Go or one magic.
type part struct {
	magic      *magicText // nil for Go
	text       string     // of Go
	line       int        // of its beginning, from 1
	start, end int        // byte offsets in the cell
}

// magicText is a magic as it stands in a cell.
type magicText struct {
	name      string // as in the table: "%time", "%%time", "!", "?", ":"
	arg       string
	body      string // of a %% magic
	column    int    // of the name in code points, from 1
	argColumn int
	argStart  int  // byte offset of arg in the cell
	misplaced bool // %%name not in the first line
	more      bool // ?? instead of ?
}

var (
	sigils   = "%!$?:"
	question = lazyregexp.New(`^\s*([\pL_][\pL\pN_.]*)\s*\?\??\s*$`)
)

// split cuts a cell into its parts. A magic begins a line where a Go statement could begin: not in brackets, raw
// strings and comments, nor after an operator. Declared tells the session's own names: !done is Go when done is one of
// them.
func split(src string, declared func(string) bool) []part {
	if m, ok := cellMagic(src); ok {
		return []part{m}
	}
	if !mayHoldMagics(src) {
		return []part{{text: src, line: 1, end: len(src)}}
	}
	var parts []part
	line, counted := 1, 0 // the line of the offset counted
	add := func(p part) {
		line += strings.Count(src[counted:p.start], "\n")
		counted, p.line = p.start, line
		parts = append(parts, p)
	}
	addGo := func(from, to int) {
		if hasTokens(src[from:to]) || len(parts) == 0 && to == len(src) {
			add(part{text: src[from:to], start: from, end: to})
		}
	}
	text := []byte(src)
	for pos := 0; pos < len(src); {
		at := nextMagic(text, src, pos, declared)
		if at < 0 {
			addGo(pos, len(src))
			break
		}
		addGo(pos, at)
		m := lineMagic(src, at)
		add(m)
		pos = m.end
	}
	return parts
}

// mayHoldMagics is a quick look, true too often.
func mayHoldMagics(src string) bool {
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if line != "" && (strings.HasPrefix(line, commentPrefix) || strings.ContainsRune(sigils, rune(line[0])) || line[len(line)-1] == '?') {
			return true
		}
	}
	return false
}

// commentPrefix hides a magic from tools that read Go: //gonb:%args -n=3, as in notebooks of GoNB.
const commentPrefix = "//gonb:"

// commentMagic returns how many bytes stand before the sigil of a magic that a line hides in a comment, 0 when it hides
// none.
func commentMagic(line string) int {
	text := strings.TrimLeft(line, " \t")
	rest, ok := strings.CutPrefix(text, commentPrefix)
	if rest = strings.TrimLeft(rest, " \t"); !ok || rest == "" || rest[0] != '%' && rest[0] != '!' {
		return 0
	}
	return len(line) - len(rest)
}

// isMagic reports whether a line that stands where a statement may begin is a magic rather than Go.
func isMagic(line string, declared func(string) bool) bool {
	line = strings.TrimSpace(line)
	if line == "" { // a character that is neither Go nor visible
		return false
	}
	switch line[0] {
	case '%', '$', '?', ':':
		return true
	case '!':
		return !isNegation(line, declared)
	}
	return false
}

// isNegation reports whether a line that begins with an exclamation mark is a Go expression: of a name that is
// declared, of an expression in brackets, or of a constant.
func isNegation(line string, declared func(string) bool) bool {
	if _, err := parser.ParseExpr(line); err != nil {
		return false
	}
	rest := strings.TrimLeft(line, "!")
	if rest == "" || unicode.IsSpace(rune(rest[0])) {
		return false
	}
	if rest[0] == '(' {
		return true
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	return name == "true" || name == "false" || name == "_" || declared(name) || strings.HasPrefix(rest[end:], ".") || strings.HasPrefix(rest[end:], "(")
}

// lineMagic reads the magic in the line at offset at, all but the number of its line. A backslash at the end of a line
// continues it.
func lineMagic(src string, at int) part {
	end := at
	for {
		i := strings.IndexByte(src[end:], '\n')
		if i < 0 {
			end = len(src)
			break
		}
		end += i + 1
		if !continued(src[at : end-1]) {
			break
		}
	}
	text := strings.TrimRight(src[at:end], "\r\n")
	if m := question.FindStringSubmatchIndex(text); m != nil {
		return part{start: at, end: end, magic: &magicText{
			name: "?", more: strings.Contains(text, "??"), arg: text[m[2]:m[3]], column: utf8.RuneCountInString(text[:m[2]]) + 1, argColumn: utf8.RuneCountInString(text[:m[2]]) + 1, argStart: at + m[2],
		}}
	}
	lead := cmp.Or(commentMagic(text), len(text)-len(strings.TrimLeftFunc(text, unicode.IsSpace)))
	m := magicOf(text[lead:])
	m.misplaced = strings.HasPrefix(m.name, mainCell) && m.name != mainCell
	m.place(text, lead, at)
	if m.name == mainCell || m.name == mainWord {
		m.body = src[end:]
		end = len(src)
	}
	if m.name != "!" { // the shell knows such lines itself
		m.arg = strings.ReplaceAll(strings.ReplaceAll(m.arg, "\\\r\n", "\n"), "\\\n", "\n")
	}
	if strings.HasPrefix(m.name, "%") && m.name != "%" && strings.HasSuffix(m.name, "?") { // %time?
		m.name, m.arg = "?", strings.TrimRight(m.name, "?")
		m.argStart = at + lead
	}
	return part{start: at, end: end, magic: m}
}

func continued(line string) bool { return strings.HasSuffix(strings.TrimRight(line, "\r"), "\\") }

// cellMagic reads a cell whose first line that is not blank begins with %%.
func cellMagic(src string) (part, bool) {
	lead := len(src) - len(strings.TrimLeftFunc(src, unicode.IsSpace))
	lead += commentMagic(src[lead:])
	if !strings.HasPrefix(src[lead:], "%%") {
		return part{}, false
	}
	at := strings.LastIndexByte(src[:lead], '\n') + 1
	first, body, _ := strings.Cut(src[at:], "\n")
	first = strings.TrimRight(first, "\r")
	m := magicOf(first[lead-at:])
	m.body = body
	m.place(first, lead-at, at)
	if strings.HasSuffix(m.name, "?") && strings.TrimSpace(body) == "" {
		m.name, m.arg = "?", strings.TrimRight(m.name, "?")
		m.argStart = lead
	}
	return part{line: lineAt(src, at), start: at, end: len(src), magic: m}, true
}

// magicOf splits a magic's line, which begins with its sigil, into name and argument.
func magicOf(text string) *magicText {
	switch text[0] {
	case '!', '$':
		return &magicText{name: "!", arg: strings.TrimSpace(text[1:])}
	case '?':
		return &magicText{name: "?", more: strings.Contains(text, "??"), arg: strings.TrimSpace(strings.Trim(text, "? "))}
	case ':':
		return &magicText{name: ":", arg: strings.TrimSpace(text[1:])}
	}
	name := text
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		name = text[:i]
	}
	return &magicText{name: name, arg: strings.TrimSpace(text[len(name):])}
}

// place finds where name and argument stand: text is the line at offset at, and the sigil stands at lead in it.
func (m *magicText) place(text string, lead, at int) {
	m.column = utf8.RuneCountInString(text[:lead]) + 1
	arg := len(text)
	if m.arg != "" {
		if m.name == "?" {
			arg = lead + strings.Index(text[lead:], m.arg)
		} else {
			arg = len(strings.TrimRightFunc(text, unicode.IsSpace)) - len(m.arg)
		}
	}
	m.argColumn = utf8.RuneCountInString(text[:arg]) + 1
	m.argStart = at + arg
}

func hasTokens(src string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	_, tok, _ := sc.Scan()
	return tok != token.EOF
}

// lineAt returns the line of a byte offset, from 1.
func lineAt(src string, off int) int { return strings.Count(src[:off], "\n") + 1 }
