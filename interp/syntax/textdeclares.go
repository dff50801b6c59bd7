package syntax

import (
	"go/scanner"
	"go/token"
	"slices"
)

// TextDeclares returns the names that a text is to declare at its top, as far as its tokens tell: it need not parse.
// Where brackets do not match, what begins a line is taken for the top.
func TextDeclares(src string) []string {
	w := declaredNames{lineStart: true}
	_, bad := Split(src)
	w.byLine = bad != nil
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return slices.DeleteFunc(w.names, func(name string) bool { return name == "_" })
		}
		off := file.Offset(pos)
		w.lineStart = off == 0 || src[off-1] == '\n'
		w.token(tok, lit)
	}
}

// declaredNames reads tokens.
type declaredNames struct {
	names     []string
	byLine    bool // brackets do not match
	lineStart bool // the token begins a line, without space before it
	depth     int  // of brackets
	toks      []token.Token
	list      []string    // identifiers at the beginning of a statement
	group     token.Token // of the group of declarations that is open: token.VAR of var (, else ILLEGAL
}

// begins are the words that begin a declaration, and nothing else at the beginning of a line.
var begins = map[token.Token]bool{token.TYPE: true, token.VAR: true, token.CONST: true, token.FUNC: true}

func (w *declaredNames) token(tok token.Token, lit string) {
	if w.lineStart && (w.byLine && (tok == token.IDENT || tok.IsKeyword()) || w.depth == 0 && begins[tok]) {
		w.depth, w.group, w.toks, w.list = 0, token.ILLEGAL, nil, nil
	}
	level := 0
	if w.group != token.ILLEGAL {
		level = 1
	}
	switch tok {
	case token.LPAREN:
		if w.depth == 0 && len(w.toks) == 1 && (w.toks[0] == token.VAR || w.toks[0] == token.CONST || w.toks[0] == token.TYPE) {
			w.group, w.depth, w.toks, w.list = w.toks[0], 1, nil, nil
			return
		}
		w.depth++
	case token.LBRACK, token.LBRACE:
		w.depth++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		if w.depth = max(w.depth-1, 0); w.depth == 0 {
			w.group = token.ILLEGAL
		}
	case token.SEMICOLON:
		if w.depth == level {
			w.toks, w.list = nil, nil
		}
		return
	}
	if w.depth > level || len(w.toks) > 40 {
		if w.depth == level+1 && len(w.toks) > 0 {
			w.toks = append(w.toks, token.ILLEGAL) // a name in brackets is not one that is declared
		}
		return
	}
	w.declares(tok, lit)
	w.toks = append(w.toks, tok)
}

// declares looks at a token outside brackets, or in those of a group.
func (w *declaredNames) declares(tok token.Token, lit string) {
	last := token.SEMICOLON
	if n := len(w.toks); n > 0 {
		last = w.toks[n-1]
	}
	one := func(word token.Token) bool { return len(w.toks) == 1 && last == word }
	switch {
	case tok == token.DEFINE && len(w.list) > 0 && 2*len(w.list)-1 == len(w.toks):
		w.names = append(w.names, w.list...)
	case tok != token.IDENT:
	case w.group != token.ILLEGAL && last == token.SEMICOLON, one(token.TYPE), one(token.VAR), one(token.CONST):
		w.names = append(w.names, lit)
	case one(token.FUNC):
		if lit != "init" && lit != "main" {
			w.names = append(w.names, lit)
		}
	case last == token.SEMICOLON:
		w.list = append(w.list, lit)
	case last == token.COMMA && len(w.list) > 0 && 2*len(w.list) == len(w.toks):
		w.list = append(w.list, lit)
	case last == token.COMMA && w.named():
		w.names = append(w.names, lit)
	}
}

// named reports whether the tokens so far are a declaration's names, with commas.
func (w *declaredNames) named() bool {
	toks := w.toks
	if w.group == token.ILLEGAL {
		if toks[0] != token.VAR && toks[0] != token.CONST {
			return false
		}
		toks = toks[1:]
	}
	for i, tok := range toks {
		if (i%2 == 0) != (tok == token.IDENT) || i%2 == 1 && tok != token.COMMA {
			return false
		}
	}
	return true
}
