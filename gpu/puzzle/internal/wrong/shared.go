package wrong

import "github.com/arrayrepl/arrayrepl/gpu"

var shared = []Kernel{
	{7, "RotateAtOnce", RotateAtOnce, []string{"thread", "nothing orders them", "gpu.Sync"}},
	{7, "RotateLate", RotateLate, []string{"nothing orders them"}},
	{7, "RotateRight", RotateRight, []string{"x[0] should be", "which had read x[7]"}},
	{8, "NeighboursGlobal", NeighboursGlobal, []string{"The result is right", "sectors of global memory", "gpu.Shared"}},
	{8, "NeighboursUnordered", NeighboursUnordered, []string{"nothing orders them", "gpu.Sync()"}},
	{8, "NeighboursNoHalo", NeighboursNoHalo, []string{"out[3] should be", "written by thread 3 of block 0"}},
	{8, "NeighboursReturn", NeighboursReturn, []string{"missed barrier", "not return"}},
	{9, "DotRace", DotRace, []string{"nothing orders them", "out[0]", "gpu.AtomicAdd"}},
	{9, "DotAtomic", DotAtomic, []string{"The result is right", "256 writes to global memory", "shared memory"}},
	{9, "DotInside", DotInside, []string{"missed barrier"}},
	{10, "ConvolveGlobal", ConvolveGlobal, []string{"The result is right", "sectors of global memory"}},
	{10, "ConvolveBeyond", ConvolveBeyond, []string{"out of bounds", "index 7 is out of range"}},
	{10, "ConvolveStale", ConvolveStale, []string{"uninitialized shared memory", "write it, then gpu.Sync()"}},
	{11, "SumsSerial", SumsSerial, []string{"The result is right", "cycles", "1, 2, 4"}},
	{11, "SumsRace", SumsRace, []string{"nothing orders them"}},
	{11, "SumsExclusive", SumsExclusive, []string{"out[0] should be", "and is 0"}},
	{12, "RowsSerial", RowsSerial, []string{"The result is right", "sectors of global memory", "neighbouring elements"}},
	{12, "RowsRace", RowsRace, []string{"nothing orders them"}},
	{12, "RowsHalf", RowsHalf, []string{"out[0] should be", "written by thread 0 of block 0"}},
	{13, "TransposeNaive", TransposeNaive, []string{"The result is right", "sectors of global memory and bank conflicts"}},
	{13, "TransposeConflicts", TransposeConflicts, []string{"The result is right", "rows 33 words long"}},
	{13, "TransposeUnordered", TransposeUnordered, []string{"nothing orders them"}},
	{14, "ProductNaive", ProductNaive, []string{"The result is right", "sectors of global memory", "load tiles"}},
	{14, "ProductOneBarrier", ProductOneBarrier, []string{"nothing orders them"}},
	{14, "ProductTurned", ProductTurned, []string{"c[", "should be"}},
	{15, "CountRace", CountRace, []string{"nothing orders them", "gpu.AtomicAdd"}},
	{15, "CountGlobal", CountGlobal, []string{"The result is right", "4096 writes to global memory", "64 would do"}},
	{15, "CountUnset", CountUnset, []string{"uninitialized shared memory"}},
}

// RotateAtOnce reads and writes without a barrier.
func RotateAtOnce(x []int32) {
	i := gpu.ThreadX()
	x[i] = x[(i+1)%len(x)]
}

// RotateLate waits after the write.
func RotateLate(x []int32) {
	i := gpu.ThreadX()
	next := x[(i+1)%len(x)]
	x[i] = next
	gpu.Sync()
}

// RotateRight goes the other way.
func RotateRight(x []int32) {
	i := gpu.ThreadX()
	v := x[(i+len(x)-1)%len(x)]
	gpu.Sync()
	x[i] = v
}

// NeighboursGlobal reads each element three times.
func NeighboursGlobal(in, out []float32) {
	i := gpu.GlobalID()
	if i >= len(in) {
		return
	}
	sum := in[i]
	if i > 0 {
		sum += in[i-1]
	}
	if i+1 < len(in) {
		sum += in[i+1]
	}
	out[i] = sum
}

