package emulate

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// Quad returns where the calling thread's elements of a matrix of gpu.MMA begin: the number of its group of four
// lanes, and its number in that.
func Quad(name string) (group, at int) {
	lane := Current(name).Lane()
	return lane / 4, lane % 4
}

// Quarter returns where the calling thread's elements of matrices of gpu.MMAQuarters begin: the row of the first one
// and the column of the second one, and row and column of the sum.
func Quarter(name string) (a, b, row, col int) {
	lane := Current(name).Lane()
	down, right, four := lane/8%2*8, lane/4%2*8, lane/16*4
	return down + lane%4 + four, right + lane%4 + four, down + lane%2 + four, right + lane&2
}

// The formats of the factors of gpu.MMA, kir's shapes as numbers that every engine has.
const (
	F16  = int(kir.MMAF16)
	BF16 = int(kir.MMABF16)
	TF32 = int(kir.MMATF32)
	E4M3 = int(kir.MMAE4M3)
	E5M2 = int(kir.MMAE5M2)
)

// MMA returns the calling thread's elements of a*b + c, a product of matrices of its warp whose factors are of a
// format.
func MMA(of int, a [4]uint32, b [2]uint32, c [4]float32) [4]float32 {
	product("MMA", kir.MMAShape(of), kir.MatrixLane{A: a, B: b}, c[:])
	return c
}

// MMAQuarters is MMA of a product m8n8k4 of each quarter of the warp.
func MMAQuarters(a, b [2]uint32, c [8]float32) [8]float32 {
	product("MMAQuarters", kir.MMAQuarters, kir.MatrixLane{A: [4]uint32{a[0], a[1]}, B: b}, c[:])
	return c
}

// product adds to c, the calling thread's elements of a sum, those of a product of matrices of its warp, of which it
// has mine.
func product(name string, shape kir.MMAShape, mine kir.MatrixLane, c []float32) {
	var all [WarpSize]kir.MatrixLane
	for l, x := range Current(name).Warp(name, mine) {
		if x == nil {
			panic(fmt.Sprintf("gpu.%s: lane %d of the warp has ended, or is one that the block does not have", name, l))
		}
		all[l] = x.(kir.MatrixLane)
	}
	var room [2][tensor.MostDepth]float64
	for i := range c {
		x, y := shape.MatrixFactors(&all, Current(name).Lane(), i, &room)
		c[i] = tensor.Dot(c[i], x, y)
	}
}
