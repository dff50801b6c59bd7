// Package inputs makes what kernels of corpora are tried with: the same numbers for the same seed, on every machine.
package inputs

// Floats are n numbers between -1 and 1.
func Floats(n int, seed uint32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(int32(Next(&seed)>>8)-1<<23) / (1 << 23)
	}
	return out
}

// Ints are n numbers from 0 up to limit.
func Ints(n int, limit, seed uint32) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(Next(&seed) % limit)
	}
	return out
}

// Next is a step of Marsaglia's xorshift.
func Next(s *uint32) uint32 {
	if *s == 0 {
		*s = 1
	}
	*s ^= *s << 13
	*s ^= *s >> 17
	*s ^= *s << 5
	return *s
}
