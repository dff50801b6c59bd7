package operators

import (
	"go/types"
)

// Knows reports whether a package with this import path has arrays.
func (o *Operators) Knows(path string) bool {
	_, is := o.rank[path]
	return is
}

// Never reports whether no value of type t stands for an array, whatever it is when the cell runs: a function, a map, a
// channel, a struct that is neither a time nor a matrix of gonum, a pointer to such things, nil, or a slice of them.
func (o *Operators) Never(t types.Type) bool {
	if t == nil || o.IsArray(t) || o.givesArray(t) || isMatrix(t) {
		return false
	}
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UntypedNil || u.Kind() == types.UnsafePointer
	case *types.Slice:
		return o.Never(u.Elem())
	case *types.Array:
		return o.Never(u.Elem())
	case *types.Struct:
		return types.TypeString(t, nil) != "time.Time"
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// givesArray reports whether values of type t are asked for their array: they have a method Array.
func (o *Operators) givesArray(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Array")
	f, is := obj.(*types.Func)
	return is && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 1 && o.IsArray(f.Signature().Results().At(0).Type())
}

// isMatrix reports whether values of type t are matrices as gonum's are: they have methods Dims and At.
func isMatrix(t types.Type) bool {
	method := func(name, signature string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, is := obj.(*types.Func)
		if !is {
			return false
		}
		s := f.Signature()
		return types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic()), nil) == signature
	}
	return method("Dims", "func() (int, int)") && method("At", "func(int, int) float64")
}

// unnamed is a list of parameters without their names.
func unnamed(t *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range t.Variables() {
		out = append(out, types.NewVar(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(out...)
}
