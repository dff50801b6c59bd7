package kernels

import (
	"math"
	"math/cmplx"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// This file has what the article "Scalable Parallel Programming with CUDA" (ACM Queue, 2008) names beside its listings.

// KernelF is the article's first grid: 3 by 2 blocks of 5 by 3 threads. Each writes its number in the grid.
func KernelF(out []int32) {
	block := gpu.BlockY()*gpu.GridDimX() + gpu.BlockX()
	out[block*gpu.BlockDimX()*gpu.BlockDimY()+gpu.ThreadRank()] = int32(gpu.GlobalY()*gpu.GlobalSize() + gpu.GlobalX())
}

// KernelG is its second: 4 blocks of 6 threads, which add what four threads of the first have written.
func KernelG(in, out []int32) {
	i := gpu.GlobalID()
	sum := int32(0)
	for j := i; j < len(in); j += gpu.GlobalSize() {
		sum += in[j]
	}
	out[i] = sum
}

// PlusReduceFixed is PlusReduce with a fixed number of elements for each thread, each elements, which are added before
// threads meet: the remedy that the article names for many threads with little work.
func PlusReduceFixed(in, total []int32, each int) {
	s := gpu.Shared[[128]int32]()
	t := gpu.ThreadX()
	first := gpu.BlockX() * gpu.BlockDimX() * each
	sum := int32(0)
	for k := range each {
		if i := first + k*gpu.BlockDimX() + t; i < len(in) {
			sum += in[i]
		}
	}
	s[t] = sum
	gpu.Sync()
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync()
	}
	if t == 0 {
		gpu.AtomicAdd(&total[0], s[0])
	}
}

// BlockSums is the form for machines without atomics: each block writes the sum of its part, and the kernel is launched
// on those again until one is left. x has room for the sums behind its n elements.
func BlockSums(x []int32, n int) {
	s := gpu.Shared[[64]int32]()
	t, i := gpu.ThreadX(), gpu.GlobalID()
	s[t] = 0
	if i < n {
		s[t] = x[i]
	}
	gpu.Sync()
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
		}
		gpu.Sync()
	}
	if t == 0 {
		x[n+gpu.BlockX()] = s[0]
	}
}

// WorkQueue lets blocks take pieces of work from a queue by an atomic increment, as they become free: the lines of a
// matrix of which each has another length. Who takes which line is not known before; what is computed is.
func WorkQueue(next []int32, start []int32, values []float32, sums []float32) {
	mine := gpu.Shared[[1]int32]()
	part := gpu.Shared[[2]float32]()
	warp := gpu.Tile(32)
	for {
		if gpu.ThreadX() == 0 {
			mine[0] = gpu.AtomicAdd(&next[0], 1)
		}
		gpu.Sync()
		line := int(mine[0])
		if line >= len(sums) {
			return
		}
		sum := float32(0)
		for i := int(start[line]) + gpu.ThreadX(); i < int(start[line+1]); i += gpu.BlockDimX() {
			sum += values[i]
		}
		sum = warp.Reduce(sum)
		if warp.Rank() == 0 {
			part[gpu.WarpID()] = sum
		}
		gpu.Sync()
		if gpu.ThreadX() == 0 {
			sums[line] = part[0] + part[1]
		}
		gpu.Sync()
	}
}

// Sample is a point of a scanner's way through frequencies, with what it has measured there.
type Sample struct{ X, Y, Z, Re, Im float32 }

// MRI is the reconstruction of an image from samples that lie on no grid, after Stone and others (2008): each voxel
// adds all samples, turned by the phase of its place. Samples are read by all threads at a time, from shared memory.
func MRI(x, y, z []float32, samples []Sample, re, im []float32) {
	s := gpu.Shared[[64]Sample]()
	i, t := gpu.GlobalID(), gpu.ThreadX()
	var px, py, pz, sumRe, sumIm float32
	if i < len(x) {
		px, py, pz = x[i], y[i], z[i]
	}
	for first := 0; first < len(samples); first += 64 {
		if first+t < len(samples) {
			s[t] = samples[first+t]
		}
		gpu.Sync()
		for k := range min(64, len(samples)-first) {
			phase := 2 * math.Pi * (s[k].X*px + s[k].Y*py + s[k].Z*pz)
			sin, cos := gpu.Sinf(phase), gpu.Cosf(phase)
			sumRe += s[k].Re*cos - s[k].Im*sin
			sumIm += s[k].Im*cos + s[k].Re*sin
		}
		gpu.Sync()
	}
	if i < len(x) {
		re[i], im[i] = sumRe, sumIm
	}
}

