// Package fake is a driver library for tests, without a GPU: what libcuda.so.1 is to package cudabackend. Its C part
// (c/driver.c) keeps the driver's rules and does nothing before somebody waits for it; kernels come as PTX, are read by
// package ptx and run on kir's engine, in the memory that the library gave out.
//
// Start with [Start]. It needs a C compiler.
package fake

import "errors"

// Driver is the library, loaded.
type Driver struct {
	// Reset makes it as new: so many devices of so many bytes each, for the given version of CUDA (12040), with or
	// without memory pools. Nothing may be open.
	Reset func(devices int, bytes uint64, version, pools int32)
	// Fail makes the named function fail with the given result, once, after so many calls of it that do not. Results
	// from 700 on stay.
	Fail func(name string, after, result int32)
	// Capability makes the devices cards of another compute capability than 80, until the next Reset.
	Capability func(capability int32)
	// Used returns the bytes that processes have allocated on a device.
	Used func(device int32) uint64
	// Left returns the bytes that nobody had freed when the last user of a device's context gave it back, which frees
	// them.
	Left func(device int32) uint64
}

// Variable names the driver's library to package cudabackend.
const Variable = "ARRAYREPL_CUDA_DRIVER"

// ErrNone is in the error of Start where there can be no such library: no C compiler, another system than Linux, a
// build without CUDA.
var ErrNone = errors.New("no driver library without a GPU")
