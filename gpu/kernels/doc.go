// Package kernels is a corpus of kernels written in Go: those of textbooks and papers, and some that people write. It
// is for tests and benchmarks of what compiles, optimises, prints and runs kernels, and for reading.
//
// Start with [All]: each entry has a function, a launch with arguments, and what a plain Go program would make of them.
// [Compile] makes kir of one. The functions can be called as they are under gpu.Emulate.
package kernels
