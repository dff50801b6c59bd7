package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

const stencilsSource = `
extern "C" __global__ void scaled(const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 1 && i < n - 2) y[i] = 1.2 * x[i];
}

extern "C" __global__ void stencil3(const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 1 && i < n - 2) y[i] = 0.5 * x[i] - 0.25 * (x[i - 1] + x[i + 1]);
}

extern "C" __global__ void stencil5(const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 1 && i < n - 2) y[i] = 0.5 * x[i] - 0.25 * (x[i - 1] + x[i + 1]) + 0.125 * (x[i - 2] + x[i + 2]);
}

extern "C" __global__ void bodies(const float4 *p, float4 *out, int n) {
	__shared__ float4 tile[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 me = p[i];
	float ax = 0, ay = 0, az = 0;
	for (int at = 0; at < n; at += 256) {
		tile[threadIdx.x] = p[at + threadIdx.x];
		__syncthreads();
#pragma unroll 16
		for (int j = 0; j < 256; j++) {
			float4 q = tile[j];
			float dx = q.x - me.x, dy = q.y - me.y, dz = q.z - me.z;
			float d = dx * dx + dy * dy + dz * dz + 0.01f;
			float inv = rsqrtf(d * d * d) * q.w;
			ax += dx * inv;
			ay += dy * inv;
			az += dz * inv;
		}
		__syncthreads();
	}
	out[i] = make_float4(ax, ay, az, 0);
}

__device__ float work(float v, float k) {
	for (int j = 0; j < 500; j++) v = v * k + 0.5f;
	return v;
}

extern "C" __global__ void parity(float *x, int warps) {
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float v = x[t];
	if ((warps ? t / 32 : t) % 2 == 0)
		v = work(v, 0.9f);
	else
		v = work(v, 0.8f);
	x[t] = v;
}

extern "C" __global__ void axpyBranch(double a, const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		if (i % 2 == 0)
			y[i] += a * x[i];
		else
			y[i] -= a * x[i];
	}
}

extern "C" __global__ void axpyPlain(double a, const double *x, double *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}

template <bool CONFLICTS> __device__ void blockSum(const float *x, float *out) {
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = x[blockIdx.x * 256 + t];
	__syncthreads();
	if (CONFLICTS)
		for (int i = 1; i < blockDim.x; i *= 2) {
			int at = 2 * i * t;
			if (at < blockDim.x) s[at] += s[at + i];
			__syncthreads();
		}
	else
		for (int i = blockDim.x / 2; i > 0; i /= 2) {
			if (t < i) s[t] += s[t + i];
			__syncthreads();
		}
	if (t == 0) out[blockIdx.x] = s[0];
}

extern "C" __global__ void sumConflicts(const float *x, float *out) { blockSum<true>(x, out); }
extern "C" __global__ void sumSequential(const float *x, float *out) { blockSum<false>(x, out); }

#define H (MASK / 2)
__constant__ float constantMask[MASK * MASK];

extern "C" __global__ void convolve(const float *x, float *y, const float *mask, int n) {
	int cx = blockIdx.x * 16 + threadIdx.x, cy = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int j = 0; j < MASK; j++)
		for (int i = 0; i < MASK; i++) {
			int px = cx + i - H, py = cy + j - H;
			if (px >= 0 && px < n && py >= 0 && py < n) sum += x[py * n + px] * mask[j * MASK + i];
		}
	y[cy * n + cx] = sum;
}

extern "C" __global__ void convolveConstant(const float *x, float *y, const float *mask, int n) {
	int cx = blockIdx.x * 16 + threadIdx.x, cy = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int j = 0; j < MASK; j++)
		for (int i = 0; i < MASK; i++) {
			int px = cx + i - H, py = cy + j - H;
			if (px >= 0 && px < n && py >= 0 && py < n) sum += x[py * n + px] * constantMask[j * MASK + i];
		}
	y[cy * n + cx] = sum;
}

extern "C" __global__ void convolveTile(const float *x, float *y, const float *mask, int n) {
	__shared__ float tile[16 + 2 * H][16 + 2 * H];
	int x0 = blockIdx.x * 16 - H, y0 = blockIdx.y * 16 - H;
	for (int j = threadIdx.y; j < 16 + 2 * H; j += 16)
		for (int i = threadIdx.x; i < 16 + 2 * H; i += 16) {
			int px = x0 + i, py = y0 + j;
			tile[j][i] = px >= 0 && px < n && py >= 0 && py < n ? x[py * n + px] : 0;
		}
	__syncthreads();
	float sum = 0;
	for (int j = 0; j < MASK; j++)
		for (int i = 0; i < MASK; i++) sum += tile[threadIdx.y + j][threadIdx.x + i] * constantMask[j * MASK + i];
	y[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;
}
`

