package kir

// The reference interpreter, which imports this package; the external tests set it.
var (
	refRun   func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error
	refOp    func(v *Value, args []uint64) uint64
	refFma32 func(x, y, z float64) float64
)

// SetReference brings package kir/ref to the tests of this package.
func SetReference(run func(f *Func, grid, block Dim3, params []byte, memory map[uint64][]byte) error,
	op func(v *Value, args []uint64) uint64, fma32 func(x, y, z float64) float64) {
	refRun, refOp, refFma32 = run, op, fma32
}
