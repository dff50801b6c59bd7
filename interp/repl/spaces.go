package repl

import (
	"go/scanner"
	"go/token"
	"strings"
)

// tab is what a step of indentation looks like.
const tab = "    "

// spaces writes the tabs of Go code as blanks, but for those in strings and comments, which belong to the program.
func spaces(src string) string {
	if !strings.Contains(src, "\t") {
		return src
	}
	var b strings.Builder
	at := 0
	for _, t := range literals(src) {
		b.WriteString(strings.ReplaceAll(src[at:t.start], "\t", tab))
		b.WriteString(src[t.start:t.end])
		at = t.end
	}
	b.WriteString(strings.ReplaceAll(src[at:], "\t", tab))
	return b.String()
}

// span is a token of a text, from byte start to byte end.
type span struct {
	start, end int
	tok        token.Token
}

// tokens returns the tokens of a text that need not be right, those of a literal form or a fixed spelling.
func tokens(src string) []span {
	var (
		sc  scanner.Scanner
		out []span
	)
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return out
		}
		start := file.Offset(pos)
		end := start + len(lit)
		if lit == "" {
			end = start + len(tok.String())
		}
		if tok == token.SEMICOLON && lit == "\n" { // put in by the scanner
			continue
		}
		if tok == token.STRING || tok == token.COMMENT { // the scanner takes carriage returns out of lit
			for n := strings.Count(src[start:min(end, len(src))], "\r"); n > 0 && end < len(src); n-- {
				end++
			}
		}
		out = append(out, span{start, min(end, len(src)), tok})
	}
}

// literals returns the strings and comments of a text.
func literals(src string) []span {
	var out []span
	for _, t := range tokens(src) {
		if t.tok == token.STRING || t.tok == token.CHAR || t.tok == token.COMMENT {
			out = append(out, t)
		}
	}
	return out
}
