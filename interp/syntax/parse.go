package syntax

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
)

// Source is a cell's text and the file that was made of it for the parser.
type Source struct {
	Cell  int
	Src   string
	lines []int     // byte offsets of line starts in src
	text  string    // the file
	segs  []segment // where parts of src lie in text, in the order of text
	Whole bool      // the cell has a package clause: it is a whole program
	List  int       // where in text the call is that stands for a list of expressions; 0 for none

	// how many code points the line has before the byte column, of the last diagnostic
	counted struct{ line, col, runes int }
}

// ParseFunc parses a file, as parser.ParseFile does.
type ParseFunc func(fset *token.FileSet, name, text string, mode parser.Mode) (*ast.File, error)

// header and footer stand around the statements.
const header, footer = "func _() {\n", "}\n"

// EndsEarly is the syntax error of a cell that stops too soon.
const EndsEarly = "the cell ends in the middle of an expression or statement"

// segment says that text[at:at+n] is src[from:from+n].
type segment struct{ at, from, n int }

// assemble lays the pieces out as a Go file: imports, declarations, and the statements in a function's body. A list of
// expressions becomes the arguments of a call, for the parser.
func assemble(cell int, src string, pieces []Piece, list ExprList) *Source {
	s := Bare(cell, src)
	var b strings.Builder
	b.WriteString("package p\n")
	write := func(from, to int) {
		s.segs = append(s.segs, segment{b.Len(), from, to - from})
		b.WriteString(src[from:to])
	}
	put := func(k kind) {
		for _, p := range pieces {
			if p.Kind != k {
				continue
			}
			if from := p.Start; list.End > 0 && from <= list.Start && list.End <= p.End {
				write(from, list.Start)
				s.List = b.Len()
				b.WriteString("print(")
				write(list.Start, list.End)
				b.WriteString(")")
				write(list.End, p.End)
			} else {
				write(from, p.End)
			}
			b.WriteString("\n")
		}
	}
	for _, p := range pieces {
		s.Whole = s.Whole || p.Kind == KindPackage
	}
	put(KindImport)
	put(KindDecl)
	if s.Whole { // its variables are package variables, initialised as Go does
		put(kindStmt)
		b.WriteString(header + footer)
	} else {
		b.WriteString(header)
		put(kindStmt)
		b.WriteString(footer)
	}
	s.text = b.String()
	return s
}

// Bare returns the source of a cell of which no file is made: for diagnostics.
func Bare(cell int, src string) *Source {
	return &Source{Cell: cell, Src: src, lines: LineStarts(src)}
}

// LineStarts returns the byte offsets at which the lines of src begin.
func LineStarts(src string) []int {
	lines := []int{0}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// Blank replaces text[from:to] by spaces, lines kept.
func Blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// Offset maps a byte offset in the file to one in the cell; offsets in what assemble added map to the nearest cell text
// before them.
func (s *Source) Offset(at int) int {
	i := sort.Search(len(s.segs), func(i int) bool { return s.segs[i].at > at }) - 1
	if i < 0 {
		return 0
	}
	seg := s.segs[i]
	return seg.from + min(at-seg.at, seg.n)
}

// fileName is how the cell is called in positions.
func (s *Source) fileName() string { return fmt.Sprintf("cell %d", s.Cell) }

// parse parses the file into fset, with positions that read as the cell's own. Syntax errors come back as diagnostics.
func (s *Source) parse(fset *token.FileSet, parse ParseFunc) (*ast.File, []cellerror.Diagnostic) {
	file, err := parse(fset, s.fileName(), s.text, parser.ParseComments)
	if err != nil {
		if file != nil {
			fset.RemoveFile(fset.File(file.FileStart))
		}
		var list scanner.ErrorList
		if !errors.As(err, &list) {
			return nil, []cellerror.Diagnostic{s.Diagnostic(0, err.Error())}
		}
		var diags []cellerror.Diagnostic
		for _, e := range list {
			msg := e.Msg
			if e.Pos.Offset >= len(s.text)-len(footer) {
				msg = EndsEarly
			}
			if msg == EndsEarly && len(diags) > 0 {
				continue // it follows from the errors before it
			}
			diags = append(diags, s.Diagnostic(s.Offset(e.Pos.Offset), msg))
		}
		return file, diags
	}
	tf := fset.File(file.Package)
	for _, seg := range s.segs {
		line, col := s.LineCol(seg.from)
		tf.AddLineColumnInfo(seg.at, s.fileName(), line, col)
	}
	return file, nil
}

// LineCol returns the line and the byte column of a byte offset in the cell, both from 1.
func (s *Source) LineCol(off int) (line, col int) {
	line = sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > off })
	return line, off - s.lines[line-1] + 1
}

// Diagnostic makes a message for a byte offset in the cell. Its column counts code points, as editors do.
func (s *Source) Diagnostic(off int, msg string) cellerror.Diagnostic {
	if off >= len(s.Src) { // at the end: show the last character, not an empty line below it
		off = len(strings.TrimRight(s.Src, " \t\r\n"))
	}
	line, col := s.LineCol(off)
	text := s.Src[s.lines[line-1]:]
	if line < len(s.lines) {
		text = text[:s.lines[line]-s.lines[line-1]-1]
	}
	col = min(col-1, len(text))
	if last := &s.counted; last.line != line || last.col > col {
		last.line, last.col, last.runes = line, 0, 0
	}
	s.counted.runes += utf8.RuneCountInString(text[s.counted.col:col])
	s.counted.col = col
	return cellerror.Diagnostic{
		Cell: s.Cell, Line: line, Column: s.counted.runes + 1,
		Message: msg, Source: strings.TrimRight(text, "\r"),
	}
}
