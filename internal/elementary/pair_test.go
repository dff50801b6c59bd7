package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestPairOperations compares with math/big: 2^-100 of the result.
func TestPairOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	wide := func() *big.Float { return new(big.Float).SetPrec(300) }
	of := func(a pair) *big.Float { return wide().Add(wide().SetFloat64(a.hi), wide().SetFloat64(a.lo)) }
	random := func() pair {
		hi := math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		return fastSum(hi, hi*0x1p-53*(r.Float64()-0.5))
	}
	for range 2000 {
		a, b := random(), random()
		for _, c := range []struct {
			name string
			got  pair
			want *big.Float
		}{
			{"add", a.add(b), wide().Add(of(a), of(b))},
			{"mul", a.mul(b), wide().Mul(of(a), of(b))},
			{"div", a.div(b), wide().Quo(of(a), of(b))},
			{"sqrt", a.sqrt(), wide().Sqrt(of(a))},
			{"half", a.half(), wide().Quo(of(a), wide().SetInt64(2))},
			{"neg", a.neg(), wide().Neg(of(a))},
			{"twoSum", twoSum(a.hi, -b.hi), wide().Sub(wide().SetFloat64(a.hi), wide().SetFloat64(b.hi))},
			{"twoProd", twoProd(a.hi, b.hi), wide().Mul(wide().SetFloat64(a.hi), wide().SetFloat64(b.hi))},
		} {
			diff := wide().Sub(of(c.got), c.want)
			if diff.Sign() != 0 && diff.MantExp(nil)-c.want.MantExp(nil) > -100 {
				t.Errorf("%s of %v, %v = %v, exactly %.40g", c.name, a, b, c.got, c.want)
			}
		}
	}
}

// TestReductionsAgree: from 2^22 to 2^27 both reductions of large arguments hold, and they share nothing.
func TestReductionsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		x := math.Ldexp(1+r.Float64(), 22+r.IntN(5))
		if r.IntN(2) == 0 {
			x = -x
		}
		a, p := reduceHalfPi(x)
		b, q := reduceLarge(x)
		if d := (a.hi - b.hi) + (a.lo - b.lo); math.Abs(d) > 0x1p-75*math.Abs(b.hi) || p&3 != q&3 {
			if math.Abs(math.Abs(b.hi)-math.Pi/4) > 1e-8 { // else the quadrant may be either
				t.Errorf("%v: %v in quadrant %d, %v in %d", x, a, p&3, b, q&3)
			}
		}
	}
}
