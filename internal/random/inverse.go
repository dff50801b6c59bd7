package random

import "math"

// The distributions of this file are functions of one number of another kind, by inversion.

// Laplace returns a number of the double exponential distribution.
func (s *Source) Laplace(loc, scale float64) float64 {
	for {
		switch u := s.Float64(); {
		case u >= 0.5:
			return loc - float64(scale*math.Log(2-u-u))
		case u > 0:
			return loc + float64(scale*math.Log(u+u))
		}
	}
}

// Logistic returns a number of the logistic distribution.
func (s *Source) Logistic(loc, scale float64) float64 {
	for {
		if u := s.Float64(); u > 0 {
			return loc + float64(scale*math.Log(u/(1-u)))
		}
	}
}

// Gumbel returns a number of the distribution of extreme values.
func (s *Source) Gumbel(loc, scale float64) float64 {
	for {
		if u := 1 - s.Float64(); u < 1 {
			return loc - float64(scale*math.Log(-math.Log(u)))
		}
	}
}

// Weibull returns a number of the Weibull distribution of shape a and scale 1.
func (s *Source) Weibull(a float64) float64 {
	if a == 0 {
		return 0
	}
	return math.Pow(s.Exponential(), 1/a)
}

// Pareto returns a number of the Lomax distribution, which NumPy calls Pareto: from 0 on.
func (s *Source) Pareto(a float64) float64 { return math.Expm1(s.Exponential() / a) }

// Power returns a number in [0, 1] whose density grows as its power a-1.
func (s *Source) Power(a float64) float64 { return math.Pow(-math.Expm1(-s.Exponential()), 1/a) }

// Rayleigh returns a number of the Rayleigh distribution.
func (s *Source) Rayleigh(scale float64) float64 { return scale * math.Sqrt(2*s.Exponential()) }

// Cauchy returns a number of the standard Cauchy distribution, the quotient of two normal ones.
func (s *Source) Cauchy() float64 { x := s.Normal(); return x / s.Normal() }

// Triangular returns a number from left to right whose density has its peak at mode.
func (s *Source) Triangular(left, mode, right float64) float64 {
	base, toMode := right-left, mode-left
	if u := s.Float64(); u <= toMode/base {
		return left + math.Sqrt(u*(toMode*base))
	} else {
		return right - math.Sqrt((1-u)*((right-mode)*base))
	}
}
