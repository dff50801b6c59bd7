package typeinfo

import "go/types"

// Parameterized reports whether t is generic or mentions type parameters: such a type has no values.
func Parameterized(t types.Type) bool { return mentionsParameter(t, map[types.Type]bool{}) }

func mentionsParameter(t types.Type, seen map[types.Type]bool) bool {
	in := func(t types.Type) bool { return mentionsParameter(t, seen) }
	list := func(vars *types.Tuple) bool {
		for v := range vars.Variables() {
			if in(v.Type()) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		if seen[t] {
			return false
		}
		seen[t] = true
		if t.TypeParams().Len() > t.TypeArgs().Len() {
			return true
		}
		for a := range t.TypeArgs().Types() {
			if in(a) {
				return true
			}
		}
		return IsLocalType(t.Obj()) && in(t.Underlying()) // a generic function may declare it
	case *types.Map:
		return in(t.Key()) || in(t.Elem())
	case interface{ Elem() types.Type }:
		return in(t.Elem())
	case *types.Signature:
		return list(t.Params()) || list(t.Results())
	case *types.Tuple:
		return list(t)
	case *types.Struct:
		for f := range t.Fields() {
			if in(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if in(m.Type()) {
				return true
			}
		}
	}
	return false
}
