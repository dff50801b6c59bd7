package nvme

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

func run(t *testing.T, machine string, b Bench) Result {
	c, err := ParseConfig(machine)
	require.NoError(t, err)
	pairs, depth, second, choice := b.Pairs, b.Depth, b.Second, b.Choice
	b.Config = c
	b.Choice = choice
	b.InFlight = 0
	if pairs > 0 {
		b.Pairs = pairs
	}
	if depth > 0 {
		b.Depth = depth
	}
	if second != "" {
		b.Second = second
	}
	r, err := b.Run(context.Background())
	require.NoError(t, err)
	return r
}

// TestBlocks: BaM's benchmark of blocks of 512 bytes against the figures of the paper and of its artifact's logs.
func TestBlocks(t *testing.T) {
	testsize.InTurn(t, 1)
	one := run(t, "optane", Bench{Threads: 262144})
	assert.InDelta(t, 4.95e6, one.IOPS, 0.05e6+1e3)                                      // 4.9 to 5.0 of the band 4.9 to 5.1
	assert.InEpsilon(t, 53.4599e-3, one.Time.Seconds(), 0.01)                            // the artifact's 53,459.9 µs
	assert.InEpsilon(t, 45.8e6, run(t, "optane*10", Bench{Threads: 1 << 20}).IOPS, 0.05) // P
	samsung := run(t, "980pro", Bench{Threads: 262144, Bytes: 4096})
	assert.InEpsilon(t, 798519, samsung.IOPS, 0.005)              // A
	assert.InEpsilon(t, 328288e-6, samsung.Time.Seconds(), 0.005) // A
	two := run(t, "980pro*2", Bench{Threads: 262144, Bytes: 4096})
	assert.InEpsilon(t, 1.91, two.IOPS/samsung.IOPS, 0.05) // A
	plateau := one.IOPS
	few, many := run(t, "optane", Bench{Threads: 16 << 10}).IOPS/plateau, run(t, "optane", Bench{Threads: 64 << 10}).IOPS/plateau
	assert.InDelta(t, 0.84, few, 0.02) // P: 16 to 64 thousand threads are needed
	assert.InDelta(t, 0.96, many, 0.02)
	assert.Less(t, float64(one.Doorbells), 0.5*262144)
	assert.InEpsilon(t, 10.6e6, run(t, "optane*10", Bench{Threads: 1 << 15, Writes: true, Random: true}).IOPS*10, 0.1) // P; a write goes to all of them
}

// TestLatencyIsHidden: with q commands under way for each SSD the rate is min(peak, q/(L0+1/peak)), within 1 %.
func TestLatencyIsHidden(t *testing.T) {
	for _, s := range SSDs[1:4] {
		c := Config{SSD: s, PairRate: 1e9}
		for _, q := range []int{1, 2, 5, 16, 40, 56, 64, 128, 500} {
			rate, err := c.Rate(512, q)
			require.NoError(t, err)
			assert.InEpsilon(t, c.Expected(512, q), rate, 0.01, "%s, %d", s.Name, q)
		}
	}
	rate, err := Config{SSD: SSDs[3]}.Rate(4096, 243) // its 324 µs appear by themselves: 750e3 * 324e-6
	require.NoError(t, err)
	assert.InEpsilon(t, 324e-6, 243/750e3, 0.001)
	assert.InEpsilon(t, 800e3, rate, 0.01)
}

// TestLittle: the sizes of section 2 of the paper, for a link of 26 GB/s.
func TestLittle(t *testing.T) {
	optane, samsung := 11*time.Microsecond, 324*time.Microsecond
	for _, x := range []struct {
		bytes   int
		latency time.Duration
		want    float64
	}{{512, optane, 558.6}, {512, samsung, 16453}, {4096, optane, 69.8}, {4096, samsung, 2056.6}} {
		assert.InEpsilon(t, x.want, InFlight(26e9, x.bytes, x.latency), 0.001)
	}
	assert.InDelta(t, 561, 51e6*optane.Seconds(), 0.5) // with the rounded 51 M/s of the paper
	assert.InDelta(t, 16524, 51e6*samsung.Seconds(), 0.5)
	assert.InDelta(t, 2057, 6.35e6*samsung.Seconds(), 0.5)
}

