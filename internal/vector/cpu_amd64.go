package vector

import "golang.org/x/sys/cpu"

// Loops returns the loops that this processor can run.
func Loops() []Loop {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return loops
	}
	return nil
}
