// Package answers has a solution of each puzzle: compiled, so that puzzles have pictures of what their threads do and
// tests launch them, and as text, which a reader gets who asks for it.
//
// Start with [All]. zz_kernels.go is written by go generate after each change of this package.
package answers

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/arrayrepl/arrayrepl/gpu"
)

//go:generate go run github.com/arrayrepl/arrayrepl/gpu/kernelgen

//go:embed simple.go shared.go
var text embed.FS

// Answer is the solution of a puzzle.
type Answer struct {
	Func   any // the Go function
	Kernel *gpu.Function
	file   string
}

// All are the solutions, in the order of the puzzles.
func All() []Answer {
	const simple, shared = "simple.go", "shared.go"
	return []Answer{
		{Square, gpu.Kernel(Square), simple},
		{Apart, gpu.Kernel(Apart), simple},
		{Halve, gpu.Kernel(Halve), simple},
		{Brighten, gpu.Kernel(Brighten), simple},
		{Table, gpu.Kernel(Table), simple},
		{Stride, gpu.Kernel(Stride), simple},
		{Rotate, gpu.Kernel(Rotate), shared},
		{Neighbours, gpu.Kernel(Neighbours), shared},
		{Dot, gpu.Kernel(Dot), shared},
		{Convolve, gpu.Kernel(Convolve), shared},
		{RunningSums, gpu.Kernel(RunningSums), shared},
		{RowSums, gpu.Kernel(RowSums), shared},
		{Transpose, gpu.Kernel(Transpose), shared},
		{Product, gpu.Kernel(Product), shared},
		{Count, gpu.Kernel(Count), shared},
	}
}

// Text returns the source of the answer.
func (a Answer) Text() string {
	b, err := text.ReadFile(a.file)
	if err != nil {
		panic(err) // it is embedded
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, a.file, b, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == a.Kernel.Func().Name {
			return string(b[fset.Position(fn.Pos()).Offset:fset.Position(fn.End()).Offset])
		}
	}
	panic(fmt.Errorf("%s is not in %s", a.Kernel, a.file))
}
