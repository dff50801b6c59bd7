package workloads

import (
	"math"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// BlackScholes is 32 operations, of 39 with the seven arrays that the original allocates, two of which are the
// constants here.
func BlackScholes(in [5]*np.Array) (call, put *np.Array) {
	p, k, t, r, v := in[0], in[1], in[2], in[3], in[4]
	const c05, c10 = 3.0, 1.5
	rsig := v.Mul(v).Mul(c05).Add(r)
	vsqrt := t.Sqrt().Mul(v)
	d1 := np.Log2(p.Div(k)).Add(rsig.Mul(t)).Div(vsqrt)
	d2 := d1.Sub(vsqrt)
	d1 = np.Erf(d1.Div(math.Sqrt2)).Mul(c05).Add(c05)
	d2 = np.Erf(d2.Div(math.Sqrt2)).Mul(c05).Add(c05)
	e := np.Exp(r.Neg().Mul(t))
	call = p.Mul(d1).Sub(e.Mul(k).Mul(d2))
	put = e.Mul(k).Mul(np.Sub(c10, d2)).Sub(p.Mul(np.Sub(c10, d1)))
	return call, put
}

// Haversine returns the distances in miles from one place, by 16 operations, as the original.
func Haversine(lat, lon *np.Array) *np.Array {
	const lat1, lon1 = 0.70984286, 1.23892197
	half := func(x *np.Array) *np.Array { s := x.Div(2).Sin(); return s.Mul(s) }
	a := half(lat.Sub(lat1)).Add(half(lon.Sub(lon1)).Mul(lat.Cos().Mul(math.Cos(lat1))))
	return np.Asin(a.Sqrt()).Mul(2).Mul(3959)
}
