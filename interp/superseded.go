package interp

import "go/types"

// A cell that is run again declares its functions again, and code of earlier cells then calls the new ones (callInstead). What
// was compiled of the old ones runs on where it is still called; their syntax has no more use when all functions of their cell
// have gone this way. It is let go, so that neither the time of a cell nor memory grows with how often cells were run.

// supersede takes note of functions that a cell has replaced for good. It costs a constant time for each of them.
func (s *Session) supersede(replaced []*types.Func) {
	for _, fn := range replaced {
		u := s.units[fn.Pkg()]
		if u == nil {
			continue
		}
		if u.called--; u.called == 0 && !u.named {
			delete(s.units, u.Pkg)
		}
	}
}

// namesMore reports whether a cell declared types or constants, which later cells may name. Variables have homes of their own.
func (c *checked) namesMore() bool {
	for name := range c.names {
		switch c.pkg.Scope().Lookup(name).(type) {
		case *types.Func, *types.Var, nil:
		default:
			return true
		}
	}
	return false
}

// addUser notes that u calls fn. Units that nothing calls are dropped whenever the list is full, before it grows.
func (s *Session) addUser(fn types.Object, u *Unit) {
	list := s.users[fn]
	if len(list) == cap(list) {
		list = calledUnits(list)
	}
	s.users[fn] = append(list, u)
}

// calledUnits removes the units of which no function can be called any more.
func calledUnits(list []*Unit) []*Unit {
	kept := list[:0]
	for _, u := range list {
		if u.called > 0 {
			kept = append(kept, u)
		}
	}
	clear(list[len(kept):])
	return kept
}
