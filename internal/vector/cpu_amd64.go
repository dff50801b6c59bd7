//go:build !portable

package vector

import "sync"

func hasF16C() bool { return f16c() }

var processorFunctions struct {
	once  sync.Once
	loops []Loop
}

// FunctionLoops returns the loops of elementary functions that this processor can run. They are apart so that a program
// without such functions does not link them.
func FunctionLoops() []Loop {
	processorFunctions.once.Do(func() {
		switch {
		case hasAVX512:
			processorFunctions.loops = functionLoops(avx512Functions)
		case hasAVX2:
			processorFunctions.loops = functionLoops(avx2Functions)
		}
	})
	return processorFunctions.loops
}