func tileOf(in []float32, halo bool) *[66]float32 {
	s := gpu.Shared[[66]float32]()
	t, n, i := gpu.ThreadX(), gpu.BlockDimX(), gpu.GlobalID()
	s[t+1] = 0
	if i < len(in) {
		s[t+1] = in[i]
	}
	if t == 0 {
		s[0] = 0
		if halo && i > 0 {
			s[0] = in[i-1]
		}
	}
	if t == n-1 {
		s[n+1] = 0
		if halo && i+1 < len(in) {
			s[n+1] = in[i+1]
		}
	}
	return s
}

// NeighboursUnordered has no barrier.
func NeighboursUnordered(in, out []float32) {
	s, t := tileOf(in, true), gpu.ThreadX()
	if i := gpu.GlobalID(); i < len(in) {
		out[i] = s[t] + s[t+1] + s[t+2]
	}
}

// NeighboursNoHalo forgets the neighbours of other blocks.
func NeighboursNoHalo(in, out []float32) {
	s, t := tileOf(in, false), gpu.ThreadX()
	gpu.Sync()
	if i := gpu.GlobalID(); i < len(in) {
		out[i] = s[t] + s[t+1] + s[t+2]
	}
}

// NeighboursReturn ends threads before the barrier.
func NeighboursReturn(in, out []float32) {
	i, t := gpu.GlobalID(), gpu.ThreadX()
	if i >= len(in) {
		return
	}
	s := tileOf(in, true)
	gpu.Sync()
	out[i] = s[t] + s[t+1] + s[t+2]
}

// DotRace adds to one element.
func DotRace(a, b, out []float32) {
	i := gpu.ThreadX()
	out[0] += a[i] * b[i]
}

// DotAtomic adds to one element, atomically.
func DotAtomic(a, b, out []float32) {
	i := gpu.ThreadX()
	gpu.AtomicAdd(&out[0], a[i]*b[i])
}

// DotInside has its barrier inside of the if.
func DotInside(a, b, out []float32) {
	s := gpu.Shared[[256]float32]()
	t := gpu.ThreadX()
	s[t] = a[t] * b[t]
	gpu.Sync()
	for h := gpu.BlockDimX() / 2; h > 0; h /= 2 {
		if t < h {
			s[t] += s[t+h]
			gpu.Sync()
		}
	}
	if t == 0 {
		out[0] = s[0]
	}
}

// ConvolveGlobal reads each element once for each weight.
func ConvolveGlobal(in, weights, out []float32) {
	i := gpu.GlobalID()
	if i >= len(in) {
		return
	}
	sum := float32(0)
	for j := 0; j < len(weights) && i+j < len(in); j++ {
		sum += in[i+j] * weights[j]
	}
	out[i] = sum
}

// ConvolveBeyond reads beyond the end.
func ConvolveBeyond(in, weights, out []float32) {
	i := gpu.GlobalID()
	if i >= len(in) {
		return
	}
	sum := float32(0)
	for j := range len(weights) {
		sum += in[i+j] * weights[j]
	}
	out[i] = sum
}

// ConvolveStale does not set the end of its tile.
func ConvolveStale(in, weights, out []float32) {
	s := gpu.Shared[[68]float32]()
	t, n, i := gpu.ThreadX(), gpu.BlockDimX(), gpu.GlobalID()
	for k := t; k < n+len(weights)-1; k += n {
		if j := i - t + k; j < len(in) {
			s[k] = in[j]
		}
	}
	gpu.Sync()
	if i < len(in) {
		sum := float32(0)
		for j := range len(weights) {
			sum += s[t+j] * weights[j]
		}
		out[i] = sum
	}
}

// SumsSerial lets one thread do all.
func SumsSerial(in, out []int32) {
	if gpu.ThreadX() > 0 {
		return
	}
	sum := int32(0)
	for i, v := range in {
		sum += v
		out[i] = sum
	}
}

// SumsRace has one barrier where it needs two.
func SumsRace(in, out []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	s[t] = in[t]
	gpu.Sync()
	for d := 1; d < gpu.BlockDimX(); d *= 2 {
		if t >= d {
			s[t] += s[t-d]
		}
		gpu.Sync()
	}
	out[t] = s[t]
}

