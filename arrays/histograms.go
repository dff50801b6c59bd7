package arrays

import "fmt"

// HistogramBinEdges returns the edges of [Histogram] alone, one more than bins, which are their number, the edges
// themselves or a rule such as "auto".
//
//mirror:copy
func HistogramBinEdges(x ArrayLike, bins any, opts ...HistogramOption) *Array {
	_, edges := Histogram(x, bins, opts...)
	return edges
}

// Histogram2D counts the points (x, y) in a grid of bins of equal width: bins has one number for both coordinates, or
// one for each. The grid goes from the smallest to the largest of each, or between limits: those of x, then those of y.
// It returns the counts, as float64 of shape (bins of x, bins of y), and the edges of both.
//
//mirror:copy
func Histogram2D(x, y ArrayLike, bins []int, limits ...float64) (counts, xEdges, yEdges *Array) {
	a, b := must("histogram2d", x), must("histogram2d", y)
	if a.NDim() != 1 || b.NDim() != 1 || a.Size() != b.Size() {
		check("histogram2d", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf("shapes %s and %s are not points; give two 1-D arrays of one length", shapeString(a.Shape()), shapeString(b.Shape()))})
	}
	if len(bins) == 1 {
		bins = []int{bins[0], bins[0]}
	}
	if len(bins) != 2 || len(limits) != 0 && len(limits) != 4 {
		check("histogram2d", &Error{Msg: fmt.Sprintf("%d numbers of bins and %d limits are given; give one or two, and none or four", len(bins), len(limits))})
	}
	var ofX, ofY []HistogramOption
	if len(limits) == 4 {
		ofX, ofY = []HistogramOption{Limits(limits[0], limits[1])}, []HistogramOption{Limits(limits[2], limits[3])}
	}
	xEdges, yEdges = HistogramBinEdges(a, bins[0], ofX...), HistogramBinEdges(b, bins[1], ofY...)
	if counts, ok := pointsInBlocks(a, b, bins, xEdges, yEdges); ok {
		return counts, xEdges, yEdges
	}
	i, j := binsOf(a, xEdges), binsOf(b, yEdges)
	inside := i.GreaterEqual(0).LogicalAnd(i.Less(bins[0])).LogicalAnd(j.GreaterEqual(0)).LogicalAnd(j.Less(bins[1]))
	counts = BinCount(i.Mul(bins[1]).Add(j).At(inside), MinLength(bins[0]*bins[1]))
	return counts.AsType(Float64).Reshape(bins[0], bins[1]), xEdges, yEdges
}

// binsOf returns the bin of each element; the last includes its right edge.
//
//mirror:copy
func binsOf(a, edges *Array) *Array {
	bin := Digitize(a, edges).Sub(1)
	return bin.Sub(Equal(a, edges.At(-1)).AsType(Int64))
}
