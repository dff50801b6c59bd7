package yaegi

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/types/typeutil"
)

// How types of cells are written for yaegi. Named types are written as what they are made of, since what their names
// and methods mean is decided before (go/types) or beside yaegi (value.go); structs get names, for brevity. All
// interface types but those of compiled packages are written interface{}. References that make a type recursive are
// erased: yaegi makes types with package reflect, which cannot make recursive ones.

// isCompiled reports whether obj belongs to compiled code, of which yaegi gets the type itself.
func (e *Engine) isCompiled(obj types.Object) bool {
	if obj.Pkg() == nil || obj.Pkg().Path() == "unsafe" {
		return true
	}
	p, ok := ixgo.LookupPackage(obj.Pkg().Path())
	if !ok || obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	_, ok = compiledType(p, obj.Name())
	return ok
}

func compiledType(p *ixgo.Package, name string) (reflect.Type, bool) {
	for _, m := range []map[string]reflect.Type{p.NamedTypes, p.Interfaces, p.AliasTypes} {
		if rt, ok := m[name]; ok {
			return rt, true
		}
	}
	return nil, false
}

// compiledNamed returns the named type of compiled code that t is, if it is one.
func (e *Engine) compiledNamed(t types.Type) (*types.Named, bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 || !e.isCompiled(n.Obj()) {
		return nil, false
	}
	return n, true
}

// dynamic reports whether values of interface type t are kept in an interface{}; the other interface types are those of
// compiled packages.
func (e *Engine) dynamic(t types.Type) bool {
	if !types.IsInterface(t) {
		return false
	}
	if it, ok := t.Underlying().(*types.Interface); ok && it.NumMethods() == 0 {
		return true
	}
	_, compiled := e.compiledNamed(t)
	return !compiled
}

// env gives type parameters their types.
type env map[*types.TypeParam]types.Type

// subst replaces the type parameters of en in t.
func (e *Engine) subst(t types.Type, en env) types.Type {
	if len(en) == 0 || t == nil {
		return t
	}
	s := substituter{e, en, map[types.Type]types.Type{}}
	return s.typ(t)
}

type substituter struct {
	e    *Engine
	env  env
	seen map[types.Type]types.Type
}

func (s *substituter) typ(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Alias:
		return s.typ(types.Unalias(t))
	case *types.TypeParam:
		if r := s.env[t]; r != nil {
			return r
		}
	case *types.Pointer:
		return types.NewPointer(s.typ(t.Elem()))
	case *types.Slice:
		return types.NewSlice(s.typ(t.Elem()))
	case *types.Array:
		return types.NewArray(s.typ(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), s.typ(t.Elem()))
	case *types.Map:
		return types.NewMap(s.typ(t.Key()), s.typ(t.Elem()))
	case *types.Tuple:
		return s.tuple(t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, s.tuple(t.Params()), s.tuple(t.Results()), t.Variadic())
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), s.typ(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		var methods []*types.Func
		for m := range t.Methods() {
			methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.typ(m.Signature()).(*types.Signature)))
		}
		return types.NewInterfaceType(methods, nil).Complete()
	case *types.Named:
		if t.TypeArgs().Len() > 0 {
			var args []types.Type
			for a := range t.TypeArgs().Types() {
				args = append(args, s.typ(a))
			}
			if inst, err := types.Instantiate(s.e.instances, t.Origin(), args, false); err == nil {
				return inst
			}
			return t
		}
		if obj := t.Obj(); obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && obj.Parent() != nil {
			return s.local(t)
		}
	}
	return t
}

func (s *substituter) tuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), s.typ(v.Type())))
	}
	return types.NewTuple(vars...)
}

// local makes the type that a declaration within a generic function means for these type arguments.
func (s *substituter) local(t *types.Named) types.Type {
	key := fmt.Sprintf("%p", t)
	for _, v := range s.env {
		key += "," + types.TypeString(v, nil)
	}
	if len(s.env) > 1 { // the order of a map is not one
		var parts []string
		for p, v := range s.env {
			parts = append(parts, p.Obj().Name()+"="+types.TypeString(v, nil))
		}
		key = fmt.Sprintf("%p%v", t, sorted(parts))
	}
	if n := s.e.locals[key]; n != nil {
		return n
	}
	n := types.NewNamed(types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), t.Obj().Name(), nil), nil, nil)
	s.e.locals[key] = n
	n.SetUnderlying(s.typ(t.Underlying()))
	return n
}

