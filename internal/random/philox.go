package random

import "math/bits"

// philox is a Philox 4x64 generator of ten rounds (Salmon, Moraes, Dror, Shaw 2011): four words of bits are a function
// of a counter and a key.
type philox struct {
	counter [4]uint64
	key     [2]uint64
	words   [4]uint64
	used    int // of words
}

func newPhilox(seed Seed) *philox {
	w := seed.words(2)
	return &philox{key: [2]uint64{w[0], w[1]}, used: 4}
}

// Uint64 returns 64 random bits.
func (g *philox) Uint64() uint64 {
	if g.used == len(g.words) {
		for i := range g.counter {
			g.counter[i]++
			if g.counter[i] != 0 {
				break
			}
		}
		g.words, g.used = rounds(g.counter, g.key), 0
	}
	g.used++
	return g.words[g.used-1]
}

func rounds(c [4]uint64, key [2]uint64) [4]uint64 {
	for range 10 {
		high0, low0 := bits.Mul64(0xd2e7470ee14c6c93, c[0])
		high1, low1 := bits.Mul64(0xca5a826395121157, c[2])
		c = [4]uint64{high1 ^ c[1] ^ key[0], low1, high0 ^ c[3] ^ key[1], low0}
		key[0] += 0x9e3779b97f4a7c15
		key[1] += 0xbb67ae8584caa73b
	}
	return c
}
