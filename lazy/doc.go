// Package lazy is the array package of cells, where it is called np: the functions and methods of package arrays, under
// the same names and signatures, on placeholders.
//
// A call returns an [Array] at once, with its shape and dtype known (so a wrong shape is reported by the call that is
// wrong), and computes nothing. Displaying an array, printing it, asking for an element or a Go slice evaluates it: the
// graph behind it is cut into groups of elementwise operations, which store one or several results or end in one
// reduction; each group becomes one kernel; the runtime of package offload moves what must move and runs them on the
// device that [Use] chose. What has been evaluated once is kept. A graph that only grows is evaluated now and then, so
// that its memory is bounded.
//
// %doc arrays-for-numpy-users, in a session, says what is different from NumPy, and %doc numpy.argsort what a name of
// NumPy is here.
//
// Start with array.go (the placeholder), then cut.go (how the graph is cut) and kernel.go (how a group becomes a
// kernel). The package must not know which devices there are, nor how anything is drawn.
package lazy

//go:generate go run ./internal/mirror
