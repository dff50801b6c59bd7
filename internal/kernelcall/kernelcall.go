// Package kernelcall says what a launch of a kernel is made of: package gpu makes a [Call] of what a cell launches,
// package lazy adds it to what is to be computed. It is not part of what cells and programs see of either.
package kernelcall

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/scan"
)

// Call is a launch of a kernel on arrays of type A and on memory of the host.
type Call[A any] struct {
	Name        string
	Func        *kir.Func
	Grid, Block kir.Dim3
	SharedBytes int // dynamic shared memory
	Args        []Arg[A]
	Anyway      bool     // on machines that lack what the kernel uses, too
	On          []string // the devices that it runs on, in the place of those in use
	Setup       []Setup  // what a runtime of streams has called before it, for the trace
	Model       *Model   // chooses among On; nil where the devices' placement does
}

// Setup is a call of the runtime that prepares a launch.
type Setup struct {
	Name  string // "push stream"
	Of    string // the parameter that it is about; empty for none
	Bytes int64  // of what it hands over
}

// Model is what a launch takes by the cost model of streams, in seconds, on the CPU and on another device.
type Model struct {
	Elements    int
	CPU, Device float64 // for an element
	Issue       float64 // for a call on the device
	Byte        float64 // that is copied between the two
}

// Arg is what a launch passes for one parameter of the kernel: the address of an array's first element, that of a piece
// of host memory, the bits of a scalar, or the bytes of a struct.
type Arg[A any] struct {
	Array *A
	// the kernel sees a copy, one for all that overlap; where it writes, that is copied back when it has run
	Bytes  []byte
	Writes bool // the kernel may write to it
	Fresh  bool // it writes every element of the array: what was there before is not needed
	Bits   uint64
	Raw    []byte // of a parameter that is a block of bytes
	Memory any    // the caller's own memory of a device, of which Bits is the address; package lazy does not look at it
}

// Scan is a scan of arrays of type A by an operator that is not among the reductions of package arrays: what gpu/dp is
// made of.
type Scan[A any] struct {
	Name string
	// Spec says what is scanned; In and Out are those of Xs and of DType, Form may be the zero Form for the default.
	Spec scan.Spec
	// Key tells the operator and the spec's functions apart from others of the same names and types.
	Key   any
	Xs    []*A         // of one shape
	DType arrays.DType // of the result
	Axis  []int        // one, or none for all elements in C order
	// Ends, where it is not nil, has the places of what is wanted of the one line, ascending: the last element of each
	// segment. The result has an element for each.
	Ends *A

	Plain *Plain // of an operator that is one operation, so that loops of the CPU can do it; nil of others
}

// Plain is a scan by one operation on numbers of the result's type, which the last of Xs has.
type Plain struct {
	Op    kir.Op
	Heads bool // Xs begins with bools that say where segments begin
}
