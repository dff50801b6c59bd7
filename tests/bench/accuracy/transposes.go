package main

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// transposeSource has copies and transposes of an n x n matrix: TILE x ROWS threads in a block, TILE/ROWS elements a
// thread.
const transposeSource = `
typedef NUMBER number;

extern "C" __global__ void copy(const number *a, number *b, int n) {
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) b[(y + j) * n + x] = a[(y + j) * n + x];
}

extern "C" __global__ void sharedCopy(const number *a, number *b, int n) {
	__shared__ number tile[TILE * TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) tile[(threadIdx.y + j) * TILE + threadIdx.x] = a[(y + j) * n + x];
	__syncthreads();
	for (int j = 0; j < TILE; j += ROWS) b[(y + j) * n + x] = tile[(threadIdx.y + j) * TILE + threadIdx.x];
}

extern "C" __global__ void stridedWrite(const number *a, number *b, int n) {
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) b[x * n + y + j] = a[(y + j) * n + x];
}

extern "C" __global__ void stridedRead(const number *a, number *b, int n) {
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) b[(y + j) * n + x] = a[x * n + y + j];
}

extern "C" __global__ void copyColumns(const number *a, number *b, int n) {
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) b[x * n + y + j] = a[x * n + y + j];
}

template <int PAD, bool DIAGONAL> __device__ void tiled(const number *a, number *b, int n) {
	__shared__ number tile[TILE][TILE + PAD];
	int bx = blockIdx.x, by = blockIdx.y;
	if (DIAGONAL) {
		by = blockIdx.x;
		bx = (blockIdx.x + blockIdx.y) % gridDim.x;
	}
	int x = bx * TILE + threadIdx.x, y = by * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
	__syncthreads();
	x = by * TILE + threadIdx.x;
	y = bx * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS) b[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void conflicts(const number *a, number *b, int n) { tiled<0, false>(a, b, n); }
extern "C" __global__ void padded(const number *a, number *b, int n) { tiled<1, false>(a, b, n); }
extern "C" __global__ void diagonal(const number *a, number *b, int n) { tiled<1, true>(a, b, n); }
`

// transposed is a kernel of transposeSource on an n x n matrix.
type transposed struct {
	kernel     string
	n          int
	tile, rows int
	double     bool
}

func (t transposed) measure(c *card) (m measured, bytes int) {
	number, size := "float", 4
	if t.double {
		number, size = "double", 8
	}
	f := kernel(transposeSource, t.kernel, "-DNUMBER="+number, fmt.Sprint("-DTILE=", t.tile), fmt.Sprint("-DROWS=", t.rows))
	var a device.Buffer
	if t.double {
		a = c.alloc(size * t.n * t.n)
	} else {
		a = c.floats32(t.n*t.n, func(i int) float32 { return float32(i) })
	}
	b := c.alloc(size * t.n * t.n)
	m = c.run(launch{f: f, grid: d2(t.n/t.tile, t.n/t.tile), block: d2(t.tile, t.rows), args: []any{a, b, t.n}})
	if !t.double {
		for _, i := range []int{1, t.n + 2, t.n*t.n - 2} {
			from := i%t.n*t.n + i/t.n
			if t.kernel == "copy" || t.kernel == "sharedCopy" || t.kernel == "copyColumns" {
				from = i
			}
			if got := math.Float32frombits(c.word(b, i)); got != float32(from) {
				panic(failure{fmt.Errorf("%s has %v at %d, not %d", t.kernel, got, i, from)})
			}
		}
	}
	return m, 2 * size * t.n * t.n
}

// rate is what was read and written in a second, in GB.
func (t transposed) rate(c *card) float64 {
	m, bytes := t.measure(c)
	return float64(bytes) / m.seconds / 1e9
}

// time is in seconds.
func (t transposed) time(c *card) float64 {
	m, _ := t.measure(c)
	return m.seconds
}

// sectors counts those of loads and stores.
func (t transposed) sectors(c *card) float64 {
	m, _ := t.measure(c)
	return float64(m.stats[0].Sectors)
}

