package corpus

import "github.com/arrayrepl/arrayrepl/gpu"

// This file is stand-ins for the programs of the paper on virtual threads, beside those that the other files have.

// Reduction adds up the numbers of each block, four a thread, in a tree.
func Reduction(in, sums []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	sum := int32(0)
	for i := gpu.GlobalID(); i < len(in); i += gpu.GridDimX() * 256 {
		sum += in[i]
	}
	s[t] = sum
	gpu.Sync()
	for half := 128; half > 0; half /= 2 {
		if t < half {
			s[t] += s[t+half]
		}
		gpu.Sync()
	}
	if t == 0 {
		sums[gpu.BlockX()] = s[0]
	}
}

// Gather follows a chain of eight places, each of which the one before says.
func Gather(next, out []int32) {
	i := gpu.GlobalID()
	at := int32(i)
	for range 8 {
		at = next[at]
	}
	out[i] = at
}

// VectorAdd is c = a + b.
func VectorAdd(a, b, c []float32) {
	if i := gpu.GlobalID(); i < len(c) {
		c[i] = a[i] + b[i]
	}
}
