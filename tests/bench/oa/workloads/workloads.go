// Package workloads has programs of the offload-annotations paper (Yuan and others, ATC 2020) as its authors published
// them, on lazy arrays, with the values that they must give.
package workloads

import np "github.com/arrayrepl/arrayrepl/lazy"

// What BlackScholes gives of Options, and Haversine of Places, whatever their number; by the published programs on
// NumPy.
const (
	Call  = 23.999997299155808
	Put   = 17.999997974366856
	Miles = 4839.959830633562
)

// Options returns the five inputs of BlackScholes: price, strike, time, rate and volatility, all 4.
func Options(n int) [5]*np.Array {
	var in [5]*np.Array
	for i := range in {
		x := make([]float64, n)
		for k := range x {
			x[k] = 4
		}
		in[i] = np.FromSlice(x)
	}
	return in
}

// Places returns the two inputs of Haversine, latitudes and longitudes, all 0.0698132 rad.
func Places(n int) (lat, lon *np.Array) {
	make1 := func() *np.Array {
		x := make([]float64, n)
		for i := range x {
			x[i] = 0.0698132
		}
		return np.FromSlice(x)
	}
	return make1(), make1()
}
