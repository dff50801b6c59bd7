package interp

import (
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestStandardNamesAreDocumented compares two sources: the run-time types of the engine's symbols, and the documentation
// that was made from Go's source. Each exported name of each public package must have a declaration, and the declared
// parameters must be as many as the function has.
func TestStandardNamesAreDocumented(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	names, packages := 0, 0
	for path := range s.installed {
		if isInternal(path) || strings.Contains(strings.Split(path, "/")[0], ".") {
			continue
		}
		pkg, err := s.importPackage(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		packages++
		if doc := s.documentation(path); doc == nil || doc.Doc == "" || doc.Name != pkg.Name() {
			t.Errorf("package %s is not documented", path)
			continue
		}
		if path == "syscall" {
			continue // differs from system to system
		}
		function := func(fn *types.Func, owner *types.Named) {
			names++
			if _, ok := s.entry(fn, owner); !ok {
				t.Errorf("%s is not documented", fn.FullName())
			} else if _, ok := s.form(fn, owner); !ok && (owner == nil || owner.TypeParams().Len() == 0) {
				t.Errorf("%s is declared with other parameters: %s", fn.FullName(), fn.Signature())
			}
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !token.IsExported(name) || !token.IsIdentifier(name) {
				continue
			}
			if fn, ok := obj.(*types.Func); ok {
				function(fn, nil)
				continue
			}
			names++
			if _, ok := s.entry(obj, nil); !ok {
				t.Errorf("%s.%s is not documented", path, name)
			}
			tn, ok := obj.(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			named, ok := tn.Type().(*types.Named)
			if !ok {
				continue
			}
			if it, ok := named.Underlying().(*types.Interface); ok {
				for m := range it.Methods() {
					if m.Exported() {
						function(m, named)
					}
				}
				continue
			}
			for m := range named.Methods() {
				if m.Exported() {
					function(m, named)
				}
			}
		}
	}
	if packages < 150 || names < 6000 { // Go 1.26 has 175 public packages with 6,080 names, methods not counted
		t.Errorf("%d names of %d packages only", names, packages)
	}
	t.Logf("%d names of %d packages", names, packages)
}
