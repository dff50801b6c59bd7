// Package emulate runs a kernel as the Go function that it is: a goroutine for each thread of a block, block after
// block. It is the slow way that is easy to believe, against which the compiled kernels are tested, and what is behind
// gpu.Emulate.
//
// Start with [Run]. The functions of package gpu ask it for the thread that calls them: [Current]. The package knows
// nothing of compilers, devices or arrays.
package emulate
