package yaegi

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/valuesize"
)

// Boxed is a value of a cell's type in an interface: with the type, which the value itself does not tell.
type Boxed struct {
	d *desc
	v any
}

func (v Boxed) bare() Boxed { return v }

// Unboxed returns the value as the engine holds it: the same memory, of a type that has the layout of the cell's.
func (v Boxed) Unboxed() any { return v.v }

// NBytes is what the session counts for a result that it keeps.
func (v Boxed) NBytes() int { return valuesize.Of(v.v) }

// desc describes a type.
type desc struct {
	id      int
	typ     types.Type
	e       *Engine
	rtype   reflect.Type             // of types whose values are not boxed, once a test asked for it
	methods map[string]reflect.Value // functions whose first parameter is the receiver, as an interface{}

	asked        bool
	methodsKnown any // the program that made them known last
	implements   sync.Map
}

// describe returns the description of a type: identical types have the same.
func (e *Engine) describe(t types.Type) *desc {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d, ok := e.descs.At(t).(*desc); ok {
		return d
	}
	d := &desc{id: e.number(), typ: t, e: e, methods: map[string]reflect.Value{}}
	e.descs.Set(t, d)
	e.byID[d.id] = d
	return d
}

// describeForTest does the same and, when values of the type are not boxed, has the host learn its run-time type.
func (p *printer) describeForTest(t types.Type) *desc {
	d := p.describe(t)
	if !d.asked && (!p.boxed(t) || types.IsInterface(t) && !p.dynamic(t)) {
		d.asked = true
		p.undo(func() { d.asked = false })
		fmt.Fprintf(&p.init, "%s(%d, new(%s))\n", p.host("Type"), d.id, p.typ(t))
	}
	return d
}

func (e *Engine) descriptions() (out []*desc) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, d := range e.byID {
		out = append(out, d)
	}
	return out
}

func (e *Engine) desc(id int) *desc {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.byID[id]
}

func (p *printer) addCases(table [][]*desc) int {
	id := p.number()
	p.mu.Lock()
	p.cases[id] = table
	p.mu.Unlock()
	return id
}

func (d *desc) method(name string) (reflect.Value, bool) {
	d.e.mu.RLock()
	defer d.e.mu.RUnlock()
	m, ok := d.methods[name]
	return m, ok
}

// keepMethods drops the methods that the type has not any more.
func (d *desc) keepMethods() {
	set := types.NewMethodSet(d.typ)
	d.e.mu.Lock()
	defer d.e.mu.Unlock()
	maps.DeleteFunc(d.methods, func(name string, _ reflect.Value) bool {
		for m := range set.Methods() {
			if m.Obj().Name() == name {
				return false
			}
		}
		return true
	})
}

func (v Boxed) has(name string) bool {
	_, ok := v.d.method(name)
	return ok
}

// call calls a method of v; results are pointers to what the method returns.
func (v Boxed) call(name string, results []any, args ...any) {
	m, ok := v.d.method(name)
	if !ok {
		panic(fmt.Errorf("engine yaegi: %s has no method %s", typeinfo.TypeText(v.d.typ), name))
	}
	line := readInt(&v.d.e.line)
	defer setInt(&v.d.e.line, line) // yaegi calls Error of what a cell panics with
	t := m.Type()
	in := []reflect.Value{valueFor(v.v, t.In(0))}
	for i, a := range args {
		in = append(in, valueFor(a, t.In(i+1)))
	}
	var out []reflect.Value
	if t.IsVariadic() {
		out = m.CallSlice(in)
	} else {
		out = m.Call(in)
	}
	for i, r := range results {
		reflect.ValueOf(r).Elem().Set(out[i])
	}
}

// CallMethod calls a method of v; results are pointers to what it returns. The methods of wrappers are such calls.
func CallMethod(v Boxed, name string, results []any, args ...any) { v.call(name, results, args...) }

// bare takes the wrapper off that made a value of a cell one of a compiled interface type.
func bare(x any) any {
	if v, ok := x.(interface{ bare() Boxed }); ok {
		return v.bare()
	}
	return x
}

// wrappers make a Boxed implement interface types of compiled packages.
var wrappers sync.Map // reflect.Type → func(Boxed) any

// Wrapper registers a wrapper for an interface type: a struct that embeds a Boxed.
func Wrapper[I any](f func(Boxed) I) {
	wrappers.Store(reflect.TypeFor[I](), func(v Boxed) any { return f(v) })
}

func wrap(t reflect.Type, v Boxed) (any, bool) {
	loadWrappers()
	f, ok := wrappers.Load(t)
	if !ok {
		return nil, false
	}
	return f.(func(Boxed) any)(v), true
}

// wrapFor turns x into a value of the compiled interface type that d describes.
func (e *Engine) wrapFor(d *desc, x any) any {
	v, ok := x.(Boxed)
	if !ok {
		return x
	}
	if w, ok := wrap(v.widest(d.rtype), v); ok {
		return w
	}
	panic(fmt.Errorf("engine yaegi cannot make a %s of a cell's %s: it has no wrapper for this interface; engine ixgo can", d.rtype, typeinfo.TypeText(v.d.typ)))
}

// widest returns the interface type as which v goes where t is wanted: of the interfaces of t's package that include t
// and that v implements, the one with most methods. Compiled code may ask whether what it got is one of those.
func (v Boxed) widest(t reflect.Type) reflect.Type {
	if t.PkgPath() == "" {
		return t
	}
	if known, ok := v.d.implements.Load(t); ok {
		return known.(reflect.Type)
	}
	loadWrappers()
	best := t
	wrappers.Range(func(key, _ any) bool {
		w := key.(reflect.Type)
		if w.PkgPath() == t.PkgPath() && w.Implements(t) && v.hasAll(w) &&
			(w.NumMethod() > best.NumMethod() || w.NumMethod() == best.NumMethod() && w.Name() < best.Name()) {
			best = w
		}
		return true
	})
	v.d.implements.Store(t, best)
	return best
}

