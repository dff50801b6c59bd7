// Package gpu writes kernels in Go and launches them. A kernel is a function without a result whose parameters are
// numbers, bools, slices, and structs and arrays of them; all threads of a launch run it, each on what its place says:
//
//	func saxpy(a float32, x, y []float32) {
//		if i := gpu.GlobalID(); i < len(y) {
//			y[i] += a * x[i]
//		}
//	}
//
// Start with [Launch] and the functions that tell threads apart, [GlobalID] and [ThreadX]. Threads of a block share
// variables, [Shared], and wait for each other, [Sync]; those of a warp exchange values, [ShflDown]; all of them can
// change memory atomically, [AtomicAdd]. What a kernel can do of Go is in docs/kernels.md, which %doc kernels shows in
// a session.
//
// The functions that kernels call are real: [Emulate] runs a kernel as the Go function that it is, a goroutine for each
// thread. The package knows nothing of the interpreter.
package gpu
