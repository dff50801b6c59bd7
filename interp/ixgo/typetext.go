package ixgo

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// ixgo and package reflect name run-time types otherwise than the compiler: an instance that is first met in a generic
// function has that function's type arguments too, other type arguments lack their paths, the fields that structs embed
// have names. Here the types that a program has made get the compiler's texts.

// What ixgo remembers of the types that it has made, and what the runtime remembers of a type's text.
var (
	interpRecord = unexported.Of[ixgo.Interp]("record", reflect.TypeFor[*ixgo.TypesRecord]())
	recordTypes  = unexported.In(unexported.Elem(interpRecord.Type), "rcache", reflect.TypeFor[map[reflect.Type]types.Type]())
)

// typeHead is the beginning of the runtime's description of a type.
type typeHead struct {
	size, pointers uintptr
	hash           uint32
	flags          uint8
	align          [3]uint8
	equal, data    unsafe.Pointer
	text, pointer  int32
}

// structHead is that of a struct: the path of the package of the fields that are not exported follows.
type structHead struct {
	typeHead
	fieldsOf *byte
}

// starred is the flag that a type's text is written with a star before it that is not the type's.
const starred = 1 << 1

func headOf(t reflect.Type) *typeHead {
	return (*typeHead)((*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1])
}

// setTypeText gives a type that is not a compiled one another text. It reports false where this version of Go keeps it
// otherwise.
func setTypeText(t reflect.Type, text string) bool {
	if !canSetTypeText() {
		return false
	}
	copyText(t, reflectx.NamedTypeOf("", text, reflect.TypeFor[struct{}]()))
	return true
}

func copyText(to, from reflect.Type) {
	t, f := headOf(to), headOf(from)
	t.text, t.flags = f.text, t.flags&^starred|f.flags&starred
}

var canSetTypeText = sync.OnceValue(func() bool {
	a := reflectx.NamedTypeOf("", "a.A[b/c.D]", reflect.TypeFor[struct{ N int }]())
	b := reflectx.NamedTypeOf("", "b.B", reflect.TypeFor[struct{}]())
	if a.String() != "a.A[b/c.D]" || b.String() != "b.B" {
		return false
	}
	before := *headOf(a)
	copyText(a, b)
	c, d := reflectx.NamedTypeOf("x/c", "C", reflect.TypeFor[struct{ n int }]()), reflectx.NamedTypeOf("y/d", "D", reflect.TypeFor[struct{ n int }]())
	(*structHead)(unsafe.Pointer(headOf(c))).fieldsOf = (*structHead)(unsafe.Pointer(headOf(d))).fieldsOf
	if c.Field(0).PkgPath != "y/d" {
		return false
	}
	return headOf(a).size == unsafe.Sizeof(0) && headOf(b).size == 0 && before.hash == headOf(a).hash &&
		a.String() == "b.B" && a.Name() == "B" && a.NumField() == 1 && a.Kind() == reflect.Struct
})

// setFieldsPackage puts right of what package the fields of a named struct are: structs that have exported fields
// alone, and others that have the fields of one package, convert to each other.
func setFieldsPackage(rt reflect.Type, st *types.Struct) {
	if rt.Kind() != reflect.Struct || rt.Name() == "" || !canSetTypeText() {
		return
	}
	path := ""
	for f := range st.Fields() {
		if !f.Exported() && f.Pkg() != nil {
			path = typeinfo.PackagePath(f.Pkg())
			break
		}
	}
	head := (*structHead)(unsafe.Pointer(headOf(rt)))
	if path == "" {
		head.fieldsOf = nil
		return
	}
	of, ok := fieldsPackages.Load(path)
	if !ok {
		donor := reflectx.NamedTypeOf(path, "A", reflect.TypeFor[struct{ n int }]())
		of, _ = fieldsPackages.LoadOrStore(path, (*structHead)(unsafe.Pointer(headOf(donor))).fieldsOf)
	}
	head.fieldsOf = of.(*byte)
}

// fieldsPackages are the descriptions of packages for structHead, by path.
var fieldsPackages sync.Map

// nameTypes gives the types that i has made the compiler's texts.
func (e *Engine) nameTypes(i *ixgo.Interp) {
	record := *unexported.At[unsafe.Pointer](unsafe.Pointer(i), interpRecord)
	m := madeTypes{loader: e.loader}
	var locals map[*types.Named][]types.Type
	tt := typeinfo.Texts{Number: e.localNumber, Arguments: func(t *types.Named) []types.Type {
		if locals == nil {
			locals = localTypes(i)
		}
		return locals[t]
	}}
	var changed []reflect.Type // those that may have methods and have other texts than before
	for rt, t := range *unexported.At[map[reflect.Type]types.Type](record, recordTypes) {
		if _, ok := t.(*types.Tuple); ok || !m.made(t) {
			continue
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			if path := typeinfo.PackagePath(n.Obj().Pkg()); rt.PkgPath() != path && rt.PkgPath() != "" {
				reflectx.SetTypeName(rt, path, n.Obj().Name())
			}
			setMethodsPackage(rt, n)
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			setFieldsPackage(rt, st)
		}
		text := tt.Text(t)
		renamed := rt.String() != text
		if renamed && !setTypeText(rt, text) {
			return
		}
		n, _ := t.(*types.Named)
		switch {
		case renamed && rt.Kind() == reflect.Pointer && rt.Name() == "":
			changed = append(changed, rt.Elem())
		case renamed && (n != nil || rt.Kind() == reflect.Struct), n != nil && n.TypeArgs().Len() > 0 && reflect.PointerTo(rt).String() != "*"+text:
			changed = append(changed, rt) // the pointer of an instance is made before ixgo gives the instance its name
		}
		e.loader.keep(t, rt, e.nested())
	}
	for _, rt := range changed {
		p := reflect.PointerTo(rt)
		if text := "*" + rt.String(); p.String() != text {
			setTypeText(p, text)
		}
		nameMethods(rt)
		nameMethods(p)
	}
}

