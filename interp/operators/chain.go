package operators

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// In Go, as in Python, & and | bind tighter than comparisons, and ! tighter than both: 1 < x < 3, x > 1 & x < 4 and
// !x > 2 are (1 < x) < 3, (x > (1 & x)) < 4 and (!x) > 2. On arrays each would be the answer to another question, so
// they are refused with the spelling of what was meant.

// chained is a comparison that may not be what was meant.
type chained struct {
	want string // the spelling that says it
	not  bool   // of ! before its left side; else of comparisons and truths beside one another
}

// noteChain notes such a comparison, as long as its operands are as they were written.
func (r *rewriter) noteChain(n *ast.BinaryExpr) {
	if !compares(n.Op) || r.inChain[n] {
		return
	}
	ops, operands := []token.Token{n.Op}, []ast.Expr{n.Y}
	left := n.X
	for {
		inner, ok := left.(*ast.BinaryExpr)
		if !ok || !compares(inner.Op) {
			break
		}
		r.inChain[inner] = true
		ops, operands, left = append(ops, inner.Op), append(operands, inner.Y), inner.X
	}
	if not, ok := left.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		if _, truth := ast.Unparen(not.X).(*ast.BinaryExpr); !truth {
			x := asText(not.X)
			r.chained[n] = chained{fmt.Sprintf("!(%[1]s %[2]s %[3]s) or (!%[1]s) %[2]s %[3]s", x, n.Op, asText(n.Y)), true}
			if len(ops) == 1 {
				return
			}
		}
	}
	operands = append(operands, left)
	mixed := slices.ContainsFunc(operands, func(e ast.Expr) bool { return hasJoin(e) && r.hasTruth(e) })
	switch {
	case len(ops) == 1 && !mixed:
		return
	case len(ops) == 2 && !mixed && r.isTruth(n.Y):
		r.chained[n] = chained{want: fmt.Sprintf("(%s) %s %s", asText(n.X), n.Op, asText(n.Y))}
		return
	}
	slices.Reverse(ops)
	slices.Reverse(operands)
	const most = 5 // comparisons that a message spells: it is not to be as long as the cell
	if len(ops) > most {
		r.chained[n] = chained{want: spell(operands[:most+1], ops[:most]) + " & …"}
		return
	}
	r.chained[n] = chained{want: spell(operands, ops)}
}

// hasJoin reports whether e is cut by & | ^ of which no parentheses say what they join.
func hasJoin(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && (joins(b.Op) || hasJoin(b.X) || hasJoin(b.Y))
}

// hasTruth reports whether an operand of an operator of e is a truth for each element.
func (r *rewriter) hasTruth(e ast.Expr) bool {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return r.hasTruth(b.X) || r.hasTruth(b.Y)
	}
	return r.isTruth(e)
}

// sections is the text of an operand, cut at its operators & | ^ outside of parentheses.
type sections struct {
	text   []string
	joins  []token.Token
	single map[int]bool // sections without an operator
}

func sectionsOf(e ast.Expr) sections {
	s := sections{text: []string{""}, single: map[int]bool{}}
	var walk func(e ast.Expr)
	walk = func(e ast.Expr) {
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			last := len(s.text) - 1
			s.single[last] = s.text[last] == ""
			s.text[last] += asText(e)
			return
		}
		walk(b.X)
		if joins(b.Op) {
			s.text, s.joins = append(s.text, ""), append(s.joins, b.Op)
		} else {
			s.text[len(s.text)-1] += " " + b.Op.String() + " "
		}
		walk(b.Y)
	}
	walk(e)
	return s
}

