package functions

import "github.com/arrayrepl/arrayrepl/gpu"

// Grouped lets tiles of 4, 16 and 32 threads do what ops say, those of them that their parity names: a digit for the
// operation, then for the tile, then for the parity, and an argument in args.
func Grouped(ops, args []int32, x []int32, y []float32) {
	i := gpu.GlobalID()
	v, w := x[i], y[i]
	for k, op := range ops {
		a := int(args[k])
		size := 4
		switch op / 10 % 10 {
		case 1:
			size = 16
		case 2:
			size = 32
		}
		if i/size%2 != int(op/100) {
			continue
		}
		switch op / 10 % 10 {
		case 0:
			v, w = step(gpu.TileOf[int32](4), gpu.Tile(4), op%10, a%4, v, w)
		case 1:
			v, w = step(gpu.TileOf[int32](16), gpu.Tile(16), op%10, a%16, v, w)
		case 2:
			v, w = step(gpu.TileOf[int32](32), gpu.Tile(32), op%10, a%32, v, w)
		}
	}
	x[i], y[i] = v, w
}

func step(g gpu.Group[int32], f gpu.Group[float32], op int32, a int, v int32, w float32) (int32, float32) {
	switch op {
	case 0:
		return g.Reduce(v), f.Reduce(w)
	case 1:
		return g.Scan(v), f.Scan(w)
	case 2:
		return g.Max(v), f.Min(w)
	case 3:
		return g.Shfl(v, a), f.Shfl(w, (a+g.Rank())%g.Size())
	case 4:
		return g.ShflUp(v, a), f.ShflDown(w, a)
	case 5:
		return g.ShflXor(v, a), f.ShflXor(w, a)
	case 6:
		return int32(g.Ballot(v > 0)), w
	case 7:
		g.Sync()
		if g.Any(v < 0) && !f.All(w > 0) {
			return v + 1, w
		}
		return v - 1, w
	case 8:
		return int32(g.MatchAny(v % 3)), w
	}
	return min(g.Min(v), int32(g.Rank())), f.Max(w)
}

// Together lets those threads whose number is a multiple of three work as a group, by another name of each element.
func Together(x []int32, y []float32, count []int32) {
	i := gpu.GlobalID()
	if i%3 != 0 {
		return
	}
	g, f := gpu.CoalescedOf[int32](), gpu.Coalesced()
	// what the group computes must not depend on which threads it has
	sum, most := g.Reduce(1), f.Max(float32(g.Rank()))
	first := g.Shfl(x[i], 0)
	last := g.Scan(1)
	up := g.ShflUp(int32(i), 1)
	if int(sum) != g.Size() || most != float32(g.Size()-1) || last != int32(g.Rank()+1) || g.Rank() == 0 && first != x[i] ||
		g.Rank() > 0 && up >= int32(i) || !g.All(i%3 == 0) || g.Any(i%3 != 0) {
		gpu.AtomicAdd(&count[0], 1)
	}
	g.Sync()
	x[i], y[i] = -x[i], most-most
}

// ThreeInATile is refused.
func ThreeInATile(x []float32) { x[gpu.GlobalID()] = gpu.Tile(3).Reduce(1) }

// AnyInATile is refused.
func AnyInATile(x []float32, n int) { x[gpu.GlobalID()] = gpu.Tile(n).Reduce(1) }

// XorTogether is refused.
func XorTogether(x []float32) { x[gpu.GlobalID()] = gpu.Coalesced().ShflXor(1, 1) }

// OutOfATile fails where rank is not one of a tile.
func OutOfATile(x []float32, rank int) {
	x[gpu.GlobalID()] = gpu.Tile(16).Shfl(x[gpu.GlobalID()], rank)
}

// Ended fails where threads of a tile have returned.
func Ended(x []float32, n int) {
	i := gpu.GlobalID()
	if i >= n {
		return
	}
	x[i] = gpu.Tile(16).Reduce(x[i])
}

// WarpSum replaces each number by the sum of its warp.
func WarpSum(x []int32) { x[gpu.GlobalID()] = gpu.ReduceAdd(x[gpu.GlobalID()]) }