// LennardJones gives each atom the force of its neighbours that are nearer than cutoff, in a box whose sides meet: the
// inner loop of molecular dynamics. list has each atom's neighbours, most of them; -1 ends a shorter list.
func LennardJones(at [][3]float32, list []int32, most int, box, cutoff float32, force [][3]float32) {
	i := gpu.GlobalID()
	if i >= len(at) {
		return
	}
	var fx, fy, fz float32
	for k := range most {
		j := list[k*len(at)+i] // neighbours in the list are neighbours in memory
		if j < 0 {
			break
		}
		dx, dy, dz := nearest(at[i][0]-at[j][0], box), nearest(at[i][1]-at[j][1], box), nearest(at[i][2]-at[j][2], box)
		r2 := dx*dx + dy*dy + dz*dz
		if r2 >= cutoff*cutoff {
			continue
		}
		inverse := 1 / r2
		six := inverse * inverse * inverse
		f := 24 * inverse * six * (2*six - 1)
		fx, fy, fz = fx+f*dx, fy+f*dy, fz+f*dz
	}
	force[i] = [3]float32{fx, fy, fz}
}

// nearest is a distance to the nearest image of an atom.
func nearest(d, box float32) float32 {
	if d > box/2 {
		return d - box
	}
	if d < -box/2 {
		return d + box
	}
	return d
}

// KMeansStep is one step of k-means for points on a line, in one launch: points find their centres, blocks add them up
// in shared memory, and after a barrier of the grid each centre moves to the mean of its points.
func KMeansStep(points, centres []float32, label, sums, counts []int32) {
	s := gpu.Shared[[2][8]int32]()
	t := gpu.ThreadX()
	if t < 8 {
		s[0][t], s[1][t] = 0, 0
	}
	gpu.Sync()
	for i := gpu.GlobalID(); i < len(points); i += gpu.GlobalSize() {
		best, least := 0, float32(math.MaxFloat32)
		for c := range centres {
			if d := (points[i] - centres[c]) * (points[i] - centres[c]); d < least {
				best, least = c, d
			}
		}
		label[i] = int32(best)
		gpu.AtomicAdd(&s[0][best], int32(points[i]*4096)) // whole numbers: any order gives the same
		gpu.AtomicAdd(&s[1][best], 1)
	}
	gpu.Sync()
	if t < len(centres) {
		gpu.AtomicAdd(&sums[t], s[0][t])
		gpu.AtomicAdd(&counts[t], s[1][t])
	}
	gpu.SyncGrid()
	if i := gpu.GlobalID(); i < len(centres) && counts[i] > 0 {
		centres[i] = float32(sums[i]) / (4096 * float32(counts[i]))
	}
}

