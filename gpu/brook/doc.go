// Package brook is streams, kernels of their elements and reductions on lazy arrays, after Buck and others ("Brook for
// GPUs: Stream Computing on Graphics Hardware", SIGGRAPH 2004).
//
// Start with [Of], which makes a stream of a slice, [Map], which calls a Go function with the elements of streams, and
// [Reduce]. Streams of structs are stored member by member, as np.Records are; nothing is computed before it is asked
// for, and what is asked for together is one kernel, on the device that np.Use or [On] has chosen. The package knows
// neither devices nor memory: what is launched and copied is package lazy's business.
package brook
