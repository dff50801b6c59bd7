package simgpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func lanesAt(n int, f func(lane int) uint64) access {
	var a access
	for i := range n {
		a = append(a, f(i))
	}
	return a
}

// moved returns how many transactions a takes under rule c, and how many bytes they are.
func moved(c Coalescing, a access, m Mask, bytes int) (n, total int) {
	ts := c.transactions(a, m, bytes, true, nil)
	for _, t := range ts {
		total += sectorBytes * ones(t.sectors)
	}
	return len(ts), total
}

// The transactions of one load of 32 floats under three rules: cuda-scan-brook.md B.2.8, the table [D]. "Modern" counts
// lines of 128 bytes, that is Lines; Sectors moves only the parts of them that lanes touch.
func TestTransactionsOfThreeRules(t *testing.T) {
	all := lanes(0, 32)
	even := Mask(0x5555_5555)
	at := func(m Mask, f func(l int) int) (a access) {
		for l := range 32 {
			if m>>uint(l)&1 != 0 {
				a = append(a, uint64(4096+4*f(l)))
			}
		}
		return a
	}
	for _, c := range []struct {
		name  string
		lanes Mask
		word  func(l int) int
		want  [3][2]int // HalfWarpInOrder, HalfWarpSegments, Lines: transactions, bytes
	}{
		{"unit stride", all, func(l int) int { return l }, [3][2]int{{2, 128}, {2, 128}, {1, 128}}},
		{"even lanes only", even, func(l int) int { return l }, [3][2]int{{2, 128}, {2, 128}, {1, 128}}},
		{"shifted by one word", all, func(l int) int { return l + 1 }, [3][2]int{{32, 1024}, {3, 224}, {2, 256}}},
		{"reversed in each half", all, func(l int) int { return l&16 | 15 - l&15 }, [3][2]int{{32, 1024}, {2, 128}, {1, 128}}},
		{"stride 2", all, func(l int) int { return 2 * l }, [3][2]int{{32, 1024}, {2, 256}, {2, 256}}},
		{"stride 32", all, func(l int) int { return 32 * l }, [3][2]int{{32, 1024}, {32, 1024}, {32, 4096}}},
		{"one address", all, func(int) int { return 0 }, [3][2]int{{32, 1024}, {2, 64}, {1, 128}}},
	} {
		for i, rule := range []Coalescing{HalfWarpInOrder, HalfWarpSegments, Lines} {
			if n, bytes := moved(rule, at(c.lanes, c.word), c.lanes, 4); n != c.want[i][0] || bytes != c.want[i][1] {
				t.Errorf("%s, %v: %d transactions of %d bytes, want %v", c.name, rule, n, bytes, c.want[i])
			}
		}
	}
}

// A float at stride s is read by half a warp in gcd(s, 16) turns: cuda-scan-brook.md B.4, "Bank-conflict report".
func TestConflictsOfSixteenBanks(t *testing.T) {
	for s := range 33 {
		a := lanesAt(32, func(l int) uint64 { return uint64(4 * s * l) })
		want := 2 * max(1, gcd(s, 16))
		if s == 0 {
			want = 2 // one word goes to all
		}
		if got, _ := a.bankPasses(lanes(0, 32), 4, 16); got != want {
			t.Errorf("stride %d: %d passes, want %d", s, got, want)
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
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
		bytes := 4
		switch c.name {
		case "f64, neighbours":
			bytes = 8
		case "bytes, neighbours":
			bytes = 1
		}
		if _, got := moved(Sectors, c.a, lanes(0, len(c.a)), bytes); got != 32*c.want {
			t.Errorf("%s: %d bytes, want %d sectors", c.name, got, c.want)
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
		passes, conflicts := c.a.bankPasses(lanes(0, len(c.a)), c.bytes, 32)
		if passes != c.passes || conflicts != c.conflicts {
			t.Errorf("%s: %d passes, %d conflicts, want %d, %d", c.name, passes, conflicts, c.passes, c.conflicts)
		}
	}
}

// TestWideLoadsOfPairs: G. Smith's rule for accesses of 16 bytes (NVIDIA's forum, "Unexpected shared memory bank
// conflict"): 4 requests, and 2 where each lane has the address of the one next to it, or of the second next.
func TestWideLoadsOfPairs(t *testing.T) {
	p, err := PresetByName("v100")
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		at   func(lane int) uint64
		want int
	}{
		{"the question's: tid % 4", func(l int) uint64 { return uint64(l % 4 * 16) }, 4},
		{"one address", func(int) uint64 { return 64 }, 2},
		{"neighbours in pairs", func(l int) uint64 { return uint64(l / 2 * 16) }, 2},
		{"second neighbours", func(l int) uint64 { return uint64((l/4*2 + l%2) * 16) }, 2},
		{"each its own", func(l int) uint64 { return uint64(l * 16) }, 4},
	} {
		passes, _ := p.bankPasses(lanesAt(32, c.at), lanes(0, 32), 16)
		assert.Equal(t, c.want, passes, c.name)
	}
	passes, _ := p.bankPasses(lanesAt(1, func(int) uint64 { return 0 }), lanes(5, 6), 16)
	assert.Equal(t, 1, passes, "one lane")
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
		if _, got := moved(Sectors, a, lanes(0, n), 4); got != 32*len(sectors) {
			t.Fatalf("%v: %d bytes, want %d sectors", a, got, len(sectors))
		}
		if got, _ := a.bankPasses(lanes(0, n), 4, 32); got != deepest {
			t.Fatalf("%v: %d passes, want %d", a, got, deepest)
		}
	}
}
