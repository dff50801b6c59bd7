// Package workloads has programs of the offload-annotations paper (Yuan and others, ATC 2020) as its authors published them,
// on lazy arrays, with the values that they must give.
package workloads

import (
	"math"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// What BlackScholes gives of Options, and Haversine of Places, whatever their number; by the published programs on NumPy.
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

// BlackScholes is 32 operations, of 39 with the seven arrays that the original allocates, two of which are the constants here.
func BlackScholes(in [5]*np.Array) (call, put *np.Array) {
	p, k, t, r, v := in[0], in[1], in[2], in[3], in[4]
	const c05, c10 = 3.0, 1.5
	rsig := v.Mul(v).Mul(c05).Add(r)
	vsqrt := t.Sqrt().Mul(v)
	d1 := np.Log2(p.Div(k)).Add(rsig.Mul(t)).Div(vsqrt)
	d2 := d1.Sub(vsqrt)
	d1 = np.Erf(d1.Div(math.Sqrt2)).Mul(c05).Add(c05)
	d2 = np.Erf(d2.Div(math.Sqrt2)).Mul(c05).Add(c05)
	e := np.Exp(r.Neg().Mul(t)).Mul(k)
	call = p.Mul(d1).Sub(e.Mul(d2))
	put = e.Mul(np.Sub(c10, d2)).Sub(p.Mul(np.Sub(c10, d1)))
	return call, put
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

// Haversine returns the distances in miles from one place.
func Haversine(lat, lon *np.Array) *np.Array {
	const lat1, lon1 = 0.70984286, 1.23892197
	half := func(x *np.Array) *np.Array { s := x.Div(2).Sin(); return s.Mul(s) }
	a := half(lat.Sub(lat1)).Add(half(lon.Sub(lon1)).Mul(lat.Cos().Mul(math.Cos(lat1))))
	return np.Asin(a.Sqrt()).Mul(2 * 3959)
}
