// Package lifted has pairs of kernels that compute the same: one in a loop, and one in which all loads are written
// before what is computed from them, as a person lifts them who knows that a machine waits at the first use.
package lifted

import "github.com/arrayrepl/arrayrepl/gpu"

// Looped adds up eight elements.
func Looped(y, x []float32, n int) {
	i := gpu.GlobalX()
	s := float32(0)
	for j := 0; j < 8; j++ {
		s += x[i+j*n]
	}
	y[i] = s
}

// Lifted does what Looped does.
func Lifted(y, x []float32, n int) {
	i := gpu.GlobalX()
	a, b, c, d := x[i], x[i+n], x[i+2*n], x[i+3*n]
	e, f, g, h := x[i+4*n], x[i+5*n], x[i+6*n], x[i+7*n]
	s := float32(0)
	s += a
	s += b
	s += c
	s += d
	s += e
	s += f
	s += g
	s += h
	y[i] = s
}

// LoopedCopy copies four elements.
func LoopedCopy(y, x []float32, n int) {
	i := gpu.GlobalX()
	for j := 0; j < 4; j++ {
		y[i+j*n] = x[i+j*n]
	}
}

// LiftedCopy does what LoopedCopy does where y and x are apart.
func LiftedCopy(y, x []float32, n int) {
	i := gpu.GlobalX()
	a, b, c, d := x[i], x[i+n], x[i+2*n], x[i+3*n]
	y[i] = a
	y[i+n] = b
	y[i+2*n] = c
	y[i+3*n] = d
}

// LoopedGather adds up four elements that others name.
func LoopedGather(y, x []float32, at []int32, n int) {
	i := gpu.GlobalX()
	s := float32(0)
	for j := 0; j < 4; j++ {
		s += x[at[i+j*n]]
	}
	y[i] = s
}

// LiftedGather does what LoopedGather does.
func LiftedGather(y, x []float32, at []int32, n int) {
	i := gpu.GlobalX()
	k, l, m, o := at[i], at[i+n], at[i+2*n], at[i+3*n]
	a, b, c, d := x[k], x[l], x[m], x[o]
	s := float32(0)
	s += a
	s += b
	s += c
	s += d
	y[i] = s
}

// Halves halves what it is given, as doubles.
func Halves(y []float64) {
	i := gpu.GlobalX()
	y[i] = y[i] * 0.5
}

// Adds has all threads add to one element.
func Adds(x []int32) {
	x[0] += 1
}

// Neighbours has threads write what others read, in two statements.
func Neighbours(x []int32) {
	i := gpu.GlobalX()
	y := x[(i+1)%len(x)]
	x[i] = y
}

// Rows multiplies a sparse matrix by a vector, a warp for each row: its lanes take the row's elements in turn.
func Rows(ptr, col []int32, val, x, y []float32) {
	row, lane := gpu.GlobalX()/32, gpu.LaneID()
	if row >= len(y) {
		return
	}
	s := float32(0)
	for k := ptr[row] + int32(lane); k < ptr[row+1]; k += 32 {
		s += val[k] * x[col[k]]
	}
	for d := 16; d > 0; d /= 2 {
		s += gpu.ShflDown(s, d)
	}
	if lane == 0 {
		y[row] = s
	}
}

// Tail sums 32 numbers as CUDA programs did before compute capability 7.0: the lanes of a warp go together.
func Tail(x []int32) {
	s := gpu.Shared[[64]int32]()
	t := gpu.ThreadX()
	s[t], s[t+32] = x[t], 0
	for d := 16; d > 0; d /= 2 {
		s[t] += s[t+d]
	}
	x[t] = s[t]
}

// Parting lets each thread take a way of its own: rounds and sides of a branch by a hash of its number.
func Parting(out []int32) {
	i := gpu.GlobalID()
	sum, h := int32(0), uint32(i)*2654435769
	for k := uint32(0); k < h>>28; k++ {
		if h>>(k+3)&1 == 0 {
			sum += int32(k*k) + 1
			sum ^= int32(h)
			sum *= 5
		} else {
			sum -= 3 * int32(k)
			sum |= 1
			sum *= 7
		}
	}
	if i < len(out) {
		out[i] = sum
	}
}

// Printing prints.
func Printing(out []int32) { gpu.Printf("%d\n", len(out)) }

// Clocked reads a clock.
func Clocked(out []int64) { out[gpu.GlobalID()] = int64(gpu.Clock()) }
