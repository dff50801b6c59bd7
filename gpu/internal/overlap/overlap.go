// Package overlap has kernels whose arguments may share memory.
package overlap

import "github.com/arrayrepl/arrayrepl/gpu"

// Pair is an argument with two slices.
type Pair struct {
	A, B []int32
}

// Steps does what ops says, one step after the other: ops has a step in three numbers, the slice that is written, from
// which slice, and an index. One thread alone runs it.
func Steps(ops []int32, a, b []int32, p Pair, small []uint8, wide []float64) {
	if gpu.GlobalX() > 0 {
		return
	}
	for k := 0; k+3 <= len(ops); k += 3 {
		i, v := int(ops[k+2]), int32(k)
		switch ops[k+1] {
		case 0:
			v += a[i%len(a)]
		case 1:
			v += b[i%len(b)]
		case 2:
			v += p.A[i%len(p.A)]
		case 3:
			v += p.B[i%len(p.B)]
		case 4:
			v += int32(small[i%len(small)])
		default:
			if wide[i%len(wide)] > 1e-100 {
				v++
			}
		}
		switch ops[k] {
		case 0:
			a[i%len(a)] = v
		case 1:
			b[i%len(b)] += v
		case 2:
			p.A[i%len(p.A)] = 3 * v
		case 3:
			p.B[i%len(p.B)] += 5 * v
		case 4:
			small[i%len(small)] ^= uint8(v)
		default:
			wide[i%len(wide)] = float64(v)
		}
	}
}

// Smooth replaces each element of y by a mean of three of x.
func Smooth(x, y []float32) {
	if i := gpu.GlobalX(); i > 0 && i < len(x)-1 {
		y[i] = (x[i-1] + x[i] + x[i+1]) / 3
	}
}

// Room says what lies behind a slice.
func Room(x, out []int32) {
	if gpu.GlobalX() == 0 {
		out[0], out[1] = int32(len(x)), int32(cap(x))
	}
}
