package kernels

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// Histogram counts values into 256 bins by atomics on global memory.
func Histogram(in []uint8, bins []int32) {
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&bins[in[i]], 1)
	}
}

// HistogramShared counts in each block first.
func HistogramShared(in []uint8, bins []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	s[t] = 0
	gpu.Sync()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&s[in[i]], 1)
	}
	gpu.Sync()
	gpu.AtomicAdd(&bins[t], s[t])
}

// Particle is a body with mass.
type Particle struct{ X, Y, Z, M float32 }

// NBody is the acceleration of each body by all others; blocks read tiles of bodies together.
func NBody(bodies []Particle, acc [][3]float32, soft float32) {
	cache := gpu.Shared[[64]Particle]()
	i := gpu.GlobalID()
	var me Particle
	if i < len(bodies) {
		me = bodies[i]
	}
	var a [3]float32
	for base := 0; base < len(bodies); base += gpu.BlockDimX() {
		if j := base + gpu.ThreadX(); j < len(bodies) {
			cache[gpu.ThreadX()] = bodies[j]
		}
		gpu.Sync()
		for k := range min(gpu.BlockDimX(), len(bodies)-base) {
			other := &cache[k]
			dx, dy, dz := other.X-me.X, other.Y-me.Y, other.Z-me.Z
			r := float32(math.Sqrt(float64(float32(dx*dx) + float32(dy*dy) + float32(dz*dz) + soft)))
			f := other.M / (r * r * r)
			a[0] += float32(dx * f)
			a[1] += float32(dy * f)
			a[2] += float32(dz * f)
		}
		gpu.Sync()
	}
	if i < len(acc) {
		acc[i] = a
	}
}

// NBodyApprox is NBody by the special function units: the inverse of the root in one instruction, and multiply-adds. It
// needs as many bodies as the grid has threads, in blocks of 64.
func NBodyApprox(bodies []Particle, acc [][3]float32, soft float32) {
	cache := gpu.Shared[[64]Particle]()
	i := gpu.GlobalID()
	me := bodies[i]
	var ax, ay, az float32
	for base := 0; base < len(bodies); base += 64 {
		cache[gpu.ThreadX()] = bodies[base+gpu.ThreadX()]
		gpu.Sync()
		for k := range 64 {
			other := cache[k]
			dx, dy, dz := other.X-me.X, other.Y-me.Y, other.Z-me.Z
			inv := gpu.Approx.Rsqrt(gpu.FMA(dz, dz, gpu.FMA(dy, dy, gpu.FMA(dx, dx, soft))))
			f := other.M * inv * inv * inv
			ax, ay, az = gpu.FMA(dx, f, ax), gpu.FMA(dy, f, ay), gpu.FMA(dz, f, az)
		}
		gpu.Sync()
	}
	acc[i] = [3]float32{ax, ay, az}
}

// Mandelbrot counts the steps until a point leaves, up to limit.
func Mandelbrot(out []int32, w, h int, limit int32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x >= w || y >= h {
		return
	}
	c := complex(3*float64(x)/float64(w)-2, 2*float64(y)/float64(h)-1)
	var z complex128
	n := int32(0)
	for ; n < limit && real(z)*real(z)+imag(z)*imag(z) <= 4; n++ {
		z = z*z + c
	}
	out[y*w+x] = n
}

// KMeans gives each point of two dimensions to the nearest of k centres, and adds it to the sums of that one.
func KMeans(points [][2]float32, centres [][2]float32, label []int32, sums [][2]float32, counts []int32) {
	i := gpu.GlobalID()
	if i >= len(points) {
		return
	}
	p := points[i]
	best, at := float32(math.MaxFloat32), int32(0)
	for k, c := range centres {
		dx, dy := p[0]-c[0], p[1]-c[1]
		if d := float32(dx*dx) + float32(dy*dy); d < best {
			best, at = d, int32(k)
		}
	}
	label[i] = at
	gpu.AtomicAdd(&sums[at][0], p[0])
	gpu.AtomicAdd(&sums[at][1], p[1])
	gpu.AtomicAdd(&counts[at], 1)
}

