package sfu

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// Good bits, ulps, shares of nearest results and whether the functions are monotonic are at least those of table 1 of
// Lindholm et al., IEEE Micro 2008, on all 2^23 arguments; on a third of them in a short test.
func TestAccuracy(t *testing.T) {
	const thirds = 3
	for _, c := range []struct {
		name             string
		bits, ulps, best float64
		monotonic        bool
	}{
		{"rcp", 24.02, 0.98, 0.87, true},
		{"rsqrt", 23.40, 1.52, 0.78, true},
		{"sqrt", 22.5, 1.52, 0.74, true}, // not in the table
		{"ex2", 22.51, 1.41, 0.74, true},
		{"lg2", 22.57, 0, 0, true},
		{"sin", 22.47, 0, 0, false},
		{"cos", 22.47, 0, 0, false},
	} {
		first, step := 0, 1
		if n := testsize.Of("internal/sfu.TestAccuracy"); n < thirds {
			first, step = testsize.Turn()%thirds, thirds
		}
		s, err := SweepOf(c.name, nil, first, step)
		require.NoError(t, err)
		t.Logf("%s: %.2f good bits, %.2f ulp, %.1f %% nearest, monotonic %v", c.name, s.GoodBits, s.ULPs, 100*s.Exact, s.Monotonic)
		assert.Equal(t, (1<<23-first+step-1)/step, s.Arguments)
		assert.GreaterOrEqual(t, s.GoodBits, c.bits, c.name)
		assert.GreaterOrEqual(t, s.Exact, c.best, c.name)
		if c.ulps > 0 {
			assert.LessOrEqual(t, s.ULPs, c.ulps, c.name)
		}
		if c.monotonic {
			assert.True(t, s.Monotonic, c.name)
		}
	}
	_, err := SweepOf("tan", nil, 0, 1)
	require.ErrorContains(t, err, "rcp, rsqrt, sqrt, exp2, log2, sin and cos")
}

// What the tables have no place for: exponents, signs, zeros, infinities, what is subnormal, going in and coming out.
func TestBeyondTheTables(t *testing.T) {
	inf := float32(math.Inf(1))
	negZero := float32(math.Copysign(0, -1))
	const least, normal = 0x1p-149, 0x1p-126
	for _, c := range []struct {
		name    string
		x, want float32
	}{
		{"rcp", 1, 1}, {"rcp", -4, -0.25}, {"rcp", 0, inf}, {"rcp", negZero, -inf}, {"rcp", inf, 0}, {"rcp", -inf, negZero},
		{"rcp", 0x1p127, 0x1p-127}, {"rcp", 0x1p-128, inf}, {"rcp", 0x1p-127, 0x1p127}, {"rcp", least, inf},
		{"rsqrt", 1, 1}, {"rsqrt", 4, 0.5}, {"rsqrt", 0, inf}, {"rsqrt", negZero, -inf}, {"rsqrt", inf, 0}, {"rsqrt", 0x1p-148, 0x1p74},
		{"sqrt", 4, 2}, {"sqrt", 0.25, 0.5}, {"sqrt", negZero, negZero}, {"sqrt", inf, inf}, {"sqrt", 0x1p-148, 0x1p-74}, {"sqrt", normal, 0x1p-63},
		{"ex2", 0, 1}, {"ex2", negZero, 1}, {"ex2", -3, 0.125}, {"ex2", 128, inf}, {"ex2", inf, inf}, {"ex2", -inf, 0}, {"ex2", -149, least},
		{"ex2", -151, 0}, {"ex2", 1e-20, 1}, {"ex2", -1e-20, 1}, {"ex2", 3e38, inf}, {"ex2", -3e38, 0}, {"ex2", 127, 0x1p127},
		{"lg2", 1, 0}, {"lg2", 8, 3}, {"lg2", 0, -inf}, {"lg2", negZero, -inf}, {"lg2", inf, inf}, {"lg2", least, -149}, {"lg2", normal, -126},
		{"sin", 0, 0}, {"sin", negZero, negZero}, {"cos", 0, 1}, {"cos", negZero, 1}, {"sin", least, 0},
	} {
		assert.Equal(t, math.Float32bits(c.want), math.Float32bits(named(c.name)(c.x)), "%s(%g) is %g, not %g", c.name, c.x, named(c.name)(c.x), c.want)
	}
	for _, c := range []struct {
		name string
		x    float32
	}{{"rsqrt", -1}, {"rsqrt", -inf}, {"sqrt", -least}, {"sqrt", -inf}, {"lg2", -1}, {"lg2", -inf}, {"sin", inf}, {"sin", -inf}, {"cos", inf}} {
		assert.True(t, math.IsNaN(float64(named(c.name)(c.x))), "%s(%g)", c.name, c.x)
	}
	for _, f := range Functions {
		for _, b := range []uint32{0x7fc00000, 0xffc00001, 0x7f800001} {
			assert.True(t, math.IsNaN(float64(f.Of(math.Float32frombits(b)))), f.Name)
		}
	}
}

// All exponents and signs, against package math.
func TestAgainstMath(t *testing.T) {
	testsize.InTurn(t, 1)
	bits := uint32(0)
	for range 100_000 {
		bits += 0x0006_a0e1 * 7 // all exponents, odd mantissas
		x := float32(math.Float32frombits(bits))
		d := float64(x)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			continue
		}
		relative := func(name string, y float32, want float64) {
			if math.Abs(want) >= 0x1p128 {
				require.True(t, math.IsInf(float64(y), 0), "%s(%g) is %g", name, x, y)
				return
			}
			require.InDelta(t, want, float64(y), max(math.Abs(want)*0x1p-22, 0x1p-149), "%s(%g)", name, x)
		}
		relative("rcp", Rcp(x), 1/d)
		relative("ex2", Exp2(x), math.Exp2(d))
		if x > 0 {
			relative("rsqrt", Rsqrt(x), 1/math.Sqrt(d))
			relative("sqrt", Sqrt(x), math.Sqrt(d))
			require.InDelta(t, math.Log2(d), float64(Log2(x)), max(0x1p-22, math.Abs(math.Log2(d))*0x1p-23), "lg2(%g)", x)
		}
		if math.Abs(d) < 0x1p30 {
			require.InDelta(t, math.Sin(d), float64(Sin(x)), 0x1p-22, "sin(%g)", x)
			require.InDelta(t, math.Cos(d), float64(Cos(x)), 0x1p-22, "cos(%g)", x)
		}
		require.LessOrEqual(t, Sin(x), float32(1))
		require.GreaterOrEqual(t, Cos(x), float32(-1))
	}
}

func named(name string) func(float32) float32 {
	for _, f := range Functions {
		if f.Name == name {
			return f.Of
		}
	}
	return nil
}
