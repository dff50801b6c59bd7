package lazy

import "github.com/arrayrepl/arrayrepl/arrays"

// RNG draws random arrays, on the CPU and at once: the stream of numpy.random's generators with the same seed.
// Parameters that are lazy arrays are computed first. See arrays.RNG.
type RNG struct{ eager *arrays.RNG }

// DefaultRNG returns the generator that numpy.random.default_rng(seed) is. It panics with *Error on a negative seed.
func DefaultRNG(seed int) *RNG { return &RNG{arrays.DefaultRNG(seed)} }

// PhiloxRNG returns numpy.random.Generator(numpy.random.Philox(seed)), whose bits are a function of a counter and a
// key. It panics with *Error on a negative seed.
func PhiloxRNG(seed int) *RNG { return &RNG{arrays.PhiloxRNG(seed)} }

// String names the generator of bits: RNG(PCG64).
func (r *RNG) String() string { return r.eager.String() }

// Random returns float64 numbers from 0 up to 1, which is left out.
func (r *RNG) Random(shape ...int) *Array { return FromArray(r.eager.Random(shape...)) }

// Uniform returns float64 numbers from lo up to hi. It panics with *Error when hi is below lo, or infinitely far.
func (r *RNG) Uniform(lo, hi ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Uniform(evaluated(lo), evaluated(hi), shape...))
}

// Integers returns int64 numbers from lo up to hi, which is left out. It panics with *Error when there are none.
func (r *RNG) Integers(lo, hi int, shape ...int) *Array {
	return FromArray(r.eager.Integers(lo, hi, shape...))
}

// StandardNormal returns float64 numbers of the normal distribution with mean 0 and standard deviation 1.
func (r *RNG) StandardNormal(shape ...int) *Array { return FromArray(r.eager.StandardNormal(shape...)) }

// Normal returns float64 numbers of a normal distribution. It panics with *Error when the deviation is negative.
func (r *RNG) Normal(mean, deviation ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Normal(evaluated(mean), evaluated(deviation), shape...))
}

// LogNormal returns float64 numbers whose logarithms have a normal distribution. It panics with *Error when the
// deviation is negative.
func (r *RNG) LogNormal(mean, deviation ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.LogNormal(evaluated(mean), evaluated(deviation), shape...))
}

// Exponential returns float64 numbers of the exponential distribution with the given mean. It panics with *Error when
// that is negative.
func (r *RNG) Exponential(mean ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Exponential(evaluated(mean), shape...))
}

// Gamma returns float64 numbers of the gamma distribution, whose mean is k*scale. It panics with *Error when the shape
// parameter k or the scale is negative.
func (r *RNG) Gamma(k, scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Gamma(evaluated(k), evaluated(scale), shape...))
}

// ChiSquare returns float64 numbers of the chi-square distribution with df degrees of freedom, which must be above 0.
func (r *RNG) ChiSquare(df ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.ChiSquare(evaluated(df), shape...))
}

// Beta returns float64 numbers from 0 to 1 of the beta distribution, whose mean is a/(a+b). Both must be above 0.
func (r *RNG) Beta(a, b ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Beta(evaluated(a), evaluated(b), shape...))
}

// StandardT returns float64 numbers of Student's distribution with df degrees of freedom, which must be above 0.
func (r *RNG) StandardT(df ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.StandardT(evaluated(df), shape...))
}

// StandardCauchy returns float64 numbers of the Cauchy distribution around 0.
func (r *RNG) StandardCauchy(shape ...int) *Array { return FromArray(r.eager.StandardCauchy(shape...)) }

// Laplace returns float64 numbers of the double exponential distribution around loc. It panics with *Error when the
// scale is negative.
func (r *RNG) Laplace(loc, scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Laplace(evaluated(loc), evaluated(scale), shape...))
}

// Logistic returns float64 numbers of the logistic distribution around loc. It panics with *Error when the scale is
// negative.
func (r *RNG) Logistic(loc, scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Logistic(evaluated(loc), evaluated(scale), shape...))
}

