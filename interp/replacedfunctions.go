package interp

import (
	"go/types"
	"slices"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// A cell that is run again and again, with another text each time, declares its functions again. What the earlier
// definitions keep, their syntax and types, is many times their text, and nobody can call them any more: it is given
// back.

// forgetOld forgets the units of the functions that the names of a cell meant before. The caller holds mu.
func (s *Session) forgetOld(before []*types.Func) {
	if s.prepared > 0 {
		s.old = append(s.old, before...) // a cell that is compiled and has not ended may mean them
		return
	}
	for _, fn := range append(s.old, before...) {
		u := s.units[fn.Pkg()]
		if u == nil || !s.forgotten(u) {
			continue
		}
		delete(s.units, u.Pkg)
		s.sources.mu.Lock()
		delete(s.sources.units, u.Pkg)
		s.sources.mu.Unlock()
		s.forgetBound()
		for _, obj := range u.Info.Uses {
			s.leaves(u, obj)
		}
		for fn := range u.Funcs {
			s.leaves(u, fn)
		}
	}
	s.old = nil
}

// forgotten reports whether u has nothing but functions, and no code that is left can call one. Of what else a cell
// declares, variables have homes of their own, but later cells may name its constants, and values of its types may be
// anywhere.
func (s *Session) forgotten(u *engine.Unit) bool {
	if u.Named {
		return false
	}
	for fn := range u.Funcs {
		if fn.Signature().Recv() != nil || s.names[fn.Name()] == fn {
			return false
		}
		if slices.ContainsFunc(s.users[fn], func(by *engine.Unit) bool { return by != u }) {
			return false
		}
	}
	return true
}

// leaves makes u no user of obj any more.
func (s *Session) leaves(u *engine.Unit, obj types.Object) {
	by := s.users[obj]
	if len(by) == 0 {
		return
	}
	if by = slices.DeleteFunc(by, func(o *engine.Unit) bool { return o == u }); len(by) == 0 {
		delete(s.users, obj)
	} else {
		s.users[obj] = by
	}
}

// namesMore reports whether a cell declares types or constants.
func (c *checked) namesMore() bool {
	for name := range c.Names {
		switch c.pkg.Scope().Lookup(name).(type) {
		case *types.Func, *types.Var, nil:
		default:
			return true
		}
	}
	return false
}
