// Kernelgen makes the kernels of a Go package known to programs that are built of it. A func value has no source when a
// program runs; in a notebook the session hands it over, in a program this step of go generate does:
//
//	//go:generate go run github.com/arrayrepl/arrayrepl/gpu/kernelgen
//
// It compiles the functions that the package gives to gpu.Launch, gpu.Check, gpu.Emulate, gpu.Record, gpu.Accesses,
// gpu.Kernel, puzzle.Check, np.Map and np.Reduce (named functions of the package, their instances, function literals)
// and writes them to zz_kernels.go. What cannot be compiled is an error of this step, with file, line and column.
// Helpers that kernels call must be in the same package.
//
// A kernel that other packages launch has a line of its own above it, and the step runs in its package:
//
//	//gpu:kernel
//	func Saxpy(a float32, x, y []float32) { … }
//
// A program knows when a function, or what it uses of its package, has changed since this step ran, and launches
// nothing then. Comments, gofmt and other functions make no difference; places in messages are those of the last run.
package main

import (
	"fmt"
	"os"
)

// output is the file that it writes.
const output = "zz_kernels.go"

func main() {
	text, err := generate(".")
	if err == nil {
		err = os.WriteFile(output, text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kernelgen:", err)
		os.Exit(1)
	}
}