// TestSecondReads: after each command they double the commands; for all that were completed meanwhile they are few, and
// cost less than 8 % (section 3.5).
func TestSecondReads(t *testing.T) {
	plain := run(t, "optane", Bench{Threads: 50_000})
	naive := run(t, "optane", Bench{Threads: 50_000, Config: Config{Second: Naive}})
	coalesced := run(t, "optane", Bench{Threads: 50_000, Config: Config{Second: Coalesced}})
	assert.EqualValues(t, []int64{0, 50_000}, []int64{plain.ExtraReads, naive.ExtraReads})
	assert.Less(t, coalesced.ExtraReads, int64(5000))
	assert.Less(t, coalesced.Time.Seconds()/plain.Time.Seconds(), 1.08)
	assert.Greater(t, naive.Time.Seconds()/plain.Time.Seconds(), 1.8)
}

// TestPairs: with 4 SSDs the rate is flat down to 40 pairs of queues and falls below (figure 11).
func TestPairs(t *testing.T) {
	rate := func(pairs int) float64 {
		return run(t, "optane*4", Bench{Threads: 60_000, Bytes: 4096, Config: Config{Pairs: pairs}}).IOPS
	}
	full := rate(128)
	assert.InEpsilon(t, full, rate(64), 0.01)
	assert.InEpsilon(t, full, rate(40), 0.02)
	assert.Less(t, rate(32), 0.85*full)
	assert.Less(t, rate(8), 0.25*full)
}

// TestKindsOfSSDs: 4 of each under a graph program (section 5.4): PM1735s are as fast as Optanes, 980 PROs 2.7 to 3.2
// times slower, and the Optanes make the 5 to 6.2 million reads a second of the text.
func TestKindsOfSSDs(t *testing.T) {
	rate := func(kind int) float64 {
		c := Config{SSD: SSDs[kind], SSDs: 4}
		r, err := c.Rate(4096, GraphInFlight/4)
		require.NoError(t, err)
		return r
	}
	optane := rate(1)
	assert.InDelta(t, 5.6e6, optane, 0.6e6)
	assert.InEpsilon(t, 1, optane/rate(2), 0.05)
	assert.InDelta(t, 2.95, optane/rate(3), 0.25)
}

// TestDerived: what follows from the table and the text.
func TestDerived(t *testing.T) {
	for i, want := range []float64{1, 4.4, 4.3, 21.8} {
		assert.InDelta(t, want, SSDs[i].Gain(), 0.06, SSDs[i].Name)
	}
	assert.InDelta(t, 0.236, GDS(4096)/gdsLink, 0.001)
	assert.GreaterOrEqual(t, GDS(32<<10)/gdsLink, 0.99)
	assert.InEpsilon(t, 25e9, BaM(Config{SSDs: 4}, 4096), 0.05)
	assert.InDelta(t, 1.46, Taxi(1)/Taxi(2), 0.005)
	assert.InDelta(t, 1.62, Taxi(1)/Taxi(4), 0.005)
	assert.Greater(t, Taxi(8), Taxi(4))
	serial, async := VectorAdd(Config{SSDs: 4}, false), VectorAdd(Config{SSDs: 4}, true)
	assert.GreaterOrEqual(t, serial, 1.3)
	assert.LessOrEqual(t, serial, 1.6)
	assert.InDelta(t, 1, async, 0.12)
	assert.Less(t, Basic(4096), GDS(4096))
	assert.Equal(t, 4*time.Second+200*time.Millisecond, Tiled(time.Second, 4*time.Second, 0, 5))
	assert.Greater(t, UVM(4096), UVM(256))
}

