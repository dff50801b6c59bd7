package interp

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// importModule returns a package of a module, loaded from its source when it is imported first.
func (s *Session) importModule(p string) (*types.Package, error) {
	src := s.modules.found[p]
	switch {
	case src.unit != nil:
		return src.unit.Pkg, nil
	case src.failed != nil:
		return nil, src.failed
	case src.loading:
		return nil, fmt.Errorf("import cycle: package %s imports itself", p)
	}
	src.loading = true
	unit, err := s.loadModule(src)
	src.loading = false
	if err != nil {
		src.failed = err
		return nil, err
	}
	src.unit = unit
	s.units[unit.Pkg], s.modules.units[unit.Pkg] = unit, unit
	return unit.Pkg, nil
}

// label is how a package is called in messages: with its version.
func (src *moduleSource) label() string {
	if src.Module != nil && src.Module.Version != "" {
		return src.ImportPath + " (" + src.Module.Version + ")"
	}
	return src.ImportPath
}

// fileName is how positions name a file of the package: files of the user's own by where they are.
func (src *moduleSource) fileName(name string) string {
	if src.local != nil && src.local.version == "" {
		return filepath.Join(src.Dir, name)
	}
	return path.Join(src.ImportPath, name)
}

// goVersion is the version of Go that the package is written in: that of its module, which without one means 1.16.
func (src *moduleSource) goVersion() string {
	if src.local != nil && src.local.goVersion == "" && src.local.version == "" {
		return "go" + goVersion // a directory without a go.mod
	}
	if src.Module == nil || src.Module.GoVersion == "" {
		return "go1.16"
	}
	return "go" + src.Module.GoVersion
}

// loadModule parses and checks a package.
func (s *Session) loadModule(src *moduleSource) (*engine.Unit, error) {
	if len(src.GoFiles) == 0 || src.Error != nil {
		return nil, src.unusable()
	}
	if src.Name == "main" {
		return nil, fmt.Errorf("package %s is a program: there is nothing in it to import", src.label())
	}
	pkg := types.NewPackage(src.ImportPath, src.Name)
	var files []*ast.File
	fail := func(err error) (*engine.Unit, error) {
		text := err.Error() // while the positions are known
		for _, f := range files {
			s.fset.RemoveFile(s.fset.File(f.FileStart))
		}
		switch {
		case src.usesCgo():
			return nil, src.needsCgo()
		case src.local != nil:
			return nil, errors.New(strings.ReplaceAll(text, src.Dir+string(filepath.Separator), engine.ShortPath(src.Dir)+string(filepath.Separator)))
		}
		return nil, fmt.Errorf("package %s cannot be interpreted: %s", src.label(), text)
	}
	for _, name := range src.GoFiles {
		raw, err := s.readFile(src, name)
		if err != nil {
			return fail(err)
		}
		f, err := parser.ParseFile(s.fset, src.fileName(name), raw, parser.ParseComments)
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
			addPolls(d)
		}
	}
	if f, err := s.embed(src, files); err != nil {
		return fail(err)
	} else if f != nil {
		files = append(files, f)
	}
	insertAll(pkg.Scope(), s.guard.Scope())
	info := newInfo()
	var errs []error
	conf := types.Config{GoVersion: src.goVersion(), Importer: moduleImporter{s, src}, Error: func(err error) { errs = append(errs, err) }}
	types.NewChecker(&conf, s.fset, pkg, info).Files(files) // errors have gone to conf.Error
	if len(errs) > 0 {
		return fail(errors.Join(errs[:min(len(errs), 3)]...))
	}
	return s.unitOfModule(src, pkg, info, files), nil
}