// BlackScholes is the price of European options, calls and puts.
func BlackScholes(price, strike, years, call, put []float64, rate, sigma float64) {
	i := gpu.GlobalID()
	if i >= len(price) {
		return
	}
	s, k, t := price[i], strike[i], years[i]
	d1 := (math.Log(s/k) + (rate+sigma*sigma/2)*t) / (sigma * math.Sqrt(t))
	d2 := d1 - sigma*math.Sqrt(t)
	discount := k * math.Exp(-rate*t)
	call[i] = s*normal(d1) - discount*normal(d2)
	put[i] = discount*normal(-d2) - s*normal(-d1)
}

// normal is the cumulative normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// MonteCarloPi counts random points in the unit circle; each thread has a generator of its own.
func MonteCarloPi(inside []int64, each int, seed uint64) {
	s := seed + uint64(gpu.GlobalID())*0x9e3779b97f4a7c15
	n := int64(0)
	for range each {
		x, y := uniform(&s), uniform(&s)
		if float64(x*x)+float64(y*y) < 1 {
			n++
		}
	}
	gpu.AtomicAdd(&inside[0], n)
}

// uniform is a step of splitmix64: a number from 0 up to 1.
func uniform(s *uint64) float64 {
	*s += 0x9e3779b97f4a7c15
	z := *s
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}

// ArgMin finds the smallest element of a block and its place, by shuffles of pairs.
func ArgMin(x []float32, value []float32, place []int32) {
	vs := gpu.Shared[[8]float32]()
	is := gpu.Shared[[8]int32]()
	i := gpu.GlobalID()
	v, at := float32(math.Inf(1)), int32(-1)
	if i < len(x) {
		v, at = x[i], int32(i)
	}
	v, at = warpArgMin(v, at)
	if gpu.LaneID() == 0 {
		vs[gpu.WarpID()], is[gpu.WarpID()] = v, at
	}
	gpu.Sync()
	if gpu.WarpID() == 0 {
		v, at = float32(math.Inf(1)), -1
		if l := gpu.LaneID(); l < 8 {
			v, at = vs[l], is[l]
		}
		v, at = warpArgMin(v, at)
		if gpu.LaneID() == 0 {
			value[gpu.BlockX()], place[gpu.BlockX()] = v, at
		}
	}
}

func warpArgMin(v float32, at int32) (float32, int32) {
	for d := 16; d > 0; d /= 2 {
		w, b := gpu.ShflXor(v, d), gpu.ShflXor(at, d)
		if w < v || w == v && uint32(b) < uint32(at) {
			v, at = w, b
		}
	}
	return v, at
}

// Longest is the largest float by atomics, for which devices have no instruction.
func Longest(x, top []float32) {
	if i := gpu.GlobalID(); i < len(x) {
		gpu.AtomicMax(&top[0], x[i])
		gpu.AtomicMin(&top[1], x[i])
	}
}

// Parity tells by votes which warps have only even numbers, and which have an odd one.
func Parity(x []int32, even, odd []bool, mask []uint32) {
	p := x[gpu.GlobalID()]%2 == 0
	all, some, lanes := gpu.All(p), gpu.Any(!p), gpu.Ballot(p)
	if gpu.LaneID() == 0 {
		w := gpu.GlobalID() / 32
		even[w], odd[w], mask[w] = all, some, lanes
	}
}

// MatVec is y = A x: a warp for each row.
func MatVec(a, x, y []float32) {
	row := gpu.GlobalID() / 32
	if row >= len(y) {
		return
	}
	var sum float32
	for k := gpu.LaneID(); k < len(x); k += 32 {
		sum += float32(a[row*len(x)+k] * x[k])
	}
	sum = warpSum(sum)
	if gpu.LaneID() == 0 {
		y[row] = sum
	}
}

