//go:build !nocuda

package nvrtc

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

const source = `
__global__ void saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}

#define T 16
__global__ void matmul(const float *a, const float *b, float *c, int n) {
	__shared__ float as[T][T], bs[T][T];
	int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k += T) {
		as[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
		bs[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + col] : 0;
		__syncthreads();
		for (int i = 0; i < T; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
		__syncthreads();
	}
	if (row < n && col < n) c[row * n + col] = sum;
}

__global__ void reduce(const int *x, int *out, int n) {
	__shared__ int part[32];
	int sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
	for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	if (lane == 0) part[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		sum = lane < blockDim.x / 32 ? part[lane] : 0;
		for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
		if (lane == 0) atomicAdd(out, sum);
	}
}

__global__ void histogram(const unsigned char *x, unsigned *bins, int n) {
	__shared__ unsigned mine[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) if (mine[i]) atomicAdd(&bins[i], mine[i]);
}

__global__ void transpose(const double *in, double *out, int w, int h) {
	__shared__ double tile[16][17];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
	__syncthreads();
	x = blockIdx.y * 16 + threadIdx.x;
	y = blockIdx.x * 16 + threadIdx.y;
	if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
`

// launch runs a kernel on the CPU engine, as parsed and optimised: slices are arguments in memory, others stand in the
// buffer.
func launch(t *testing.T, name string, grid, block kir.Dim3, args func() []any) (results [2][]any) {
	t.Helper()
	fs, err := Kernels(source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fs {
		if f.Name != name {
			continue
		}
		for i, g := range []*kir.Func{f, opt.Optimize(f)} {
			p, err := cpu.Compile(g)
			if err != nil {
				t.Fatal(err)
			}
			m := cpu.NewMemory()
			params := make([]byte, g.ParamBytes())
			list := args()
			for j, a := range list {
				at := params[g.Params[j].Offset:]
				base := uint64(j+1) << 32
				switch a := a.(type) {
				case int32:
					binary.LittleEndian.PutUint32(at, uint32(a))
				case float32:
					binary.LittleEndian.PutUint32(at, math.Float32bits(a))
				default:
					binary.LittleEndian.PutUint64(at, base)
					m.Map(base, bytesOf(a))
				}
			}
			if _, err := p.Run(context.Background(), cpu.Launch{Grid: grid, Block: block, Params: params, Memory: m}); err != nil {
				t.Fatal(err)
			}
			results[i] = list
		}
		return results
	}
	t.Fatalf("there is no kernel %s", name)
	return results
}

func bytesOf(a any) []byte {
	switch a := a.(type) {
	case []float32:
		return view(a)
	case []float64:
		return view(a)
	case []int32:
		return view(a)
	case []uint32:
		return view(a)
	case []byte:
		return a
	}
	panic("no such slice")
}

func view[T any](a []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&a[0])), len(a)*int(unsafe.Sizeof(a[0])))
}

func randomFloats(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

func equal[T comparable](t *testing.T, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("element %d is %v, not %v", i, got[i], want[i])
		}
	}
}

// needsNVRTC skips a test where NVIDIA's compiler is not found.
func needsNVRTC(t *testing.T) {
	t.Helper()
	if _, _, err := Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
}

func TestSaxpy(t *testing.T) {
	needsNVRTC(t)
	const n = 1000
	x := randomFloats(n)
	want := randomFloats(n)
	for i := range want {
		want[i] = float32(2.5*x[i]) + want[i]
	}
	for _, r := range launch(t, "saxpy", kir.D1(8), kir.D1(128), func() []any { return []any{float32(2.5), x, randomFloats(n), int32(n)} }) {
		equal(t, r[2].([]float32), want)
	}
}

func TestMatMul(t *testing.T) {
	needsNVRTC(t)
	const n = 50
	a, b := randomFloats(n*n), randomFloats(2 * n * n)[n*n:]
	want := make([]float32, n*n)
	for i := range n {
		for j := range n {
			var sum float32
			for k := range 64 { // the tiles beyond n add zeros
				if k < n {
					sum += float32(a[i*n+k] * b[k*n+j])
				} else {
					sum += 0
				}
			}
			want[i*n+j] = sum
		}
	}
	for _, r := range launch(t, "matmul", kir.Dim3{X: 4, Y: 4, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, func() []any { return []any{a, b, make([]float32, n*n), int32(n)} }) {
		equal(t, r[2].([]float32), want)
	}
}

func TestReduce(t *testing.T) {
	needsNVRTC(t)
	x := make([]int32, 5000)
	var want int32
	for i := range x {
		x[i] = int32(i*i%1000 - 300)
		want += x[i]
	}
	for _, r := range launch(t, "reduce", kir.D1(5), kir.D1(256), func() []any { return []any{x, make([]int32, 1), int32(len(x))} }) {
		equal(t, r[1].([]int32), []int32{want})
	}
}

func TestHistogram(t *testing.T) {
	needsNVRTC(t)
	x := make([]byte, 10000)
	want := make([]uint32, 256)
	for i := range x {
		x[i] = byte(i * i >> 3)
		want[x[i]]++
	}
	for _, r := range launch(t, "histogram", kir.D1(4), kir.D1(96), func() []any { return []any{x, make([]uint32, 256), int32(len(x))} }) {
		equal(t, r[1].([]uint32), want)
	}
}

func TestTranspose(t *testing.T) {
	needsNVRTC(t)
	const w, h = 37, 21
	in, want := make([]float64, w*h), make([]float64, w*h)
	for i := range in {
		in[i] = float64(i)
		want[i%w*h+i/w] = float64(i)
	}
	for _, r := range launch(t, "transpose", kir.Dim3{X: 3, Y: 2, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, func() []any { return []any{in, make([]float64, w*h), int32(w), int32(h)} }) {
		equal(t, r[1].([]float64), want)
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	needsNVRTC(t)
	_, err := Kernels("__global__ void k(int *x) {\n\tx[0] = y;\n}\n", Options{})
	var e *CompileError
	if !errors.As(err, &e) || !strings.Contains(e.Log, "cell.cu(2): error: identifier \"y\" is undefined") {
		t.Error(err)
	}
}

// TestOptimisedCUDAPrintsAndParses: what comes from NVRTC goes out as PTX and comes back.
func TestOptimisedCUDAPrintsAndParses(t *testing.T) {
	needsNVRTC(t)
	fs, err := Kernels(source, Options{Target: 80})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fs {
		f = opt.Optimize(f)
		text, err := ptx.Print(ptx.Options{Lines: true}, f)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ptx.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if !kir.Equal(f, back[0]) {
			t.Errorf("%s: another kernel comes back from\n%s", f.Name, text)
		}
	}
}

func TestSourceName(t *testing.T) {
	needsNVRTC(t)
	for mangled, want := range map[string]string{"_Z5saxpyfPKfPfi": "saxpy", "_ZN2ns5inner1kEv": "k", "plain": "plain", "_Z": "_Z", "_Z99x": "_Z99x"} {
		if got := sourceName(mangled); got != want {
			t.Errorf("%s is %s, not %s", mangled, got, want)
		}
	}
}
