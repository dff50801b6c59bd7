package gpu_test

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/emulate"
)

// run calls a kernel as the Go function that it is, a goroutine for each thread: the functions of package gpu that it
// calls are real ones. A program launches kernels by gpu.Launch, once kernelgen has compiled them, on devices.
func run(blocks, threads int, kernel func()) {
	if err := emulate.Run([3]int{blocks, 1, 1}, [3]int{threads, 1, 1}, 0, kernel); err != nil {
		fmt.Println(err)
	}
}

func saxpy(a float32, x, y []float32) {
	if i := gpu.GlobalID(); i < len(y) {
		y[i] += a * x[i]
	}
}

// Each thread has an element of its own; those of the last block that have none do nothing.
func ExampleGlobalID() {
	x, y := []float32{1, 2, 3}, []float32{10, 10, 10}
	run(gpu.Blocks(len(y), 256), 256, func() { saxpy(2, x, y) })
	fmt.Println(y)
	// Output:
	// [12 14 16]
}

// So many blocks cover all elements: the last one has threads without one, which kernels ask for.
func ExampleBlocks() {
	fmt.Println(gpu.Blocks(1000, 256), gpu.Blocks(1024, 256), gpu.Blocks(1025, 256))
	// Output:
	// 4 4 5
}

// The threads of a block write into memory that they share, wait for each other, and read what others wrote.
func ExampleSync() {
	reverse := func(x []int32) {
		tile := gpu.Shared[[8]int32]()
		tile[gpu.ThreadX()] = x[gpu.GlobalID()]
		gpu.Sync()
		x[gpu.GlobalID()] = tile[gpu.BlockDimX()-1-gpu.ThreadX()]
	}
	x := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	run(2, 8, func() { reverse(x) })
	fmt.Println(x)
	// Output:
	// [7 6 5 4 3 2 1 0 15 14 13 12 11 10 9 8]
}

// The lanes of a warp add their values in five steps, without memory.
func ExampleShflDown() {
	sum := func(x, out []int32) {
		v := x[gpu.GlobalID()]
		for d := 16; d > 0; d /= 2 {
			v += gpu.ShflDown(v, d)
		}
		if gpu.LaneID() == 0 {
			out[gpu.BlockX()] = v
		}
	}
	x, out := make([]int32, 64), make([]int32, 2)
	for i := range x {
		x[i] = int32(i)
	}
	run(2, 32, func() { sum(x, out) })
	fmt.Println(out)
	// Output:
	// [496 1520]
}

// Tiles of four threads add their values, and each thread those before it.
func ExampleTile() {
	sums := func(x, out []float32) {
		t := gpu.Tile(4)
		i := gpu.GlobalID()
		v := t.Reduce(x[i])
		x[i] = t.Scan(x[i])
		if t.Rank() == 0 {
			out[i/t.Size()] = v
		}
	}
	x, out := []float32{1, 2, 3, 4, 10, 20, 30, 40}, make([]float32, 2)
	run(1, 8, func() { sums(x, out) })
	fmt.Println(out, x)
	// Output:
	// [10 100] [1 3 6 10 10 30 60 100]
}

// The threads that have come into a branch take their places by one atomic for all of them.
func ExampleCoalescedOf() {
	positive := func(x, out, count []int32) {
		if v := x[gpu.GlobalID()]; v > 0 {
			g := gpu.CoalescedOf[int32]()
			first := int32(0)
			if g.Rank() == 0 {
				first = gpu.AtomicAdd(&count[0], int32(g.Size()))
			}
			out[int(g.Shfl(first, 0))+g.Rank()] = v
		}
	}
	x, out, count := []int32{3, -1, 4, 0, -5, 9}, make([]int32, 6), make([]int32, 1)
	run(1, 6, func() { positive(x, out, count) })
	slices.Sort(out)
	fmt.Println(out, count)
	// Output:
	// [0 0 0 3 4 9] [3]
}

