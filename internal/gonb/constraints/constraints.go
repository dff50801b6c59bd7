// Package constraints has the constraints of golang.org/x/exp/constraints.
package constraints

import "cmp"

// Signed is any signed integer type.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned is any unsigned integer type.
type Unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Integer is any integer type.
type Integer interface{ Signed | Unsigned }

// Float is any floating-point type.
type Float interface{ ~float32 | ~float64 }

// Complex is any complex type.
type Complex interface{ ~complex64 | ~complex128 }

// Ordered is any type with the operators < <= >= >.
type Ordered = cmp.Ordered
