package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// The loops have the bits of the plain one, forwards and backwards, and touch no other column.
func TestSweeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const rows, ld = 7, 112
	for _, columns := range []int{16, 32, 64, 80, 96} {
		for _, step := range []int{1, -1} {
			a := make([]float64, rows*ld)
			for i := range a {
				a[i] = rng.NormFloat64()
			}
			turns := make([][2]float64, rows-1)
			for i := range turns {
				s, c := math.Sincos(rng.Float64() * 6)
				turns[i] = [2]float64{c, s}
			}
			first := 0
			if step < 0 {
				first = (rows - 1) * ld
			}
			got, want := slices.Clone(a), slices.Clone(a)
			p := Sweep{K: rows - 1, Row: unsafe.Pointer(&got[first]), Across: step * ld * 8, Turns: unsafe.Pointer(&turns[0])}
			p.Rotate(columns)
			for j := 0; j < columns; j += SweepColumns {
				p.Row = unsafe.Pointer(&want[first+j])
				p.rotatePlainly()
			}
			assert.Equal(t, want, got)
		}
	}
}
