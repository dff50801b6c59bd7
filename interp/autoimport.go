package interp

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Package is a package that cells may use without importing it, under a name of its own.
type Package struct{ Name, Path string }

// preferred settles the names that several standard packages share, as a Go user would.
var preferred = map[string]string{
	"rand":     "math/rand", // not crypto/rand: notebooks want numbers
	"template": "text/template",
	"scanner":  "text/scanner",
	"pprof":    "runtime/pprof",
	"heap":     "container/heap",
	"list":     "container/list",
	"ring":     "container/ring",
	"types":    "go/types",
	"parser":   "go/parser",
	"token":    "go/token",
	"color":    "image/color",
	"zlib":     "compress/zlib",
}

// autoTable maps package names to the paths that they mean without an import. A name that several packages share, and
// that preferred does not settle, means none of them.
func autoTable(paths []string, own []Package) map[string]string {
	table := map[string]string{"unsafe": "unsafe"}
	count := map[string]int{}
	paths = append([]string(nil), paths...)
	sort.Strings(paths)
	for _, p := range paths {
		if modules.IsInternal(p) || strings.Contains(strings.Split(p, "/")[0], ".") {
			continue
		}
		name := modules.BaseName(p)
		if modules.EndsInVersion(p) {
			continue // math/rand/v2: only by import, as rand means math/rand
		}
		count[name]++
		table[name] = p
	}
	for name, n := range count {
		if n > 1 {
			delete(table, name)
			if p := preferred[name]; p != "" {
				table[name] = p
			}
		}
	}
	for _, p := range own {
		table[p.Name] = p.Path
	}
	return table
}

// addImports gives the cell's file the imports of earlier cells, and those that it needs without saying so: for each
// name before a dot, or that the cell ends with alone, that nothing else declares.
func (s *Session) addImports(l *lowered) {
	explicit := map[string]bool{}
	for _, imp := range l.File.Imports {
		explicit[s.importName(imp)] = true
	}
	l.explicit = explicit
	want := map[string]string{}
	ast.Inspect(l.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			s.lengthen(l, call)
			s.testerCall(l, call, want)
		}
		var id *ast.Ident
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, _ = n.X.(*ast.Ident)
		case *ast.Ident:
			if l.Value == ast.Expr(n) {
				id = n
			}
		}
		if id == nil || l.Names[id.Name] || explicit[id.Name] || s.names[id.Name] != nil {
			return true
		}
		if p := s.imports[id.Name]; p != "" {
			want[id.Name] = p
		} else if p := s.auto[id.Name]; p != "" && id.Obj == nil {
			want[id.Name] = p
		}
		return true
	})
	for _, p := range s.dotImports {
		want[". "+p] = p
	}
	if len(want) == 0 {
		return
	}
	decl := &ast.GenDecl{Tok: token.IMPORT, TokPos: l.File.Name.End(), Lparen: l.File.Name.End()}
	for name, p := range want {
		if strings.HasPrefix(name, ". ") {
			name = "."
		}
		spec := &ast.ImportSpec{Name: syntax.IdentAt(name, decl.TokPos), Path: &ast.BasicLit{ValuePos: decl.TokPos, Kind: token.STRING, Value: strconv.Quote(p)}}
		decl.Specs = append(decl.Specs, spec)
		l.File.Imports = append(l.File.Imports, spec)
	}
	l.File.Decls = append([]ast.Decl{decl}, l.File.Decls...)
}

// lengthen gives a call by one of Options.Short its package.
func (s *Session) lengthen(l *lowered, call *ast.CallExpr) {
	id, ok := call.Fun.(*ast.Ident)
	if !ok || id.Obj != nil || l.Names[id.Name] || s.names[id.Name] != nil {
		return
	}
	if pkg, name, ok := strings.Cut(s.opts.Short[id.Name], "."); ok {
		call.Fun = &ast.SelectorExpr{X: syntax.IdentAt(pkg, id.Pos()), Sel: syntax.IdentAt(name, id.Pos())}
	}
}

// importName is the name that an import declares in its file: its own, or the package's.
func (s *Session) importName(imp *ast.ImportSpec) string {
	if imp.Name != nil {
		return imp.Name.Name
	}
	p, _ := strconv.Unquote(imp.Path.Value)
	if pkg, err := s.importPackage(p); err == nil {
		return pkg.Name()
	}
	return modules.BaseName(p)
}

func (s *Session) importPackage(p string) (*types.Package, error) {
	switch p {
	case "unsafe":
		return types.Unsafe, nil
	case "C":
		return nil, errors.New("cgo and its C compiler are needed for that, and cells have neither")
	}
	if !s.installed[p] {
		if err := s.modules.Find(p); err != nil {
			return nil, err
		}
	}
	if s.modules.Package(p) != nil {
		if err := s.modules.MayImport(p); err != nil {
			return nil, err
		}
		return s.importModule(p)
	}
	if IsDir(p) {
		return nil, s.notADirectory(p)
	}
	if !s.installed[p] {
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
			own := ""
			if strings.HasPrefix(s.modules.Meant(p), first+"/") || strings.HasPrefix(s.auto[modules.BaseName(p)], first+"/") {
				own = s.nearest(p)
			}
			return nil, fmt.Errorf("no module of this session has the package %s: fetch it by the line %%get %s, or let imports fetch by %%autoget on%s", p, p, own)
		}
		return nil, fmt.Errorf("no package %q in this session: cells can use the standard library and the packages of this program%s", p, s.nearest(p))
	}
	return s.engine.Import(p)
}

// nearest proposes the package that was meant: one of the user's own that is imported by a longer path, or the one that
// is known by the last element of the path asked for.
func (s *Session) nearest(p string) string {
	alt := s.modules.Meant(p)
	if alt == "" {
		alt = s.auto[modules.BaseName(p)]
	}
	if alt != "" && alt != p {
		return fmt.Sprintf("; did you mean %q?", alt)
	}
	return ""
}

// notADirectory says how the package of a directory is imported.
func (s *Session) notADirectory(p string) error {
	dir := p
	if !filepath.IsAbs(p) {
		dir, _ = filepath.Abs(p) // the error is one of the working directory: none will be found
	}
	if path := s.modules.PathOf(dir); path != "" && modules.HasGoFiles(dir) {
		return fmt.Errorf("packages are imported by their paths, not by their directories: write %q", path)
	}
	if modules.HasGoFiles(dir) {
		return fmt.Errorf("packages are imported by their paths, not by their directories: the line %%get %s adds it and says its path", p)
	}
	return fmt.Errorf("packages are imported by their paths, not by their directories, and there are no Go files in %s", p)
}
