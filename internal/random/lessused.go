package random

import "math"

// F returns a number of Fisher's distribution: of two numbers of chi-square, each divided by its degrees of freedom,
// the quotient.
func (s *Source) F(df1, df2 float64) float64 {
	above := s.ChiSquare(df1) * df2
	return above / (s.ChiSquare(df2) * df1)
}

// NoncentralChiSquare returns a number of the noncentral chi-square distribution of df degrees of freedom.
func (s *Source) NoncentralChiSquare(df, nonc float64) float64 {
	switch {
	case nonc == 0:
		return s.ChiSquare(df)
	case df > 1:
		central := s.ChiSquare(df - 1)
		n := s.Normal() + math.Sqrt(nonc)
		return central + float64(n*n)
	}
	i := s.Poisson(nonc / 2)
	return s.ChiSquare(df + float64(2*i))
}

// NoncentralF returns a number of the noncentral distribution of Fisher.
func (s *Source) NoncentralF(df1, df2, nonc float64) float64 {
	above := s.NoncentralChiSquare(df1, nonc) * df2
	return above / (s.ChiSquare(df2) * df1)
}

// Wald returns a number of the inverse Gaussian distribution (Michael, Schucany and Haas 1976).
func (s *Source) Wald(mean, scale float64) float64 {
	y := s.Normal()
	y = mean * y * y
	d := 1 + math.Sqrt(1+4*scale/y)
	x := mean * (1 - 2/d)
	if s.Float64() <= mean/(mean+x) {
		return x
	}
	return mean * mean / x
}

// VonMises returns an angle from -pi to pi of the von Mises distribution around mu (Best and Fisher 1979); above a
// kappa of 10^6, where it is as narrow as that, of a normal one.
func (s *Source) VonMises(mu, kappa float64) float64 {
	if kappa < 1e-8 {
		return math.Pi * (2*s.Float64() - 1)
	}
	var r float64
	switch {
	case kappa < 1e-5:
		r = 1/kappa + kappa
	case kappa <= 1e6:
		tau := 1 + math.Sqrt(1+4*kappa*kappa)
		rho := (tau - math.Sqrt(2*tau)) / (2 * kappa)
		r = (1 + float64(rho*rho)) / (2 * rho)
	default:
		angle := mu + float64(math.Sqrt(1/kappa)*s.Normal())
		if angle < -math.Pi {
			angle += 2 * math.Pi
		}
		if angle > math.Pi {
			angle -= 2 * math.Pi
		}
		return angle
	}
	var w float64
	for {
		z := math.Cos(math.Pi * s.Float64())
		w = (1 + float64(r*z)) / (r + z)
		y := kappa * (r - w)
		v := s.Float64()
		if float64(y*(2-y))-v >= 0 || math.Log(y/v)+1-y >= 0 {
			break
		}
	}
	angle := math.Acos(w)
	if s.Float64() < 0.5 {
		angle = -angle
	}
	angle += mu
	size := math.Mod(math.Abs(angle)+math.Pi, 2*math.Pi) - math.Pi
	if angle < 0 {
		size = -size
	}
	return size
}

// LogSeries returns a number, 1 or more, of the logarithmic distribution with p from 0 up to 1 (Kemp 1981).
func (s *Source) LogSeries(p float64) int64 {
	r := math.Log1p(-p)
	for {
		v := s.Float64()
		if v >= p {
			return 1
		}
		q := -math.Expm1(r * s.Float64())
		switch {
		case v <= q*q:
			if n := math.Floor(1 + math.Log(v)/math.Log(q)); n >= 1 && v != 0 {
				return int64(n)
			}
		case v >= q:
			return 1
		default:
			return 2
		}
	}
}

// Zipf returns a number, 1 or more, whose chances fall as its power -a, for a above 1 (Devroye 1986).
func (s *Source) Zipf(a float64) int64 {
	if a >= 1025 {
		return 1
	}
	am1 := a - 1
	b := math.Pow(2, am1)
	least := math.Pow(math.MaxInt64, -am1)
	for {
		u := s.Float64()
		u = float64(u*least) + (1 - u)
		v := s.Float64()
		x := math.Floor(math.Pow(u, -1/am1))
		if x >= math.MaxInt64 || x < 1 {
			continue
		}
		t := math.Pow(1+1/x, am1)
		if v*x*(t-1)/(b-1) <= t/b {
			return int64(x)
		}
	}
}

// Hypergeometric returns how many of sample things that are drawn from good and bad ones are good: one after the other
// where they are few, else by ratios of uniform numbers (Stadlober 1990, HRUA).
func (s *Source) Hypergeometric(good, bad, sample int64) int64 {
	if sample >= 10 && sample <= good+bad-10 {
		return s.hrua(good, bad, sample)
	}
	total := good + bad
	left := sample
	if sample > total/2 {
		left = total - sample
	}
	rest, restGood := total, good
	for ; left > 0 && restGood > 0 && rest > restGood; left-- {
		rest--
		if int64(s.Interval(uint64(rest))) < restGood {
			restGood--
		}
	}
	if rest == restGood {
		restGood -= left
	}
	if sample > total/2 {
		return restGood
	}
	return good - restGood
}

func (s *Source) hrua(good, bad, sample int64) int64 {
	total := good + bad
	drawn := min(sample, total-sample)
	fewer, more := min(good, bad), max(good, bad)
	p, q := float64(fewer)/float64(total), float64(more)/float64(total)
	a := float64(float64(drawn)*p) + 0.5
	variance := float64(total-drawn) * float64(drawn) * p * q / float64(total-1)
	c := math.Sqrt(variance + 0.5)
	h := float64(1.7155277699214135*c) + 0.8989161620588988
	mode := int64(math.Floor(float64(drawn+1) * float64(fewer+1) / float64(total+2)))
	logs := func(k int64) float64 {
		return logFactorial(k) + logFactorial(fewer-k) + logFactorial(drawn-k) + logFactorial(more-drawn+k)
	}
	g := logs(mode)
	b := min(float64(min(drawn, fewer)+1), math.Floor(a+float64(16*c)))
	var k int64
	for {
		u := s.Float64()
		v := s.Float64()
		x := a + h*(v-0.5)/u
		if x < 0 || x >= b {
			continue
		}
		k = int64(math.Floor(x))
		t := g - logs(k)
		if float64(u*(4-u))-3 <= t {
			break
		}
		if u*(u-t) >= 1 {
			continue
		}
		if 2*math.Log(u) <= t {
			break
		}
	}
	if good > bad {
		k = drawn - k
	}
	if drawn < sample {
		k = good - k
	}
	return k
}

// logFactorial is log(k!): by Stirling's series from 126 on, as in NumPy, whose table below that is rounded as Lgamma
// nearly is.
func logFactorial(k int64) float64 {
	x := float64(k)
	if k < 126 {
		log, _ := math.Lgamma(x + 1)
		return log
	}
	const halfLog2Pi = 0.9189385332046728
	return float64((x+0.5)*math.Log(x)) - x + (halfLog2Pi + float64((1/x)*(1/12.0-1/(360*x*x))))
}
