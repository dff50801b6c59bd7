package random

import "math"

// Poisson returns a number of the Poisson distribution of mean lam, 0 or more: from 10 on by transformed rejection
// (Hörmann 1993, PTRS), below as the uniform numbers whose product stays above exp(-lam).
func (s *Source) Poisson(lam float64) int64 {
	if lam == 0 {
		return 0
	}
	if lam < 10 {
		least, product := math.Exp(-lam), 1.0
		for n := int64(0); ; n++ {
			product *= s.Float64()
			if product <= least {
				return n
			}
		}
	}
	logLam := math.Log(lam)
	b := 0.931 + float64(2.53*math.Sqrt(lam))
	a := -0.059 + float64(0.02483*b)
	inverseAlpha := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		u := s.Float64() - 0.5
		v := s.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*a/us+b)*u) + lam + 0.43)
		if us >= 0.07 && v <= vr {
			return int64(k)
		}
		if k < 0 || us < 0.013 && v > us {
			continue
		}
		if math.Log(v)+math.Log(inverseAlpha)-math.Log(a/(us*us)+b) <= -lam+float64(k*logLam)-logGamma(k+1) {
			return int64(k)
		}
	}
}

// logGamma is log(gamma(x)) by Stirling's series, with NumPy's steps: a mean of 1e15 leaves whole numbers of the
// difference in which it stands, so that another rounding draws another number.
func logGamma(x float64) float64 {
	if x == 1 || x == 2 {
		return 0
	}
	up := 0.0
	if x < 7 {
		up = math.Floor(7 - x)
	}
	at := x + up
	square := (1 / at) * (1 / at)
	sum := gammaSeries[len(gammaSeries)-1]
	for i := len(gammaSeries) - 2; i >= 0; i-- {
		sum = float64(sum*square) + gammaSeries[i]
	}
	log := sum/at + 0.5*1.8378770664093453 + float64((at-0.5)*math.Log(at)) - at
	for ; up > 0; up-- {
		at--
		log -= math.Log(at)
	}
	return log
}

var gammaSeries = [...]float64{8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04, 8.417508417508418e-04,
	-1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02, 1.796443723688307e-01, -1.39243221690590e+00}

// Binomial returns how many of n trials succeed, each with probability p: by inversion where at most 30 are expected of
// the rarer outcome, else by BTPE (Kachitvichyanukul and Schmeiser 1988).
func (s *Source) Binomial(n int64, p float64) int64 {
	switch {
	case n == 0 || p == 0:
		return 0
	case p > 0.5:
		return n - s.rarer(n, 1-p)
	}
	return s.rarer(n, p)
}

func (s *Source) rarer(n int64, p float64) int64 {
	if float64(n)*p > 30 {
		return s.btpe(n, p)
	}
	q := 1 - p
	none := math.Exp(float64(n) * math.Log1p(-p))
	mean := float64(n) * p
	bound := int64(min(float64(n), mean+float64(10*math.Sqrt(float64(mean*q)+1))))
	x, px, u := int64(0), none, s.Float64()
	for u > px {
		x++
		if x > bound {
			x, px, u = 0, none, s.Float64()
			continue
		}
		u -= px
		px = float64(n-x+1) * p * px / (float64(x) * q)
	}
	return x
}

// btpe draws from a triangle in the middle, parallelograms beside it and exponential tails, and accepts by a squeeze.
// The names are the paper's.
func (s *Source) btpe(count int64, r float64) int64 {
	n := float64(count)
	q := 1 - r
	fm := float64(n*r) + r
	m := math.Floor(fm)
	p1 := math.Floor(float64(2.195*math.Sqrt(n*r*q))-float64(4.6*q)) + 0.5
	xm := m + 0.5
	xl, xr := xm-p1, xm+p1
	c := 0.134 + 20.5/(15.3+m)
	a := (fm - xl) / (fm - float64(xl*r))
	lambdaL := a * (1 + a/2)
	a = (xr - fm) / (xr * q)
	lambdaR := a * (1 + a/2)
	p2 := p1 * (1 + 2*c)
	p3 := p2 + c/lambdaL
	p4 := p3 + c/lambdaR
	nrq := n * r * q
	for {
		u, v := s.Float64()*p4, s.Float64()
		var y float64
		switch {
		case u <= p1:
			return int64(math.Floor(xm - float64(p1*v) + u))
		case u <= p2:
			x := xl + (u-p1)/c
			v = float64(v*c) + 1 - math.Abs(m-x+0.5)/p1
			if v > 1 {
				continue
			}
			y = math.Floor(x)
		case u <= p3:
			y = math.Floor(xl + math.Log(v)/lambdaL)
			if y < 0 || v == 0 {
				continue
			}
			v *= (u - p2) * lambdaL
		default:
			y = math.Floor(xr - math.Log(v)/lambdaR)
			if y > n || v == 0 {
				continue
			}
			v *= (u - p3) * lambdaR
		}
		k := math.Abs(y - m)
		if k <= 20 || k >= nrq/2-1 { // the ratio of the two probabilities, factor by factor
			ratio := r / q
			a := ratio * (n + 1)
			f := 1.0
			for i := m + 1; i <= y; i++ {
				f *= a/i - ratio
			}
			for i := y + 1; i <= m; i++ {
				f /= a/i - ratio
			}
			if v <= f {
				return int64(y)
			}
			continue
		}
		rho := k / nrq * (float64((float64(k*(k/3+0.625))+0.16666666666666666)/nrq) + 0.5)
		t := -k * k / (2 * nrq)
		logV := math.Log(v)
		if logV < t-rho {
			return int64(y)
		}
		if logV > t+rho {
			continue
		}
		x1, f1, z, w := y+1, m+1, n+1-m, n-y+1
		if logV <= xm*math.Log(f1/x1)+(n-m+0.5)*math.Log(z/w)+(y-m)*math.Log(w*r/(x1*q))+stirling(f1)+stirling(z)+stirling(x1)+stirling(w) {
			return int64(y)
		}
	}
}

// stirling is the correction of Stirling's formula for the logarithm of a factorial.
func stirling(x float64) float64 {
	x2 := x * x
	return (13680 - (462-(132-(99-140/x2)/x2)/x2)/x2) / x / 166320
}

// Geometric returns the number of trials up to the first success, each with probability p in (0, 1]: by a search where
// p is a third or more, else by inversion.
func (s *Source) Geometric(p float64) int64 {
	if p >= 0.333333333333333333333333 {
		sum, product, u := p, p, s.Float64()
		x := int64(1)
		for ; u > sum; x++ {
			product *= 1 - p
			sum += product
		}
		return x
	}
	z := math.Ceil(-s.Exponential() / math.Log1p(-p))
	if z >= 1<<63 {
		return math.MaxInt64
	}
	return int64(z)
}

// NegativeBinomial returns how many trials fail before n succeed, each with probability p: Poisson of a mean from the
// gamma distribution.
func (s *Source) NegativeBinomial(n, p float64) int64 { return s.Poisson(s.Gamma(n) * ((1 - p) / p)) }
