package emulate

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Quad returns where the calling thread's elements of a matrix of gpu.MMA begin: the number of its group of four lanes,
// and twice its number in that.
func Quad(name string) (group, pair int) {
	lane := Current(name).Lane()
	return lane / 4, lane % 4 * 2
}

// MMA returns the calling thread's elements of a*b + c, a product of matrices of its warp; brain says that the factors
// are bfloat16s.
func MMA(a [4]uint32, b [2]uint32, c [4]float32, brain bool) [4]float32 {
	type lane struct {
		a [4]uint32
		b [2]uint32
	}
	var all [WarpSize]kir.MatrixLane
	for l, x := range Current("MMA").Warp("MMA", lane{a, b}) {
		if x == nil {
			panic(fmt.Sprintf("gpu.MMA: lane %d of the warp has ended, or is one that the block does not have", l))
		}
		all[l] = kir.MatrixLane{A: x.(lane).a, B: x.(lane).b}
	}
	var out [4]float32
	for i := range out {
		x, y := kir.MatrixFactors(&all, Current("MMA").Lane(), i, brain)
		out[i] = tensor.Dot(c[i], &x, &y)
	}
	return out
}
