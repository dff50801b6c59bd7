package operators

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// noteChain notes a comparison whose left side is one without parentheses: 1 < x < 3, which Go takes for (1 < x) < 3,
// and x > 1 & x < 4, where & binds tighter than both. On arrays each would give answers to another question.
func (r *rewriter) noteChain(n *ast.BinaryExpr) {
	left, ok := n.X.(*ast.BinaryExpr)
	if !ok || !compares(n.Op) || !compares(left.Op) {
		return
	}
	if first, ok := left.X.(*ast.BinaryExpr); ok && compares(first.Op) {
		return // left is such a comparison, and refused
	}
	text := types.ExprString
	if middle, ok := left.Y.(*ast.BinaryExpr); ok && (middle.Op == token.AND || middle.Op == token.OR || middle.Op == token.XOR) {
		r.chained[n] = fmt.Sprintf("(%s %s %s) %s (%s %s %s)", text(left.X), left.Op, text(middle.X), middle.Op, text(middle.Y), n.Op, text(n.Y))
		return
	}
	r.chained[n] = fmt.Sprintf("(%s) & (%s %s %s)", text(left), text(left.Y), n.Op, text(n.Y))
}

func compares(op token.Token) bool { return op.Precedence() == token.EQL.Precedence() }
