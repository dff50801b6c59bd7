package elementary

import (
	"math"
	"math/big"
	"testing"
)

// TestLogOfSubnormals: log(m*2^k) = log(m) + k*log(2), with m and k where math.Log is good.
func TestLogOfSubnormals(t *testing.T) {
	for _, x := range []float64{math.SmallestNonzeroFloat64, 0x1p-1060, 0x1.8p-1030, 0x1p-1022} {
		m, k := math.Frexp(x)
		want := math.Log(m) + float64(k)*math.Ln2
		if got := Log(x); math.Abs(got-want) > 2e-13 {
			t.Errorf("Log(%g) = %v, want %v", x, got, want)
		}
	}
}

// TestExpNearOverflow: exp(x) = 2^1000 * exp(x - 1000*log(2)); the reduced argument is taken with math/big.
func TestExpNearOverflow(t *testing.T) {
	ln2, _ := new(big.Float).SetPrec(200).SetString("0.693147180559945309417232121458176568075500134360255254120680009")
	for _, x := range []float64{709, 709.05, 709.1, 709.5, 709.7, 709.78} {
		r := new(big.Float).SetPrec(200).SetFloat64(x)
		reduced, _ := r.Sub(r, new(big.Float).SetPrec(200).Mul(ln2, big.NewFloat(1000))).Float64()
		rest, _ := r.Sub(r, new(big.Float).SetPrec(200).SetFloat64(reduced)).Float64()
		if got, want := Exp(x), math.Ldexp(math.Exp(reduced)*(1+rest), 1000); ulps(got, want) > 3 {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	if got := Exp(710); !math.IsInf(got, 1) {
		t.Errorf("Exp(710) = %v", got)
	}
	if got, want := Pow(255.9, 128), 1.71000190243502e308; math.Abs(got/want-1) > 1e-13 { // by decimal arithmetic
		t.Errorf("Pow(255.9, 128) = %v, want %v", got, want)
	}
}

// TestPowOfIntegers compares with exact powers of integers from math/big, to 2 units in the last place.
func TestPowOfIntegers(t *testing.T) {
	for base := int64(2); base < 40; base++ {
		for exp := int64(0); exp < 180; exp++ {
			exact := new(big.Float).SetPrec(2000).SetInt(new(big.Int).Exp(big.NewInt(base), big.NewInt(exp), nil))
			want, _ := exact.Float64()
			got := Pow(float64(base), float64(exp))
			ulp := math.Nextafter(want, math.Inf(1)) - want
			if diff := new(big.Float).Sub(exact, new(big.Float).SetFloat64(got)); diff.Abs(diff).Cmp(big.NewFloat(2*ulp)) > 0 {
				t.Errorf("Pow(%d, %d) = %v, exactly %v", base, exp, got, want)
			}
		}
	}
}

func ulps(got, want float64) float64 {
	switch {
	case got == want || got != got && want != want:
		return 0
	case math.IsInf(want, 0) || math.IsInf(got, 0):
		return math.Inf(1)
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

func TestPowIsExactWhereItCanBe(t *testing.T) {
	for base := 2.0; base <= 15; base++ {
		want := 1.0
		for n := 0.0; want < 1<<53; n++ {
			if got := Pow(-base, n); ulps(math.Abs(got), want) > 1 || math.Signbit(got) != (math.Mod(n, 2) == 1) {
				t.Errorf("Pow(%v, %v) = %v, want ±%v", -base, n, got, want)
			}
			want *= base
		}
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2, 3, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e-300, 5e-324}
	for _, x := range special {
		for _, y := range special {
			if got, want := Pow(x, y), math.Pow(x, y); ulps(got, want) > 1 {
				t.Errorf("Pow(%v, %v) = %v, C's is %v", x, y, got, want)
			}
		}
	}
}
