package workloads

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/learn"
)

//go:embed data/wine.csv
var wine []byte

// Wines returns the analyses, (178, 13), and the cultivators' numbers.
func Wines() (x, class *np.Array) {
	a, err := arrays.ReadCSV(bytes.NewReader(wine))
	if err != nil {
		panic(fmt.Sprint("data/wine.csv: ", err)) // it is part of the program
	}
	return np.FromArray(a.At(arrays.All, arrays.S(0, 13))), np.FromArray(a.At(arrays.All, 13).AsType(arrays.Int64))
}

// ClassifyWines learns of 70 % of the wines and says whose the others are, each repeated times times. It returns the
// share of right answers.
func ClassifyWines(times int) *np.Array {
	x, class := Wines()
	known, asked, of, want := learn.TrainTestSplit(x, class, 0.3, 0)
	answers := Classify(known, of, np.Tile(asked, times, 1))
	return answers.Equal(np.Tile(want, times)).Mean()
}

// Classify says of which class the samples are, as the published program does in nine calls: by the five nearest
// neighbours among the known samples, of two principal components of standardised features.
func Classify(known, class, asked *np.Array) *np.Array {
	scaler, pca, neighbours := learn.NewStandardScaler(), learn.NewPCA(2), learn.NewKNeighborsClassifier(5)
	neighbours.Fit(pca.FitTransform(scaler.FitTransform(known)), class)
	return neighbours.Predict(pca.Transform(scaler.Transform(asked)))
}

// Blobs returns n points of d features in k groups of equal size, in turn: centres evenly in [-2, 2], a standard
// deviation of 1 around them. The numbers are those of NumPy's default_rng.
func Blobs(seed, n, d, k int) *np.Array {
	r := arrays.DefaultRNG(seed)
	centres := r.Uniform(-2, 2, k, d)
	return np.FromArray(r.Normal(0, 1, n, d).Add(centres.At(arrays.Arange(n).Mod(k))))
}

// Blob returns n points of d features around one centre, as the paper's truncated SVD has them: each feature of the
// centre lies in [-10, 10], the points have a standard deviation of 1. The numbers are those of NumPy's default_rng,
// not of scikit-learn's make_blobs, which the authors call.
func Blob(seed, n, d int) *np.Array {
	r := arrays.DefaultRNG(seed)
	centre := r.Uniform(-10, 10, d)
	return np.FromArray(r.Normal(0, 1, n, d).Add(centre))
}

// Clusters standardises the points, finds their clusters by density, and counts them.
func Clusters(x *np.Array, eps float64, enough int) (labels, number *np.Array) {
	z := learn.NewStandardScaler().FitTransform(x)
	labels = learn.NewDBSCAN(eps, enough).Fit(z).Labels()
	return labels, labels.Max().Add(1)
}

// TSVD returns the coordinates of the points along the two singular vectors of the largest singular values: (n, 2).
func TSVD(x *np.Array) *np.Array { return learn.NewTruncatedSVD(2).FitTransform(x) }

// Centres moves k centres, the first k points, so many times at most, and returns them and the number of each point's
// centre.
func Centres(x *np.Array, k, steps int) (centres, nearest *np.Array) {
	m := learn.NewKMeans(k, learn.Init(x.At(np.S(0, k))), learn.MaxSteps(steps), learn.Tolerance(0))
	nearest = m.FitPredict(x)
	return m.ClusterCenters(), nearest
}