func transposes() []*experiment {
	rate := func(kernel string, n, tile, rows int) func(*card) float64 {
		return transposed{kernel: kernel, n: n, tile: tile, rows: rows}.rate
	}
	fan := func(kernel string, double bool) func(*card) float64 {
		return transposed{kernel: kernel, n: 4000, tile: 32, rows: 32, double: double}.time
	}
	return []*experiment{
		{
			id: "M11", title: "transposes of 1024² float32, both matrices in L2, blocks of 16×16", preset: "a100", source: "output of NVIDIA's sample `transpose`", confidence: "T", in: gbs,
			variants: []variant{
				{"copy", 1188, rate("copy", 1024, 16, 16)},
				{"copy through shared memory", 1130, rate("sharedCopy", 1024, 16, 16)},
				{"naive: strided writes", 215, rate("stridedWrite", 1024, 16, 16)},
				{"tile, bank conflicts", 530, rate("conflicts", 1024, 16, 16)},
				{"padded tile", 1168, rate("padded", 1024, 16, 16)},
				{"padded tile, blocks in diagonals", 1135, rate("diagonal", 1024, 16, 16)},
			},
		},
		{
			id: "M12, M13", title: "transposes of 32768² float32", machine: "H100 80 GB, 3352 GB/s", preset: "h200", source: "Yencal, gpu-matrix-transpose, 2025", confidence: "R", in: gbs, peak: 3352, size: "4096²",
			variants: []variant{
				{"naive: strided writes, 32×32 threads", 475.5, rate("stridedWrite", 4096, 32, 32)},
				{"tile, bank conflicts, 32×32", 996.1, rate("conflicts", 4096, 32, 32)},
				{"padded tile, 32×32", 1693.4, rate("padded", 4096, 32, 32)},
				{"padded tile, 32×16: 2 elements a thread", 2385, rate("padded", 4096, 32, 16)},
				{"padded tile, 32×8: 4", 2772, rate("padded", 4096, 32, 8)},
				{"padded tile, 32×4: 8", 2775, rate("padded", 4096, 32, 4)},
			},
			checks: []check{{"D3", "naive to conflicts to padded to 4 a thread as 1 : 2.1 : 3.6 : 5.8, each within 1.5", func(g []float64) bool {
				return near(g[1]/g[0], 2.1) && near(g[2]/g[0], 3.6) && near(g[4]/g[0], 5.8) && g[1] < g[2] && g[2] < g[4]
			}}},
		},
		{
			id: "M17", title: "sectors of loads and stores of a transpose of 4096² float32", machine: "RTX 3080", preset: "a100", source: "transpose study on RTX 3080, counters", confidence: "R", in: count,
			variants: []variant{
				{"naive: strided writes", 16777216 + 2097152, transposed{kernel: "stridedWrite", n: 4096, tile: 32, rows: 32}.sectors},
				{"padded tile", 2097152 + 2097152, transposed{kernel: "padded", n: 4096, tile: 32, rows: 32}.sectors},
			},
			checks: []check{{"", "the counts are exactly those", func(g []float64) bool { return g[0] == 16777216+2097152 && g[1] == 2*2097152 }}},
		},
		{
			id: "M18", title: "copies and transposes of 2048² float32, blocks of 16×16", machine: "Fermi (M2050 class)", preset: "gtx480", source: "Cheng et al. 2014, as repeated", confidence: "T", in: gbs, peak: 148,
			variants: []variant{
				{"copy by columns", 58.8, rate("copyColumns", 2048, 16, 16)},
				{"naive: strided writes", 64.2, rate("stridedWrite", 2048, 16, 16)},
				{"naive: strided reads", 81.6, rate("stridedRead", 2048, 16, 16)},
				{"copy by rows", 125.7, rate("copy", 2048, 16, 16)},
			},
			checks: []check{{"", "strided writes are slower than strided reads", func(g []float64) bool { return g[1] < g[2] }}},
		},
		{
			id: "M19b", title: "transposes of 2048² float32, tile 32, blocks of 32×8", preset: "gtx280", source: "Ruetsch and Micikevicius 2009", confidence: "M", in: gbs, peak: 141.7,
			variants: []variant{
				{"naive: strided writes", 2.2, rate("stridedWrite", 2048, 32, 8)},
				{"tile, bank conflicts", 16.5, rate("conflicts", 2048, 32, 8)},
				{"padded tile", 16.6, rate("padded", 2048, 32, 8)},
				{"padded tile, blocks in diagonals", 70, rate("diagonal", 2048, 32, 8)},
				{"copy", 97, rate("copy", 2048, 32, 8)},
			},
			checks: []check{{"", "padding gains almost nothing, blocks in diagonals about 4 times (partition camping)", func(g []float64) bool {
				return g[2]/g[1] < 1.2 && near(g[3]/g[2], 4.2)
			}}},
		},
		{
			id: "M19c", title: "transposes of 10⁴×10⁴ float32, blocks of 32×32", preset: "v100", source: "Fan 2020, chapters 7 and 8", confidence: "R", in: seconds, size: "4000²",
			variants: []variant{
				{"strided writes", 4.5e-3, fan("stridedWrite", false)},
				{"tile, bank conflicts", 1.8e-3, fan("conflicts", false)},
				{"strided reads", 1.6e-3, fan("stridedRead", false)},
				{"padded tile", 1.4e-3, fan("padded", false)},
				{"copy", 1.1e-3, fan("copy", false)},
			},
			checks: []check{
				{"D4", "copy to strided reads to strided writes as 1 : 1.5 : 4, each within 1.5", func(g []float64) bool { return near(g[2]/g[4], 1.5) && near(g[0]/g[4], 4) }},
				{"D4", "padding gains 1.3", func(g []float64) bool { return within(g[1]/g[3], 1.15, 1.5) }},
			},
		},
		{
			id: "M19d", title: "transposes of 10⁴×10⁴ float32, blocks of 32×32", preset: "p100", source: "Fan 2020", confidence: "R", in: seconds, size: "4000²",
			variants: []variant{
				{"strided writes", 6.0e-3, fan("stridedWrite", false)},
				{"strided reads", 2.4e-3, fan("stridedRead", false)},
				{"tile, bank conflicts", 2.0e-3, fan("conflicts", false)},
				{"padded tile", 2.0e-3, fan("padded", false)},
				{"copy", 1.5e-3, fan("copy", false)},
			},
			checks: []check{
				{"D4", "copy to strided reads to strided writes as 1 : 1.6 : 4, each within 1.5", func(g []float64) bool { return near(g[1]/g[4], 1.6) && near(g[0]/g[4], 4) }},
				{"D4", "padding gains nothing", func(g []float64) bool { return within(g[2]/g[3], 0.95, 1.1) }},
			},
		},
		{
			id: "M19e", title: "transposes of 10⁴×10⁴ float64, blocks of 32×32", preset: "v100", source: "Fan 2020", confidence: "R", in: seconds, size: "4000²",
			variants: []variant{
				{"strided writes", 6.2e-3, fan("stridedWrite", true)},
				{"tile, bank conflicts", 2.6e-3, fan("conflicts", true)},
				{"padded tile", 2.5e-3, fan("padded", true)},
				{"strided reads", 2.2e-3, fan("stridedRead", true)},
				{"copy", 2.0e-3, fan("copy", true)},
			},
		},
		{
			id: "M19f", title: "transposes of 4096² float32, blocks of 16×16", preset: "a100", source: "ayush-os, transpose", confidence: "R", in: seconds,
			variants: []variant{
				{"coalesced reads", 161.1e-6, transposeTime("stridedWrite", 4096, 16)},
				{"coalesced writes", 143.6e-6, transposeTime("stridedRead", 4096, 16)},
			},
		},
	}
}

func transposeTime(kernel string, n, tile int) func(*card) float64 {
	return transposed{kernel: kernel, n: n, tile: tile, rows: tile}.time
}

// near reports whether x is within 1.5 times want.
func near(x, want float64) bool { return x < 1.5*want && want < 1.5*x }
