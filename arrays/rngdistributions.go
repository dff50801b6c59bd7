package arrays

import (
	"fmt"
	"math"
)

// Normal returns float64 numbers of a normal distribution. It panics with *Error when the deviation is negative.
func (r *RNG) Normal(mean, deviation ArrayLike, shape ...int) *Array {
	return draw(r, "normal", Float64, shape, func(p []float64) float64 { return p[0] + float64(p[1]*r.src.Normal()) },
		parameter{"the mean", mean, anyNumber}, parameter{"the standard deviation", deviation, atLeast0})
}

// LogNormal returns float64 numbers whose logarithms have a normal distribution. It panics with *Error when the
// deviation is negative.
func (r *RNG) LogNormal(mean, deviation ArrayLike, shape ...int) *Array {
	return draw(r, "lognormal", Float64, shape, func(p []float64) float64 { return math.Exp(p[0] + float64(p[1]*r.src.Normal())) },
		parameter{"the mean", mean, anyNumber}, parameter{"the standard deviation", deviation, atLeast0})
}

// Exponential returns float64 numbers of the exponential distribution with the given mean. It panics with *Error when
// that is negative.
func (r *RNG) Exponential(mean ArrayLike, shape ...int) *Array {
	return draw(r, "exponential", Float64, shape, func(p []float64) float64 { return p[0] * r.src.Exponential() }, parameter{"the mean", mean, atLeast0})
}

// Gamma returns float64 numbers of the gamma distribution, whose mean is k*scale. It panics with *Error when the shape
// parameter k or the scale is negative.
func (r *RNG) Gamma(k, scale ArrayLike, shape ...int) *Array {
	return draw(r, "gamma", Float64, shape, func(p []float64) float64 { return p[1] * r.src.Gamma(p[0]) },
		parameter{"k", k, atLeast0}, parameter{"the scale", scale, atLeast0})
}

// ChiSquare returns float64 numbers of the chi-square distribution with df degrees of freedom, which must be above 0.
func (r *RNG) ChiSquare(df ArrayLike, shape ...int) *Array {
	return draw(r, "chisquare", Float64, shape, func(p []float64) float64 { return r.src.ChiSquare(p[0]) }, parameter{"df", df, above0})
}

// Beta returns float64 numbers from 0 to 1 of the beta distribution, whose mean is a/(a+b). Both must be above 0.
func (r *RNG) Beta(a, b ArrayLike, shape ...int) *Array {
	return draw(r, "beta", Float64, shape, func(p []float64) float64 { return r.src.Beta(p[0], p[1]) }, parameter{"a", a, above0}, parameter{"b", b, above0})
}

// StandardT returns float64 numbers of Student's distribution with df degrees of freedom, which must be above 0.
func (r *RNG) StandardT(df ArrayLike, shape ...int) *Array {
	return draw(r, "standard_t", Float64, shape, func(p []float64) float64 { return r.src.StandardT(p[0]) }, parameter{"df", df, above0})
}

// StandardCauchy returns float64 numbers of the Cauchy distribution around 0.
func (r *RNG) StandardCauchy(shape ...int) *Array {
	return fill(r, "standard_cauchy", Float64, shape, r.src.Cauchy)
}

// Laplace returns float64 numbers of the double exponential distribution around loc. It panics with *Error when the
// scale is negative.
func (r *RNG) Laplace(loc, scale ArrayLike, shape ...int) *Array {
	return draw(r, "laplace", Float64, shape, func(p []float64) float64 { return r.src.Laplace(p[0], p[1]) },
		parameter{"loc", loc, anyNumber}, parameter{"the scale", scale, atLeast0})
}

// Logistic returns float64 numbers of the logistic distribution around loc. It panics with *Error when the scale is
// negative.
func (r *RNG) Logistic(loc, scale ArrayLike, shape ...int) *Array {
	return draw(r, "logistic", Float64, shape, func(p []float64) float64 { return r.src.Logistic(p[0], p[1]) },
		parameter{"loc", loc, anyNumber}, parameter{"the scale", scale, atLeast0})
}

