package interp

import (
	"go/scanner"
	"go/token"
	"strings"
)

// IsComplete says whether src can run as it stands: "complete", "incomplete" (more lines may follow, and indent is what the
// next one begins with), or "invalid" (no further line can mend it).
func (s *Session) IsComplete(src string) (status, indent string) {
	if openLiteral(src) {
		return "incomplete", ""
	}
	pieces, bad := split(src)
	if bad != nil {
		if len(bad.open) > 0 {
			return "incomplete", strings.Repeat("\t", len(bad.open))
		}
		return "invalid", ""
	}
	if len(pieces) == 0 {
		return "complete", ""
	}
	text := assemble(0, src, pieces)
	_, diags := text.parse(token.NewFileSet())
	switch {
	case len(diags) == 0:
		return "complete", ""
	case diags[0].Message == endsEarly:
		return "incomplete", "\t"
	}
	return "invalid", ""
}

// openLiteral reports whether src ends inside a raw string or a comment.
func openLiteral(src string) bool {
	var sc scanner.Scanner
	open := false
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(_ token.Position, msg string) {
		open = open || msg == "raw string literal not terminated" || msg == "comment not terminated"
	}, 0)
	for {
		if _, tok, _ := sc.Scan(); tok == token.EOF {
			return open
		}
	}
}
