package opt

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/testkernels"
)

// BenchmarkOptimize is the time that the passes take. A kernel of 30 lines must be compiled, the rest included, within
// 2 ms.
func BenchmarkOptimize(b *testing.B) {
	for _, c := range []struct {
		name string
		f    *kir.Func
	}{
		{"saxpy", testkernels.SaxpyKernel(b)},
		{"matmul, a tile of 16 written out", testkernels.MatmulKernel(b, 16)},
		{"matmul, a tile of 32 written out", testkernels.MatmulKernel(b, 32)},
		{"random", randomFunc(17)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				Optimize(c.f)
			}
		})
		f := Optimize(c.f)
		b.Run(c.name+", registers", func(b *testing.B) {
			for range b.N {
				Allocate(f)
			}
		})
	}
}