// Gumbel returns float64 numbers of the distribution of the largest of many values. It panics with *Error when the
// scale is negative.
func (r *RNG) Gumbel(loc, scale ArrayLike, shape ...int) *Array {
	return draw(r, "gumbel", Float64, shape, func(p []float64) float64 { return r.src.Gumbel(p[0], p[1]) },
		parameter{"loc", loc, anyNumber}, parameter{"the scale", scale, atLeast0})
}

// Weibull returns float64 numbers of the Weibull distribution of scale 1. It panics with *Error when a is negative.
func (r *RNG) Weibull(a ArrayLike, shape ...int) *Array {
	return draw(r, "weibull", Float64, shape, func(p []float64) float64 { return r.src.Weibull(p[0]) }, parameter{"a", a, atLeast0})
}

// Pareto returns float64 numbers from 0 on of the Lomax distribution, as NumPy's pareto does; 1 more is the classical
// one. a must be above 0.
func (r *RNG) Pareto(a ArrayLike, shape ...int) *Array {
	return draw(r, "pareto", Float64, shape, func(p []float64) float64 { return r.src.Pareto(p[0]) }, parameter{"a", a, above0})
}

// Power returns float64 numbers from 0 to 1 whose density grows as the power a-1. a must be above 0.
func (r *RNG) Power(a ArrayLike, shape ...int) *Array {
	return draw(r, "power", Float64, shape, func(p []float64) float64 { return r.src.Power(p[0]) }, parameter{"a", a, above0})
}

// Rayleigh returns float64 numbers of the Rayleigh distribution. It panics with *Error when the scale is negative.
func (r *RNG) Rayleigh(scale ArrayLike, shape ...int) *Array {
	return draw(r, "rayleigh", Float64, shape, func(p []float64) float64 { return r.src.Rayleigh(p[0]) }, parameter{"the scale", scale, atLeast0})
}

// Triangular returns float64 numbers from left to right whose density has its peak at mode. It panics with *Error
// unless left <= mode <= right and left < right.
func (r *RNG) Triangular(left, mode, right ArrayLike, shape ...int) *Array {
	return draw(r, "triangular", Float64, shape, func(p []float64) float64 {
		if !(p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]) {
			check("triangular", &Error{Msg: fmt.Sprintf("left %v, mode %v and right %v are not in order", p[0], p[1], p[2])})
		}
		return r.src.Triangular(p[0], p[1], p[2])
	}, parameter{"left", left, anyNumber}, parameter{"mode", mode, anyNumber}, parameter{"right", right, anyNumber})
}

// Poisson returns int64 counts of events of which lam are expected. It panics with *Error when lam is negative or above
// 9.2e18.
func (r *RNG) Poisson(lam ArrayLike, shape ...int) *Array {
	return draw(r, "poisson", Int64, shape, func(p []float64) int64 { return r.src.Poisson(p[0]) }, parameter{"lam", lam, poissonMean})
}

// Binomial returns int64 counts of the successes of n trials, each of probability p. It panics with *Error when n is
// not a whole number from 0 to 2^53, or p not from 0 to 1.
func (r *RNG) Binomial(n, p ArrayLike, shape ...int) *Array {
	return draw(r, "binomial", Int64, shape, func(v []float64) int64 { return r.src.Binomial(int64(v[0]), v[1]) },
		parameter{"n", n, count}, parameter{"p", p, probability})
}

// NegativeBinomial returns int64 counts of the failures before n successes, each of probability p. n must be above 0,
// and p too, at most 1.
func (r *RNG) NegativeBinomial(n, p ArrayLike, shape ...int) *Array {
	return draw(r, "negative_binomial", Int64, shape, func(v []float64) int64 { return r.src.NegativeBinomial(v[0], v[1]) },
		parameter{"n", n, above0}, parameter{"p", p, chance})
}

// Geometric returns int64 counts of the trials up to the first success, each of probability p, above 0 and at most 1.
func (r *RNG) Geometric(p ArrayLike, shape ...int) *Array {
	return draw(r, "geometric", Int64, shape, func(v []float64) int64 { return r.src.Geometric(v[0]) }, parameter{"p", p, chance})
}

