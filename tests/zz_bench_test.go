package tests

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

func BenchmarkScans(b *testing.B) {
	testdevices.Use(b)
	for _, d := range []arrays.DType{arrays.Float32, arrays.Float64, arrays.Int32} {
		e := arrays.DefaultRNG(1).Normal(0, 100, 10_000_000).AsType(d)
		lazy.Use("host")
		x := lazy.FromArray(e)
		b.Run("eager/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				e.CumSum()
			}
		})
		b.Run("host/"+d.String(), func(b *testing.B) {
			for b.Loop() {
				x.CumSum().Array()
			}
		})
	}
	lazy.Use("sim:v100")
	e := arrays.Ones(1 << 20).AsType(arrays.Float32)
	x := lazy.FromArray(e)
	lazy.Eval(x.Add(1))
	b.Run("sim/copy", func(b *testing.B) {
		for b.Loop() {
			x.Copy().Array()
		}
	})
	b.Run("sim/add", func(b *testing.B) {
		for b.Loop() {
			x.Add(1).Array()
		}
	})
	b.Run("sim/scan", func(b *testing.B) {
		for b.Loop() {
			x.CumSum().Array()
		}
	})
}
