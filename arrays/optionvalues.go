package arrays

// Options that are more than a number or a name.

// WeightOption is what [Weights] makes.
type WeightOption struct{ Of any }

// Weights is an option: how often each element counts, 0 or more. Of [Quantile] and its kin, with
// [QuantileInvertedCDF], they are of the shape of x, or of the axes that are named, in the order in which they are; of
// [Histogram] and [BinCount] of the shape of x; of [Cov] a list for the observations.
func Weights(w any) WeightOption { return WeightOption{w} }

// DensityOption is what [Density] makes.
type DensityOption struct{}

// Density is an option of [Histogram], which then gives the density of elements in each bin: counts divided by their
// sum and by the width of the bin, so that the integral over all bins is 1.
func Density() DensityOption { return DensityOption{} }

// EdgeOption is what [EdgeOrder] makes.
type EdgeOption struct{ Order int }

// EdgeOrder is an option of [Gradient]: of which order the differences at the ends are, 1 or 2.
func EdgeOrder(n int) EdgeOption { return EdgeOption{n} }

// LeftOption is what [Left] makes.
type LeftOption struct{ Value any }

// Left is an option of [Interp]: the value before the first point.
func Left(v any) LeftOption { return LeftOption{v} }

// RightOption is what [Right] makes.
type RightOption struct{ Value any }

// Right is an option of [Interp]: the value behind the last point. Right(true) is one of [Digitize]: bins include their
// right edges in place of the left ones.
func Right(v any) RightOption { return RightOption{v} }

// PeriodOption is what [Period] makes.
type PeriodOption struct{ Length float64 }

// Period is an option of [Interp]: after which length coordinates repeat, as 360 for angles.
func Period(length float64) PeriodOption { return PeriodOption{length} }

// SorterOption is what [Sorter] makes.
type SorterOption struct{ Order any }

// Sorter is an option of [SearchSorted]: the indices that sort the list, as [ArgSort] gives them, where it is not
// sorted itself.
func Sorter(order any) SorterOption { return SorterOption{order} }

// FrequencyOption is what [Frequencies] makes.
type FrequencyOption struct{ Of any }

// Frequencies is an option of [Cov]: how often each observation was made, ints of 0 or more.
func Frequencies(f any) FrequencyOption { return FrequencyOption{f} }
