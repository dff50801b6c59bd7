package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

const onChipSource = `
#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef STEP
#define STEP 1
#endif

#ifndef N
#define N 256
#endif

// as gpu-cache: a block reads N doubles again and again, the same as the others
extern "C" __global__ void again(double *out, const double *x, int rounds, int zero) {
	double s = 0;
	x += threadIdx.x;
	for (int r = 0; r < rounds; r++) {
		x += zero;
#pragma unroll (N / 256 < 32 ? N / 256 : 32)
		for (int i = 0; i < N; i += 256) s += x[i];
		s *= 1.3;
	}
	if (s == 1233) out[threadIdx.x] += s;
}

// as gpu-l2-cache: blocks read 256 kB each, one of so many chunks
extern "C" __global__ void chunks(double *out, const double *x, int many) {
	double s = 0;
#pragma unroll
	for (int i = 0; i < 32; i++) s += x[1024 * many * i + blockIdx.x % many * 1024 + threadIdx.x];
	s *= 1.3;
	if (s == 23.12) out[threadIdx.x] += s;
}

// as gpumembench's: each thread reads STEP numbers, a block's width apart, again and again, and takes the address of
// each from what it has read before, which is 0
extern "C" __global__ void chained(int *x, int rounds) {
	union { const volatile unsigned *p; uint2 words; } at = {(unsigned *)x + STEP * blockIdx.x * blockDim.x + threadIdx.x};
	unsigned first = at.words.x;
	for (int r = 0; r < rounds; r++) {
#pragma unroll
		for (int i = 0; i < 64; i++) at.words.x ^= at.p[i % STEP * 256];
	}
	if (at.words.x != first) x[0] = first;
}

// as gpu-strides: loads of L1 in which lanes are STRIDE numbers apart, eight in a round, 4 numbers from each other, and
// two of them for a fma; zero is 0, which the compiler does not know
extern "C" __global__ void strided(const float *x, float *out, int rounds, int zero) {
	float s = 0;
	x += threadIdx.x % 64 * STRIDE;
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
		x += zero;
#pragma unroll
		for (int j = 0; j < 32; j += 8) s += x[j] * x[j + 4];
	}
	if (s == 12.5f) out[0] = s;
}

extern "C" __global__ void sharedStride(float *out, int rounds) {
	__shared__ float x[32 * 33];
	for (int i = threadIdx.x; i < 32 * 33; i += 32) x[i] = i;
	__syncthreads();
	int at = threadIdx.x * STRIDE;
	float s = 0;
	for (int r = 0; r < rounds; r++) {
#pragma unroll
		for (int j = 0; j < 16; j++) s += *(volatile float *)&x[at + j % 2];
	}
	if (s == 12.5f) out[0] = s;
}

extern "C" __global__ void barriers(float *out, int rounds) {
	__shared__ float x[1024];
	float s = threadIdx.x;
	for (int r = 0; r < rounds; r++) {
		x[threadIdx.x] = s;
		__syncthreads();
		s = x[(threadIdx.x + 1) % blockDim.x];
	}
	out[threadIdx.x] = s;
}
`

