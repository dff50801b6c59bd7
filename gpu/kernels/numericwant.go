package kernels

import (
	"math"
	"math/cmplx"
	"slices"
)

// numeric are the kernels of numeric.go, with what plain Go does.
var numeric = []Kernel{
	{Name: "Histogram", Func: Histogram, Grid: d1(2), Block: d1(256), Args: func() []any { return []any{pixels(2000, 256), make([]int32, 256)} }, Want: histogram},
	{Name: "HistogramShared", Func: HistogramShared, Grid: d1(2), Block: d1(256), Args: func() []any { return []any{pixels(2000, 256), make([]int32, 256)} }, Want: histogram},
	{
		Name: "NBody", Func: NBody, Grid: d1(2), Block: d1(64), Within: 1e-4,
		Args: func() []any { return []any{particles(100), make([][3]float32, 100), float32(0.1)} },
		Want: nBody,
	},
	{
		Name: "NBodyApprox", Func: NBodyApprox, Grid: d1(2), Block: d1(64), Within: 1e-4,
		Args: func() []any { return []any{particles(128), make([][3]float32, 128), float32(0.1)} },
		Want: nBody,
	},
	{
		Name: "Mandelbrot", Func: Mandelbrot, Grid: d2(3, 3), Block: d2(16, 8), Args: func() []any { return []any{make([]int32, 800), 40, 20, int32(100)} },
		Want: func(args []any) {
			out, w, h, limit := args[0].([]int32), args[1].(int), args[2].(int), args[3].(int32)
			for i := range out {
				a, b := 3*float64(i%w)/float64(w)-2, 2*float64(i/w)/float64(h)-1
				var x, y float64
				for out[i] < limit && float64(x*x)+float64(y*y) <= 4 {
					x, y = float64(x*x)-float64(y*y)+a, float64(x*y)+float64(y*x)+b
					out[i]++
				}
			}
		},
	},
	{
		Name: "KMeans", Func: KMeans, Grid: d1(2), Block: d1(128), Within: 1e-4,
		Args: func() []any {
			f, points := floats(400, 1), make([][2]float32, 200)
			for i := range points {
				points[i] = [2]float32{f[2*i], f[2*i+1]}
			}
			return []any{points, [][2]float32{{-0.5, -0.5}, {0.5, 0.5}, {0.5, -0.5}}, make([]int32, 200), make([][2]float32, 3), make([]int32, 3)}
		},
		Want: func(args []any) {
			points, centres := args[0].([][2]float32), args[1].([][2]float32)
			label, sums, counts := args[2].([]int32), args[3].([][2]float32), args[4].([]int32)
			for i, p := range points {
				d := make([]float32, len(centres))
				for k, c := range centres {
					d[k] = float32((p[0]-c[0])*(p[0]-c[0])) + float32((p[1]-c[1])*(p[1]-c[1]))
				}
				k := slices.Index(d, slices.Min(d))
				label[i] = int32(k)
				sums[k][0] += p[0]
				sums[k][1] += p[1]
				counts[k]++
			}
		},
	},
	{
		Name: "BlackScholes", Func: BlackScholes, Grid: d1(2), Block: d1(128), Within: 1e-13,
		Args: func() []any {
			series := func(seed uint32, from, width float64) []float64 {
				out := make([]float64, 200)
				for i, v := range floats(200, seed) {
					out[i] = from + width*(float64(v)+1)
				}
				return out
			}
			return []any{series(1, 10, 20), series(2, 10, 20), series(3, 0.2, 2), make([]float64, 200), make([]float64, 200), 0.02, 0.3}
		},
		Want: func(args []any) {
			call, put := args[3].([]float64), args[4].([]float64)
			rate, sigma := args[5].(float64), args[6].(float64)
			phi := func(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }
			for i := range call {
				s, k, t := args[0].([]float64)[i], args[1].([]float64)[i], args[2].([]float64)[i]
				d1 := (math.Log(s/k) + (rate+sigma*sigma/2)*t) / (sigma * math.Sqrt(t))
				d2 := d1 - sigma*math.Sqrt(t)
				call[i] = s*phi(d1) - k*math.Exp(-rate*t)*phi(d2)
				put[i] = call[i] - s + k*math.Exp(-rate*t) // put-call parity
			}
		},
	},
	{
		Name: "MonteCarloPi", Func: MonteCarloPi, Grid: d1(2), Block: d1(64), Args: func() []any { return []any{make([]int64, 1), 50, uint64(1)} },
		Want: func(args []any) {
			each, seed := args[1].(int), args[2].(uint64)
			for thread := range uint64(128) {
				s := seed + thread*0x9e3779b97f4a7c15
				for range each {
					x, y := uniform(&s), uniform(&s)
					if float64(x*x)+float64(y*y) < 1 {
						args[0].([]int64)[0]++
					}
				}
			}
		},
	},
	{
		Name: "ArgMin", Func: ArgMin, Grid: d1(4), Block: d1(256), Args: func() []any { return []any{floats(1000, 1), make([]float32, 4), make([]int32, 4)} },
		Want: func(args []any) {
			x := args[0].([]float32)
			for b := range 4 {
				part := x[b*256 : min(b*256+256, len(x))]
				args[1].([]float32)[b] = slices.Min(part)
				args[2].([]int32)[b] = int32(b*256 + slices.Index(part, slices.Min(part)))
			}
		},
	},
	{
		Name: "Longest", Func: Longest, Grid: d1(2), Block: d1(128), Args: func() []any { return []any{floats(200, 1), make([]float32, 2)} },
		Want: func(args []any) {
			x := args[0].([]float32)
			copy(args[1].([]float32), []float32{max(slices.Max(x), 0), min(slices.Min(x), 0)})
		},
	},
	{
		Name: "Parity", Func: Parity, Grid: d1(2), Block: d1(64),
		Args: func() []any {
			x := ints(128, 100, 1)
			for i := range 32 {
				x[i] *= 2
			}
			return []any{x, make([]bool, 4), make([]bool, 4), make([]uint32, 4)}
		},
		Want: func(args []any) {
			for w := range 4 {
				args[1].([]bool)[w] = true
				for l, v := range args[0].([]int32)[32*w : 32*w+32] {
					if v%2 == 0 {
						args[3].([]uint32)[w] |= 1 << l
					} else {
						args[1].([]bool)[w], args[2].([]bool)[w] = false, true
					}
				}
			}
		},
	},
	{
		Name: "MatVec", Func: MatVec, Grid: d1(5), Block: d1(64), Within: 1e-5, Args: func() []any { return []any{floats(9*70, 1), floats(70, 2), make([]float32, 9)} },
		Want: func(args []any) {
			a, x, y := args[0].([]float32), args[1].([]float32), args[2].([]float32)
			for i := range y {
				for k := range x {
					y[i] += float32(a[i*len(x)+k] * x[k])
				}
			}
		},
	},
	{
		Name: "Softmax", Func: Softmax, Grid: d1(3), Block: d1(128), Within: 1e-14, Args: func() []any { return []any{doubles(600, 1), 200} },
		Want: func(args []any) {
			x, n := args[0].([]float64), args[1].(int)
			for row := range slices.Chunk(x, n) {
				top, sum := slices.Max(row), 0.0
				for _, v := range row {
					sum += math.Exp(v - top)
				}
				for i, v := range row {
					row[i] = math.Exp(v-top) / sum
				}
			}
		},
	},
	{
		Name: "LayerNorm", Func: LayerNorm, Grid: d1(3), Block: d1(128), Within: 1e-10, Args: func() []any { return []any{doubles(600, 1), doubles(200, 2), doubles(200, 3), 200} },
		Want: func(args []any) {
			x, n := args[0].([]float64), args[3].(int)
			for row := range slices.Chunk(x, n) {
				var mean, variance float64
				for _, v := range row {
					mean += v / float64(n)
				}
				for _, v := range row {
					variance += (v - mean) * (v - mean) / float64(n)
				}
				for i, v := range row {
					row[i] = (v-mean)/math.Sqrt(variance+1e-5)*args[1].([]float64)[i] + args[2].([]float64)[i]
				}
			}
		},
	},
	{
		Name: "FFTPass", Func: FFTPass, Grid: d1(2), Block: d1(32), Within: 1e-6,
		Args: func() []any {
			f, in := floats(128, 1), make([]complex64, 64)
			for i := range in {
				in[i] = complex(f[2*i], f[2*i+1])
			}
			return []any{in, make([]complex64, 64), 16, 4}
		},
		Want: func(args []any) {
			in, out, n, s := args[0].([]complex64), args[1].([]complex64), args[2].(int), args[3].(int)
			for p := range n / 2 {
				w := complex64(cmplx.Rect(1, -2*math.Pi*float64(p)/float64(n)))
				for q := range s {
					a, b := in[q+s*p], in[q+s*(p+n/2)]
					out[q+s*2*p], out[q+s*(2*p+1)] = a+b, (a-b)*w
				}
			}
		},
	},
	{Name: "Dispatch", Func: Dispatch, Grid: d1(2), Block: d1(100), Args: func() []any { return []any{ints(200, 300, 1)} }, Want: func(args []any) {
		for i, v := range args[0].([]int32) {
			args[0].([]int32)[i] = dispatched(v, i)
		}
	}},
	{
		Name: "Narrow", Func: Narrow, Grid: d1(1), Block: d1(100),
		Args: func() []any {
			a, b, c := make([]int8, 100), make([]uint16, 100), make([]uint64, 100)
			for i, w := range words(100, 1) {
				a[i], b[i], c[i] = int8(w), uint16(w>>8), uint64(w)*uint64(w)
			}
			return []any{a, b, c, floats(100, 2)}
		},
		Want: func(args []any) {
			a, b, c, f := args[0].([]int8), args[1].([]uint16), args[2].([]uint64), args[3].([]float32)
			for i := range a {
				shift := i % 12
				x := int(int8(int(a[i]) * 3)) // as wide numbers, cut to the width
				a[i] = int8(x - 100>>shift)
				y := uint64(0xffff&^b[i]) << (i % 20)
				b[i] = uint16(y) | b[i]&0xff0f
				c[i] = c[i]*6364136223846793005 + uint64(int64(a[i]))%1000
				f[i] = math.Float32frombits(math.Float32bits(f[i])^1) + float32(b[i]%256)
			}
		},
	},
}

