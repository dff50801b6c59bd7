package ixgo

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// renewal is a change of run-time types: those whose methods have changed, and those made of them, were made anew.
type renewal struct {
	e     *Engine
	made  *ixgo.Interp // that made the types; the functions of their methods are empty
	types []types.Type
	old   []reflect.Type // of types
	now   []reflect.Type
	vars  []*engine.Var // that were given their new types
	addrs []reflect.Value
	all   []*engine.Var
}

// Renew implements engine.Renewer. A run-time type is made without the code of its methods, which is compiled only when
// variables have their new types; Finish brings it.
func (e *Engine) Renew(changed []types.Type, vars []*engine.Var) (_ engine.Renewal, err error) {
	for _, f := range []*unexported.Field{unexported.NamedMethods, unexported.SelectionObj, unexported.FuncObject, unexported.ObjectType} {
		if f.Type == nil {
			return nil, fmt.Errorf("this version of go/types has no field %s of the expected type", f.Name)
		}
	}
	r := &renewal{e: e, all: vars}
	set := map[types.Type]bool{}
	for _, t := range changed {
		set[t] = true
	}
	r.types, r.old = e.loader.forget(func(t types.Type) bool { return typeinfo.Mentions(t, set, map[types.Type]bool{}) })
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("engine ixgo cannot make the type anew: %v", p)
		}
		if err != nil {
			r.Undo()
		}
	}()
	for _, v := range vars {
		if typeinfo.Mentions(v.Obj.Type(), set, map[types.Type]bool{}) {
			r.vars = append(r.vars, v)
			r.addrs = append(r.addrs, v.Addr)
		}
	}
	// The Interp of a package that holds nothing but types makes their run-time types.
	pkg := types.NewPackage("types·", "types·")
	add := func(name string, t types.Type) {
		pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, name, types.NewSlice(t)))
	}
	for i, t := range r.types {
		add(fmt.Sprint("t", i), t)
	}
	for i, v := range r.vars {
		add(fmt.Sprint("v", i), v.Obj.Type())
	}
	prog := ssa.NewProgram(e.ctx.FileSet, ssa.InstantiateGenerics)
	e.loader.record(true)
	defer e.loader.record(false)
	main := prog.CreatePackage(pkg, nil, nil, false)
	if r.made, err = e.makeInterp(main, nil); err != nil {
		return nil, err
	}
	provideDirect().finish()
	if err = e.slotError(); err != nil {
		release(r.made)
		return nil, err
	}
	e.holdsSlots(r.made)
	e.nameTypes(r.made)
	e.loader.learn(r.made, main)
	element := func(name string) reflect.Type {
		rt, ok := r.made.GetType(name)
		if !ok {
			panic("no run-time type for " + name)
		}
		return rt.Elem()
	}
	for i := range r.types {
		r.now = append(r.now, element(fmt.Sprint("t", i)))
	}
	for i, v := range r.vars {
		v.Addr = reflect.NewAt(element(fmt.Sprint("v", i)), v.Addr.UnsafePointer())
	}
	return r, nil
}

// Types implements Renewal.
func (r *renewal) Types() []types.Type { return r.types }

// Undo implements Renewal.
func (r *renewal) Undo() {
	r.e.loader.restore(r.types, r.old)
	for i, v := range r.vars {
		v.Addr = r.addrs[i]
	}
}

// Finish implements Renewal: the empty functions that the new types call become those of the compiled cell.
func (r *renewal) Finish(code engine.Code, busy bool) {
	c := code.(*cellCode)
	compiledFuncs, prog := functions(c.interp), c.interp.MainPkg().Prog
	for it := functions(r.made).MapRange(); it.Next(); {
		fn := it.Key().Interface().(*ssa.Function)
		obj, ok := fn.Object().(*types.Func)
		if !ok || obj.Signature().Recv() == nil {
			continue
		}
		same := prog.LookupMethod(obj.Signature().Recv().Type(), obj.Pkg(), obj.Name())
		if same == nil {
			continue
		}
		if f := compiledFuncs.MapIndex(reflect.ValueOf(same)); f.IsValid() {
			typ := it.Value().Type().Elem()
			reflect.NewAt(typ, it.Value().UnsafePointer()).Elem().Set(reflect.NewAt(typ, f.UnsafePointer()).Elem())
		}
	}
	if busy {
		return // interfaces are two words, which others may be writing
	}
	w := &retyper{types: map[reflect.Type]reflect.Type{}, seen: map[place]bool{}, holds: map[reflect.Type]bool{}}
	for i, t := range r.old {
		w.types[t] = r.now[i]
	}
	for _, v := range r.all {
		w.walk(v.Addr.Elem())
	}
}

