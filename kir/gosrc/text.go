package gosrc

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that a session adds to functions, in tests by which it stops them, hold a dot that is not a letter. Text leaves
// those out.
const added, letter = "·", "ˑ"

// Text returns the source of f's declaration by line, as gofmt writes it, and the name of its file as positions of
// kernels have it. It returns nil for a function without source.
func (f *Func) Text() (file string, lines map[int]string) {
	if f.source == nil || f.fn == nil || f.source.Body == nil {
		return "", nil
	}
	decl, _ := f.source.Body(f.fn.Origin())
	if decl == nil {
		return "", nil
	}
	var out bytes.Buffer
	c := printer.Config{Mode: printer.TabIndent, Tabwidth: 8}
	if c.Fprint(&out, f.source.Fset, decl) != nil {
		return "", nil
	}
	// Both trees have the same nodes in the same order: they tell which line stands where.
	fset := token.NewFileSet()
	text := strings.ReplaceAll(out.String(), added, letter)
	again, err := parser.ParseFile(fset, "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil || len(again.Decls) != 1 {
		return "", nil
	}
	printed, from := nodes(again.Decls[0]), nodes(decl)
	if len(printed) != len(from) {
		return "", nil
	}
	line := map[int]int{} // in the source, by line as printed
	hidden := map[int]bool{}
	ast.Inspect(again.Decls[0], func(n ast.Node) bool {
		if test, ok := n.(*ast.IfStmt); ok {
			if cond, ok := test.Cond.(*ast.Ident); ok && strings.Contains(cond.Name, letter) {
				for at := fset.Position(test.Pos()).Line; at <= fset.Position(test.End()).Line; at++ {
					hidden[at-1] = true
				}
			}
		}
		return true
	})
	for i, n := range printed {
		for k := range n {
			at := fset.Position(n[k]).Line - 1
			if was := f.source.Fset.Position(from[i][k]); was.IsValid() && line[at] == 0 {
				line[at] = was.Line
			}
		}
	}
	file, lines = f.source.Fset.Position(decl.Pos()).Filename, map[int]string{}
	if decl.Name.Pos() == decl.Type.Func { // a literal, which has no name
		text = strings.Replace(text, "func "+decl.Name.Name+"(", "func(", 1)
	}
	for i, text := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		at, ok := line[i+1]
		if !ok || hidden[i+1] || strings.TrimSpace(text) == "" {
			continue
		}
		if old := lines[at]; old != "" { // the source has more in its line
			text = joined(old, strings.TrimSpace(text))
		}
		lines[at] = text
	}
	return file, lines
}

// joined are two lines of gofmt's in one, with the semicolon that the end of the first one stood for (The Go
// Programming Language Specification, "Semicolons").
func joined(a, b string) string {
	switch last := a[len(a)-1]; {
	case b[0] == '}', b[0] == ')': // may be left out there
	case last == '_', last >= utf8.RuneSelf, strings.IndexByte(")]}\"'`", last) >= 0, unicode.IsLetter(rune(last)),
		unicode.IsDigit(rune(last)), strings.HasSuffix(a, "++"), strings.HasSuffix(a, "--"):
		return a + "; " + b
	}
	return a + " " + b
}

// nodes returns where each node below root begins and ends; both are of tokens.
func nodes(root ast.Node) (out [][2]token.Pos) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.BlockStmt:
			out = append(out, [2]token.Pos{n.Lbrace, n.Rbrace})
		default:
			out = append(out, [2]token.Pos{n.Pos(), n.Pos()})
		}
		return true
	})
	return out
}
