package workloads

import np "github.com/arrayrepl/arrayrepl/lazy"

// Standardise returns the points, one a row, with a mean of 0 and a standard deviation of 1 in each feature.
func Standardise(x *np.Array) *np.Array {
	return x.Sub(x.Mean(np.Axis(0))).Div(x.Std(np.Axis(0)))
}

// distances2 are the squares of the distances between two sets of points, (n, d) and (m, d): (n, m). One fused kernel
// makes them, of n*m*d steps.
func distances2(a, b *np.Array) *np.Array {
	d := a.At(np.All, np.NewAxis, np.All).Sub(b.At(np.NewAxis, np.All, np.All))
	return d.Mul(d).Sum(np.Axis(-1))
}

// Near tells of each two of the points, (n, d), whether they are within eps of each other: (n, n).
func Near(x *np.Array, eps float64) *np.Array { return distances2(x, x).LessEqual(eps * eps) }

// Components returns the directions of the k largest variances of the points, (features, k): the eigenvectors of their
// covariances.
func Components(x *np.Array, k int) *np.Array {
	centred := x.Sub(x.Mean(np.Axis(0)))
	_, vectors := np.EigH(np.MatMul(centred.T(), centred))
	return vectors.At(np.All, np.S(np.End, -k-1, -1))
}

// Nearest returns for each of the points, (n, d), the class that most of its k nearest neighbours among the known ones
// have; the lowest of those with equally many. Classes are numbers below classes.
func Nearest(points, known, class *np.Array, k, classes int) *np.Array {
	order := np.ArgSort(distances2(points, known), 1).At(np.All, np.S(0, k))
	votes := class.At(order).At(np.All, np.All, np.NewAxis).Equal(np.Arange(classes)) // (n, k, classes)
	return votes.AsType(np.Int64).Sum(np.Axis(1)).ArgMax(np.Axis(1))
}

// KMeans moves k centres, the first k points, so many times to the mean of the points that are nearest to them (Lloyd),
// and returns them, (k, d), and the number of each point's centre. A centre that no point is nearest to stays. All
// steps are one graph.
func KMeans(x *np.Array, k, steps int) (centres, nearest *np.Array) {
	centres = x.At(np.S(0, k))
	for range steps {
		nearest = distances2(x, centres).ArgMin(np.Axis(1))
		mine := nearest.At(np.All, np.NewAxis).Equal(np.Arange(k)).AsType(np.Float64) // (n, k)
		count := mine.Sum(np.Axis(0)).At(np.All, np.NewAxis)
		centres = np.Where(count.Greater(0), np.MatMul(mine.T(), x).Div(np.Maximum(count, 1)), centres)
	}
	return centres, distances2(x, centres).ArgMin(np.Axis(1))
}
