package program

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// embedded are the edits that give variables with a go:embed line their values: the program becomes one text, which embeds
// nothing. A string or a slice of bytes is one file; a file system of several is for a package of the module.
func embedded(fset *token.FileSet, f *ast.File, dir string) (edits []edit, err error) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			doc := spec.Doc
			if doc == nil && !g.Lparen.IsValid() {
				doc = g.Doc
			}
			pattern, ok := embedPattern(doc)
			if !ok {
				continue
			}
			value, err := embeddedValue(spec, dir, pattern)
			if err != nil {
				return nil, fmt.Errorf("%s: go:embed %s: %w", fset.Position(spec.Pos()), pattern, err)
			}
			at := func(p token.Pos) int { return fset.Position(p).Offset }
			for _, c := range doc.List { // the line has been obeyed
				edits = append(edits, edit{at(c.Pos()), at(c.End()), ""})
			}
			edits = append(edits, edit{at(spec.End()), at(spec.End()), " = " + value})
		}
	}
	return edits, nil
}

// embedPattern is what follows go:embed in a comment.
func embedPattern(doc *ast.CommentGroup) (pattern string, ok bool) {
	if doc == nil {
		return "", false
	}
	for _, c := range doc.List {
		if rest, found := strings.CutPrefix(c.Text, "//go:embed "); found {
			pattern, ok = strings.TrimSpace(pattern+" "+strings.TrimSpace(rest)), true
		}
	}
	return pattern, ok
}

func embeddedValue(spec *ast.ValueSpec, dir, pattern string) (string, error) {
	form := ""
	switch t := spec.Type.(type) {
	case *ast.Ident:
		if t.Name == "string" {
			form = "%s"
		}
	case *ast.ArrayType:
		if elem, ok := t.Elt.(*ast.Ident); ok && t.Len == nil && (elem.Name == "byte" || elem.Name == "uint8") {
			form = "[]byte(%s)"
		}
	}
	switch {
	case len(spec.Names) != 1 || len(spec.Values) > 0:
		return "", fmt.Errorf("the line must stand before one variable without a value")
	case form == "":
		return "", fmt.Errorf("the program's own files may embed into a string or a []byte: let a package of the module embed a file system, and import it")
	}
	if unquoted, err := strconv.Unquote(pattern); err == nil {
		pattern = unquoted
	}
	names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil {
		return "", err
	}
	if len(names) != 1 || strings.Contains(pattern, "..") || filepath.IsAbs(pattern) {
		return "", fmt.Errorf("it must match one file below %s, and matches %d", dir, len(names))
	}
	raw, err := budget.ReadFile(names[0], names[0], budget.SourceFile)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(form, strconv.Quote(string(raw))), nil
}
