package random

import "math/bits"

// pcg64 is the state of a PCG64 generator (O'Neill 2014: PCG XSL RR 128/64).
type pcg64 struct {
	high, low       uint64
	incHigh, incLow uint64
}

// multiplier of the linear congruential step, high and low.
const multHigh, multLow = 2549297995355413924, 4865540595714422341

func newPCG64(seed Seed) *pcg64 {
	w := seed.words(4)
	g := &pcg64{incHigh: w[2]<<1 | w[3]>>63, incLow: w[3]<<1 | 1}
	g.step()
	var carry uint64
	g.low, carry = bits.Add64(g.low, w[1], 0)
	g.high, _ = bits.Add64(g.high, w[0], carry)
	g.step()
	return g
}

func (g *pcg64) step() {
	high, low := bits.Mul64(g.low, multLow)
	high += g.high*multLow + g.low*multHigh
	var carry uint64
	g.low, carry = bits.Add64(low, g.incLow, 0)
	g.high, _ = bits.Add64(high, g.incHigh, carry)
}

// Uint64 returns 64 random bits.
func (g *pcg64) Uint64() uint64 {
	g.step()
	return bits.RotateLeft64(g.high^g.low, -int(g.high>>58))
}
