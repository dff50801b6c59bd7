package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// hoist moves what a loop does not change before it: values whose operands come from before the loop when every way
// round computes them, loads of memory that the loop does not write, and checks at its beginning, when every way
// through the loop comes to them. No pure operation can fail, so a loop that runs no rounds does not matter to those;
// loads and checks can, and only a loop that has been entered does them.
func hoist(f *kir.Func) bool { return hoisted(f, false) }

// hoistBounds is hoist for what the heads of loops compute, which each thread that enters one does at least once: what
// a loop counts up to then stands before it.
func hoistBounds(f *kir.Func) bool { return hoisted(f, true) }

func hoisted(f *kir.Func, heads bool) bool {
	h := hoisting{f: f, heads: heads, idom: dominators(f), into: incoming(f)}
	h.loops = loopsOf(f, h.idom)
	changed := false
	for _, l := range slices.Backward(h.loops) { // inner loops have later heads
		if l.Head > 0 { // nothing stands before the entry
			changed = h.loop(l) || changed
		}
	}
	if changed {
		f.SortBlocks()
	}
	return changed
}

type hoisting struct {
	f     *kir.Func
	heads bool // only what is in the head of a loop
	idom  []int
	into  [][]inEdge
	loops []*loop
}

func (h *hoisting) loop(l *loop) bool {
	var entry *kir.Block // the block before the loop, once there is one
	steady, checked := h.readable(l)
	for _, blk := range h.f.Blocks {
		if !l.In[blk.ID] || h.heads && blk.ID != l.Head {
			continue
		}
		everyRound := !slices.ContainsFunc(l.Latches, func(b int) bool { return !flow.Dominates(h.idom, blk.ID, b) })
		if !everyRound {
			continue
		}
		certain := h.certain(l, blk)
		first := certain && (blk.ID == l.Head || !checked) // no check of the loop comes before what follows
		blk.Values = slices.DeleteFunc(blk.Values, func(v *kir.Value) bool {
			may := false
			switch roleOf(v) {
			case computes:
				may = true
			case reads:
				may = first && steady[v.Space]
			case checks:
				may = first && blk.ID == l.Head
			default:
				first = first && !checked
			}
			if !may || slices.ContainsFunc(v.Args, func(a *kir.Value) bool { return l.In[a.Block.ID] }) {
				first = first && roleOf(v) != checks
				return false
			}
			if entry == nil {
				entry = h.before(l)
			}
			v.Block = entry
			entry.Values = append(entry.Values, v)
			return true
		})
		blk.SplitVectors()
	}
	if entry != nil {
		entry.SplitVectors()
	}
	return entry != nil
}

// certain reports whether every thread that enters l comes to blk, which every round comes to, before it leaves l.
func (h *hoisting) certain(l *loop, blk *kir.Block) bool {
	for _, b := range h.f.Blocks {
		if !l.In[b.ID] {
			continue
		}
		for _, e := range b.Term.Edges() {
			if !l.In[e.To.ID] && !flow.Dominates(h.idom, blk.ID, b.ID) {
				return false
			}
		}
		if b.Term.Kind == kir.TermReturn {
			return false
		}
	}
	return true
}

// readable returns the spaces that l only reads, and in which no other thread's stores become visible within it, and
// whether l has checks: one may be what keeps a load behind it from failing.
func (h *hoisting) readable(l *loop) (steady [kir.NumSpaces]bool, checked bool) {
	for s := range steady {
		steady[s] = true
	}
	for _, blk := range h.f.Blocks {
		if !l.In[blk.ID] {
			continue
		}
		for _, v := range blk.Values {
			switch roleOf(v) {
			case computes, reads:
			case checks:
				checked = true
			case writes, changes:
				steady[v.Space] = false
			default:
				steady = [kir.NumSpaces]bool{}
			}
		}
	}
	return steady, checked
}

// before returns a new block that all ways into l from outside go through.
func (h *hoisting) before(l *loop) *kir.Block {
	f, head := h.f, h.f.Blocks[l.Head]
	b := &kir.Block{ID: len(f.Blocks), Name: head.Name + " entry"}
	f.Blocks = append(f.Blocks, b)
	var outside, inside []inEdge
	for _, in := range h.into[l.Head] {
		if l.In[in.from.ID] {
			inside = append(inside, in)
		} else {
			outside = append(outside, in)
		}
	}
	for _, other := range h.loops {
		other.In = append(other.In, other != l && other.In[l.Head])
	}
	var args []*kir.Value
	if len(outside) == 1 {
		args = outside[0].edge().Args
		*outside[0].edge() = kir.Edge{To: b}
	} else {
		for _, p := range head.Params {
			args = append(args, addParam(f, b, p.Type, p.Note))
		}
		for _, in := range outside {
			in.edge().To = b
		}
	}
	b.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: head, Args: args}}, Pos: head.Term.Pos}
	h.into[l.Head] = append(inside, inEdge{b, 0})
	h.into = append(h.into, outside)
	h.idom = append(h.idom, h.idom[l.Head])
	h.idom[l.Head] = b.ID
	return b
}
