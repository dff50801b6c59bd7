package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

const occupancySource = `
extern "C" __global__ void fill(double *a, const double *b, const double *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) a[i] = 0.23;
}

extern "C" __global__ void read(double *a, const double *b, const double *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		double v = b[i];
		if (v == 123.5) a[i] = v;
	}
}

extern "C" __global__ void scale(double *a, const double *b, const double *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) a[i] = b[i] * 1.2;
}

extern "C" __global__ void triad(double *a, const double *b, const double *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) a[i] = b[i] * 1.2 + c[i];
}

// a loop of one round: the source starts as many threads as there are elements
template <typename T> __device__ void copied(const T *__restrict__ x, T *__restrict__ y, size_t n) {
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}

extern "C" __global__ void copy1(const char *x, char *y, size_t n) { copied(x, y, n); }
extern "C" __global__ void copy2(const short *x, short *y, size_t n) { copied(x, y, n); }
extern "C" __global__ void copy4(const float *x, float *y, size_t n) { copied(x, y, n); }
extern "C" __global__ void copy8(const float2 *x, float2 *y, size_t n) { copied(x, y, n); }
extern "C" __global__ void copy16(const float4 *x, float4 *y, size_t n) { copied(x, y, n); }

extern "C" __global__ void add4(const float *x, const float *y, float *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	z[i] = x[i] + y[i];
}

extern "C" __global__ void add8(const float2 *x, const float2 *y, float2 *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float2 a = x[i], b = y[i];
	z[i] = make_float2(a.x + b.x, a.y + b.y);
}

extern "C" __global__ void add16(const float4 *x, const float4 *y, float4 *z, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 a = x[i], b = y[i];
	z[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

extern "C" __global__ void addOne(const float *x, const float *y, float *z, int n) {
	for (int i = threadIdx.x; i < n; i += blockDim.x) z[i] = x[i] + y[i];
}

extern "C" __global__ void roofline(const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = x[i], s = v;
#pragma unroll 64
	for (int j = 0; j < ROUNDS; j++) s = s * v + 0.5f;
	y[i] = s;
}
`

