package corpus

import (
	"math"
	"math/cmplx"
	"slices"
)

// wants does to the arguments of a program what its kernel should, as plain Go, by another way where there is one.
var wants = map[string]func(args []any){
	"ProfileHMM": func(args []any) {
		seq, begin, emit, table, out := args[0].([]int32), args[1].([]int32), args[2].([]int32), args[3].([]int32), args[4].([]int32)
		for i := range out {
			final, best := viterbi(seq[begin[i]:begin[i+1]], emit)
			out[i] = best
			for k, s := range final {
				table[k*len(out)+i], table[(hmmStates+k)*len(out)+i], table[(2*hmmStates+k)*len(out)+i] = s.match, s.insert, s.remove
			}
		}
	},
	"LatticeBoltzmann": func(args []any) {
		in, out, solid, w, h := args[0].([]float32), args[1].([]float32), args[2].([]int32), int(args[4].(int32)), int(args[5].(int32))
		opposite := [9]int{0, 3, 4, 1, 2, 7, 8, 5, 6}
		n := w * h
		for i := range n {
			var f [9]float64
			rho, u, v := 0.0, 0.0, 0.0
			for k, way := range lattice {
				from := (i/w-int(way[1])+h)%h*w + (i%w-int(way[0])+w)%w
				f[k] = float64(in[k*n+from])
				rho, u, v = rho+f[k], u+f[k]*float64(way[0]), v+f[k]*float64(way[1])
			}
			u, v = u/rho, v/rho
			for k, way := range lattice {
				c := 3 * (u*float64(way[0]) + v*float64(way[1]))
				weight := [9]float64{4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36}[k]
				x := f[k] + 0.6*(weight*rho*(1+c+c*c/2-1.5*(u*u+v*v))-f[k])
				if solid[i] == 0 {
					x = f[opposite[k]]
				}
				out[k*n+i] = float32(x)
			}
		}
	},
	"BlackScholes": func(args []any) {
		normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
		call := args[3].([]float32)
		for i := range call {
			s, k, t := float64(args[0].([]float32)[i]), float64(args[1].([]float32)[i]), float64(args[2].([]float32)[i])
			d := (math.Log(s/k) + (0.02+0.3*0.3/2)*t) / (0.3 * math.Sqrt(t))
			call[i] = float32(s*normal(d) - k*math.Exp(-0.02*t)*normal(d-0.3*math.Sqrt(t)))
		}
	},
	"Bitonic": func(args []any) {
		for b := range slices.Chunk(args[0].([]float32), 512) {
			slices.Sort(b)
		}
	},
	"FFT": func(args []any) {
		re, im := args[0].([]float32), args[1].([]float32)
		for b := 0; b < 2*512; b += 512 { // two blocks: a plain transform takes long
			var x, y [512]complex128
			for i := range x {
				x[i] = complex(float64(re[b+i]), float64(im[b+i]))
			}
			for k := range y {
				for i := range x {
					y[k] += x[i] * cmplx.Rect(1, -2*math.Pi*float64(k*i%512)/512)
				}
			}
			for i := range y {
				re[b+i], im[b+i] = float32(real(y[i])), float32(imag(y[i]))
			}
		}
	},
	"LU": func(args []any) {
		for a := range slices.Chunk(args[0].([]float32), luSide*luSide) {
			for i := range luSide { // Doolittle's order: row by row
				for j := range luSide {
					sum := float64(a[i*luSide+j])
					for k := range min(i, j) {
						sum -= float64(a[i*luSide+k]) * float64(a[k*luSide+j])
					}
					if j < i {
						sum /= float64(a[j*luSide+j])
					}
					a[i*luSide+j] = float32(sum)
				}
			}
		}
	},
	"BFS": func(args []any) {
		ptr, to, level, found := args[0].([]int32), args[1].([]int32), args[2].([]int32), args[3].([]int32)
		for v := range found {
			for k := ptr[v]; k < ptr[v+1]; k++ {
				if level[v] == 1 && level[to[k]] == 2 {
					found[to[k]] = 1
				}
			}
		}
	},
	"NeedlemanWunsch": func(args []any) {
		a, b, out := args[0].([]int32), args[1].([]int32), args[2].([]int32)
		for n := range out {
			var table [nwSide + 1][nwSide + 1]int32
			for i := range table {
				table[i][0], table[0][i] = int32(-i), int32(-i)
			}
			for i := 1; i <= nwSide; i++ {
				for j := 1; j <= nwSide; j++ {
					score := int32(-1)
					if a[n*nwSide+i-1] == b[n*nwSide+j-1] {
						score = 2
					}
					table[i][j] = max(table[i-1][j-1]+score, table[i-1][j]-1, table[i][j-1]-1)
				}
			}
			out[n] = table[nwSide][nwSide]
		}
	},
	"Histogram": func(args []any) {
		for _, x := range args[0].([]int32) {
			args[1].([]int32)[x]++
		}
	},
	"Mandelbrot":        escapes,
	"MandelbrotBarrier": escapes,
	"ShortCircuit": func(args []any) {
		a, b, out := args[0].([]int32), args[1].([]int32), args[2].([]int32)
	next:
		for i := range out {
			out[i] = -1
			for k := range 16 {
				x, y := a[(i+33*k)%4096], b[(5*i+k)%4096]
				switch key := int32(i % 64); {
				case x == key && y > 8, y == key && x%2 == 0, x == 63 && y == 63:
					out[i] = int32(k)
					continue next
				case x > 60 && y < 4:
					out[i] = -2 - int32(k)
					continue next
				}
			}
		}
	},
	"Stencil": func(args []any) {
		in, out, w, h, d := args[0].([]float32), args[1].([]float32), args[2].(int), args[3].(int), args[4].(int)
		at := func(x, y, z int) float64 { return float64(in[(z*(h+4)+y)*(w+4)+x]) }
		for z := 2; z < d+2; z++ {
			for y := 2; y < h+2; y++ {
				for x := 2; x < w+2; x++ {
					sum := 0.5 * at(x, y, z)
					for r, weight := range map[int]float64{1: 0.07, 2: 0.01} {
						sum += weight * (at(x-r, y, z) + at(x+r, y, z) + at(x, y-r, z) + at(x, y+r, z) + at(x, y, z-r) + at(x, y, z+r))
					}
					out[(z*(h+4)+y)*(w+4)+x] = float32(sum)
				}
			}
		}
	},
	"Reduction": func(args []any) {
		in, sums := args[0].([]int32), args[1].([]int32)
		for i, x := range in {
			sums[i/256%len(sums)] += x
		}
	},
	"Gather": func(args []any) {
		next, out := args[0].([]int32), args[1].([]int32)
		for i := range out {
			out[i] = int32(i)
			for range 8 {
				out[i] = next[out[i]]
			}
		}
	},
	"SortingNetwork": func(args []any) {
		for b := range slices.Chunk(args[0].([]int32), 512) {
			slices.Sort(b)
		}
	},
	"Product": func(args []any) {
		a, b, c, n := args[0].([]float32), args[1].([]float32), args[2].([]float32), args[3].(int)
		for i := range n {
			row := make([]float64, n)
			for k := range n {
				for j := range n {
					row[j] += float64(a[i*n+k]) * float64(b[k*n+j])
				}
			}
			for j := range n {
				c[i*n+j] = float32(row[j])
			}
		}
	},
	"VectorAdd": func(args []any) {
		for i := range args[2].([]float32) {
			args[2].([]float32)[i] = args[0].([]float32)[i] + args[1].([]float32)[i]
		}
	},
}

