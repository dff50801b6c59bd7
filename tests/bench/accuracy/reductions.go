package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// reductionSource is the ladder of reductions, a step for each V. A block sums what its threads take, and thread 0
// writes it.
const reductionSource = `
typedef NUMBER number;

__device__ void lastWarp(volatile number *s, int t) {
	if (BLOCK >= 64) s[t] += s[t + 32];
	__syncwarp();
	s[t] += s[t + 16];
	__syncwarp();
	s[t] += s[t + 8];
	__syncwarp();
	s[t] += s[t + 4];
	__syncwarp();
	s[t] += s[t + 2];
	__syncwarp();
	s[t] += s[t + 1];
}

extern "C" __global__ void sum(const number *x, number *out, unsigned n) {
	__shared__ number s[BLOCK + 32];
	unsigned t = threadIdx.x;
#if V <= 3
	unsigned i = blockIdx.x * blockDim.x + t;
	s[t] = EVEN || i < n ? x[i] : 0;
#elif V <= 6
	unsigned width = V == 6 ? BLOCK : blockDim.x, i = blockIdx.x * (width * 2) + t; // from step 6 on the compiler knows it
	s[t] = (EVEN || i < n ? x[i] : 0) + (EVEN || i + width < n ? x[i + width] : 0);
#else
	number mine = 0;
	unsigned step = 2 * BLOCK * gridDim.x;
	for (unsigned i = blockIdx.x * (BLOCK * 2) + t; i < n; i += step) mine += x[i] + (EVEN || i + BLOCK < n ? x[i + BLOCK] : 0);
	s[t] = mine;
#endif
	__syncthreads();
#if V == 1
	for (unsigned d = 1; d < blockDim.x; d *= 2) {
		if (t % (2 * d) == 0) s[t] += s[t + d];
		__syncthreads();
	}
#elif V == 2
	for (unsigned d = 1; d < blockDim.x; d *= 2) {
		unsigned at = 2 * d * t;
		if (at < blockDim.x) s[at] += s[at + d];
		__syncthreads();
	}
#elif V == 3 || V == 4
	for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
		if (t < d) s[t] += s[t + d];
		__syncthreads();
	}
#elif V == 5
	for (unsigned d = blockDim.x / 2; d > 32; d >>= 1) {
		if (t < d) s[t] += s[t + d];
		__syncthreads();
	}
	if (t < 32) lastWarp(s, t);
#elif V <= 7
	if (BLOCK >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
	if (BLOCK >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
	if (BLOCK >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
	if (t < 32) lastWarp(s, t);
#else
	number v = mine;
	for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
	if (t % 32 == 0) s[t / 32] = v;
	__syncthreads();
	if (t >= 32) return;
	v = t < BLOCK / 32 ? s[t] : 0;
	for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
	if (t == 0) out[blockIdx.x] = v;
	return;
#endif
	if (t == 0) out[blockIdx.x] = s[0];
}`

// reductionStep is step v of the ladder over n numbers, in blocks of so many threads: the first stage alone, or all
// until one number is left. From step 7 on there are so many blocks at most.
type reductionStep struct {
	v, n, block, blocks int
	number              string
	whole               bool
}

// run returns the bytes that were read in a second, in GB.
func (r reductionStep) run(c *card) float64 {
	// step is the kernel for n numbers: where all blocks have whole pairs of them it asks no more than the sources' do
	step := func(n int) *kir.Func {
		even := 0
		if n%(2*r.block) == 0 {
			even = 1
		}
		return kernel(reductionSource, "sum", "-DNUMBER="+r.number, fmt.Sprint("-DBLOCK=", r.block), fmt.Sprint("-DV=", r.v), fmt.Sprint("-DEVEN=", even))
	}
	in := c.alloc(4 * r.n)
	if r.number == "int" {
		in = c.ints32(r.n, func(i int) int32 { return int32(i % 7) })
	}
	out := in
	var ls []launch
	for n := r.n; n > 1 && (r.whole || ls == nil); {
		per := r.block
		if r.v >= 4 {
			per *= 2
		}
		blocks := (n + per - 1) / per
		if r.v >= 7 {
			blocks = min(blocks, r.blocks)
		}
		out = c.alloc(4 * blocks)
		ls = append(ls, launch{f: step(n), grid: kir.D1(blocks), block: kir.D1(r.block), args: []any{in, out, n}})
		in, n = out, blocks
	}
	m := c.run(ls...)
	if r.number == "int" && r.whole {
		want := 0
		for i := range r.n {
			want += i % 7
		}
		if got := int(c.word(out, 0)); got != want {
			panic(failure{fmt.Errorf("the sum is %d, not %d", got, want)})
		}
	}
	return 4 * float64(r.n) / m.seconds / 1e9
}

