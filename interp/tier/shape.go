package tier

import (
	"go/types"
	"runtime"
)

// A class says which registers hold the values of a type.
type class uint8

const (
	unknown   class = iota
	word            // a word: booleans, integers as 64 bits by their sign, floats as their bits
	pointer         // a pointer: pointers, maps, channels, functions
	text            // a string: a pointer and a word, its length
	slice           // a pointer and two words, length and capacity
	complexes       // two words
	flat            // an array or struct without pointers: its memory, in words
	boxed           // an array or struct with pointers: a pointer to a copy that is never written
	iface           // an interface: a pointer to an any that is never written, nil for a nil interface
)

// memKind is how a word lies in memory.
type memKind uint8

const (
	memI8 memKind = iota
	memU8
	memI16
	memU16
	memI32
	memU32
	mem64
)

// shape is what the tier must know of a type.
type shape struct {
	class    class
	words    int     // in the window of words
	pointers int     // in the window of pointers
	size     int64   // in memory
	mem      memKind // of a word
}

// sizes are those of this machine.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// maxFlat is the largest value in registers, in bytes.
const maxFlat = 4096

// shapeOf returns the shape of t; its class is unknown when the tier cannot hold such values.
func shapeOf(t types.Type) shape {
	if _, generic := types.Unalias(t).(*types.TypeParam); generic {
		return shape{}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsUntyped != 0 && u.Kind() != types.UntypedNil {
			u = types.Default(u).(*types.Basic)
		}
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer:
			return shape{pointer, 0, 1, 8, 0}
		case u.Kind() == types.UntypedNil:
			return shape{}
		case info&types.IsString != 0:
			return shape{text, 1, 1, 16, 0}
		case info&types.IsComplex != 0:
			return shape{complexes, 2, 0, sizes.Sizeof(u), 0}
		case info&(types.IsBoolean|types.IsNumeric) != 0:
			return shape{word, 1, 0, sizes.Sizeof(u), memOf(u)}
		}
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return shape{pointer, 0, 1, 8, 0}
	case *types.Slice:
		return shape{slice, 2, 1, 24, 0}
	case *types.Interface:
		return shape{iface, 0, 1, 16, 0}
	case *types.Array, *types.Struct:
		size := sizes.Sizeof(u)
		if hasPointers(u) {
			return shape{boxed, 0, 1, size, 0}
		}
		if size <= maxFlat {
			return shape{flat, int(size+7) / 8, 0, size, 0}
		}
	}
	return shape{}
}

func memOf(b *types.Basic) memKind {
	switch b.Kind() {
	case types.Int8:
		return memI8
	case types.Bool, types.Uint8, types.UntypedBool:
		return memU8
	case types.Int16:
		return memI16
	case types.Uint16:
		return memU16
	case types.Int32, types.UntypedRune:
		return memI32
	case types.Uint32, types.Float32:
		return memU32
	}
	return mem64
}

// hasPointers reports whether the garbage collector must see values of t.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Info()&types.IsString != 0
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// suffix names the operations of an integer or float type: what narrows, and how.
func suffix(t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return ""
	}
	switch b.Kind() {
	case types.Int8:
		return "I8"
	case types.Int16:
		return "I16"
	case types.Int32, types.UntypedRune:
		return "I32"
	case types.Int, types.Int64, types.UntypedInt:
		return "I64"
	case types.Uint8:
		return "U8"
	case types.Uint16:
		return "U16"
	case types.Uint32:
		return "U32"
	case types.Uint, types.Uint64, types.Uintptr:
		return "U64"
	case types.Float32:
		return "F32"
	case types.Float64, types.UntypedFloat:
		return "F64"
	case types.Complex64:
		return "C64"
	case types.Complex128, types.UntypedComplex:
		return "C128"
	}
	return ""
}

func isUnsigned(t types.Type) bool { return basicInfo(t)&types.IsUnsigned != 0 }
func isFloat(t types.Type) bool    { return basicInfo(t)&types.IsFloat != 0 }
func isInteger(t types.Type) bool  { return basicInfo(t)&types.IsInteger != 0 }
func isComplex(t types.Type) bool  { return basicInfo(t)&types.IsComplex != 0 }
func isText(t types.Type) bool     { return basicInfo(t)&types.IsString != 0 }

func basicInfo(t types.Type) types.BasicInfo {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

// elem is the type that a pointer points to, or t.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
