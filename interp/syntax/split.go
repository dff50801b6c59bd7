package syntax

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// kind says where a piece of a cell goes in the file that is made of it.
type kind int

const (
	KindPackage kind = iota // a package clause, which only whole programs have
	KindImport
	KindDecl // const, type, func with a name
	kindStmt // everything else, var included: it runs in its place
)

// Piece is a run of a cell's text, from byte start to byte end.
type Piece struct {
	Kind       kind
	Start, End int
}

// bracket is an opening bracket that waits for its closing one.
type bracket struct {
	tok token.Token
	pos int
}

// Closers are the brackets that close others.
var Closers = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE}

// OpenComment is what go/scanner says of a comment without an end.
const OpenComment = "comment not terminated"

// SplitError is a cell whose brackets do not match.
type SplitError struct {
	Pos    int // byte offset
	Msg    string
	open   []bracket // brackets never closed, outermost first
	pieces []Piece   // the whole cell, the last one not cut any further: for a parser to say more; nil where it would not
}

// Split cuts src at the semicolons outside all brackets. Neighbouring pieces of one kind are joined, so that a for
// header, whose semicolons are outside brackets too, stays whole. Comments belong to the piece that follows them.
func Split(src string) ([]Piece, *SplitError) {
	var (
		sc     scanner.Scanner
		pieces []Piece
		open   []bracket
		toks   []token.Token // of the current piece, as many as its kind is told by
		start  int
		bad    *SplitError
	)
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(p token.Position, msg string) {
		if msg == OpenComment { // the parser would not see it: nothing follows it
			bad = &SplitError{Pos: p.Offset, Msg: msg}
		}
	}, 0)
	// rest is what there is of the cell, with all that follows as one piece.
	rest := func() []Piece {
		if len(toks) == 0 {
			return pieces
		}
		return append(pieces, Piece{kindOf(toks), start, len(src)})
	}
	flush := func(end int) {
		if len(toks) > 0 {
			k := kindOf(toks)
			if n := len(pieces); n > 0 && pieces[n-1].Kind == k {
				pieces[n-1].End = end
			} else {
				pieces = append(pieces, Piece{k, start, end})
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
				return nil, &SplitError{last.pos, fmt.Sprintf("%q is never closed", last.tok), open, rest()}
			}
			if bad != nil {
				return nil, bad
			}
			flush(len(src))
			return pieces, nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if open = append(open, bracket{tok, off}); len(open) > MaxBrackets {
				return nil, &SplitError{Pos: off, Msg: tooManyBrackets}
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 {
				return nil, &SplitError{Pos: off, Msg: fmt.Sprintf("unexpected %q", tok)}
			}
			last := open[len(open)-1]
			if want := Closers[last.tok]; want != tok {
				return nil, &SplitError{Pos: off, Msg: fmt.Sprintf("unexpected %q, expected %q", tok, want), pieces: rest()}
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
	opening := depth == 1 && Closers[tok] != 0
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
		return KindPackage
	case token.IMPORT:
		return KindImport
	case token.CONST, token.TYPE:
		return KindDecl
	case token.FUNC:
		if len(toks) > 1 && toks[1] == token.IDENT {
			return KindDecl
		}
		method := []token.Token{token.FUNC, token.LPAREN, token.RPAREN, token.IDENT, token.LPAREN}
		if len(toks) >= len(method) && equal(toks[:len(method)], method) {
			return KindDecl
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

// EndsInSemicolon reports whether the last thing in src but blanks and comments is a semicolon, which suppresses
// display.
func EndsInSemicolon(src string) bool {
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
