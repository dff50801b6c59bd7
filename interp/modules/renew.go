package modules

import (
	"fmt"
	"go/types"
	"io"
	"slices"
	"strings"
)

// Renewed is what is loaded anew as files have changed.
type Renewed struct {
	Edited []string // packages whose files have changed
	// these and all that import them, as they were: nil for one that had not been loaded
	Old map[string]*types.Package
}

// Renew reads the user's go.mod anew and forgets the packages that have changed, as renew says. It returns them, which
// packages must be found by the go command before paths can be imported, and where that writes its messages, nil for
// standard error.
func (m *Set) Renew(paths []string) (r Renewed, want []string, progress io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own = nil
	m.workspace()
	r = m.renew(paths)
	for p := range m.outside(paths) {
		if m.module(p) != "" || m.own.required(p).Path != "" {
			want = append(want, p)
		}
	}
	slices.Sort(want)
	return r, want, m.progress
}

// renew forgets the packages of the workspace whose files have changed, among those that paths import, and all that
// import them: they are loaded anew when they are imported next.
func (m *Set) renew(paths []string) (r Renewed) {
	reached, stale := map[string]bool{}, map[string]bool{}
	var visit func(p string)
	visit = func(p string) {
		src := m.found[p]
		if src == nil || reached[p] {
			return
		}
		reached[p] = true
		edited := src.edited(m.own)
		if stale[p] = edited || src.local != nil && src.failed != nil; edited && src.unit != nil {
			r.Edited = append(r.Edited, p)
		}
		for _, imp := range src.Imports {
			visit(imp)
		}
	}
	for _, p := range paths {
		visit(p)
	}
	for more := true; more; {
		more = false
		for p, src := range m.found {
			if !stale[p] && slices.ContainsFunc(src.Imports, func(imp string) bool { return stale[imp] }) {
				stale[p], more = true, true
			}
		}
	}
	r.Old = map[string]*types.Package{}
	for p, src := range m.found {
		if !stale[p] {
			continue
		}
		r.Old[p] = nil
		if src.unit != nil {
			r.Old[p] = src.unit.Pkg
		}
		if delete(m.found, p); src.local == nil { // of a module that was fetched: its files are the same
			again := *src
			again.unit, again.failed = nil, nil
			m.found[p] = &again
		}
	}
	return r
}

// SameName explains a message in which two types have one name, as one is of a package before its files changed; "" for
// others.
func (m *Set) SameName(msg string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for pkg := range m.units {
		src := m.found[pkg.Path()]
		if src == nil || src.local == nil || src.unit == nil || src.unit.Pkg == pkg {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			if full := pkg.Name() + "." + name; strings.Count(msg, full) > 1 {
				return fmt.Sprintf("; one of these is the %s from before %s was loaded anew: run the cell again that makes the value", full, pkg.Path())
			}
		}
	}
	return ""
}
