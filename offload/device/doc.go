// Package device is the contract between the runtime and everything that runs kernels: simulated GPUs, real ones, and
// the CPU. A scheduler that holds a [Device] needs to know nothing else of it.
//
// A [Stream] is an asynchronous, in-order queue of copies and launches; each returns an [Event] with device times.
// Errors surface at [Stream.Sync] and on the event. A [Registry] opens devices by name ("sim:v100", "host"); the
// command fills it.
//
// The package knows nothing of arrays or schedules.
package device
