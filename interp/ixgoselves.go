package interp

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A method may name an unnamed struct that embeds the method's own receiver: func (t T) Twin() struct{ T }. The struct has
// the method too. ixgo makes a struct's run-time type with its methods before it remembers it, asks for the struct again in
// the method's signature, and never ends. So such types are refused before.

// refuseSelves panics when ixgo would never end to make n's run-time type.
func refuseSelves(n *types.Named) {
	if selves := selfStructs(n); len(selves) > 0 {
		st := types.TypeString(selves[0], func(p *types.Package) string {
			if p.Path() == cellPath {
				return ""
			}
			return p.Name()
		})
		panic(fmt.Errorf("a method of %s has the type %s in its signature, and this type has the method too: declare a type for it, as type Name %s, and use that", n.Obj().Name(), st, st))
	}
}

// selfStructs are the unnamed structs in the signatures of the methods of n that have methods which name the struct.
func selfStructs(n *types.Named) (selves []*types.Struct) {
	add := func(st *types.Struct) {
		for _, other := range selves {
			if types.Identical(other, st) {
				return
			}
		}
		if namesItself(st) {
			selves = append(selves, st)
		}
	}
	if i, ok := n.Underlying().(*types.Interface); ok {
		eachStruct(i, add)
		return selves
	}
	for i := range n.NumMethods() {
		eachStruct(n.Method(i).Type(), add)
	}
	return selves
}

// namesItself reports whether the signatures of a struct's methods, and of the methods of the structs in them, name the struct.
func namesItself(st *types.Struct) (found bool) {
	var seen typeutil.Map
	var visit func(*types.Struct)
	visit = func(in *types.Struct) {
		if found || seen.At(in) != nil || !embeds(in) {
			return
		}
		seen.Set(in, true)
		set := types.NewMethodSet(types.NewPointer(in))
		for i := range set.Len() {
			eachStruct(set.At(i).Obj().Type(), func(other *types.Struct) {
				found = found || types.Identical(other, st)
				visit(other)
			})
		}
	}
	visit(st)
	return found
}

func embeds(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Embedded() {
			return true
		}
	}
	return false
}

// eachStruct calls f for the unnamed structs with embedded fields that t is made of, not looking into named types.
func eachStruct(t types.Type, f func(*types.Struct)) {
	tuple := func(vars *types.Tuple) {
		for v := range vars.Variables() {
			eachStruct(v.Type(), f)
		}
	}
	switch t := t.(type) {
	case *types.Alias:
		eachStruct(types.Unalias(t), f)
	case *types.Map:
		eachStruct(t.Key(), f)
		eachStruct(t.Elem(), f)
	case interface{ Elem() types.Type }:
		eachStruct(t.Elem(), f)
	case *types.Signature:
		tuple(t.Params())
		tuple(t.Results())
	case *types.Interface:
		for m := range t.Methods() {
			eachStruct(m.Type(), f)
		}
	case *types.Struct:
		for v := range t.Fields() {
			eachStruct(v.Type(), f)
		}
		if embeds(t) {
			f(t)
		}
	}
}
