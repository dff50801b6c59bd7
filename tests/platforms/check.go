package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// check type-checks the packages of the module in a folder, tests too, as they are built without cgo for a platform
// such as linux/arm64. It returns the problems, each a line that begins with the place in the source, and how many
// packages and packages of tests it has read. It returns an error if it cannot read them.
func check(dir, platform, tags string) (problems []string, n int, err error) {
	system, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, 0, fmt.Errorf("a platform is GOOS/GOARCH, not %q", platform)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, 0, err
	}
	all, err := packages.Load(&packages.Config{
		Mode:       packages.LoadAllSyntax | packages.NeedModule,
		Dir:        dir,
		Env:        append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch),
		BuildFlags: []string{"-tags=" + tags},
		Tests:      true,
		ParseFile: func(set *token.FileSet, name string, src []byte) (*ast.File, error) {
			return parse(dir, set, name, src)
		},
	}, "./...")
	if err != nil {
		return nil, 0, err
	}
	packages.Visit(all, nil, func(p *packages.Package) {
		if p.Module == nil || !p.Module.Main {
			p.Errors = nil // they tell of the bodies that are missing
		} else {
			problems = append(problems, withoutBody(p)...)
		}
		p.IllTyped = len(p.Errors) > 0
		for _, e := range p.Errors {
			problems = append(problems, e.Error())
		}
	})
	var special []*packages.Package // those that have files for this platform or for others
	for _, p := range all {
		if len(p.IgnoredFiles) > 0 && len(p.Errors) == 0 {
			special = append(special, p)
		}
	}
	if len(problems) == 0 {
		found, err := vet(special)
		if err != nil {
			return nil, 0, err
		}
		problems = found
	}
	slices.Sort(problems)
	return slices.Compact(problems), len(all), nil
}

// parse reads a file, without the bodies of functions where it is not of the module in dir: types need none.
func parse(dir string, set *token.FileSet, name string, src []byte) (*ast.File, error) {
	ours := strings.HasPrefix(name, dir+string(filepath.Separator))
	mode := parser.SkipObjectResolution
	if ours {
		mode |= parser.ParseComments | parser.AllErrors
	}
	f, err := parser.ParseFile(set, name, src, mode)
	if f != nil && !ours {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "init" && d.Name.Name != "main" {
				d.Body = nil
			}
		}
	}
	return f, err
}

// withoutBody names the functions that are only declared in a package that has no assembly, which the type checker lets
// pass and the compiler does not.
func withoutBody(p *packages.Package) (problems []string) {
	if slices.ContainsFunc(p.OtherFiles, func(name string) bool { return filepath.Ext(name) == ".s" }) {
		return nil
	}
	for _, f := range p.Syntax {
		linked := map[string]bool{}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if words := strings.Fields(c.Text); len(words) > 1 && words[0] == "//go:linkname" {
					linked[words[1]] = true
				}
			}
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil && !linked[d.Name.Name] {
				problems = append(problems, fmt.Sprintf("%v: %s has no body, and the package has no assembly for this platform", p.Fset.Position(d.Pos()), d.Name.Name))
			}
		}
	}
	return problems
}

// vet applies the analyzers to packages.
func vet(some []*packages.Package) (problems []string, err error) {
	graph, err := checker.Analyze(analyzers, some, nil)
	if err != nil {
		return nil, err
	}
	for act := range graph.All() {
		if !act.IsRoot {
			continue
		}
		if act.Err != nil {
			return nil, fmt.Errorf("%v: %w", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			problems = append(problems, fmt.Sprintf("%v: %s", act.Package.Fset.Position(d.Pos), d.Message))
		}
	}
	return problems, nil
}
