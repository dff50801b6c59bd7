package kernels

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// Stencil1D adds the neighbours up to three places away; a block keeps its elements and a margin in shared memory.
func Stencil1D(in, out []float32) {
	s := gpu.Shared[[128 + 2*3]float32]()
	t, i := gpu.ThreadX(), gpu.GlobalID()
	get := func(i int) float32 {
		if i < 0 || i >= len(in) {
			return 0
		}
		return in[i]
	}
	s[t+3] = get(i)
	if t < 3 {
		s[t] = get(i - 3)
		s[t+3+gpu.BlockDimX()] = get(i + gpu.BlockDimX())
	}
	gpu.Sync()
	if i >= len(out) {
		return
	}
	var sum float32
	for d := -3; d <= 3; d++ {
		sum += s[t+3+d]
	}
	out[i] = sum
}

// Stencil2D is a step of heat on a grid of w columns: the mean of the four neighbours inside, the same at the edge.
func Stencil2D(in, out []float64, w int) {
	h := len(in) / w
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if x == 0 || y == 0 || x == w-1 || y == h-1 {
		out[i] = in[i]
		return
	}
	out[i] = 0.25 * (in[i-1] + in[i+1] + in[i-w] + in[i+w])
}

// Stencil3D is the same in a cube of side n, with six neighbours.
func Stencil3D(in, out []float32, n int) {
	x, y, z := gpu.GlobalX(), gpu.GlobalY(), gpu.GlobalZ()
	if x >= n || y >= n || z >= n {
		return
	}
	i := (z*n+y)*n + x
	if x == 0 || y == 0 || z == 0 || x == n-1 || y == n-1 || z == n-1 {
		out[i] = in[i]
		return
	}
	out[i] = (in[i-1] + in[i+1] + in[i-n] + in[i+n] + in[i-n*n] + in[i+n*n]) / 6
}

// Life is a generation of Conway's game on a torus.
func Life(in, out []uint8, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x >= w || y >= h {
		return
	}
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx != 0 || dy != 0 {
				n += int(in[(y+dy+h)%h*w+(x+dx+w)%w])
			}
		}
	}
	switch {
	case n == 3, n == 2 && in[y*w+x] == 1:
		out[y*w+x] = 1
	default:
		out[y*w+x] = 0
	}
}

// Filter is a 3 by 3 filter, held in a struct, on an image of 8-bit grey values; edges repeat.
type Filter struct {
	Weights [9]int32
	Shift   uint32
}

// Blur applies a filter.
func Blur(in, out []uint8, w, h int, f Filter) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x >= w || y >= h {
		return
	}
	var sum int32
	for k, weight := range f.Weights {
		cx, cy := min(max(x+k%3-1, 0), w-1), min(max(y+k/3-1, 0), h-1)
		sum += weight * int32(in[cy*w+cx])
	}
	out[y*w+x] = uint8(min(max(sum>>f.Shift, 0), 255))
}

// Sobel is the size of an image's gradient.
func Sobel(in []uint8, out []int32, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < 1 || y < 1 || x >= w-1 || y >= h-1 {
		return
	}
	at := func(dx, dy int) int32 { return int32(in[(y+dy)*w+x+dx]) }
	gx := at(1, -1) + 2*at(1, 0) + at(1, 1) - at(-1, -1) - 2*at(-1, 0) - at(-1, 1)
	gy := at(-1, 1) + 2*at(0, 1) + at(1, 1) - at(-1, -1) - 2*at(0, -1) - at(1, -1)
	out[y*w+x] = abs(gx) + abs(gy)
}

func abs[T int32 | int64](x T) T {
	if x < 0 {
		return -x
	}
	return x
}

// Median is the median of 3 by 3 pixels: an insertion sort of nine values in a thread's own array.
func Median(in, out []uint8, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < 1 || y < 1 || x >= w-1 || y >= h-1 {
		return
	}
	var v [9]uint8
	for i := range v {
		p := in[(y+i/3-1)*w+x+i%3-1]
		j := i
		for ; j > 0 && v[j-1] > p; j-- {
			v[j] = v[j-1]
		}
		v[j] = p
	}
	out[y*w+x] = v[4]
}

// Convolve is the convolution of a signal with up to 64 weights, which blocks keep in dynamic shared memory.
func Convolve(in, weights, out []float32) {
	s := gpu.SharedDynamic[float32]()
	for k := gpu.ThreadX(); k < len(weights); k += gpu.BlockDimX() {
		s[k] = weights[k]
	}
	gpu.Sync()
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	var sum float32
	for k := range len(weights) {
		sum += s[k] * in[i+k]
	}
	out[i] = sum
}

