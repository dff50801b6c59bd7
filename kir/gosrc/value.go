package gosrc

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// value is a Go value in a kernel: its scalars in the order of their memory. A pointer is one part, a slice three
// (address, length, capacity).
type value []part

// part is one register of each thread, or something that is known when the kernel is compiled.
type part struct {
	v    *kir.Value
	org  *origin  // of an address
	ref  *ref     // a pointer to a variable that lies in registers
	fn   *closure // a function
	text string   // a string
	// of the address in a gather: those of the columns, one for each number of an element
	columns []*kir.Value
}

// closure is a function with what it captures, or one that emits elements of streams.
type closure struct {
	fn   *ssa.Function
	free []value
	emit func(x value)
}

// ref is a pointer into a variable that lies in registers: its parts from number first on.
type ref struct {
	v     *variable
	first int
}

// variable is a variable that lies in registers.
type variable struct {
	types []kir.Type
	orgs  map[int]*origin // of the parts that are addresses
}

// slot is one register of a variable.
type slot struct {
	v *variable
	n int
}

// origin is where the memory that an address points to comes from. Addresses that meet have one origin.
type origin struct {
	up      *origin // the one that this became; nil for a root
	known   bool
	space   kir.Space
	read    bool
	written bool
}

func (o *origin) root() *origin {
	for o.up != nil {
		o = o.up
	}
	return o
}

// join makes a and b one origin; false when they are of different memories.
func join(a, b *origin) bool {
	a, b = a.root(), b.root()
	switch {
	case a == b:
		return true
	case a.known && b.known && a.space != b.space:
		return false
	case !a.known:
		a, b = b, a
	}
	a.read, a.written = a.read || b.read, a.written || b.written
	b.up = a
	return true
}

// scalar returns the only register of a value.
func (v value) scalar() *kir.Value { return v[0].v }

// plain makes a value of registers.
func plain(vs ...*kir.Value) value {
	out := make(value, len(vs))
	for i, v := range vs {
		out[i].v = v
	}
	return out
}

// partsOf returns how many parts a value of t has; the type has been checked.
func partsOf(t types.Type) int {
	ts, _ := partTypes(t)
	return len(ts)
}