// reaches reports whether target occurs in what t is made of; without pointers, references by pointer do not count.
func (e *Engine) reaches(t types.Type, target *types.Named, pointers bool, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	to := func(u types.Type) bool {
		if n, ok := types.Unalias(u).(*types.Named); ok && types.Identical(n, target) {
			return true
		}
		return e.reaches(u, target, pointers, seen)
	}
	switch t := t.(type) {
	case *types.Named:
		if _, compiled := e.compiledNamed(t); compiled || types.IsInterface(t) {
			return false
		}
		return e.reaches(t.Underlying(), target, pointers, seen)
	case *types.Pointer:
		return pointers && to(t.Elem())
	case *types.Slice:
		return to(t.Elem())
	case *types.Array:
		return to(t.Elem())
	case *types.Chan:
		return to(t.Elem())
	case *types.Map:
		return to(t.Key()) || to(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if to(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			if to(v.Type()) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if to(v.Type()) {
				return true
			}
		}
	}
	return false
}

// recursive reports whether a named type is made of itself.
func (e *Engine) recursive(t types.Type, pointers bool) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(n) {
		return false
	}
	if _, compiled := e.compiledNamed(n); compiled {
		return false
	}
	cache := &e.rec[0]
	if pointers {
		cache = &e.rec[1]
	}
	if v := cache.At(n); v != nil {
		return v.(bool)
	}
	r := e.reaches(n.Underlying(), n, pointers, map[types.Type]bool{})
	cache.Set(n, r)
	return r
}

// erased reports whether values of type t are kept in an interface{}, to keep types finite.
func (e *Engine) erased(t types.Type) bool {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok {
		if _, compiled := e.compiledNamed(n); compiled {
			return false
		}
		switch n.Underlying().(type) {
		case *types.Pointer:
			if e.recursive(n, true) {
				return true
			}
		case *types.Slice, *types.Map, *types.Chan, *types.Signature:
			if e.recursive(n, false) {
				return true
			}
		}
		t = n.Underlying()
	}
	structOf := func(u types.Type) bool {
		_, isStruct := u.Underlying().(*types.Struct)
		return isStruct && e.recursive(u, false)
	}
	switch t := t.(type) {
	case *types.Pointer:
		switch t.Elem().Underlying().(type) {
		case *types.Struct, *types.Array:
			return e.recursive(t.Elem(), true)
		}
	case *types.Slice:
		return structOf(t.Elem())
	case *types.Map:
		return structOf(t.Elem()) || structOf(t.Key())
	case *types.Chan:
		return structOf(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			if structOf(v.Type()) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if structOf(v.Type()) {
				return true
			}
		}
	}
	return false
}

// typ writes t as variables of it are declared.
func (p *printer) typ(t types.Type) string {
	if p.erased(t) {
		return "interface{}"
	}
	return p.solidType(t)
}

// solidType writes t, not erased.
func (p *printer) solidType(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return p.qualified(types.Unsafe, "Pointer")
		}
		if t.Kind() == types.UntypedNil {
			return "interface{}"
		}
		return types.Default(t).(*types.Basic).Name()
	case *types.Named:
		if n, ok := p.compiledNamed(t); ok {
			if n.Obj().Pkg() == nil {
				return n.Obj().Name() // error
			}
			// of one without methods, like an option of arrays, the name tells apart the types that are made of it:
			// []np.ReduceOption and functions that take them
			return p.qualified(n.Obj().Pkg(), n.Obj().Name())
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			return p.structName(t, st)
		}
		return p.solidType(t.Underlying())
	case *types.Pointer:
		return "*" + p.typ(t.Elem())
	case *types.Slice:
		return "[]" + p.typ(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + p.typ(t.Elem())
	case *types.Map:
		return "map[" + p.typ(t.Key()) + "]" + p.typ(t.Elem())
	case *types.Chan:
		switch elem := p.typ(t.Elem()); t.Dir() {
		case types.SendOnly:
			return "chan<- " + elem
		case types.RecvOnly:
			return "<-chan " + elem
		default:
			return "chan (" + elem + ")"
		}
	case *types.Signature:
		return "func" + p.signature(t)
	case *types.Struct:
		return p.structName(t, t)
	case *types.Interface:
		return "interface{}"
	case *types.TypeParam:
		p.fail(token.NoPos, "the type parameter %s outside its function", t)
	case *types.Tuple:
		return p.results(t)
	}
	p.fail(token.NoPos, "the type %s", t)
	return ""
}

