package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
)

// In Python x // 2 is a quotient; in Go it is x with a comment, which gives another answer without a word. A comment
// behind an array that is an operand and nothing else is refused.

// floorComment returns the error of the first such comment, nil when there is none. Its cost is that of one walk over
// the tree, for cells that have comments behind code.
func (s *Session) floorComment(c *checked) *types.Error {
	comments := operandComments(c.src.src)
	if len(comments) == 0 {
		return nil
	}
	var found *types.Error
	ast.Inspect(c.file, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok || found != nil {
			return found == nil
		}
		y := comments[c.src.offset(c.textOffset(x.End()))]
		if y.expr == nil || !s.operators.IsArray(c.info.Types[x].Type) || !s.isOperand(c, y.expr) {
			return true
		}
		from, to := c.src.offset(c.textOffset(x.Pos())), c.src.offset(c.textOffset(x.End()))
		found = &types.Error{Fset: s.fset, Pos: x.End(), Msg: fmt.Sprintf("// begins a comment in Go, so that this is %[1]s alone; write np.FloorDivide(%[1]s, %[2]s), or let the comment say more", c.src.src[from:to], y.text)}
		return false
	})
	return found
}

// operandComment is a comment that is an expression.
type operandComment struct {
	text string
	expr ast.Expr
}

// operandComments are the comments of src that are an expression of names and numbers, by the offset at which the code
// before them on the line ends.
func operandComments(src string) map[int]operandComment {
	if !strings.Contains(src, "//") {
		return nil
	}
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var found map[int]operandComment
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return found
		}
		if tok != token.COMMENT || !strings.HasPrefix(lit, "//") {
			continue
		}
		text := strings.TrimSpace(lit[2:])
		at := file.Offset(pos)
		line := strings.LastIndexByte(src[:at], '\n') + 1
		code := strings.TrimRight(src[line:at], " \t,")
		if code == "" || len(text) > 60 {
			continue
		}
		x, err := parser.ParseExpr(text)
		if err != nil || !isOperandText(x) {
			continue
		}
		if found == nil {
			found = map[int]operandComment{}
		}
		found[line+len(code)] = operandComment{text, x}
	}
}

// isOperandText reports whether x is of names and numbers alone.
func isOperandText(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr:
		case *ast.BasicLit:
			ok = ok && (n.Kind == token.INT || n.Kind == token.FLOAT)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// isOperand reports whether all names of x are variables or constants that are numbers or arrays.
func (s *Session) isOperand(c *checked, x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName || !ok {
			return ok
		}
		obj := c.pkg.Scope().Lookup(id.Name)
		if obj == nil {
			obj = s.names[id.Name]
		}
		ok = false
		switch obj.(type) {
		case *types.Var, *types.Const:
			b, basic := obj.Type().Underlying().(*types.Basic)
			ok = basic && b.Info()&types.IsNumeric != 0 || s.operators.IsArray(obj.Type())
		}
		return ok
	})
	return ok
}
