package vector

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

//go:generate go run -tags portable ../../kir/ptx/vectorgen

// function is a loop for an elementary function. run computes the results of the first elements, lanes at a time, and
// returns how many: it stops at lanes of which one is an argument that the loop is not made for.
type function struct {
	name, typ string
	lanes     int
	run       func(n int, d, a, b unsafe.Pointer) (done int)
}

// functionLoops makes loops of functions, which leave to package elementary the lanes at which they stop: the same
// definitions, so the bits are the same.
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
		var apart *round
		for i := 0; ; {
			off := uintptr(i) * unsafe.Sizeof(T(0))
			if i += f.run(n-i, unsafe.Add(d, off), unsafe.Add(a, off), unsafe.Add(b, off)); i >= n {
				break
			}
			off = uintptr(i) * unsafe.Sizeof(T(0))
			z, x := unsafe.Slice((*T)(unsafe.Add(d, off)), f.lanes), unsafe.Slice((*T)(unsafe.Add(a, off)), f.lanes)
			switch {
			case unary == nil:
				for k, v := range unsafe.Slice((*T)(unsafe.Add(b, off)), f.lanes) {
					z[k] = binary(x[k], v)
				}
			default:
				if apart == nil {
					apart = rounds.Get().(*round)
				}
				if !ordinary(f, apart, z, x, unary) {
					for k, v := range x {
						z[k] = unary(v)
					}
				}
			}
			if i += f.lanes; i >= n {
				break
			}
		}
		if apart != nil {
			rounds.Put(apart)
		}
	}
}

// round is room for the operands and the results of lanes.
type round [2][Step]uint64

var rounds = sync.Pool{New: func() any { return new(round) }}

// ordinary computes lanes among which are zeros, infinities or NaNs, as every hundredth of small integers is: these by
// the definition, the others by the loop, which gets one of them in their places. It returns false where there are none
// of these, or others that the loop stops at.
func ordinary[T float32 | float64](f function, apart *round, z, x []T, unary func(T) T) bool {
	in, out := unsafe.Slice((*T)(unsafe.Pointer(&apart[0])), len(x)), unsafe.Slice((*T)(unsafe.Pointer(&apart[1])), len(x))
	other, odd := T(0), 0
	for k, v := range x {
		if in[k] = v; v == 0 || v-v != 0 {
			odd |= 1 << k
		} else {
			other = v
		}
	}
	if odd == 0 || other == 0 {
		return false
	}
	for rest := uint(odd); rest != 0; rest &= rest - 1 {
		in[bits.TrailingZeros(rest)] = other
	}
	if p := unsafe.Pointer(&apart[0]); f.run(len(x), unsafe.Pointer(&apart[1]), p, p) < len(x) {
		return false
	}
	for k := range out {
		if odd>>k&1 == 0 {
			z[k] = out[k]
		} else {
			z[k] = unary(x[k])
		}
	}
	return true
}
