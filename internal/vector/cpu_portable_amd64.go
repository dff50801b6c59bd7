//go:build portable

package vector

// Loops returns the loops that may be used: none.
func Loops() []Loop { return nil }
