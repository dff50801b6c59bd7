package main

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// productsSource is the ladder of matrix products C = A·B, row by row, of m x k by k x n: one element a thread, tiles
// in shared memory, and tiles in registers.
const productsSource = `
extern "C" __global__ void uncoalesced(const float *a, const float *b, float *c, int m, int n, int k) {
	int row = blockIdx.x * 32 + threadIdx.x, col = blockIdx.y * 32 + threadIdx.y;
	float sum = 0;
	for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void coalesced(const float *a, const float *b, float *c, int m, int n, int k) {
	int row = blockIdx.x * 32 + threadIdx.x / 32, col = blockIdx.y * 32 + threadIdx.x % 32;
	float sum = 0;
	for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void tile32(const float *a, const float *b, float *c, int m, int n, int k) {
	__shared__ float s[32 * 32], t[32 * 32];
	int row = threadIdx.x / 32, col = threadIdx.x % 32;
	a += blockIdx.x * 32 * k;
	b += blockIdx.y * 32;
	c += blockIdx.x * 32 * n + blockIdx.y * 32;
	float sum = 0;
	for (int at = 0; at < k; at += 32) {
		s[row * 32 + col] = a[row * k + col];
		t[row * 32 + col] = b[row * n + col];
		__syncthreads();
		a += 32;
		b += 32 * n;
		for (int i = 0; i < 32; i++) sum += s[row * 32 + i] * t[i * 32 + col];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

// 64 x 64 of C in a block of 512 threads, 8 x 1 a thread
extern "C" __global__ void column8(const float *a, const float *b, float *c, int m, int n, int k) {
	const int BM = 64, BN = 64, BK = 8, TM = 8;
	__shared__ float s[BM * BK], t[BK * BN];
	int col = threadIdx.x % BN, row = threadIdx.x / BN;
	a += blockIdx.y * BM * k;
	b += blockIdx.x * BN;
	c += blockIdx.y * BM * n + blockIdx.x * BN;
	int ar = threadIdx.x / BK, ac = threadIdx.x % BK, br = threadIdx.x / BN, bc = threadIdx.x % BN;
	float sum[TM] = {0};
	for (int at = 0; at < k; at += BK) {
		s[ar * BK + ac] = a[ar * k + ac];
		t[br * BN + bc] = b[br * n + bc];
		__syncthreads();
		a += BK;
		b += BK * n;
		for (int i = 0; i < BK; i++) {
			float v = t[i * BN + col];
			for (int j = 0; j < TM; j++) sum[j] += s[(row * TM + j) * BK + i] * v;
		}
		__syncthreads();
	}
	for (int j = 0; j < TM; j++) c[(row * TM + j) * n + col] = sum[j];
}

// 128 x 128 of C in a block of 256 threads, 8 x 8 a thread
template <bool VECTOR> __device__ void square8(const float *a, const float *b, float *c, int m, int n, int k) {
	const int BM = 128, BN = 128, BK = 8, T = 8;
	__shared__ float s[BK * BM], t[BK * BN];
	int col = threadIdx.x % (BN / T), row = threadIdx.x / (BN / T);
	a += blockIdx.y * BM * k;
	b += blockIdx.x * BN;
	c += blockIdx.y * BM * n + blockIdx.x * BN;
	float sum[T * T] = {0}, x[T], y[T];
	for (int at = 0; at < k; at += BK) {
		if (VECTOR) {
			int ar = threadIdx.x / (BK / 4), ac = threadIdx.x % (BK / 4), br = threadIdx.x / (BN / 4), bc = threadIdx.x % (BN / 4);
			float4 v = *(const float4 *)&a[ar * k + ac * 4];
			s[(ac * 4 + 0) * BM + ar] = v.x;
			s[(ac * 4 + 1) * BM + ar] = v.y;
			s[(ac * 4 + 2) * BM + ar] = v.z;
			s[(ac * 4 + 3) * BM + ar] = v.w;
			*(float4 *)&t[br * BN + bc * 4] = *(const float4 *)&b[br * n + bc * 4];
		} else {
			int ar = threadIdx.x / BK, ac = threadIdx.x % BK, br = threadIdx.x / BN, bc = threadIdx.x % BN;
			for (int j = 0; j < BM; j += 32) s[(ar + j) * BK + ac] = a[(ar + j) * k + ac];
			for (int j = 0; j < BK; j += 2) t[(br + j) * BN + bc] = b[(br + j) * n + bc];
		}
		__syncthreads();
		a += BK;
		b += BK * n;
		for (int i = 0; i < BK; i++) {
			for (int j = 0; j < T; j++) {
				x[j] = VECTOR ? s[i * BM + row * T + j] : s[(row * T + j) * BK + i];
				y[j] = t[i * BN + col * T + j];
			}
			for (int p = 0; p < T; p++)
				for (int q = 0; q < T; q++) sum[p * T + q] += x[p] * y[q];
		}
		__syncthreads();
	}
	for (int p = 0; p < T; p++)
		if (VECTOR)
			for (int q = 0; q < T; q += 4)
				*(float4 *)&c[(row * T + p) * n + col * T + q] = make_float4(sum[p * T + q], sum[p * T + q + 1], sum[p * T + q + 2], sum[p * T + q + 3]);
		else
			for (int q = 0; q < T; q++) c[(row * T + p) * n + col * T + q] = sum[p * T + q];
}

extern "C" __global__ void registers8x8(const float *a, const float *b, float *c, int m, int n, int k) { square8<false>(a, b, c, m, n, k); }
extern "C" __global__ void vectors8x8(const float *a, const float *b, float *c, int m, int n, int k) { square8<true>(a, b, c, m, n, k); }
`

