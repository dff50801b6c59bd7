package ixgo

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"github.com/visualfc/gid"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// A method may name an unnamed struct that embeds the method's own receiver: func (t T) Twin() struct{ T }. The struct
// has the method too. ixgo makes a struct's run-time type with its methods before it remembers it, asks for the struct
// again in the method's signature, and would never end. And where T itself names such a struct, ixgo looks for the
// method in T before T has it. So ixgo is given a type for such a struct that has its size and lacks its fields and
// methods, which come when the types of the fields are there.

// making is the making of the run-time types of one program.
type making struct {
	cache  *typeCache
	record *ixgo.TypesRecord    // nil when no program is made
	by     uint64               // the goroutine
	nested map[*types.Named]int // see Engine.nested
	texts  typeinfo.Texts
	selves []selfStruct
}

// selfStruct is an unnamed struct that has methods, which may name it.
type selfStruct struct {
	*types.Struct
	rt reflect.Type
}

// begin says that this goroutine makes the types of a program in record, until end is called.
func (e *Engine) begin(record *ixgo.TypesRecord) (end func()) {
	c := e.loader
	set := func(m making) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.making = m
	}
	set(making{cache: c, record: record, by: gid.Get(), nested: e.nested(), texts: typeinfo.Texts{Number: e.localNumber}})
	return func() { set(making{}) }
}

// mine is the record of the program whose types this goroutine makes, nil when there is none: code of earlier cells
// asks for types at any time.
func (m *making) mine() *ixgo.TypesRecord {
	if m.record == nil || m.by != gid.Get() {
		return nil
	}
	return m.record
}

// named makes the run-time type of n as ixgo does, but for its hash and for the unnamed structs in it that have
// methods. It returns nil where ixgo must do it: for types that differ from instance to instance of a generic function.
func (m *making) named(n *types.Named) reflect.Type {
	if m.mine() == nil || m.nested[n.Origin()] != 0 || n.Obj().Pkg() == nil {
		if selves := selfStructs(n); slices.ContainsFunc(selves, namesItself) {
			refuseSelves(n, selves[slices.IndexFunc(selves, namesItself)])
		}
		return nil
	}
	begun := m.plant(selfStructs(n))
	under := n.Underlying()
	path, name, instance, _ := extractNamed(m.record, n, false)
	rt := reflectx.NamedTypeOf(path, name, toMockType(under))
	var methods []*types.Selection
	if !types.IsInterface(n) {
		var ofPointer, ofValue int
		if methods, ofPointer, ofValue = extractMethodSet(m.record, n); ofPointer > 0 {
			rt = m.slots().NewMethodSet(rt, ofValue, ofPointer)
		}
	}
	setHash(rt)
	if len(methods) > 0 {
		setHash(reflect.PointerTo(rt)) // it was made with the type
	}
	m.save(n, rt)
	var is reflect.Type
	if st, ok := under.(*types.Struct); ok {
		is, _ = toStructType(m.record, st, false)
	} else {
		is, _ = m.record.ToType(under)
	}
	reflectx.SetUnderlying(rt, is)
	if instance {
		path, name, _, _ = extractNamed(m.record, n, true)
		reflectx.SetTypeName(rt, path, name)
	}
	if len(methods) > 0 {
		setMethods(m.record, rt, methods)
	}
	m.complete(begun)
	return rt
}

// setHash gives a new type a hash. ixgo gives all the same, 0, and package reflect would compare the types of all
// functions that have one of them, each with each.
func setHash(rt reflect.Type) { headOf(rt).hash = lastHash.Add(0x9e3779b1) }

var lastHash atomic.Uint32

// first makes structs and what they are made of.
func (m *making) first(selves []*types.Struct) { m.complete(m.plant(selves)) }

// twice are the structs of which there are two types: ixgo was making one when it came to a method that names it.
func (m *making) twice() (twice []*types.Struct) {
	for _, s := range m.selves {
		if m.types().At(s.Struct) != s.rt {
			twice = append(twice, s.Struct)
		}
	}
	return twice
}

// types is where ixgo finds the types of the program.
func (m *making) types() *typeutil.Map {
	return *unexported.At[*typeutil.Map](unsafe.Pointer(m.record), recordCache)
}

// slots has the slots of methods.
func (m *making) slots() *reflectx.Context {
	return *unexported.At[*reflectx.Context](unsafe.Pointer(m.record), recordMethods)
}

