// Package floats is lazy/gonum/floats with the slices of gonum's functions in the place of arrays, for gonum's own tests.
package floats

import (
	"gonum.org/v1/gonum/floats"

	np "github.com/arrayrepl/arrayrepl/lazy"
	ours "github.com/arrayrepl/arrayrepl/lazy/gonum/floats"
)

func array(s []float64) *np.Array { return np.FromSlice(append([]float64{}, s...)) }

// into calls f with an array of dst, and brings back what that leaves there.
func into(dst []float64, f func(dst *np.Array)) {
	a := array(dst)
	f(a)
	copy(dst, a.Float64s())
}

func Add(dst, s []float64) { into(dst, func(d *np.Array) { ours.Add(d, array(s)) }) }
func Sub(dst, s []float64) { into(dst, func(d *np.Array) { ours.Sub(d, array(s)) }) }
func Mul(dst, s []float64) { into(dst, func(d *np.Array) { ours.Mul(d, array(s)) }) }
func Div(dst, s []float64) { into(dst, func(d *np.Array) { ours.Div(d, array(s)) }) }

func AddConst(c float64, dst []float64) { into(dst, func(d *np.Array) { ours.AddConst(c, d) }) }
func Scale(c float64, dst []float64)    { into(dst, func(d *np.Array) { ours.Scale(c, d) }) }

func AddScaled(dst []float64, alpha float64, s []float64) {
	into(dst, func(d *np.Array) { ours.AddScaled(d, alpha, array(s)) })
}

func CumSum(dst, s []float64) []float64 {
	into(dst, func(d *np.Array) { ours.CumSum(d, array(s)) })
	return dst
}

func Sum(s []float64) float64             { return ours.Sum(array(s)).Float64() }
func Dot(s1, s2 []float64) float64        { return ours.Dot(array(s1), array(s2)).Float64() }
func Max(s []float64) float64             { return ours.Max(array(s)).Float64() }
func Min(s []float64) float64             { return ours.Min(array(s)).Float64() }
func Norm(s []float64, L float64) float64 { return ours.Norm(array(s), L).Float64() }

// What the tests compare with.
var (
	EqualApprox = floats.EqualApprox
	Equal       = floats.Equal
)