// structName declares a struct type once, and returns its name.
func (p *printer) structName(t types.Type, st *types.Struct) string {
	if name, ok := p.structs.At(t).(string); ok {
		return name
	}
	if n := p.compiledTwin(st); n != nil {
		name := p.solidType(n)
		p.structs.Set(t, name)
		return name
	}
	base := "struct"
	if n, ok := t.(*types.Named); ok {
		base = letters(n.Obj().Name())
	}
	name := fmt.Sprintf("%s%s%d", base, mark, p.number())
	p.structs.Set(t, name)
	p.undo(func() { p.structs.Delete(t) })
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", name)
	for i := range st.NumFields() {
		f := st.Field(i)
		fmt.Fprintf(&b, "%s %s", fieldName(st, i), p.typ(f.Type()))
		if tag := st.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
	p.decls.WriteString(b.String())
	return name
}

// compiledTwin returns the type of compiled code of which a cell's type T is made by type T time.Time: unexported
// fields tell it.
func (e *Engine) compiledTwin(st *types.Struct) *types.Named {
	for f := range st.Fields() {
		if f.Exported() || f.Pkg() == nil || f.Pkg().Path() == cellPath {
			continue
		}
		for _, name := range f.Pkg().Scope().Names() {
			tn, ok := f.Pkg().Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			if n, ok := e.compiledNamed(tn.Type()); ok && types.Identical(n.Underlying(), st) {
				return n
			}
		}
		return nil
	}
	return nil
}

// fieldName is the name of a field of a cell's struct.
func fieldName(st *types.Struct, i int) string {
	if name := st.Field(i).Name(); name != "_" {
		return letters(name)
	}
	return fmt.Sprintf("blank%s%d", mark, i)
}

func (p *printer) signature(sig *types.Signature) string {
	return "(" + p.params(sig, "") + ")" + p.results(sig.Results())
}

// params writes a parameter list; names are numbered with the prefix, unless it is "".
func (p *printer) params(sig *types.Signature, prefix string) string {
	var out []string
	for i, v := range p.paramTypes(sig) {
		text := p.typ(v)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + p.typ(v.Underlying().(*types.Slice).Elem())
		}
		if prefix != "" {
			text = fmt.Sprint(prefix, i, " ", text)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func (p *printer) paramTypes(sig *types.Signature) (out []types.Type) {
	for v := range sig.Params().Variables() {
		out = append(out, v.Type())
	}
	return out
}

func (p *printer) results(t *types.Tuple) string {
	switch t.Len() {
	case 0:
		return ""
	case 1:
		return " " + p.typ(t.At(0).Type())
	}
	var out []string
	for v := range t.Variables() {
		out = append(out, p.typ(v.Type()))
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// boxed reports whether a value of type t, put into an interface, carries a description: when its run-time type alone
// does not tell what it is.
func (e *Engine) boxed(t types.Type) bool {
	if v := e.boxes.At(t); v != nil {
		return v.(bool)
	}
	b := e.ownType(t, map[types.Type]bool{})
	e.boxes.Set(t, b)
	return b
}

func (e *Engine) ownType(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		_, compiled := e.compiledNamed(t)
		return !compiled
	case *types.Pointer:
		return e.ownType(t.Elem(), seen)
	case *types.Slice:
		return e.ownType(t.Elem(), seen)
	case *types.Array:
		return e.ownType(t.Elem(), seen)
	case *types.Chan:
		return e.ownType(t.Elem(), seen)
	case *types.Map:
		return e.ownType(t.Key(), seen) || e.ownType(t.Elem(), seen)
	case *types.Struct:
		return t.NumFields() > 0
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Signature:
		for v := range t.Params().Variables() {
			if e.ownType(v.Type(), seen) {
				return true
			}
		}
		for v := range t.Results().Variables() {
			if e.ownType(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// typeMap is a typeutil.Map that is its own zero value.
type typeMap = typeutil.Map
