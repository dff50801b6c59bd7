package arrays

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDrawnRowsAreCopies: what is assigned to a row that was drawn does not change the population, as in NumPy.
func TestDrawnRowsAreCopies(t *testing.T) {
	for name, draw := range map[string]func(r *RNG, x *Array) *Array{
		"choice":               func(r *RNG, x *Array) *Array { return r.Choice(x) },
		"choice of several":    func(r *RNG, x *Array) *Array { return r.Choice(x, 2) },
		"weighted":             func(r *RNG, x *Array) *Array { return r.WeightedChoice(x, []float64{0.5, 0.5}) },
		"without putting back": func(r *RNG, x *Array) *Array { return r.Sample(x, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			x := Ones(2, 3)
			draw(DefaultRNG(1), x).Set(7)
			assert.Equal(t, Ones(2, 3).String(), x.String())
		})
	}
}
