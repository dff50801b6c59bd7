package vector

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

//go:generate go run -tags portable ./gen

// function is a loop for an elementary function. run computes the results of the first elements, lanes at a time, and returns how
// many: it stops at lanes of which one is an argument that the loop is not made for.
type function struct {
	name, typ string
	lanes     int
	run       func(n int, d, a, b unsafe.Pointer) (done int)
}

// functionLoops makes loops of functions, which leave to package elementary the lanes at which they stop: the same definitions, so
// the bits are the same.
func functionLoops(functions []function) []Loop {
	definitions := map[string]elementary.Function{}
	for _, f := range elementary.Functions {
		definitions[f.Name] = f
	}
	var list []Loop
	for _, f := range functions {
		e := definitions[f.name]
		l := Loop{Op: f.name, Type: f.typ}
		if f.typ == "f64" {
			l.Forms[0] = withDefinition(f, e.Unary, e.Binary)
		} else {
			l.Forms[0] = withDefinition(f, e.Unary32, e.Binary32)
		}
		list = append(list, l)
	}
	return list
}

func withDefinition[T float32 | float64](f function, unary func(T) T, binary func(x, y T) T) Func {
	return func(n int, d, a, b, _ unsafe.Pointer) {
		if unary != nil {
			b = a
		}
		for i := 0; ; {
			off := uintptr(i) * unsafe.Sizeof(T(0))
			if i += f.run(n-i, unsafe.Add(d, off), unsafe.Add(a, off), unsafe.Add(b, off)); i >= n {
				return
			}
			off = uintptr(i) * unsafe.Sizeof(T(0))
			z, x := unsafe.Slice((*T)(unsafe.Add(d, off)), f.lanes), unsafe.Slice((*T)(unsafe.Add(a, off)), f.lanes)
			if unary != nil {
				for k, v := range x {
					z[k] = unary(v)
				}
			} else {
				for k, v := range unsafe.Slice((*T)(unsafe.Add(b, off)), f.lanes) {
					z[k] = binary(x[k], v)
				}
			}
			if i += f.lanes; i >= n {
				return
			}
		}
	}
}
