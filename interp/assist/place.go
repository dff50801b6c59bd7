package assist

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// wordAt returns the byte offsets of the identifier around a cursor in code points, and of the cursor. A cursor beyond
// the text is at its end.
func wordAt(src string, cursor int) (start, end, at int) {
	for range cursor {
		_, n := utf8.DecodeRuneInString(src[at:])
		at += n
	}
	start, end = at, at
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:start])
		if !isWord(r) {
			break
		}
		start -= n
	}
	for end < len(src) {
		r, n := utf8.DecodeRuneInString(src[end:])
		if !isWord(r) {
			break
		}
		end += n
	}
	return start, end, at
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// level is a bracket that is open at a place, or the cell itself, and the statement that goes on there.
type level struct {
	open   token.Token // ILLEGAL for the cell itself
	head   token.Token // the first token of the statement
	header bool        // head needs a block, which has not begun
	fn     bool        // the bracket follows func, and so may need a body after it
	semis  int         // semicolons in the header
	start  int         // where the statement begins
}

// spot is what the tokens before a cursor say of it.
type spot struct {
	levels  []level
	prev    token.Token // the last token; SEMICOLON at a line's start
	before  token.Token // the one before it
	literal int         // where the string that the cursor is in begins; -1 for none
	opaque  bool        // the cursor is in a comment, a number or a character
	comment bool        // in a comment
	stray   int         // the offset of a closing bracket that closes nothing; -1 for none
}

// look scans the text before a cursor.
func look(before string) spot {
	p := spot{levels: []level{{open: token.ILLEGAL}}, literal: -1, stray: -1}
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(before))
	broken := false
	sc.Init(file, []byte(before), func(_ token.Position, msg string) {
		broken = broken || strings.HasSuffix(msg, "not terminated")
	}, scanner.ScanComments)
	sawFunc := false // since func, only a name, a receiver and brackets
	p.prev = token.SEMICOLON
	for {
		broken = false
		pos, tok, lit := sc.Scan()
		off := file.Offset(pos)
		atEnd := off+len(lit) >= len(before)
		switch tok {
		case token.EOF:
			return p
		case token.COMMENT:
			p.comment = atEnd && (broken || strings.HasPrefix(lit, "//"))
			p.opaque = p.comment
			continue
		case token.STRING, token.CHAR:
			if atEnd && broken {
				p.literal, p.opaque = off, tok == token.CHAR
				return p
			}
		case token.INT, token.FLOAT, token.IMAG:
			p.opaque = atEnd
		}
		if tok == token.SEMICOLON && lit == "\n" && off >= len(before) {
			continue // added for the end of the text
		}
		top := &p.levels[len(p.levels)-1]
		if top.head == token.ILLEGAL && tok != token.SEMICOLON {
			top.head, top.start = tok, off
			top.header = tok == token.FOR || tok == token.IF || tok == token.SWITCH || tok == token.SELECT
		}
		switch tok {
		case token.FUNC:
			sawFunc = true
		case token.ELSE:
			top.header = true
		case token.IDENT, token.LPAREN, token.RPAREN, token.LBRACK, token.RBRACK:
		default:
			sawFunc = false
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if tok == token.LBRACE && top.open != token.LPAREN && top.open != token.LBRACK {
				top.header = false
			}
			p.levels = append(p.levels, level{open: tok, fn: sawFunc && tok != token.LBRACE})
			if tok != token.LBRACE {
				sawFunc = false // what is inside is types
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if syntax.Closers[top.open] != tok {
				p.stray = off
				return p
			}
			sawFunc = top.fn
			p.levels = p.levels[:len(p.levels)-1]
		case token.SEMICOLON:
			if top.header && lit == ";" {
				top.semis++
			} else {
				*top = level{open: top.open, fn: top.fn}
			}
		case token.COLON:
			if top.open == token.LBRACE && (top.head == token.CASE || top.head == token.DEFAULT) {
				*top = level{open: top.open}
				tok = token.SEMICOLON // a statement begins
			}
		}
		p.before, p.prev = p.prev, tok
	}
}

// isStart reports whether a statement begins at the place.
func (p spot) isStart() bool { return p.prev == token.SEMICOLON || p.prev == token.LBRACE }

// endsOperand reports whether the last token ends an operand, so that an operator must come between it and another.
func (p spot) endsOperand() bool {
	switch p.prev {
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.RPAREN, token.RBRACK, token.RBRACE:
		return true
	}
	return false
}

// inner is the innermost level.
func (p spot) inner() level { return p.levels[len(p.levels)-1] }

// tails are what may be missing between a cursor and the brackets that are open there, the likely ones first.
func (p spot) tails() []string {
	in := p.inner()
	switch {
	case in.head == token.CASE || in.head == token.DEFAULT:
		return []string{":", ""}
	case in.head == token.GO || in.head == token.DEFER:
		return []string{"", "()", " {}()", "() {}()"}
	case in.header && in.head == token.FOR && in.semis == 1:
		return []string{"; {}", "() {}; {}", "{}; {}", " {}"}
	case in.header:
		return []string{" {}", "; true {}", "; {}", "() {} {}", "{} {}"}
	}
	return []string{"", " {}", "() {}", " int", "() int", ":"}
}

// repair completes text, which ends in the middle of the statement that begins at byte start, so that the statement
// parses: it returns what to append.
func (p spot) repair(text string, parses func(string) bool) (tail string, ok bool) {
	start := p.levels[0].start
	if start >= len(text) {
		start = 0
	}
	piece := text[start:]
	// After each closing bracket a body may be missing: first it is assumed where one is likely.
	for _, first := range p.tails() {
		for variant := range 4 {
			tail = first + p.closing(variant)
			if parses(piece + tail) {
				return tail, true
			}
			if len(p.levels) == 1 {
				break
			}
		}
	}
	return p.closing(0), false
}

// closing closes all brackets. The variants: bodies for headers and for functions, for headers alone, for the innermost
// function alone, for none.
func (p spot) closing(variant int) string {
	var b strings.Builder
	innermost := true
	for i := len(p.levels) - 1; i > 0; i-- {
		in, out := p.levels[i], p.levels[i-1]
		b.WriteString(syntax.Closers[in.open].String())
		if in.fn && in.open == token.LPAREN && (variant == 0 || variant == 2 && innermost) {
			b.WriteString(" {}")
			innermost = false
		}
		if in.open == token.LBRACE {
			if out.head == token.GO || out.head == token.DEFER {
				b.WriteString("()")
			}
			continue
		}
		if out.header && variant < 2 && out.open != token.LPAREN {
			if out.head == token.FOR && out.semis == 1 {
				b.WriteString(";")
			}
			b.WriteString(" {}")
		} else if out.head == token.CASE && out.open == token.LBRACE {
			b.WriteString(":")
		}
	}
	return b.String()
}