// Gumbel returns float64 numbers of the distribution of the largest of many values. It panics with *Error when the
// scale is negative.
func (r *RNG) Gumbel(loc, scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Gumbel(evaluated(loc), evaluated(scale), shape...))
}

// Weibull returns float64 numbers of the Weibull distribution of scale 1. It panics with *Error when a is negative.
func (r *RNG) Weibull(a ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Weibull(evaluated(a), shape...))
}

// Pareto returns float64 numbers from 0 on of the Lomax distribution, as NumPy's pareto does; 1 more is the classical
// one. a must be above 0.
func (r *RNG) Pareto(a ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Pareto(evaluated(a), shape...))
}

// Power returns float64 numbers from 0 to 1 whose density grows as the power a-1. a must be above 0.
func (r *RNG) Power(a ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Power(evaluated(a), shape...))
}

// Rayleigh returns float64 numbers of the Rayleigh distribution. It panics with *Error when the scale is negative.
func (r *RNG) Rayleigh(scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Rayleigh(evaluated(scale), shape...))
}

// Triangular returns float64 numbers from left to right whose density has its peak at mode. It panics with *Error
// unless left <= mode <= right and left < right.
func (r *RNG) Triangular(left, mode, right ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Triangular(evaluated(left), evaluated(mode), evaluated(right), shape...))
}

// Poisson returns int64 counts of events of which lam are expected. It panics with *Error when lam is negative or above
// 9.2e18.
func (r *RNG) Poisson(lam ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Poisson(evaluated(lam), shape...))
}

// Binomial returns int64 counts of the successes of n trials, each of probability p. It panics with *Error when n is
// not a whole number from 0 to 2^53, or p not from 0 to 1.
func (r *RNG) Binomial(n, p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Binomial(evaluated(n), evaluated(p), shape...))
}

// NegativeBinomial returns int64 counts of the failures before n successes, each of probability p. n must be above 0,
// and p too, at most 1.
func (r *RNG) NegativeBinomial(n, p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.NegativeBinomial(evaluated(n), evaluated(p), shape...))
}

// Geometric returns int64 counts of the trials up to the first success, each of probability p, above 0 and at most 1.
func (r *RNG) Geometric(p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Geometric(evaluated(p), shape...))
}

// Multinomial returns int64 counts of the outcomes of n trials, in a last axis as long as p, the outcomes'
// probabilities. It panics with *Error when these add up to more than 1; what is missing of 1 is the last one's.
func (r *RNG) Multinomial(n int, p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Multinomial(n, evaluated(p), shape...))
}

// Dirichlet returns float64 numbers that add up to 1 in a last axis as long as alpha, whose elements must be above 0.
func (r *RNG) Dirichlet(alpha ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Dirichlet(evaluated(alpha), shape...))
}

// MultivariateNormal returns float64 vectors, in a last axis as long as mean, of the normal distribution with the
// covariance matrix cov, by its Cholesky factor: NumPy's numbers with method="cholesky". It panics with *Error when cov
// is not symmetric and positive definite.
func (r *RNG) MultivariateNormal(mean, cov ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.MultivariateNormal(evaluated(mean), evaluated(cov), shape...))
}

// Permutation returns the ints from 0 up to x in random order, or of an array x a copy whose elements along the first
// axis are.
func (r *RNG) Permutation(x ArrayLike) *Array { return FromArray(r.eager.Permutation(evaluated(x))) }

// Shuffle puts the elements of a along its first axis in random order, in place.
func (r *RNG) Shuffle(a *Array) { a.Set(a.At(r.Permutation(a.Len()))) }

// Choice returns elements of x, along its first axis, drawn with equal chances and put back each time. x may be an int
// n, for the ints from 0 up to n.
func (r *RNG) Choice(x ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Choice(evaluated(x), shape...))
}

// WeightedChoice is Choice with the probability p of each element. It panics with *Error when they do not add up to 1.
func (r *RNG) WeightedChoice(x, p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.WeightedChoice(evaluated(x), evaluated(p), shape...))
}

