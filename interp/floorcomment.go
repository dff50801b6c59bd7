package interp

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// In Python x // 2 is a quotient; in Go it is x with a comment, which gives another answer without a word. A comment
// behind an array that is an operand and nothing else is refused, and so is x //= 2. Where the comment hides a closing
// bracket the cell does not parse; it is then read with / in place of //.

// floorComment returns the error of the first such comment, nil when there is none. Its cost is that of one walk over
// the tree, for cells that have comments behind code.
func (s *Session) floorComment(c *checked) *types.Error {
	comments := operandComments(c.Src.Src)
	if len(comments) == 0 {
		return nil
	}
	var found *types.Error
	ast.Inspect(c.File, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok || found != nil {
			return found == nil
		}
		y := comments[c.Src.Offset(c.TextOffset(x.End()))]
		if y.expr == nil || !s.operators.IsArray(c.info.Types[x].Type) || !s.isOperand(c, x.Pos(), y.expr) {
			return true
		}
		from, to := c.Src.Offset(c.TextOffset(x.Pos())), c.Src.Offset(c.TextOffset(x.End()))
		text := c.Src.Src[from:to]
		write := fmt.Sprintf("np.FloorDivide(%s, %s)", text, y.text)
		if read, ok := s.quotients(c.Src.Cell, c.Src.Src, []int{y.at}); ok {
			write = read
		}
		found = &types.Error{Fset: s.fset, Pos: x.End(), Msg: fmt.Sprintf("// begins a comment in Go, so that this is %s alone; write %s, or let the comment say more", text, write)}
		return false
	})
	return found
}

// floorInBrackets returns what is said of a cell whose brackets do not match because // was meant as a quotient, with
// the offset of the first such comment; it is empty where that is not the reason.
func (s *Session) floorInBrackets(cell int, src string) (msg string, at int) {
	var comments []int
	eachComment(src, func(at, code int, text string) {
		depth := 0
		for _, c := range text {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
			if depth < 0 {
				comments = append(comments, at)
				return
			}
		}
	})
	if len(comments) == 0 || s.operators == nil || s.operators.off {
		return "", 0
	}
	write, ok := s.quotients(cell, src, comments)
	if !ok {
		return "", 0
	}
	return fmt.Sprintf("// begins a comment in Go, which hides a closing bracket here; write %s for a quotient of arrays that is rounded down", write), comments[0]
}

// quotients reads src with / in place of the // at the given offsets, and returns how the first quotient is written
// here; ok is false where it still does not parse. / has the precedence that // has in Python.
func (s *Session) quotients(cell int, src string, at []int) (write string, ok bool) {
	text := []byte(src)
	for _, i := range at {
		end := len(text)
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		for ; i+1 < end; i++ { // the comment may have more of them
			if text[i] != '/' || text[i+1] != '/' {
				continue
			}
			if text[i+1] = ' '; i+2 < end && text[i+2] == '=' {
				text[i], text[i+1] = ' ', '/'
			}
		}
	}
	pieces, bad := syntax.Split(string(text))
	if bad != nil {
		return "", false
	}
	fset := token.NewFileSet()
	from, file, diags := s.parseCell(fset, cell, string(text), pieces)
	if diags != nil {
		return "", false
	}
	offset := func(p token.Pos) int { return from.Offset(int(p - file.FileStart)) }
	of := func(e ast.Expr) string { return src[offset(e.Pos()):offset(e.End())] }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.QUO && offset(n.OpPos) == at[0] {
				write = fmt.Sprintf("np.FloorDivide(%s, %s)", of(n.X), of(n.Y))
			}
		case *ast.AssignStmt:
			if n.Tok == token.QUO_ASSIGN && offset(n.TokPos) == at[0]+1 {
				write = fmt.Sprintf("%[1]s = np.FloorDivide(%[1]s, %[2]s)", of(n.Lhs[0]), of(n.Rhs[0]))
			}
		}
		return true
	})
	return write, write != ""
}

// operandComment is a comment that is an expression.
type operandComment struct {
	at   int // offset of //
	text string
	expr ast.Expr
}

// operandComments are the comments of src that are an expression of names and numbers, by the offset at which the code
// before them on the line ends.
func operandComments(src string) map[int]operandComment {
	var found map[int]operandComment
	eachComment(src, func(at, code int, text string) {
		text = strings.TrimSpace(strings.TrimPrefix(text, "="))
		if len(text) > 60 {
			return
		}
		x, err := parser.ParseExpr(text)
		if err != nil || !isOperandText(x) {
			return
		}
		if found == nil {
			found = map[int]operandComment{}
		}
		found[code] = operandComment{at, text, x}
	})
	return found
}

// eachComment calls f for the comments of src that begin with // behind code: with the offset of //, that of the end of
// the code, and the text behind //.
func eachComment(src string, f func(at, code int, text string)) {
	if !strings.Contains(src, "//") {
		return
	}
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return
		}
		if tok != token.COMMENT || !strings.HasPrefix(lit, "//") {
			continue
		}
		at := file.Offset(pos)
		line := strings.LastIndexByte(src[:at], '\n') + 1
		if code := strings.TrimRight(src[line:at], " \t,"); code != "" {
			f(at, line+len(code), strings.TrimSpace(lit[2:]))
		}
	}
}

// isOperandText reports whether x is of names and numbers alone, with elements of names and their lengths.
func isOperandText(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.ParenExpr, *ast.UnaryExpr, *ast.BinaryExpr, *ast.IndexExpr, *ast.SliceExpr:
		case *ast.CallExpr:
			id, named := n.Fun.(*ast.Ident)
			ok = ok && named && id.Name == "len" && len(n.Args) == 1
		case *ast.BasicLit:
			ok = ok && (n.Kind == token.INT || n.Kind == token.FLOAT)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// isOperand reports whether all names of x, read at pos, are variables or constants that are numbers or arrays.
func (s *Session) isOperand(c *checked, pos token.Pos, x ast.Expr) bool {
	scope := c.pkg.Scope().Innermost(pos)
	if scope == nil {
		scope = c.pkg.Scope()
	}
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall { // of len
			ok = ok && s.isOperand(c, pos, call.Args[0])
			return false
		}
		id, isName := n.(*ast.Ident)
		if !isName || !ok {
			return ok
		}
		_, obj := scope.LookupParent(id.Name, pos)
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
