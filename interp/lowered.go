package interp

import (
	"go/ast"
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp/operators"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// lowered is a cell made ready for the checker, with what the check finds out of it.
type lowered struct {
	*syntax.Tree

	late     []*lateMethod    // methods of earlier cells' types
	fields   []*types.Var     // unexported ones of earlier cells' structs, of which the cell has literals without keys
	edits    []operators.Edit // what the operators of arrays became
	explicit map[string]bool  // names of the cell's own imports
	slots    [][]string       // the variables of each declaring step, in the order of execution; known after the check
}

// lower makes a cell ready for the checker.
func (s *Session) lower(text *syntax.Source, file *ast.File) (*lowered, []Diagnostic) {
	tree, diags := syntax.Lower(text, file, s.isVar)
	if len(diags) > 0 {
		return nil, diags
	}
	return &lowered{Tree: tree}, nil
}

// DeclaredFunctions returns the names of the functions that a cell declares, methods left out, in their order. Of a
// cell that is a whole program, with a package clause, there are none: it runs its main itself.
func DeclaredFunctions(src string) []string { return syntax.DeclaredFunctions(src) }
