package arrays

// Options that are more than a number or a name.

// WeightOption is what [Weights] makes.
type WeightOption struct{ Of any }

// Weights is an option: how often each element counts, 0 or more. Of [Quantile] and its kin, with [QuantileInvertedCDF], they are of the shape of x, or of
// the axes that are named, in the order in which they are; of [Histogram] and [BinCount] of the shape of x; of [Cov] a list for the
// observations.
func Weights(w any) WeightOption { return WeightOption{w} }

// DensityOption is what [Density] makes.
type DensityOption struct{}

// Density is an option of [Histogram], which then gives the density of elements in each bin: counts divided by their sum and by the width of the
// bin, so that the integral over all bins is 1.
func Density() DensityOption { return DensityOption{} }

// EdgeOption is what [EdgeOrder] makes.
type EdgeOption struct{ Order int }

// EdgeOrder is an option of [Gradient]: of which order the differences at the ends are, 1 or 2.
func EdgeOrder(n int) EdgeOption { return EdgeOption{n} }
