package puzzle

import "github.com/arrayrepl/arrayrepl/offload/trace"

// all are the puzzles, in their order: each needs one thing more than those before.
var all = []one{{
	name:    "Map",
	task:    "Square each element and add 1: out[i] = in[i]² + 1. There is one block, with a thread for each element.",
	params:  "in, out []float32",
	outputs: []int{1},
	runs:    []run{{d(1), d(8), mapped(8)}, {d(1), d(64), mapped(64)}},
	want: func(a []any) {
		in, out := a[0].([]float32), a[1].([]float32)
		for i, v := range in {
			out[i] = v*v + 1
		}
	},
	hints: []string{"All threads run the same function. gpu.ThreadX() says which of the block's threads is running it: 0, 1, 2, …", "Let i be gpu.ThreadX(), and compute element i alone: no loop."},
	terms: []string{"thread", "block"},
}, {
	name:    "Zip",
	task:    "How far are two elements apart? out[i] = |a[i] − b[i]|, with a thread for each i, in one block.",
	params:  "a, b, out []float32",
	outputs: []int{2},
	runs:    []run{{d(1), d(8), zipped(8)}, {d(1), d(96), zipped(96)}},
	want: func(args []any) {
		a, b, out := args[0].([]float32), args[1].([]float32), args[2].([]float32)
		for i := range out {
			out[i] = max(a[i]-b[i], b[i]-a[i])
		}
	},
	hints: []string{"A thread may read from as many arrays as it likes.", "Take the difference; where it is negative, change its sign: an if is enough."},
	terms: []string{"thread", "divergence"},
}, {
	name:    "Guard",
	task:    "Halve each element: out[i] = in[i] / 2. Blocks come in fixed sizes, data does not: here there are more threads than elements.",
	params:  "in, out []float32",
	outputs: []int{1},
	runs:    []run{{d(1), d(8), mapped(6)}, {d(1), d(64), mapped(50)}},
	want: func(a []any) {
		in, out := a[0].([]float32), a[1].([]float32)
		for i, v := range in {
			out[i] = v / 2
		}
	},
	hints: []string{"What does the last thread do? It has an index, but no element.", "len(in) says how many elements there are. A thread whose index is not below it must do nothing."},
	terms: []string{"thread", "block"},
}, {
	name: "Map in two dimensions",
	task: "A picture has h rows of w pixels, one row after the other. Brighten it: each pixel becomes three times as bright. " +
		"Blocks are 4 by 4 threads, and there are enough of them to cover the picture.",
	params:  "in, out []float32, w, h int",
	outputs: []int{1},
	runs:    []run{{d(2, 1), d(4, 4), picture(5, 3)}, {d(4, 3), d(4, 4), picture(13, 9)}},
	want: func(a []any) {
		in, out := a[0].([]float32), a[1].([]float32)
		for i, v := range in {
			out[i] = 3 * v
		}
	},
	hints: []string{"gpu.GlobalX() and gpu.GlobalY() are a thread's column and row in the whole grid.", "Pixel (x, y) is element y*w + x.", "Both x and y need a guard: a thread right of the picture would write into the next row."},
	terms: []string{"grid", "block"},
}, {
	name: "Broadcast",
	task: "Make a multiplication table: out has a column for each element of row, and a row for each element of column. " +
		"out[y*len(row)+x] = row[x] · column[y]. Blocks are 4 by 4 threads.",
	params:  "row, column, out []float32",
	outputs: []int{2},
	runs:    []run{{d(2, 1), d(4, 4), table(5, 3)}, {d(3, 4), d(4, 4), table(10, 15)}},
	want: func(a []any) {
		row, column, out := a[0].([]float32), a[1].([]float32), a[2].([]float32)
		for y, v := range column {
			for x, u := range row {
				out[y*len(row)+x] = u * v
			}
		}
	},
	hints: []string{"Threads of a column of the grid read the same element of row: many may read one element.", "x is below len(row), y below len(column)."},
	terms: []string{"broadcasting", "grid"},
}, {
	name: "Few threads, many elements",
	task: "Add 10 to each element: out[i] = in[i] + 10. The number of elements is not known, and there are far fewer threads: each does several. " +
		"There are several blocks.",
	params:  "in, out []float32",
	outputs: []int{1},
	runs:    []run{{d(2), d(4), mapped(13)}, {d(4), d(64), mapped(4096)}},
	want: func(a []any) {
		in, out := a[0].([]float32), a[1].([]float32)
		for i, v := range in {
			out[i] = v + 10
		}
	},
	hints: []string{"A loop: begin at gpu.GlobalID(), the thread's number in the whole grid.", "gpu.GlobalSize() is how many threads there are: the step of the loop.",
		"If thread 0 took the first sixteen elements, thread 1 the next sixteen, … a warp would read from 32 places far apart. Let neighbours in a warp read neighbours in memory."},
	limit: &limit{"sectors of global memory", 1024, sectors, "a warp's 32 elements are 4 sectors of 32 bytes when they are neighbours, and up to 32 sectors when they are not: let neighbouring threads take neighbouring elements", lineSectors},
	terms: []string{"grid", "coalescing", "sector"},
}, {
	name:    "Rotate in place",
	task:    "Move each element one place to the left, and the first to the end: x[i] becomes what x[i+1] was. One block, a thread for each element, and no second array.",
	params:  "x []int32",
	outputs: []int{0},
	runs:    []run{{d(1), d(8), numbers(8)}, {d(1), d(128), numbers(128)}},
	want: func(a []any) {
		x := a[0].([]int32)
		first := x[0]
		copy(x, x[1:])
		x[len(x)-1] = first
	},
	hints: []string{"Warps run in any order: a thread may write its element before its neighbour has read it.", "Read into a variable; wait until all threads of the block have read; write.", "gpu.Sync() is a barrier: no thread of a block goes on before all have come to it."},
	terms: []string{"barrier", "race"},
}, {
	name: "Neighbours",
	task: "Add to each element its two neighbours: out[i] = in[i−1] + in[i] + in[i+1]; what lies outside counts as 0. " +
		"Each element is needed three times: read it once from global memory, into an array that the block shares. Blocks have at most 64 threads.",
	params:  "in, out []float32",
	outputs: []int{1},
	runs:    []run{{d(2), d(4), mapped(7)}, {d(16), d(64), mapped(1024)}},
	want: func(a []any) {
		in, out := a[0].([]float32), a[1].([]float32)
		for i := range in {
			for j := max(i-1, 0); j <= min(i+1, len(in)-1); j++ {
				out[i] += in[j]
			}
		}
	},
	hints: []string{"s := gpu.Shared[[66]float32]() is an array of the block: 64 elements and one more at either end, the halo.", "Each thread loads its element to s[t+1]; the first thread loads the left end of the halo too, the last one the right end.",
		"gpu.Sync() must stand between the loads and the sums, and all threads must come to it: no return before it."},
	limit: &limit{"sectors of global memory", 300, sectors, "in[i-1], in[i] and in[i+1] are three loads of nearly the same sectors: load each element once into gpu.Shared, and add from there", lineSectors},
	terms: []string{"shared memory", "halo", "stencil"},
}, {
	name:    "Dot product",
	task:    "Multiply element by element and add up: out[0] = Σ a[i]·b[i]. One block of at most 256 threads, a power of two, a thread for each i. Write to out once.",
	params:  "a, b, out []float32",
	outputs: []int{2},
	runs:    []run{{d(1), d(8), dot(8)}, {d(1), d(256), dot(256)}},
	want: func(args []any) {
		a, b, out := args[0].([]float32), args[1].([]float32), args[2].([]float32)
		for i := range a {
			out[0] += a[i] * b[i]
		}
	},
	hints: []string{"Put the products into shared memory, and wait.", "Then halve: the first half of the threads adds the second half's elements to its own; then the first quarter, …", "A barrier after each step, outside of the if.", "At the end thread 0 has the sum in s[0]."},
	limit: &limit{"writes to global memory", 1, writes, "threads that write to one address queue up for it: add up in shared memory, and let one thread write the sum", nil},
	terms: []string{"reduction", "barrier"},
}, {
	name: "Convolution",
	task: "out[i] = Σ in[i+j]·weights[j], for j from 0 up to len(weights), which is at most 5; what lies behind the end counts as 0. " +
		"Blocks have at most 64 threads. Again: read each element of in once for a block.",
	params:  "in, weights, out []float32",
	outputs: []int{2},
	runs:    []run{{d(2), d(4), convolved(7, 3)}, {d(16), d(64), convolved(1000, 5)}},
	want: func(a []any) {
		in, weights, out := a[0].([]float32), a[1].([]float32), a[2].([]float32)
		for i := range in {
			for j := 0; j < len(weights) && i+j < len(in); j++ {
				out[i] += in[i+j] * weights[j]
			}
		}
	},
	hints: []string{"A block needs its own elements and the len(weights)−1 after them.", "Let the threads load in a loop: element k = t, t + the block's size, … of the tile.", "What is not loaded must be set to 0: shared memory holds anything at first."},
	limit: &limit{"sectors of global memory", 640, sectors, "each element of in is read once for each weight: load the block's elements, and those that follow, into gpu.Shared first", lineSectors},
	terms: []string{"shared memory", "halo"},
}, {
	name:    "Prefix sum",
	task:    "out[i] = in[0] + … + in[i]. One block of at most 256 threads, a thread for each element. It takes far fewer steps than there are elements.",
	params:  "in, out []int32",
	outputs: []int{1},
	runs:    []run{{d(1), d(8), sums(8)}, {d(1), d(256), sums(256)}},
	want: func(a []any) {
		in, out := a[0].([]int32), a[1].([]int32)
		sum := int32(0)
		for i, v := range in {
			sum += v
			out[i] = sum
		}
	},
	hints: []string{"When each thread adds its left neighbour's element to its own, it has the sum of two. When it then adds the element two to the left, it has the sum of four.", "The distance doubles from step to step, until it is the size of the block.",
		"In each step all must have read before anyone writes, and all must have written before the next step reads: two barriers."},
	limit: &limit{"cycles", 4000, cycles, "one thread after the other adds one element at a time: let all threads add in each step, at distances of 1, 2, 4 and so on", nil},
	terms: []string{"scan", "barrier"},
}, {
	name:    "Sums of rows",
	task:    "A matrix has rows of w elements, and there is a block of one warp or less (a power of two) for each row: out[y] is the sum of row y.",
	params:  "in, out []float32, w int",
	outputs: []int{1},
	runs:    []run{{d(2), d(4), rows(2, 8)}, {d(64), d(32), rows(64, 128)}},
	want: func(a []any) {
		in, out, w := a[0].([]float32), a[1].([]float32), a[2].(int)
		for i, v := range in {
			out[i/w] += v
		}
	},
	hints: []string{"Each lane adds up every so many elements of the row, so that in each round the warp reads neighbours.", "Then the lanes' sums must be added. gpu.ShflXor(sum, h) is the sum of the lane whose number differs in bit h.",
		"h = half the block, a quarter, … 1: afterwards every lane has the whole sum. One of them writes it."},
	limit: &limit{"sectors of global memory", 1100, sectors, "a warp that reads one element at a time, or elements far apart, moves 32 bytes for each: let the lanes read neighbouring elements of the row", lineSectors},
	terms: []string{"warp", "shuffle", "coalescing"},
}, {
	name: "Transpose",
	task: "A matrix of n by n elements: row y becomes column y. Blocks are as wide as they are high, at most 32 by 32, and n is a multiple of that. " +
		"Both loads and stores go along rows, and no bank of shared memory is asked twice.",
	params:  "in, out []float32, n int",
	outputs: []int{1},
	runs:    []run{{d(2, 2), d(4, 4), square(8)}, {d(2, 2), d(32, 32), square(64)}},
	want: func(a []any) {
		in, out, n := a[0].([]float32), a[1].([]float32), a[2].(int)
		for i, v := range in {
			out[i%n*n+i/n] = v
		}
	},
	hints: []string{"A tile in shared memory, [32][32]float32: read it row by row, wait, and write it row by row to its new place. The turn happens when you read the tile down its columns.", "The tile's new place: swap gpu.BlockX() and gpu.BlockY().",
		"The elements of a column of the tile are 32 words apart, all in one bank. With rows of 33 words they are not."},
	limit: &limit{"sectors of global memory and bank conflicts", 1024, func(s *trace.KernelStats, a *trace.Accesses) int64 { return sectors(s, a) + conflicts(s, a) },
		"a warp that goes down a column of the matrix moves 32 sectors, and one that goes down a column of a tile of 32 words asks one bank 32 times: go along rows in global memory, and make the tile's rows 33 words long", lineBoth},
	terms: []string{"coalescing", "bank conflict", "padding"},
}, {
	name: "Matrix product",
	task: "c = a·b, of n by n elements. Blocks are as wide as they are high, at most 16 by 16, and n is a multiple of that. " +
		"Each element of a and b is needed n times: let a block load tiles, so that each thread uses what the others have loaded.",
	params:  "a, b, c []float32, n int",
	outputs: []int{2},
	runs:    []run{{d(2, 2), d(2, 2), product(4)}, {d(4, 4), d(16, 16), product(64)}},
	want: func(args []any) {
		a, b, c, n := args[0].([]float32), args[1].([]float32), args[2].([]float32), args[3].(int)
		for y := range n {
			for x := range n {
				for k := range n {
					c[y*n+x] += a[y*n+k] * b[k*n+x]
				}
			}
		}
	},
	hints: []string{"Walk along the row of a and the column of b in steps of the block's width.", "In each step a thread loads one element of a and one of b into shared memory. Wait. Then it adds up the products of the tiles' elements that it needs.", "Wait again before the next step overwrites the tiles."},
	limit: &limit{"sectors of global memory", 5000, sectors, "each thread reads a whole row and a whole column from global memory: load tiles of both into gpu.Shared, and use each element as often as the tile is wide", lineSectors},
	terms: []string{"tile", "arithmetic intensity"},
}, {
	name: "Histogram",
	task: "Count how often each number occurs: counts[v] is the number of elements of in that are v. They are from 0 up to len(counts), which is at most 64, and there are more of them than threads. " +
		"Several blocks, and few additions to global memory.",
	params:  "in, counts []int32",
	outputs: []int{1},
	runs:    []run{{d(2), d(4), histogram(13, 3)}, {d(2), d(32), histogram(256, 64)}, {d(4), d(64), histogram(4096, 16)}},
	want: func(a []any) {
		in, counts := a[0].([]int32), a[1].([]int32)
		for _, v := range in {
			counts[v]++
		}
	},
	hints: []string{"counts[v]++ is a read and a write, and between the two another thread may write: gpu.AtomicAdd(&counts[v], 1) is one step.", "Thousands of atomics on sixteen addresses queue up. Let each block count in shared memory first.",
		"Set the block's counts to 0, wait; count, wait; then add each of them to global memory, once for a block."},
	limit: &limit{"writes to global memory", 64, writes, "an atomic on global memory for each element: count in gpu.Shared first, and add the counts of each block to global memory at the end", nil},
	terms: []string{"atomic", "contention", "privatization"},
}}
