package main

import (
	"go/scanner"
	"go/token"
	"html"
	"strings"
)

// goHTML returns Go source as HTML with spans of the classes that kernel/notebook/export names. What does not scan, the
// half of a cell for example, is kept as it is.
func goHTML(src string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	done := 0 // what of src is in b
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		if tok == token.SEMICOLON && lit != ";" || at < done {
			continue // put in by the scanner
		}
		if lit == "" {
			lit = tok.String()
		}
		end := min(at+len(lit), len(src))
		class := tokenClass(tok)
		if tok == token.IDENT && strings.HasPrefix(src[end:], "(") {
			class = "f"
		}
		b.WriteString(html.EscapeString(src[done:at]))
		if class == "" {
			b.WriteString(html.EscapeString(src[at:end]))
		} else {
			b.WriteString(`<span class="` + class + `">` + html.EscapeString(src[at:end]) + "</span>")
		}
		done = end
	}
	b.WriteString(html.EscapeString(src[done:]))
	return b.String()
}

func tokenClass(tok token.Token) string {
	switch {
	case tok.IsKeyword():
		return "k"
	case tok == token.STRING || tok == token.CHAR:
		return "s"
	case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
		return "n"
	case tok == token.COMMENT:
		return "c"
	}
	return ""
}
