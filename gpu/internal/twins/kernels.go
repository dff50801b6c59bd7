package twins

import "github.com/arrayrepl/arrayrepl/gpu"

func Saxpy(y, x []float32, a float32, n int) {
	i := gpu.BlockX()*gpu.BlockDimX() + gpu.ThreadX()
	if i < n {
		y[i] = float32(a*x[i]) + y[i]
	}
}

func Shift2D(y, x []float32, w, h int) {
	i, j := gpu.GlobalX(), gpu.GlobalY()
	if i < w && j < h {
		y[j*w+i] = x[((j+1)%h)*w+(i+1)%w]
	}
}

func Transpose(y, x []float32, w, h int) {
	tile := gpu.Shared[[16][17]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	i, j := gpu.BlockX()*16+tx, gpu.BlockY()*16+ty
	if i < w && j < h {
		tile[ty][tx] = x[j*w+i]
	}
	gpu.Sync()
	i, j = gpu.BlockY()*16+tx, gpu.BlockX()*16+ty
	if i < h && j < w {
		y[j*h+i] = tile[tx][ty]
	}
}

func MatMul(c, a, b []float32, n int) {
	row, col := gpu.GlobalY(), gpu.GlobalX()
	if row < n && col < n {
		s := float32(0)
		for k := 0; k < n; k++ {
			s += a[row*n+k] * b[k*n+col]
		}
		c[row*n+col] = s
	}
}

func Tiled(c, a, b []float32, n int) {
	as, bs := gpu.Shared[[16][16]float32](), gpu.Shared[[16][16]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	row, col := gpu.BlockY()*16+ty, gpu.BlockX()*16+tx
	s := float32(0)
	for k := 0; k < n; k += 16 {
		as[ty][tx] = a[row*n+k+tx]
		bs[ty][tx] = b[(k+ty)*n+col]
		gpu.Sync()
		for i := 0; i < 16; i++ {
			s += as[ty][i] * bs[i][tx]
		}
		gpu.Sync()
	}
	c[row*n+col] = s
}

func Stencil(y, x []float32, w, h int) {
	i, j := gpu.GlobalX(), gpu.GlobalY()
	if i > 0 && i < w-1 && j > 0 && j < h-1 {
		at := j*w + i
		y[at] = 0.25 * (x[at-1] + x[at+1] + x[at-w] + x[at+w])
	}
}

func Sum(out, x []float32, n int) {
	s := gpu.Shared[[256]float32]()
	t := gpu.ThreadX()
	v := float32(0)
	for i := gpu.GlobalX(); i < n; i += gpu.GridDimX() * gpu.BlockDimX() {
		v += x[i]
	}
	s[t] = v
	gpu.Sync()
	for d := gpu.BlockDimX() / 2; d > 0; d /= 2 {
		if t < d {
			s[t] += s[t+d]
		}
		gpu.Sync()
	}
	if t == 0 {
		out[gpu.BlockX()] = s[0]
	}
}

func Histogram(bins, x []int32, n int) {
	mine := gpu.Shared[[256]int32]()
	for i := gpu.ThreadX(); i < 256; i += gpu.BlockDimX() {
		mine[i] = 0
	}
	gpu.Sync()
	for i := gpu.GlobalX(); i < n; i += gpu.GridDimX() * gpu.BlockDimX() {
		gpu.AtomicAdd(&mine[x[i]], 1)
	}
	gpu.Sync()
	for i := gpu.ThreadX(); i < 256; i += gpu.BlockDimX() {
		gpu.AtomicAdd(&bins[i], mine[i])
	}
}

func Unflatten(y, x []float32, w, h int) {
	at := gpu.GlobalX()
	if at < w*h {
		i, j := at%w, at/w
		y[i*h+j] = x[at]
	}
}

func Seventh(y, x []int32, n int) {
	i := gpu.GlobalX()
	if i < n {
		y[i] = x[i/7] + x[i%7]
	}
}

func SpMV(y []float32, row, col []int32, val, x []float32, n int) {
	i := gpu.GlobalX()
	if i < n {
		s := float32(0)
		for k := row[i]; k < row[i+1]; k++ {
			s += val[k] * x[col[k]]
		}
		y[i] = s
	}
}

func Looped(y, x []float32, n int) {
	i := gpu.GlobalX()
	s := float32(0)
	for j := 0; j < 8; j++ {
		s += x[i+j*n]
	}
	y[i] = s
}

func Mandel(out []int32, w, h, limit int) {
	i, j := gpu.GlobalX(), gpu.GlobalY()
	if i < w && j < h {
		a, b := 3*float32(i)/float32(w)-2, 2*float32(j)/float32(h)-1
		x, y, k := float32(0), float32(0), 0
		for k < limit && float32(x*x)+float32(y*y) < 4 {
			x, y = float32(x*x)-float32(y*y)+a, 2*float32(x*y)+b
			k++
		}
		out[j*w+i] = int32(k)
	}
}

// CUDA has the same in CUDA C.
const CUDA = `
#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
extern "C" {
__global__ void Saxpy(float *y, const float *x, float a, int n) {
	int i = GX;
	if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void Shift2D(float *y, const float *x, int w, int h) {
	int i = GX, j = GY;
	if (i < w && j < h) y[j*w+i] = x[((j+1)%h)*w+(i+1)%w];
}
__global__ void Transpose(float *y, const float *x, int w, int h) {
	__shared__ float tile[16][17];
	int tx = threadIdx.x, ty = threadIdx.y;
	int i = blockIdx.x*16+tx, j = blockIdx.y*16+ty;
	if (i < w && j < h) tile[ty][tx] = x[j*w+i];
	__syncthreads();
	i = blockIdx.y*16+tx; j = blockIdx.x*16+ty;
	if (i < h && j < w) y[j*h+i] = tile[tx][ty];
}
__global__ void MatMul(float *c, const float *a, const float *b, int n) {
	int row = GY, col = GX;
	if (row < n && col < n) {
		float s = 0;
		for (int k = 0; k < n; k++) s += a[row*n+k] * b[k*n+col];
		c[row*n+col] = s;
	}
}
__global__ void Tiled(float *c, const float *a, const float *b, int n) {
	__shared__ float as[16][16], bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y*16+ty, col = blockIdx.x*16+tx;
	float s = 0;
	for (int k = 0; k < n; k += 16) {
		as[ty][tx] = a[row*n+k+tx];
		bs[ty][tx] = b[(k+ty)*n+col];
		__syncthreads();
		for (int i = 0; i < 16; i++) s += as[ty][i] * bs[i][tx];
		__syncthreads();
	}
	c[row*n+col] = s;
}
__global__ void Stencil(float *y, const float *x, int w, int h) {
	int i = GX, j = GY;
	if (i > 0 && i < w-1 && j > 0 && j < h-1) {
		int at = j*w + i;
		y[at] = 0.25f * (x[at-1] + x[at+1] + x[at-w] + x[at+w]);
	}
}
__global__ void Sum(float *out, const float *x, int n) {
	__shared__ float s[256];
	int t = threadIdx.x;
	float v = 0;
	for (int i = GX; i < n; i += gridDim.x*blockDim.x) v += x[i];
	s[t] = v;
	__syncthreads();
	for (int d = blockDim.x/2; d > 0; d /= 2) {
		if (t < d) s[t] += s[t+d];
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void Histogram(int *bins, const int *x, int n) {
	__shared__ int mine[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
	__syncthreads();
	for (int i = GX; i < n; i += gridDim.x*blockDim.x) atomicAdd(&mine[x[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}
__global__ void Unflatten(float *y, const float *x, int w, int h) {
	int at = GX;
	if (at < w*h) {
		int i = at%w, j = at/w;
		y[i*h+j] = x[at];
	}
}
__global__ void Seventh(int *y, const int *x, int n) {
	int i = GX;
	if (i < n) y[i] = x[i/7] + x[i%7];
}
__global__ void SpMV(float *y, const int *row, const int *col, const float *val, const float *x, int n) {
	int i = GX;
	if (i < n) {
		float s = 0;
		for (int k = row[i]; k < row[i+1]; k++) s += val[k] * x[col[k]];
		y[i] = s;
	}
}
__global__ void Looped(float *y, const float *x, int n) {
	int i = GX;
	float s = 0;
	for (int j = 0; j < 8; j++) s += x[i+j*n];
	y[i] = s;
}
__global__ void Mandel(int *out, int w, int h, int limit) {
	int i = GX, j = GY;
	if (i < w && j < h) {
		float a = 3*(float)i/(float)w-2, b = 2*(float)j/(float)h-1;
		float x = 0, y = 0;
		int k = 0;
		while (k < limit && x*x + y*y < 4) {
			float t = x*x - y*y + a;
			y = 2*(x*y) + b;
			x = t;
			k++;
		}
		out[j*w+i] = k;
	}
}
}
`
