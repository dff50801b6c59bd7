// Package kir is the one representation of GPU kernels: typed SSA over scalars, with thread, block and grid indices, a
// packed parameter buffer, memory spaces and barriers. Fused array expressions become kir; the CPU engine and the
// simulated GPU run it.
//
// Start with [Func] (a kernel), [Builder] (which makes one) and [Compile] (which gives a [Program] that runs it exactly on
// the CPU, block by block, all threads of a block side by side). [Verify] checks a Func; [Func.String] prints it.
//
// A kernel computes the same bits wherever it runs: arithmetic is IEEE 754 round-to-nearest without contraction or
// flushing of denormals, integer arithmetic wraps, and the elementary functions are those of internal/elementary.
//
// The package knows nothing of arrays, devices, schedulers or time. What a timing model needs of a run, the engine tells a
// [Recorder]: which threads went through which basic block, and the addresses that they touched.
package kir
