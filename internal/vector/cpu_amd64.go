//go:build !portable

package vector

import "golang.org/x/sys/cpu"

var hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW

var processorLoops = func() []Loop {
	switch {
	case hasAVX512:
		return append(loops, functionLoops(avx512Functions)...)
	case hasAVX2:
		return append(loops, functionLoops(avx2Functions)...)
	}
	return nil
}()

// Loops returns the loops that this processor can run.
func Loops() []Loop { return processorLoops }
