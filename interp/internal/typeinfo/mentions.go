package typeinfo

import (
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Mentions reports whether t is made of one of set: has it, or something made of it, in its structure or in the
// signatures of its methods.
func Mentions(t types.Type, set, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	if named, ok := t.(*types.Named); set[t] || ok && set[named.Origin()] {
		return true
	}
	seen[t] = true
	in := func(t types.Type) bool { return Mentions(t, set, seen) }
	switch t := t.(type) {
	case *types.Alias:
		return in(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if in(a) {
				return true
			}
		}
		if pkg := t.Obj().Pkg(); pkg == nil || pkg.Path() != engine.CellPath {
			return false
		}
		for i := range t.NumMethods() {
			if in(t.Method(i).Type()) {
				return true
			}
		}
		return in(t.Underlying())
	case *types.Map:
		return in(t.Key()) || in(t.Elem())
	case interface{ Elem() types.Type }:
		return in(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if in(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return in(t.Params()) || in(t.Results()) // the receiver is the type whose method it is
	case *types.Interface:
		for m := range t.Methods() {
			if in(m.Type()) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if in(f.Type()) {
				return true
			}
		}
	}
	return false
}

// IsInteger reports whether values of t are integers.
func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
