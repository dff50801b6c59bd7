package langserver

import (
	"go/scanner"
	"go/token"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// mark stands between a name and the number of its declaration, where a later cell declares the name again. It is a
// letter for Go, and no name that a person types has it.
const mark = "ˑ"

// Names is what a document must know of the session that its cells are for.
type Names struct {
	// Imports are the packages that cells may use without importing them, paths by names.
	Imports map[string]string
	// Types says of each cell which types its top-level variables have, as Go writes them with the names of
	// Imports. Cells that do not compile have none. It may be nil.
	Types func(cells []string) []map[string]string
}

// Document is the text of a notebook's cells and the Go file that is made of it: variables of cells are package
// variables, statements are bodies of functions, and a name that several cells declare is a name for each, of which the
// last keeps its own.
type Document struct {
	cells, file lines
	segments    []segment // in the order of the file
	byCells     []segment // in the order of the cells
}

// segment says that n bytes from at in the file are those from from in the cells.
type segment struct{ at, from, n int }

// NewDocument makes a Go file of the text of cells. Any text will do: what is being typed is seldom Go.
func NewDocument(text string, names Names) *Document {
	w := &writer{src: text, names: names, want: map[string]string{}}
	w.read()
	w.number()
	w.write()
	d := &Document{cells: linesOf(text), file: linesOf(w.out.String()), segments: w.segments}
	d.byCells = slices.SortedStableFunc(slices.Values(w.segments), func(a, b segment) int { return a.from - b.from })
	return d
}

// File is the Go file.
func (d *Document) File() string { return d.file.text }

// ToFile maps a position in the cells to one in the file.
func (d *Document) ToFile(line, column int) (int, int) {
	off := d.cells.offset(line, column)
	i := sort.Search(len(d.byCells), func(i int) bool { return d.byCells[i].from+d.byCells[i].n >= off })
	if len(d.byCells) == 0 {
		return d.file.position(len(d.file.text))
	}
	s := d.byCells[min(i, len(d.byCells)-1)]
	if off == s.from+s.n && i+1 < len(d.byCells) && d.byCells[i+1].from == off && nameBegins(d.cells.text[off:]) {
		s = d.byCells[i+1] // what is added before a name is not the name
	}
	return d.file.position(s.at + min(max(off-s.from, 0), s.n))
}

// nameBegins reports whether a text begins with a letter.
func nameBegins(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r == '_' || unicode.IsLetter(r)
}

// ToCells maps a position in the file to one in the cells, and says whether it lies in what is the cells' own.
func (d *Document) ToCells(line, column int) (int, int, bool) {
	off := d.file.offset(line, column)
	i := sort.Search(len(d.segments), func(i int) bool { return d.segments[i].at > off }) - 1
	if i < 0 {
		return 0, 0, false
	}
	s := d.segments[i]
	l, c := d.cells.position(s.from + min(off-s.at, s.n))
	return l, c, off <= s.at+s.n
}

// writer makes the file.
type writer struct {
	src      string
	names    Names
	cells    []cell
	want     map[string]string // imports, paths by names
	out      strings.Builder
	segments []segment
}

// cell is one cell's part of the text, from byte start to byte end.
type cell struct {
	start, end int
	statements []statement
	types      map[string]string
}

// lexeme is a token of the text.
type lexeme struct {
	pos, end int
	tok      token.Token
	lit      string
	depth    int // how many brackets are open before it
	line     int
}

func (t lexeme) closes() bool {
	return t.tok == token.RPAREN || t.tok == token.RBRACK || t.tok == token.RBRACE
}

// statement is a top-level statement or declaration of a cell: start includes the blanks and comments before it.
type statement struct {
	start, end int
	kind       statementKind
	toks       []lexeme
	open       []token.Token // brackets that nothing closes
	edits      []edit
}

type statementKind int

const (
	runs     statementKind = iota // what must stand in a function
	declares                      // func, type, const, var
	defines                       // a, b := …
	imports
)

// edit replaces the text from byte from to byte to.
type edit struct {
	from, to int
	text     string
}

// read cuts the text into cells and statements.
func (w *writer) read() {
	clean := withoutMagics(w.src)
	for _, c := range cellsOf(clean) {
		c.statements = statementsOf(clean, c.start, c.end)
		w.cells = append(w.cells, c)
	}
	w.src = clean
	if w.names.Types == nil {
		return
	}
	texts := make([]string, len(w.cells))
	for i, c := range w.cells {
		texts[i] = clean[c.start:c.end]
	}
	for i, types := range w.names.Types(texts) {
		w.cells[i].types = types
	}
}

// withoutMagics replaces lines that are not Go by blanks: those that begin with %, !, ? or $, a name with a question
// mark, and all that follows %% in its cell.
func withoutMagics(src string) string {
	if !strings.ContainsAny(src, "%!?$") {
		return src
	}
	b := []byte(src)
	whole, empty := false, 0
	for at := 0; at < len(b); {
		end := len(b)
		if n := strings.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := strings.TrimRight(src[at:end], " \t\r")
		if line == "" {
			empty++
		} else {
			whole = whole && empty < 2 || strings.HasPrefix(line, "%%")
			empty = 0
		}
		if whole || line != "" && strings.ContainsRune("%!?$", rune(line[0])) || asked.MatchString(line) {
			for i := at; i < end; i++ {
				b[i] = ' '
			}
		}
		at = end + 1
	}
	return string(b)
}

var asked = lazyregexp.New(`^[\pL\d_.]+\?\??$`)

// cellsOf cuts at two empty lines, where what follows begins at the margin: a function's body may have such lines too.
func cellsOf(src string) []cell {
	var cells []cell
	start, empty := 0, 0
	for at := 0; at < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := src[at:end]
		switch {
		case strings.TrimSpace(line) == "":
			empty++
		default:
			if empty >= 2 && !strings.ContainsRune(" \t)]}", rune(line[0])) {
				cells = append(cells, cell{start: start, end: at})
				start = at
			}
			empty = 0
		}
		at = end
	}
	return append(cells, cell{start: start, end: len(src)})
}

