package corpus

import "github.com/arrayrepl/arrayrepl/gpu"

// This file is stand-ins for the programs of the paper on simultaneous branch and warp interweaving.

// BFS is a level of a breadth-first search: a vertex whose level is 1 is of the frontier, one with 2 has not been seen.
// found becomes 1 where the next frontier is.
func BFS(ptr, to, level, found []int32) {
	i := gpu.GlobalID()
	if i >= len(level) {
		return
	}
	if level[i] == 1 {
		for k := ptr[i]; k < ptr[i+1]; k++ {
			if v := to[k]; level[v] == 2 {
				gpu.AtomicMax(&found[v], 1)
			}
		}
	}
}

// nwSide is the length of NeedlemanWunsch's sequences.
const nwSide = 64

// NeedlemanWunsch scores the best alignment of the two sequences of each block: 2 for equal letters, -1 for others and
// for gaps. Thread t has row t+1 of the table; diagonals follow each other.
func NeedlemanWunsch(a, b, out []int32) {
	diagonals := gpu.Shared[[3][nwSide + 1]int32]()
	t := gpu.ThreadX()
	letter := a[gpu.BlockX()*nwSide+t]
	if t == 0 {
		diagonals[0][0], diagonals[1][0] = 0, -1
	}
	if t == 0 {
		diagonals[1][1] = -1
	}
	gpu.Sync()
	for d := 2; d <= 2*nwSide; d++ {
		now, last, before := d%3, (d+2)%3, (d+1)%3
		row, col := t+1, d-t-1
		if col == 0 {
			diagonals[now][row] = int32(-row)
		} else if col > 0 && col <= nwSide {
			score := int32(-1)
			if letter == b[gpu.BlockX()*nwSide+col-1] {
				score = 2
			}
			score += diagonals[before][row-1]
			if gap := diagonals[last][row] - 1; gap > score {
				score = gap
			}
			if gap := diagonals[last][row-1] - 1; gap > score {
				score = gap
			}
			diagonals[now][row] = score
		}
		if t == 0 {
			diagonals[now][0] = int32(-d)
		}
		gpu.Sync()
	}
	if t == nwSide-1 {
		out[gpu.BlockX()] = diagonals[2*nwSide%3][nwSide]
	}
}

// Histogram counts numbers from 0 to 255, eight of them a thread; a block counts in shared memory first.
func Histogram(in, bins []int32) {
	own := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	for i := t; i < 256; i += gpu.BlockDimX() {
		own[i] = 0
	}
	gpu.Sync()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GridDimX() * gpu.BlockDimX() {
		gpu.AtomicAdd(&own[in[i]], 1)
	}
	gpu.Sync()
	for i := t; i < 256; i += gpu.BlockDimX() {
		if own[i] > 0 {
			gpu.AtomicAdd(&bins[i], own[i])
		}
	}
}

// Mandelbrot counts the steps until a point leaves, up to limit.
func Mandelbrot(out []int32, w, h int, limit int32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	cr, ci := 3*float32(x)/float32(w)-2, 2*float32(y)/float32(h)-1
	zr, zi := float32(0), float32(0)
	n := int32(0)
	for n < limit && zr*zr+zi*zi <= 4 {
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		n++
	}
	out[y*w+x] = n
}

// MandelbrotBarrier is Mandelbrot whose blocks meet at each step, as they do who take their points together.
func MandelbrotBarrier(out []int32, w, h int, limit int32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	cr, ci := 3*float32(x)/float32(w)-2, 2*float32(y)/float32(h)-1
	zr, zi := float32(0), float32(0)
	n := int32(0)
	for range limit {
		if zr*zr+zi*zi <= 4 {
			zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			n++
		}
		gpu.Sync()
	}
	out[y*w+x] = n
}

// ShortCircuit looks in a and b for the first place, from its own on, that fulfils a condition of several parts, in 16
// places at most; -1 where there is none.
func ShortCircuit(a, b, out []int32) {
	i := gpu.GlobalID()
	key, found := int32(i&63), int32(-1)
	for k := range 16 {
		x, y := a[(i+k*33)&4095], b[(i*5+k)&4095]
		if x == key && y > 8 || y == key && x&1 == 0 || x+y == 126 {
			found = int32(k)
			break
		}
		if x > 60 && y < 4 {
			found = -2 - int32(k)
			break
		}
	}
	out[i] = found
}

// Stencil is a stencil of 13 points in three dimensions, two to each side: a thread goes through the planes. in and
// out have a margin of two to each side.
func Stencil(in, out []float32, w, h, d int) {
	row := w + 4
	plane := row * (h + 4)
	i := 2*plane + (gpu.GlobalY()+2)*row + gpu.GlobalX() + 2
	for range d {
		near := in[i-1] + in[i+1] + in[i-row] + in[i+row] + in[i-plane] + in[i+plane]
		far := in[i-2] + in[i+2] + in[i-2*row] + in[i+2*row] + in[i-2*plane] + in[i+2*plane]
		out[i] = 0.5*in[i] + 0.07*near + 0.01*far
		i += plane
	}
}

// SortingNetwork sorts the 512 elements of each block by Batcher's odd-even merges.
func SortingNetwork(x []int32) {
	s := gpu.Shared[[512]int32]()
	t, base := gpu.ThreadX(), gpu.BlockX()*512
	s[t], s[t+256] = x[base+t], x[base+t+256]
	for size := 2; size <= 512; size *= 2 {
		stride := size / 2
		offset := t & (stride - 1)
		gpu.Sync()
		at := 2*t - t&(stride-1)
		if s[at] > s[at+stride] {
			s[at], s[at+stride] = s[at+stride], s[at]
		}
		for stride /= 2; stride > 0; stride /= 2 {
			gpu.Sync()
			at := 2*t - t&(stride-1)
			if offset >= stride && s[at-stride] > s[at] {
				s[at-stride], s[at] = s[at], s[at-stride]
			}
		}
	}
	gpu.Sync()
	x[base+t], x[base+t+256] = s[t], s[t+256]
}
