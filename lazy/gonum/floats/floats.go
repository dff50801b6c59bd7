// Package floats is gonum.org/v1/gonum/floats on arrays that may be larger than a device's memory, or not computed yet:
// its functions under the same names, annotated for offloading. A program changes by its import, and by arrays
// (np.FromSlice) in the place of slices.
//
// Functions that write to dst return it; nothing is computed before something is shown.
package floats

import (
	"gonum.org/v1/gonum/floats"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// writing annotates a function of gonum that changes dst, with what it leaves there as an expression.
func writing(name string, cpu, gpu any, rest ...offload.SplitType) func(args ...any) *np.Array {
	return np.Annotate(offload.Annotation{Name: name, CPU: cpu, GPU: gpu,
		Args: append([]offload.Param{{Type: same, Mutable: true}}, offload.Types(rest...)...)})
}

// reducing annotates a function of gonum whose results of pieces are combined.
func reducing(name string, cpu, gpu any, combine func(a, b float64) float64, args ...offload.SplitType) func(args ...any) *np.Array {
	return np.Annotate(offload.Annotation{Name: name, CPU: cpu, GPU: gpu, Args: offload.Types(args...),
		Ret: offload.Combined(name, func(a, b any) any { return combine(a.(float64), b.(float64)) })})
}

// same is the split type of arguments that are cut alike.
var same = offload.Generic("A")

func plus(a, b float64) float64 { return a + b }

var (
	add = writing("floats.Add", floats.Add, func(dst, s *np.Array) *np.Array { return dst.Add(s) }, same)
	sub = writing("floats.Sub", floats.Sub, func(dst, s *np.Array) *np.Array { return dst.Sub(s) }, same)
	mul = writing("floats.Mul", floats.Mul, func(dst, s *np.Array) *np.Array { return dst.Mul(s) }, same)
	div = writing("floats.Div", floats.Div, func(dst, s *np.Array) *np.Array { return dst.Div(s) }, same)

	addConst = writing("floats.AddConst", func(dst []float64, c float64) { floats.AddConst(c, dst) },
		func(dst *np.Array, c float64) *np.Array { return dst.Add(c) })
	scale = writing("floats.Scale", func(dst []float64, c float64) { floats.Scale(c, dst) },
		func(dst *np.Array, c float64) *np.Array { return dst.Mul(c) })
	addScaled = writing("floats.AddScaled", func(dst, s []float64, alpha float64) { floats.AddScaled(dst, alpha, s) },
		func(dst, s *np.Array, alpha float64) *np.Array { return dst.Add(s.Mul(alpha)) }, same)

	sum = reducing("floats.Sum", floats.Sum, func(s *np.Array) *np.Array { return s.Sum() }, plus, same)
	dot = reducing("floats.Dot", floats.Dot, func(s1, s2 *np.Array) *np.Array { return s1.Mul(s2).Sum() }, plus, same, same)
	max = reducing("floats.Max", floats.Max, func(s *np.Array) *np.Array { return np.NanMax(s) },
		func(a, b float64) float64 { return floats.Max([]float64{a, b}) }, same)
	min = reducing("floats.Min", floats.Min, func(s *np.Array) *np.Array { return np.NanMin(s) },
		func(a, b float64) float64 { return floats.Min([]float64{a, b}) }, same)

	norm = np.Annotate(offload.Annotation{Name: "floats.Norm", CPU: floats.Norm, Args: offload.Types(same), Whole: true,
		Ret: offload.Combined("floats.Norm", nil)})
	cumSum = np.Annotate(offload.Annotation{Name: "floats.CumSum", CPU: func(dst, s []float64) { floats.CumSum(dst, s) },
		Args: []offload.Param{{Type: same, Mutable: true}, {Type: same}}, Whole: true})
)

// Add adds the elements of s to those of dst.
func Add(dst *np.Array, s any) *np.Array { return add(dst, s) }

// Sub subtracts the elements of s from those of dst.
func Sub(dst *np.Array, s any) *np.Array { return sub(dst, s) }

// Mul multiplies the elements of dst by those of s.
func Mul(dst *np.Array, s any) *np.Array { return mul(dst, s) }

// Div divides the elements of dst by those of s.
func Div(dst *np.Array, s any) *np.Array { return div(dst, s) }

// AddConst adds c to the elements of dst.
func AddConst(c float64, dst *np.Array) *np.Array { return addConst(dst, c) }

// Scale multiplies the elements of dst by c.
func Scale(c float64, dst *np.Array) *np.Array { return scale(dst, c) }

// AddScaled adds alpha·s to dst.
func AddScaled(dst *np.Array, alpha float64, s any) *np.Array { return addScaled(dst, s, alpha) }

// Sum returns the sum of the elements.
func Sum(s any) *np.Array { return sum(s) }

// Dot returns the sum of the products of the elements.
func Dot(s1, s2 any) *np.Array { return dot(s1, s2) }

// Max returns the largest element.
func Max(s any) *np.Array { return max(s) }

// Min returns the smallest element.
func Min(s any) *np.Array { return min(s) }

// Norm returns the L-norm of s, (sum of |element|^L)^(1/L).
func Norm(s any, L float64) *np.Array { return norm(s, L) }

// CumSum makes dst the sums of the elements of s up to each.
func CumSum(dst *np.Array, s any) *np.Array { return cumSum(dst, s) }
