package interp

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// withoutNames are public packages that cells cannot use.
var withoutNames = map[string]string{
	"unsafe":       "its names are the language's; TestTranscripts has them",
	"runtime/cgo":  "is for cgo",
	"runtime/race": "has no names",
	"plugin":       "would make the linker keep all code, and open only what a Go toolchain builds",
}

// TestEveryStandardName uses every exported name and method of every public package of the standard library in a cell,
// as the compiler knows them, while the session finds no Go toolchain. Generic names are instantiated.
// A short test takes a third of the packages, each turn others.
func TestEveryStandardName(t *testing.T) {
	public, some := standardPackages(t)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, some...)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOROOT", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, p := range pkgs {
		scope := p.Types.Scope()
		var uses []string
		for _, name := range scope.Names() {
			if token.IsExported(name) {
				names++
				use, err := useOf(scope.Lookup(name))
				if err != nil {
					t.Errorf("%s.%s: %v", p.PkgPath, name, err)
				}
				uses = append(uses, use...)
			}
		}
		for _, bad := range failing(s, p.PkgPath, uses) {
			t.Errorf("%s: %s", p.PkgPath, bad)
		}
	}
	t.Logf("%d names of %d packages", names, len(pkgs))
	if public < 170 || names < 8000 && !testsize.Short() {
		t.Errorf("%d names of %d packages, want those of Go 1.26: 8204 of 172", names, public)
	}
}

// standardPackages returns how many public packages with names the standard library has, and the paths of those that
// are tried: the types of others are not asked for, as the go command would compile them.
func standardPackages(t *testing.T) (public int, some []string) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName}, "std")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		if modules.IsInternal(p.PkgPath) || strings.HasPrefix(p.PkgPath, "vendor/") || withoutNames[p.PkgPath] != "" {
			continue
		}
		if public++; testsize.Part(public, 3) {
			some = append(some, p.PkgPath)
		}
	}
	return public, some
}

// failing runs uses of the package in one cell, and should that fail, each in its own, and says which do and why.
func failing(s *Session, path string, uses []string) (bad []string) {
	run := func(uses ...string) error {
		_, err := s.Run(context.Background(), 1, fmt.Sprintf("import p %q\n{\n%s\n}", path, strings.Join(uses, "\n")))
		return err
	}
	if len(uses) == 0 || run(uses...) == nil {
		return nil
	}
	for _, u := range uses {
		if err := run(u); err != nil {
			bad = append(bad, fmt.Sprintf("%s: %v", u, err))
		}
	}
	return bad
}

// useOf returns statements that use obj, a name of package p, and its methods.
func useOf(obj types.Object) ([]string, error) {
	name := "p." + obj.Name()
	switch obj := obj.(type) {
	case *types.Const:
		return []string{"const _ = " + name}, nil
	case *types.Var:
		return []string{"_ = " + name}, nil
	case *types.Func:
		args, _, err := arguments(obj.Type(), obj.Signature().TypeParams())
		return []string{"_ = " + name + args}, err
	}
	if i, ok := obj.Type().Underlying().(*types.Interface); ok && !i.IsMethodSet() {
		return []string{"func() { type use[T " + name + "] int }()"}, nil
	}
	typ := obj.Type()
	args := ""
	if n, ok := typ.(*types.Named); ok {
		var err error
		if args, typ, err = arguments(n, n.TypeParams()); err != nil {
			return nil, err
		}
	}
	uses := []string{"var _ " + name + args}
	if named, ok := types.Unalias(typ).(*types.Named); ok && !types.IsInterface(named) {
		set := types.NewMethodSet(types.NewPointer(named))
		for i := range set.Len() {
			if m := set.At(i).Obj(); m.Exported() {
				uses = append(uses, fmt.Sprintf("_ = (*%s%s).%s", name, args, m.Name()))
			}
		}
	}
	return uses, nil
}

// arguments finds types that satisfy the constraints of params, and returns them as they are written, with the
// instance.
func arguments(generic types.Type, params *types.TypeParamList) (string, types.Type, error) {
	if params.Len() == 0 {
		return "", generic, nil
	}
	integer, text := types.Typ[types.Int], types.Typ[types.String]
	problem := types.Universe.Lookup("error").Type()
	numbers := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", integer)), false)
	candidates := []types.Type{
		integer, text, problem, types.NewSlice(integer), types.NewMap(text, integer), types.NewPointer(integer),
		types.NewChan(types.SendRecv, integer), numbers,
	}
	if h := hashOf(params); h != nil {
		candidates = append(candidates, h)
	}
	chosen := make([]types.Type, params.Len())
	var try func(i int) types.Type
	try = func(i int) types.Type {
		if i == len(chosen) {
			if inst, err := types.Instantiate(nil, generic, chosen, true); err == nil {
				return inst
			}
			return nil
		}
		for _, c := range candidates {
			chosen[i] = c
			if inst := try(i + 1); inst != nil {
				return inst
			}
		}
		return nil
	}
	inst := try(0)
	if inst == nil {
		return "", nil, fmt.Errorf("no types are known that satisfy %v", params)
	}
	var list []string
	for _, c := range chosen {
		list = append(list, types.TypeString(c, func(p *types.Package) string { return p.Name() }))
	}
	return "[" + strings.Join(list, ", ") + "]", inst, nil
}

// hashOf returns the interface type of another package that a parameter must implement, such as hash.Hash.
func hashOf(params *types.TypeParamList) types.Type {
	for p := range params.TypeParams() {
		if n, ok := p.Constraint().(*types.Named); ok && n.Obj().Pkg() != nil && n.Underlying().(*types.Interface).IsMethodSet() {
			return n
		}
	}
	return nil
}
