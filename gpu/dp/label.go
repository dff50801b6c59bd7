package dp

import (
	"fmt"
	"math/bits"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// LabelMethod is how [Label] labels: [Naive] or [Rings].
type LabelMethod struct {
	name  string
	label func(l ledger, img *np.Array) *np.Array
}

var (
	// Naive has each pixel take the largest label of its neighbours again and again: as many rounds as the longest way
	// through a region, which in a snake is that through all of its pixels, and a last one that changes nothing.
	Naive = LabelMethod{"naive", labelNaive}
	// Rings labels the edges between pixels that differ: those of a region are rings, which pointers that double their
	// reach go around in log2 of all edges rounds, and then the pixels of a row from the edge on their left (after Lim,
	// section 3.7 of the paper).
	Rings = LabelMethod{"rings", labelRings}
)

// Label returns for each pixel of img, which has two axes, the largest place x + width·y of its region: all pixels of
// its value that one reaches from it in steps to a side.
func Label(img any, how ...LabelMethod) *np.Array {
	const name = "dp.Label"
	a := array(name, img)
	if a.NDim() != 2 {
		check(name, fmt.Errorf("the image has shape %v; give two axes", a.Shape()))
	}
	by := Rings
	if len(how) > 0 {
		by = how[0]
	}
	if len(how) > 1 || by.label == nil {
		check(name, fmt.Errorf("%d methods are named; name dp.Naive, dp.Rings or none", len(how)))
	}
	l := steps(name+" "+by.name, a.Size(), sizeBits(a.DType())+4*4*pointerBits)
	if a.Size() == 0 {
		return l.of(np.Zeros(a.Shape()...).AsType(np.Int64))
	}
	return l.of(by.label(l, a))
}

// grid knows the neighbours of pixels, as places in one line of them.
type grid struct {
	h, w int
	x, y *np.Array // of each pixel
	line *np.Array // the image
}

func gridOf(img *np.Array) *grid {
	h, w := img.Shape()[0], img.Shape()[1]
	p := np.Arange(h * w).AsType(np.Int64)
	y := p.FloorDivide(w)
	g := &grid{h: h, w: w, x: p.Sub(y.Mul(w)).Copy(), y: y.Copy(), line: img.Reshape(-1)}
	np.Eval(g.x, g.y)
	return g
}

// beside is the pixel dx and dy on from each, and whether there is one, of the same value. Of those at the border it is
// the pixel itself.
func (g *grid) beside(dx, dy int) (place, same *np.Array) {
	x, y := g.x.Add(dx), g.y.Add(dy)
	in := x.GreaterEqual(0).LogicalAnd(x.Less(g.w)).LogicalAnd(y.GreaterEqual(0)).LogicalAnd(y.Less(g.h))
	p := np.Arange(g.h * g.w).AsType(np.Int64)
	place = np.Where(in, p.Add(dy*g.w+dx), p)
	same = in.LogicalAnd(Get(g.line, place).Equal(g.line))
	return place, same
}

func labelNaive(l ledger, img *np.Array) *np.Array {
	g := gridOf(img)
	n := g.h * g.w
	label := np.Arange(n).AsType(np.Int64)
	var places, same [4]*np.Array
	for d, s := range sides {
		places[d], same[d] = g.beside(s[0], s[1])
		np.Eval(places[d], same[d])
	}
	l.passed(label, nil)
	for range n {
		next := label
		for d := range sides {
			next = np.Maximum(next, np.Where(same[d], Get(label, places[d]), 0))
		}
		next = next.Copy()
		changed := Count(next.NotEqual(label)).Int()
		l.add(cm.Compute, "the largest of the neighbours", n, pointerBits, 0, n)
		if shows(n) {
			l.learned(label.Ints(), next.Ints(), func(k, d int) int {
				if !same[d].At(k).Item().(bool) {
					return k
				}
				return places[d].At(k).Int()
			})
		}
		label = next
		if changed == 0 {
			break
		}
	}
	return label.Reshape(g.h, g.w)
}

// sides are the ways to the neighbours above, on the right, below and on the left: what a ring turns to, clockwise.
var sides = [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

func labelRings(l ledger, img *np.Array) *np.Array {
	g := gridOf(img)
	n := g.h * g.w
	pixel := np.Arange(n).AsType(np.Int64)
	// The crack on side d of pixel p is 4p+d. A ring keeps its region on the right: along the side above it goes right.
	next, is := make([]any, 4), make([]any, 4)
	for d, s := range sides {
		_, same := g.beside(s[0], s[1])
		is[d] = np.LogicalNot(same)
		along := sides[(d+1)%4]
		ahead, aheadSame := g.beside(along[0], along[1])
		outer, outerSame := g.beside(along[0]+s[0], along[1]+s[1])
		next[d] = np.Where(np.LogicalNot(aheadSame), pixel.Mul(4).Add((d+1)%4), // right, around its own corner
			np.Where(np.LogicalNot(outerSame), ahead.Mul(4).Add(d), // straight on
				outer.Mul(4).Add((d+3)%4))) // left
		l.send("what is beside", n, pointerBits, n)
	}
	crack := np.Arange(4 * n).AsType(np.Int64)
	isCrack := np.Stack(np.Axis(1), is...).Reshape(-1).Copy()
	at := np.Where(isCrack, np.Stack(np.Axis(1), next...).Reshape(-1), crack).Copy()
	side := crack.BitAnd(3)
	owner := crack.FloorDivide(4)
	// The leftmost vertical crack says which side of its ring the region is on: the less the key, the more to the left.
	column := Get(g.x, owner)
	key := np.Where(side.Equal(3), column.Mul(2), np.Where(side.Equal(1), column.Add(1).Mul(2).Add(1), 4*g.w)).Mul(4 * n).Add(crack).Copy()
	largest, ring := owner.Copy(), crack.Copy()
	np.Eval(isCrack, at, key, largest, ring)
	cracks := Count(isCrack).Int()
	var of []int // the cracks, where they are shown
	if shows(cracks) {
		of = np.NonZero(isCrack)[0].Ints()
		l.passed(largest.At(of), nil)
	}
	for range bits.Len(uint(cracks - 1)) {
		from := at
		largest, ring = np.Maximum(largest, Get(largest, at)).Copy(), np.Maximum(ring, Get(ring, at)).Copy()
		key = np.Minimum(key, Get(key, at)).Copy()
		at = Get(at, at).Copy()
		np.Eval(largest, ring, key, at)
		l.send("around rings", 4*n, 4*pointerBits, cracks)
		if of != nil {
			l.walked(of, from.At(of).Ints(), largest.At(of))
		}
	}
	// Each pixel learns the crack on the left of its run.
	left := isCrack.Reshape(n, 4).At(np.All, 3)
	start := Scan(Max, np.Where(left, g.x, -1).Reshape(g.h, g.w), Axis(1)).Reshape(-1)
	onLeft := g.y.Mul(g.w).Add(start).Mul(4).Add(3).Copy()
	l.scan("along rows", n, pointerBits)
	// A ring whose leftmost crack is on the right of its pixel is a hole: its parent is that of this pixel's run.
	leftmost := key.Sub(key.FloorDivide(4 * n).Mul(4 * n))
	hole := leftmost.BitAnd(3).Equal(1)
	parent := np.Where(isCrack, np.Where(hole, Get(ring, Get(onLeft, leftmost.FloorDivide(4))), ring), crack).Copy()
	np.Eval(parent)
	for range bits.Len(uint(cracks)) {
		up := Get(parent, parent).Copy()
		changed := Count(up.NotEqual(parent)).Int()
		if changed == 0 {
			break
		}
		parent = up
		l.send("out of holes", 4*n, pointerBits, changed)
	}
	return Get(largest, Get(parent, Get(ring, onLeft))).Reshape(g.h, g.w).Copy()
}
