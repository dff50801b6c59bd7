package interp

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// IsComplete says whether src can run as it stands: "complete", "incomplete" (more lines may follow, and indent is what
// the next one begins with), or "invalid" (no further line can mend it).
func (s *Session) IsComplete(src string) (status, indent string) {
	src = strings.TrimPrefix(src, byteOrderMark)
	s.typing.mu.Lock()
	depth, literal := s.typing.open.scan(src)
	s.typing.mu.Unlock()
	switch {
	case depth > syntax.MaxBrackets:
		return "invalid", ""
	case literal:
		return "incomplete", ""
	case depth > 0:
		return "incomplete", strings.Repeat("\t", depth)
	}
	s.typing.mu.Lock()
	defer s.typing.mu.Unlock()
	rest := src
	if after, ok := strings.CutPrefix(src, s.typing.parsed); ok && startsLine(after) {
		rest = after // what comes before is complete, and ended by the line's end
	} else {
		s.typing.parsed = ""
	}
	pieces, bad := syntax.Split(rest)
	if bad != nil {
		return "invalid", ""
	}
	if len(pieces) == 0 {
		return "complete", ""
	}
	text, _, diags := s.parseCell(token.NewFileSet(), 0, rest, pieces)
	switch {
	case len(diags) == 0:
		if !text.Whole && text.List == 0 { // a list of values can stand only at the end of a cell
			s.typing.parsed = src
		}
		return "complete", ""
	case diags[0].Message == syntax.EndsEarly:
		return "incomplete", "\t"
	}
	return "invalid", ""
}

// startsLine reports whether the first thing in src but blanks is the end of a line.
func startsLine(src string) bool {
	rest := strings.TrimLeft(src, " \t\r")
	return rest != "" && rest[0] == '\n'
}

// typing is what IsComplete remembers of a text that grows.
type typing struct {
	mu     sync.Mutex
	open   openScan
	parsed string // the last text that it found complete
}

// openScan counts the brackets that a text leaves open. It remembers how far it came: a cell that is typed or pasted
// line by line is scanned once in all, as one text begins with the one before.
type openScan struct {
	done string        // what has been scanned, up to the start of its last token
	open []token.Token // the brackets open there, outermost first
}

// scan returns how many brackets src leaves open, 0 when they do not match, and whether it ends in a raw string or
// comment.
func (o *openScan) scan(src string) (depth int, literal bool) {
	if !strings.HasPrefix(src, o.done) {
		o.done, o.open = "", nil
	}
	rest := src[len(o.done):]
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(rest))
	sc.Init(file, []byte(rest), func(_ token.Position, msg string) {
		literal = literal || msg == "raw string literal not terminated" || msg == syntax.OpenComment
	}, 0)
	open, last := slices.Clone(o.open), 0
	var lastTok, closed token.Token // the last token, and the bracket that it closed
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit != ";" {
			continue // it may have been added for the end of the text
		}
		last, lastTok = file.Offset(pos), tok
		if syntax.Closers[tok] != 0 {
			if open = append(open, tok); len(open) > syntax.MaxBrackets {
				return len(open), literal
			}
		} else if tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE {
			if len(open) == 0 || syntax.Closers[open[len(open)-1]] != tok {
				return 0, literal
			}
			closed, open = open[len(open)-1], open[:len(open)-1]
		}
	}
	depth = len(open)
	switch { // the last token may go on in the next text
	case syntax.Closers[lastTok] != 0:
		open = open[:depth-1]
	case lastTok == token.RPAREN || lastTok == token.RBRACK || lastTok == token.RBRACE:
		open = append(open, closed)
	}
	o.done, o.open = src[:len(o.done)+last], open
	return depth, literal
}
