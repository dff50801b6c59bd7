package interp

import (
	"go/ast"
	"go/types"

	"github.com/arrayrepl/arrayrepl/internal/heldfuncs"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// A variable that is declared with a function literal and never assigned to holds it for good, so that its source is
// known where the variable is given to a package that wants sources, in this cell or a later one:
//
//	double := func(x []float32) { … }
//	gpu.Launch(double, 1, 32, x)
//
// The literal is looked up when such a call is made: a later cell may have declared the variable again, or assigned to
// it. Then its source is not known, or another one.

// held is what is known of the functions that the variables of a cell hold.
type held struct {
	own     *engine.Unit
	literal map[*types.Var]*ast.FuncLit
	changed map[*types.Var]bool // by assignments, say
	ended   bool                // the cell has run; guarded by sources.mu
}

// findHeld finds the functions that the variables of a cell hold.
func findHeld(c *checked, own *engine.Unit) *held {
	literals, changed := heldfuncs.Find(c.info, c.File)
	return &held{own: own, literal: literals, changed: changed}
}

// heldFunction returns the function that a variable of this cell or of an earlier one holds. One of which nothing is
// known now has no Func: when the call is made, a later cell may have declared the variable again. It returns nil for a
// variable of a function that nothing is known of, and for what is not a variable of a cell.
func (s *Session) heldFunction(c *checked, id *ast.Ident) (*Function, []FunctionError) {
	v, ok := c.info.Uses[id].(*types.Var)
	if !ok || v.IsField() {
		return nil, nil
	}
	if earlier, ok := c.aliases[v].(*types.Var); ok {
		v = earlier
	}
	mine := v.Parent() == c.pkg.Scope()
	if lit := c.held.literal[v]; lit != nil {
		f, errs := s.literal(c, c.held.own, lit)
		if f != nil && mine { // no later cell sees a function's own variables
			f.holder, f.within, f.declares = id, c.info, c.held
		}
		return f, errs
	}
	if !mine && s.bound[v] == nil {
		return nil, nil
	}
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	f := &Function{s: s}
	if earlier := s.sources.held[v]; earlier != nil && !c.held.changed[v] {
		known := *earlier
		f = &known
	}
	f.holder, f.within = id, c.info
	return f, nil
}

// loseHeld forgets what the variables held that a cell assigns to or declares again: what they hold while it runs is
// not known.
func (s *Session) loseHeld(c *checked) {
	if c.held == nil {
		return
	}
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	for v := range c.held.changed {
		delete(s.sources.held, v)
	}
	for _, earlier := range c.same {
		if v, ok := earlier.(*types.Var); ok {
			delete(s.sources.held, v)
		}
	}
}

// keepHeld lets later cells know what the variables hold that a cell has declared: those that it reached, in their
// homes or as the earlier variables that they stay.
func (s *Session) keepHeld(c *checked, reached func(name string) bool, homes map[*types.Var]*types.Var) {
	if c.held == nil {
		return
	}
	kept := map[*types.Var]*Function{}
	for v, lit := range c.held.literal {
		if v.Parent() != c.pkg.Scope() || !reached(v.Name()) {
			continue
		}
		home := homes[v]
		if earlier, ok := c.same[v].(*types.Var); ok {
			home = earlier
		}
		if f, _ := s.literal(c, c.held.own, lit); f != nil && home != nil {
			kept[home] = f
		}
	}
	s.sources.mu.Lock()
	defer s.sources.mu.Unlock()
	c.held.ended = true
	for home, f := range kept {
		if old, ok := s.names[home.Name()].(*types.Var); ok && old != home {
			delete(s.sources.held, old) // no later cell names it
		}
		s.sources.held[home] = f
	}
}

// current is the function that the variable holds now that f was given by; nil when that is not known. The caller holds
// sources.mu.
func (s *Session) current(f *Function) *Function {
	v, _ := f.within.Uses[f.holder].(*types.Var)
	switch now := s.sources.held[v]; {
	case now != nil:
		return now
	case f.declares != nil && !f.declares.ended: // v is not known to later cells yet
		return f
	}
	return nil
}
