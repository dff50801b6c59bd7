// Package kir is the one representation of GPU kernels: typed SSA over scalars, with thread, block and grid indices, a
// packed parameter buffer, memory spaces and barriers. Fused array expressions become kir; the CPU engine and the
// simulated GPU run it.
//
// Start with [Func] (a kernel) and [Builder] (which makes one). [Verify] checks a Func; [Func.String] prints it and
// [Parse] reads that; [Func.Hash] tells structures apart. The passes are in kir/opt, the engine that runs kernels on
// the CPU is kir/cpu; this package knows neither.
//
// A kernel computes the same bits wherever it runs: arithmetic is IEEE 754 round-to-nearest without contraction or
// flushing of denormals, integer arithmetic wraps, and the elementary functions are those of internal/elementary.
//
// The package knows nothing of arrays, devices, schedulers or time.
package kir
