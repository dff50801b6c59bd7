// Package gosrc compiles Go functions to kernels: from their syntax and types, through the SSA form of
// golang.org/x/tools, to kir. It is how a function that a cell has declared runs on a GPU.
//
// Start with [Compile], which makes a [Kernel] of a function whose [Source] it is given, and [Check], which says what
// in a function cannot run on a GPU without compiling it. Calls are inlined, generic functions instantiated, variables
// kept in registers where nothing computes their address. The intrinsics are the functions of package gpu, known by
// their names; tables in intrinsics.go and mathfuncs.go give what each becomes.
//
// The package knows nothing of sessions, arrays or devices.
package gosrc
