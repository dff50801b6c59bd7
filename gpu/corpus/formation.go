package corpus

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// This file is stand-ins for the programs of the paper on dynamic warp formation.

// hmmStates is the length of the profile.
const hmmStates = 5

// ProfileHMM scores sequences against a profile by Viterbi's algorithm, a thread for each: sequence i is
// seq[begin[i]:begin[i+1]], of letters 0 to 3; emit has a row of scores for each letter. table has three rows of the
// profile's states for each thread: its scores of matches, insertions and deletions.
func ProfileHMM(seq, begin, emit, table, out []int32) {
	i, n := gpu.GlobalID(), len(out)
	if i >= n {
		return
	}
	match, insert, remove := i, i+hmmStates*n, i+2*hmmStates*n // and each state n further
	best := int32(0)
	for p := begin[i]; p < begin[i+1]; p++ {
		row := int(seq[p]) * hmmStates
		before := int32(0)
		for k := range hmmStates {
			at := k * n
			m := before
			before = table[match+at]
			if e := emit[row+k]; e > 4 { // the letter fits: a match, from the best of three
				if k > 0 && table[remove+at-n] > m {
					m = table[remove+at-n]
				}
				if table[insert+at] > m {
					m = table[insert+at]
				}
				m += e
				table[match+at] = m
				table[remove+at] = max(m-3, 0)
				if m > best {
					best = m
					if best > 40 { // it is a hit, which is reported once
						out[i] = best
						best += e
					}
				}
			} else if m > 2 { // it goes on, at a cost
				table[match+at] = m - 2
				table[remove+at] = max(m-5, 0)
				if x := table[insert+at] - 1; before-3 > x {
					table[insert+at] = before - 3
				} else if x >= 0 {
					table[insert+at] = x
				}
			} else { // it begins again
				table[match+at] = 0
				if table[insert+at] > 0 {
					table[insert+at]--
				}
				if table[remove+at] > 0 {
					table[remove+at] = table[remove+at] / 2
				}
			}
		}
	}
	out[i] = best
}

// lattice is the directions of nine speeds: each next four to the sides, then to the corners.
var lattice = [9][2]int32{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}

// LatticeBoltzmann is a step of the lattice Boltzmann method in two dimensions (D2Q9) on a torus of w by h cells: each
// gathers from its neighbours and relaxes, and solid ones, whose solid is 0, send back what comes. in and out have a
// plane for each direction.
func LatticeBoltzmann(in, out []float32, solid []int32, ways [9][2]int32, w, h int32) {
	i, n := int32(gpu.GlobalID()), w*h
	if i >= n {
		return
	}
	x, y := i%w, i/w
	var f [9]float32
	rho, u, v := float32(0), float32(0), float32(0)
	for k := range 9 {
		fx, fy := x-ways[k][0], y-ways[k][1]
		if fx < 0 { // round the torus, without a division
			fx += w
		} else if fx >= w {
			fx -= w
		}
		if fy < 0 {
			fy += h
		} else if fy >= h {
			fy -= h
		}
		f[k] = in[int32(k)*n+fy*w+fx]
		rho += f[k]
		u += f[k] * float32(ways[k][0])
		v += f[k] * float32(ways[k][1])
	}
	if solid[i] == 0 {
		for k := range 9 {
			back := k
			if k > 0 {
				back = (k-1)&4 + (k+1)&3 + 1
			}
			out[int32(k)*n+i] = f[back]
		}
		return
	}
	u /= rho
	v /= rho
	square := 1.5 * (u*u + v*v)
	for k := range 9 {
		weight := float32(1) / 36
		if k == 0 {
			weight = 4. / 9
		} else if k < 5 {
			weight = 1. / 9
		}
		c := 3 * (u*float32(ways[k][0]) + v*float32(ways[k][1]))
		out[int32(k)*n+i] = f[k] + 0.6*(weight*rho*(1+c+c*c/2-square)-f[k])
	}
}

