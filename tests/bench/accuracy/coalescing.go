package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

const coalescingSource = `
extern "C" __global__ void offsetSum(const float *x, const float *y, float *z, int offset) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	z[i] = x[i + offset] + y[i + offset];
}

extern "C" __global__ void shiftedCopy(const float *x, float *y, int offset) {
	int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
	y[i] = x[i];
}

extern "C" __global__ void stridedCopy(const float *x, float *y, int stride) {
	int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
	y[i] = x[i];
}

extern "C" __global__ void axpy(double a, const double *x, double *y, int n, int offset) {
	int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
	if (i < n) y[i] += a * x[i];
}

extern "C" __global__ void axpyChunk(double a, const double *x, double *y, int n) {
	int t = blockIdx.x * blockDim.x + threadIdx.x, chunk = n / (gridDim.x * blockDim.x);
	for (int i = t * chunk; i < (t + 1) * chunk; i++) y[i] += a * x[i];
}

extern "C" __global__ void axpyCyclic(double a, const double *x, double *y, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

extern "C" __global__ void addFloats(const float *x, const float *y, float *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) z[i] = x[i] + y[i];
}

extern "C" __global__ void addDoubles(const double *x, const double *y, double *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) z[i] = x[i] + y[i];
}

extern "C" __global__ void addRows(const unsigned *a, const unsigned *b, unsigned *c, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	c[y * n + x] = a[y * n + x] + b[y * n + x];
}

extern "C" __global__ void addColumns(const unsigned *a, const unsigned *b, unsigned *c, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	c[x * n + y] = a[x * n + y] + b[x * n + y];
}

#define W 32

extern "C" __global__ void product(const float *a, const float *b, float *c, int n) {
	int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < W; i++) sum += a[row * W + i] * b[i * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void productTileA(const float *a, const float *b, float *c, int n) {
	__shared__ float s[W][W];
	int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
	float sum = 0;
	s[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
	__syncwarp();
	for (int i = 0; i < W; i++) sum += s[threadIdx.y][i] * b[i * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void productTiles(const float *a, const float *b, float *c, int n) {
	__shared__ float s[W][W], t[W][W];
	int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
	float sum = 0;
	s[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
	t[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + col];
	__syncthreads();
	for (int i = 0; i < W; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
	c[row * n + col] = sum;
}

extern "C" __global__ void square(const float *a, float *c, int m) {
	int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < W; i++) sum += a[row * W + i] * a[col * W + i];
	c[row * m + col] = sum;
}

template <int PAD> __device__ void squareTiles(const float *a, float *c, int m) {
	__shared__ float s[W][W], t[W][W + PAD];
	int row = blockIdx.y * W + threadIdx.y, col = blockIdx.x * W + threadIdx.x;
	float sum = 0;
	s[threadIdx.y][threadIdx.x] = a[row * W + threadIdx.x];
	t[threadIdx.x][threadIdx.y] = a[(threadIdx.y + blockIdx.x * W) * W + threadIdx.x];
	__syncthreads();
	for (int i = 0; i < W; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
	c[row * m + col] = sum;
}

extern "C" __global__ void squareConflicts(const float *a, float *c, int m) { squareTiles<0>(a, c, m); }
extern "C" __global__ void squarePadded(const float *a, float *c, int m) { squareTiles<1>(a, c, m); }

extern "C" __global__ void roots32(float *x, int rounds) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = x[i];
	for (int j = 0; j < rounds; j++) v = sqrtf(v) + 1.5f;
	x[i] = v;
}

extern "C" __global__ void roots64(double *x, int rounds) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = x[i];
	for (int j = 0; j < rounds; j++) v = sqrt(v) + 1.5;
	x[i] = v;
}
`

// streamed runs a kernel of source over n elements of x and y, one a thread, of size bytes, and returns GB a second of
// moved bytes each.
func streamed(source, name string, n, block, size, moved int, more ...any) func(*card) float64 {
	return func(c *card) float64 {
		x, y := c.alloc(size*n+4096), c.alloc(size*n+4096)
		m := c.run(launch{f: kernel(source, name), grid: kir.D1(n / block), block: kir.D1(block), args: append([]any{x, y}, more...)})
		return float64(n*moved) / m.seconds / 1e9
	}
}

// rtx3080 is what an RTX 3080 has less, or more, of than an A100 (NVIDIA's white paper of GA102).
func rtx3080(p *simgpu.Preset) {
	p.SMs, p.ClockMHz = 68, 1710
	p.MaxThreadsPerSM, p.MaxBlocksPerSM = 1536, 16
	p.SharedPerSM, p.SharedOptIn, p.UnifiedBytes = 100<<10, 99<<10, 128<<10
	p.SharedCarveouts = []int{0, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 100 << 10}
	p.Units[simgpu.UnitFP32].Lanes = 32
	p.L2Bytes, p.L2Banks, p.L2Far = 5<<20, 40, 0
	p.DRAMPeak, p.DRAMChannels = 760e9, 20
}