// tilesSource is of a tile of SIDE in shared memory, and of T x T elements a thread without.
const tilesSource = `
typedef NUMBER number;

extern "C" __global__ void simple(const number *a, const number *b, number *c, int m, int n, int k) {
	int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
	number sum = 0;
	for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
	c[row * n + col] = sum;
}

extern "C" __global__ void tiled(const number *a, const number *b, number *c, int m, int n, int k) {
	__shared__ number s[SIDE][SIDE], t[SIDE][SIDE];
	int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x;
	number sum = 0;
	for (int at = 0; at < k; at += SIDE) {
		s[threadIdx.y][threadIdx.x] = a[row * k + at + threadIdx.x];
		t[threadIdx.y][threadIdx.x] = b[(at + threadIdx.y) * n + col];
		__syncthreads();
		for (int i = 0; i < SIDE; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

extern "C" __global__ void several(const number *a, const number *b, number *c, int m, int n, int k) {
	int row = (blockIdx.y * blockDim.y + threadIdx.y) * PER, col = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
	number sum[PER][PER];
#pragma unroll
	for (int p = 0; p < PER; p++)
#pragma unroll
		for (int q = 0; q < PER; q++) sum[p][q] = 0;
	for (int i = 0; i < k; i++)
#pragma unroll
		for (int p = 0; p < PER; p++)
#pragma unroll
			for (int q = 0; q < PER; q++) sum[p][q] += a[(row + p) * k + i] * b[i * n + col + q];
#pragma unroll
	for (int p = 0; p < PER; p++)
#pragma unroll
		for (int q = 0; q < PER; q++) c[(row + p) * n + col + q] = sum[p][q];
}
`

// long returns the time of a product of which the inner dimension is full, from those of two short ones, k and 2k: what
// a round takes grows with it, what blocks take to begin and to write their results does not.
func long(k, full int, time func(k int) float64) float64 {
	short, twice := time(k), time(2*k)
	return twice + (twice-short)*float64(full-2*k)/float64(k)
}

// sgemm is a step of the ladder on 4096 x 4096 numbers.
type sgemm struct{ kernel string }

