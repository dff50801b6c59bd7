//go:build !portable

package vector

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
