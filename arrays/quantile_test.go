package arrays

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

var sample10 = []float64{7.5, -1, 3.25, 12, 0.5, 3.25, 9, -4.75, 6, 2.125}

// TestQuantileMethods: what numpy.quantile(sample10, [0, .05, .1, .25, .5, .65, .9, 1], method=...) of NumPy 2.3.5
// prints.
func TestQuantileMethods(t *testing.T) {
	for method, want := range map[QuantileMethod][]float64{
		"inverted_cdf":              {-4.75, -4.75, -4.75, 0.5, 3.25, 6.0, 9.0, 12.0},
		"averaged_inverted_cdf":     {-4.75, -4.75, -2.875, 0.5, 3.25, 6.0, 10.5, 12.0},
		"closest_observation":       {-4.75, -4.75, -4.75, -1.0, 3.25, 3.25, 9.0, 12.0},
		"interpolated_inverted_cdf": {-4.75, -4.75, -4.75, -0.25, 3.25, 4.625, 9.0, 12.0},
		"hazen":                     {-4.75, -4.75, -2.875, 0.5, 3.25, 6.0, 10.5, 12.0},
		"weibull":                   {-4.75, -4.75, -4.375, 0.125, 3.25, 6.2250000000000005, 11.700000000000001, 12.0},
		"linear":                    {-4.75, -3.0625, -1.375, 0.90625, 3.25, 5.587500000000001, 9.299999999999999, 12.0},
		"median_unbiased":           {-4.75, -4.75, -3.375, 0.3749999999999998, 3.25, 6.074999999999999, 10.899999999999999, 12.0},
		"normal_unbiased":           {-4.75, -4.75, -3.2500000000000004, 0.40625, 3.25, 6.0562499999999995, 10.799999999999999, 12.0},
		"lower":                     {-4.75, -4.75, -4.75, 0.5, 3.25, 3.25, 9.0, 12.0},
		"higher":                    {-4.75, -1.0, -1.0, 2.125, 3.25, 6.0, 12.0, 12.0},
		"midpoint":                  {-4.75, -2.875, -2.875, 1.3125, 3.25, 4.625, 10.5, 12.0},
		"nearest":                   {-4.75, -4.75, -1.0, 0.5, 3.25, 6.0, 9.0, 12.0},
	} {
		q := []float64{0, .05, .1, .25, .5, .65, .9, 1}
		if got := Quantile(sample10, q, method); !ArrayEqual(got, want) {
			t.Errorf("%s: %v, want %v", method, got, want)
		}
		if got := Percentile(sample10, 65, method); got.Float64() != want[5] {
			t.Errorf("percentile 65, %s: %v, want %v", method, got, want[5])
		}
		withNaN := append([]float64{math.NaN(), math.NaN()}, sample10...)
		if got := NanQuantile(withNaN, q, method); !ArrayEqual(got, want) {
			t.Errorf("without NaN, %s: %v, want %v", method, got, want)
		}
		if got := Quantile(withNaN, q, method); !IsNaN(got).All().Bool() {
			t.Errorf("with NaN, %s: %v, want NaN", method, got)
		}
	}
	if len(quantileMethods) != 13 {
		t.Errorf("there are %d methods", len(quantileMethods))
	}
}

