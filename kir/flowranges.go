package kir

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// knownRanges finds the ranges of a kernel's integers with what branches and checks say of them and round loops, until
// nothing changes: an interval analysis (Cousot and Cousot, "Abstract Interpretation", 1977). A bound that still moves after
// some rounds is taken on to the next of a few landings, so that there is an end.
type knownRanges struct {
	f        *Func
	children [][]int
	into     [][]inEdge
	now      []interval // by value ID, where the walk is; of block parameters, what all edges so far have brought
	seen     []bool     // by value ID: an edge has brought something for the block parameter
	round    int
	moved    bool
	undo     []undoRange
	visit    func(v *Value, in [3]interval, out interval) // of the last walk, when all ranges are known
}

type undoRange struct {
	id int
	n  interval
}

// The landings of bounds. One below the greatest I32 is where a counter can be that still takes a step.
var (
	lowLandings  = [...]int64{0, -1, -MaxThreadsPerBlock, math.MinInt32, math.MinInt64}
	highLandings = [...]int64{0, MaxThreadsPerBlock - 1, MaxThreadsPerBlock, 1<<15 - 1, 1 << 16, 1<<20 - 1, 1<<25 - 1, 1<<28 - 1, math.MaxInt32 - 1, math.MaxInt32, math.MaxUint32, math.MaxInt64}
)

// walkRanges calls visit for every value of f, and every block parameter, with the ranges of its first three operands, where
// it stands, and its own. It may rewrite the value.
func walkRanges(f *Func, visit func(v *Value, in [3]interval, out interval)) {
	k := &knownRanges{f: f, children: flow.Children(dominators(f)), into: f.incoming(), now: make([]interval, f.NumValues()), seen: make([]bool, f.NumValues())}
	const most = 100 // far beyond what the landings allow
	for k.moved = true; k.moved; k.round++ {
		if k.round == most {
			return
		}
		k.moved = false
		k.walk(0)
	}
	k.visit = visit
	k.walk(0)
}

func (k *knownRanges) walk(b int) {
	blk, mark := k.f.Blocks[b], len(k.undo)
	if in := k.into[b]; len(in) == 1 && in[0].from.Term.Kind == TermBranch {
		k.learn(in[0].from.Term.Cond, in[0].i == 0)
	}
	if k.visit != nil {
		for _, p := range blk.Params {
			k.visit(p, [3]interval{}, k.now[p.ID])
		}
	}
	for _, v := range blk.Values {
		var in [3]interval
		for i, a := range v.Args[:min(len(v.Args), len(in))] {
			in[i] = k.now[a.ID]
		}
		out := transfer(v, in)
		k.now[v.ID] = out
		if v.Op == OpCheck {
			k.learn(v.Args[0], true)
		}
		if k.visit != nil {
			k.visit(v, in, out)
		}
	}
	if t := &blk.Term; k.visit == nil {
		for i, e := range t.Edges() {
			before := len(k.undo)
			if t.Kind == TermBranch && len(e.Args) > 0 {
				k.learn(t.Cond, i == 0)
			}
			for j, a := range e.Args {
				k.bring(e.To.Params[j], k.now[a.ID])
			}
			k.forget(before)
		}
	}
	for _, c := range k.children[b] {
		k.walk(c)
	}
	k.forget(mark)
}