// StandardGamma returns float64 numbers of the gamma distribution of scale 1, whose mean is k. It panics with *Error
// when k is negative.
func (r *RNG) StandardGamma(k ArrayLike, shape ...int) *Array {
	return draw(r, "standard_gamma", Float64, shape, func(p []float64) float64 { return r.src.Gamma(p[0]) }, parameter{"k", k, atLeast0})
}

// StandardExponential returns float64 numbers of the exponential distribution with mean 1.
func (r *RNG) StandardExponential(shape ...int) *Array {
	return fill(r, "standard_exponential", Float64, shape, r.src.Exponential)
}

// F returns float64 numbers of Fisher's distribution with df1 and df2 degrees of freedom, which must be above 0.
func (r *RNG) F(df1, df2 ArrayLike, shape ...int) *Array {
	return draw(r, "f", Float64, shape, func(p []float64) float64 { return r.src.F(p[0], p[1]) },
		parameter{"df1", df1, above0}, parameter{"df2", df2, above0})
}

// NoncentralF is [RNG.F] around nonc. It panics with *Error when nonc is negative.
func (r *RNG) NoncentralF(df1, df2, nonc ArrayLike, shape ...int) *Array {
	return draw(r, "noncentral_f", Float64, shape, func(p []float64) float64 { return r.src.NoncentralF(p[0], p[1], p[2]) },
		parameter{"df1", df1, above0}, parameter{"df2", df2, above0}, parameter{"nonc", nonc, atLeast0})
}

// NoncentralChiSquare returns float64 numbers of the noncentral chi-square distribution with df degrees of freedom,
// which must be above 0. It panics with *Error when nonc is negative.
func (r *RNG) NoncentralChiSquare(df, nonc ArrayLike, shape ...int) *Array {
	return draw(r, "noncentral_chisquare", Float64, shape, func(p []float64) float64 { return r.src.NoncentralChiSquare(p[0], p[1]) },
		parameter{"df", df, above0}, parameter{"nonc", nonc, atLeast0})
}

// Wald returns float64 numbers of the inverse Gaussian distribution. Mean and scale must be above 0.
func (r *RNG) Wald(mean, scale ArrayLike, shape ...int) *Array {
	return draw(r, "wald", Float64, shape, func(p []float64) float64 { return r.src.Wald(p[0], p[1]) },
		parameter{"the mean", mean, above0}, parameter{"the scale", scale, above0})
}

// VonMises returns float64 angles from -π to π around mu, in radians, the nearer the larger kappa is. It panics with
// *Error when that is negative.
func (r *RNG) VonMises(mu, kappa ArrayLike, shape ...int) *Array {
	return draw(r, "vonmises", Float64, shape, func(p []float64) float64 { return r.src.VonMises(p[0], p[1]) },
		parameter{"mu", mu, anyNumber}, parameter{"kappa", kappa, atLeast0})
}

// LogSeries returns int64 numbers from 1 on of the logarithmic distribution, with p from 0 up to 1, which is left out.
func (r *RNG) LogSeries(p ArrayLike, shape ...int) *Array {
	return draw(r, "logseries", Int64, shape, func(v []float64) int64 { return r.src.LogSeries(v[0]) }, parameter{"p", p, below1})
}

// Zipf returns int64 numbers from 1 on whose chances fall as their power -a. a must be above 1.
func (r *RNG) Zipf(a ArrayLike, shape ...int) *Array {
	return draw(r, "zipf", Int64, shape, func(v []float64) int64 { return r.src.Zipf(v[0]) }, parameter{"a", a, above1})
}

// Hypergeometric returns int64 counts of the good ones among sample things that are drawn, without putting them back,
// from good and bad ones. It panics with *Error when there are fewer of them, or a number is not a whole one from 0 to
// 10^9.
func (r *RNG) Hypergeometric(good, bad, sample ArrayLike, shape ...int) *Array {
	return draw(r, "hypergeometric", Int64, shape, func(v []float64) int64 {
		if v[0]+v[1] < v[2] {
			check("hypergeometric", &Error{Msg: fmt.Sprintf("%v things cannot be drawn from %v good and %v bad ones", v[2], v[0], v[1])})
		}
		return r.src.Hypergeometric(int64(v[0]), int64(v[1]), int64(v[2]))
	}, parameter{"good", good, billion}, parameter{"bad", bad, billion}, parameter{"sample", sample, billion})
}
