package interp

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// kind says where a piece of a cell goes in the file that is made of it.
type kind int

const (
	kindPackage kind = iota // a package clause, which only whole programs have
	kindImport
	kindDecl // const, type, func with a name
	kindStmt // everything else, var included: it runs in its place
)

// piece is a run of a cell's text, from byte start to byte end.
type piece struct {
	kind       kind
	start, end int
}

// bracket is an opening bracket that waits for its closing one.
type bracket struct {
	tok token.Token
	pos int
}

var closers = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE}

// openComment is what go/scanner says of a comment without an end.
const openComment = "comment not terminated"

// splitError is a cell whose brackets do not match.
type splitError struct {
	pos    int // byte offset
	msg    string
	open   []bracket // brackets never closed, outermost first
	pieces []piece   // the whole cell, the last one not cut any further: for a parser to say more; nil where it would not
}

// split cuts src at the semicolons outside all brackets. Neighbouring pieces of one kind are joined, so that a for
// header, whose semicolons are outside brackets too, stays whole. Comments belong to the piece that follows them.
func split(src string) ([]piece, *splitError) {
	var (
		sc     scanner.Scanner
		pieces []piece
		open   []bracket
		toks   []token.Token // of the current piece, as many as its kind is told by
		start  int
		bad    *splitError
	)
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(p token.Position, msg string) {
		if msg == openComment { // the parser would not see it: nothing follows it
			bad = &splitError{pos: p.Offset, msg: msg}
		}
	}, 0)
	// rest is what there is of the cell, with all that follows as one piece.
	rest := func() []piece {
		if len(toks) == 0 {
			return pieces
		}
		return append(pieces, piece{kindOf(toks), start, len(src)})
	}
	flush := func(end int) {
		if len(toks) > 0 {
			k := kindOf(toks)
			if n := len(pieces); n > 0 && pieces[n-1].kind == k {
				pieces[n-1].end = end
			} else {
				pieces = append(pieces, piece{k, start, end})
			}
			start, toks = end, toks[:0]
		}
	}
	for {
		pos, tok, lit := sc.Scan()
		off := file.Offset(pos)
		switch tok {
		case token.EOF:
			if len(open) > 0 {
				last := open[len(open)-1]
				return nil, &splitError{last.pos, fmt.Sprintf("%q is never closed", last.tok), open, rest()}
			}
			if bad != nil {
				return nil, bad
			}
			flush(len(src))
			return pieces, nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if open = append(open, bracket{tok, off}); len(open) > maxBrackets {
				return nil, &splitError{pos: off, msg: tooManyBrackets}
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 {
				return nil, &splitError{pos: off, msg: fmt.Sprintf("unexpected %q", tok)}
			}
			last := open[len(open)-1]
			if want := closers[last.tok]; want != tok {
				return nil, &splitError{pos: off, msg: fmt.Sprintf("unexpected %q, expected %q", tok, want), pieces: rest()}
			}
			open = open[:len(open)-1]
		}
		if tok == token.SEMICOLON && len(open) == 0 {
			end := off
			if lit == ";" {
				end++
			}
			flush(end)
			continue
		}
		toks = appendHead(toks, tok, len(open))
	}
}

// appendHead keeps the tokens that tell a declaration from a statement: those outside brackets, and brackets as a
// pair.
func appendHead(toks []token.Token, tok token.Token, depth int) []token.Token {
	if len(toks) >= 8 {
		return toks
	}
	opening := depth == 1 && closers[tok] != 0
	if depth > 0 && !opening {
		return toks
	}
	return append(toks, tok)
}

// kindOf tells a piece by its first tokens. A method is func (…) Name (…), a function literal that is called has no
// name.
func kindOf(toks []token.Token) kind {
	switch toks[0] {
	case token.PACKAGE:
		return kindPackage
	case token.IMPORT:
		return kindImport
	case token.CONST, token.TYPE:
		return kindDecl
	case token.FUNC:
		if len(toks) > 1 && toks[1] == token.IDENT {
			return kindDecl
		}
		method := []token.Token{token.FUNC, token.LPAREN, token.RPAREN, token.IDENT, token.LPAREN}
		if len(toks) >= len(method) && equal(toks[:len(method)], method) {
			return kindDecl
		}
	}
	return kindStmt
}

func equal(a, b []token.Token) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// endsInSemicolon reports whether the last thing in src but blanks and comments is a semicolon, which suppresses
// display.
func endsInSemicolon(src string) bool {
	if !strings.Contains(src, ";") {
		return false
	}
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	last := false
	for {
		_, tok, lit := sc.Scan()
		switch {
		case tok == token.EOF:
			return last
		case tok == token.SEMICOLON && lit != ";":
		default:
			last = tok == token.SEMICOLON
		}
	}
}
