package magic

import (
	"go/scanner"
	"go/token"
	"strings"
)

// nextMagic returns the offset of the first line from pos on, which is the beginning of a line, that is a magic; -1 for
// none. text is src again. It looks at each line once, however many tokens and statements are in it.
func nextMagic(text []byte, src string, pos int, declared func(string) bool) int {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text)-pos)
	sc.Init(file, text[pos:], func(token.Position, string) {}, scanner.ScanComments)
	depth, start := 0, 0
	begins := true // a statement may begin with the next token
	seen := map[string]bool{}
	line := lineCursor{src: src, end: pos}
	for {
		at, tok, lit := sc.Scan()
		off := pos + file.Offset(at)
		if tok == token.EOF {
			return -1
		}
		first := line.reach(off, tok, lit)
		if tok == token.COMMENT {
			if depth == 0 && begins && commentMagic(line.text()) > 0 {
				return line.start
			}
			continue
		}
		if begins {
			start = off
		}
		if depth == 0 {
			switch {
			case begins && first && isMagic(line.text(), func(name string) bool { return seen[name] || declared(name) }):
				return line.start
			case tok == token.ILLEGAL && lit == "?" && start >= line.start && line.asks():
				return line.start
			}
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		case token.IDENT:
			seen[lit] = true
		}
		begins = tok == token.SEMICOLON
	}
}

// lineCursor is the line of src that a scanner is in.
type lineCursor struct {
	src         string
	start, end  int // of the line, its end included
	token       int // where the last token ended
	asked, says bool
}

// reach moves the cursor to the line of the token at off, and reports whether there is nothing before it in that line.
func (l *lineCursor) reach(off int, tok token.Token, lit string) (first bool) {
	for off >= l.end && l.end < len(l.src) || l.end == 0 {
		l.start, l.asked = l.end, false
		if i := strings.IndexByte(l.src[l.start:], '\n'); i >= 0 {
			l.end = l.start + i + 1
		} else {
			l.end = len(l.src)
		}
	}
	first = l.token <= l.start
	if tok != token.SEMICOLON || lit == ";" {
		l.token = off + tokenLen(l.src[off:], tok, lit)
	}
	return first
}

// tokenLen is how many bytes a token at the start of src takes. The scanner's text of some has no carriage returns.
func tokenLen(src string, tok token.Token, lit string) int {
	switch {
	case tok == token.STRING && lit[0] == '`':
		if i := strings.IndexByte(src[1:], '`'); i >= 0 {
			return i + 2
		}
		return len(src)
	case tok == token.COMMENT && strings.HasPrefix(lit, "/*"):
		if i := strings.Index(src[2:], "*/"); i >= 0 {
			return i + 4
		}
		return len(src)
	case lit != "":
		return len(lit)
	}
	return len(tok.String())
}

// text is the line without its end.
func (l *lineCursor) text() string { return strings.TrimSuffix(l.src[l.start:l.end], "\n") }

// asks reports whether the line is a question, name?.
func (l *lineCursor) asks() bool {
	if !l.asked {
		l.asked, l.says = true, question.MatchString(l.text())
	}
	return l.says
}