// Softmax of rows, a block of 128 threads for each.
func Softmax(x []float64, n int) {
	s := gpu.Shared[[128]float64]()
	row := x[gpu.BlockX()*n : (gpu.BlockX()+1)*n]
	top := math.Inf(-1)
	for i := gpu.ThreadX(); i < n; i += gpu.BlockDimX() {
		top = max(top, row[i])
	}
	top = blockFold(s[:], top, func(a, b float64) float64 { return max(a, b) })
	var sum float64
	for i := gpu.ThreadX(); i < n; i += gpu.BlockDimX() {
		row[i] = math.Exp(row[i] - top)
		sum += row[i]
	}
	sum = blockFold(s[:], sum, func(a, b float64) float64 { return a + b })
	for i := gpu.ThreadX(); i < n; i += gpu.BlockDimX() {
		row[i] /= sum
	}
}

// blockFold combines a value of each thread of a block; all get the result.
func blockFold[T any](s []T, v T, f func(a, b T) T) T {
	t := gpu.ThreadX()
	gpu.Sync()
	s[t] = v
	gpu.Sync()
	for h := len(s) / 2; h > 0; h /= 2 {
		if t < h {
			s[t] = f(s[t], s[t+h])
		}
		gpu.Sync()
	}
	return s[0]
}

// LayerNorm of rows, with a scale and a shift.
func LayerNorm(x, scale, shift []float64, n int) {
	s := gpu.Shared[[128]float64]()
	row := x[gpu.BlockX()*n:][:n]
	add := func(a, b float64) float64 { return a + b }
	var sum, squares float64
	for i := gpu.ThreadX(); i < n; i += gpu.BlockDimX() {
		sum += row[i]
		squares += float64(row[i] * row[i])
	}
	mean := blockFold(s[:], sum, add) / float64(n)
	variance := blockFold(s[:], squares, add)/float64(n) - float64(mean*mean)
	for i := gpu.ThreadX(); i < n; i += gpu.BlockDimX() {
		row[i] = (row[i]-mean)/math.Sqrt(variance+1e-5)*scale[i] + shift[i]
	}
}

// FFTPass is one step of a transform of radix 2 (Stockham's: no reordering): n numbers in pairs s apart.
func FFTPass(in, out []complex64, n, s int) {
	i := gpu.GlobalID()
	if i >= len(in)/2 {
		return
	}
	p, q := i/s, i%s
	m := n / 2
	sin, cos := math.Sincos(-2 * math.Pi * float64(p) / float64(n))
	w := complex(float32(cos), float32(sin))
	a, b := in[q+s*p], in[q+s*(p+m)]
	out[q+s*2*p] = a + b
	out[q+s*(2*p+1)] = (a - b) * w
}

// Dispatch shows Go's control flow: a switch with fallthrough, labels, goto, and a loop over an array.
func Dispatch(x []int32) {
	i := gpu.GlobalID()
	v := x[i]
outer:
	for row := int32(0); row < 4; row++ {
		for col := range int32(4) {
			switch {
			case v < 0:
				break outer
			case v%7 == 3:
				continue outer
			case v%2 == 0:
				v += row
				fallthrough
			case v > 100:
				v -= 2 * col
			default:
				v++
			}
		}
	}
	n := 0
again:
	if v > 50 && n < 20 {
		v /= 2
		n++
		goto again
	}
	for _, add := range [...]int32{1, 2, 3} {
		v += add << uint(i%3)
	}
	x[i] = v
}

// Narrow shows arithmetic on small integers, which wraps, shifts by more than the width, and the bits of floats.
func Narrow(a []int8, b []uint16, c []uint64, f []float32) {
	i := gpu.GlobalID()
	a[i] = a[i]*3 - 100>>(uint(i)%12)
	b[i] = ^b[i]<<(uint(i)%20) | b[i]&^0xf0
	c[i] = c[i]*6364136223846793005 + uint64(int64(a[i]))%1000
	f[i] = math.Float32frombits(math.Float32bits(f[i])^1) + float32(uint8(b[i]))
}
