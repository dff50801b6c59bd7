// Package trace is the record of what the runtime and its devices did: allocations, copies, kernels, host work, with
// times, bytes and the statistics of each kernel. It is the only thing that charts read.
//
// A [Log] holds the [Event]s of one evaluation. [Last] returns the log of the newest evaluation that did any work;
// runtimes hand theirs in with [SetLast]. [Log.WriteChrome] exports it for Perfetto and chrome://tracing.
//
// The package knows nothing of arrays, kernels' code or devices.
package trace
