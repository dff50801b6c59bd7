package tests

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// BenchmarkSmallEvaluation is what one turn of a loop over small arrays costs: build, plan, launch, copy out.
func BenchmarkSmallEvaluation(b *testing.B) {
	testdevices.Use(b)
	for _, dev := range []string{"host", "sim:v100"} {
		b.Run(dev, func(b *testing.B) {
			lazy.Use(dev)
			s := 0.0
			for i := 0; b.Loop(); i++ {
				s += lazy.Arange(1000).Add(i).Sin().Sum().Float64()
			}
		})
	}
}

// BenchmarkFortyOperations is a tiny array through 40 operations, whose kernel is known: what graph and scheduling
// take.
func BenchmarkFortyOperations(b *testing.B) {
	testdevices.Use(b)
	x := lazy.FromSlice([]float64{1, 2, 3})
	for b.Loop() {
		y := x
		for range 20 {
			y = y.Mul(1.5).Add(x)
		}
		lazy.Eval(y)
	}
}
