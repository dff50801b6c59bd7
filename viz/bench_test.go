package viz

import (
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// BenchmarkHundredMillion is what each chart of data takes for 10^8 values, and what memory beside them:
//
//	go test ./viz -run '^$' -bench HundredMillion -benchtime 1x
func BenchmarkHundredMillion(b *testing.B) {
	const side = 10_000
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, side*side)
	for i := range x {
		x[i] = math.Abs(rng.NormFloat64()) + 1e-3 // as a logarithmic axis takes them
	}
	table := arrays.FromSlice(x, side, side)
	for _, name := range slices.Sorted(maps.Keys(every)) {
		f := every[name]
		if f.data == nil && f.table == nil {
			continue
		}
		b.Run(name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				var c *Chart
				if f.data != nil {
					c = f.data(x)
				} else {
					c = f.table(table)
				}
				if c.Err != nil {
					b.Logf("refused: %v", c.Err)
					continue
				}
				c.MIMEBundle()
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(b.N), "MB/op")
		})
	}
}
