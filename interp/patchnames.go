package interp

import (
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// Parts of some packages are interpreted, and are packages of their own with "@patch" after the path. The checker takes
// the two for packages of one name, and writes their paths in place of the name.

var quotedPackage = lazyregexp.New(`"([^"\s]+)"\.`)

// plainPackages writes packages by their names where the checker's message has the paths for no other reason.
func plainPackages(msg string, pkg *types.Package) string {
	return quotedPackage.ReplaceAllStringFunc(msg, func(m string) string {
		path := strings.TrimSuffix(quotedPackage.FindStringSubmatch(m)[1], typeinfo.PatchSuffix)
		name, alone := "", true
		named := packagesByName(pkg)
		for n, paths := range named {
			if paths[path] {
				name, alone = n, len(paths) == 1
			}
		}
		switch {
		case name == "":
			return m
		case alone:
			return name + "."
		}
		return `"` + path + `".`
	})
}

// packagesByName are the paths of the packages that pkg imports, and of those that they import, by name; those that no
// cell can import are left out.
func packagesByName(pkg *types.Package) map[string]map[string]bool {
	named := map[string]map[string]bool{}
	seen := map[*types.Package]bool{}
	var walk func(*types.Package)
	walk = func(p *types.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		if named[p.Name()] == nil {
			named[p.Name()] = map[string]bool{}
		}
		if !strings.HasPrefix(p.Path(), "internal/") && !strings.Contains(p.Path(), "/internal/") {
			named[p.Name()][typeinfo.PackagePath(p)] = true
		}
		for _, imp := range p.Imports() {
			walk(imp)
		}
	}
	walk(pkg)
	return named
}