// bring adds what an edge brings to the range of a block parameter.
func (k *knownRanges) bring(p *Value, n interval) {
	old := k.now[p.ID]
	if w := p.within; w.known {
		if n.known {
			n.lo, n.hi = max(n.lo, w.lo), min(n.hi, w.hi)
		} else {
			n = w
		}
	}
	switch {
	case !k.seen[p.ID]:
	case !n.known || !old.known:
		n = interval{}
	default:
		n.lo, n.hi = min(n.lo, old.lo), max(n.hi, old.hi)
	}
	if k.seen[p.ID] && n == old {
		return
	}
	const plain = 3 // rounds before bounds land
	if k.seen[p.ID] && n.known && k.round >= plain {
		if n.lo < old.lo {
			for _, l := range lowLandings {
				if l <= n.lo {
					n.lo = l
					break
				}
			}
		}
		if n.hi > old.hi {
			for _, l := range highLandings {
				if l >= n.hi {
					n.hi = l
					break
				}
			}
		}
		n = n.within(p.Type)
		if w := p.within; w.known && n.known {
			n.lo, n.hi = max(n.lo, w.lo), min(n.hi, w.hi)
		}
	}
	k.now[p.ID], k.seen[p.ID], k.moved = n, true, true
}

// learn narrows the ranges of what a condition compares, which has come out as yes.
func (k *knownRanges) learn(cond *Value, yes bool) {
	switch {
	case cond.Op == OpNot:
		k.learn(cond.Args[0], !yes)
		return
	case cond.Type == Bool && (cond.Op == OpAnd && yes || cond.Op == OpOr && !yes):
		k.learn(cond.Args[0], yes)
		k.learn(cond.Args[1], yes)
		return
	case !cond.Op.IsCompare() || !cond.Args[0].Type.IsInteger():
		return
	}
	op := cond.Op
	if !yes {
		op = inverse[op]
	}
	x, y := cond.Args[0], cond.Args[1]
	nx, ny := k.now[x.ID], k.now[y.ID]
	k.narrow(x, nx.where(op, ny))
	k.narrow(y, ny.where(swapped[op], nx))
}

// where returns what of n compares so with a value of range y. Of an unknown n, it is what is below a bound, which is how
// checks of indices, as unsigned numbers, are read.
func (n interval) where(op Op, y interval) interval {
	if !y.known {
		return n
	}
	if !n.known { // U64
		n = between(0, math.MaxInt64)
		if op != OpLt && op != OpLe && op != OpEq {
			return interval{}
		}
	}
	switch op {
	case OpEq:
		n.lo, n.hi = max(n.lo, y.lo), min(n.hi, y.hi)
	case OpNe:
		if y.lo == y.hi && n.lo == y.lo && n.lo < n.hi {
			n.lo++
		}
		if y.lo == y.hi && n.hi == y.lo && n.lo < n.hi {
			n.hi--
		}
	case OpLt:
		if y.hi > math.MinInt64 {
			n.hi = min(n.hi, y.hi-1)
		}
	case OpLe:
		n.hi = min(n.hi, y.hi)
	case OpGt:
		if y.lo < math.MaxInt64 {
			n.lo = max(n.lo, y.lo+1)
		}
	case OpGe:
		n.lo = max(n.lo, y.lo)
	}
	return n
}

// narrow says that v, and what it was converted from, lies in n too from here on.
func (k *knownRanges) narrow(v *Value, n interval) {
	for {
		old := k.now[v.ID]
		if !n.known || old.known && (n.lo <= old.lo && n.hi >= old.hi) || n.lo > n.hi { // nothing new; or nobody comes here
			return
		}
		if old.known {
			n.lo, n.hi = max(n.lo, old.lo), min(n.hi, old.hi)
			if n.lo > n.hi {
				return
			}
		}
		k.undo = append(k.undo, undoRange{v.ID, old})
		k.now[v.ID] = n
		if v.Op != OpConvert || !v.Type.IsInteger() || !v.Args[0].Type.IsInteger() {
			return
		}
		from := v.Args[0]
		switch {
		case holds(v.Type, from.Type): // the same number
		case v.Type.Bytes() == from.Type.Bytes() && n.lo >= 0 && n == n.within(from.Type) && n == n.within(v.Type): // both signs agree
		default:
			return
		}
		v = from
	}
}

func (k *knownRanges) forget(to int) {
	for len(k.undo) > to {
		last := k.undo[len(k.undo)-1]
		k.undo = k.undo[:len(k.undo)-1]
		k.now[last.id] = last.n
	}
}
