package gosrc

import (
	"fmt"
	"go/types"

	"github.com/arrayrepl/arrayrepl/kir"
)

// sizes is how Go lays memory out on every 64-bit machine; Go slices are copied to devices byte by byte.
var sizes = types.SizesFor("gc", "amd64")

var basicTypes = map[types.BasicKind]kir.Type{
	types.Bool: kir.Bool,
	types.Int:  kir.I64, types.Int8: kir.I8, types.Int16: kir.I16, types.Int32: kir.I32, types.Int64: kir.I64,
	types.Uint: kir.U64, types.Uint8: kir.U8, types.Uint16: kir.U16, types.Uint32: kir.U32, types.Uint64: kir.U64, types.Uintptr: kir.U64,
	types.Float32: kir.F32, types.Float64: kir.F64,
	types.UntypedBool: kir.Bool, types.UntypedInt: kir.I64, types.UntypedRune: kir.I32, types.UntypedFloat: kir.F64,
}

// complexParts gives the type of the two parts of a complex number.
var complexParts = map[types.BasicKind]kir.Type{
	types.Complex64: kir.F32, types.Complex128: kir.F64, types.UntypedComplex: kir.F64,
}

// scalarOf returns the kir type of a basic type that has one.
func scalarOf(t types.Type) (kir.Type, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return kir.Void, false
	}
	k, ok := basicTypes[b.Kind()]
	return k, ok
}

// maxParts bounds the scalars of one value: what does not lie in memory lies in registers.
const maxParts = 256

// leaf is a scalar within a type: its kir type and its place in memory. A slice and a pointer are leaves too, with
// their Go type: a value of one has several parts.
type leaf struct {
	kind kir.Type
	off  int64
	ref  types.Type // of a slice, a pointer, a function or a string; else nil
}

// leaves returns the scalars of t in the order of their memory. The error names a type that kernels cannot have.
func leaves(t types.Type) ([]leaf, error) { return addLeaves(nil, t, 0) }

func addLeaves(out []leaf, t types.Type, off int64) ([]leaf, error) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if k, ok := basicTypes[u.Kind()]; ok {
			return append(out, leaf{kind: k, off: off}), nil
		}
		if k, ok := complexParts[u.Kind()]; ok {
			return append(out, leaf{kind: k, off: off}, leaf{kind: k, off: off + int64(k.Bytes())}), nil
		}
		if u.Kind() == types.String || u.Kind() == types.UntypedString {
			return append(out, leaf{ref: t, off: off}), nil
		}
	case *types.Struct:
		var fields []*types.Var
		for f := range u.Fields() {
			fields = append(fields, f)
		}
		offs := sizes.Offsetsof(fields)
		for i, f := range fields {
			var err error
			if out, err = addLeaves(out, f.Type(), off+offs[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *types.Array:
		size := sizes.Sizeof(u.Elem())
		for i := range u.Len() {
			var err error
			if out, err = addLeaves(out, u.Elem(), off+i*size); err != nil {
				return nil, err
			}
			if len(out) > maxParts {
				return nil, fmt.Errorf("a value of type %s, which is too large to be handled as one: take its elements one by one", typeName(t))
			}
		}
		return out, nil
	case *types.Tuple:
		for v := range u.Variables() {
			var err error
			if out, err = addLeaves(out, v.Type(), 0); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *types.Pointer, *types.Slice, *types.Signature:
		return append(out, leaf{ref: t, off: off}), nil
	}
	return nil, fmt.Errorf("values of type %s", typeName(t))
}

// partTypes returns the kir types of the parts of a value of t; Void for those that no register holds: functions and
// strings.
func partTypes(t types.Type) ([]kir.Type, error) {
	ls, err := leaves(t)
	if err != nil {
		return nil, err
	}
	var out []kir.Type
	for _, l := range ls {
		if l.ref == nil {
			out = append(out, l.kind)
			continue
		}
		switch l.ref.Underlying().(type) {
		case *types.Pointer:
			out = append(out, kir.U64)
		case *types.Slice:
			out = append(out, kir.U64, kir.I64, kir.I64)
		default:
			out = append(out, kir.Void)
		}
	}
	return out, nil
}

// addresses returns which parts of a value of t are addresses.
func addresses(t types.Type) (out []int) {
	ls, _ := leaves(t)
	n := 0
	for _, l := range ls {
		n++
		if l.ref == nil {
			continue
		}
		switch l.ref.Underlying().(type) {
		case *types.Pointer:
			out = append(out, n-1)
		case *types.Slice:
			out = append(out, n-1)
			n += 2
		}
	}
	return out
}

// inMemory returns the scalars of a type that can be loaded and stored: one without slices and pointers.
func inMemory(t types.Type) ([]leaf, error) {
	ls, err := leaves(t)
	for _, l := range ls {
		if l.ref != nil {
			return nil, fmt.Errorf("%s in memory: only numbers, bools, and arrays and structs of them can lie there", typeName(l.ref))
		}
	}
	return ls, err
}

// typeName writes a type as a cell does.
func typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}
