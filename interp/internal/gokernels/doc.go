// Package gokernels writes random kernels as Go functions, for tests that launch them from cells and, compiled by Go's
// compiler, call them thread by thread.
//
// [New] makes the kernels of a seed, [NewFunctions] functions of numbers for np.Map. They use what kernels can have of
// Go: numbers of all types, arrays, structs, slices and pointers to parts of them, exchanges, loops over copies,
// closures, methods, generic functions, labels and goto. A thread reads what all share and writes to elements of its
// own, so that threads in any order give one result. Indices, divisors and bounds are most often made safe; where they
// are not, a launch fails as compiled Go panics.
//
// What Go leaves open is not used: functions with effects stand in statements of their own, and so does what may panic
// beside them. Nothing of package math is called but what is exact. Loops are bounded where they are written.
package gokernels
