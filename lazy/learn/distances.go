package learn

import np "github.com/arrayrepl/arrayrepl/lazy"

// distances2 are the squares of the distances between two sets of points, (n, d) and (m, d): (n, m). One kernel makes
// them.
func distances2(a, b *np.Array) *np.Array {
	d := a.At(np.All, np.NewAxis, np.All).Sub(b.At(np.NewAxis, np.All, np.All))
	return d.Mul(d).Sum(np.Axis(-1))
}

// distance2 is the square of the distance between two points.
func distance2(a, b []float64) (s float64) {
	for f, x := range a {
		d := x - b[f]
		s += d * d
	}
	return s
}

// argMin returns of each row of x, (n, m), the first column with its least number, by reductions that have kernels: (n,
// 1).
func argMin(x *np.Array) *np.Array {
	m := x.Shape()[1]
	least := x.Min(np.Axis(1), np.KeepDims())
	return np.Where(x.Equal(least), np.Arange(m), m-1).Min(np.Axis(1), np.KeepDims())
}
