package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// Ahead adds pieces of x, a block each, of which each is copied to shared memory while the one before is worked on.
func Ahead(x, out []float32, pieces int) {
	s := gpu.Shared[[2][128]float32]()
	t := gpu.ThreadX()
	first := gpu.BlockX() * pieces * 128
	gpu.CopyAsync(&s[0][t], &x[first+t])
	gpu.CommitCopies()
	sum := float32(0)
	for p := range pieces {
		if p+1 < pieces {
			gpu.CopyAsync(&s[(p+1)%2][t], &x[first+(p+1)*128+t])
		}
		gpu.CommitCopies()
		gpu.WaitCopies(1)
		gpu.Sync()
		v := s[p%2][127-t]
		for range 40 {
			v = v*0.5 + 0.25
		}
		sum += v
		gpu.Sync()
	}
	out[gpu.GlobalID()] = sum
}

// Behind is Ahead by loads and stores: threads wait for each piece.
func Behind(x, out []float32, pieces int) {
	s := gpu.Shared[[128]float32]()
	t := gpu.ThreadX()
	first := gpu.BlockX() * pieces * 128
	sum := float32(0)
	for p := range pieces {
		s[t] = x[first+p*128+t]
		gpu.Sync()
		v := s[127-t]
		for range 40 {
			v = v*0.5 + 0.25
		}
		sum += v
		gpu.Sync()
	}
	out[gpu.GlobalID()] = sum
}

// Forgets does not wait for its copy.
func Forgets(x, out []float32) {
	s := gpu.Shared[[64]float32]()
	t := gpu.ThreadX()
	s[t] = -1
	gpu.CopyAsync(&s[t], &x[t])
	gpu.CommitCopies()
	gpu.Sync()
	out[t] = s[63-t]
}

// CopiesOut is refused.
func CopiesOut(x, out []float32) { gpu.CopyAsync(&out[gpu.ThreadX()], &x[gpu.ThreadX()]) }