func reductions() []*experiment {
	const early, late = 1 << 22, 8 << 20 // of the last steps, whose blocks go round, all that was measured
	g80 := func(v int) func(*card) float64 {
		return reductionStep{v: v, n: early, block: 128, blocks: 128, number: "int", whole: true}.run
	}
	// the eight steps, with the µs that were published of 32·2^20 numbers
	modern := func(published [8]float64) (vs []variant) {
		for i, name := range []string{
			"1: interleaved, `tid % (2*s)`", "2: no divergence, bank conflicts", "3: sequential addresses", "4: first addition at the load",
			"5: last warp unrolled", "6: all unrolled", "7: 1024 blocks, many elements a thread", "8: shuffles",
		} {
			n := late
			if i >= 6 {
				n = 32 << 20
			}
			vs = append(vs, variant{name, 4 * (32 << 20) / published[i] / 1e3, reductionStep{v: i + 1, n: n, block: 256, blocks: 1024, number: "float"}.run})
		}
		return vs
	}
	return []*experiment{
		{
			id: "M01–M07", title: "sum of 2^22 int32, 128 threads in a block, repeated until one number is left", machine: "GeForce 8800, 86.4 GB/s", preset: "g80",
			source: "Harris 2007, final table", confidence: "T", in: gbs, peak: 86.4,
			variants: []variant{
				{"1: interleaved, `tid % (2*s)`", 2.083, g80(1)},
				{"2: interleaved, no divergence, bank conflicts", 4.854, g80(2)},
				{"3: sequential addresses", 9.741, g80(3)},
				{"4: first addition at the load", 17.377, g80(4)},
				{"5: last warp unrolled", 31.289, g80(5)},
				{"6: all unrolled", 43.996, g80(6)},
				{"7: many elements a thread", 62.671, g80(7)},
			},
			checks: []check{
				{"D1", "each step is 1.3 to 2.5 times faster, all 20 to 40 times", func(g []float64) bool {
					return steps(g, 1.3, 2.5) && within(g[6]/g[0], 20, 40)
				}},
				{"D1", "step 7 reaches 70 % of the peak", func(g []float64) bool { return g[6] >= 0.7*103.7 }},
			},
		},
		{
			id: "M08", title: "the same ladder, first stage alone, 32·2^20 float32, 256 threads", preset: "v100",
			source: "Liu, How to optimize in GPU, 2023", confidence: "R", in: gbs, peak: 900, size: "8·2^20 numbers, of the last two steps all",
			variants: modern([8]float64{804.2, 506.4, 397.9, 213.2, 169.2, 166.8, 166.7, 166.2}),
			checks: []check{
				{"D2", "4 to 6 times in all", func(g []float64) bool { return within(g[7]/g[0], 4, 6) }},
				{"D2", "the step without bank conflicts is at most 1.4", func(g []float64) bool { return within(g[2]/g[1], 1, 1.4) }},
				{"D2", "the first addition at the load is 1.6 to 2.1", func(g []float64) bool { return within(g[3]/g[2], 1.6, 2.1) }},
				{"D2", "the last three steps are within 5 %", func(g []float64) bool { return within(g[7]/g[5], 0.95, 1.05) && within(g[6]/g[5], 0.95, 1.05) }},
				{"", "the last reaches 80 % of the peak", func(g []float64) bool { return g[7] >= 0.8*900 }},
			},
		},
		{
			id: "M09", title: "the same ladder, first stage alone, 32·2^20 float32, 256 threads", preset: "a100", change: profiled,
			machine: "A100-PCIe 40 GB under Nsight Compute, 765 MHz", source: "BBuf, reduce, 2023", confidence: "R", in: gbs, peak: 1555, size: "8·2^20 numbers, of the last two steps all",
			variants: modern([8]float64{990.7, 479.6, 462.0, 244.2, 167.1, 158.8, 105.5, 101.7}),
			checks: []check{
				{"D2", "8 to 12 times in all", func(g []float64) bool { return within(g[7]/g[0], 8, 12) }},
				{"D2", "the step without bank conflicts is at most 1.4", func(g []float64) bool { return within(g[2]/g[1], 1, 1.4) }},
				{"D2", "the first addition at the load is 1.6 to 2.1", func(g []float64) bool { return within(g[3]/g[2], 1.6, 2.1) }},
				{"D2", "shuffles are within 5 % of step 7", func(g []float64) bool { return within(g[7]/g[6], 0.95, 1.05) }},
				{"", "the last reaches 80 % of the peak", func(g []float64) bool { return g[7] >= 0.8*1555 }},
			},
		},
	}
}

// profiled is an A100-PCIe under Nsight Compute, by which the source measured: the profiler holds a GPU at its base
// clock, here 765 MHz (NVIDIA's data sheet), unless --clock-control none is given. DRAM keeps its own clock.
func profiled(p *simgpu.Preset) {
	const base = 765
	p.DRAMLatency = int(int64(p.DRAMLatency) * base / p.ClockMHz)
	p.ClockMHz = base
}

// within reports whether x is one of low to high.
func within(x, low, high float64) bool { return low <= x && x <= high }

// steps reports whether each of a ladder of rates is low to high times the one before.
func steps(g []float64, low, high float64) bool {
	for i := range g[1:] {
		if !within(g[i+1]/g[i], low, high) {
			return false
		}
	}
	return true
}
