package vector

// Loops returns the loops that this processor can run.
func Loops() []Loop {
	if hasAVX2 {
		return loops
	}
	return nil
}
