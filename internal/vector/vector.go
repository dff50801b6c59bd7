// Package vector has loops over arrays that do one operation with vector instructions. Where the processor has none
// that the package knows, it has no loops: whoever uses it brings plain Go for every operation, which gives the same
// bits but for the payloads of NaNs.
package vector

import "unsafe"

//go:generate go run -C asm . -out ../loops_amd64.s -table ../loops_amd64.go
//go:generate go run -C asm . -part wide -out ../loops512_amd64.s -table ../loops512_amd64.go
//go:generate go run -C asm . -part operations -table ../operations_amd64.go
//go:generate go run -C asm . -part operations-none -table ../operations_none.go
//go:generate go run -C asm . -part sums -out ../sums_amd64.s
//go:generate go run -C asm . -part sorts -out ../sorts_amd64.s
//go:generate go run -C asm . -part tiles -out ../tiles_amd64.s -table ../tilestable_amd64.go
//go:generate go run -C asm . -part more -out ../moreloops_amd64.s -table ../moreloops_amd64.go

// Step is the number of elements that the loops take at a time: they read and write up to the next multiple of Step
// beyond the elements that they are asked for.
const Step = 16

// Func applies an operation to n elements, rounded up to a multiple of Step: a, b and c hold the operands, d takes the
// results, which overlap no operand, or take the place of one whose elements are as large. An operand that is uniform
// is one element. n must be at least 1.
type Func func(n int, d, a, b, c unsafe.Pointer)

// Loop is an operation on operands of one type, by the names that package kir gives them. A comparison gives bytes 0
// and 1, a select takes its condition as such, and a shift its count as u32. Names with a sign are two operations, of
// the first two operands and then of that and the third: "mul+sub" is a*b - c, "mul-sub" is c - a*b. Each rounds for
// itself, and d may be an operand. A logical operation takes what is not zero for true and gives bytes 0 and 1. Of
// complex numbers, "c64" and "c128", the elements are the floats that they are pairs of; their absolute values are half
// as many.
type Loop struct {
	Op, Type string
	To       string  // the result's type of a conversion
	Forms    [8]Func // by the set of uniform operands (bit i for operand i); nil where there is none
}
