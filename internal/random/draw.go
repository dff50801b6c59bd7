package random

import "math"

// The ziggurat method (Marsaglia and Tsang 2000) with 256 strips: most numbers cost one draw and one product.

// Normal returns a number of the standard normal distribution.
func (s *Source) Normal() float64 {
	for {
		r := s.Uint64()
		i := r & 0xff
		r >>= 8
		negative := r&1 == 1
		r = r >> 1 & (1<<52 - 1)
		x := float64(r) * normalWidth[i]
		if negative {
			x = -x
		}
		if r < normalInside[i] {
			return x
		}
		if i == 0 { // the tail
			for {
				xx := -math.Log1p(-s.Float64()) / normalEdge
				yy := -math.Log1p(-s.Float64())
				if yy+yy > float64(xx*xx) {
					if r>>8&1 == 1 {
						return -(normalEdge + xx)
					}
					return normalEdge + xx
				}
			}
		}
		if float64((normalHeight[i-1]-normalHeight[i])*s.Float64())+normalHeight[i] < math.Exp(-0.5*x*x) {
			return x
		}
	}
}

// Exponential returns a number of the exponential distribution of mean 1.
func (s *Source) Exponential() float64 {
	for {
		r := s.Uint64() >> 3
		i := r & 0xff
		r >>= 8
		x := float64(r) * exponentialWidth[i]
		if r < exponentialInside[i] {
			return x
		}
		if i == 0 {
			return exponentialEdge - math.Log1p(-s.Float64())
		}
		if float64((exponentialHeight[i-1]-exponentialHeight[i])*s.Float64())+exponentialHeight[i] < math.Exp(-x) {
			return x
		}
	}
}
