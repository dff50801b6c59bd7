package main

import (
	np "github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/bench/oa/workloads"
)

// workloadSizes are one that fits the caches and one that does not.
var workloadSizes = []int{100_000, 10_000_000}

// workloadRows are the two elementwise programs of the offload-annotations paper, fused on this machine's processors,
// beside the same program on NumPy (with SciPy's erf), numexpr and numba with all its threads, as far as the peer has
// them.
var workloadRows = []row{
	{"black-scholes", workloadSizes, blackScholes},
	{"black-scholes numexpr", workloadSizes, blackScholes},
	{"black-scholes numba", workloadSizes, blackScholes},
	{"haversine", workloadSizes, haversine},
	{"haversine numexpr", workloadSizes, haversine},
	{"haversine numba", workloadSizes, haversine},
}

// uniform returns n numbers between lo and hi, as the host holds them.
func uniform(rng *np.RNG, n int, lo, hi float64) *lazy.Array {
	return lazy.FromSlice(rng.Uniform(lo, hi, n).Float64s())
}

func blackScholes(n int) func() {
	rng := np.DefaultRNG(1)
	in := [5]*lazy.Array{uniform(rng, n, 10, 50), uniform(rng, n, 10, 50), uniform(rng, n, 1, 2), uniform(rng, n, 0.1, 0.2), uniform(rng, n, 0.2, 0.4)}
	return func() {
		call, put := workloads.BlackScholes(in)
		lazy.Eval(call, put)
	}
}

func haversine(n int) func() {
	rng := np.DefaultRNG(1)
	lat, lon := uniform(rng, n, 0.1, 1), uniform(rng, n, 0.1, 1)
	return func() { lazy.Eval(workloads.Haversine(lat, lon)) }
}