// BlackScholes is the price of European calls, an option a thread, at a rate of 2 % and a volatility of 30 %.
func BlackScholes(price, strike, years, call []float32) {
	if i := gpu.GlobalID(); i < len(price) {
		root := float32(math.Sqrt(float64(years[i])))
		d := (branchyLog(price[i]/strike[i]) + (0.02+0.045)*years[i]) / (0.3 * root)
		call[i] = price[i]*cumulative(d) - strike[i]*branchyExp(-0.02*years[i])*cumulative(d-0.3*root)
	}
}

// cumulative is the normal distribution by Abramowitz and Stegun's 26.2.17.
func cumulative(d float32) float32 {
	x := d
	if x < 0 {
		x = -x
	}
	k := 1 / (1 + 0.2316419*x)
	c := 0.39894228 * branchyExp(-x*x/2) * (k * (0.31938153 + k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429)))))
	if d > 0 {
		return 1 - c
	}
	return c
}

// branchyExp is e to x as FreeBSD's and Sun's msun libraries have it: branches for what is rare, and short ones. It is
// 0 where float32 has only subnormal numbers, and the largest number beyond that.
func branchyExp(x float32) float32 {
	size := x
	if x < 0 {
		size = -x
	}
	if size > 87 {
		if x < 0 {
			return 0
		}
		return math.MaxFloat32
	}
	k := int32(0)
	if size > 0.34657359 { // ln 2 / 2
		if size < 1.0397208 { // and three times that
			if x < 0 {
				k = -1
			} else {
				k = 1
			}
		} else if x < 0 {
			k = int32(1.442695*x - 0.5)
		} else {
			k = int32(1.442695*x + 0.5)
		}
		x -= float32(k) * 0.693147181
	} else if size < 1./16384 {
		return 1 + x
	}
	y := 1 + x*(1+x*(0.5+x*(1./6+x*(1./24+x*(1./120)))))
	if k == 0 {
		return y
	}
	return y * math.Float32frombits(uint32(k+127)<<23)
}

// branchyLog is the natural logarithm of a positive normal x, as those libraries have it.
func branchyLog(x float32) float32 {
	bits := math.Float32bits(x)
	k := int32(bits>>23) - 127
	m := math.Float32frombits(bits&0x7fffff | 0x3f800000)
	if m > 1.41421356 {
		m *= 0.5
		k++
	}
	f := m - 1
	if -1./8192 < f && f < 1./8192 {
		if f == 0 {
			if k == 0 {
				return 0
			}
			return float32(k) * 0.693147181
		}
		return float32(k)*0.693147181 + f - f*f*(0.5-f/3)
	}
	t := f / (2 + f)
	s := t * t
	y := 2 * t * (1 + s*(1./3+s*(1./5+s*(1./7))))
	if k == 0 {
		return y
	}
	return float32(k)*0.693147181 + y
}

// Bitonic sorts the 512 elements of each block.
func Bitonic(x []float32) {
	s := gpu.Shared[[512]float32]()
	t := gpu.ThreadX()
	s[t] = x[gpu.GlobalID()]
	gpu.Sync()
	for k := 2; k <= 512; k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			if other := t ^ j; other > t {
				if t&k == 0 {
					if s[t] > s[other] {
						s[t], s[other] = s[other], s[t]
					}
				} else if s[t] < s[other] {
					s[t], s[other] = s[other], s[t]
				}
			}
			gpu.Sync()
		}
	}
	x[gpu.GlobalID()] = s[t]
}

