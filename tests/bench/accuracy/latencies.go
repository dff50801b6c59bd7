package main

import (
	"encoding/binary"

	"github.com/arrayrepl/arrayrepl/kir"
)

const latencySource = `
extern "C" __global__ void chase(const unsigned long long *first, int steps, unsigned long long *out) {
	unsigned long long at = *first;
	for (int i = 0; i < steps; i++) at = *(const unsigned long long *)at;
	*out = at;
}

extern "C" __global__ void chaseShared(int steps, unsigned *out) {
	__shared__ unsigned s[1024];
	unsigned at = __cvta_generic_to_shared(s);
	for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = at + (i + 33) % 1024 * 4; // addresses: a step is a load and no more
	__syncthreads();
	for (int i = 0; i < steps; i++) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
	out[0] = at;
}

extern "C" __global__ void multiplyAdd(float a, float b, int steps, float *out) {
	for (int i = 0; i < steps; i++) a = a * b + b;
	out[0] = a;
}
`

// chase is how many cycles a load takes of a chain through so many bytes, a step of 128 bytes each, once the whole
// chain has been read.
func chase(bytes int) func(*card) float64 {
	return func(c *card) float64 {
		const stride = 128
		n := bytes / stride
		x, first, out := c.alloc(bytes), c.alloc(8), c.alloc(8)
		raw := make([]byte, bytes)
		jump := n/2 | 1 // odd: with n a power of two, all are visited before the first comes again
		for i := range n {
			binary.LittleEndian.PutUint64(raw[i*stride:], x.Addr()+uint64((i+jump)%n*stride))
		}
		c.stream.CopyIn(x, 0, raw)
		word := make([]byte, 8)
		binary.LittleEndian.PutUint64(word, x.Addr())
		c.stream.CopyIn(first, 0, word)
		c.sync()
		f := kernel(latencySource, "chase")
		took := func(steps int) float64 {
			return c.run(launch{f: f, grid: kir.D1(1), block: kir.D1(1), args: []any{first, steps, out}}).cycles
		}
		took(n) // L2 keeps from launch to launch what it has room for
		return (took(2*n) - took(n)) / float64(n)
	}
}

// repeated is how many cycles one round of a loop of kernel takes, less than rounds of the loop's own work.
func repeated(name string, args func(c *card, steps int) []any) func(*card) float64 {
	return func(c *card) float64 {
		took := func(steps int) float64 {
			return c.run(launch{f: kernel(latencySource, name), grid: kir.D1(1), block: kir.D1(32), args: args(c, steps)}).cycles
		}
		return (took(4096) - took(2048)) / 2048
	}
}

func latencies() []*experiment {
	shared := repeated("chaseShared", func(c *card, steps int) []any { return []any{steps, c.alloc(4)} })
	fma := repeated("multiplyAdd", func(c *card, steps int) []any { return []any{float32(1), float32(0.5), steps, c.alloc(4)} })
	ordered := func(n int) []check {
		return []check{{"", "in this order", func(g []float64) bool {
			for i := range n - 1 {
				if g[i] >= g[i+1] {
					return false
				}
			}
			return true
		}}}
	}
	const kb, mb = 1 << 10, 1 << 20
	return []*experiment{
		{
			id: "M56", title: "a chain of loads, one thread", machine: "V100, 1380 MHz", preset: "v100", source: "gpu-benches, gpu-latency", confidence: "R", in: cycles,
			variants: []variant{{"64 kB: L1", 30, chase(64 * kb)}, {"2 MB: L2", 215, chase(2 * mb)}, {"16 MB: DRAM", 428, chase(16 * mb)}}, checks: ordered(3),
		},
		{
			id: "M57", title: "a chain of loads, one thread", preset: "a100", source: "gpu-benches, gpu-latency", confidence: "R", in: cycles,
			variants: []variant{{"64 kB: L1", 36, chase(64 * kb)}, {"8 MB: near half of L2", 213, chase(8 * mb)}, {"32 MB: far half of L2", 426, chase(32 * mb)}, {"128 MB: DRAM", 572, chase(128 * mb)}}, checks: ordered(4),
		},
		{
			id: "M58", title: "a chain of loads, one thread", machine: "H100 PCIe, 1755 MHz", preset: "h200", source: "gpu-benches, gpu-latency", confidence: "R", in: cycles,
			variants: []variant{{"128 kB: L1", 34.2, chase(128 * kb)}, {"8 MB: near half of L2", 265, chase(8 * mb)}, {"32 MB: far half of L2", 475, chase(32 * mb)}, {"128 MB: DRAM", 650, chase(128 * mb)}}, checks: ordered(4),
		},
		{
			id: "M59", title: "chains in one warp", machine: "H100 SXM", preset: "h200", source: "probe results of H100 80 GB", confidence: "R", in: cycles,
			variants: []variant{{"fma", 4.44, fma}, {"shared memory", 29.0, shared}, {"L1", 39.7, chase(64 * kb)}, {"L2, 4 MB", 330, chase(4 * mb)}, {"DRAM, 128 MB", 646, chase(128 * mb)}}, checks: ordered(5),
		},
	}
}
