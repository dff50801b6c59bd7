package simgpu

import (
	"fmt"
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

// rounds is a kernel that does length rounds of so many dependent fma and so many roundings of the result.
func rounds(t testing.TB, length, fmas, roundings int) *kir.Func {
	b := kir.NewBuilder(fmt.Sprint("rounds", length))
	out := b.Param("out", kir.U64)
	at := b.Index(out, b.GlobalIDX(), kir.F32)
	v := b.Load(kir.Global, kir.F32, at)
	for range length {
		for range fmas {
			v = b.Op(kir.OpFma, v, v, v)
		}
		for range roundings {
			v = b.Op(kir.OpRint, v)
		}
	}
	b.Store(kir.Global, at, v)
	b.Return()
	return build(t, b)
}

// perRound returns the cycles that a round takes with so many warps on one SM, which take turns: were the oldest
// preferred, the youngest would run alone at the end.
func perRound(t *testing.T, warps, fmas, roundings int) float64 {
	b := newBench(t, "g80", AsWritten(), Full(), WithIssuePolicy(Barrel{}))
	x := b.alloc(4 * 32 * warps)
	var cycles [2]int64
	for i, length := range []int{64, 192} {
		cycles[i] = b.launch(rounds(t, length, fmas, roundings), kir.D1(1), kir.D1(32*warps), x).Stats.Cycles
	}
	return float64(cycles[1]-cycles[0]) / 128
}

// A register dependence takes 24 clocks and an instruction 4 of the lanes, so six warps hide it; the scheduler's cycles
// are two clocks: cuda-scan-brook.md B.2.3 [D], "dependent MAD chain: IPC saturates at w = 6".
func TestSixWarpsHideADependence(t *testing.T) {
	for warps := 1; warps <= 9; warps++ {
		ipc := float64(warps) / perRound(t, warps, 1, 0)
		if want := min(float64(warps)/12, 0.5); math.Abs(ipc-want) > 0.01*want {
			t.Errorf("%d warps: %.3f instructions a cycle, want %.3f", warps, ipc, want)
		}
	}
}

// Four MAD and one reciprocal keep both kinds of lanes busy and take 5 of 8 slots: B.2.3 [D]. A rounding stands for the
// reciprocal, on the same unit.
func TestLanesAndSpecialUnitsAreBothBusy(t *testing.T) {
	const warps = 16
	if cycles := perRound(t, warps, 4, 1) / warps; math.Abs(cycles-8) > 0.1 {
		t.Errorf("a round of 5 instructions takes %.2f slots, want 8", cycles)
	}
}

// The multipliers of the special function units take products while the lanes take MAD: 24 flops a clock of the lanes,
// 48 a cycle, as in the peak of 576 Gflops: B.2.1 [D].
func TestProductsRunBesideMAD(t *testing.T) {
	const warps = 16
	var cycles [2]int64
	for i, length := range []int{64, 192} {
		b := kir.NewBuilder(fmt.Sprint("pairs", length))
		at := b.Index(b.Param("out", kir.U64), b.GlobalIDX(), kir.F32)
		v := b.Load(kir.Global, kir.F32, at)
		for range length {
			v = b.Op(kir.OpMul, b.Op(kir.OpFma, v, v, v), v)
		}
		b.Store(kir.Global, at, v)
		b.Return()
		m := newBench(t, "g80", AsWritten(), Full(), WithIssuePolicy(Barrel{}))
		cycles[i] = m.launch(build(t, b), kir.D1(1), kir.D1(32*warps), m.alloc(4*32*warps)).Stats.Cycles
	}
	flops := 3 * 32 * warps * 128 / float64(cycles[1]-cycles[0])
	if flops < 0.97*48 || flops > 48 {
		t.Errorf("%.2f flops a cycle, want 48", flops)
	}
}

// Half-warp accesses to shared memory and what they cost on 16 banks: cuda-scan-brook.md D.2.6 [D].
func TestBanksOfScans(t *testing.T) {
	cost := func(n int, pad func(i int) int) (accesses, passes int) {
		access := func(threads int, at func(t int) int) {
			for first := 0; first < threads; first += 16 {
				m := min(16, threads-first)
				p, _ := lanesAt(m, func(l int) uint64 { return uint64(4 * pad(at(first+l))) }).bankPasses(lanes(0, m), 4, 16)
				accesses, passes = accesses+1, passes+p
			}
		}
		off := 1
		for d := n / 2; d > 0; d /= 2 { // x[off(2t+2)-1] += x[off(2t+1)-1]: two loads and a store
			for _, k := range []int{1, 2, 2} {
				access(d, func(t int) int { return off*(2*t+k) - 1 })
			}
			off *= 2
		}
		for d := 1; d < n; d *= 2 { // the two are swapped and added: two loads and two stores
			off /= 2
			for _, k := range []int{1, 2, 1, 2} {
				access(d, func(t int) int { return off*(2*t+k) - 1 })
			}
		}
		return accesses, passes
	}
	plain, padded := func(i int) int { return i }, func(i int) int { return i + i/16 }
	for _, c := range []struct {
		n                int
		pad              func(int) int
		accesses, passes int
	}{{256, plain, 133, 553}, {256, padded, 133, 133}, {512, plain, 245, 1113}, {512, padded, 245, 273}} {
		if a, p := cost(c.n, c.pad); a != c.accesses || p != c.passes {
			t.Errorf("reduce and downsweep of %d: %d accesses in %d passes, want %d in %d", c.n, a, p, c.accesses, c.passes)
		}
	}
	// A scan of warps: lanes from o on load p[i-o] and p[i] and store p[i], by halves.
	for _, c := range []struct{ n, want int }{{256, 216}, {512, 432}} {
		accesses, passes := 0, 0
		for range c.n / 32 {
			for o := 1; o < 32; o *= 2 {
				for _, back := range []int{o, 0, 0} {
					m := lanes(o, 32)
					p, _ := lanesAt(32-o, func(l int) uint64 { return uint64(4 * (o + l - back)) }).bankPasses(m, 4, 16)
					passes += p
					for _, half := range []Mask{m & 0xffff, m >> 16} {
						if half != 0 {
							accesses++
						}
					}
				}
			}
		}
		if accesses != c.want || passes != c.want {
			t.Errorf("warp scans of %d: %d accesses in %d passes, want %d", c.n, accesses, passes, c.want)
		}
	}
}

// Two SMs hold a block each; blocks of lengths 4 1 1 1 1 end at 4, as a distributor that hands out the next block to
// whoever is free has it, not at 6: cuda-scan-brook.md B.2.2 [D].
func TestBlocksGoToWhoeverIsFree(t *testing.T) {
	f := skewed(t, func(b *kir.Builder, c *kir.Value) *kir.Value {
		return b.Op(kir.OpSelect, b.Op(kir.OpEq, c, b.Int(kir.I64, 0)), b.Int(kir.I64, 4000), b.Int(kir.I64, 1000))
	})
	p, _ := PresetByName("g80")
	p.SMs, p.MaxBlocksPerSM = 2, 1
	b := newBenchOf(t, p, Full())
	e := b.launch(f, kir.D1(5), kir.D1(32), b.alloc(4*5*32), 5*32)
	runs := e.Stats.Detail.Blocks
	if len(runs) != 5 {
		t.Fatalf("%d blocks ran", len(runs))
	}
	for _, r := range runs {
		if (r.Block == 0) != (r.SM == runs[0].SM) {
			t.Errorf("block %d ran on SM %d, block 0 on %d", r.Block, r.SM, runs[0].SM)
		}
	}
	one := (runs[1].End - runs[1].Start).Seconds()
	if makespan := e.Duration().Seconds() / one; makespan < 3.9 || makespan > 4.2 {
		t.Errorf("all end at %.2f", makespan)
	}
}