// FFT transforms 512 complex numbers in each block, by Stockham's steps of radix 2; the tables have cosines and sines
// of -2 pi k/512.
func FFT(re, im, cos, sin []float32) {
	a := gpu.Shared[[2][2][512]float32]()
	t, base := gpu.ThreadX(), gpu.BlockX()*512
	for i := t; i < 512; i += 256 {
		a[0][0][i], a[0][1][i] = re[base+i], im[base+i]
	}
	gpu.Sync()
	from := 0
	for s := 1; s < 512; s *= 2 {
		p, q := t/s, t%s
		c, d := cos[p*s], sin[p*s]
		xr, xi := a[from][0][q+s*p], a[from][1][q+s*p]
		yr, yi := a[from][0][q+s*p+256], a[from][1][q+s*p+256]
		to := 1 - from
		a[to][0][q+2*s*p], a[to][1][q+2*s*p] = xr+yr, xi+yi
		dr, di := xr-yr, xi-yi
		a[to][0][q+2*s*p+s], a[to][1][q+2*s*p+s] = dr*c-di*d, dr*d+di*c
		from = to
		gpu.Sync()
	}
	for i := t; i < 512; i += 256 {
		re[base+i], im[base+i] = a[from][0][i], a[from][1][i]
	}
}

// twiddles are cosines (0) or sines (1) of -2 pi k/512.
func twiddles(part int) []float32 {
	out := make([]float32, 256)
	for k := range out {
		sin, cos := math.Sincos(-2 * math.Pi * float64(k) / 512)
		out[k] = float32([2]float64{cos, sin}[part])
	}
	return out
}

// luSide is the side of LU's matrices, luMatrices how many a block has.
const (
	luSide     = 16
	luMatrices = 3
)

// LU factorises three matrices in each block in place, without pivots, a thread for each element.
func LU(a []float32) {
	s := gpu.Shared[[luMatrices][luSide][luSide]float32]()
	m, row, col := gpu.ThreadZ(), gpu.ThreadY(), gpu.ThreadX()
	at := ((gpu.BlockX()*luMatrices+m)*luSide+row)*luSide + col
	s[m][row][col] = a[at]
	gpu.Sync()
	for k := range luSide - 1 {
		if col == k && row > k {
			s[m][row][k] /= s[m][k][k]
		}
		gpu.Sync()
		if row > k && col > k {
			s[m][row][col] -= s[m][row][k] * s[m][k][col]
		}
		gpu.Sync()
	}
	a[at] = s[m][row][col]
}

// Product is c = a b of n by n matrices, n a multiple of 64: a block makes 64 by 64 elements, a thread 4 by 4.
func Product(a, b, c []float32, n int) {
	as := gpu.Shared[[16][64]float32]()
	bs := gpu.Shared[[16][64]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	t := ty*16 + tx
	row, col := gpu.BlockY()*64, gpu.BlockX()*64
	var c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33 float32
	for m := 0; m < n; m += 16 {
		for i := t; i < 1024; i += 256 {
			as[i%16][i/16] = a[(row+i/16)*n+m+i%16]
			bs[i/64][i%64] = b[(m+i/64)*n+col+i%64]
		}
		gpu.Sync()
		for k := range 16 {
			a0, a1, a2, a3 := as[k][4*ty], as[k][4*ty+1], as[k][4*ty+2], as[k][4*ty+3]
			b0, b1, b2, b3 := bs[k][tx], bs[k][tx+16], bs[k][tx+32], bs[k][tx+48]
			c00 += a0 * b0
			c01 += a0 * b1
			c02 += a0 * b2
			c03 += a0 * b3
			c10 += a1 * b0
			c11 += a1 * b1
			c12 += a1 * b2
			c13 += a1 * b3
			c20 += a2 * b0
			c21 += a2 * b1
			c22 += a2 * b2
			c23 += a2 * b3
			c30 += a3 * b0
			c31 += a3 * b1
			c32 += a3 * b2
			c33 += a3 * b3
		}
		gpu.Sync()
	}
	to := (row+4*ty)*n + col + tx
	c[to], c[to+16], c[to+32], c[to+48] = c00, c01, c02, c03
	to += n
	c[to], c[to+16], c[to+32], c[to+48] = c10, c11, c12, c13
	to += n
	c[to], c[to+16], c[to+32], c[to+48] = c20, c21, c22, c23
	to += n
	c[to], c[to+16], c[to+32], c[to+48] = c30, c31, c32, c33
}
