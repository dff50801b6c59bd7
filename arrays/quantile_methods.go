package arrays

import (
	"fmt"
	"math"
	"strings"
)

// QuantileMethod is an option of [Quantile] and its kin: what a quantile is where it is between two elements. The names
// are NumPy's.
type QuantileMethod string

// The methods of Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996), in
// their order, and four of NumPy's. The discrete ones give elements of x; the others a value on the line from the
// element at the place i to the next, of the sorted x with places from 0: for n elements, i is 0 or more and at most
// n-1.
const (
	// discrete: the first element up to which a part of q or more lies
	QuantileInvertedCDF QuantileMethod = "inverted_cdf"
	// the same, but the mean with the next where the part is q
	QuantileAveragedInvertedCDF QuantileMethod = "averaged_inverted_cdf"
	// discrete: the element nearest to i = nq - 3/2, of two that of an odd place
	QuantileClosestObservation      QuantileMethod = "closest_observation"
	QuantileInterpolatedInvertedCDF QuantileMethod = "interpolated_inverted_cdf" // i = nq - 1
	QuantileHazen                   QuantileMethod = "hazen"                     // i = nq - 1/2
	QuantileWeibull                 QuantileMethod = "weibull"                   // i = (n+1)q - 1
	// i = (n-1)q, which is used when none is named
	QuantileLinear         QuantileMethod = "linear"
	QuantileMedianUnbiased QuantileMethod = "median_unbiased" // i = (n+1/3)q - 2/3
	QuantileNormalUnbiased QuantileMethod = "normal_unbiased" // i = (n+1/4)q - 5/8
	// discrete: the element before i = (n-1)q
	QuantileLower    QuantileMethod = "lower"
	QuantileHigher   QuantileMethod = "higher"   // discrete: that behind it
	QuantileMidpoint QuantileMethod = "midpoint" // the mean of both
	// discrete: the nearer of both, of two that of an even place
	QuantileNearest QuantileMethod = "nearest"
)

// rounder rounds to a dtype of floats: NumPy computes places in the dtype of q.
type rounder func(float64) float64

var roundings = map[DType]rounder{
	Float16: func(v float64) float64 { return float64(halfOf(v).float()) },
	Float32: func(v float64) float64 { return float64(float32(v)) },
	Float64: func(v float64) float64 { return v },
}

// quantileMethod is how a method finds a place of n sorted elements, in NumPy's arithmetic
// (numpy/lib/_function_base_impl.py).
type quantileMethod struct {
	name     QuantileMethod
	discrete bool                                        // the place is that of an element
	place    func(n, q float64, r rounder) float64       // which may be out of bounds
	part     func(fraction, place float64) (of1 float64) // how far to the next element it is; nil for the fraction
}

var quantileMethods = []quantileMethod{
	{QuantileInvertedCDF, true, func(n, q float64, r rounder) float64 {
		i := r(r(n*q) - 1)
		return math.Ceil(i)
	}, nil},
	{QuantileAveragedInvertedCDF, false, func(n, q float64, r rounder) float64 { return r(r(n*q) - 1) }, func(fraction, _ float64) float64 {
		if fraction == 0 {
			return 0.5
		}
		return 1
	}},
	{QuantileClosestObservation, true, func(n, q float64, r rounder) float64 {
		i := r(r(r(n*q)-1) - 0.5)
		if before := math.Floor(i); i == before && math.Mod(before, 2) != 0 {
			return before
		}
		return math.Floor(i) + 1
	}, nil},
	{QuantileInterpolatedInvertedCDF, false, between(0, 1), nil},
	{QuantileHazen, false, between(0.5, 0.5), nil},
	{QuantileWeibull, false, between(0, 0), nil},
	{QuantileLinear, false, ofWay, nil},
	{QuantileMedianUnbiased, false, between(1/3., 1/3.), nil},
	{QuantileNormalUnbiased, false, between(3/8., 3/8.), nil},
	{QuantileLower, true, func(n, q float64, r rounder) float64 { return math.Floor(ofWay(n, q, r)) }, nil},
	{QuantileHigher, true, func(n, q float64, r rounder) float64 { return math.Ceil(ofWay(n, q, r)) }, nil},
	{QuantileMidpoint, false, func(n, q float64, r rounder) float64 {
		i := ofWay(n, q, r)
		return r(0.5 * r(math.Floor(i)+math.Ceil(i)))
	}, func(_, place float64) float64 {
		if place == math.Floor(place) {
			return 0
		}
		return 0.5
	}},
	{QuantileNearest, true, func(n, q float64, r rounder) float64 { return math.RoundToEven(ofWay(n, q, r)) }, nil},
}

// ofWay is the place after the fraction q of the way from the first place to the last.
func ofWay(n, q float64, r rounder) float64 { return r(r(n-1) * q) }

// between is nq + a + q(1-a-b) - 1, of the parameters of Hyndman and Fan.
func between(a, b float64) func(n, q float64, r rounder) float64 {
	rest := 1 - a - b
	return func(n, q float64, r rounder) float64 {
		return r(r(r(n*q)+r(r(a)+r(q*r(rest)))) - 1)
	}
}

// methodOf returns the method of a name.
func methodOf(name QuantileMethod) (quantileMethod, error) {
	var names []string
	for _, m := range quantileMethods {
		if m.name == name {
			return m, nil
		}
		names = append(names, string(m.name))
	}
	return quantileMethod{}, &Error{Msg: fmt.Sprintf("there is no QuantileMethod %.60q; there are %s", string(name), strings.Join(names, ", "))}
}

// at returns the places of the elements before and behind the q-quantile of n, and how far it is from one to the
// other. r rounds to the dtype of q.
func (m quantileMethod) at(n int, q float64, r rounder) (before, behind int, part float64) {
	place := m.place(float64(n), q, r)
	switch {
	case m.discrete:
		at := int(min(max(place, 0), float64(n-1)))
		return at, at, 0
	case place >= float64(n-1):
		return n - 1, n - 1, 0
	case place < 0:
		return 0, 0, 0
	}
	before = int(place)
	part = r(place - float64(before))
	if m.part != nil {
		part = m.part(part, place)
	}
	return before, before + 1, part
}

// counted is the dtype in which places of n elements are computed: d, that of q, or float64 where d has not all numbers
// up to n.
func counted(d DType, n int) DType {
	if d == Float16 && n > 1<<11 || d == Float32 && n > 1<<24 {
		return Float64
	}
	return d
}
