package arrays

import "testing"

// Bytes a second count what is read and written.

func BenchmarkAdd(b *testing.B) {
	for _, c := range []struct {
		name string
		x, y any
	}{
		{"10", Zeros(10), Zeros(10)},
		{"1e6", Zeros(1_000_000), Zeros(1_000_000)},
		{"1e6 scalar", Zeros(1_000_000), 2},
		{"1e6 int64 and float64", New(Int64, 1_000_000), Zeros(1_000_000)},
		{"1000x1000 transposed", Zeros(1000, 1000), Zeros(1000, 1000).T()},
		{"1000x1000 row", Zeros(1000, 1000), Zeros(1000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			out := Add(c.x, c.y)
			b.SetBytes(int64(3 * 8 * out.Size()))
			b.ReportAllocs()
			for b.Loop() {
				Add(c.x, c.y)
			}
		})
	}
}

func BenchmarkExp(b *testing.B) {
	x := Linspace(-5, 5, 1_000_000)
	b.SetBytes(16_000_000)
	for b.Loop() {
		x.Exp()
	}
}

func BenchmarkPow(b *testing.B) {
	x := Linspace(0.5, 5, 100_000)
	b.SetBytes(1_600_000)
	for b.Loop() {
		x.Pow(2.5)
	}
}

func BenchmarkSum(b *testing.B) {
	x := Zeros(1000, 1000)
	for _, c := range []struct {
		name string
		opts []ReduceOption
	}{{"all", nil}, {"axis 0", []ReduceOption{Axis(0)}}, {"axis 1", []ReduceOption{Axis(1)}}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(8_000_000)
			for b.Loop() {
				x.Sum(c.opts...)
			}
		})
	}
}

// BenchmarkSmall is what an operation on ten elements costs.
func BenchmarkSmall(b *testing.B) {
	x, y := DefaultRNG(1).Random(10), DefaultRNG(2).Random(10)
	for _, f := range []struct {
		name string
		op   func() *Array
	}{
		{"add", func() *Array { return x.Add(y) }},
		{"less", func() *Array { return x.Lt(y) }},
		{"sqrt", func() *Array { return x.Sqrt() }},
		{"exp", func() *Array { return x.Exp() }},
		{"times two", func() *Array { return x.Mul(2) }},
		{"sum", func() *Array { return x.Sum() }},
	} {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				f.op()
			}
		})
	}
}