// TestQuantileAsNumPy: the dtypes, shapes and roundings of NumPy 2.3.5, whose call is the name.
func TestQuantileAsNumPy(t *testing.T) {
	x := FromSlice(sample10)
	x32, x16 := x.AsType(Float32), x.AsType(Float16)
	a := Remainder(Arange(24).Mul(7), 24).Reshape(2, 3, 4)
	span := FromSlice([]int{10, 3, 77, 20}).AsType(TimeDelta(Second))
	nan := math.NaN()
	w := []float64{0, 1, 2, 0.5, 0, 3, 1, 1, 2, .25}
	for name, tt := range map[string]struct{ got, want *Array }{
		"quantile(x32, .3)":                                {Quantile(x32, .3), FromSlice([]float32{1.6375000476837158}).At(0)},
		"quantile(x32, .7, method='median_unbiased')":      {Quantile(x32, .7, QuantileMedianUnbiased), FromSlice([]float32{6.849999904632568}).At(0)},
		"quantile(x32, [.1,.3,.7])":                        {Quantile(x32, []float64{.1, .3, .7}), FromSlice([]float64{-1.375, 1.6374999999999995, 6.449999999999999})},
		"quantile(x16, .3)":                                {Quantile(x16, .3), FromSlice([]float64{1.6396484375}).AsType(Float16).At(0)},
		"quantile(x16, .1, method='median_unbiased')":      {Quantile(x16, .1, QuantileMedianUnbiased), FromSlice([]float64{-3.373046875}).AsType(Float16).At(0)},
		"percentile(x32, 30.)":                             {Percentile(x32, 30), FromSlice([]float32{1.6375}).At(0)},
		"quantile(x, [0,.2,.5,.9,1], weights=w, method=…)": {Quantile(x, []float64{0, .2, .5, .9, 1}, Weights(w), QuantileInvertedCDF), FromSlice([]float64{-4.75, 2.125, 3.25, 9, 12})},
		"quantile(a, [.25,.5], axis=(0,2))":                {Quantile(a, []float64{.25, .5}, 0, 2), Stack(0, []float64{5.75, 5.5, 7.25}, []float64{10.5, 12.0, 12.5})},
		"quantile(a, .3, axis=(0,2), keepdims=True)":       {Quantile(a, .3, Axis(2, 0), KeepDims()), FromSlice([]float64{7.2, 6.5, 8.2}).Reshape(1, 3, 1)},
		"median(a, axis=(0,2), keepdims=True)":             {Median(a, []int{0, 2}, KeepDims()), FromSlice([]float64{10.5, 12, 12.5}).Reshape(1, 3, 1)},
		"quantile(a, .3, axis=1, weights=[1,0,2], …)":      {Quantile(a, .3, 1, Weights([]int{1, 0, 2}), QuantileInvertedCDF), FromSlice([]int{0, 7, 14, 5, 12, 3, 2, 9}).Reshape(2, 4)},
		"quantile(a, .25, axis=1, method='lower')":         {Quantile(a, .25, 1, QuantileLower), FromSlice([]int{0, 7, 14, 1, 12, 3, 2, 9}).Reshape(2, 4)},
		"quantile(span, [.1,.4,.8])":                       {Quantile(span, []float64{.1, .4, .8}), spans(5, 12, 42)},
		"quantile(span, [.1,.4,.8], method='hazen')":       {Quantile(span, []float64{.1, .4, .8}, QuantileHazen), spans(3, 11, 60)},
		"quantile(span, [.1,.4,.8], method='nearest')":     {Quantile(span, []float64{.1, .4, .8}, QuantileNearest), spans(3, 10, 20)},
		"nanquantile([[1,nan,4],[nan,nan,nan]], [.25,1], axis=1, method='weibull')": {
			NanQuantile(Stack(0, []float64{1, nan, 4}, []float64{nan, nan, nan}), []float64{.25, 1}, 1, QuantileWeibull), Stack(0, []float64{1, nan}, []float64{4, nan})},
		"nanmedian([[1,nan],[4,2]], axis=(0,1), keepdims=True)": {NanMedian(Stack(0, []float64{1, nan}, []float64{4, 2}), 0, 1, KeepDims()), Full(2., 1, 1)},
		"quantile([1., 2.], zeros((2,0)))":                      {Quantile([]float64{1, 2}, Zeros(2, 0)), Zeros(2, 0)},
	} {
		if got, want := tt.got, tt.want; got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) || !got.Eq(want).Or(IsNaN(got).And(IsNaN(want))).All().Bool() {
			t.Errorf("%s: %v %v, want %v %v", name, got.DType(), got, want.DType(), want)
		}
	}
	if got := Quantile(a, Full(.25, 2, 1), 1, QuantileLower).Shape(); !slices.Equal(got, []int{2, 1, 2, 4}) {
		t.Errorf("a matrix of parts: shape %v", got)
	}
}

// naiveQuantile is the linear one of sorted numbers.
func naiveQuantile(x []float64, q float64) float64 {
	at := q * float64(len(x)-1)
	i := int(at)
	part := at - float64(i)
	if part == 0 {
		return x[i]
	}
	if part >= 0.5 {
		return x[i+1] - (x[i+1]-x[i])*(1-part)
	}
	return x[i] + (x[i+1]-x[i])*part
}

// TestQuantileTwin: medians and quantiles of rows of any length, with NaNs and without, are those of sorted rows, on
// any number of threads.
func TestQuantileTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 8, 31, 32, 33, 64, 127, 500, 3000, 140_001} {
		rows := max(1, min(40, 40_000/n))
		values, q := make([]float64, rows*n), []float64{0, 0.1, 0.5, 0.77, 1}
		for i := range values {
			if values[i] = math.Floor(r.NormFloat64() * 1000); n > 1 && i/n%3 == 1 && r.IntN(n/2+1) == 0 {
				values[i] = math.NaN()
			}
		}
		x := FromSlice(values).Reshape(rows, n)
		for _, threads := range []int{1, 6} {
			workers.SetCount(threads)
			with, without := Quantile(x, q, 1), NanQuantile(x, q, 1)
			median, nanMedian := Median(x.T(), 0), NanMedian(x, 1)
			workers.SetCount(0)
			for row := range rows {
				var sorted []float64
				for _, v := range values[row*n : (row+1)*n] {
					if v == v {
						sorted = append(sorted, v)
					}
				}
				sort.Float64s(sorted)
				name := fmt.Sprintf("row %d of %d, %d threads", row, n, threads)
				for i, part := range q {
					want := math.NaN()
					if len(sorted) > 0 {
						want = naiveQuantile(sorted, part)
					}
					sameNumber(t, name+" without NaN", without.At(i, row).Float64(), want)
					if len(sorted) < n {
						want = math.NaN()
					}
					sameNumber(t, name, with.At(i, row).Float64(), want)
				}
				want := math.NaN()
				if k := len(sorted); k > 0 {
					want = (sorted[(k-1)/2] + sorted[k/2]) / 2
				}
				sameNumber(t, name+", median without NaN", nanMedian.At(row).Float64(), want)
				if len(sorted) < n {
					want = math.NaN()
				}
				sameNumber(t, name+", median", median.At(row).Float64(), want)
			}
		}
	}
}

