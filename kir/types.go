package kir

import "fmt"

// Type is the type of a value: a scalar held by each thread.
type Type uint8

// The scalar types. Void is the type of values that have no result (stores, barriers). An address is a U64 count of
// bytes. F16 (IEEE 754 binary16) is for storage: it is loaded, stored, selected and converted; arithmetic is done in
// F32.
const (
	Void Type = iota
	Bool
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	F32
	F64
	NumTypes // how many there are
)

var typeTable = [NumTypes]struct {
	name  string
	bytes int // in memory
}{
	Void: {"void", 0}, Bool: {"bool", 1},
	I8: {"i8", 1}, I16: {"i16", 2}, I32: {"i32", 4}, I64: {"i64", 8},
	U8: {"u8", 1}, U16: {"u16", 2}, U32: {"u32", 4}, U64: {"u64", 8},
	F16: {"f16", 2}, F32: {"f32", 4}, F64: {"f64", 8},
}

// String returns the type's name in the text form: "f64", "i32", "bool".
func (t Type) String() string {
	if t < NumTypes {
		return typeTable[t].name
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Bytes returns the size of a value of type t in memory. A bool takes one byte, 0 or 1.
func (t Type) Bytes() int { return typeTable[t].bytes }

// IsFloat reports whether t is F16, F32 or F64.
func (t Type) IsFloat() bool { return t >= F16 && t <= F64 }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return t >= I8 && t <= I64 }

// IsUnsigned reports whether t is an unsigned integer type.
func (t Type) IsUnsigned() bool { return t >= U8 && t <= U64 }

// IsInteger reports whether t is an integer type.
func (t Type) IsInteger() bool { return t.IsSigned() || t.IsUnsigned() }

// Space is a memory space.
type Space uint8

// The memory spaces. Global memory is the device's, addressed by device pointers. The addresses of the others start at
// 0: Shared memory belongs to a thread block and is undefined when the block begins; Local memory belongs to a thread
// and is undefined when the thread begins; Const memory holds the kernel's tables (Func.Const) and cannot be written.
const (
	Global Space = iota
	Shared
	Local
	Const
	NumSpaces // how many there are
)

var spaceNames = [NumSpaces]string{"global", "shared", "local", "const"}

// String returns "global", "shared", "local" or "const".
func (s Space) String() string {
	if s < NumSpaces {
		return spaceNames[s]
	}
	return fmt.Sprintf("Space(%d)", uint8(s))
}

// Dim3 is a size or an index in up to three dimensions, x fastest. Sizes have no zero component.
type Dim3 struct{ X, Y, Z int }

// D1 returns a one-dimensional size.
func D1(x int) Dim3 { return Dim3{x, 1, 1} }

// Count returns the number of elements.
func (d Dim3) Count() int { return d.X * d.Y * d.Z }

// String returns "(x,y,z)", without trailing ones.
func (d Dim3) String() string {
	switch {
	case d.Z > 1:
		return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z)
	case d.Y > 1:
		return fmt.Sprintf("(%d,%d)", d.X, d.Y)
	}
	return fmt.Sprintf("(%d)", d.X)
}

// MaxThreadsPerBlock is the largest block that a launch may have, as on every CUDA device since compute capability 2.0.
const MaxThreadsPerBlock = 1024
