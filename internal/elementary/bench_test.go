package elementary_test

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// BenchmarkAgainstGo compares with Go's math.
func BenchmarkAgainstGo(b *testing.B) {
	pow := func(p func(x, y float64) float64) func(float64) float64 {
		return func(x float64) float64 { return p(x, 2.7) }
	}
	for _, f := range []struct {
		name       string
		ours, gos  func(float64) float64
		ours32     func(float32) float32
		start, end float64
	}{
		{"exp", elementary.Exp, math.Exp, elementary.Expf, -10, 10},
		{"log", elementary.Log, math.Log, elementary.Logf, 0, 10},
		{"sin", elementary.Sin, math.Sin, elementary.Sinf, -10, 10},
		{"cos", elementary.Cos, math.Cos, elementary.Cosf, -10, 10},
		{"sinNearZero", elementary.Sin, math.Sin, elementary.Sinf, -0.78, 0.78},
		{"sinLarge", elementary.Sin, math.Sin, elementary.Sinf, 1e10, 1e12},
		{"pow", pow(elementary.Pow), pow(math.Pow), nil, 0, 10},
		{"erf", elementary.Erf, math.Erf, elementary.Erff, -3, 3},
		{"tanh", elementary.Tanh, math.Tanh, elementary.Tanhf, -3, 3},
		{"atan", elementary.Atan, math.Atan, elementary.Atanf, -3, 3},
		{"gamma", elementary.Gamma, math.Gamma, elementary.Gammaf, 0.1, 20},
	} {
		x, d := make([]float64, 1024), make([]float64, 1024)
		x32, d32 := make([]float32, 1024), make([]float32, 1024)
		for i := range x {
			x[i] = f.start + (f.end-f.start)*(float64(i*389%1024)+0.5)/1024
			x32[i] = float32(x[i])
		}
		run := func(g func(float64) float64) func(b *testing.B) {
			return func(b *testing.B) {
				for b.Loop() {
					for i := range x {
						d[i] = g(x[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/element")
			}
		}
		b.Run(f.name+"/ours", run(f.ours))
		b.Run(f.name+"/go", run(f.gos))
		if f.ours32 == nil {
			continue
		}
		b.Run(f.name+"/ours32", func(b *testing.B) {
			for b.Loop() {
				for i := range x32 {
					d32[i] = f.ours32(x32[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x32)), "ns/element")
		})
	}
}
