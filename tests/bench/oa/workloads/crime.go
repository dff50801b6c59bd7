package workloads

import (
	"github.com/arrayrepl/arrayrepl/lazy/frames"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Cities returns the table of CrimeIndex: n cities that are all alike, as its authors have them.
func Cities(n int) *frames.Table {
	fill := func(v float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	return frames.New("population", fill(500_000), "adults", fill(250_000), "robberies", fill(1000))
}

// CrimeIndex is the sum of the cities' indices: 0.005 for each of Cities.
func CrimeIndex(t *frames.Table) *np.Array {
	total := t.Col("population")
	total = np.Where(total.Greater(500_000), 0, total) // as published, though it bears no big city in mind
	index := t.Col("adults").Mul(2).Add(total).Sub(t.Col("robberies").Mul(2000)).Div(100_000)
	index = np.Where(index.Greater(0.02), 0.032, index)
	index = np.Where(index.Less(0.01), 0.005, index)
	return index.Sum()
}
