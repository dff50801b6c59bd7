package dense

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnderway: gonum's routine for eigenvalues is named while it runs, and only so long.
func TestUnderway(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]float64, n*n)
	for i := range a {
		a[i] = r.NormFloat64()
	}
	ended := make(chan error)
	go func() { ended <- Eigen(n, a, make([]complex128, n), nil) }()
	seen := map[string]bool{}
	for {
		select {
		case err := <-ended:
			assert.NoError(t, err)
			assert.True(t, seen["gonum's Dgeev"], seen)
			assert.Empty(t, Underway())
			assert.Panics(t, func() { unasked("what panics", func() { panic("ended") }) })
			assert.Empty(t, Underway())
			return
		default:
			seen[Underway()] = true
		}
	}
}
