package modules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Label is how a package is called in messages: with its version.
func (src *Package) Label() string {
	if src.Module != nil && src.Module.Version != "" {
		return src.ImportPath + " (" + src.Module.Version + ")"
	}
	return src.ImportPath
}

// FileName is how positions name a file of the package: files of the user's own by where they are.
func (src *Package) FileName(name string) string {
	if src.local != nil && src.local.version == "" {
		return filepath.Join(src.Dir, name)
	}
	return path.Join(src.ImportPath, name)
}

// GoVersion is the version of Go that the package is written in: that of its module, which without one means 1.16.
func (src *Package) GoVersion() string {
	if src.local != nil && src.local.goVersion == "" && src.local.version == "" {
		return "go" + goVersion // a directory without a go.mod
	}
	if src.Module == nil || src.Module.GoVersion == "" {
		return "go1.16"
	}
	return "go" + src.Module.GoVersion
}

// Unusable says why a package has no files.
func (src *Package) Unusable() error {
	if src.UsesCgo() {
		return src.NeedsCgo()
	}
	if src.Error != nil {
		return fmt.Errorf("package %s: %s", src.Label(), strings.TrimSpace(src.Error.Err))
	}
	return fmt.Errorf("package %s has no Go files for this system", src.Label())
}

// NeedsCgo is the error of a package that cannot be interpreted.
func (src *Package) NeedsCgo() error {
	return fmt.Errorf("package %s needs cgo: cells can use packages that are Go alone", src.Label())
}

// UsesCgo reports whether a file that is left out imports C.
func (src *Package) UsesCgo() bool {
	return slices.ContainsFunc(src.IgnoredGoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(src.Dir, name), nil, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// purer reports whether the package, as listed for pureArch, is the better one to interpret: old has functions without
// a body, and it has none. A file for that architecture alone would be wrong here, but for what only looks for features
// of the processor.
func (src *Package) purer(old *Package) bool {
	native := func(name string) bool {
		return strings.Contains(name, "mips") && src.ImportPath != "golang.org/x/sys/cpu"
	}
	return len(old.SFiles) > 0 && len(src.GoFiles) > 0 && !slices.ContainsFunc(src.GoFiles, native) &&
		(len(src.SFiles) == 0 || old.bodiless() && !src.bodiless())
}

// bodiless reports whether a function of the package is declared without a body.
func (src *Package) bodiless() bool {
	return slices.ContainsFunc(src.GoFiles, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(src.Dir, name), nil, parser.SkipObjectResolution)
		return err == nil && slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Body == nil
		})
	})
}

// IsOwn reports whether the package is of a module of the user's own.
func (src *Package) IsOwn() bool { return src.local != nil }

// MayImport is Go's rule for internal packages, for the package: nil, or an error which says who may import path.
func (src *Package) MayImport(path string) error {
	if src.local != nil && !mayImport(src.ImportPath, path) {
		return internalError(path)
	}
	return nil
}