func onChip() []*experiment {
	// GB a second of all SMs, one block each, that read so many bytes
	again := func(bytes, rounds int) func(*card) float64 {
		return func(c *card) float64 {
			x, out := c.alloc(bytes), c.alloc(8*256)
			f := kernel(onChipSource, "again", fmt.Sprint("-DN=", bytes/8))
			took := func(rounds int) float64 {
				return c.run(launch{f: f, grid: kir.D1(c.preset.SMs), block: kir.D1(256), args: []any{out, x, rounds, 0}}).seconds
			}
			took(1) // L2 keeps from launch to launch what it has room for
			return float64(bytes*c.preset.SMs*rounds) / (took(2*rounds) - took(rounds)) / 1e9
		}
	}
	// GB a second of blocks that read all of so many bytes, each at least turns times, once more than before
	chunks := func(bytes, turns int) func(*card) float64 {
		return func(c *card) float64 {
			many := bytes / (256 << 10)
			x, out := c.alloc(bytes), c.alloc(8*1024)
			f := kernel(onChipSource, "chunks")
			blocks := max(turns*many, 4*c.preset.SMs)
			took := func() float64 {
				return c.run(launch{f: f, grid: kir.D1(blocks), block: kir.D1(1024), args: []any{out, x, many}}).seconds
			}
			took()
			return float64(blocks) * (256 << 10) / took() / 1e9
		}
	}
	// GB a second of as many blocks as the machine has room for, each of which reads step numbers a thread
	chained := func(step int) func(*card) float64 {
		return func(c *card) float64 {
			blocks := c.preset.SMs * c.preset.MaxThreadsPerSM / 256
			x := c.alloc(4 * 256 * step * blocks)
			f := kernel(onChipSource, "chained", fmt.Sprint("-DSTEP=", step))
			took := func(rounds int) float64 {
				return c.run(launch{f: f, grid: kir.D1(blocks), block: kir.D1(256), args: []any{x, rounds}}).seconds
			}
			took(2)
			return float64(4*256*64*blocks) * 2 / (took(4) - took(2)) / 1e9
		}
	}
	// cycles of an SM for a load of a warp, when many warps load
	strided := func(stride int) func(*card) float64 {
		return func(c *card) float64 {
			x, out := c.alloc(4*(64*stride+32)), c.alloc(4)
			f := kernel(onChipSource, "strided", fmt.Sprint("-DSTRIDE=", stride))
			const warps = 32
			took := func(rounds int) float64 {
				return c.run(launch{f: f, grid: kir.D1(1), block: kir.D1(32 * warps), args: []any{x, out, rounds, 0}}).cycles
			}
			return (took(64) - took(32)) / (32 * 8 * warps)
		}
	}
	shared := func(stride int) func(*card) float64 {
		return func(c *card) float64 {
			f := kernel(onChipSource, "sharedStride", fmt.Sprint("-DSTRIDE=", stride))
			out := c.alloc(4)
			took := func(rounds int) float64 {
				return c.run(launch{f: f, grid: kir.D1(1), block: kir.D1(32), args: []any{out, rounds}}).cycles
			}
			return (took(64) - took(32)) / (32 * 16)
		}
	}
	barrier := func(block int) func(*card) float64 {
		return func(c *card) float64 {
			out := c.alloc(4 * block)
			took := func(rounds int) float64 {
				return c.run(launch{f: kernel(onChipSource, "barriers"), grid: kir.D1(1), block: kir.D1(block), args: []any{out, rounds}}).cycles
			}
			return (took(128) - took(64)) / 64
		}
	}
	named := func(prefix string, f func(int) func(*card) float64, figures map[int]float64, order ...int) []variant {
		var vs []variant
		for _, s := range order {
			vs = append(vs, variant{fmt.Sprint(prefix, s), figures[s], f(s)})
		}
		return vs
	}
	const kb, mb = 1 << 10, 1 << 20
	return []*experiment{
		{
			id: "M61", title: "each SM reads an array of float64 again and again", preset: "v100", source: "gpu-benches, gpu-cache", confidence: "R", in: gbs,
			variants: []variant{{"L2: 2 MB", 2300, again(2*mb, 1)}, {"L1: 64 kB", 13850, again(64*kb, 8)}},
		},
		{
			id: "M62", title: "each SM reads an array of float64 again and again", machine: "A100 80 GB, 2039 GB/s", preset: "a100", change: func(p *simgpu.Preset) { p.DRAMPeak = 2039e9 }, source: "gpu-benches, gpu-cache and gpu-l2-cache", confidence: "R", in: gbs,
			variants: []variant{{"DRAM: 128 MB", 1730, chunks(128*mb, 1)}, {"L2: 16 MB", 5400, chunks(16*mb, 4)}, {"L1: 128 kB", 19100, again(128*kb, 4)}},
		},
		{
			id: "M63", title: "all SMs read the same array", preset: "h200", source: "gpu-benches, gpu-l2-cache", confidence: "R", in: gbs,
			variants: []variant{{"DRAM: 128 MB", 3890, chunks(128*mb, 1)}, {"L2: 32 MB", 10200, chunks(32*mb, 4)}},
		},
		{
			id: "M64", title: "int32 that each block reads again and again, by the bytes of all", machine: "GTX 480, 1550 MHz", preset: "gtx480", source: "gpumembench, cachebench", confidence: "R", in: gbs,
			variants: []variant{
				{"DRAM: 4.4 MB", 155, chained(48)}, {"830 kB", 243, chained(9)}, {"half of L2: 461 kB", 379, chained(5)}, {"L1: 92 kB", 1380, chained(1)},
			},
			checks: []check{{"D11", "L1 to half of L2 to DRAM as 8.6 : 2.4 : 1, each within 1.5", func(g []float64) bool { return near(g[3]/g[0], 8.6) && near(g[2]/g[0], 2.4) }}},
		},
		{
			id: "M66", title: "loads of float32 from L1, by the stride of lanes: cycles for a warp", preset: "a100", source: "gpu-benches, gpu-strides", confidence: "R", in: cycles,
			variants: named("stride ", strided, map[int]float64{1: 1.02, 2: 2.00, 3: 1.63, 4: 4.00, 5: 2.20, 7: 2.67, 8: 8.0, 9: 3.03, 16: 16.0, 32: 32.0, 33: 8.8}, 1, 2, 3, 4, 5, 7, 8, 9, 16, 32, 33),
			checks: []check{{"D10", "1, 2, 4, 8, 16, 32 take 1, 2, 4, 8, 16, 32 cycles, 3 takes 1.6 and 33 takes 8.8, each within 1.25", func(g []float64) bool {
				for i, want := range []float64{1, 2, 1.6, 4, 0, 0, 8, 0, 16, 32, 8.8} {
					if want != 0 && !within(g[i]/want, 0.8, 1.25) {
						return false
					}
				}
				return true
			}}},
		},
		{
			id: "M68", title: "loads from shared memory, one warp, by the stride of lanes: cycles for a load", machine: "H100 SXM", preset: "h200", source: "probe results of H100 80 GB", confidence: "R", in: cycles,
			variants: named("stride ", shared, map[int]float64{1: 6.89, 2: 6.98, 4: 9.95, 8: 17.7, 16: 33.5, 32: 65.5}, 1, 2, 4, 8, 16, 32),
		},
		{
			id: "M69", title: "a barrier with a store to and a load from shared memory: cycles", machine: "H100 SXM", preset: "h200", source: "probe results of H100 80 GB", confidence: "R", in: cycles,
			variants: named("threads ", barrier, map[int]float64{64: 45.3, 128: 49.3, 256: 57.3, 512: 74.3, 1024: 106.4}, 64, 128, 256, 512, 1024),
			checks:   []check{{"", "16 times the threads cost 1.5 to 3.5 times the cycles", func(g []float64) bool { return within(g[4]/g[0], 1.5, 3.5) }}},
		},
	}
}
