package docs

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	gopath "path"
	"strings"
)

// maxExample is how many lines an example may have, its output included: longer ones explain more than how a name
// is used.
const maxExample = 16

// Examples returns the shortest example that files of tests have for each name ("Sum", "Array.At"), as a block of
// code of a comment: indented by a tab, with its output below. Packages are called what called returns for their
// paths, as in [Format].
func Examples(files []string, called func(path string) string) (map[string]string, error) {
	out := map[string]string{}
	var syntax []*ast.File
	fset, helpers := token.NewFileSet(), map[string]bool{} // what the files declare besides, which cells do not have
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				helpers[d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						helpers[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							helpers[name.Name] = true
						}
					}
				}
			}
		}
	}
	for _, f := range syntax {
		renamed := packageNames(f, called)
		for _, e := range doc.Examples(f) {
			if uses(e.Code, helpers) {
				continue
			}
			text, err := exampleText(fset, e, renamed)
			if err != nil {
				return nil, err
			}
			of := strings.Replace(e.Name, "_", ".", 1)
			if text == "" || strings.Count(text, "\n") > maxExample || out[of] != "" && len(out[of]) <= len(text) {
				continue
			}
			out[of] = text
		}
	}
	return out, nil
}

// uses reports whether code has any of the names, unqualified.
func uses(code ast.Node, names map[string]bool) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || uses(n.X, names)
			return false
		case *ast.KeyValueExpr: // a key may be a field
			found = found || uses(n.Value, names)
			return false
		case *ast.Ident:
			found = found || names[n.Name]
		}
		return true
	})
	return found
}

// packageNames returns the names that a file's imports have in it and not in cells.
func packageNames(f *ast.File, called func(path string) string) map[string]string {
	names := map[string]string{}
	for _, imp := range f.Imports {
		path := strings.Trim(imp.Path.Value, "`\"")
		here := gopath.Base(path)
		if imp.Name != nil {
			here = imp.Name.Name
		}
		if known := called(path); known != "" && known != here {
			names[here] = known
		}
	}
	return names
}

// exampleText writes an example's statements as a cell has them; "" where they are not a block.
func exampleText(fset *token.FileSet, e *doc.Example, renamed map[string]string) (string, error) {
	block, ok := e.Code.(*ast.BlockStmt)
	if !ok {
		return "", nil
	}
	ast.Inspect(block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && renamed[id.Name] != "" {
				id.Name = renamed[id.Name]
			}
		}
		return true
	})
	var b bytes.Buffer
	if err := format.Node(&b, fset, block); err != nil {
		return "", err
	}
	code := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(b.String(), "{"), "}"))
	var out strings.Builder
	for line := range strings.Lines(code) {
		line = strings.TrimSuffix(strings.TrimPrefix(line, "\t"), "\n")
		if strings.HasPrefix(line, "// Output:") || strings.HasPrefix(line, "// Unordered output:") {
			break
		}
		out.WriteString("\t" + line + "\n")
	}
	for line := range strings.Lines(strings.TrimRight(e.Output, "\n")) {
		out.WriteString("\t// " + strings.TrimRight(line, "\n") + "\n")
	}
	return out.String(), nil
}