// dispatched is what Dispatch does, without labels.
func dispatched(v int32, i int) int32 {
	end := false
	for row := int32(0); row < 4 && !end; row++ {
		for col := int32(0); col < 4; col++ {
			if end = v < 0; end || v%7 == 3 {
				break
			}
			if v%2 == 0 {
				v += row - 2*col
			} else if v > 100 {
				v -= 2 * col
			} else {
				v++
			}
		}
	}
	for n := 0; v > 50 && n < 20; n++ {
		v /= 2
	}
	return v + 6<<(i%3)
}

func histogram(args []any) {
	for _, v := range args[0].([]uint8) {
		args[1].([]int32)[v]++
	}
}

// doubles are n numbers between -1 and 1, always the same.
func doubles(n int, seed uint32) []float64 {
	out := make([]float64, n)
	for i, v := range floats(n, seed) {
		out[i] = float64(v)
	}
	return out
}

func particles(n int) []Particle {
	f, bodies := floats(4*n, 1), make([]Particle, n)
	for i := range bodies {
		bodies[i] = Particle{f[4*i], f[4*i+1], f[4*i+2], f[4*i+3] + 2}
	}
	return bodies
}

func nBody(args []any) {
	bodies, acc, soft := args[0].([]Particle), args[1].([][3]float32), args[2].(float32)
	for i, a := range bodies {
		var x, y, z float64
		for _, b := range bodies {
			dx, dy, dz := float64(b.X-a.X), float64(b.Y-a.Y), float64(b.Z-a.Z)
			f := float64(b.M) / math.Pow(dx*dx+dy*dy+dz*dz+float64(soft), 1.5)
			x, y, z = x+dx*f, y+dy*f, z+dz*f
		}
		acc[i] = [3]float32{float32(x), float32(y), float32(z)}
	}
}
