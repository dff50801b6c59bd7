package program

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
)

// Beside says which file of the program's directory, not one of those that were read, declares a name that the program
// lacks; "" when none does. Whoever names one file of a program may mean all.
func (p *Program) Beside(e *interp.Error) string {
	var lacking []string
	for _, d := range e.Diagnostics {
		name, ok := strings.CutPrefix(d.Message, "undefined: ")
		if name, _, _ = strings.Cut(name, ";"); ok {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) == 0 || len(p.files) == 0 {
		return ""
	}
	dir := filepath.Dir(p.files[0].name)
	paths, _ := filesOf(dir) // the error is one of files that are not the program's
	for _, path := range paths {
		if slices.ContainsFunc(p.files, func(f file) bool { return filepath.Clean(f.name) == path }) {
			continue
		}
		for _, name := range declaredNames(path) {
			if slices.Contains(lacking, name) {
				return fmt.Sprintf("%s declares %s; to run all files of the directory: arrayrepl run %s", path, name, dir)
			}
		}
	}
	return ""
}

// declaredNames lists the names that a file of package main declares at its top, methods left out.
func declaredNames(path string) (names []string) {
	f, _ := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if f == nil || f.Name.Name != "main" {
		return nil
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return names
}
