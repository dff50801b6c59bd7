package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
)

const atomicsSource = `
extern "C" __global__ void globalBins(const unsigned char *x, unsigned *bins, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1u);
}

extern "C" __global__ void sharedBins(const unsigned char *x, unsigned *bins, int n) {
	__shared__ unsigned s[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[x[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}

extern "C" __global__ void sharedBins16(const uint4 *x, unsigned *bins, int n) {
	__shared__ unsigned s[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += gridDim.x * blockDim.x) {
		uint4 v = x[i];
		unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
		for (int j = 0; j < 4; j++)
#pragma unroll
			for (int k = 0; k < 32; k += 8) atomicAdd(&s[w[j] >> k & 255], 1u);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}

// each thread counts the particles that are near its own
template <typename T, bool ATOMIC> __device__ void neighbours(const T *x, int *counts, int *list, int n, T cut) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int count = 0;
	T mine = x[i];
	for (int j = ATOMIC ? i + 1 : 0; j < n; j++) {
		T d = x[j] - mine;
		if (d * d < cut && i != j) {
			if (ATOMIC) {
				list[atomicAdd(&counts[i], 1) * n + i] = j;
				list[atomicAdd(&counts[j], 1) * n + j] = i;
			} else {
				list[count++ * n + i] = j;
			}
		}
	}
	if (!ATOMIC) counts[i] = count;
}

extern "C" __global__ void neighbours32(const float *x, int *counts, int *list, int n, float cut) { neighbours<float, false>(x, counts, list, n, cut); }
extern "C" __global__ void neighbours32Atomic(const float *x, int *counts, int *list, int n, float cut) { neighbours<float, true>(x, counts, list, n, cut); }

// the three phases of a scan: each block scans its part, one block the sums of parts, and each adds what is before its
// part
extern "C" __global__ void scanParts(const float *x, float *y, float *sums, int n) {
	__shared__ float s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = x[i];
	__syncthreads();
	for (int d = 1; d < 256; d *= 2) {
		float v = t >= d ? s[t - d] : 0;
		__syncthreads();
		s[t] += v;
		__syncthreads();
	}
	y[i] = s[t];
	if (t == 255) sums[blockIdx.x] = s[t];
}

extern "C" __global__ void addBefore(float *y, const float *sums, int n) {
	int i = blockIdx.x * 256 + threadIdx.x;
	if (blockIdx.x > 0) y[i] += sums[blockIdx.x - 1];
}

extern "C" __global__ void scanShuffle(const float *x, float *y, float *sums, int n) {
	__shared__ float s[32];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32;
	float v = x[i];
	for (int d = 1; d < 32; d *= 2) {
		float u = __shfl_up_sync(~0u, v, d);
		if (lane >= d) v += u;
	}
	if (lane == 31) s[t / 32] = v;
	__syncthreads();
	if (t < 32) {
		float w = t < 8 ? s[t] : 0;
		for (int d = 1; d < 8; d *= 2) {
			float u = __shfl_up_sync(~0u, w, d);
			if (lane >= d) w += u;
		}
		s[t] = w;
	}
	__syncthreads();
	if (t >= 32) v += s[t / 32 - 1];
	y[i] = v;
	if (t == 255) sums[blockIdx.x] = v;
}
`

func atomics() []*experiment {
	// seconds of a histogram of 2^30 random bytes, by the difference of two of 2n and n: what blocks begin and end with
	// counts little there
	histogram := func(name string, n int) func(*card) float64 {
		took := func(c *card, n int) float64 {
			raw := make([]byte, n)
			state := uint32(1)
			counts := [256]uint32{}
			for i := range raw {
				state = state*1664525 + 1013904223
				raw[i] = byte(state >> 24)
				counts[raw[i]]++
			}
			x, bins := c.copied(raw), c.alloc(4*256)
			m := c.run(launch{f: kernel(atomicsSource, name), grid: kir.D1(c.preset.SMs * c.preset.MaxThreadsPerSM / 512), block: kir.D1(512), args: []any{x, bins, n}})
			if got := c.word(bins, 77); got != counts[77] {
				panic(failure{fmt.Errorf("%s counts %d of 77, not %d", name, got, counts[77])})
			}
			return m.seconds
		}
		return func(c *card) float64 { return (took(c, 2*n) - took(c, n)) / float64(n) * (1 << 30) }
	}
	scan := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			const n = 1 << 22
			x, y, sums, scanned, top := c.floats32(n, func(i int) float32 { return float32(i % 3) }), c.alloc(4*n), c.alloc(4*n/256), c.alloc(4*n/256), c.alloc(4*n/65536)
			f, add := kernel(atomicsSource, name), kernel(atomicsSource, "addBefore")
			// of the sums, whose sums a third level would scan: 64 numbers, which are left out
			m := c.run(
				launch{f: f, grid: kir.D1(n / 256), block: kir.D1(256), args: []any{x, y, sums, n}},
				launch{f: f, grid: kir.D1(n / 65536), block: kir.D1(256), args: []any{sums, scanned, top, n / 256}},
				launch{f: add, grid: kir.D1(n / 256), block: kir.D1(256), args: []any{y, scanned, n}},
			)
			return m.seconds / n * (1 << 30)
		}
	}
	near2 := func(name string) func(*card) float64 {
		return func(c *card) float64 {
			const n = 4096
			x, counts, list := c.floats32(n, func(i int) float32 { return float32(i*7919%n) / 64 }), c.alloc(4*n), c.alloc(4*n*64)
			return c.run(launch{f: kernel(atomicsSource, name), grid: kir.D1(n / 128), block: kir.D1(128), args: []any{x, counts, list, n, float32(0.05)}}).seconds
		}
	}
	return []*experiment{
		{
			id: "M70", title: "histogram of 2^30 random bytes, 256 bins, 512 threads", machine: "H100", preset: "h200", source: "Yencal, gpu-histogram-optimization", confidence: "R", in: seconds, size: "2^20 more bytes for atomics on global memory, 2^23 for those on shared memory, in proportion",
			variants: []variant{
				{"atomics on global memory", 276.1e-3, histogram("globalBins", 1<<20)},
				{"bins in shared memory", 1.53e-3, histogram("sharedBins", 1<<23)},
				{"and loads of 16 bytes", 0.47e-3, histogram("sharedBins16", 1<<23)},
			},
			checks: []check{{"D12", "590 : 3.3 : 1, each within 1.5", func(g []float64) bool { return near(g[0]/g[2], 590) && near(g[1]/g[2], 3.3) }}},
		},
		{
			id: "M71", title: "inclusive scan of 2^30 float32 in three phases, 256 threads", machine: "H100", preset: "h200", source: "Yencal, gpu-scan-optimization", confidence: "R", in: seconds, size: "2^22 numbers, in proportion",
			variants: []variant{
				{"in shared memory", 10.72e-3, scan("scanParts")},
				{"by shuffles", 9.33e-3, scan("scanShuffle")},
			},
		},
		{
			id: "M73e", title: "list of neighbours in float32: each thread looks at all particles", preset: "v100", source: "Fan 2020, chapter 9", confidence: "R", in: seconds, size: "4,096 particles on a line",
			variants: []variant{{"without atomics", 2.0e-3, near2("neighbours32")}, {"each pair once, with atomics", 1.8e-3, near2("neighbours32Atomic")}},
			checks:   []check{{"", "atomics with few collisions are not slower", func(g []float64) bool { return g[1] <= 1.05*g[0] }}},
		},
	}
}
