//go:build !amd64

package vector

// Loops returns the loops that this processor can run.
func Loops() []Loop { return nil }