// unitOfModule is the package as later steps want it.
func (s *Session) unitOfModule(src *moduleSource, pkg *types.Package, info *types.Info, files []*ast.File) *engine.Unit {
	replaceUses(info, s.homes)
	u := &engine.Unit{Pkg: pkg, Info: info, Version: src.goVersion(), Funcs: map[*types.Func]*ast.FuncDecl{}}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				traceExits(d, info, s.guard)
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
		if m := s.modules.found[imp.Path()]; m != nil && m.unit != nil {
			u.Imports = append(u.Imports, m.unit)
		}
	}
	u.Ready = len(u.Decls) == 0 && len(u.Imports) == 0
	return u
}

// documentation reads the package's own, nil when it has none.
func (src *moduleSource) documentation() *docs.Package {
	var files []string
	for _, name := range src.GoFiles {
		files = append(files, filepath.Join(src.Dir, name))
	}
	version := "-"
	if src.Module != nil && src.Module.Version != "" {
		version = src.Module.Version
	}
	text, err := docs.Format(src.ImportPath, version, files, func(string) string { return "" })
	if err != nil {
		return nil
	}
	p, _ := docs.Parse(src.ImportPath, text)
	return p
}

// unusable says why a package has no files.
func (src *moduleSource) unusable() error {
	if src.usesCgo() {
		return src.needsCgo()
	}
	if src.Error != nil {
		return fmt.Errorf("package %s: %s", src.label(), strings.TrimSpace(src.Error.Err))
	}
	return fmt.Errorf("package %s has no Go files for this system", src.label())
}

func (src *moduleSource) needsCgo() error {
	return fmt.Errorf("package %s needs cgo: cells can use packages that are Go alone", src.label())
}

// usesCgo reports whether a file that is left out imports C.
func (src *moduleSource) usesCgo() bool {
	return slices.ContainsFunc(src.IgnoredGoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(src.Dir, name), nil, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// purer reports whether the package, as listed for pureArch, is the better one to interpret: old has functions without
// a body, and it has none. A file for that architecture alone would be wrong here, but for what only looks for features
// of the processor.
func (src *moduleSource) purer(old *moduleSource) bool {
	native := func(name string) bool {
		return strings.Contains(name, "mips") && src.ImportPath != "golang.org/x/sys/cpu"
	}
	return len(old.SFiles) > 0 && len(src.GoFiles) > 0 && !slices.ContainsFunc(src.GoFiles, native) &&
		(len(src.SFiles) == 0 || old.bodiless() && !src.bodiless())
}

// bodiless reports whether a function of the package is declared without a body.
func (src *moduleSource) bodiless() bool {
	return slices.ContainsFunc(src.GoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(src.Dir, name), nil, parser.SkipObjectResolution)
		return err == nil && slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Body == nil
		})
	})
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
	msg := fmt.Sprintf("%s.%s is written in assembly, or borrowed from Go's runtime: cells can call what is Go alone", pkg, cmp.Or(declaredAs(fn), name))
	pos := fn.End()
	c := call("panic", pos, &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(msg)})
	return &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: c}}, Rbrace: pos}
}

// moduleImporter gives a package of a module what it imports.
type moduleImporter struct {
	s   *Session
	src *moduleSource
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
	case i.s.modules.has(p):
		if i.src.local != nil && !mayImport(i.src.ImportPath, p) {
			return nil, internalError(p)
		}
		return i.s.importModule(p)
	case i.s.installed[p]:
		return i.s.engine.Import(p)
	case i.src.local == nil:
		return nil, fmt.Errorf("it imports %s, which cells cannot use", p)
	}
	own := i.s.ownModules()
	if _, err := own.localPackage(p); err != nil {
		return nil, err
	}
	if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
		return nil, errors.New("cells have no such package")
	}
	if required := own.required(p); required.Path != "" {
		return nil, fmt.Errorf("%s %s has not been fetched yet: run the cell that imports it", required.Path, required.Version)
	}
	return nil, fmt.Errorf("the go.mod of %s requires no module with it: run go get %s there, or fetch it for the session by the line %%get %s", i.src.Module.Path, p, p)
}
