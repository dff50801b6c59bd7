package answers

import "github.com/arrayrepl/arrayrepl/gpu"

func Rotate(x []int32) {
	i := gpu.ThreadX()
	next := x[(i+1)%len(x)]
	gpu.Sync() // all have read before anyone writes
	x[i] = next
}

func Neighbours(in, out []float32) {
	s := gpu.Shared[[64 + 2]float32]()
	t, n, i := gpu.ThreadX(), gpu.BlockDimX(), gpu.GlobalID()
	at := func(i int) float32 { // what lies outside counts as 0
		if i < 0 || i >= len(in) {
			return 0
		}
		return in[i]
	}
	s[t+1] = at(i)
	if t == 0 {
		s[0] = at(i - 1)
	}
	if t == n-1 {
		s[n+1] = at(i + 1)
	}
	gpu.Sync()
	if i < len(in) {
		out[i] = s[t] + s[t+1] + s[t+2]
	}
}

func Dot(a, b, out []float32) {
	s := gpu.Shared[[256]float32]()
	t := gpu.ThreadX()
	s[t] = a[t] * b[t]
	gpu.Sync()
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync() // outside of the if: all threads come
	}
	if t == 0 {
		out[0] = s[0]
	}
}

func Convolve(in, weights, out []float32) {
	s := gpu.Shared[[64 + 4]float32]()
	t, n, i := gpu.ThreadX(), gpu.BlockDimX(), gpu.GlobalID()
	for k := t; k < n+len(weights)-1; k += n {
		if j := i - t + k; j < len(in) {
			s[k] = in[j]
		} else {
			s[k] = 0
		}
	}
	gpu.Sync()
	if i < len(in) {
		sum := float32(0)
		for j := range len(weights) {
			sum += s[t+j] * weights[j]
		}
		out[i] = sum
	}
}

func RunningSums(in, out []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	s[t] = in[t]
	gpu.Sync()
	for d := 1; d < gpu.BlockDimX(); d *= 2 {
		v := int32(0)
		if t >= d {
			v = s[t-d]
		}
		gpu.Sync() // all have read
		s[t] += v
		gpu.Sync() // all have written
	}
	out[t] = s[t]
}

func RowSums(in, out []float32, w int) {
	y, lane := gpu.BlockX(), gpu.ThreadX()
	sum := float32(0)
	for x := lane; x < w; x += gpu.BlockDimX() {
		sum += in[y*w+x]
	}
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		sum += gpu.ShflXor(sum, h)
	}
	if lane == 0 {
		out[y] = sum
	}
}

func Transpose(in, out []float32, n int) {
	tile := gpu.Shared[[32][33]float32]() // a column more than is used: no two elements of a column share a bank
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	tile[ty][tx] = in[gpu.GlobalY()*n+gpu.GlobalX()]
	gpu.Sync()
	x, y := gpu.BlockY()*gpu.BlockDimY()+tx, gpu.BlockX()*gpu.BlockDimX()+ty
	out[y*n+x] = tile[tx][ty]
}

func Product(a, b, c []float32, n int) {
	as, bs := gpu.Shared[[16][16]float32](), gpu.Shared[[16][16]float32]()
	tx, ty, side := gpu.ThreadX(), gpu.ThreadY(), gpu.BlockDimX()
	col, row := gpu.GlobalX(), gpu.GlobalY()
	sum := float32(0)
	for t := 0; t < n; t += side {
		as[ty][tx], bs[ty][tx] = a[row*n+t+tx], b[(t+ty)*n+col]
		gpu.Sync() // both tiles are there
		for k := range side {
			sum += as[ty][k] * bs[k][tx]
		}
		gpu.Sync() // nobody needs them any more
	}
	c[row*n+col] = sum
}

func Count(in, counts []int32) {
	s := gpu.Shared[[64]int32]()
	t := gpu.ThreadX()
	for k := t; k < len(counts); k += gpu.BlockDimX() {
		s[k] = 0
	}
	gpu.Sync()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&s[in[i]], 1)
	}
	gpu.Sync()
	for k := t; k < len(counts); k += gpu.BlockDimX() {
		if s[k] > 0 {
			gpu.AtomicAdd(&counts[k], s[k])
		}
	}
}
