package ixgo

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/goplus/reflectx"
	"github.com/goplus/reflectx/abi"
)

// An interface holds a value that is one pointer by itself, not by its address: a struct of one map, an array of one
// channel. Compiled code then calls a method of the value with the map, and one of its pointer with the address.
// reflectx v1.7.8 knows that of funcs, channels, maps and structs of one pointer, and gives the others one slot for
// both: fmt, for one, would read what lies in the map. So such methods get a second slot.

//go:linkname methodEntries github.com/goplus/reflectx.rtypeMethods
func methodEntries(t unsafe.Pointer) []methodEntry

//go:linkname textOffset github.com/goplus/reflectx.resolveReflectText
func textOffset(code unsafe.Pointer) int32

// methodEntry is a method in the runtime's description of a type: offsets of its name, its type, and of the code that
// is called through interfaces and by reflection.
type methodEntry struct{ _, _, code, _ int32 }

// directMethods gives out slots in the place of the provider that it has, and second ones where they are needed.
type directMethods struct {
	abi.MethodProvider
	mu     sync.Mutex
	asked  string // the method that reflectx has asked about last, for which it takes a slot now
	second map[int]int
	wanted []directMethod
}

// directMethod is a method of a pointer that is to be called by code.
type directMethod struct {
	of   reflect.Type
	name string
	code unsafe.Pointer
}

// provideDirect puts directMethods before the provider of slots. It is of the process.
var provideDirect = sync.OnceValue(func() *directMethods {
	list := abi.Default.List()
	if len(list) == 0 {
		return nil
	}
	d := &directMethods{MethodProvider: list[0], second: map[int]int{}}
	list[0] = d
	return d
})

// ask notes the method that a slot will be taken for.
func (d *directMethods) ask(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = name
}

// Insert implements abi.MethodProvider. Info is of a method of a value, to be called with an address, where it is
// indirect. Of two slots, the one for the value is returned: constants of the type may be put into interfaces before
// [directMethods.finish].
func (d *directMethods) Insert(info *abi.MethodInfo) (code unsafe.Pointer, index int) {
	if !info.Indirect || info.OnePtr || !isDirect(info.Type) {
		return d.MethodProvider.Insert(info)
	}
	ofValue := *info
	ofValue.Pointer, ofValue.Indirect, ofValue.OnePtr = false, false, true
	code, index = d.MethodProvider.Insert(&ofValue)
	byAddress, second := d.MethodProvider.Insert(info)
	if index < 0 || second < 0 {
		d.MethodProvider.Remove([]int{index, second})
		return nil, -1
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.second[index] = second
	d.wanted = append(d.wanted, directMethod{reflect.PointerTo(info.Type), d.asked, byAddress})
	return code, index
}

// Remove implements abi.MethodProvider.
func (d *directMethods) Remove(indices []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []int
	for _, i := range indices {
		all = append(all, i)
		if s, ok := d.second[i]; ok {
			all = append(all, s)
			delete(d.second, i)
		}
	}
	d.MethodProvider.Remove(all)
}

// finish lets the pointers to types that were made since it was called last call their second slots. It comes before
// the types are used.
func (d *directMethods) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.wanted {
		entries := methodEntries(unsafe.Pointer(headOf(w.of)))
		for i := range entries {
			if reflectx.MethodByIndex(w.of, i).Name == w.name {
				entries[i].code = textOffset(w.code)
			}
		}
	}
	d.wanted = nil
}

// isDirect reports whether an interface holds a value of type t by itself.
func isDirect(t reflect.Type) bool {
	v := reflect.Zero(t).Interface()
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] == nil
}
