package ptx

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Error says which line of a PTX text cannot be read, and why.
type Error struct {
	Line int
	Text string // the instruction or directive, where one is known
	Msg  string
	Pos  kir.Pos // of what the text was compiled from, where that is known; a file may be "file 1" still
}

func (e *Error) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("PTX line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("PTX line %d: %s: %s", e.Line, brief.Quoted(e.Text), e.Msg)
}

func failAt(line int, text, format string, args ...any) {
	for i, a := range args {
		if o, is := a.(operand); is {
			args[i] = o.String()
		}
	}
	panic(&Error{Line: line, Text: text, Msg: fmt.Sprintf(format, brief.Args(args)...)})
}

// token is a word, a number, a string or a sign.
type token struct {
	text string
	line int
	kind byte // 'w' word (with dots), 'n' number, 's' string, or the sign itself; 0 at the end
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c == '%' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scan cuts a text into tokens.
func scan(text string) (out []token) {
	line := 1
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0:
			i++
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				failAt(line, "", "the comment does not end")
			}
			line += strings.Count(text[i:i+2+end], "\n")
			i += end + 4
		case c == '"':
			q, err := strconv.QuotedPrefix(text[i:])
			if err != nil {
				failAt(line, "", "the string does not end")
			}
			out = append(out, token{q[1 : len(q)-1], line, 's'})
			i += len(q)
		case isWordByte(c):
			j := i
			for j < len(text) && (isWordByte(text[j]) || strings.HasPrefix(text[j:], "::") || text[j] == ':' && text[j-1] == ':') { // .shared::cluster
				j++
			}
			kind := byte('w')
			if c >= '0' && c <= '9' {
				kind = 'n'
			}
			out = append(out, token{text[i:j], line, kind})
			i = j
		case strings.IndexByte("{}()[]<>,;:@!+-=|~", c) >= 0:
			out = append(out, token{string(c), line, c})
			i++
		default:
			failAt(line, "", "the character %q has no meaning here", c)
		}
	}
	return append(out, token{"", line, 0})
}

// number reads a number as PTX writes it: the bits, and whether it is a float of 32 or 64 bits.
func number(t token) (bits uint64, float int) {
	s := t.text
	switch {
	case len(s) == 10 && (strings.HasPrefix(s, "0f") || strings.HasPrefix(s, "0F")):
		if x, err := strconv.ParseUint(s[2:], 16, 32); err == nil {
			return x, 32
		}
	case len(s) == 18 && (strings.HasPrefix(s, "0d") || strings.HasPrefix(s, "0D")):
		if x, err := strconv.ParseUint(s[2:], 16, 64); err == nil {
			return x, 64
		}
	case strings.Contains(s, ".") || !strings.HasPrefix(s, "0x") && strings.ContainsAny(s, "eE"):
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return float64bits(x), 64
		}
	}
	s = strings.TrimRight(s, "Uu")
	if x, err := strconv.ParseUint(strings.ReplaceAll(s, "_", "?"), 0, 64); err == nil {
		return x, 0
	}
	failAt(t.line, "", "%q is not a number", t.text)
	return 0, 0
}
