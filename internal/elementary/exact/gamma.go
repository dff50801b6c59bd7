package exact

import (
	"math/big"
	"sync"
)

// Erf returns the error function of x: 2x/sqrt(pi)*exp(-x^2) times the sum of (2x^2)^n/(1*3*...*(2n+1)).
func Erf(x *big.Float) *big.Float { return erfSeries(x, Prec) }

func erfSeries(x *big.Float, prec uint) *big.Float {
	sum := new(big.Float).SetPrec(prec).SetInt64(1)
	term := new(big.Float).SetPrec(prec).SetInt64(1)
	twice := new(big.Float).SetPrec(prec).Mul(x, x)
	minus := new(big.Float).SetPrec(prec).Neg(twice)
	twice.SetMantExp(twice, 1)
	for n := int64(3); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-int(prec); n += 2 {
		term.Mul(term, twice)
		term.Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	front := quo(shift(x, 1), sqrt(Pi()))
	return number().Mul(mul(front, Exp(minus)), sum)
}

// Erfc returns 1 - erf(x): above 2.5 by Legendre's continued fraction
// exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
func Erfc(x *big.Float) *big.Float {
	if x.Cmp(from(2.5)) < 0 {
		return sub(from(1), Erf(x))
	}
	f, _ := x.Float64()
	terms := int(9000/(f*f)) + 60 // 2^-240 at 2.5, by comparison with the series
	y := number().Set(x)
	for n := terms; n > 0; n-- {
		y = add(x, quo(from(float64(n)/2), y))
	}
	return quo(Exp(neg(mul(x, x))), mul(sqrt(Pi()), y))
}

// stirling holds B(2n)/(2n(2n-1)).
var stirling = sync.OnceValue(func() []*big.Float {
	const terms = 40
	b := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= 2*terms; m++ { // sum of binomial(m+1, j)*B(j) = 0
		sum := new(big.Rat)
		for j := range m {
			binomial := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, j))
			sum.Add(sum, binomial.Mul(binomial, b[j]))
		}
		b = append(b, sum.Mul(sum, big.NewRat(-1, m+1)))
	}
	c := make([]*big.Float, 0, terms)
	for n := int64(1); n <= terms; n++ {
		c = append(c, number().SetRat(new(big.Rat).Mul(b[2*n], big.NewRat(1, 2*n*(2*n-1)))))
	}
	return c
})

// positive returns log(gamma(x+n)) and x*(x+1)*...*(x+n-1), x > 0, with n such that x+n is above 60.
func positive(x *big.Float) (lgamma, product *big.Float) {
	product = from(1)
	y := number().Set(x)
	for y.Cmp(from(60)) < 0 {
		product = mul(product, y)
		y = add(y, from(1))
	}
	sum := add(mul(sub(y, from(0.5)), Log(y)), sub(half(Log(shift(Pi(), 1))), y))
	power := quo(from(1), y)
	sq := mul(power, power)
	for _, c := range stirling() {
		sum = add(sum, mul(power, c))
		power = mul(power, sq)
	}
	return sum, product
}

// Gamma returns the gamma function of x.
func Gamma(x *big.Float) *big.Float {
	if x.Sign() < 0 { // -pi/(x*sin(pi*x)*gamma(-x))
		return neg(quo(Pi(), mul(mul(x, SinPi(x)), Gamma(neg(x)))))
	}
	l, product := positive(x)
	return quo(Exp(l), product)
}

// Lgamma returns log(|gamma(x)|).
func Lgamma(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		s := mul(x, SinPi(x))
		s.Abs(s)
		return sub(Log(quo(Pi(), s)), Lgamma(neg(x)))
	}
	l, product := positive(x)
	return sub(l, Log(product))
}