// SumsExclusive leaves out the element itself.
func SumsExclusive(in, out []int32) {
	s := gpu.Shared[[256]int32]()
	t := gpu.ThreadX()
	s[t] = 0
	if t > 0 {
		s[t] = in[t-1]
	}
	gpu.Sync()
	for d := 1; d < gpu.BlockDimX(); d *= 2 {
		v := int32(0)
		if t >= d {
			v = s[t-d]
		}
		gpu.Sync()
		s[t] += v
		gpu.Sync()
	}
	out[t] = s[t]
}

// RowsSerial lets one lane read the row.
func RowsSerial(in, out []float32, w int) {
	if gpu.ThreadX() > 0 {
		return
	}
	sum := float32(0)
	for x := range w {
		sum += in[gpu.BlockX()*w+x]
	}
	out[gpu.BlockX()] = sum
}

// RowsRace adds in global memory.
func RowsRace(in, out []float32, w int) {
	for x := gpu.ThreadX(); x < w; x += gpu.BlockDimX() {
		out[gpu.BlockX()] += in[gpu.BlockX()*w+x]
	}
}

// RowsHalf stops one step early.
func RowsHalf(in, out []float32, w int) {
	y, lane := gpu.BlockX(), gpu.ThreadX()
	sum := float32(0)
	for x := lane; x < w; x += gpu.BlockDimX() {
		sum += in[y*w+x]
	}
	for h := gpu.BlockDimX() / 2; h > 1; h /= 2 {
		sum += gpu.ShflXor(sum, h)
	}
	if lane == 0 {
		out[y] = sum
	}
}

// TransposeNaive writes down columns.
func TransposeNaive(in, out []float32, n int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	out[x*n+y] = in[y*n+x]
}

// TransposeConflicts has a tile without padding.
func TransposeConflicts(in, out []float32, n int) {
	tile := gpu.Shared[[32][32]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	tile[ty][tx] = in[gpu.GlobalY()*n+gpu.GlobalX()]
	gpu.Sync()
	out[(gpu.BlockX()*gpu.BlockDimX()+ty)*n+gpu.BlockY()*gpu.BlockDimY()+tx] = tile[tx][ty]
}

// TransposeUnordered has no barrier.
func TransposeUnordered(in, out []float32, n int) {
	tile := gpu.Shared[[32][33]float32]()
	tx, ty := gpu.ThreadX(), gpu.ThreadY()
	tile[ty][tx] = in[gpu.GlobalY()*n+gpu.GlobalX()]
	out[(gpu.BlockX()*gpu.BlockDimX()+ty)*n+gpu.BlockY()*gpu.BlockDimY()+tx] = tile[tx][ty]
}

// ProductNaive reads from global memory alone.
func ProductNaive(a, b, c []float32, n int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	sum := float32(0)
	for k := range n {
		sum += a[y*n+k] * b[k*n+x]
	}
	c[y*n+x] = sum
}

// ProductOneBarrier overwrites tiles that others still read.
func ProductOneBarrier(a, b, c []float32, n int) {
	as, bs := gpu.Shared[[16][16]float32](), gpu.Shared[[16][16]float32]()
	tx, ty, side := gpu.ThreadX(), gpu.ThreadY(), gpu.BlockDimX()
	x, y := gpu.GlobalX(), gpu.GlobalY()
	sum := float32(0)
	for t := 0; t < n; t += side {
		as[ty][tx], bs[ty][tx] = a[y*n+t+tx], b[(t+ty)*n+x]
		gpu.Sync()
		for k := range side {
			sum += as[ty][k] * bs[k][tx]
		}
	}
	c[y*n+x] = sum
}

// ProductTurned takes b's rows for its columns.
func ProductTurned(a, b, c []float32, n int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	sum := float32(0)
	for k := range n {
		sum += a[y*n+k] * b[x*n+k]
	}
	c[y*n+x] = sum
}

// CountRace adds without atomics.
func CountRace(in, counts []int32) {
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		counts[in[i]]++
	}
}

// CountGlobal adds to global memory each time.
func CountGlobal(in, counts []int32) {
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&counts[in[i]], 1)
	}
}

// CountUnset counts from what shared memory happens to hold.
func CountUnset(in, counts []int32) {
	s := gpu.Shared[[64]int32]()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&s[in[i]], 1)
	}
	gpu.Sync()
	for k := gpu.ThreadX(); k < len(counts); k += gpu.BlockDimX() {
		gpu.AtomicAdd(&counts[k], s[k])
	}
}
