package program

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// Program is the files of a package main.
type Program struct {
	// Source is all files as one text, which begins with a package clause.
	Source string
	files  []file
}

type file struct {
	name  string
	first int // its first line in Source, from 1
	lines []string
}

// Read reads a program: the Go files that are named, or those of a directory that are for this system, tests left out.
// A file that does not parse, or belongs to another package than main, is an error.
func Read(paths []string) (*Program, error) {
	if len(paths) == 1 {
		if info, err := os.Stat(paths[0]); err == nil && info.IsDir() {
			if paths, err = filesOf(paths[0]); err != nil {
				return nil, err
			}
		}
	}
	m := merger{imports: map[string]string{}}
	for _, name := range paths {
		src, err := budget.ReadFile(name, "the file", budget.SourceFile)
		if err != nil {
			return nil, err
		}
		if err := m.add(name, string(src)); err != nil {
			return nil, err
		}
	}
	return &m.Program, nil
}

// Dir is the directory that the program's package is in.
func (p *Program) Dir() (string, error) {
	if len(p.files) == 0 {
		return "", errors.New("the program has no files")
	}
	return filepath.Abs(filepath.Dir(p.files[0].name))
}

// Is reports whether src begins with a package clause: it is a file of a program rather than the code of cells.
func Is(src string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	_, tok, _ := sc.Scan()
	return tok == token.PACKAGE
}

// filesOf lists the files of the program in a directory.
func filesOf(dir string) ([]string, error) {
	if err := budget.RegularFiles(filepath.Join(dir, "*.go"), budget.SourceFile); err != nil {
		return nil, err
	}
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	switch {
	case len(pkg.CgoFiles) > 0:
		return nil, fmt.Errorf("%s uses cgo: the session runs pure Go only", filepath.Join(dir, pkg.CgoFiles[0]))
	case len(pkg.SFiles) > 0:
		return nil, fmt.Errorf("%s is assembly: the session runs pure Go only", filepath.Join(dir, pkg.SFiles[0]))
	}
	var paths []string
	for _, name := range pkg.GoFiles {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths, nil
}

// merger puts files together.
type merger struct {
	Program
	imports map[string]string // paths by name
	dots    []string
	embeds  bool // a file system
}

// edit replaces src[from:to].
type edit struct {
	from, to int
	text     string
}

func (m *merger) add(name, src string) error {
	if strings.HasPrefix(src, "#!") {
		src = "//" + src[2:]
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return fmt.Errorf("%s", withSource(list[0].Pos, list[0].Msg, src))
		}
		return err
	}
	if f.Name.Name != "main" {
		return fmt.Errorf("%s belongs to package %s; a program is package main", name, f.Name.Name)
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	edits, err := m.embedded(fset, f, filepath.Dir(name))
	if err != nil {
		return err
	}
	blank := func(n ast.Node) { edits = append(edits, edit{at(n.Pos()), at(n.End()), ""}) }
	if len(m.files) > 0 {
		edits = append(edits, edit{at(f.Package), at(f.Name.End()), ""})
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			imp := spec.(*ast.ImportSpec)
			again, as := m.imported(imp)
			switch {
			case again && !g.Lparen.IsValid():
				blank(g)
			case again:
				blank(imp)
			case as != "":
				old := importName(imp)
				edits = append(edits, edit{at(imp.Pos()), at(imp.Path.Pos()), as + " "})
				for _, id := range f.Unresolved {
					if id.Name == old {
						edits = append(edits, edit{at(id.Pos()), at(id.End()), as})
					}
				}
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	first := strings.Count(m.Source, "\n") + 1
	done := 0
	for _, e := range edits {
		m.Source += src[done:e.from] + e.text
		done = e.to
	}
	m.Source += strings.TrimSuffix(src[done:], "\n") + "\n"
	m.files = append(m.files, file{name, first, strings.Split(src, "\n")})
	return nil
}

// imported notes an import. It reports whether an earlier file has it, and the name that it needs when an earlier file
// has another import of its name.
func (m *merger) imported(imp *ast.ImportSpec) (again bool, as string) {
	p, _ := strconv.Unquote(imp.Path.Value)
	name := importName(imp)
	switch name {
	case "_":
		return false, ""
	case ".":
		again = slices.Contains(m.dots, p)
		m.dots = append(m.dots, p)
		return again, ""
	}
	for n := 2; ; n++ {
		switch have, ok := m.imports[cmp.Or(as, name)]; {
		case !ok:
			m.imports[cmp.Or(as, name)] = p
			return false, as
		case have == p && as == "":
			return true, ""
		}
		as = name + "_" + strconv.Itoa(n)
	}
}

var version = lazyregexp.New(`^v[0-9]+$`)

// importName is the name that an import most likely declares: the package itself is not looked at.
func importName(imp *ast.ImportSpec) string {
	if imp.Name != nil {
		return imp.Name.Name
	}
	p, _ := strconv.Unquote(imp.Path.Value)
	if base := path.Base(p); !version.MatchString(base) {
		return base
	}
	return path.Base(path.Dir(p))
}

// Where returns the file and line of a line of Source.
func (p *Program) Where(line int) (name string, n int) {
	for _, f := range slices.Backward(p.files) {
		if line >= f.first {
			return f.name, line - f.first + 1
		}
	}
	return "", line
}

// text returns a line of a file as it is written there.
func (p *Program) text(line int) string {
	for _, f := range slices.Backward(p.files) {
		if n := line - f.first; n >= 0 && n < len(f.lines) {
			return strings.TrimRight(f.lines[n], "\r")
		}
	}
	return ""
}

// withSource is an error with the line that it is in.
func withSource(pos token.Position, msg, src string) string {
	lines := strings.Split(src, "\n")
	out := fmt.Sprintf("%s: %s", pos, msg)
	if pos.Line >= 1 && pos.Line <= len(lines) {
		out += "\n    " + lines[pos.Line-1]
	}
	return out
}