// TestDerivedIsRecomputed: each figure that is marked D is what arithmetic on printed figures gives.
func TestDerivedIsRecomputed(t *testing.T) {
	// The paper: 45.8 million reads of 512 bytes a second by ten Optanes, 25.1 GB/s by lines of 4 KiB. Two equations
	// rate = link/(bytes + command) for the link and what a command takes of it.
	const small, large = 45.8e6, 25.1e9 / 4096
	command := (large*4096 - small*512) / (small - large)
	assert.InDelta(t, command, commandOnLink, 2)
	assert.InEpsilon(t, small*(512+commandOnLink), usualLink, 0.001)
	// 4 SSDs are at up to 6.2 million a second, and slower with 40 pairs of queues each and fewer.
	assert.InEpsilon(t, 6.2e6/(4*40), usualPairRate, 0.002)
	// GDS has 23.6 % of 25 GB/s by 16 threads and blocks of 4 KiB.
	assert.InEpsilon(t, gdsThreads*4096/(0.236*gdsLink), gdsOperation, 0.005)
	// The artifact's log: 262,144 threads take 53,459.9 µs at 128 pairs' rate.
	assert.InEpsilon(t, 53_459.9e-6, launch.Seconds()+262_144/(128*usualPairRate), 0.003)
	// T(n) = a + b n + c/n with T(1) = 1, 1.46 times as fast with two SSDs and 1.62 times with four.
	t2, t4 := 1/1.46, 1/1.62
	c := (2*(1-t2) - (t2 - t4)) / 0.75 // b leaves the differences of the three
	b := c/2 - (1 - t2)
	for n := 1; n <= 10; n++ {
		assert.InDelta(t, 1-b-c+b*float64(n)+c/float64(n), Taxi(n), 0.01, "%d SSDs", n)
	}
	// dollars: the gain is DRAM's 11.13 by theirs
	for i, dollars := range []float64{11.13, 2.54, 2.56, 0.51} {
		assert.InEpsilon(t, 11.13/dollars, SSDs[i].Gain(), 0.001, SSDs[i].Name)
	}
}

// TestConfigs: names of machines, and what none is.
func TestConfigs(t *testing.T) {
	c, err := ParseConfig("sim:980pro*4")
	require.NoError(t, err)
	assert.Equal(t, "980pro*4", c.String())
	for _, name := range []string{"", "floppy", "optane*0", "optane*x", "optane*-1", "optane*100000"} {
		_, err := ParseConfig(name)
		assert.Error(t, err, name)
	}
	_, err = ParseConfig("optane*0")
	assert.EqualError(t, err, `0 SSDs in "optane*0": give 1 to 1024, as in "optane*4"`)
	_, err = ParseConfig("optane*")
	assert.EqualError(t, err, `no SSDs in "optane*": give 1 to 1024, as in "optane*4"`)
	for _, c := range []Config{{Depth: 3}, {Depth: 1 << 20}, {Pairs: -1}, {SSDs: -2}, {InFlight: -1}, {Line: 1}, {Second: "third"}, {Link: -1}} {
		_, err := NewModel(c)
		assert.Error(t, err)
	}
}

// ExampleBench runs BaM's benchmark on four Optanes.
func ExampleBench() {
	c, _ := ParseConfig("optane*4")
	r, _ := Bench{Config: Config{SSD: c.SSD, SSDs: 4}, Threads: 100_000, Bytes: 4096}.Run(context.Background())
	fmt.Printf("%.3g reads a second\n", r.IOPS)
	// Output: 5.79e+06 reads a second
}

// TestPairsBySM: threads that take the pair of their SM use as many pairs as there are SMs: of one Optane, 108 of its
// 128, which at 38,800 commands a second each (D) are 4.19e6 reads a second, where pairs in turn reach the SSD's peak.
func TestPairsBySM(t *testing.T) {
	testsize.InTurn(t, 2)
	inTurn := run(t, "optane", Bench{Threads: 1 << 20})
	bySM := run(t, "optane", Bench{Threads: 1 << 20, Config: Config{Choice: BySM}})
	assert.InEpsilon(t, 108*38.8e3, bySM.IOPS, 0.03)
	assert.Greater(t, inTurn.IOPS, 1.15*bySM.IOPS)
	few := run(t, "optane*4", Bench{Threads: 1 << 18, Bytes: 4096, Config: Config{Choice: BySM}}) // the SSDs are slower than that
	assert.InEpsilon(t, run(t, "optane*4", Bench{Threads: 1 << 18, Bytes: 4096}).IOPS, few.IOPS, 0.1)
	_, err := NewModel(Config{Choice: "by chance"})
	assert.ErrorContains(t, err, "by chance")
}