// Sample returns n elements of x, along its first axis, drawn with equal chances and not put back: numpy's choice with
// replace=False. x may be an int, as in Choice. It takes memory and time for n elements, or for all where n is above a
// fiftieth of more than 10,000.
func (r *RNG) Sample(x ArrayLike, n int) *Array { return FromArray(r.eager.Sample(evaluated(x), n)) }

// WeightedSample is Sample with the probability p of each element. It panics with *Error when they do not add up to 1,
// or fewer than n are possible.
func (r *RNG) WeightedSample(x, p ArrayLike, n int) *Array {
	return FromArray(r.eager.WeightedSample(evaluated(x), evaluated(p), n))
}

// Permuted returns a copy of x with the elements of each line along an axis in a random order of its own, or all
// elements where none is named.
func (r *RNG) Permuted(x ArrayLike, axis ...AxisOption) *Array {
	return FromArray(r.eager.Permuted(evaluated(x), axis...))
}

// Spawn returns n generators whose streams have nothing to do with each other's or with r's, for work that is done side
// by side: those of NumPy's Generator.spawn. Calls one after the other give others each. It panics with *Error when n
// is negative.
func (r *RNG) Spawn(n int) []*RNG {
	spawned := r.eager.Spawn(n)
	out := make([]*RNG, len(spawned))
	for i, s := range spawned {
		out[i] = &RNG{s}
	}
	return out
}

// Bytes returns n random bytes. It panics with *Error when n is negative.
func (r *RNG) Bytes(n int) []byte { return r.eager.Bytes(n) }

// StandardGamma returns float64 numbers of the gamma distribution of scale 1, whose mean is k. It panics with *Error
// when k is negative.
func (r *RNG) StandardGamma(k ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.StandardGamma(evaluated(k), shape...))
}

// StandardExponential returns float64 numbers of the exponential distribution with mean 1.
func (r *RNG) StandardExponential(shape ...int) *Array {
	return FromArray(r.eager.StandardExponential(shape...))
}

// F returns float64 numbers of Fisher's distribution with df1 and df2 degrees of freedom, which must be above 0.
func (r *RNG) F(df1, df2 ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.F(evaluated(df1), evaluated(df2), shape...))
}

// NoncentralF is [RNG.F] around nonc. It panics with *Error when nonc is negative.
func (r *RNG) NoncentralF(df1, df2, nonc ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.NoncentralF(evaluated(df1), evaluated(df2), evaluated(nonc), shape...))
}

// NoncentralChiSquare returns float64 numbers of the noncentral chi-square distribution with df degrees of freedom,
// which must be above 0. It panics with *Error when nonc is negative.
func (r *RNG) NoncentralChiSquare(df, nonc ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.NoncentralChiSquare(evaluated(df), evaluated(nonc), shape...))
}

// Wald returns float64 numbers of the inverse Gaussian distribution. Mean and scale must be above 0.
func (r *RNG) Wald(mean, scale ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Wald(evaluated(mean), evaluated(scale), shape...))
}

// VonMises returns float64 angles from -π to π around mu, in radians, the nearer the larger kappa is. It panics with
// *Error when that is negative.
func (r *RNG) VonMises(mu, kappa ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.VonMises(evaluated(mu), evaluated(kappa), shape...))
}

// LogSeries returns int64 numbers from 1 on of the logarithmic distribution, with p from 0 up to 1, which is left out.
func (r *RNG) LogSeries(p ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.LogSeries(evaluated(p), shape...))
}

// Zipf returns int64 numbers from 1 on whose chances fall as their power -a. a must be above 1.
func (r *RNG) Zipf(a ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Zipf(evaluated(a), shape...))
}

// Hypergeometric returns int64 counts of the good ones among sample things that are drawn, without putting them back,
// from good and bad ones. It panics with *Error when there are fewer of them, or a number is not a whole one from 0 to
// 10^9.
func (r *RNG) Hypergeometric(good, bad, sample ArrayLike, shape ...int) *Array {
	return FromArray(r.eager.Hypergeometric(evaluated(good), evaluated(bad), evaluated(sample), shape...))
}