// retyper gives values in interfaces, wherever they can be reached from variables, their new types.
type retyper struct {
	types map[reflect.Type]reflect.Type // old to new
	seen  map[place]bool
	holds map[reflect.Type]bool // whether values of a type may hold interfaces
}

type place struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// typ returns the new form of t, which is t when nothing in it has changed.
func (r *retyper) typ(t reflect.Type) reflect.Type {
	if now := r.types[t]; now != nil {
		return now
	}
	if t.Name() != "" {
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return reflect.PointerTo(e)
		}
	case reflect.Slice:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return reflect.SliceOf(e)
		}
	case reflect.Array:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return reflect.ArrayOf(t.Len(), e)
		}
	case reflect.Chan:
		if e := r.typ(t.Elem()); e != t.Elem() {
			return reflect.ChanOf(t.ChanDir(), e)
		}
	case reflect.Map:
		if k, e := r.typ(t.Key()), r.typ(t.Elem()); k != t.Key() || e != t.Elem() {
			return reflect.MapOf(k, e)
		}
	}
	return t
}

// mayHold reports whether a value of type t may lead to an interface. Values of compiled packages are left alone.
func (r *retyper) mayHold(t reflect.Type) bool {
	if known, ok := r.holds[t]; ok {
		return known
	}
	r.holds[t] = false // while it is being found out
	found := false
	switch {
	case t.Kind() == reflect.Interface:
		found = true
	case t.PkgPath() != "" && t.PkgPath() != engine.CellPath:
	default:
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			found = r.mayHold(t.Elem())
		case reflect.Map:
			found = r.mayHold(t.Key()) || r.mayHold(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				found = r.mayHold(t.Field(i).Type) || found
			}
		}
	}
	if found {
		r.holds[t] = true
	} else {
		delete(r.holds, t) // a type that contains itself may not have been seen whole
	}
	return found
}

// walk visits what can be reached from v, which is addressable, and reports whether v itself has changed.
func (r *retyper) walk(v reflect.Value) (changed bool) {
	if !r.mayHold(v.Type()) {
		return false
	}
	here := place{v.Addr().UnsafePointer(), v.Type()}
	if r.seen[here] {
		return false
	}
	r.seen[here] = true
	v = reflect.NewAt(v.Type(), here.at).Elem() // fields that are not exported too
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return false
		}
		was := v.Elem()
		now := reflect.New(r.typ(was.Type()))
		reflect.NewAt(was.Type(), now.UnsafePointer()).Elem().Set(was)
		if r.walk(now.Elem()) || now.Elem().Type() != was.Type() {
			v.Set(now.Elem())
			return true
		}
	case reflect.Pointer:
		if !v.IsNil() {
			r.walk(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			changed = r.walk(v.Index(i)) || changed
		}
		return changed && v.Kind() == reflect.Array
	case reflect.Struct:
		for i := range v.NumField() {
			changed = r.walk(v.Field(i)) || changed
		}
		return changed
	case reflect.Map:
		r.walkMap(v)
	}
	return false
}

func (r *retyper) walkMap(m reflect.Value) {
	for _, k := range m.MapKeys() {
		key, val := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
		key.Set(k)
		val.Set(m.MapIndex(k))
		newKey, newVal := r.walk(key), r.walk(val)
		if newKey {
			m.SetMapIndex(k, reflect.Value{})
		}
		if newKey || newVal {
			m.SetMapIndex(key, val)
		}
	}
}