func stencils() []*experiment {
	const n = 2 << 20
	lines := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			x, y := c.alloc(8*n), c.alloc(8*n)
			m := c.run(launch{f: kernel(stencilsSource, name, "-DMASK=3"), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{x, y, n}})
			return 16 * n / m.seconds / 1e9
		}
	}
	stencil := func(id, preset string, peak, three, scale float64) *experiment {
		return &experiment{
			id: id, title: "stencil of 3 float64 on a line, beside a scale", preset: preset, source: "gpu-benches, gpu-stream", confidence: "R", in: gbs, peak: peak, size: "2·2^20 numbers",
			variants: []variant{{"stencil of 3", three, lines("stencil3")}, {"scale", scale, lines("scaled")}},
			checks:   []check{{"", "neighbours cost at most 3 %", func(g []float64) bool { return g[0] >= 0.97*g[1] }}},
		}
	}
	parity := func(warps int) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1 << 16
			return c.run(launch{f: kernel(stencilsSource, "parity", "-DMASK=3"), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{c.alloc(4 * n), warps}}).seconds
		}
	}
	axpy := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			const n = 4_100_000
			return c.run(launch{f: kernel(stencilsSource, name, "-DMASK=3"), grid: kir.D1((n + 255) / 256), block: kir.D1(256), args: []any{2.5, c.alloc(8 * n), c.alloc(8 * n), n}}).seconds
		}
	}
	sum := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1_024_000
			return c.run(launch{f: kernel(stencilsSource, name, "-DMASK=3"), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{c.alloc(4 * n), c.alloc(4 * n / 256)}}).seconds
		}
	}
	convolution := func(name string, mask int) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1024
			return c.run(launch{f: kernel(stencilsSource, name, fmt.Sprint("-DMASK=", mask)), grid: d2(n/16, n/16), block: d2(16, 16),
				args: []any{c.alloc(4 * n * n), c.alloc(4 * n * n), c.alloc(4 * mask * mask), n}}).seconds
		}
	}
	return []*experiment{
		{
			id: "M74", title: "convolution of 8192² float32, blocks of 16×16", machine: "RTX 3080", preset: "a100", change: rtx3080, source: "R100001, nvbench", confidence: "R", in: seconds, size: "1024²",
			variants: []variant{
				{"3×3, mask in global memory", 1.563e-3, convolution("convolve", 3)}, {"3×3, in constant memory", 1.660e-3, convolution("convolveConstant", 3)}, {"3×3, tile in shared memory", 1.757e-3, convolution("convolveTile", 3)},
				{"7×7, mask in global memory", 4.716e-3, convolution("convolve", 7)}, {"7×7, in constant memory", 4.350e-3, convolution("convolveConstant", 7)}, {"7×7, tile in shared memory", 4.487e-3, convolution("convolveTile", 7)},
			},
			checks: []check{
				{"", "a constant mask wins from 5×5 on", func(g []float64) bool { return g[4] < g[3] }},
				{"", "a tile does not pay", func(g []float64) bool { return g[2] >= g[1] && g[5] >= g[4] }},
			},
		},
		stencil("M75, V100", "v100", 900, 798, 802),
		stencil("M75, A100", "a100", 1555, 1368, 1381),
		stencil("M75, H200", "h200", 4800, 3128, 3165),
		{
			id: "M76", title: "all pairs of bodies, float32, 20 flops for a pair, tiles of 256", machine: "GeForce 8800 GTX, 518 Gflop/s", preset: "g80", source: "Nyland, Harris, Prins 2007 (\"more than 200\")", confidence: "R", in: gflops, peak: 518, size: "2,048 bodies of 16,384",
			variants: []variant{{"n-body", 200, func(c *card) float64 {
				const bodies, block = 16384, 256
				const some = 2048 // tiles that each thread goes through
				p, out := c.floats32(4*bodies, func(i int) float32 { return float32(i*7919%1000) / 100 }), c.alloc(16*bodies)
				m := c.run(launch{f: kernel(stencilsSource, "bodies", "-DMASK=3"), grid: kir.D1(bodies / block), block: kir.D1(block), args: []any{p, out, some}})
				return 20 * float64(bodies) * some / m.seconds / 1e9
			}}},
		},
		{
			id: "M78", title: "a loop of 500 rounds on each side of a branch, 256 threads", machine: "Turing, debug build", preset: "v100", source: "profile log", confidence: "T", in: seconds,
			variants: []variant{{"by the parity of threads", 316.5e-3, parity(0)}, {"by the parity of warps", 161.0e-3, parity(1)}},
			checks:   []check{{"", "divergence doubles it: 1.8 to 2.1", func(g []float64) bool { return within(g[0]/g[1], 1.8, 2.1) }}},
		},
		{
			id: "M79", title: "y ± a·x of 4.1 M float64, with a branch that parts lanes and without", machine: "V100 PCIe", preset: "v100", source: "CUDAMicroBench, WarpDiv", confidence: "R", in: seconds,
			variants: []variant{{"branch", 109.8e-6, axpy("axpyBranch")}, {"no branch", 103.9e-6, axpy("axpyPlain")}},
			checks:   []check{{"", "it costs at most 10 % where memory is the limit", func(g []float64) bool { return within(g[0]/g[1], 0.99, 1.1) }}},
		},
		{
			id: "M80", title: "sum in blocks of 256 float32, 1.02 M numbers", machine: "V100 PCIe", preset: "v100", source: "CUDAMicroBench, BankRedux", confidence: "R", in: seconds,
			variants: []variant{{"bank conflicts", 18.24e-6, sum("sumConflicts")}, {"sequential", 14.72e-6, sum("sumSequential")}},
		},
	}
}