// article are the kernels of this file.
var article = []Kernel{
	{
		Name: "KernelF", Func: KernelF, Grid: d2(3, 2), Block: d2(5, 3),
		Args: func() []any { return []any{make([]int32, 90)} },
		Want: func(args []any) {
			out := args[0].([]int32)
			for y := range 6 {
				for x := range 15 {
					out[(y/3*3+x/5)*15+y%3*5+x%5] = int32(y*15 + x)
				}
			}
		},
	},
	{
		Name: "KernelG", Func: KernelG, Grid: d1(4), Block: d1(6),
		Args: func() []any { return []any{ints(90, 1000, 21), make([]int32, 24)} },
		Want: func(args []any) {
			for i, v := range args[0].([]int32) {
				args[1].([]int32)[i%24] += v
			}
		},
	},
	{
		Name: "PlusReduceFixed", Func: PlusReduceFixed, Grid: d1(2), Block: d1(128),
		Args: func() []any { return []any{ints(1900, 1<<18, 22), make([]int32, 1), 8} },
		Want: func(args []any) {
			for _, v := range args[0].([]int32) {
				args[1].([]int32)[0] += v
			}
		},
	},
	{
		Name: "BlockSums", Func: BlockSums, Grid: d1(5), Block: d1(64),
		Args: func() []any { return []any{append(ints(300, 1<<20, 23), make([]int32, 5)...), 300} },
		Want: func(args []any) {
			x := args[0].([]int32)
			for i, v := range x[:300] {
				x[300+i/64] += v
			}
		},
	},
	{
		Name: "WorkQueue", Func: WorkQueue, Grid: d1(3), Block: d1(64), Within: 1e-5,
		Args: func() []any {
			start := []int32{0}
			for _, n := range ints(20, 200, 24) {
				start = append(start, start[len(start)-1]+n)
			}
			return []any{make([]int32, 1), start, floats(int(start[20]), 25), make([]float32, 20)}
		},
		Want: func(args []any) {
			start, values, sums := args[1].([]int32), args[2].([]float32), args[3].([]float32)
			args[0].([]int32)[0] = 20 + 3 // each block learns that there is no more
			for i := range sums {
				for _, v := range values[start[i]:start[i+1]] {
					sums[i] += v
				}
			}
		},
	},
	{
		Name: "MRI", Func: MRI, Grid: d1(2), Block: d1(64), Within: 1e-4,
		Args: func() []any {
			f := floats(5*100, 26)
			samples := make([]Sample, 100)
			for i := range samples {
				samples[i] = Sample{f[5*i], f[5*i+1], f[5*i+2], f[5*i+3], f[5*i+4]}
			}
			return []any{floats(110, 27), floats(110, 28), floats(110, 29), samples, make([]float32, 110), make([]float32, 110)}
		},
		Want: func(args []any) {
			x, y, z, re, im := args[0].([]float32), args[1].([]float32), args[2].([]float32), args[4].([]float32), args[5].([]float32)
			for i := range x {
				sum := complex(0, 0)
				for _, s := range args[3].([]Sample) {
					phase := 2 * math.Pi * (float64(s.X)*float64(x[i]) + float64(s.Y)*float64(y[i]) + float64(s.Z)*float64(z[i]))
					sum += complex(float64(s.Re), float64(s.Im)) * cmplx.Exp(complex(0, phase))
				}
				re[i], im[i] = float32(real(sum)), float32(imag(sum))
			}
		},
	},
	{
		Name: "LennardJones", Func: LennardJones, Grid: d1(2), Block: d1(64), Within: 1e-4,
		Args: func() []any {
			const n, most, box, cutoff = 100, 12, 6, 2.5
			at, jitter := make([][3]float32, n), floats(3*n, 30)
			for i := range at { // near the points of a grid, so that none are too close
				for axis, step := range []int{i % 5, i / 5 % 5, i / 25} {
					at[i][axis] = 1.2*float32(step) + 0.05*jitter[3*i+axis]
				}
			}
			list := make([]int32, most*n)
			for i := range list {
				list[i] = -1
			}
			for i := range at {
				k := 0
				for j := range at {
					d := func(a int) float32 { return nearest(at[i][a]-at[j][a], box) }
					if i != j && k < most && d(0)*d(0)+d(1)*d(1)+d(2)*d(2) < 9 {
						list[k*n+i] = int32(j)
						k++
					}
				}
			}
			return []any{at, list, most, float32(box), float32(cutoff), make([][3]float32, n)}
		},
		Want: func(args []any) {
			at, list, most, box, cutoff := args[0].([][3]float32), args[1].([]int32), args[2].(int), float64(args[3].(float32)), float64(args[4].(float32))
			for i := range at {
				var sum [3]float64
				for k := range most {
					j := list[k*len(at)+i]
					if j < 0 {
						break
					}
					var d [3]float64
					r2 := 0.0
					for a := range d {
						d[a] = float64(at[i][a]) - float64(at[j][a])
						d[a] -= box * math.Round(d[a]/box)
						r2 += d[a] * d[a]
					}
					if r2 < cutoff*cutoff {
						for a := range d {
							sum[a] += 24 * (2*math.Pow(r2, -7) - math.Pow(r2, -4)) * d[a]
						}
					}
				}
				args[5].([][3]float32)[i] = [3]float32{float32(sum[0]), float32(sum[1]), float32(sum[2])}
			}
		},
	},
	{
		Name: "KMeansStep", Func: KMeansStep, Grid: d1(3), Block: d1(64), Together: true,
		Args: func() []any {
			return []any{floats(500, 31), []float32{-0.8, -0.3, 0.1, 0.5, 0.9}, make([]int32, 500), make([]int32, 5), make([]int32, 5)}
		},
		Want: func(args []any) {
			points, centres, label, sums, counts := args[0].([]float32), args[1].([]float32), args[2].([]int32), args[3].([]int32), args[4].([]int32)
			for i, p := range points {
				for c, at := range centres {
					if math.Abs(float64(p)-float64(at)) < math.Abs(float64(p)-float64(centres[label[i]])) {
						label[i] = int32(c)
					}
				}
				sums[label[i]] += int32(p * 4096)
				counts[label[i]]++
			}
			for c := range centres {
				centres[c] = float32(sums[c]) / (4096 * float32(counts[c]))
			}
		},
	},
}
