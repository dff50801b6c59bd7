package arrays

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestGeomspaceOfExtremes: values of NumPy 2.4, numpy.geomspace. The product of the ends is not a float64.
func TestGeomspaceOfExtremes(t *testing.T) {
	for _, c := range []struct {
		start, stop float64
		want        []float64
	}{
		{1e-200, 1e-150, []float64{1e-200, 3.1622776601683793e-188, 1e-175, 3.1622776601683793e-163, 1e-150}},
		{-1e-200, -1e-150, []float64{-1e-200, -1e-175, -1e-150}},
		{5e-324, 1e-300, []float64{5e-324, 2.22275875e-312, 1e-300}},
		{1e300, 1e308, []float64{1e300, 1e304, 1e308}},
	} {
		got := Geomspace(c.start, c.stop, len(c.want)).Float64s()
		assert.InEpsilonSlice(t, c.want, got, 1e-8, "%g to %g", c.start, c.stop)
	}
	for _, ends := range [][2]float64{{-1, 1}, {0, 1}, {1, 0}} {
		assert.Panics(t, func() { Geomspace(ends[0], ends[1], 3) })
	}
}

// TestPowersOfComplexZero: values of NumPy 2.4, numpy.power(0j, y).
func TestPowersOfComplexZero(t *testing.T) {
	y := []complex128{0, 3, 0.5, 1 + 2i, 2i, -1, -0.5, -200}
	assert.Equal(t, "[ 1. +0.j  0. +0.j  0. +0.j  0. +0.j nan+nanj nan+nanj nan+nanj nan+nanj]", Pow(complex(0, 0), y).String())
}

// TestUnitsThatDoNotFit: the message names the count that was given.
func TestUnitsThatDoNotFit(t *testing.T) {
	far := FromSlice([]int64{1_000_000_000}).AsType(TimeDelta(Day))
	err := caught(func() { far.AsType(TimeDelta(Nanosecond)) })
	assert.ErrorContains(t, err, "a count of 1000000000 Days does not fit Nanoseconds")
}

// TestIndicesOfNaNs: numpy.nanargmax of NumPy 2.4 gives these indices, and raises ValueError where a line has NaNs
// alone.
func TestIndicesOfNaNs(t *testing.T) {
	nan := math.NaN()
	rows := FromSlice([][]float64{{nan, 2, 1}, {5, nan, nan}})
	assert.Equal(t, "[1 0] [2 0] 3", fmt.Sprint(NanArgMax(rows, Axis(1)), NanArgMin(rows, Axis(1)), NanArgMax(rows)))
	assert.Equal(t, "1 2", fmt.Sprint(NanArgMax([]complex128{complex(nan, 0), 2i, 1i}), NanArgMin([]int{3, 2, 1})))
	for _, x := range []any{[]float64{nan}, []float32{float32(nan), float32(nan)}, []complex128{complex(0, nan)}} {
		assert.ErrorContains(t, caught(func() { NanArgMax(x) }), "nanargmax: all elements are NaN")
		assert.ErrorContains(t, caught(func() { NanArgMin(x) }), "nanargmin: all elements are NaN")
	}
	rows.Set(nan, 1, 0)
	assert.Equal(t, 1, NanArgMax(rows).Int())
	assert.Error(t, caught(func() { NanArgMax(rows, Axis(1)) }))
	assert.ErrorContains(t, caught(func() { NanArgMax([]float64{}) }), "nanargmax")
}

// TestTransformsOfNaNs: one NaN is in all bins of a transform, as in NumPy's.
func TestTransformsOfNaNs(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 7, 8, 12, 97, 100, 1009, 1024} {
		for _, at := range []int{0, n / 2, n - 1} {
			x := Arange(n).AsType(Float64)
			x.Set(math.NaN(), at)
			for name, bins := range map[string]*Array{"fft": FFT(x), "rfft": RFFT(x), "ifft": IFFT(x), "complex": FFT(x.AsType(Complex128)), "float32": FFT(x.AsType(Float32)), "rows": FFT2(Stack(0, x, x))} {
				assert.True(t, AllTrue(IsNaN(bins)).Bool(), "%s of %d, NaN at %d", name, n, at)
			}
		}
	}
}
