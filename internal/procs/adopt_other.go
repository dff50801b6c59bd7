//go:build !linux

package procs

// Adopts reports whether all that this process has started is below it in the table, whatever its parents did: not
// here, where what has lost its parent is the first process's.
func Adopts() bool { return false }

// Adopting runs main.
func Adopting(main func()) { main() }