// spell writes comparisons of neighbours in parentheses, joined as the sections of their operands are, and by & where
// an operand is one section.
func spell(operands []ast.Expr, ops []token.Token) string {
	var out strings.Builder
	alone := func(s sections, i int) { // a section that no comparison takes
		if s.single[i] {
			out.WriteString(s.text[i])
		} else {
			fmt.Fprintf(&out, "(%s)", s.text[i])
		}
	}
	first := sectionsOf(operands[0])
	for i, join := range first.joins {
		alone(first, i)
		fmt.Fprintf(&out, " %s ", join)
	}
	left := first.text[len(first.joins)]
	for i, op := range ops {
		s := sectionsOf(operands[i+1])
		fmt.Fprintf(&out, "(%s %s %s)", left, op, s.text[0])
		last := len(s.joins)
		left = s.text[last]
		for k, join := range s.joins {
			if fmt.Fprintf(&out, " %s ", join); k+1 < last || i+1 == len(ops) {
				alone(s, k+1)
			}
		}
		if last == 0 && i+1 < len(ops) {
			out.WriteString(" & ")
		}
	}
	return out.String()
}

// truthNames are methods and functions whose result is a truth for each element.
var truthNames = map[string]bool{
	"Eq": true, "Ne": true, "Lt": true, "Le": true, "Gt": true, "Ge": true, "Not": true, "Equal": true, "NotEqual": true, "Less": true,
	"LessEqual": true, "Greater": true, "GreaterEqual": true, "IsNaN": true, "IsInf": true, "IsFinite": true, "IsClose": true, "IsIn": true,
	"LogicalAnd": true, "LogicalOr": true, "LogicalXor": true, "LogicalNot": true, "SignBit": true,
}

// isTruth reports whether e is a truth for each element by what stands there, or by what its name was defined as.
func (r *rewriter) isTruth(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.isTruth(e.X)
	case *ast.BinaryExpr:
		return compares(e.Op) || joins(e.Op) && r.isTruth(e.X) && r.isTruth(e.Y)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false" || r.truths[r.info.ObjectOf(e)]
	case *ast.CallExpr:
		switch f := ast.Unparen(e.Fun).(type) {
		case *ast.SelectorExpr:
			return truthNames[f.Sel.Name]
		case *ast.Ident:
			return f.Name == indexName && r.isTruth(e.Args[0])
		}
	case *ast.IndexExpr:
		return r.isTruth(e.X)
	case *ast.SliceExpr:
		return r.isTruth(e.X)
	}
	return false
}

// noteTruths notes which variables are defined by truths alone.
func (r *rewriter) noteTruths(file *ast.File) {
	note := func(lhs, value ast.Expr) {
		if id, ok := lhs.(*ast.Ident); ok {
			if obj := r.info.ObjectOf(id); obj != nil {
				truth, again := r.truths[obj]
				r.truths[obj] = (truth || !again) && r.isTruth(value)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN) {
					note(lhs, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Names) == len(n.Values) {
					note(name, n.Values[i])
				}
			}
		}
		return true
	})
}

// asText writes e as a cell has it, with the indices that stand for what Go's parser refuses.
func asText(e ast.Expr) string {
	const mark, letter = "·", "ʗ" // of the names of package operators, and what a name may have in it
	text := types.ExprString(e)
	if !strings.Contains(text, mark) {
		return text
	}
	e, err := parser.ParseExpr(strings.ReplaceAll(text, mark, letter))
	if err != nil {
		return text
	}
	marked := func(name string) string { return strings.ReplaceAll(name, mark, letter) }
	root := &ast.ParenExpr{X: e}
	astutil.Apply(root, nil, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.Ident:
			switch n.Name {
			case marked(dotsName):
				n.Name = "..."
			case marked(noneName):
				n.Name = ""
			}
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			if !ok || id.Name != marked(indexName) && id.Name != marked(sliceName) {
				break
			}
			parts := make([]string, len(n.Args))
			for i, a := range n.Args {
				parts[i] = types.ExprString(a)
			}
			if id.Name == marked(sliceName) {
				c.Replace(ast.NewIdent(strings.Join(parts, ":")))
			} else {
				c.Replace(ast.NewIdent(parts[0] + "[" + strings.Join(parts[1:], ", ") + "]"))
			}
		}
		return true
	})
	return types.ExprString(root.X)
}

func compares(op token.Token) bool { return op.Precedence() == token.EQL.Precedence() }

func joins(op token.Token) bool {
	return op == token.AND || op == token.OR || op == token.XOR || op == token.AND_NOT
}
