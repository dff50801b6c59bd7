package kir

// The reference interpreter and the generator of kernels, which import this package; the external tests set them.
var (
	randomFunc func(seed uint64) *Func
	refRun     func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error
	refOp      func(v *Value, args []uint64) uint64
	refFma32   func(x, y, z float64) float64
)

// SetReference brings package kir/ref to the tests of this package.
func SetReference(run func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error,
	op func(v *Value, args []uint64) uint64, fma32 func(x, y, z float64) float64) {
	refRun, refOp, refFma32 = run, op, fma32
}

// SetRandom brings package kir/random to the tests of this package.
func SetRandom(f func(seed uint64) *Func) { randomFunc = f }

// Passes returns what each pass of the pipeline makes of a copy of a kernel, by its name, and whether it changed it.
func Passes() map[string]func(*Func) (*Func, bool) {
	m := make(map[string]func(*Func) (*Func, bool))
	for _, p := range pipeline {
		m[p.name] = func(f *Func) (*Func, bool) {
			g := f.clone()
			if p.when == shape { // as in the pipeline
				cleanUp(g)
			}
			changed := p.run(g)
			return g, changed
		}
	}
	return m
}
