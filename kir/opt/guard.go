package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

const (
	costlyCost   = 8  // of an operation that takes several times as long as an addition
	leastGuarded = 12 // what a guard has to spare, beside the values that go from one block to the next by memory
)

// guardSelections lets what only selections under a condition use be computed where some thread needs it: for a CPU,
// which executes many threads side by side, and mostly none of them is where a ray meets a small triangle. The
// condition is of several parts, as && makes them. The first ones are computed as before, then comes a branch that all
// threads take where one has to ([kir.Term.Any]); the others, what they and the selections alone use, and the
// selections lie behind it. It says nothing of the branch's condition to what is behind it, so it comes last.
func guardSelections(f *kir.Func) bool {
	uses := make([]int, f.NumValues())
	for _, blk := range f.Blocks {
		blk.EachUse(func(v **kir.Value) { uses[(*v).ID]++ })
	}
	guarded := map[*kir.Block]bool{}
	for _, blk := range f.Blocks {
		if blk.Term.Any {
			guarded[blk.Term.To[0].To] = true
		}
	}
	for _, blk := range f.Blocks {
		if guarded[blk] {
			continue
		}
		if g := findGuard(blk, uses); g != nil {
			g.apply(f)
			return true
		}
	}
	return false
}

// guard is a branch that a block can have around some of its values.
type guard struct {
	blk   *kir.Block
	cond  []*kir.Value // what is true where a thread needs the values, all of these
	late  []bool       // by position: what the branch is around
	out   []*kir.Value // of it, the selections
	split int          // the position of the first value that uses one of those, or the end
}

// findGuard returns the guard of blk that spares most, nil where none does enough.
func findGuard(blk *kir.Block, uses []int) (best *guard) {
	tried := map[*kir.Value]bool{}
	most := leastGuarded
	for _, v := range blk.Values {
		if v.Op != kir.OpSelect || tried[v.Args[0]] || v.Args[0].Block != blk {
			continue
		}
		c := v.Args[0]
		tried[c] = true
		joined := map[*kir.Value]bool{}
		parts := conjuncts(blk, c, joined, nil)
		for k := 2; k <= len(parts); k++ {
			g, spared := guardAround(blk, c, parts, k, joined, uses)
			// one comparison tells nothing about how many threads are where it holds, each more halves them
			if spared -= spared >> (k - 1); g != nil && spared >= most {
				best, most = g, spared+1
			}
		}
	}
	return best
}

// conjuncts adds to parts what has to hold for c, in the order of the values' positions in the text, and to joined the
// values of blk that join it.
func conjuncts(blk *kir.Block, c *kir.Value, joined map[*kir.Value]bool, parts []*kir.Value) []*kir.Value {
	if c.Op != kir.OpAnd || c.Block != blk || joined[c] {
		return append(parts, c)
	}
	joined[c] = true
	return conjuncts(blk, c.Args[1], joined, conjuncts(blk, c.Args[0], joined, parts))
}

// guardAround is the guard for the selections by c with the first k of its parts as condition, and what it spares.
func guardAround(blk *kir.Block, c *kir.Value, parts []*kir.Value, k int, joined map[*kir.Value]bool, uses []int) (*guard, int) {
	g := &guard{blk: blk, cond: parts[:k], late: make([]bool, len(blk.Values)), split: len(blk.Values)}
	within := map[*kir.Value]bool{}
	for i, v := range blk.Values {
		if slices.ContainsFunc(v.Args, func(a *kir.Value) bool { return within[a] }) {
			g.split = i
			break
		}
		if v.Op == kir.OpSelect && v.Args[0] == c {
			within[v] = true
			g.late[i] = true
			g.out = append(g.out, v)
		}
	}
	inner := map[*kir.Value]int{} // how many of a value's uses are in what the branch is around
	note := func(v *kir.Value) {
		for _, a := range v.Args {
			inner[a]++
		}
	}
	for _, v := range g.out { // what one selects else is needed around the branch too
		inner[v.Args[0]]++
		inner[v.Args[1]]++
	}
	cost := len(g.out)
	for i := g.split - 1; i >= 0; i-- {
		v := blk.Values[i]
		if g.late[i] || !v.IsPure() || v.Op.IsFree() || v.ID >= len(uses) || inner[v] != uses[v.ID] || uses[v.ID] == 0 || slices.Contains(g.cond, v) {
			continue
		}
		g.late[i] = true
		note(v)
		if cost++; costly(v) {
			cost += costlyCost - 1
		}
	}
	for i, v := range blk.Values { // the condition has to be there before
		if joined[v] && !g.late[i] {
			return nil, 0
		}
	}
	return g, cost
}

// apply makes the branch.
func (g *guard) apply(f *kir.Func) {
	blk := g.blk
	then, join := &kir.Block{Name: blk.Name + ".some"}, &kir.Block{Name: blk.Name + ".all", Term: blk.Term}
	var head []*kir.Value
	for i, v := range blk.Values {
		switch {
		case g.late[i]:
			v.Block = then
			then.Values = append(then.Values, v)
		case i >= g.split:
			v.Block = join
			join.Values = append(join.Values, v)
		default:
			head = append(head, v)
		}
	}
	c := g.cond[0]
	for _, part := range g.cond[1:] {
		c = &kir.Value{ID: f.NewID(), Op: kir.OpAnd, Type: kir.Bool, Args: []*kir.Value{c, part}, Block: blk, Pos: part.Pos}
		head = append(head, c)
	}
	pass, around := kir.Edge{To: join}, kir.Edge{To: join}
	by := make(replacements, f.NumValues())
	for k, v := range g.out {
		p := &kir.Value{ID: f.NewID(), Op: kir.OpArg, Type: v.Type, Imm: uint64(k), Block: join, Pos: v.Pos, Note: v.Note}
		join.Params = append(join.Params, p)
		by[v.ID] = p
		pass.Args, around.Args = append(pass.Args, v), append(around.Args, v.Args[2])
	}
	blk.Values, blk.Term = head, kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: then}}, Pos: c.Pos}
	f.Blocks = append(f.Blocks, join)
	replaceAll(f, by)
	then.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{pass}, Pos: c.Pos}
	blk.Term = kir.Term{Kind: kir.TermBranch, Cond: c, Any: true, To: [2]kir.Edge{{To: then}, around}, Pos: c.Pos}
	f.Blocks = append(f.Blocks, then)
	f.SortBlocks()
	leaks := leaking(f)
	skip(&then.Term.To[0], leaks)
	skip(&blk.Term.To[1], leaks)
	f.SortBlocks()
}
