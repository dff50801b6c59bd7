package ixgo

import (
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// ixgo v1.1.1 makes two mistakes in the methods that a struct has from what it embeds, when compiled code calls them.
// It looks a method up while it makes the struct's type, when the method's own type may not be finished: func (*Base)
// Attach(Child), where Child embeds Base, has Child made before Base has methods. And a method of a pointer, of what
// lies behind an embedded pointer, gets the value. So what ixgo would remember of such methods is put there before it
// looks: functions that find the method when they are called first.

// ownPromoted remembers the methods that a struct has from types that are made already, or are being made in record.
func (c *typeCache) ownPromoted(record *ixgo.TypesRecord, t types.Type) {
	if st, ok := t.Underlying().(*types.Struct); !ok || !embeds(st) {
		return
	}
	ofValue, ofPointer := types.NewMethodSet(t), types.NewMethodSet(types.NewPointer(t))
	for i := range ofPointer.Len() {
		sel := ofPointer.At(i)
		if v := ofValue.Lookup(sel.Obj().Pkg(), sel.Obj().Name()); v != nil && len(sel.Index()) >= len(v.Index()) {
			sel = v
		}
		if len(sel.Index()) == 1 {
			continue
		}
		if rt := c.receiver(record, sel.Obj().(*types.Func)); rt != nil && rt.Kind() != reflect.Interface {
			_, pointer := sel.Recv().Underlying().(*types.Pointer)
			rememberPromoted(rt, sel.Obj().Name(), sel.Index(), pointer, sel.Indirect())
		}
	}
}

// receiver is the run-time type of a method's receiver, nil when there is none yet.
func (c *typeCache) receiver(record *ixgo.TypesRecord, method *types.Func) reflect.Type {
	t, isPointer := method.Signature().Recv().Type(), false
	if p, ok := t.(*types.Pointer); ok {
		t, isPointer = p.Elem(), true
	}
	rt, _ := (*unexported.At[*typeutil.Map](unsafe.Pointer(record), recordCache)).At(t).(reflect.Type)
	if rt == nil {
		rt, _ = c.known.At(t).(reflect.Type)
	}
	if rt == nil {
		rt, _ = c.Loader.LookupReflect(t)
	}
	if rt != nil && isPointer {
		rt = reflect.PointerTo(rt)
	}
	return rt
}

// rememberPromoted has ixgo take the method of rt by that name, at index in a struct, from a function of ours.
func rememberPromoted(rt reflect.Type, name string, index []int, pointer, indirect bool) {
	var indices strings.Builder
	for _, i := range index {
		indices.WriteString("." + strconv.Itoa(i))
	}
	key, value := reflect.New(promotedOnce.key), reflect.New(promotedOnce.value)
	*(*promotedKey)(key.UnsafePointer()) = promotedKey{rt, name, indices.String(), pointer, indirect}
	if _, ok := promotedMethods.Load(key.Elem().Interface()); ok {
		return
	}
	way := index[:len(index)-1]
	method := sync.OnceValue(func() reflect.Method {
		m, _ := reflectx.MethodByName(rt, name)
		return m
	})
	id := 0
	if pointer && isFirst(indices.String()) { // structs share it, as they do ixgo's
		id = int(atomic.AddInt64(&promotedCount, 1))
	}
	*(*promotedMethod)(value.UnsafePointer()) = promotedMethod{id: id, fn: func(args []reflect.Value) []reflect.Value {
		args[0] = receiverIn(args[0], way, rt)
		m := method()
		if m.Type.IsVariadic() {
			return m.Func.CallSlice(args)
		}
		return m.Func.Call(args)
	}}
	promotedMethods.Store(key.Elem().Interface(), value.Interface())
}

// receiverIn is what lies at way in a struct, or behind a pointer to one, as a receiver of type rt. A nil pointer on
// the way is a panic.
func receiverIn(v reflect.Value, way []int, rt reflect.Type) reflect.Value {
	for _, i := range way {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				dereferenceNil()
			}
			v = v.Elem()
		}
		v = reflectx.FieldX(v, i)
	}
	switch {
	case v.Type() == rt:
		return v
	case rt.Kind() == reflect.Pointer && v.Kind() != reflect.Pointer:
		return v.Addr()
	case v.IsNil():
		dereferenceNil()
	}
	return v.Elem()
}

// dereferenceNil panics as the code would that it stands for.
func dereferenceNil() {
	var p *int
	*p = 0
}

// promotedType are the types of what ixgo remembers.
type promotedType struct{ key, value reflect.Type }

var promotedOnce struct {
	sync.Once
	promotedType
}

// learnPromoted finds the types of what ixgo remembers, by a struct that has a method from what it embeds.
func learnPromoted(record *ixgo.TypesRecord) {
	promotedOnce.Do(func() {
		record.ToType(types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "error", universeError, true)}, nil))
		promotedMethods.Range(func(k, v any) bool {
			promotedOnce.promotedType = promotedType{reflect.TypeOf(k), reflect.TypeOf(v).Elem()}
			return false
		})
		t := promotedOnce.promotedType
		if t.key == nil || !sameFields(t.key, reflect.TypeFor[promotedKey]()) || !sameFields(t.value, reflect.TypeFor[promotedMethod]()) {
			panic("interp: ixgo remembers promoted methods otherwise than v1.1.1 did")
		}
	})
}
