package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// defaultTier is the mode of sessions that name none. Tests change it.
var defaultTier = engine.TierOn

// SetTier says when the numeric code of cells that come runs in the engine's numeric tier: [TierOn], [TierOff] or
// [TierForce]. An engine without such a tier runs it all itself.
func (s *Session) SetTier(mode string) error {
	switch mode {
	case engine.TierOn, engine.TierOff, engine.TierForce:
	default:
		return fmt.Errorf("there is no tier mode %q: on, off and force are", mode)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tier = mode
	if e, ok := s.engine.(engine.Tiered); ok {
		e.SetTier(mode)
	}
	return nil
}

// Tier returns the mode of the numeric tier, "" when the engine has none.
func (s *Session) Tier() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.engine.(engine.Tiered); !ok {
		return ""
	}
	return s.tier
}

// TierCellLoop is what TierRuns calls loops of the cell's own statements.
const TierCellLoop = "a loop of the cell"

// TierRuns says what of the cell that was compiled last has run in the numeric tier: functions, and
// loops of functions that do not qualify. It is "" when nothing did, or there is no tier.
func (s *Session) TierRuns() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.engine.(engine.Tiered)
	if !ok {
		return ""
	}
	var names []string
	for _, u := range e.TierRuns() {
		name := u.Func
		switch {
		case name == "":
			name = TierCellLoop
		case u.Loop:
			name = "a loop of " + name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// ExplainTier says whether the function or method name, as f or T.Method, of earlier cells runs in the numeric tier,
// and if not, for which construct.
func (s *Session) ExplainTier(name string) (string, error) {
	s.mu.Lock()
	e, ok := s.engine.(engine.Tiered)
	fn := s.funcNamed(name)
	s.mu.Unlock()
	switch {
	case !ok:
		return "", fmt.Errorf("engine %s has no numeric tier", s.engine.Name())
	case fn == nil:
		return "", fmt.Errorf("%s is not a function that a cell has declared: write the name of a function, or of a method as T.Method", name)
	case fn.Signature().TypeParams().Len() > 0 || fn.Signature().RecvTypeParams().Len() > 0:
		return "", fmt.Errorf("%s is generic: each of its instances has an answer of its own", name)
	}
	p, fail := s.prepare(nil, s.supervisor.NewRun(), 0, "_ = any("+methodExpression(name, fn)+")")
	if fail != nil {
		return "", fail
	}
	p.undo()
	report, ok := e.ExplainTier(p.code, fn)
	if !ok {
		return "", fmt.Errorf("the numeric tier is off, or does not work on this machine")
	}
	return s.tierText(name, report), nil
}

// funcNamed is the function or method that cells know by that name.
func (s *Session) funcNamed(name string) *types.Func {
	name, method, isMethod := strings.Cut(name, ".")
	obj := s.names[name]
	if !isMethod {
		fn, _ := obj.(*types.Func)
		return fn
	}
	if obj == nil {
		return nil
	}
	m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), method)
	fn, _ := m.(*types.Func)
	return fn
}

func methodExpression(name string, fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return name
	}
	base, method, _ := strings.Cut(name, ".")
	if _, ok := recv.Type().(*types.Pointer); ok {
		base = "(*" + base + ")"
	}
	return base + "." + method
}

func (s *Session) tierText(name string, r engine.TierReport) string {
	at := func(pos token.Pos) string {
		p := s.fset.Position(pos)
		if f := engine.AddFrame(nil, "", fmt.Sprintf("%s:%d", p.Filename, p.Line)); len(f) > 0 {
			return f[0].String()
		}
		return "a place that is not known"
	}
	var b strings.Builder
	if r.Obstacle == "" {
		fmt.Fprintf(&b, "%s runs in the numeric tier", name)
	} else {
		fmt.Fprintf(&b, "%s does not run in the numeric tier: %s (%s)", name, r.Obstacle, at(r.Pos))
	}
	for _, pos := range r.Loops {
		fmt.Fprintf(&b, "\nits loop does: %s", at(pos))
	}
	for _, c := range r.Calls {
		fmt.Fprintf(&b, "\nit calls %s, which does not: %s (%s)", c.Func, c.Obstacle, at(c.Pos))
	}
	return b.String()
}
