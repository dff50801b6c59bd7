// Package scan makes kernels that scan: element i of the result is the combination of elements 0 to i of a line, or 0
// to i-1, by an operator that is associative. Operands keep their order, so it need not be commutative.
//
// The kernels are those of Sengupta, Harris and Garland ("Efficient Parallel Scan Algorithms for GPUs", 2008), built
// from the bottom up: a thread combines neighbours one after the other, a warp what its threads have, by Hillis and
// Steele's steps, a block what its warps have, and a line longer than a block's tile the totals of its tiles, by the
// same kernels. Where theirs stores the scans of blocks and adds to them later, these have a kernel for the totals
// alone first: three passes over the elements instead of four.
//
// Begin with [Spec]. The order in which elements are combined follows from the form of the kernel and the length of the
// line, not from the device; [Line] does the same on the CPU.
package scan