// run returns Gflop/s. Some of the rounds are computed, of the first steps also some columns only, of which the blocks
// fill the machine eight times.
func (s sgemm) run(c *card) float64 {
	const n = 4096
	cols, k := n, 128
	switch s.kernel {
	case "uncoalesced", "coalesced", "tile32":
		cols, k = 320, 64
	case "column8":
		k = 64
	}
	return 2 * n * n * float64(cols) / long(k, n, func(k int) float64 { return s.time(c, n, cols, k) }) / 1e9
}

// time is that of a product of m x k by k x n numbers, in seconds.
func (s sgemm) time(c *card, m, n, k int) float64 {
	l := launch{f: kernel(productsSource, s.kernel), grid: d2(m/32, n/32), block: kir.D1(1024)}
	switch s.kernel {
	case "uncoalesced":
		l.block = d2(32, 32)
	case "column8":
		l.grid, l.block = d2(n/64, m/64), kir.D1(512)
	case "registers8x8", "vectors8x8":
		l.grid, l.block = d2(n/128, m/128), kir.D1(256)
	}
	a, b := c.floats32(m*k, ramp), c.floats32(k*n, ramp)
	out := c.alloc(4 * m * n)
	l.args = []any{a, b, out, m, n, k}
	r := c.run(l)
	for _, at := range []int{0, n + 3, m*n - 1} { // small integers: exact in any order
		var want float32
		for i := range k {
			want += ramp(at/n*k+i) * ramp(i*n+at%n)
		}
		if got := math.Float32frombits(c.word(out, at)); got != want {
			panic(failure{fmt.Errorf("%s has %v at %d, not %v", s.kernel, got, at, want)})
		}
	}
	for _, b := range []device.Buffer{a, b, out} {
		must(0, b.Free())
	}
	return r.seconds
}

// tiles runs a kernel of tilesSource on numbers of a type, m x 1024 by 1024 x m, of which k and 2k rounds are computed,
// with side x side threads in a block and t x t elements a thread.
func tiles(name, number string, size, m, k, side, t int) func(*card) float64 {
	return func(c *card) float64 {
		f := kernel(tilesSource, name, "-DNUMBER="+number, fmt.Sprint("-DSIDE=", side), fmt.Sprint("-DPER=", t))
		blocks := m / (side * t)
		return long(k, 1024, func(k int) float64 {
			a, b, out := c.alloc(size*m*k), c.alloc(size*k*m), c.alloc(size*m*m)
			return c.run(launch{f: f, grid: d2(blocks, blocks), block: d2(side, side), args: []any{a, b, out, m, m, k}}).seconds
		})
	}
}

const productSize = "64 or 128 rounds and twice as many, the rest in proportion; of the first three rows 320 columns"

