// Package offload runs task graphs on devices: it decides where a task runs, keeps track of where each value's valid
// copies are, copies what must move and nothing else, launches kernels and records a trace.
//
// A [Value] is some bytes with valid copies on the host, on devices, or nowhere yet. A [Task] makes values from values:
// by kernel launches on any device, or by a function on the CPU. [Runtime.Run] executes tasks in order and brings the
// wanted values to the host; [Runtime.Stats] counts what was done.
//
// The package knows nothing of arrays: shapes and dtypes belong to whoever makes the tasks. Device memory is found by
// dropping copies of values that are no longer referenced, then by moving the least recently used ones to the host.
package offload
