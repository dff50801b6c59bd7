package frames

import (
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

func BenchmarkWrite(b *testing.B) {
	const n = 100_000
	r := rand.New(rand.NewPCG(5, 9))
	words, x, k := make([]string, n), make([]float64, n), make([]int64, n)
	for i := range n {
		words[i], x[i], k[i] = []string{"Oslo", "Bergen", "Trondheim"}[r.IntN(3)], r.NormFloat64(), r.Int64N(1_000_000)
	}
	day := arrays.FromSlice(k).Div(100).AsType(arrays.Int64).AsType(arrays.DateTime(arrays.Day))
	table := New("city", words, "x", x, "y", arrays.FromSlice(x).Mul(3), "k", k, "day", day, "positive", arrays.FromSlice(x).Greater(0))
	path := b.TempDir() + "/t.csv"
	for b.Loop() {
		if err := table.Write(path); err != nil {
			b.Fatal(err)
		}
	}
}
