// Package opt rewrites kernels of kir and says what a compiler for a GPU would know of them.
//
// Start with [Optimize], which runs the passes of the table pipeline. [Schedule] puts the instructions of blocks in an
// order that hides latencies, [Spill] keeps a kernel to a number of registers, [Registers] counts them, [Predication]
// and [LowWords] say what the hardware's instructions would be. All leave results as they were, bit for bit.
//
// Constants are computed by the functions of the engine, kir/cpu. The package knows no devices and no times: a Machine
// tells Schedule what it needs.
package opt