// statementsOf cuts a cell at the semicolons outside all brackets, those of headers left out.
func statementsOf(src string, start, end int) []statement {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, end-start)
	sc.Init(file, []byte(src[start:end]), func(token.Position, string) {}, 0)
	var (
		all []statement
		st  = statement{start: start}
	)
	for {
		p, tok, lit := sc.Scan()
		pos := start + file.Offset(p)
		if tok == token.EOF {
			if st.end = end; st.end > st.start {
				all = append(all, st.told())
			}
			return all
		}
		if tok == token.SEMICOLON && len(st.open) == 0 && !st.inHeader() {
			st.end = pos
			if lit == ";" {
				st.edits = append(st.edits, edit{pos, pos + 1, "\n"})
				st.end = pos + 1
			}
			if len(st.toks) > 0 {
				all = append(all, st.told())
				st = statement{start: st.end}
			}
			continue
		}
		if tok == token.SEMICOLON && lit != ";" {
			continue
		}
		if lit == "" || tok.IsOperator() {
			lit = tok.String()
		}
		st.toks = append(st.toks, lexeme{pos, pos + len(lit), tok, lit, len(st.open), file.Line(p)})
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			st.open = append(st.open, tok)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if n := len(st.open); n > 0 {
				st.open = st.open[:n-1]
			}
		}
	}
}

// inHeader reports whether a for, if or switch at the statement's top level still waits for its block.
func (st *statement) inHeader() bool {
	waits := false
	for _, t := range st.toks {
		if t.depth > 0 {
			continue
		}
		switch t.tok {
		case token.FOR, token.IF, token.SWITCH, token.SELECT:
			waits = true
		case token.LBRACE:
			waits = false
		}
	}
	return waits
}

// told finds a statement's kind.
func (st statement) told() statement {
	if len(st.toks) == 0 {
		return st
	}
	switch st.toks[0].tok {
	case token.IMPORT:
		st.kind = imports
	case token.CONST, token.TYPE, token.VAR:
		st.kind = declares
	case token.PACKAGE:
		st.edits = append(st.edits, edit{st.toks[0].pos, st.end, ""})
		st.toks, st.open = nil, nil
	case token.FUNC:
		if name, _ := st.function(); name != nil {
			st.kind = declares
		}
	case token.IDENT:
		for _, t := range st.toks {
			if t.tok == token.DEFINE && t.depth == 0 {
				st.kind = defines
			}
			if t.tok != token.IDENT && t.tok != token.COMMA {
				break
			}
		}
	}
	return st
}

// function is the name that a statement that begins with func declares, nil for a literal.
func (st *statement) function() (name *lexeme, method bool) {
	if len(st.toks) > 1 && st.toks[1].tok == token.IDENT {
		return &st.toks[1], false
	}
	for i, t := range st.toks {
		if i > 1 && t.depth == 0 {
			return nil, false
		}
		if i > 1 && t.tok == token.RPAREN && t.depth == 1 {
			if i+2 < len(st.toks) && st.toks[i+1].tok == token.IDENT && st.toks[i+2].tok == token.LPAREN {
				return &st.toks[i+1], true
			}
			return nil, false
		}
	}
	return nil, false
}

// declared are the names that a statement declares at top level, by their tokens' numbers.
func (st *statement) declared() []int {
	var names []int
	switch st.kind {
	case defines:
		for i, t := range st.toks {
			if t.tok == token.DEFINE {
				break
			}
			if t.tok == token.IDENT {
				names = append(names, i)
			}
		}
	case declares:
		if st.toks[0].tok == token.FUNC {
			if name, method := st.function(); !method && name.lit != "init" {
				return []int{1}
			}
			return nil
		}
		grouped := len(st.toks) > 1 && st.toks[1].tok == token.LPAREN
		listed := false
		for i := 1; i < len(st.toks); i++ {
			t, before := st.toks[i], st.toks[i-1]
			if depth := map[bool]int{true: 1}[grouped]; t.depth != depth {
				listed = false
				continue
			}
			first := i == 1 || grouped && (i == 2 || t.line > before.line && !before.tok.IsOperator() || before.closes())
			if t.tok == token.IDENT && (first || listed) {
				names = append(names, i)
			}
			listed = t.tok == token.COMMA && len(names) > 0 && names[len(names)-1] == i-1
		}
	}
	return names
}
