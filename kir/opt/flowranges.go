package opt

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// knownRanges finds the ranges of a kernel's integers with what branches and checks say of them and round loops, until
// nothing changes: an interval analysis (Cousot and Cousot, "Abstract Interpretation", 1977). A bound that still moves
// after some rounds is taken on to the next of a few landings, so that there is an end.
type knownRanges struct {
	f        *kir.Func
	children [][]int
	into     [][]inEdge
	now      []kir.Range // by value ID, where the walk is; of block parameters, what all edges so far have brought
	seen     []bool      // by value ID: an edge has brought something for the block parameter
	round    int
	moved    bool
	undo     []undoRange
	visit    func(v *kir.Value, in [3]kir.Range, out kir.Range) // of the last walk, when all ranges are known
}

type undoRange struct {
	id int
	n  kir.Range
}

// The landings of bounds. One below the greatest I32 is where a counter can be that still takes a step.
var (
	lowLandings  = [...]int64{0, -1, -kir.MaxThreadsPerBlock, math.MinInt32, math.MinInt64}
	highLandings = [...]int64{0, kir.MaxThreadsPerBlock - 1, kir.MaxThreadsPerBlock, 1<<15 - 1, 1 << 16, 1<<20 - 1, 1<<25 - 1, 1<<28 - 1, math.MaxInt32 - 1, math.MaxInt32, math.MaxUint32, math.MaxInt64}
)

// walkRanges calls visit for every value of f, and every block parameter, with the ranges of its first three operands,
// where it stands, and its own. It may rewrite the value.
func walkRanges(f *kir.Func, visit func(v *kir.Value, in [3]kir.Range, out kir.Range)) {
	k := &knownRanges{f: f, children: flow.Children(dominators(f)), into: incoming(f), now: make([]kir.Range, f.NumValues()), seen: make([]bool, f.NumValues())}
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
	if in := k.into[b]; len(in) == 1 && in[0].from.Term.Kind == kir.TermBranch {
		k.learn(in[0].from.Term.Cond, in[0].i == 0)
	}
	if k.visit != nil {
		for _, p := range blk.Params {
			k.visit(p, [3]kir.Range{}, k.now[p.ID])
		}
	}
	for _, v := range blk.Values {
		var in [3]kir.Range
		for i, a := range v.Args[:min(len(v.Args), len(in))] {
			in[i] = k.now[a.ID]
		}
		out := transfer(v, in)
		k.now[v.ID] = out
		if v.Op == kir.OpCheck {
			k.learn(v.Args[0], true)
		}
		if k.visit != nil {
			k.visit(v, in, out)
		}
	}
	if t := &blk.Term; k.visit == nil {
		for i, e := range t.Edges() {
			before := len(k.undo)
			if t.Kind == kir.TermBranch && len(e.Args) > 0 {
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
func (k *knownRanges) bring(p *kir.Value, n kir.Range) {
	old := k.now[p.ID]
	if w := p.Within; w.Known {
		if n.Known {
			n.Lo, n.Hi = max(n.Lo, w.Lo), min(n.Hi, w.Hi)
		} else {
			n = w
		}
	}
	switch {
	case !k.seen[p.ID]:
	case !n.Known || !old.Known:
		n = kir.Range{}
	default:
		n.Lo, n.Hi = min(n.Lo, old.Lo), max(n.Hi, old.Hi)
	}
	if k.seen[p.ID] && n == old {
		return
	}
	const plain = 3 // rounds before bounds land
	if k.seen[p.ID] && n.Known && k.round >= plain {
		if n.Lo < old.Lo {
			for _, l := range lowLandings {
				if l <= n.Lo {
					n.Lo = l
					break
				}
			}
		}
		if n.Hi > old.Hi {
			for _, l := range highLandings {
				if l >= n.Hi {
					n.Hi = l
					break
				}
			}
		}
		n = within(n, p.Type)
		if w := p.Within; w.Known && n.Known {
			n.Lo, n.Hi = max(n.Lo, w.Lo), min(n.Hi, w.Hi)
		}
	}
	k.now[p.ID], k.seen[p.ID], k.moved = n, true, true
}

// learn narrows the ranges of what a condition compares, which has come out as yes.
func (k *knownRanges) learn(cond *kir.Value, yes bool) {
	switch {
	case cond.Op == kir.OpNot:
		k.learn(cond.Args[0], !yes)
		return
	case cond.Type == kir.Bool && (cond.Op == kir.OpAnd && yes || cond.Op == kir.OpOr && !yes):
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
	k.narrow(x, where(nx, op, ny))
	k.narrow(y, where(ny, swapped[op], nx))
}

// where returns what of n compares so with a value of range y. Of an unknown n, it is what is below a bound, which is
// how checks of indices, as unsigned numbers, are read.
func where(n kir.Range, op kir.Op, y kir.Range) kir.Range {
	if !y.Known {
		return n
	}
	if !n.Known { // U64
		n = kir.Between(0, math.MaxInt64)
		if op != kir.OpLt && op != kir.OpLe && op != kir.OpEq {
			return kir.Range{}
		}
	}
	switch op {
	case kir.OpEq:
		n.Lo, n.Hi = max(n.Lo, y.Lo), min(n.Hi, y.Hi)
	case kir.OpNe:
		if y.Lo == y.Hi && n.Lo == y.Lo && n.Lo < n.Hi {
			n.Lo++
		}
		if y.Lo == y.Hi && n.Hi == y.Lo && n.Lo < n.Hi {
			n.Hi--
		}
	case kir.OpLt:
		if y.Hi > math.MinInt64 {
			n.Hi = min(n.Hi, y.Hi-1)
		}
	case kir.OpLe:
		n.Hi = min(n.Hi, y.Hi)
	case kir.OpGt:
		if y.Lo < math.MaxInt64 {
			n.Lo = max(n.Lo, y.Lo+1)
		}
	case kir.OpGe:
		n.Lo = max(n.Lo, y.Lo)
	}
	return n
}

// narrow says that v, and what it was converted from, lies in n too from here on.
func (k *knownRanges) narrow(v *kir.Value, n kir.Range) {
	for {
		old := k.now[v.ID]
		// nothing new; or nobody comes here
		if !n.Known || old.Known && (n.Lo <= old.Lo && n.Hi >= old.Hi) || n.Lo > n.Hi {
			return
		}
		if old.Known {
			n.Lo, n.Hi = max(n.Lo, old.Lo), min(n.Hi, old.Hi)
			if n.Lo > n.Hi {
				return
			}
		}
		k.undo = append(k.undo, undoRange{v.ID, old})
		k.now[v.ID] = n
		if v.Op != kir.OpConvert || !v.Type.IsInteger() || !v.Args[0].Type.IsInteger() {
			return
		}
		from := v.Args[0]
		switch {
		case holds(v.Type, from.Type): // the same number
		case v.Type.Bytes() == from.Type.Bytes() && n.Lo >= 0 && n == within(n, from.Type) && n == within(n, v.Type): // both signs agree
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
