package program

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// embedded are the edits that give variables with a go:embed line their values: the program becomes one text, which
// embeds nothing. A string or a slice of bytes is one file, an embed.FS several.
func (m *merger) embedded(fset *token.FileSet, f *ast.File, dir string) (edits []edit, err error) {
	at := func(p token.Pos) int { return fset.Position(p).Offset }
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
			value, err := embeddedValue(f, spec, dir, pattern)
			if err == nil && isFS(f, spec.Type) && !m.embeds {
				m.embeds = true
				text := "import " + unsafeOfEmbed + ` "unsafe"`
				if len(m.files) == 0 { // else the package clause is left out
					text = "; " + text
				}
				edits = append(edits, edit{at(f.Name.End()), at(f.Name.End()), text})
			}
			if err != nil {
				return nil, fmt.Errorf("%s: go:embed %s: %w", fset.Position(spec.Pos()), pattern, err)
			}
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

// embeddedValue is the text of what a variable is given.
func embeddedValue(f *ast.File, spec *ast.ValueSpec, dir, pattern string) (string, error) {
	if len(spec.Names) != 1 || len(spec.Values) > 0 {
		return "", errors.New("the line must stand before one variable without a value")
	}
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
	system := isFS(f, spec.Type)
	if form == "" && !system {
		return "", errors.New("the variable must be a string, a []byte or an embed.FS")
	}
	names, err := modules.EmbeddedFiles(dir, patternsOf(pattern))
	if err != nil {
		return "", err
	}
	if !system {
		if len(names) != 1 {
			return "", fmt.Errorf("it must match one file below %s, and matches %d", dir, len(names))
		}
		raw, err := embeddedFile(dir, names[0])
		return fmt.Sprintf(form, raw), err
	}
	entries, err := systemEntries(dir, names)
	if err != nil {
		return "", err
	}
	const file = "struct { name, data string; hash [16]byte }" // as embed.FS has them
	return fmt.Sprintf("func() (f %[1]s) { files := []%[2]s{%[3]s}; *(**[]%[2]s)(%[4]s.Pointer(&f)) = &files; return f }()",
		types.ExprString(spec.Type), file, entries, unsafeOfEmbed), nil
}

// unsafeOfEmbed is the name of package unsafe in files that embed a file system.
const unsafeOfEmbed = "unsafe_of_embed"

// isFS reports whether t is embed.FS.
func isFS(f *ast.File, t ast.Expr) bool {
	sel, ok := t.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "FS" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool {
		return imp.Path.Value == `"embed"` && importName(imp) == pkg.Name
	})
}

// patternsOf are the patterns of a go:embed line: words, or quoted as Go's strings are.
func patternsOf(line string) (patterns []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			pattern, _ := strconv.Unquote(quoted)
			patterns, line = append(patterns, pattern), line[len(quoted):]
			continue
		}
		end := strings.IndexFunc(line, unicode.IsSpace)
		if end < 0 {
			end = len(line)
		}
		patterns, line = append(patterns, line[:end]), line[end:]
	}
	return patterns
}

// embeddedFile is the text of a file as a string of Go.
func embeddedFile(dir, name string) (string, error) {
	name = filepath.Join(dir, filepath.FromSlash(name))
	raw, err := budget.ReadRegular(name, name, budget.SourceFile)
	return strconv.Quote(string(raw)), err
}

// systemEntries are the elements of the list of files and directories that an embed.FS is, in the order of embed.FS: by
// directory, then by name.
func systemEntries(dir string, names []string) (string, error) {
	data := map[string]string{}
	for _, name := range names {
		text, err := embeddedFile(dir, name)
		if err != nil {
			return "", err
		}
		data[name] = text
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			data[up+"/"] = `""`
		}
	}
	all := slices.SortedFunc(maps.Keys(data), func(a, b string) int {
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
		return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(path.Base(a), path.Base(b)))
	})
	var list strings.Builder
	for _, name := range all {
		fmt.Fprintf(&list, "{%q, %s, [16]byte{}}, ", name, data[name])
	}
	return list.String(), nil
}
