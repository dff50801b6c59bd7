package interp

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// renewed is what is loaded anew as files have changed.
type renewed struct {
	edited []string // packages whose files have changed
	// these and all that import them, as they were: nil for one that had not been loaded
	old map[string]*types.Package
}

// renew forgets the packages of the workspace whose files have changed, among those that paths import, and all that
// import them: they are loaded anew when they are imported next.
func (m *modules) renew(paths []string) (r renewed) {
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
			r.edited = append(r.edited, p)
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
	r.old = map[string]*types.Package{}
	for p, src := range m.found {
		if !stale[p] {
			continue
		}
		r.old[p] = nil
		if src.unit != nil {
			r.old[p] = src.unit.Pkg
		}
		if delete(m.found, p); src.local == nil { // of a module that was fetched: its files are the same
			again := *src
			again.unit, again.failed = nil, nil
			m.found[p] = &again
		}
	}
	return r
}

// text is what the user is told. Variables that hold values of the packages' types keep these types.
func (r renewed) text(s *Session) string {
	if len(r.edited) == 0 {
		return ""
	}
	declared := map[types.Type]bool{}
	var with, holders []string
	for p, pkg := range r.old {
		if pkg == nil {
			continue
		}
		if !slices.Contains(r.edited, p) {
			with = append(with, p)
		}
		for _, name := range pkg.Scope().Names() {
			if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				declared[tn.Type()] = true
			}
		}
	}
	for name, obj := range s.names {
		if v, ok := obj.(*types.Var); ok && !strings.Contains(name, "·") && typeinfo.Mentions(v.Type(), declared, map[types.Type]bool{}) {
			holders = append(holders, name)
		}
	}
	slices.Sort(r.edited)
	slices.Sort(with)
	slices.Sort(holders)
	text := "loaded anew, as files have changed: " + strings.Join(r.edited, ", ")
	if len(with) > 0 {
		text += "; with what imports it: " + strings.Join(with, ", ")
	}
	if len(holders) > 0 {
		text += "\nvalues of the types from before, until the cells that make them run again: " + strings.Join(holders, ", ")
	}
	return text + "\n"
}

// sameName explains a message in which two types have one name, as one is of a package before its files changed; "" for
// others.
func (m *modules) sameName(msg string) string {
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
