package typeinfo

import "go/types"

// Pointed is the underlying type of t, or of what t points to.
func Pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying()
}
