//go:build portable

package vector

func hasF16C() bool { return false }

// FunctionLoops returns the loops of elementary functions that this processor can run: none.
func FunctionLoops() []Loop { return nil }
