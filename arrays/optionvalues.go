package arrays

// Options that are more than a number or a name. A function whose options are all made by functions has an interface
// for them: the compiler sees what is wrong. Where an int stands for an axis the type is any; the function says what is
// wrong when it is called, also in package lazy.

// QuantileOption is an option of [Quantile], [Percentile] and those without NaNs: axes as ints, an []int or [Axis],
// [KeepDims], a [QuantileMethod], [Weights]. Anything else is an *Error.
type QuantileOption any

// GradientOption is an option of [Gradient] and [Gradients]: axes as ints, an []int or [Axis], and [EdgeOrder].
// Anything else is an *Error.
type GradientOption any

// FFTOption is an option of Fourier transforms: axes as ints, an []int or [Axis], [Length] and [Scaled]. Anything else
// is an *Error.
type FFTOption any

// WeightOption is what [Weights] makes.
type WeightOption struct{ Of any }

// Weights is an option: how often each element counts, 0 or more. Of [Quantile] and its kin, with
// [QuantileInvertedCDF], they are of the shape of x, or of the axes that are named, in the order in which they are; of
// [Histogram] and [BinCount] of the shape of x; of [Cov] a 1-D array for the observations.
func Weights(w ArrayLike) WeightOption { return WeightOption{w} }

// HistogramOption is an option of [Histogram]: [Limits], [Weights] and [Density] make them.
type HistogramOption interface{ histogramOption() }

// BinCountOption is an option of [BinCount]: [MinLength] and [Weights] make them.
type BinCountOption interface{ binCountOption() }

func (LimitsOption) histogramOption()   {}
func (WeightOption) histogramOption()   {}
func (DensityOption) histogramOption()  {}
func (MinLengthOption) binCountOption() {}
func (WeightOption) binCountOption()    {}

// LimitsOption is what [Limits] makes.
type LimitsOption struct{ Lowest, Highest float64 }

// Limits is an option of [Histogram], with a number of bins or a rule for it: between which values the bins lie. What
// is outside is not counted.
func Limits(lowest, highest float64) LimitsOption { return LimitsOption{lowest, highest} }

// MinLengthOption is what [MinLength] makes.
type MinLengthOption struct{ Of int }

// MinLength is an option of [BinCount]: how many counts there are at least.
func MinLength(n int) MinLengthOption { return MinLengthOption{n} }

// DensityOption is what [Density] makes.
type DensityOption struct{}

// Density is an option of [Histogram], which then gives the density of elements in each bin: counts divided by their
// sum and by the width of the bin, so that the integral over all bins is 1.
func Density() DensityOption { return DensityOption{} }

// EdgeOption is what [EdgeOrder] makes.
type EdgeOption struct{ Order int }

// EdgeOrder is an option of [Gradient]: of which order the differences at the ends are, 1 or 2.
func EdgeOrder(n int) EdgeOption { return EdgeOption{n} }

// InterpOption is an option of [Interp]: [Left], [Right] and [Period] make them.
type InterpOption interface{ interpOption() }

func (LeftOption) interpOption()   {}
func (RightOption) interpOption()  {}
func (PeriodOption) interpOption() {}

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

// Sorter is an option of [SearchSorted]: the indices that sort what is searched, as [ArgSort] gives them, where it
// is not sorted itself.
func Sorter(order ArrayLike) SorterOption { return SorterOption{order} }

// FrequencyOption is what [Frequencies] makes.
type FrequencyOption struct{ Of any }

// Frequencies is an option of [Cov]: how often each observation was made, ints of 0 or more.
func Frequencies(f ArrayLike) FrequencyOption { return FrequencyOption{f} }
