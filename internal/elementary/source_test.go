package elementary

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// allowedMath are the exact operations of package math, and constants.
var allowedMath = map[string]bool{
	"Abs": true, "Copysign": true, "FMA": true, "Floor": true, "Sqrt": true, "Trunc": true, "Inf": true, "NaN": true, "Signbit": true,
	"Float64bits": true, "Float64frombits": true, "Float32bits": true, "Float32frombits": true,
	"MaxFloat64": true, "MaxFloat32": true, "Log2E": true, "Ln2": true, "Pi": true,
}

// TestNothingIsFused asks the compiler for arm64, which fuses a product into a sum wherever the language lets it
// (across assignments and inlined calls too), to name the places where it does. Explicit FMAs are not among them.
func TestNothingIsFused(t *testing.T) {
	testsize.InTurn(t, 0) // the runtime is compiled for that machine too
	command := exec.Command("go", "build", "-gcflags=-d=fmahash=vy", ".")
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(out) > 0 {
		t.Errorf("a product needs a conversion:\n%s", out)
	}
}

// TestOnlyExactOperations: the bits of a result may not depend on an inexact function of package math. A product that
// is an operand of a sum stands in a conversion or in an FMA, also where no compiler fuses it today.
func TestOnlyExactOperations(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "math" && !allowedMath[n.Sel.Name] {
					t.Errorf("%v: math.%s is not an exact operation", set.Position(n.Pos()), n.Sel.Name)
				}
			case *ast.BinaryExpr:
				if (n.Op == token.ADD || n.Op == token.SUB) && (isProduct(n.X) || isProduct(n.Y)) {
					t.Errorf("%v: a product feeds a sum", set.Position(n.Pos()))
				}
			case *ast.AssignStmt:
				if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && isProduct(n.Rhs[0]) {
					t.Errorf("%v: a product feeds a sum", set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if files < 10 {
		t.Errorf("looked at %d files only", files)
	}
}

// isProduct also looks through parentheses and signs. Twice a number is exact.
func isProduct(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isProduct(e.X)
	case *ast.UnaryExpr:
		return isProduct(e.X)
	case *ast.BinaryExpr:
		two, ok := e.X.(*ast.BasicLit)
		return e.Op == token.MUL && !(ok && two.Value == "2")
	}
	return false
}