func coalescing() []*experiment {
	const m = 1024
	// products of m x 32 by 32 x m, one block of 32 x 32 for a tile; bytes are those of a block: two tiles read and one
	// written
	product := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			a, b, out := c.floats32(m*32, ramp), c.floats32(32*m, ramp), c.alloc(4*m*m)
			args := []any{a, b, out, m}
			if name[0] == 's' {
				args = []any{a, out, m}
			}
			r := c.run(launch{f: kernel(coalescingSource, name), grid: d2(m/32, m/32), block: d2(32, 32), args: args})
			return 3 * 4 * m * m / r.seconds / 1e9
		}
	}
	chunk := func(name string, per int) func(*card) float64 {
		return func(c *card) float64 {
			n := per * 1024 * 256
			x, y := c.alloc(8*n), c.alloc(8*n)
			return c.run(launch{f: kernel(coalescingSource, name), grid: kir.D1(1024), block: kir.D1(256), args: []any{2.5, x, y, n}}).seconds
		}
	}
	axpy := func(n, offset int) func(*card) float64 {
		return func(c *card) float64 {
			x, y := c.alloc(8*n+8), c.alloc(8*n+8)
			return c.run(launch{f: kernel(coalescingSource, "axpy"), grid: kir.D1((n + 255) / 256), block: kir.D1(256), args: []any{2.5, x, y, n, offset}}).seconds
		}
	}
	add := func(name string, n, size int) func(*card) float64 {
		return func(c *card) float64 {
			x, y, z := c.alloc(size*n), c.alloc(size*n), c.alloc(size*n)
			r := c.run(launch{f: kernel(coalescingSource, name), grid: kir.D1((n + 127) / 128), block: kir.D1(128), args: []any{x, y, z, n}})
			return float64(3*size*n) / r.seconds / 1e9
		}
	}
	matrices := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			const n = 2048
			a, b, out := c.alloc(4*n*n), c.alloc(4*n*n), c.alloc(4*n*n)
			return c.run(launch{f: kernel(coalescingSource, name), grid: d2(n/16, n/16), block: d2(16, 16), args: []any{a, b, out, n}}).seconds
		}
	}
	fermi := func(offset int) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1 << 22
			x, y, z := c.alloc(4*n+4096), c.alloc(4*n+4096), c.alloc(4*n)
			return c.run(launch{f: kernel(coalescingSource, "offsetSum"), grid: kir.D1(n / 512), block: kir.D1(512), args: []any{x, y, z, offset}}).seconds
		}
	}
	roots := func(name string, size int) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1 << 17
			return c.run(launch{f: kernel(coalescingSource, name), grid: kir.D1(n / 128), block: kir.D1(128), args: []any{c.alloc(size * n), 30}}).seconds
		}
	}
	const n = 1 << 22
	return []*experiment{
		{
			id: "M20", title: "C = A·B, A of M×32 and B of 32×M float32, one 32×32 block for a tile", preset: "v100", source: "CUDA Best Practices Guide, table 2", confidence: "T", in: gbs, size: fmt.Sprint("M = ", m),
			variants: []variant{
				{"no shared memory", 119.9, product("product")},
				{"tile of A in shared memory", 144.4, product("productTileA")},
				{"tiles of A and B", 195.5, product("productTiles")},
			},
			checks: []check{{"D5", "1 : 1.20 : 1.63, in this order, each within 1.5", func(g []float64) bool {
				return g[0] < g[1] && g[1] < g[2] && near(g[1]/g[0], 1.20) && near(g[2]/g[0], 1.63)
			}}},
		},
		{
			id: "M21", title: "C = A·Aᵀ, A of M×32 float32, one 32×32 block for a tile", preset: "v100", source: "CUDA Best Practices Guide, table 3", confidence: "T", in: gbs, size: fmt.Sprint("M = ", m),
			variants: []variant{
				{"strided reads", 12.8, product("square")},
				{"shared memory with conflicts", 140.2, product("squareConflicts")},
				{"padded", 199.4, product("squarePadded")},
			},
			checks: []check{{"D5", "1 : 11 : 15.6, in this order, each within 1.5", func(g []float64) bool {
				return g[0] < g[1] && g[1] < g[2] && near(g[1]/g[0], 11) && near(g[2]/g[0], 15.6)
			}}},
		},
		{
			id: "M22", title: "copy of float32 whose addresses are shifted", preset: "v100", source: "CUDA Best Practices Guide, 10.2.1.3", confidence: "T", in: gbs, peak: 900,
			variants: []variant{
				{"shifted by 1 number", 0.9 * 790, streamed(coalescingSource, "shiftedCopy", n, 256, 4, 8, 1)},
				{"aligned", 790, streamed(coalescingSource, "shiftedCopy", n, 256, 4, 8, 0)},
			},
			checks: []check{{"", "3 to 15 % are lost", func(g []float64) bool { return within(g[0]/g[1], 0.85, 0.97) }}},
		},
		{
			id: "M23", title: "copy of float32 with a stride: useful GB/s", preset: "v100", source: "CUDA Best Practices Guide, 10.2.1.4", confidence: "T", in: gbs,
			variants: []variant{
				{"stride 16", 790. / 8, strided(16)},
				{"stride 8", 790. / 8, strided(8)},
				{"stride 2", 790. / 2, strided(2)},
				{"stride 1", 790, strided(1)},
			},
		},
		{
			id: "M24", title: "y += a·x of float64, <<<1024, 256>>>: a chunk for each thread, or cyclic", machine: "V100 PCIe", preset: "v100", source: "CUDAMicroBench, CoMem_AXPY", confidence: "R", in: seconds,
			variants: []variant{
				{"chunks of 39", 5050.7e-6, chunk("axpyChunk", 39)},
				{"chunks of 15", 1071.6e-6, chunk("axpyChunk", 15)},
				{"chunks of 3", 36.1e-6, chunk("axpyChunk", 3)},
				{"cyclic, 3 a thread", 31.6e-6, chunk("axpyCyclic", 3)},
				{"cyclic, 15", 130.0e-6, chunk("axpyCyclic", 15)},
				{"cyclic, 39", 336.4e-6, chunk("axpyCyclic", 39)},
			},
			checks: []check{{"", "chunk to cyclic is 1.1, 8 and 15, each within 1.5", func(g []float64) bool {
				return near(g[2]/g[3], 1.14) && near(g[1]/g[4], 8.2) && near(g[0]/g[5], 15)
			}}},
		},
		{
			id: "M25", title: "y += a·x of 4.1 M float64, shifted by one number", machine: "V100 PCIe", preset: "v100", source: "CUDAMicroBench, MemAlign", confidence: "R", in: seconds,
			variants: []variant{{"shifted", 130.05e-6, axpy(4_100_000, 1)}, {"aligned", 126.19e-6, axpy(4_100_000, 0)}},
			checks:   []check{{"", "the shift costs at most 10 %", func(g []float64) bool { return within(g[0]/g[1], 1, 1.1) }}},
		},
		{
			id: "M26", title: "sum of matrices of 8192² uint32, blocks of 16×16", machine: "RTX 3080", preset: "a100", change: rtx3080, source: "R100001, nvbench", confidence: "R", in: seconds, size: "2048²",
			variants: []variant{{"threads along columns", 2.128e-3, matrices("addColumns")}, {"threads along rows", 1.152e-3, matrices("addRows")}},
		},
		{
			id: "M27", title: "sum of two arrays of 2^24 float32, 512 threads, reads with an offset", machine: "Fermi", preset: "gtx480", source: "Cheng et al. 2014, as repeated", confidence: "T", in: seconds, size: "2^22",
			variants: []variant{{"offset 11", 1.949e-3, fermi(11)}, {"offset 128", 1.821e-3, fermi(128)}, {"offset 0", 1.820e-3, fermi(0)}},
			checks:   []check{{"", "the offset costs 3 to 12 %", func(g []float64) bool { return within(g[0]/g[2], 1.03, 1.12) }}},
		},
		{
			id: "M27b, V100", title: "sum of vectors of 10^8, blocks of 128", preset: "v100", source: "Fan 2020, chapter 5", confidence: "R", in: gbs, peak: 900, size: "4·2^20 float32 and 2·2^20 float64",
			variants: []variant{{"float32", 800, add("addFloats", n, 4)}, {"float64", 800, add("addDoubles", n/2, 8)}},
		},
		{
			id: "M27b, P100", title: "sum of vectors of 10^8, blocks of 128", preset: "p100", source: "Fan 2020, chapter 5", confidence: "R", in: gbs, peak: 732, size: "4·2^20 float32 and 2·2^20 float64",
			variants: []variant{{"float32", 545, add("addFloats", n, 4)}, {"float64", 558, add("addDoubles", n/2, 8)}},
		},
		{
			id: "M27c", title: "square roots in a loop, blocks of 128", preset: "v100", source: "Fan 2020, chapter 5", confidence: "R", in: seconds, size: "2^17 threads, 30 rounds",
			variants: []variant{{"float64", 28e-3, roots("roots64", 8)}, {"float32", 11e-3, roots("roots32", 4)}},
		},
	}
}

func ramp(i int) float32 { return float32(i%13) - 6 }

func strided(stride int) func(*card) float64 {
	return func(c *card) float64 {
		const n = 1 << 20
		x, y := c.alloc(4*n*stride), c.alloc(4*n*stride)
		m := c.run(launch{f: kernel(coalescingSource, "stridedCopy"), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{x, y, stride}})
		return 8 * n / m.seconds / 1e9
	}
}
