// Package cm is the Connection Machine of 1986 as a device: as many processors of one bit as a machine had, each with
// 4,096 bits of memory, one instruction for all of them. It computes as the CPU does and prices steps by the times that
// Hillis and Steele have published ("Data Parallel Algorithms", Communications of the ACM 29, 1986).
//
// Start with [Machines] and [Machine.Price]. The package knows no arrays: package gpu/dp says which steps a verb takes.
package cm
