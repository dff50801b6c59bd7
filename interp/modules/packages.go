package modules

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// workspace are the modules of the user's own. They are read when they are needed first, and by Renew and AddDir.
func (m *Set) workspace() *workspace {
	if m.own == nil {
		if m.own, m.ownErr = findWorkspace(m.dir, m.added); m.ownErr != nil {
			m.own = &workspace{}
		}
	}
	return m.own
}

// Importable reports whether cells can import path without fetching: it is a package of the user's own modules or of
// one that these require, or has been found.
func (m *Set) Importable(path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	src, err := m.workspace().localPackage(path)
	return err == nil && src != nil || m.found[path] != nil || m.own.required(path).Path != ""
}

// Package is a package that cells may import from a module, nil when there is none.
func (m *Set) Package(path string) *Package {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.found[path]
}

// Own is a package of the user's own modules as it is now; nil when none of them has the path, and an error when one
// has it and no such package.
func (m *Set) Own(path string) (*Package, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workspace().localPackage(path)
}

// Required is the module that has the package, in the version that the user's go.mod requires; its path is "" when that
// requires none.
func (m *Set) Required(path string) module.Version {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workspace().required(path)
}

// Meant is the package of the user's own whose path ends as the one that is asked for, "" for none.
func (m *Set) Meant(path string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workspace().meant(path)
}

// PathOf is the import path of a directory of the user's own modules, "" for others.
func (m *Set) PathOf(dir string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.workspace().pathOf(dir)
}

// MayImport is Go's rule for internal packages, for cells: nil, or an error which says who may import path.
func (m *Set) MayImport(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !mayImport(m.workspace().cells, path) {
		return internalError(path)
	}
	return nil
}

// Names are the import paths that begin with prefix of the packages of modules, with the packages' names.
func (m *Set) Names(prefix string) map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := m.workspace().localNames(prefix)
	for path, name := range m.names {
		if strings.HasPrefix(path, prefix) {
			names[path] = name
		}
	}
	return names
}

// Find adds the package path of the user's own modules, when there is one, with what it imports of these.
func (m *Set) Find(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.visit++
	_, err := m.addLocal(path, map[string]string{})
	return err
}

// Missing returns the packages that an import of paths would need and that no module has: these themselves and those
// that packages of the user's own import, as long as they can be of modules.
func (m *Set) Missing(paths []string) (missing []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own = nil
	for p := range m.outside(paths) {
		first, _, _ := strings.Cut(p, "/")
		if strings.Contains(first, ".") && !IsDir(p) && m.module(p) == "" && m.workspace().required(p).Path == "" {
			missing = append(missing, p)
		}
	}
	slices.Sort(missing)
	return missing
}

// outside are the packages among paths, and among what they import of the user's own modules, that are in none of these
// and not found yet, each with the package that imports it.
func (m *Set) outside(paths []string) map[string]string {
	out := map[string]string{}
	m.visit++
	for _, p := range paths {
		if m.installed[p] {
			continue
		}
		if ok, err := m.addLocal(p, out); !ok && err == nil {
			out[p] = ""
		}
	}
	return out
}

// Load is called before a package is parsed and checked, and Loaded after it. It returns what the package has become
// when that has been done; an error when it failed, or is not done yet, as the package imports itself.
func (m *Set) Load(path string) (*Package, *engine.Unit, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	src := m.found[path]
	switch {
	case src == nil:
		return nil, nil, fmt.Errorf("no module of this session has the package %s", path)
	case src.unit != nil:
		return src, src.unit, nil
	case src.failed != nil:
		return src, nil, src.failed
	case src.loading:
		return src, nil, fmt.Errorf("import cycle: package %s imports itself", path)
	}
	src.loading = true
	return src, nil, nil
}

// Loaded notes what a package has become, or why it could not be loaded.
func (m *Set) Loaded(src *Package, unit *engine.Unit, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	src.loading, src.failed = false, err
	if err == nil {
		src.unit, m.units[unit.Pkg] = unit, unit
	}
}

// UnitAt is what the package path has become, nil when it is not loaded.
func (m *Set) UnitAt(path string) *engine.Unit {
	m.mu.Lock()
	defer m.mu.Unlock()
	if src := m.found[path]; src != nil {
		return src.unit
	}
	return nil
}

// Unit is a package of a module that has been loaded, nil for others.
func (m *Set) Unit(pkg *types.Package) *engine.Unit {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.units[pkg]
}

// Remember notes which types a program has made.
func (m *Set) Remember(ts []types.Type) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range ts {
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && m.units[n.Obj().Pkg()] != nil {
			m.made[t] = true
		}
	}
}

// ToMake reports whether t is a type of a module's package whose run-time form no program has made.
func (m *Set) ToMake(t *types.Named) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.units[t.Obj().Pkg()] != nil && !m.made[t]
}
