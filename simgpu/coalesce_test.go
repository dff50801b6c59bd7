package simgpu

import (
	"math/rand/v2"
	"testing"
)

func lanesAt(n int, f func(lane int) uint64) access {
	var a access
	for i := range n {
		a = append(a, f(i))
	}
	return a
}

// A sector is 32 bytes: the numbers follow by counting them.
func TestSectors(t *testing.T) {
	for _, c := range []struct {
		name string
		a    access
		want int
	}{
		{"f32, neighbours", lanesAt(32, func(l int) uint64 { return 4096 + 4*uint64(l) }), 4},
		{"f32, shifted by one", lanesAt(32, func(l int) uint64 { return 4100 + 4*uint64(l) }), 5},
		{"f32, reversed", lanesAt(32, func(l int) uint64 { return 4096 + 4*uint64(31-l) }), 4},
		{"f32, stride 2", lanesAt(32, func(l int) uint64 { return 4096 + 8*uint64(l) }), 8},
		{"f32, stride 8", lanesAt(32, func(l int) uint64 { return 4096 + 32*uint64(l) }), 32},
		{"f32, stride 32", lanesAt(32, func(l int) uint64 { return 4096 + 128*uint64(l) }), 32},
		{"f32, one address", lanesAt(32, func(int) uint64 { return 4096 }), 1},
		{"f64, neighbours", lanesAt(32, func(l int) uint64 { return 4096 + 8*uint64(l) }), 8},
		{"bytes, neighbours", lanesAt(32, func(l int) uint64 { return 4096 + uint64(l) }), 1},
		{"two words in turn", lanesAt(32, func(l int) uint64 { return 4096 + 512*uint64(l%2) }), 2},
		{"one lane", lanesAt(1, func(int) uint64 { return 4096 }), 1},
	} {
		if got := len(c.a.sectors(nil)); got != c.want {
			t.Errorf("%s: %d sectors, want %d", c.name, got, c.want)
		}
	}
}

func TestBankPasses(t *testing.T) {
	for _, c := range []struct {
		name              string
		bytes             int
		a                 access
		passes, conflicts int
	}{
		{"f32, neighbours", 4, lanesAt(32, func(l int) uint64 { return 4 * uint64(l) }), 1, 0},
		{"f32, one word", 4, lanesAt(32, func(int) uint64 { return 64 }), 1, 0},
		{"f32, stride 2", 4, lanesAt(32, func(l int) uint64 { return 8 * uint64(l) }), 2, 1},
		{"f32, stride 32: a column", 4, lanesAt(32, func(l int) uint64 { return 128 * uint64(l) }), 32, 31},
		{"f32, stride 33: a padded column", 4, lanesAt(32, func(l int) uint64 { return 132 * uint64(l) }), 1, 0},
		{"bytes, neighbours", 1, lanesAt(32, func(l int) uint64 { return uint64(l) }), 1, 0},
		{"f64, neighbours", 8, lanesAt(32, func(l int) uint64 { return 8 * uint64(l) }), 2, 0},
		{"f64, half a warp", 8, lanesAt(16, func(l int) uint64 { return 8 * uint64(l) }), 1, 0},
		{"f64, stride 2", 8, lanesAt(32, func(l int) uint64 { return 16 * uint64(l) }), 4, 2},
		{"f64, one value", 8, lanesAt(32, func(int) uint64 { return 64 }), 2, 0},
	} {
		passes, conflicts := c.a.bankPasses(c.bytes, 32)
		if passes != c.passes || conflicts != c.conflicts {
			t.Errorf("%s: %d passes, %d conflicts, want %d, %d", c.name, passes, conflicts, c.passes, c.conflicts)
		}
	}
}

// Against a count with maps.
func TestAccessesAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n, spread := 1+r.IntN(32), uint64(1)<<r.IntN(14)
		a := lanesAt(n, func(int) uint64 { return r.Uint64N(spread) * 4 })
		sectors, words, depth := map[uint64]bool{}, map[uint64]bool{}, map[uint64]int{}
		deepest := 0
		for _, addr := range a {
			sectors[addr/32] = true
			if !words[addr/4] {
				words[addr/4] = true
				depth[addr/4%32]++
				deepest = max(deepest, depth[addr/4%32])
			}
		}
		if got := len(a.sectors(nil)); got != len(sectors) {
			t.Fatalf("%v: %d sectors, want %d", a, got, len(sectors))
		}
		if got, _ := a.bankPasses(4, 32); got != deepest {
			t.Fatalf("%v: %d passes, want %d", a, got, deepest)
		}
	}
}
