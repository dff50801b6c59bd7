// Package cudabackend runs kernels on NVIDIA GPUs, behind the same contract as the simulated ones. The driver is opened
// when the program runs, through purego: no cgo, no CUDA headers, and the same binary works where there is no GPU.
//
// Start with [Register], or [Names] and [Open]. A kernel is printed as PTX for the card (package ptx) and compiled by
// the driver, so it computes the bits that kir's engine computes. Times are those of the driver's events.
//
// A fault of a kernel breaks the driver's context for good. With a command for [Register] the driver is in a worker
// process ([ServeWorker]), which ends alone; the device that the session has is then a way to it (remote, fleet, wire).
//
// NVIDIA's libraries (library.go) do matrix products, systems and transforms where they are found; see
// device.Librarian.
//
// Binaries with the build tag nocuda, and systems without such a driver, have no devices; their functions say so.
package cudabackend