// hmmState is the scores of a state of the profile.
type hmmState struct{ match, insert, remove int32 }

// viterbi returns the scores at the end of a sequence and the best, each row made from a copy of the one before.
func viterbi(seq, emit []int32) (now [hmmStates]hmmState, best int32) {
	for _, letter := range seq {
		last := now
		for k := range now {
			m, e, was := int32(0), emit[int(letter)*hmmStates+k], last[k]
			if k > 0 {
				m = last[k-1].match
			}
			switch {
			case e > 4:
				m = max(m, was.insert)
				if k > 0 {
					m = max(m, now[k-1].remove)
				}
				m += e
				now[k].match, now[k].remove = m, max(m-3, 0)
				if m > best {
					best = m
					if m > 40 {
						best += e
					}
				}
			case m > 2:
				now[k] = hmmState{m - 2, max(was.match-3, was.insert-1), max(m-5, 0)}
				if now[k].insert < 0 && !(was.match-3 > was.insert-1) {
					now[k].insert = was.insert
				}
			default:
				now[k] = hmmState{0, max(was.insert-1, 0), max(was.remove, 0) / 2}
				if was.insert < 0 {
					now[k].insert = was.insert
				}
				if was.remove < 0 {
					now[k].remove = was.remove
				}
			}
		}
	}
	return now, best
}

func escapes(args []any) {
	out, w, h, limit := args[0].([]int32), args[1].(int), args[2].(int), args[3].(int32)
	for i := range out {
		cr, ci := 3*float32(i%w)/float32(w)-2, 2*float32(i/w)/float32(h)-1
		zr, zi, n := float32(0), float32(0), int32(0)
		for ; n < limit && zr*zr+zi*zi <= 4; n++ {
			zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		}
		out[i] = n
	}
}
