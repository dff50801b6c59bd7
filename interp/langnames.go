package interp

import (
	"go/types"
	"maps"
)

// AutoImports returns the packages that cells may use without importing them, paths by names.
func (s *Session) AutoImports() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.auto)
}

// VariableTypes returns the types of the top-level variables that a cell declares, as cells write them, by names. It is
// for sessions that analyse, as [Session.Analyse] is; a cell that does not compile has none.
func (s *Session) VariableTypes(number int, src string) map[string]string {
	a, err := s.Analyse(number, src)
	if err != nil || a == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]string{}
	for _, obj := range a.Objects {
		v, ok := obj.(*types.Var)
		if ok && !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			found[v.Name()] = s.assistant.TypeString(v.Type())
		}
	}
	return found
}
