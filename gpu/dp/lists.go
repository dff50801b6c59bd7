package dp

import (
	"fmt"
	"math/bits"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Linked lists are arrays of ints that name for each cell the next one, or -1 behind the last: any number of lists in
// one array. All of them are followed at once by pointers that double their reach in each round (section 3.6 of the
// paper), so that a list of n cells takes log2(n) rounds.

// null is the pointer to nothing.
const null = -1

// pointerBits are those of a pointer on the machine.
const pointerBits = 32

// chased are pointers that double their reach.
type chased struct {
	ledger
	name string
	n    int
	most int // rounds that lists of n cells may take
	chum *np.Array

	shown  func() *np.Array // what Play shows of the cells; nil for the pointers
	before []int            // the pointers as they were shown last
}

// chase looks whether next are lists, and begins a ledger.
func chase(name string, next any) *chased {
	a := pointers(name, next, -1)
	n := a.Size()
	if bad := a.Less(null).LogicalOr(a.GreaterEqual(n)); n > 0 && bad.AnyTrue().Item().(bool) {
		i := bad.ArgMax().Int()
		check(name, fmt.Errorf("cell %d is followed by %d; cells go from 0 to %d, and -1 is behind the last", i, a.At(i).Int(), n-1))
	}
	c := &chased{ledger: steps(name, n, 3*pointerBits), name: name, n: n, most: bits.Len(uint(max(n-1, 0))), chum: a}
	c.compute("begin with the next cell", n, pointerBits, n)
	return c
}

// alone refuses cells that follow two others: those are trees, not lists.
func (c *chased) alone() {
	at := np.NonZero(c.chum.GreaterEqual(0))[0]
	if at.Size() == 0 {
		return
	}
	to := c.chum.At(at)
	if many := np.BinCount(to, np.MinLength(c.n)).Greater(1); many.AnyTrue().Item().(bool) {
		k := many.ArgMax().Int()
		both := np.NonZero(c.chum.Equal(k))[0]
		check(c.name, fmt.Errorf("cells %d and %d are both followed by cell %d: in a list each cell follows one", both.At(0).Int(), both.At(1).Int(), k))
	}
}

// at is x at pointers, and otherwise where these are null.
func at(x, pointers, otherwise *np.Array) *np.Array {
	is := pointers.GreaterEqual(0)
	return np.Where(is, Get(x, np.Where(is, pointers, 0)), otherwise)
}

// rounds calls step with the cells that take part, until there are none: those for which goes is true.
func (c *chased) rounds(goes func() *np.Array, step func(cells *np.Array)) {
	values := func() *np.Array {
		if c.shown != nil {
			return c.shown()
		}
		return c.chum
	}
	c.show(nil, values())
	for round := 0; c.n > 0; round++ {
		cells := np.NonZero(goes())[0]
		if cells.Size() == 0 {
			return
		}
		if round >= c.most { // so far reach pointers of no list
			check(c.name, fmt.Errorf("the list is cyclic: from cell %d on it comes back to cell %d; the last cell is followed by -1", cells.At(0).Int(), c.cyclic(cells.At(0).Int())))
		}
		step(cells)
		c.show(cells, values())
	}
}

// cyclic is a cell of the cycle that a cell leads to: so many rounds on, pointers have reached it.
func (c *chased) cyclic(cell int) int { return c.chum.At(cell).Int() }

// double has pointers reach twice as far.
func (c *chased) double() {
	c.chum = at(c.chum, c.chum, c.chum).Copy()
	np.Eval(c.chum)
}

// ListEnd returns for each cell the last one of its list, and -1 for that itself. Several lists may share their ends.
// It panics with *np.Error where a list is cyclic. It takes ceil(log2(n-1)) rounds for the longest list of n cells.
func ListEnd(next any) *np.Array {
	c := chase("dp.ListEnd", next)
	c.asks = true
	c.rounds(func() *np.Array { return c.chum.GreaterEqual(0).LogicalAnd(at(c.chum, c.chum, c.chum).GreaterEqual(0)) }, func(cells *np.Array) {
		c.chum = np.Where(at(c.chum, c.chum, c.chum).GreaterEqual(0), at(c.chum, c.chum, c.chum), c.chum).Copy()
		np.Eval(c.chum)
		c.send("the next one's next", c.n, pointerBits, cells.Size())
	})
	return c.of(c.chum.Copy())
}

// ListScan returns for each cell the combination of the values of the list's cells up to it, in their order. It panics
// with *np.Error where a list is cyclic, or two cells are followed by one. It takes ceil(log2 n) rounds for the longest
// list of n cells.
func ListScan(op *Operator, next, values any) *np.Array {
	const name = "dp.ListScan"
	c := chase(name, next)
	v := array(name, values)
	if v.NDim() != 1 || v.Size() != c.n {
		check(name, fmt.Errorf("values have shape %v for %d cells; give one for each", v.Shape(), c.n))
	}
	_, d := op.on(name, v.DType())
	c.alone()
	v = v.AsType(d).Copy()
	c.shown = func() *np.Array { return v }
	c.rounds(func() *np.Array { return c.chum.GreaterEqual(0) }, func(cells *np.Array) {
		to := c.chum.At(cells)
		with := op.apply(v.At(cells), v.At(to)).AsType(d)
		np.Eval(with) // all read before any writes
		deliver(v, to, with)
		c.double()
		c.send("what is before goes on", c.n, sizeBits(d), cells.Size())
	})
	return c.of(v)
}

// ListMatch returns for each cell of the lists that begin with the cells head1 and head2 the one that is as far in the
// other list, and -1 where there is none. It panics with *np.Error as [ListScan] does. Values of lists that are vectors
// are added with it: np.Add(v, dp.Get(v, friends)).
func ListMatch(next any, head1, head2 int) *np.Array {
	n := pointers("dp.ListMatch", next, -1).Size()
	for _, h := range []int{head1, head2} {
		if h < 0 || h >= n {
			check("dp.ListMatch", fmt.Errorf("there is no cell %d; cells go from 0 to %d", h, n-1))
		}
	}
	friend := np.Full(null, n).AsType(np.Int64)
	friend.Set(head2, head1)
	friend.Set(head1, head2)
	return ListMatchFrom(next, friend)
}

// ListMatchFrom is [ListMatch] of any number of lists, of which some cells, such as the first of each, know their
// friends already: friend names these, and has -1 for all others. A list whose cell is named by another's, and names
// none, gets no friends.
func ListMatchFrom(next, friend any) *np.Array {
	const name = "dp.ListMatch"
	c := chase(name, next)
	f := pointers(name, friend, -1).Copy()
	if f.Size() != c.n {
		check(name, fmt.Errorf("there are %d friends for %d cells; give one for each, or -1", f.Size(), c.n))
	}
	if bad := f.Less(null).LogicalOr(f.GreaterEqual(c.n)); c.n > 0 && bad.AnyTrue().Item().(bool) {
		check(name, fmt.Errorf("cell %d has friend %d; cells go from 0 to %d, and -1 is none", bad.ArgMax().Int(), f.At(bad.ArgMax().Int()).Int(), c.n-1))
	}
	c.alone()
	c.shown = func() *np.Array { return f }
	c.rounds(func() *np.Array { return c.chum.GreaterEqual(0) }, func(cells *np.Array) {
		tell := np.NonZero(c.chum.GreaterEqual(0).LogicalAnd(f.GreaterEqual(0)))[0]
		if tell.Size() > 0 {
			to := c.chum.At(tell)
			theirs := at(c.chum, f, f).At(tell)
			np.Eval(theirs)
			deliver(f, to, theirs)
		}
		c.double()
		c.send("friends of friends", c.n, pointerBits, cells.Size())
	})
	return c.of(f)
}
