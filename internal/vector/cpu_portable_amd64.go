//go:build portable

package vector

// Loops returns the loops that may be used: none.
func Loops() []Loop { return nil }

// PastCaches returns the loops whose results go past the caches: none.
func PastCaches() []Loop { return nil }
