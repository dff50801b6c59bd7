package syntax

import (
	"fmt"
	"go/ast"
	"go/token"
)

// What is nested deeper than people write is refused: every step of the way recurses over the tree, some costs grow
// with the square of the depth (the texts of types, the scopes of names), and a stack that overflows ends the process.
const (
	MaxBrackets = 500    // open at a place
	maxNesting  = 100    // of types in types, and of indices in indices, which may be type arguments
	maxDepth    = 20_000 // of the tree, with these weights
	// of a step that goes on with a chain, as x + x + x: calls of arrays' methods cost the square of its length
	chainWeight = 5
	innerWeight = 20 // of other steps
)

// tooManyBrackets is the message for a cell with more than maxBrackets open brackets.
var tooManyBrackets = fmt.Sprintf("brackets are nested deeper than %d here; name the inner parts, or move them into functions", MaxBrackets)

// depthVisitor walks a tree and keeps the first place that is too deep.
type depthVisitor struct {
	way  []depth // from the root to where it is
	deep token.Pos
}

// depth is how deep a node is.
type depth struct {
	node         ast.Node
	depth, types int
}

// tooDeep returns the first place of a tree, of a text of so many bytes, that is nested too deep; token.NoPos when none
// is.
func tooDeep(root ast.Node, bytes int) token.Pos {
	if bytes <= maxNesting { // each level takes one at least
		return token.NoPos
	}
	v := &depthVisitor{way: make([]depth, 1, 64)}
	ast.Walk(v, root)
	return v.deep
}

// Visit implements ast.Visitor. It is called without a node at the end of each.
func (v *depthVisitor) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		v.way = v.way[:len(v.way)-1]
		return nil
	}
	if v.deep.IsValid() {
		return nil
	}
	in := v.way[len(v.way)-1]
	if inChain(in.node, n) {
		in.depth += chainWeight
	} else {
		in.depth += innerWeight
		if nests(n) {
			in.types++
		}
	}
	if in.depth > maxDepth || in.types > maxNesting {
		v.deep = n.Pos()
		return nil
	}
	switch n.(type) {
	case *ast.BlockStmt, *ast.CompositeLit: // what is inside are other types
		in.types = 0
	}
	in.node = n
	v.way = append(v.way, in)
	return v
}

// inChain reports whether n goes on with the chain that its parent is a part of: the left operand of an operator, what
// is called, indexed or selected from, and the next condition of an if.
func inChain(parent, n ast.Node) bool {
	switch p := parent.(type) {
	case *ast.BinaryExpr:
		return p.X == n
	case *ast.SelectorExpr:
		return p.X == n
	case *ast.CallExpr:
		return p.Fun == n
	case *ast.IndexExpr:
		return p.X == n
	case *ast.SliceExpr:
		return p.X == n
	case *ast.IfStmt:
		return p.Else == n
	}
	return false
}

// nests reports whether n is an index or a type made of others.
func nests(n ast.Node) bool {
	switch n.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType,
		*ast.StructType, *ast.InterfaceType, *ast.Ellipsis:
		return true
	}
	return false
}