func products() []*experiment {
	ladder := func(figures [6]float64) []variant {
		v := []variant{
			{"threads along rows: uncoalesced", 0, nil}, {"threads along columns", 0, nil}, {"32×32 tiles in shared memory", 0, nil},
			{"64×64 tiles, 8×1 a thread", 0, nil}, {"128×128 tiles, 8×8 a thread", 0, nil}, {"and vectors of 4, A transposed", 0, nil},
		}
		for i, name := range []string{"uncoalesced", "coalesced", "tile32", "column8", "registers8x8", "vectors8x8"} {
			v[i].published, v[i].run = figures[i], sgemm{name}.run
		}
		return v
	}
	decisive := func(peak float64) []check {
		return []check{
			{"D6", "uncoalesced to coalesced 6 to 11", func(g []float64) bool { return within(g[1]/g[0], 6, 11) }},
			{"D6", "to 32×32 tiles 1.5 to 1.9", func(g []float64) bool { return within(g[2]/g[1], 1.5, 1.9) }},
			{"D6", "to 8×1 a thread 1.7 to 2.9", func(g []float64) bool { return within(g[3]/g[2], 1.7, 2.9) }},
			{"D6", "to 8×8 1.3 to 1.9", func(g []float64) bool { return within(g[4]/g[3], 1.3, 1.9) }},
			{"D6", "tiles reach at most 30 % of the peak", func(g []float64) bool { return g[2] <= 0.3*peak }},
		}
	}
	side := func(s int) func(*card) float64 { return tiles("tiled", "int", 4, 512, 32, s, 1) }
	per := func(t int) func(*card) float64 { return tiles("several", "int", 4, 1024, 64, 16, t) }
	double := func(name string) func(*card) float64 { return tiles(name, "double", 8, 1024, 64, 16, 1) }
	return []*experiment{
		{
			id: "M34", title: "float32 product of 4092³", preset: "a100", source: "fork of Boehm 2022, on A100", confidence: "T", in: gflops, peak: 19492, size: productSize,
			variants: ladder([6]float64{292.1, 3119.0, 5451.9, 10368.6, 14155.1, 15296.5}), checks: decisive(19492),
		},
		{
			id: "M35", title: "float32 product of 4096³", preset: "v100", source: "ladder of Boehm 2022, on V100 32 GB", confidence: "T", in: gflops, peak: 15667, size: productSize,
			variants: ladder([6]float64{245.7, 2311.7, 4263.2, 8541.0, 12053.7, 13583.9}), checks: decisive(15667),
		},
		{
			id: "M39", title: "float64 product, blocks of 16×16, 1024³", machine: "V100 PCIe", preset: "v100", source: "CUDAMicroBench, Shmem", confidence: "R", in: seconds, size: "all in 64 rounds and in 128, the rest in proportion",
			variants: []variant{{"no shared memory", 1594e-6, double("simple")}, {"tiles", 1289e-6, double("tiled")}},
			checks:   []check{{"", "tiles gain 1.0 to 1.3: L1 catches the rest", func(g []float64) bool { return within(g[0]/g[1], 1, 1.3) }}},
		},
		{
			id: "M39c", title: "int32 product of 1024³ without shared memory, blocks of 16×16, T×T elements a thread", preset: "p100", source: "student report on P100-SXM2", confidence: "R", in: seconds, size: "all in 64 rounds and in 128, the rest in proportion",
			variants: []variant{
				{"T = 16", 7.37e-3, per(16)}, {"T = 1", 3.28e-3, per(1)}, {"T = 2", 2.27e-3, per(2)}, {"T = 4", 2.11e-3, per(4)}, {"T = 8", 2.08e-3, per(8)},
			},
			checks: []check{{"D7", "4 or 8 are best, 16 is 3.5 times worse, within 1.5", func(g []float64) bool {
				best := min(g[3], g[4])
				return best < g[1] && best < g[2] && near(g[0]/best, 3.5)
			}}},
		},
		{
			id: "M39d", title: "int32 product of 1024³ with a tile in shared memory, as many threads as the tile has elements", preset: "p100", source: "student report on P100-SXM2", confidence: "R", in: seconds, size: "512×1024 by 1024×512, in 32 rounds and in 64, the rest in proportion",
			variants: []variant{
				{"side 1", 62.4e-3, side(1)}, {"side 2", 10.85e-3, side(2)}, {"side 4", 2.77e-3, side(4)}, {"side 8", 2.11e-3, side(8)}, {"side 16", 1.85e-3, side(16)}, {"side 32", 1.93e-3, side(32)},
			},
			checks: []check{{"D7", "times as 34 : 5.9 : 1.5 : 1.14 : 1 : 1.04, each within 1.5", func(g []float64) bool {
				return near(g[0]/g[4], 34) && near(g[1]/g[4], 5.9) && near(g[2]/g[4], 1.5) && near(g[3]/g[4], 1.14) && near(g[5]/g[4], 1.04)
			}}},
		},
	}
}