// save has ixgo find the run-time type of t.
func (m *making) save(t types.Type, rt reflect.Type) {
	m.types().Set(t, rt)
	(*unexported.At[map[reflect.Type]types.Type](unsafe.Pointer(m.record), recordTypes))[rt] = t
}

// plant gives ixgo incomplete types for those of the structs that have none.
func (m *making) plant(selves []*types.Struct) (begun []selfStruct) {
	for _, st := range selves {
		if m.types().At(st) != nil {
			continue
		}
		_, ofPointer, ofValue := extractMethodSet(m.record, st)
		s := selfStruct{st, m.slots().NewMethodSet(toMockType(st), ofValue, ofPointer)}
		setHash(s.rt)
		setHash(reflect.PointerTo(s.rt))
		text := m.texts.Text(st) // of interfaces, reflectx tells those apart that have other texts
		setTypeText(s.rt, text)
		setTypeText(reflect.PointerTo(s.rt), "*"+text)
		m.save(st, s.rt)
		begun = append(begun, s)
	}
	m.selves = append(m.selves, begun...)
	return begun
}

// complete gives structs that plant has begun their fields and methods.
func (m *making) complete(begun []selfStruct) {
	for _, s := range begun {
		fields, _ := toStructType(m.record, s.Struct, false)
		head := headOf(s.rt)
		before := head.flags & (starred | hasName)
		reflectx.SetUnderlying(s.rt, fields)
		head.flags = head.flags&^(starred|hasName) | before
		m.cache.mu.Lock()
		m.cache.ownPromoted(m.record, s.Struct)
		m.cache.mu.Unlock()
		methods, _, _ := extractMethodSet(m.record, s.Struct)
		setMethods(m.record, s.rt, methods)
	}
}

// hasName is the flag of a type that has a name.
const hasName = 1 << 2

// recordMethods is where ixgo's record of a program's types has the slots of their methods.
var recordMethods = unexported.In(unexported.Elem(interpRecord.Type), "rctx", reflect.TypeFor[*reflectx.Context]())

//go:linkname toMockType github.com/goplus/ixgo.toMockType
func toMockType(t types.Type) reflect.Type

//go:linkname toStructType github.com/goplus/ixgo.(*TypesRecord).toStructType
func toStructType(record *ixgo.TypesRecord, st *types.Struct, methods bool) (rt reflect.Type, nested bool)

//go:linkname extractMethodSet github.com/goplus/ixgo.(*TypesRecord).extractMethodSet
func extractMethodSet(record *ixgo.TypesRecord, t types.Type) (methods []*types.Selection, ofPointer, ofValue int)

//go:linkname extractNamed github.com/goplus/ixgo.(*TypesRecord).extractNamed
func extractNamed(record *ixgo.TypesRecord, n *types.Named, whole bool) (path, name string, instance, nested bool)

//go:linkname setMethods github.com/goplus/ixgo.(*TypesRecord).setMethods
func setMethods(record *ixgo.TypesRecord, rt reflect.Type, methods []*types.Selection)

// refuseSelves panics where a struct that names itself has a type in each instance of a generic function.
func refuseSelves(n *types.Named, self *types.Struct) {
	st := types.TypeString(self, func(p *types.Package) string {
		if p.Path() == engine.CellPath {
			return ""
		}
		return p.Name()
	})
	panic(fmt.Errorf("a method of %s has the type %s in its signature, and this type has the method too: declare a type for it, as type Name %s, and use that", n.Obj().Name(), st, st))
}

// selfStructs are the unnamed structs in the declaration of n, and in the signatures of its methods, that have methods
// of what they embed. Those are not to be looked for in n before n has its own.
func selfStructs(n *types.Named) (selves []*types.Struct) {
	add := func(st *types.Struct) {
		for _, other := range selves {
			if types.Identical(other, st) {
				return
			}
		}
		if types.NewMethodSet(types.NewPointer(st)).Len() > 0 {
			selves = append(selves, st)
		}
	}
	if st, ok := n.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			eachStruct(f.Type(), add)
		}
	} else {
		eachStruct(n.Underlying(), add)
	}
	for i := range n.NumMethods() {
		eachStruct(n.Method(i).Type(), add)
	}
	return selves
}

// namesItself reports whether the signatures of a struct's methods, and of the methods of the structs in them, name the
// struct.
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

// embeds reports whether a struct embeds something.
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
