package ixgo

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// plainPointers gives the values whose types are aliases of pointers, and whose fields are stored to, the pointer types
// themselves: ixgo does not look behind an alias there.
func plainPointers(prog *ssa.Program) {
	for fn := range ssautil.AllFunctions(prog) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				addr, ok := in.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				alias, ok := addr.X.Type().(*types.Alias)
				if !ok {
					continue
				}
				if f := reflect.ValueOf(addr.X).Elem().FieldByName("typ"); f.IsValid() && f.Type() == reflect.TypeFor[types.Type]() {
					*(*types.Type)(unsafe.Pointer(f.UnsafeAddr())) = types.Unalias(alias)
				}
			}
		}
	}
}
