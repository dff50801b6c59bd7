package interp

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// importModule returns a package of a module, loaded from its source when it is imported first.
func (s *Session) importModule(p string) (*types.Package, error) {
	src, unit, err := s.modules.Load(p)
	if err != nil {
		return nil, err
	}
	if unit == nil {
		unit, err = s.loadModule(src)
		s.modules.Loaded(src, unit, err)
		if err != nil {
			return nil, err
		}
		s.units[unit.Pkg] = unit
	}
	return unit.Pkg, nil
}

// loadModule parses and checks a package.
func (s *Session) loadModule(src *modules.Package) (*engine.Unit, error) {
	if len(src.GoFiles) == 0 || src.Error != nil {
		return nil, src.Unusable()
	}
	if src.Name == "main" {
		return nil, fmt.Errorf("package %s is a program: there is nothing in it to import", src.Label())
	}
	pkg := types.NewPackage(src.ImportPath, src.Name)
	var files []*ast.File
	fail := func(err error) (*engine.Unit, error) {
		text := err.Error() // while the positions are known
		for _, f := range files {
			s.fset.RemoveFile(s.fset.File(f.FileStart))
		}
		switch {
		case src.UsesCgo():
			return nil, src.NeedsCgo()
		case src.IsOwn():
			return nil, errors.New(strings.ReplaceAll(text, src.Dir+string(filepath.Separator), engine.ShortPath(src.Dir)+string(filepath.Separator)))
		}
		return nil, fmt.Errorf("package %s cannot be interpreted: %s", src.Label(), text)
	}
	for _, name := range src.GoFiles {
		raw, err := s.modules.ReadFile(src, name)
		if err != nil {
			return fail(err)
		}
		f, err := parser.ParseFile(s.fset, src.FileName(name), raw, parser.ParseComments)
		if f != nil {
			files = append(files, f)
		}
		if err != nil {
			return fail(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
				fn.Body = missingBody(src.ImportPath, fn)
			}
			syntax.AddPolls(d)
		}
	}
	if f, err := src.Embed(s.fset, files); err != nil {
		return fail(err)
	} else if f != nil {
		files = append(files, f)
	}
	insertAll(pkg.Scope(), s.guard.Scope())
	info := newInfo()
	var errs []error
	conf := types.Config{GoVersion: src.GoVersion(), Importer: moduleImporter{s, src}, Error: func(err error) { errs = append(errs, err) }}
	types.NewChecker(&conf, s.fset, pkg, info).Files(files) // errors have gone to conf.Error
	if len(errs) > 0 {
		return fail(errors.Join(errs[:min(len(errs), 3)]...))
	}
	return s.unitOfModule(src, pkg, info, files), nil
}

// unitOfModule is the package as later steps want it.
func (s *Session) unitOfModule(src *modules.Package, pkg *types.Package, info *types.Info, files []*ast.File) *engine.Unit {
	replaceUses(info, s.homes)
	u := &engine.Unit{Pkg: pkg, Info: info, Version: src.GoVersion(), Funcs: map[*types.Func]*ast.FuncDecl{}}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				syntax.TraceExits(d, info, s.guard)
				if fn, ok := info.Defs[d.Name].(*types.Func); ok && !engine.IsInit(d) && d.Name.Name != "_" {
					u.Funcs[fn] = d
				} else {
					u.Decls = append(u.Decls, d)
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					u.Decls = append(u.Decls, d)
				}
			}
		}
		f.Comments = nil // not needed any more, and large
	}
	for _, imp := range pkg.Imports() {
		if m := s.modules.UnitAt(imp.Path()); m != nil {
			u.Imports = append(u.Imports, m)
		}
	}
	u.Ready = len(u.Decls) == 0 && len(u.Imports) == 0
	return u
}

// twins are functions in assembly that do what others do: the statement that calls these.
var twins = map[string]string{
	"golang.org/x/sys/unix.Syscall":           "return syscall.Syscall(trap, a1, a2, a3)",
	"golang.org/x/sys/unix.Syscall6":          "return syscall.Syscall6(trap, a1, a2, a3, a4, a5, a6)",
	"golang.org/x/sys/unix.RawSyscall":        "return syscall.RawSyscall(trap, a1, a2, a3)",
	"golang.org/x/sys/unix.RawSyscall6":       "return syscall.RawSyscall6(trap, a1, a2, a3, a4, a5, a6)",
	"golang.org/x/sys/unix.SyscallNoError":    "r1, r2, _ = Syscall(trap, a1, a2, a3); return",
	"golang.org/x/sys/unix.RawSyscallNoError": "r1, r2, _ = RawSyscall(trap, a1, a2, a3); return",
}

// missingBody is what a function without a body does.
func missingBody(pkg string, fn *ast.FuncDecl) *ast.BlockStmt {
	name := fn.Name.Name
	if twin := twins[pkg+"."+name]; twin != "" && fn.Recv == nil {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() { "+twin+" }", parser.SkipObjectResolution)
		if err != nil {
			panic(err) // the table is wrong
		}
		body := f.Decls[0].(*ast.FuncDecl).Body
		ast.Inspect(body, func(n ast.Node) bool { // positions mean another file
			switch n := n.(type) {
			case *ast.Ident:
				n.NamePos = fn.End()
			case *ast.CallExpr:
				n.Lparen, n.Rparen = fn.End(), fn.End()
			case *ast.ReturnStmt:
				n.Return = fn.End()
			case *ast.AssignStmt:
				n.TokPos = fn.End()
			case *ast.BlockStmt:
				n.Lbrace, n.Rbrace = fn.End(), fn.End()
			}
			return true
		})
		return body
	}
	msg := fmt.Sprintf("%s.%s is written in assembly, or borrowed from Go's runtime: cells can call what is Go alone", pkg, cmp.Or(syntax.DeclaredAs(fn), name))
	pos := fn.End()
	c := syntax.CallOf("panic", pos, &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(msg)})
	return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: c}}, Rbrace: pos}
}

// moduleImporter gives a package of a module what it imports.
type moduleImporter struct {
	s   *Session
	src *modules.Package
}

// Import implements types.Importer.
func (i moduleImporter) Import(p string) (*types.Package, error) {
	if mapped := i.src.ImportMap[p]; mapped != "" {
		p = mapped
	}
	switch {
	case p == "unsafe":
		return types.Unsafe, nil
	case p == "C":
		return nil, errors.New("it needs cgo, which cells cannot use")
	case i.s.modules.Package(p) != nil:
		if err := i.src.MayImport(p); err != nil {
			return nil, err
		}
		return i.s.importModule(p)
	case i.s.installed[p]:
		return i.s.engine.Import(p)
	case !i.src.IsOwn():
		return nil, fmt.Errorf("it imports %s, which cells cannot use", p)
	}
	if _, err := i.s.modules.Own(p); err != nil {
		return nil, err
	}
	if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
		return nil, errors.New("cells have no such package")
	}
	if required := i.s.modules.Required(p); required.Path != "" {
		return nil, fmt.Errorf("%s %s has not been fetched yet: run the cell that imports it", required.Path, required.Version)
	}
	return nil, fmt.Errorf("the go.mod of %s requires no module with it: run go get %s there, or fetch it for the session by the line %%get %s", i.src.Module.Path, p, p)
}
