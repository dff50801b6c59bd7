package main

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	eagerly "github.com/arrayrepl/arrayrepl/tests/bench/oa/eager"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
)

// row is a workload: eager and lazy make its inputs of n elements and return what is timed.
type row struct {
	name         string
	peer         string // its name in tests/bench/peer/peer.py
	small, paper int
	eager        func(n int) func()
	lazy         func(n int) func() []*lazy.Array
	// in place of lazy on the simulated GPU, where that evaluates more than once
	modelled func(n int) func() []*lazy.Array
}

var rows = []row{
	{"black-scholes", "black-scholes", 1 << 18, 10_000_000, blackScholes, lazyBlackScholes, nil},
	{"haversine", "haversine", 1 << 18, 10_000_000, haversine, lazyHaversine, nil},
	{"crime index", "", 1 << 18, 1 << 24, crimeIndex, lazyCrimeIndex, nil},
	{"dbscan", "", 256, 1 << 12, dbscan, lazyDBSCAN, nil},
	{"pca, knn", "", 1 << 4, 1 << 8, classify, lazyClassify, nil},
	{"k-means", "", 1 << 12, 1 << 16, kMeans, lazyKMeans, oneGraphKMeans},
	{"tsvd", "", 1 << 12, 1 << 16, tsvd, lazyTSVD, nil},
}

// prices are the inputs of Black-Scholes, of the ranges that tests/bench/arrays has.
func prices(n int) (in [5]*arrays.Array) {
	rng := arrays.DefaultRNG(1)
	for i, r := range [5][2]float64{{10, 50}, {10, 50}, {1, 2}, {0.1, 0.2}, {0.2, 0.4}} {
		in[i] = rng.Uniform(r[0], r[1], n)
	}
	return in
}

func blackScholes(n int) func() {
	in := prices(n)
	return func() { eagerly.BlackScholes(in) }
}

func lazyBlackScholes(n int) func() []*lazy.Array {
	var in [5]*lazy.Array
	for i, x := range prices(n) {
		in[i] = lazy.FromArray(x)
	}
	return func() []*lazy.Array {
		call, put := workloads.BlackScholes(in)
		return []*lazy.Array{call, put}
	}
}

func places(n int) (lat, lon *arrays.Array) {
	rng := arrays.DefaultRNG(1)
	return rng.Uniform(0.1, 1, n), rng.Uniform(0.1, 1, n)
}

func haversine(n int) func() {
	lat, lon := places(n)
	return func() { eagerly.Haversine(lat, lon) }
}

func lazyHaversine(n int) func() []*lazy.Array {
	a, b := places(n)
	lat, lon := lazy.FromArray(a), lazy.FromArray(b)
	return func() []*lazy.Array { return []*lazy.Array{workloads.Haversine(lat, lon)} }
}

// crimeIndex is CrimeIndex on eager arrays: tables are lazy.
func crimeIndex(n int) func() {
	t := workloads.Cities(n)
	population, adults, robberies := t.Col("population").Array(), t.Col("adults").Array(), t.Col("robberies").Array()
	return func() {
		total := arrays.Where(population.Greater(500_000), 0, population)
		index := adults.Mul(2).Add(total).Sub(robberies.Mul(2000)).Div(100_000)
		index = arrays.Where(index.Greater(0.02), 0.032, index)
		arrays.Where(index.Less(0.01), 0.005, index).Sum()
	}
}

func lazyCrimeIndex(n int) func() []*lazy.Array {
	t := workloads.Cities(n)
	return func() []*lazy.Array { return []*lazy.Array{workloads.CrimeIndex(t)} }
}

// dbscan has the distances alone on eager arrays, which is most of the work; 256 features and 32 groups, as published.
func dbscan(n int) func() {
	x := workloads.Blobs(42, n, 256, 32).Array()
	return func() { eagerly.Near(eagerly.Standardise(x), 16) }
}

func lazyDBSCAN(n int) func() []*lazy.Array {
	x := workloads.Blobs(42, n, 256, 32)
	return func() []*lazy.Array {
		labels, number := workloads.Clusters(x, 16, max(2, n/32/20))
		return []*lazy.Array{labels, number}
	}
}

// classify asks for the class of each wine so many times, by its projections repeated.
func classify(times int) func() {
	x, class := workloads.Wines()
	all, of := x.Array(), class.Array()
	return func() {
		known := eagerly.Standardise(all)
		directions := eagerly.Components(known, 2)
		flat := arrays.MatMul(known, directions)
		eagerly.Nearest(arrays.Tile(flat, times, 1), flat, of, 5, 3)
	}
}

func lazyClassify(times int) func() []*lazy.Array {
	x, class := workloads.Wines()
	return func() []*lazy.Array {
		return []*lazy.Array{workloads.Classify(x, class, lazy.Tile(x, times, 1))}
	}
}

func kMeans(n int) func() {
	x := workloads.Blobs(3, n, 8, 8).Array()
	return func() { eagerly.KMeans(x, 8, 10) }
}

func lazyKMeans(n int) func() []*lazy.Array {
	x := workloads.Blobs(3, n, 8, 8)
	return func() []*lazy.Array {
		centres, nearest := workloads.Centres(x, 8, 10)
		return []*lazy.Array{centres, nearest}
	}
}

// oneGraphKMeans has all steps in one evaluation; those of learn.KMeans end when nothing changes any more.
func oneGraphKMeans(n int) func() []*lazy.Array {
	x := workloads.Blobs(3, n, 8, 8)
	return func() []*lazy.Array {
		centres, nearest := workloads.KMeans(x, 8, 10)
		return []*lazy.Array{centres, nearest}
	}
}

// tsvd has 64 features, of the paper's 512, so that the least size takes no minute.
func tsvd(n int) func() {
	x := workloads.Blob(7, n, 64).Array()
	return func() {
		_, vectors := arrays.EigH(arrays.MatMul(x.T(), x))
		arrays.MatMul(x, vectors.At(arrays.All, arrays.S(arrays.End, -3, -1)))
	}
}

func lazyTSVD(n int) func() []*lazy.Array {
	x := workloads.Blob(7, n, 64)
	return func() []*lazy.Array { return []*lazy.Array{workloads.TSVD(x)} }
}