// nameMethods gives the types of methods, which have the receiver, texts of what they are made of.
func nameMethods(rt reflect.Type) {
	if rt.Kind() == reflect.Interface {
		return
	}
	for m := range rt.Methods() {
		if text := funcText(m.Type); m.Type.String() != text {
			setTypeText(m.Type, text)
		}
	}
}

func funcText(t reflect.Type) string {
	var in, out []string
	for p := range t.Ins() {
		in = append(in, p.String())
	}
	if n := len(in); t.IsVariadic() {
		in[n-1] = "..." + t.In(n-1).Elem().String()
	}
	for r := range t.Outs() {
		out = append(out, r.String())
	}
	text := "func(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}

// madeTypes tells the types whose run-time forms were made here from those that are compiled into this program, which
// are in memory that cannot be written.
type madeTypes struct {
	loader *typeCache
	seen   map[types.Type]bool
}

func (m *madeTypes) made(t types.Type) bool {
	switch t := t.(type) { // most types, for which the map would take longer
	case *types.Basic:
		return false
	case *types.Pointer:
		return m.made(t.Elem())
	case *types.Slice:
		return m.made(t.Elem())
	}
	if made, ok := m.seen[t]; ok {
		return made
	}
	if m.seen == nil {
		m.seen = map[types.Type]bool{}
	}
	m.seen[t] = false // a type that contains itself is named
	made := false
	list := func(vars *types.Tuple) {
		for v := range vars.Variables() {
			made = m.made(v.Type()) || made
		}
	}
	switch t := t.(type) {
	case *types.Alias:
		made = m.made(types.Unalias(t))
	case *types.Named:
		made = t.Obj().Pkg() != nil && !m.loader.compiled(t)
	case *types.Map:
		made = m.made(t.Key())
		made = m.made(t.Elem()) || made
	case interface{ Elem() types.Type }:
		made = m.made(t.Elem())
	case *types.Signature:
		list(t.Params())
		list(t.Results())
	case *types.Interface:
		made = t.NumMethods() > 0
	case *types.Struct:
		for f := range t.Fields() {
			made = m.made(f.Type()) || made
		}
		made = made || remade(t)
	}
	m.seen[t] = made
	return made
}

// numberLocals numbers the types that the functions of a cell declare, as the compiler numbers those of a package.
func (e *Engine) numberLocals(info *types.Info) {
	var found []token.Pos
	for _, obj := range info.Defs {
		if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() && typeinfo.IsLocalType(tn) {
			if _, param := tn.Type().(*types.TypeParam); !param {
				found = append(found, tn.Pos())
			}
		}
	}
	if len(found) > 0 && e.locals == nil {
		e.locals = map[token.Pos]int{}
	}
	slices.Sort(found)
	for _, pos := range found {
		e.locals[pos] = len(e.locals) + 1
	}
}

// localNumber is the number of a type that a function declares; those of packages' functions are not told apart.
func (e *Engine) localNumber(tn *types.TypeName) int { return max(e.locals[tn.Pos()], 1) }

// localTypes finds the types that generic functions of i declare, with the type arguments of the functions.
func localTypes(i *ixgo.Interp) map[*types.Named][]types.Type {
	found := map[*types.Named][]types.Type{}
	for it := functions(i).MapRange(); it.Next(); {
		fn := *unexported.At[*ssa.Function](it.Value().UnsafePointer(), funcFn)
		args := typeArguments(fn)
		syntax := fn.Syntax()
		if len(args) == 0 || syntax == nil {
			continue
		}
		seen := map[types.Type]bool{}
		var walk func(t types.Type)
		walk = func(t types.Type) {
			if t == nil || seen[t] {
				return
			}
			seen[t] = true
			switch t := t.(type) {
			case *types.Alias:
				walk(types.Unalias(t))
			case *types.Named:
				for a := range t.TypeArgs().Types() {
					walk(a)
				}
				if pos := t.Obj().Pos(); typeinfo.IsLocalType(t.Obj()) && found[t] == nil && syntax.Pos() <= pos && pos < syntax.End() {
					found[t] = args
					walk(t.Underlying())
				}
			case *types.Map:
				walk(t.Key())
				walk(t.Elem())
			case interface{ Elem() types.Type }:
				walk(t.Elem())
			case *types.Signature:
				walk(t.Params())
				walk(t.Results())
			case *types.Tuple:
				for v := range t.Variables() {
					walk(v.Type())
				}
			case *types.Struct:
				for f := range t.Fields() {
					walk(f.Type())
				}
			}
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if v, ok := in.(ssa.Value); ok {
					walk(v.Type())
				}
				var ops [8]*ssa.Value
				for _, op := range in.Operands(ops[:0]) {
					if *op != nil {
						walk((*op).Type())
					}
				}
			}
		}
	}
	return found
}

// typeArguments are those of a function, or of the one that it is written in.
func typeArguments(fn *ssa.Function) []types.Type {
	for ; fn != nil; fn = fn.Parent() {
		if args := fn.TypeArgs(); len(args) > 0 {
			return args
		}
	}
	return nil
}
