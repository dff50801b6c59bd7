package goldens

import "github.com/arrayrepl/arrayrepl/gpu"

// Ones writes one to the threads' own elements.
func Ones(x []int32) {
	t := gpu.ThreadX() + gpu.BlockDimX()*gpu.ThreadY()
	b := gpu.BlockX() + gpu.GridDimX()*gpu.BlockY()
	x[b*gpu.BlockDimX()*gpu.BlockDimY()+t] = 1
}

// Sides lets odd and even threads go different ways of equal length.
func Sides(x []int32) {
	i := gpu.GlobalID()
	v := x[i]
	if i&1 != 0 {
		v *= 3 // odd
		v ^= 5 // odd
		x[i] = v
	} else {
		v *= 7 // even
		v ^= 9 // even
		x[i] = v
	}
}

// Ways lets each lane go its own way.
func Ways(x []int32) {
	i := gpu.GlobalID()
	for k := 0; k < 32; k++ {
		if i&31 == k {
			x[i] = x[i]*int32(k) + 1 // one lane
		}
	}
}

// scanWarp is the inclusive sum over p by lanes that go in lockstep, the warp's own elements around place i.
func scanWarp(p *[1024]int32, i int) int32 {
	lane := i & 31
	for o := 1; o < 32; o *= 2 {
		below := int32(0)
		if lane >= o {
			below = p[i-o]
		}
		gpu.SyncWarp()
		if lane >= o {
			p[i] = below + p[i] // operator
		}
		gpu.SyncWarp()
	}
	return p[i]
}

// ScanBlock is the inclusive sum of a block by warp scans in shared memory: cuda-scan-brook.md D.2.3, with the total
// read before the barrier.
func ScanBlock(x []int32) {
	p := gpu.Shared[[1024]int32]()
	i := gpu.ThreadX()
	p[i] = x[i]
	gpu.SyncWarp()
	v := scanWarp(p, i)
	total := p[i|31]
	gpu.Sync()
	if i&31 == 31 {
		p[i>>5] = total
	}
	gpu.Sync()
	if i < 32 {
		scanWarp(p, i)
	}
	gpu.Sync()
	if i >= 32 {
		v = p[i>>5-1] + v // operator
	}
	gpu.Sync()
	p[i] = v
	gpu.Sync()
	x[i] = p[i]
}

// ScanSimple is the inclusive sum of a block in steps of the whole block: D.2.2.
func ScanSimple(x []int32) {
	p := gpu.Shared[[1024]int32]()
	i := gpu.ThreadX()
	p[i] = x[i]
	for o := 1; o < gpu.BlockDimX(); o *= 2 {
		t := p[i]
		if i >= o {
			t = p[i-o] + t // operator
		}
		gpu.Sync()
		p[i] = t
		gpu.Sync()
	}
	x[i] = p[i]
}

// Orbit lets each thread follow the logistic map for so many steps.
func Orbit(x []float32, steps int) {
	i := gpu.GlobalID()
	if i >= len(x) {
		return
	}
	v := x[i]
	for range steps {
		v = 3.7 * v * (1 - v)
	}
	x[i] = v
}

// PlusReduce64 adds the elements of in to total[0], in blocks of 256 threads.
func PlusReduce64(in, total []int64) {
	s := gpu.Shared[[256]int64]()
	tx, i := gpu.ThreadX(), gpu.GlobalID()
	if i < len(in) {
		s[tx] = in[i]
	} else {
		s[tx] = 0
	}
	gpu.Sync()
	for h := 128; h > 0; h /= 2 {
		if tx < h {
			s[tx] += s[tx+h]
		}
		gpu.Sync()
	}
	if tx == 0 {
		gpu.AtomicAdd(&total[0], s[0])
	}
}