func occupancy() []*experiment {
	const n = 4 << 20
	// two blocks to an SM: the rest of its shared memory is taken
	two := func(name string, block, arrays int) func(*card) float64 {
		return func(c *card) float64 {
			a, b, d := c.alloc(8*n), c.alloc(8*n), c.alloc(8*n)
			shared := min((c.preset.SharedPerSM/2-c.preset.SharedReserved-1024)/1024*1024, max(c.preset.SharedPerBlock, c.preset.SharedOptIn))
			m := c.run(launch{f: kernel(occupancySource, name, "-DROUNDS=1"), grid: kir.D1(n / block), block: kir.D1(block), shared: shared, args: []any{a, b, d, n}})
			if got := m.stats[0].ResidentBlocks; got != 2 {
				panic(failure{fmt.Errorf("%d blocks fit on an SM beside each other, not 2", got)})
			}
			return float64(8*n*arrays) / m.seconds / 1e9
		}
	}
	blocks := []int{64, 128, 256, 512, 1024}
	streams := func(id, preset string, peak float64, init, read, scale, triad [5]float64, want []float64) []*experiment {
		var es []*experiment
		for _, k := range []struct {
			title, name string
			arrays      int
			figures     [5]float64
		}{{"writes", "fill", 1, init}, {"reads", "read", 1, read}, {"a = 1.2·b", "scale", 2, scale}, {"a = 1.2·b + c", "triad", 3, triad}} {
			e := &experiment{
				id: id + ", " + k.title, title: k.title + " of float64, one a thread, two blocks on an SM", preset: preset, source: "gpu-benches, gpu-stream", confidence: "R", in: gbs, peak: peak,
				size: fmt.Sprint(n>>20, "·2^20 numbers, 128·2^20 there"),
			}
			for i, b := range blocks {
				e.variants = append(e.variants, variant{fmt.Sprint(b, " threads in a block"), k.figures[i], two(k.name, b, k.arrays)})
			}
			if k.name == "read" {
				e.checks = []check{{"D8", fmt.Sprint("fractions of the last are ", want, ", each within 1.25"), func(g []float64) bool {
					for i, w := range want {
						if f := g[i] / g[4]; f > 1.25*w || w > 1.25*f {
							return false
						}
					}
					return true
				}}}
			}
			es = append(es, e)
		}
		return es
	}
	width := func(name string, bytes int) func(*card) float64 {
		return func(c *card) float64 {
			const size = 32 << 20
			x, y := c.alloc(size), c.alloc(size)
			n := size / bytes
			m := c.run(launch{f: kernel(occupancySource, name, "-DROUNDS=1"), grid: kir.D1(n / 1024), block: kir.D1(1024), args: []any{x, y, int64(n)}})
			return 2 * size / m.seconds / 1e9
		}
	}
	add := func(name string, bytes int) func(*card) float64 {
		return func(c *card) float64 {
			const size = 32 << 20
			x, y, z := c.alloc(size), c.alloc(size), c.alloc(size)
			m := c.run(launch{f: kernel(occupancySource, name, "-DROUNDS=1"), grid: kir.D1(size / bytes / 256), block: kir.D1(256), args: []any{x, y, z, size / bytes}})
			return 3 * size / m.seconds / 1e9
		}
	}
	one := func(n, grid, block int) func(*card) float64 {
		return func(c *card) float64 {
			x, y, z := c.alloc(4*n), c.alloc(4*n), c.alloc(4*n)
			name := "addOne"
			if grid > 1 {
				name = "add4"
			}
			m := c.run(launch{f: kernel(occupancySource, name, "-DROUNDS=1"), grid: kir.D1(grid), block: kir.D1(block), args: []any{x, y, z, n}})
			return 12 * float64(n) / m.seconds / 1e9
		}
	}
	small := func(block int) func(*card) float64 {
		return func(c *card) float64 {
			a, b := c.alloc(8*n), c.alloc(8*n)
			m := c.run(launch{f: kernel(occupancySource, "scale", "-DROUNDS=1"), grid: kir.D1(n / block), block: kir.D1(block), args: []any{a, b, b, n}})
			return 16 * n / m.seconds / 1e9
		}
	}
	flops := func(rounds int) func(*card) float64 {
		return func(c *card) float64 {
			const n = 2 << 20
			x, y := c.floats32(n, func(int) float32 { return 0.5 }), c.alloc(4*n)
			m := c.run(launch{f: kernel(occupancySource, "roofline", fmt.Sprint("-DROUNDS=", rounds)), grid: kir.D1(n / 256), block: kir.D1(256), args: []any{x, y, n}})
			return 2 * float64(rounds) * n / m.seconds / 1e9
		}
	}
	es := streams("M42–M44", "v100", 900, [5]float64{306, 595, 895, 895, 895}, [5]float64{139, 262, 490, 746, 866},
		[5]float64{244, 423, 673, 784, 802}, [5]float64{323, 545, 765, 800, 814}, []float64{.16, .30, .57, .86})
	es = append(es, streams("M45", "a100", 1555, [5]float64{407, 788, 1473, 1503, 1503}, [5]float64{158, 304, 579, 1042, 1490},
		[5]float64{291, 548, 954, 1338, 1381}, [5]float64{403, 743, 1231, 1359, 1360}, []float64{.11, .20, .39, .70})...)
	es = append(es, streams("M46", "h200", 4800, [5]float64{590, 1163, 2196, 3670, 3884}, [5]float64{244, 485, 935, 1707, 2756},
		[5]float64{463, 852, 1395, 2263, 3165}, [5]float64{638, 1129, 1905, 2919, 3534}, []float64{.09, .18, .34, .62})...)
	widths := func(id, preset string, peak float64, f [5]float64, four, first float64) *experiment {
		return &experiment{
			id: id, title: "copy of 1 GB, a thread for each element, 1024 in a block, by its bytes", preset: preset, source: "Yencal, gpu-bandwidth-benchmark", confidence: "P", in: gbs, peak: peak, size: "32 MB",
			variants: []variant{{"1 byte", f[0], width("copy1", 1)}, {"2", f[1], width("copy2", 2)}, {"4", f[2], width("copy4", 4)}, {"8", f[3], width("copy8", 8)}, {"16", f[4], width("copy16", 16)}},
			checks: []check{{"D9", fmt.Sprintf("4 bytes to 16 as %.2f, 1 byte as %.2f, each within 1.25", four, first), func(g []float64) bool {
				return within(g[2]/g[4]/four, 0.8, 1.25) && within(g[0]/g[4]/first, 0.8, 1.25)
			}}},
		}
	}
	return append(es,
		widths("M47", "h200", 4800, [5]float64{720, 1280, 2220, 3470, 4110}, 0.54, 0.18),
		widths("M48", "a100", 1555, [5]float64{475, 833, 1325, 1385, 1393}, 0.95, 0.34),
		&experiment{
			id: "M49", title: "sum of two arrays of float32, by what a thread takes", preset: "v100", source: "Liu 2023", confidence: "R", in: gbs, peak: 900, size: "32 MB each",
			variants: []variant{{"float", 827, add("add4", 4)}, {"float2", 838, add("add8", 8)}, {"float4", 844, add("add16", 16)}},
		},
		&experiment{
			id: "M53", title: "float32 fma on each number of an array, by flops for a byte", preset: "a100", source: "gpu-benches, gpu-roofline", confidence: "R", in: gflops, peak: 19492, size: "2·2^20 numbers",
			variants: []variant{{"6.25", 8260, flops(25)}, {"10.25", 13200, flops(41)}, {"14.25", 16400, flops(57)}, {"32", 17900, flops(128)}, {"128", 19050, flops(512)}},
		},
		&experiment{
			id: "M54", title: "sum of two arrays of 10 M float32", preset: "v100", source: "CUDATutorial, 2023", confidence: "R", in: gbs, peak: 900, size: "4,096 numbers for one thread, 2^19 for one block, 8·2^20 for many",
			variants: []variant{{"one thread", 120e6 / 570e-3 / 1e9, one(4096, 1, 1)}, {"one block of 256", 120e6 / 14.745e-3 / 1e9, one(1<<19, 1, 256)}, {"many blocks", 786, one(8<<20, 8<<20/256, 256)}},
		},
		&experiment{
			id: "M55", title: "a = 1.2·b of 18 M float64, by threads in a block", preset: "h200", source: "gpu-benches, gpu-small-kernels", confidence: "R", in: gbs, peak: 4800, size: fmt.Sprint(n>>20, "·2^20 numbers"),
			variants: []variant{{"32", 844, small(32)}, {"64", 1672, small(64)}, {"128", 3234, small(128)}, {"256", 3282, small(256)}, {"512", 3217, small(512)}, {"1024", 3085, small(1024)}},
		},
	)
}
