package arrays

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func noise(n int) *Array {
	r := rand.New(rand.NewPCG(5, 6))
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64() * math.Exp(4*r.NormFloat64())
	}
	return FromSlice(v)
}

// Views and copies of the same elements, cut by whatever axes, give the same bits.
func TestSumsDependOnShapeAlone(t *testing.T) {
	a := noise(40 * 1500)
	m := a.Reshape(40, 1500)
	columns := m.T().Copy().T() // the same elements, stored by columns
	for _, axis := range []int{0, 1} {
		x, y := m.Sum(Axis(axis)).Float64s(), columns.Sum(Axis(axis)).Float64s()
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("axis %d: sum %d is %v by rows and %v by columns", axis, i, x[i], y[i])
			}
		}
	}
	if x, y := m.Sum().Float64(), columns.Sum().Float64(); x != y {
		t.Errorf("whole sum is %v by rows and %v by columns", x, y)
	}
	if x, y := m.At(3).Mean().Float64(), m.Mean(Axis(1)).Float64(3); x != y {
		t.Errorf("mean of a row is %v alone and %v among others", x, y)
	}
}

// The error of a pairwise sum of n values in blocks of 256/8 is below (32+log2(n)) half ulps of the sum of magnitudes.
func TestSumsAreAccurate(t *testing.T) {
	const n = 200_000
	a := noise(n)
	exact, magnitude := new(big.Float).SetPrec(300), 0.0
	for _, v := range a.Float64s() {
		exact.Add(exact, big.NewFloat(v))
		magnitude += math.Abs(v)
	}
	want, _ := exact.Float64()
	bound := magnitude * (32 + math.Log2(n)) * 0x1p-53
	if got := a.Sum().Float64(); math.Abs(got-want) > bound {
		t.Errorf("sum is %v, exactly %v: off by more than %v", got, want, bound)
	}
	// A running float32 sum of 2^24+1000 ones stays at 2^24; 0.1 in float32 shows the same drift much earlier.
	tenths := Full(float32(0.1), 1_000_000)
	if got := tenths.Sum().Item().(float32); got != float32(1e6*float64(float32(0.1))) {
		t.Errorf("sum of a million float32 tenths is %v", got)
	}
	if got := tenths.Mean().Item().(float32); got != float32(0.1) {
		t.Errorf("mean of float32 tenths is %v", got)
	}
}

// Reducing axis after axis gives what reducing all at once gives, for reductions without rounding.
func TestNestedReductionsAgree(t *testing.T) {
	a := Arange(7*5*300).Mul(7919).Reshape(7, 5, 300).T(1, 2, 0)
	for _, r := range []Reduction{ReduceSum, ReduceMax, ReduceMin} {
		whole := Reduce(r, a).Item()
		steps := Reduce(r, Reduce(r, Reduce(r, a, Axis(1)), Axis(0), KeepDims())).Item()
		if whole != steps {
			t.Errorf("%v is %v at once and %v axis by axis", r, whole, steps)
		}
	}
	if i := a.ArgMax().Item().(int64); a.Reshape(-1).At(i).Item() != a.Max().Item() {
		t.Errorf("argmax %d does not point at the maximum", i)
	}
}