// stencils are the kernels of this file. What plain Go does is the kernel's text over all places, without blocks.
var stencils = []Kernel{
	{
		Name: "Stencil1D", Func: Stencil1D, Grid: d1(3), Block: d1(128), Args: func() []any { return []any{floats(300, 1), make([]float32, 300)} },
		Want: func(args []any) {
			in, out := args[0].([]float32), args[1].([]float32)
			for i := range out {
				for d := -3; d <= 3; d++ {
					if j := i + d; j >= 0 && j < len(in) {
						out[i] += in[j]
					}
				}
			}
		},
	},
	{
		Name: "Stencil2D", Func: Stencil2D, Grid: d2(3, 3), Block: d2(16, 8),
		Args: func() []any {
			in := make([]float64, 40*20)
			for i, v := range floats(len(in), 1) {
				in[i] = float64(v)
			}
			return []any{in, make([]float64, len(in)), 40}
		},
		Want: func(args []any) {
			in, out, w := args[0].([]float64), args[1].([]float64), args[2].(int)
			copy(out, in)
			for y := 1; y < len(in)/w-1; y++ {
				for x := 1; x < w-1; x++ {
					i := y*w + x
					out[i] = (in[i-1] + in[i+1] + in[i-w] + in[i+w]) / 4
				}
			}
		},
	},
	{
		Name: "Stencil3D", Func: Stencil3D, Grid: [3]int{2, 3, 5}, Block: [3]int{8, 4, 2}, Args: func() []any { return []any{floats(1000, 1), make([]float32, 1000), 10} },
		Want: func(args []any) {
			in, out, n := args[0].([]float32), args[1].([]float32), args[2].(int)
			copy(out, in)
			for z := 1; z < n-1; z++ {
				for y := 1; y < n-1; y++ {
					for x := 1; x < n-1; x++ {
						i := (z*n+y)*n + x
						out[i] = (in[i-1] + in[i+1] + in[i-n] + in[i+n] + in[i-n*n] + in[i+n*n]) / 6
					}
				}
			}
		},
	},
	{
		Name: "Life", Func: Life, Grid: d2(3, 3), Block: d2(16, 8),
		Args: func() []any { return []any{pixels(40*20, 2), make([]uint8, 800), 40, 20} },
		Want: func(args []any) {
			in, out, w, h := args[0].([]uint8), args[1].([]uint8), args[2].(int), args[3].(int)
			for y := range h {
				for x := range w {
					n := -int(in[y*w+x])
					for _, dy := range []int{h - 1, 0, 1} {
						for _, dx := range []int{w - 1, 0, 1} {
							n += int(in[(y+dy)%h*w+(x+dx)%w])
						}
					}
					if n == 3 || n == 2 && in[y*w+x] == 1 {
						out[y*w+x] = 1
					}
				}
			}
		},
	},
	{
		Name: "Blur", Func: Blur, Grid: d2(3, 3), Block: d2(16, 8),
		Args: func() []any {
			return []any{pixels(800, 256), make([]uint8, 800), 40, 20, Filter{[9]int32{1, 2, 1, 2, 4, 2, 1, 2, 1}, 4}}
		},
		Want: func(args []any) {
			in, out, w, h := args[0].([]uint8), args[1].([]uint8), args[2].(int), args[3].(int)
			clamp := func(x, n int) int { return min(max(x, 0), n-1) }
			for y := range h {
				for x := range w {
					sum := 0
					for dy := -1; dy <= 1; dy++ {
						for dx := -1; dx <= 1; dx++ {
							sum += (2 - dx*dx) * (2 - dy*dy) * int(in[clamp(y+dy, h)*w+clamp(x+dx, w)])
						}
					}
					out[y*w+x] = uint8(sum / 16)
				}
			}
		},
	},
	{
		Name: "Sobel", Func: Sobel, Grid: d2(3, 3), Block: d2(16, 8), Args: func() []any { return []any{pixels(800, 256), make([]int32, 800), 40, 20} },
		Want: func(args []any) {
			in, out, w, h := args[0].([]uint8), args[1].([]int32), args[2].(int), args[3].(int)
			for y := 1; y < h-1; y++ {
				for x := 1; x < w-1; x++ {
					var gx, gy int32
					for d := -1; d <= 1; d++ {
						k := int32(2 - d*d)
						gx += k * (int32(in[(y+d)*w+x+1]) - int32(in[(y+d)*w+x-1]))
						gy += k * (int32(in[(y+1)*w+x+d]) - int32(in[(y-1)*w+x+d]))
					}
					out[y*w+x] = max(gx, -gx) + max(gy, -gy)
				}
			}
		},
	},
	{
		Name: "Median", Func: Median, Grid: d2(3, 3), Block: d2(16, 8), Args: func() []any { return []any{pixels(800, 256), make([]uint8, 800), 40, 20} },
		Want: func(args []any) {
			in, out, w, h := args[0].([]uint8), args[1].([]uint8), args[2].(int), args[3].(int)
			for y := 1; y < h-1; y++ {
				for x := 1; x < w-1; x++ {
					var v []uint8
					for i := range 9 {
						v = append(v, in[(y+i/3-1)*w+x+i%3-1])
					}
					slices.Sort(v)
					out[y*w+x] = v[4]
				}
			}
		},
	},
	{
		Name: "Convolve", Func: Convolve, Grid: d1(3), Block: d1(128), Dynamic: 4 * 9,
		Args: func() []any { return []any{floats(308, 1), floats(9, 2), make([]float32, 300)} },
		Want: func(args []any) {
			in, weights, out := args[0].([]float32), args[1].([]float32), args[2].([]float32)
			for i := range out {
				for k, w := range weights {
					out[i] += float32(w * in[i+k])
				}
			}
		},
	},
}

// pixels are n numbers from 0 up to limit, always the same.
func pixels(n int, limit uint32) []uint8 {
	out := make([]uint8, n)
	for i, v := range ints(n, limit, 7) {
		out[i] = uint8(v)
	}
	return out
}
