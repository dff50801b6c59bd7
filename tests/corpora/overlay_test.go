package corpora

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// overlayOf makes files in the place of those of p whose tests mention names that nothing declares: releases of some
// modules leave files of tests out which others need. The functions that mention these names are left out, so that go
// test and sessions both run the rest.
func overlayOf(p corpusPackage, dir string) (overlay map[string]string, err error) {
	declared := map[string]bool{}
	fset := token.NewFileSet()
	parsed := map[string]*ast.File{}
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed[name] = f
		for name := range f.Scope.Objects {
			declared[name] = true
		}
	}
	overlay = map[string]string{}
	for _, name := range p.TestGoFiles {
		file := filepath.Join(p.Dir, name)
		text, changed, err := without(fset, parsed[name], declared, file)
		if err != nil || !changed {
			if err != nil {
				return nil, err
			}
			continue
		}
		overlay[file] = filepath.Join(dir, name)
		if err := os.WriteFile(overlay[file], text, 0o644); err != nil {
			return nil, err
		}
	}
	return overlay, nil
}

// without is the text of a file without the functions that mention names which are neither declared nor imported.
func without(fset *token.FileSet, f *ast.File, declared map[string]bool, file string) (text []byte, changed bool, err error) {
	if text, err = os.ReadFile(file); err != nil {
		return nil, false, err
	}
	imports := map[string]*ast.ImportSpec{}
	for _, imp := range f.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		name := path.Base(p)
		if version, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(version, "0123456789") == "" {
			name = path.Base(path.Dir(p))
		}
		if imp.Name != nil {
			name = imp.Name.Name
		}
		imports[name] = imp
	}
	var dropped []ast.Node
	used := map[string]bool{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		drop := false
		for _, id := range f.Unresolved {
			if ok && fn.Pos() <= id.Pos() && id.Pos() < fn.End() && !declared[id.Name] && imports[id.Name] == nil && types.Universe.Lookup(id.Name) == nil {
				drop = true
			}
		}
		if drop {
			dropped = append(dropped, fn)
			continue
		}
		for _, id := range f.Unresolved {
			used[id.Name] = used[id.Name] || d.Pos() <= id.Pos() && id.Pos() < d.End()
		}
	}
	if len(dropped) == 0 {
		return text, false, nil
	}
	blank := func(n ast.Node) {
		for i := fset.Position(n.Pos()).Offset; i < fset.Position(n.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	for _, fn := range dropped { // with what is written in it, as an example's output
		blank(fn)
	}
	for name, imp := range imports {
		if !used[name] && name != "_" {
			blank(imp)
		}
	}
	return text, true, nil
}
