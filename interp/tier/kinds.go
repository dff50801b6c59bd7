package tier

import (
	"go/types"
	"strings"
)

// Kind is a kind of type as far as the lowering tells types apart, or a set of such kinds.
type Kind uint32

// The kinds. Arrays and structs are told apart by what a register holds of them: see class.
const (
	Bool Kind = 1 << iota
	Int       // all integers, uintptr among them
	Float
	Complex
	String
	Pointer
	UnsafePointer
	Map
	Chan
	Func
	Slice
	Interface
	FlatArray // without pointers, of at most maxFlat bytes
	FlatStruct
	BoxedArray // with pointers
	BoxedStruct
	Large     // an array or struct without pointers of more bytes
	Nil       // of the constant nil that has no other type
	TypeParam // a type parameter
	Tuple     // several results
)

var kindNames = [...]string{"Bool", "Int", "Float", "Complex", "String", "Pointer", "UnsafePointer", "Map", "Chan", "Func", "Slice", "Interface",
	"FlatArray", "FlatStruct", "BoxedArray", "BoxedStruct", "Large", "Nil", "TypeParam", "Tuple"}

// Sets of kinds.
const (
	numbers  = Int | Float | Complex
	nilable  = Pointer | UnsafePointer | Map | Chan | Func | Slice | Interface
	arrays   = FlatArray | BoxedArray
	structs  = FlatStruct | BoxedStruct
	held     = Bool | numbers | String | nilable | arrays | structs // what registers can hold
	inMemory = held &^ Interface                                    // what is loaded and stored
	anywhere = held | Large                                         // what a variable can be
)

// String lists the kinds of a set.
func (k Kind) String() string {
	var names []string
	for i, n := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, "|")
}

// All returns the kinds of a set one by one.
func (k Kind) All() (out []Kind) {
	for i := range kindNames {
		if one := Kind(1) << i; k&one != 0 {
			out = append(out, one)
		}
	}
	return out
}

// KindOf returns the kind of t, 0 for types that no program has.
func KindOf(t types.Type) Kind {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return TypeParam
	case *types.Tuple:
		return Tuple
	case *types.Named:
		return KindOf(u.Underlying())
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer:
			return UnsafePointer
		case u.Kind() == types.UntypedNil:
			return Nil
		case info&types.IsBoolean != 0:
			return Bool
		case info&types.IsInteger != 0:
			return Int
		case info&types.IsFloat != 0:
			return Float
		case info&types.IsComplex != 0:
			return Complex
		case info&types.IsString != 0:
			return String
		}
	case *types.Pointer:
		return Pointer
	case *types.Map:
		return Map
	case *types.Chan:
		return Chan
	case *types.Signature:
		return Func
	case *types.Slice:
		return Slice
	case *types.Interface:
		return Interface
	case *types.Array:
		return compound(u, FlatArray, BoxedArray)
	case *types.Struct:
		return compound(u, FlatStruct, BoxedStruct)
	}
	return 0
}

func compound(t types.Type, flat, boxed Kind) Kind {
	switch {
	case hasTypeParam(t):
		return TypeParam // its size is not known
	case hasPointers(t):
		return boxed
	case sizes.Sizeof(t) <= maxFlat:
		return flat
	}
	return Large
}

// hasTypeParam reports whether the size of t depends on a type parameter.
func hasTypeParam(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		return hasTypeParam(u.Underlying())
	case *types.Array:
		return hasTypeParam(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasTypeParam(f.Type()) {
				return true
			}
		}
	}
	return false
}