// Many threads count into few places.
func ExampleAtomicAdd() {
	count := func(x, bins []int32) { gpu.AtomicAdd(&bins[x[gpu.GlobalID()]], 1) }
	bins := make([]int32, 3)
	run(1, 8, func() { count([]int32{0, 1, 2, 1, 1, 0, 2, 1}, bins) })
	fmt.Println(bins)
	// Output:
	// [2 4 2]
}

// A bit for each lane whose condition holds.
func ExampleBallot() {
	odd := func(out []uint32) {
		if b := gpu.Ballot(gpu.LaneID()%2 == 1); gpu.LaneID() == 0 {
			out[0] = b
		}
	}
	out := make([]uint32, 1)
	run(1, 32, func() { odd(out) })
	fmt.Printf("%032b\n", out[0])
	// Output:
	// 10101010101010101010101010101010
}

// Blocks of several dimensions: a launch has gpu.Grid(2, 1) and gpu.Block(2, 2).
func ExampleGlobalX() {
	place := func(out []int32, width int32) {
		x, y := int32(gpu.GlobalX()), int32(gpu.GlobalY())
		out[y*width+x] = 10*y + x
	}
	out := make([]int32, 8)
	if err := emulate.Run([3]int{2, 1, 1}, [3]int{2, 2, 1}, 0, func() { place(out, 4) }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output:
	// [0 1 2 3 10 11 12 13]
}

// Copies to shared memory go on while threads work on what was copied before.
func ExampleCopyAsync() {
	reversed := func(x, out []float32) {
		s := gpu.Shared[[4]float32]()
		t := gpu.ThreadX()
		gpu.CopyAsync(&s[t], &x[t])
		gpu.CommitCopies()
		gpu.WaitCopies(0)
		gpu.Sync()
		out[t] = s[3-t]
	}
	out := make([]float32, 4)
	run(1, 4, func() { reversed([]float32{1, 2, 3, 4}, out) })
	fmt.Println(out)
	// Output:
	// [4 3 2 1]
}

// A warp multiplies two matrices by its tensor cores: twice the identity to one whose rows are 0, 1, 2 …
func ExampleMMA() {
	product := func(a, b []gpu.Float16, out []float32) {
		var c gpu.MatrixC
		gpu.StoreC(gpu.MMA(gpu.LoadA(a, 16), gpu.LoadB(b, 8), c), out, 8)
	}
	a, b, out := make([]gpu.Float16, 16*16), make([]gpu.Float16, 16*8), make([]float32, 16*8)
	for i := range 16 {
		a[16*i+i] = gpu.ToFloat16(2)
		for j := range 8 {
			b[8*i+j] = gpu.ToFloat16(float32(i))
		}
	}
	run(1, 32, func() { product(a, b, out) })
	fmt.Println(out[:8], out[8*15:])
	// Output:
	// [0 0 0 0 0 0 0 0] [30 30 30 30 30 30 30 30]
}

// Blocks wait for each other between two steps of one launch.
func ExampleSyncGrid() {
	shift := func(x []int32) {
		i := gpu.GlobalID()
		v := x[(i+1)%len(x)]
		gpu.SyncGrid() // all have read
		x[i] = v
	}
	x := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	if err := emulate.RunTogether([3]int{2, 1, 1}, [3]int{4, 1, 1}, 0, func() { shift(x) }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x)
	// Output:
	// [1 2 3 4 5 6 7 0]
}

// What is read once of a file need not push out what the cache has.
func ExampleReadBlocks() {
	sum := func(once []float64, out []float64) {
		if i := gpu.GlobalID(); i < len(out) {
			out[i] = gpu.ReadBlocks(&once[2*i]) + gpu.ReadBlocks(&once[2*i+1])
		}
	}
	out := make([]float64, 2)
	run(1, 4, func() { sum([]float64{1, 2, 3, 4}, out) })
	fmt.Println(out)
	// Output:
	// [3 7]
}
