package vector

// SumFloat64 returns the sum of x, whose length is a multiple of 8, in eight running sums: element i goes to sum i mod
// 8, and they are joined as ((0+1)+(2+3)) + ((4+5)+(6+7)). ok is false where the processor has no such loop.
func SumFloat64(x []float64) (sum float64, ok bool) { return sumFloat64(x) }

// SumFloat32 is SumFloat64 of float32, as which they count exactly.
func SumFloat32(x []float32) (sum float64, ok bool) { return sumFloat32(x) }