// hasAll reports whether v has the methods of a compiled interface type.
func (v Boxed) hasAll(t reflect.Type) bool {
	set := types.NewMethodSet(v.d.typ)
	for m := range t.Methods() {
		own := set.Lookup(nil, m.Name)
		if own == nil || !sameShape(m.Type, own.Type().(*types.Signature), 0) {
			return false
		}
	}
	return true
}

// test is a type assertion: the value as the type's, and whether it is.
func (e *Engine) test(d *desc, x any) (any, bool) {
	if x == nil {
		return nil, false
	}
	v, own := x.(Boxed)
	if types.IsInterface(d.typ) {
		if !e.satisfies(d, x) {
			return nil, false
		}
		if e.dynamic(d.typ) {
			return x, true
		}
		return e.wrapFor(d, x), true
	}
	if own {
		if v.d == d {
			return v.v, true
		}
		return nil, false
	}
	if d.rtype != nil && reflect.TypeOf(x) == d.rtype {
		return x, true
	}
	return nil, false
}

// satisfies reports whether what x holds has the methods of an interface type.
func (e *Engine) satisfies(d *desc, x any) bool {
	iface := d.typ.Underlying().(*types.Interface)
	if iface.NumMethods() == 0 {
		return true
	}
	if v, ok := x.(Boxed); ok {
		if r, ok := v.d.implements.Load(d); ok {
			return r.(bool)
		}
		r := types.Implements(v.d.typ, iface)
		v.d.implements.Store(d, r)
		return r
	}
	t := reflect.TypeOf(x)
	if d.rtype != nil && !e.dynamic(d.typ) {
		return t.Implements(d.rtype)
	}
	for m := range iface.Methods() {
		rm, ok := t.MethodByName(m.Name())
		if !ok || !sameShape(rm.Type, m.Signature(), 1) {
			return false
		}
	}
	return true
}

// sameShape compares the type of a compiled method, without so many parameters at its front, as a receiver is one, with
// a signature.
func sameShape(rt reflect.Type, sig *types.Signature, front int) bool {
	if rt.NumIn()-front != sig.Params().Len() || rt.NumOut() != sig.Results().Len() || rt.IsVariadic() != sig.Variadic() {
		return false
	}
	for i := range sig.Params().Len() {
		if !sameType(rt.In(i+front), sig.Params().At(i).Type()) {
			return false
		}
	}
	for i := range sig.Results().Len() {
		if !sameType(rt.Out(i), sig.Results().At(i).Type()) {
			return false
		}
	}
	return true
}

func sameType(rt reflect.Type, t types.Type) bool { return rt.String() == typeinfo.TypeText(t) }

// must is a type assertion that panics.
func (e *Engine) must(id, fromType int, x any) any {
	d := e.desc(id)
	v, ok := e.test(d, x)
	if ok {
		return v
	}
	from, want := typeinfo.TypeText(e.desc(fromType).typ), typeinfo.TypeText(d.typ)
	msg := ""
	switch {
	case x == nil && types.IsInterface(d.typ):
		msg = "interface is nil, not " + want
	case x == nil:
		msg = from + " is nil, not " + want
	case types.IsInterface(d.typ):
		msg = TypeName(x) + " is not " + want + ": missing method " + e.missing(d, x)
	default:
		msg = from + " is " + TypeName(x) + ", not " + want
		if TypeName(x) == want {
			msg += " (types from different scopes)"
		}
	}
	panic(runtimeError("interface conversion: " + msg))
}

// missing is the first method of an interface type that the value x has not.
func (e *Engine) missing(d *desc, x any) string {
	iface := d.typ.Underlying().(*types.Interface)
	if v, ok := x.(Boxed); ok {
		if m, _ := types.MissingMethod(v.d.typ, iface, true); m != nil {
			return m.Name()
		}
	}
	for m := range iface.Methods() {
		if rm, ok := reflect.TypeOf(x).MethodByName(m.Name()); !ok || !sameShape(rm.Type, m.Signature(), 1) {
			return m.Name()
		}
	}
	return iface.Method(0).Name()
}

// findCase returns the number of the first row of a type switch that has the type of x, or -1.
func (e *Engine) findCase(id int, x any) int {
	e.mu.RLock()
	table := e.cases[id]
	e.mu.RUnlock()
	for i, row := range table {
		for _, d := range row {
			if d == nil && x == nil {
				return i
			}
			if d != nil {
				if v, ok := x.(Boxed); ok && v.d == d {
					return i
				}
				if _, ok := e.test(d, x); ok {
					return i
				}
			}
		}
	}
	return -1
}

// find returns the method called name of what x holds as a function, and its first argument.
func (e *Engine) find(x any, name string, sign int) (f, recv any) {
	switch v := x.(type) {
	case nil:
		panic(nilPointer)
	case Boxed:
		m, ok := v.d.method(name)
		if !ok {
			panic(fmt.Errorf("engine yaegi: the method %s of %s is not known", name, typeinfo.TypeText(v.d.typ)))
		}
		return m.Interface(), v.v
	}
	m := reflect.ValueOf(x).MethodByName(name)
	e.mu.RLock()
	t := e.signs[sign]
	e.mu.RUnlock()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		if m.Type().IsVariadic() {
			return m.CallSlice(args[1:])
		}
		return m.Call(args[1:])
	}).Interface(), nil
}
