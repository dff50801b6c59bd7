package dp

import (
	"fmt"
	"math/bits"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Tree is lists as balanced trees: in each, what hangs on the left of a cell stands before it in the list, and what
// hangs on the right stands behind it. A tree of n cells is at most log2(n)+1 cells high.
type Tree struct {
	Parent, Left, Right *np.Array // cells, -1 for none
	Level               *np.Array // 0 of cells with nothing below, more above

	steps *Report
}

func (t *Tree) report() *Report { return t.steps }

// ListTree makes balanced trees of lists. Cell number r of a list, counted from 1, is as high as r is often even; its
// children are as far on both sides as half of that, or, behind the list's end, as far as there are cells. It panics
// with *np.Error as [ListScan] does.
func ListTree(next any) *Tree {
	const name = "dp.ListTree"
	c := chase(name, next)
	n := c.n
	t := &Tree{steps: c.Report}
	if n == 0 {
		none := np.Zeros(0).AsType(np.Int64)
		t.Parent, t.Left, t.Right, t.Level = none, none, none, none
		return t
	}
	next = c.chum
	rank := ListScan(Sum, next, np.Ones(n).AsType(np.Int64))
	end := ListEnd(next)
	c.Steps = append(c.Steps, Steps(rank).Steps...)
	c.Steps = append(c.Steps, Steps(end).Steps...)
	cell := np.Arange(n).AsType(np.Int64)
	last := np.Where(end.GreaterEqual(0), end, cell)
	length := Get(rank, last)
	// where each list's cells stand when all lists lie one behind the other
	begin := np.CumSum(np.Where(last.Equal(cell), length, 0)).Sub(np.Where(last.Equal(cell), length, 0))
	first := Get(begin, last)
	place := first.Add(rank).Sub(1)
	of := Permute(cell, place) // the cell at each place
	c.scan("where lists begin", n, pointerBits)
	c.send("cells in order", n, pointerBits, n)
	low := rank.BitAnd(rank.Neg())
	inside := func(r *np.Array) *np.Array { // the cell of a rank, or none
		is := r.Greater(0).LogicalAnd(r.LessEqual(length))
		return np.Where(is, Get(of, np.Where(is, first.Add(r).Sub(1), 0)), null)
	}
	parent := rank
	for range bits.Len(uint(n)) { // the next higher one, until it is in the list
		bit := parent.BitAnd(parent.Neg())
		up := parent.Sub(bit).BitOr(bit.Mul(2))
		parent = np.Where(parent.Equal(rank).LogicalOr(parent.Greater(length)), up, parent)
	}
	t.Parent = inside(parent).Copy()
	t.Left = inside(np.Where(low.Greater(1), rank.Sub(low.FloorDivide(2)), 0)).Copy()
	right, half := rank.Add(low.FloorDivide(2)), low.FloorDivide(2)
	for range bits.Len(uint(n)) {
		far := right.Greater(length)
		half = np.Where(far, half.FloorDivide(2), half)
		right = np.Where(far, rank.Add(half), right)
	}
	t.Right = inside(np.Where(half.Greater(0), right, 0)).Copy()
	t.Level = np.Zeros(n).AsType(np.Int64)
	for k := 1; 1<<k <= n; k++ {
		t.Level = t.Level.Add(low.GreaterEqual(1 << k))
	}
	t.Level = t.Level.Copy()
	c.compute("parents and children", n, pointerBits, n)
	np.Eval(t.Parent, t.Left, t.Right, t.Level)
	return t
}

// Up returns for each cell the combination of the values of all that hangs on it and its own, in the order of the list:
// at the root that of the list. Values go up a level in each round.
func (t *Tree) Up(op *Operator, values any) *np.Array {
	return t.levels("dp.Tree.Up", op, values, false)
}

// Down returns for each cell the combination of the values from the root of its tree down to its own. Values go down a
// level in each round.
func (t *Tree) Down(op *Operator, values any) *np.Array {
	return t.levels("dp.Tree.Down", op, values, true)
}

func (t *Tree) levels(name string, op *Operator, values any, down bool) *np.Array {
	n, v := t.Parent.Size(), array(name, values)
	if v.NDim() != 1 || v.Size() != n {
		check(name, fmt.Errorf("values have shape %v for %d cells; give one for each", v.Shape(), n))
	}
	_, d := op.on(name, v.DType())
	v = v.AsType(d).Copy()
	l := steps(name, n, sizeBits(d)+4*pointerBits)
	if n == 0 {
		return l.of(v)
	}
	l.passed(v, nil)
	high := t.Level.Max().Int()
	for k := range high + 1 {
		if down {
			k = high - k
		}
		cells := np.NonZero(t.Level.Equal(k))[0]
		if cells.Size() == 0 {
			continue
		}
		round := frame{}
		if shows(n) {
			round.active = cells.Ints()
		}
		from := func(p *np.Array, combine func(theirs, own *np.Array) *np.Array) {
			p = p.At(cells)
			is := p.GreaterEqual(0)
			own := v.At(cells)
			theirs := Get(v, np.Where(is, p, 0))
			got := np.Where(is, combine(theirs, own), own).AsType(d)
			np.Eval(got)
			deliver(v, cells, got)
			l.send("a level", n, sizeBits(d), is.Sum().Int())
			for i, k := range round.active {
				if there := p.At(i).Int(); there >= 0 {
					round.messages = append(round.messages, [2]int{there, k})
				}
			}
		}
		before := func(x, y *np.Array) *np.Array { return op.apply(x, y) }
		if down {
			from(t.Parent, before)
		} else {
			from(t.Left, before)
			from(t.Right, func(theirs, own *np.Array) *np.Array { return op.apply(own, theirs) })
		}
		if round.active != nil {
			round.values = v.AsType(np.Float64).Float64s()
			l.frames = append(l.frames, round)
		}
	}
	return l.of(v)
}
