package random

import "math"

// Gamma returns a number of the gamma distribution of the given shape, 0 or more, and scale 1: by Marsaglia and Tsang
// (2000), for shapes below 1 by Ahrens and Dieter's GS (1974).
func (s *Source) Gamma(shape float64) float64 {
	switch {
	case shape == 1:
		return s.Exponential()
	case shape == 0:
		return 0
	case shape < 1:
		for {
			u, v := s.Float64(), s.Exponential()
			if u <= 1-shape {
				if x := math.Pow(u, 1/shape); x <= v {
					return x
				}
				continue
			}
			y := -math.Log((1 - u) / shape)
			if x := math.Pow(1-shape+float64(shape*y), 1/shape); x <= v+y {
				return x
			}
		}
	}
	b := shape - 1./3
	c := 1 / math.Sqrt(9*b)
	for {
		var x, v float64
		for v <= 0 {
			x = s.Normal()
			v = 1 + float64(c*x)
		}
		v = v * v * v
		u := s.Float64()
		if u < 1-float64(0.0331*(x*x)*(x*x)) {
			return b * v
		}
		if math.Log(u) < float64(0.5*x*x)+float64(b*(1-v+math.Log(v))) {
			return b * v
		}
	}
}

// ChiSquare returns a number of the chi-square distribution with df degrees of freedom.
func (s *Source) ChiSquare(df float64) float64 { return 2 * s.Gamma(df/2) }

// Beta returns a number of the beta distribution with a and b above 0: by Johnk (1964) where neither is above 1.
func (s *Source) Beta(a, b float64) float64 {
	if a > 1 || b > 1 {
		x := s.Gamma(a)
		return x / (x + s.Gamma(b))
	}
	for {
		u, v := s.Float64(), s.Float64()
		x, y := math.Pow(u, 1/a), math.Pow(v, 1/b)
		if x+y > 1 || u+v == 0 {
			continue
		}
		if x > 0 && y > 0 {
			return x / (x + y)
		}
		logX, logY := math.Log(u)/a, math.Log(v)/b
		most := max(logX, logY)
		logX -= most
		logY -= most
		return math.Exp(logX - math.Log(math.Exp(logX)+math.Exp(logY)))
	}
}

// StandardT returns a number of Student's distribution with df degrees of freedom.
func (s *Source) StandardT(df float64) float64 {
	x := s.Normal()
	return math.Sqrt(df/2) * x / math.Sqrt(s.Gamma(df/2))
}
