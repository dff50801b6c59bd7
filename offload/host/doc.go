// Package host is the CPU as a device: what runs when there is no GPU, or when the CPU is the better place. Its buffers
// are Go memory, its kernels run on the CPU engine of package kir, its times are measured.
//
// Start with [Open], which gives a [Device]. Each stream is one goroutine that works off its queue in order; a launch
// itself uses all cores. After an operation of a stream has failed, what was queued behind it does not run, since it
// would work on wrong data: its events carry the first error, until Sync returns it and the stream is clean again.
//
// The package knows nothing of arrays, of other devices or of what the kernels compute.
package host