func sameNumber(t *testing.T, name string, got, want float64) {
	if got != want && (got == got || want == want) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// TestQuantileDTypes: of each dtype that sorts and has distances, discrete quantiles are elements of Sort.
func TestQuantileDTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range sortable {
		if d.IsComplex() || d.IsString() {
			continue
		}
		x := mixed(d, 400, r)
		sorted := Sort(x)
		valid := 400
		for valid > 0 && IsNaN(sorted.At(valid-1)).Bool() {
			valid--
		}
		for k := range 5 {
			at := (valid - 1) * k / 4
			q := float64(at) / float64(valid-1)
			if got := NanQuantile(x, []float64{q}, QuantileNearest); !sameBits(got.At(0), sorted.At(at)) {
				t.Errorf("%v: %v at %v, want %v", d, got, q, sorted.At(at))
			}
		}
		if got := NanQuantile(x, 0.5); d.IsInt() && got.DType() != Float64 {
			t.Errorf("the median of %v is %v", d, got.DType())
		}
	}
	if got := Quantile([]int8{-128, 127}, 0.25).Float64(); got != -128+255./4 { // in NumPy the distance is -1
		t.Errorf("a quantile of small ints: %v", got)
	}
	if got := Quantile([]int{math.MinInt64, math.MaxInt64}, 0.5).Float64(); got != 0 {
		t.Errorf("a quantile of large ints: %v", got)
	}
}

func TestQuantileErrors(t *testing.T) {
	x := Ones(2, 3)
	for want, f := range map[string]func(){
		"quantile: the part 1.5 is not between 0 and 1; for percents use Percentile":                                                                 func() { Quantile(x, []float64{0, 1.5}) },
		"nanquantile: the part NaN is not between 0 and 1; for percents use NanPercentile":                                                           func() { NanQuantile(x, math.NaN()) },
		"percentile: -1 percent are not between 0 and 100":                                                                                           func() { Percentile(x, -1) },
		"quantile: axis 0 is named twice; name each axis once":                                                                                       func() { Quantile(x, 0.5, 0, Axis(-2)) },
		"median: axis 2 is out of bounds for shape (2,3); axes go from -2 to 1":                                                                      func() { Median(x, 2) },
		"median: a float64 is not an option; give axes as ints, Axis(...) or KeepDims()":                                                             func() { Median(x, 0.5) },
		"median: a median has no QuantileMethod; give axes as ints, Axis(...) or KeepDims(), or call Quantile":                                       func() { Median(x, QuantileHazen) },
		"nanmedian: DDof, Length and Scaled are for other functions; give axes as ints, Axis(...) or KeepDims()":                                     func() { NanMedian(x, DDof(1)) },
		`quantile: "hazen" is not an option; give axes as ints, Axis(...), KeepDims(), a QuantileMethod or Weights(...), as QuantileMethod("hazen")`: func() { Quantile(x, 0.5, "hazen") },
		"quantile: complex128 are not quantiles; q is a number or an array of numbers":                                                               func() { Quantile(x, 1i) },
		"quantile: q has shape (1,1,1); it is a number, a 1-D array or a matrix":                                                                     func() { Quantile(x, Ones(1, 1, 1)) },
		`quantile: Weights are for QuantileInvertedCDF alone, not for "linear"; name it as an option`:                                                func() { Quantile(x, 0.5, Weights(x)) },
		"quantile: weights of shape (3,) do not fit shape (2,3); give as many, or name the axes that they are for":                                   func() { Quantile(x, 0.5, Weights([]int{1, 2, 3}), QuantileInvertedCDF) },
		"quantile: the weight -1 is negative or NaN; weights are 0 or more":                                                                          func() { Quantile(x, 0.5, Weights(x.Neg()), QuantileInvertedCDF) },
		"quantile: there are no elements along the axis; check Size before":                                                                          func() { Quantile(Ones(2, 0), 0.5, 1) },
		`quantile: there is no QuantileMethod "hazn"; there are inverted_cdf, averaged_inverted_cdf, closest_observation, interpolated_inverted_cdf, hazen, weibull, linear, median_unbiased, normal_unbiased, lower, higher, midpoint, nearest`: func() { Quantile(x, 0.5, QuantileMethod("hazn")) },
	} {
		if err := caught(f); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
