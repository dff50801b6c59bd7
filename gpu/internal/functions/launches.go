package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// Quick sorts x by launches from kernels: one thread parts it around a pivot and launches a grid for each part.
func Quick(x []int32, small int) {
	if gpu.GlobalID() > 0 {
		return
	}
	if len(x) <= small {
		for i := 1; i < len(x); i++ {
			for j := i; j > 0 && x[j-1] > x[j]; j-- {
				x[j-1], x[j] = x[j], x[j-1]
			}
		}
		return
	}
	pivot, lo, hi := x[len(x)/2], 0, len(x)-1
	for lo <= hi {
		for x[lo] < pivot {
			lo++
		}
		for x[hi] > pivot {
			hi--
		}
		if lo <= hi {
			x[lo], x[hi] = x[hi], x[lo]
			lo++
			hi--
		}
	}
	if hi > 0 {
		gpu.FireAndForget(Quick, 1, 32, x[:hi+1], small)
	}
	if lo < len(x)-1 {
		gpu.FireAndForget(Quick, 1, 32, x[lo:], small)
	}
}

// Dwell is how many steps a point stays near, up to most.
func dwell(cx, cy float32, most int32) int32 {
	x, y := float32(0), float32(0)
	for n := range most {
		xx, yy := float32(x*x), float32(y*y)
		if xx+yy > 4 {
			return n
		}
		x, y = xx-yy+cx, float32(2*x)*y+cy
	}
	return most
}

// Escape computes the dwell of each point of a square of the picture.
func Escape(out []int32, width, x0, y0, size int, most int32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < size && y < size {
		x, y = x0+x, y0+y
		out[y*width+x] = dwell(float32(x)*3/float32(width)-2, float32(y)*3/float32(width)-1.5, most)
	}
}

// Fill gives all points of a square one dwell.
func Fill(out []int32, width, x0, y0, size int, value int32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < size && y < size {
		out[(y0+y)*width+x0+x] = value
	}
}

// Mariani draws the Mandelbrot set after Mariani and Silver: a square whose border has one dwell has it inside, too;
// another is cut into four, and computed point by point where it is small. The grid has a block for each square.
func Mariani(out []int32, width, x0, y0, size int, most int32) {
	same := gpu.Shared[[2]int32]() // the least and greatest dwell of the border
	t := gpu.ThreadX()
	if t == 0 {
		same[0], same[1] = most+1, -1
	}
	gpu.Sync()
	x0, y0 = x0+gpu.BlockX()*size, y0+gpu.BlockY()*size
	for i := t; i < size; i += gpu.BlockDimX() {
		for _, p := range [4][2]int{{i, 0}, {i, size - 1}, {0, i}, {size - 1, i}} {
			x, y := x0+p[0], y0+p[1]
			d := dwell(float32(x)*3/float32(width)-2, float32(y)*3/float32(width)-1.5, most)
			gpu.AtomicMin(&same[0], d)
			gpu.AtomicMax(&same[1], d)
		}
	}
	gpu.Sync()
	if t > 0 {
		return
	}
	n := (size + 7) / 8
	switch {
	case same[0] == same[1]:
		gpu.FireAndForget(Fill, gpu.Grid(n, n), gpu.Block(8, 8), out, width, x0, y0, size, same[0])
	case size <= 8:
		gpu.FireAndForget(Escape, gpu.Dim{X: n, Y: n}, gpu.Dim{X: 8, Y: 8}, out, width, x0, y0, size, most)
	default:
		gpu.FireAndForget(Mariani, gpu.Grid(2, 2), 32, out, width, x0, y0, size/2, most)
	}
}

// Tree is one grid of a tree of launches: each thread takes a node of a list, adds to a counter what identifies it, and
// launches what the list says. The list has four numbers for a node: what to add, the first child and how many there
// are, and how they are launched: 0 and 1, at the end for 1; 2 in turn.
func Tree(nodes []int32, sums []int32, first, n int) {
	i := gpu.GlobalID()
	if i >= n {
		return
	}
	node := nodes[4*(first+i):][:4]
	gpu.AtomicAdd(&sums[int(node[0])%len(sums)], node[0])
	for k := range node[2] {
		at := int(node[1] + k)
		if node[3] == 1 || node[3] == 2 && k%2 == 1 {
			gpu.TailLaunch(Tree, 1, 32, nodes, sums, at, 1)
		} else {
			gpu.FireAndForget(Tree, 1, 32, nodes, sums, at, 1)
		}
	}
}

// Order writes down in which order the grids of tail launches run.
func Order(nodes []int32, log []int32, at int) {
	if gpu.GlobalID() > 0 {
		return
	}
	node := nodes[4*at:][:4]
	log[0]++
	log[log[0]] = int32(at)
	for k := range node[2] {
		gpu.TailLaunch(Order, 1, 32, nodes, log, int(node[1]+k))
	}
}

// Relax computes steps of a chain by tail launches of itself, from one buffer to the other.
func Relax(x, next []float32, steps int) {
	i := gpu.GlobalID()
	if i < len(x) {
		next[i] = (x[max(i-1, 0)] + x[min(i+1, len(x)-1)]) / 2
	}
	if i == 0 && steps > 1 {
		gpu.TailLaunch(Relax, gpu.GridDimX(), gpu.BlockDimX(), next, x, steps-1)
	}
}

// Deeper launches itself without an end.
func Deeper(x []int32) {
	if gpu.GlobalID() == 0 {
		x[0]++
		gpu.FireAndForget(Deeper, 1, 1, x)
	}
}

// Many asks for a launch from each thread.
func Many(x []int32) { gpu.FireAndForget(One, 1, 1, x, int32(gpu.GlobalID())) }

// One adds n to the first element.
func One(x []int32, n int32) { gpu.AtomicAdd(&x[0], n) }

// Calls counts grids of [Counting].
var Calls int32

// Counting counts itself in a variable of the device, and launches itself as often as it is told.
func Counting(n int) {
	gpu.AtomicAdd(&Calls, 1)
	if n > 0 && gpu.GlobalID() == 0 {
		gpu.TailLaunch(Counting, 1, 2, n-1)
	}
}

// The following are wrong: what they hand on is gone, or is not what the kernel takes.

// HandsOnShared launches with shared memory.
func HandsOnShared(x []int32) {
	s := gpu.Shared[[32]int32]()
	gpu.FireAndForget(One, 1, 1, s[:], int32(1))
}

// HandsOnLocal launches with a variable of its own.
func HandsOnLocal(x []int32) {
	var a [4]int32
	a[gpu.ThreadX()] = 1
	gpu.FireAndForget(One, 1, 1, a[:], int32(1))
}

// HandsOnInt launches with a number of another type.
func HandsOnInt(x []int32) { gpu.TailLaunch(One, 1, 1, x, gpu.ThreadX()) }

// HandsOnFew launches with too few arguments.
func HandsOnFew(x []int32) { gpu.TailLaunch(One, 1, 1, x) }

// HandsOnLiteral launches a function literal.
func HandsOnLiteral(x []int32) { gpu.TailLaunch(func(x []int32) { x[0] = 1 }, 1, 1, x) }

// HandsOnNothing launches a grid of no blocks.
func HandsOnNothing(x []int32) { gpu.TailLaunch(One, len(x)-1, 1, x, int32(1)) }
