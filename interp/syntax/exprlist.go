package syntax

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
)

// ExprList is where the last statement of a cell is, when it is a list of expressions, as in "len(x), y": Go has no
// such statement, and notebooks show all its values. The zero value means none.
type ExprList struct{ Start, End int }

// oneExpression is what go/parser says of a list of expressions.
const oneExpression = "expected 1 expression"

// Parse makes the syntax tree of a cell, which is in these pieces, by parse.
func Parse(fset *token.FileSet, parse ParseFunc, cell int, src string, pieces []Piece) (*Source, *ast.File, []cellerror.Diagnostic) {
	text := assemble(cell, src, pieces, ExprList{})
	file, diags := text.parse(fset, parse)
	if len(diags) == 0 {
		if at := tooDeep(file, len(src)); at.IsValid() {
			off := text.Offset(fset.PositionFor(at, false).Offset)
			fset.RemoveFile(fset.File(file.FileStart))
			return text, nil, []cellerror.Diagnostic{text.Diagnostic(off, "this is nested too deep; name the inner parts, or move them into functions")}
		}
		return text, file, nil
	}
	if diags[0].Message != oneExpression || text.Whole {
		return text, file, diags
	}
	if listed := assemble(cell, src, pieces, LastStatement(src)); listed.List > 0 {
		if file, diags := listed.parse(fset, parse); len(diags) == 0 {
			return listed, file, nil
		}
	}
	diags[0].Message = "a list of values can stand only at the end of a cell, where it is shown"
	return text, file, diags
}

// LastStatement finds the last thing between semicolons outside brackets.
func LastStatement(src string) ExprList {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var last ExprList
	depth, inside := 0, false
	for {
		pos, tok, lit := sc.Scan()
		switch tok {
		case token.EOF:
			return last
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		off := file.Offset(pos)
		if tok == token.SEMICOLON && depth == 0 {
			inside = false
			continue
		}
		if !inside {
			last.Start, inside = off, true
		}
		switch {
		case tok == token.STRING && lit[0] == '`':
			last.End = off + 2 + strings.IndexByte(src[off+1:], '`') // lit has no carriage returns
		case lit != "":
			last.End = off + len(lit)
		default:
			last.End = off + len(tok.String())
		}
	}
}
