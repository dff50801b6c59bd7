package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A variable is what has several definitions after blocks were copied, or after stores became values: the value that a
// use sees depends on the way on which it is reached. repair gives it SSA form again.
type variable struct {
	typ  kir.Type
	name string
	defs []*kir.Value // at most one for each block, there at its end
}

// inEdge is an edge, seen from where it leads to.
type inEdge struct {
	from *kir.Block
	i    int
}

func (e inEdge) edge() *kir.Edge { return &e.from.Term.To[e.i] }

// incoming returns the edges that lead to each block, by ID.
func incoming(f *kir.Func) [][]inEdge {
	into := make([][]inEdge, len(f.Blocks))
	for _, blk := range f.Blocks {
		for i, e := range blk.Term.Edges() {
			into[e.To.ID] = append(into[e.To.ID], inEdge{blk, i})
		}
	}
	return into
}

// reaching finds the definition of a variable that reaches a place, and makes block parameters where several meet. It
// is the algorithm of Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), less
// its removal of parameters that turn out to be one value, which dropArguments does.
type reaching struct {
	f          *kir.Func
	into       [][]inEdge
	v          *variable
	start, end map[*kir.Block]*kir.Value
	undefined  func() *kir.Value // what the variable is where nothing was assigned; nil when that cannot be
}

func reachingOf(f *kir.Func, into [][]inEdge, v *variable) *reaching {
	r := &reaching{f: f, into: into, v: v, start: map[*kir.Block]*kir.Value{}, end: map[*kir.Block]*kir.Value{}}
	for _, d := range v.defs {
		r.end[d.Block] = d
	}
	return r
}

func (r *reaching) atEnd(blk *kir.Block) *kir.Value {
	if d := r.end[blk]; d != nil {
		return d
	}
	return r.atStart(blk)
}

func (r *reaching) atStart(blk *kir.Block) *kir.Value {
	if v := r.start[blk]; v != nil {
		return v
	}
	in := r.into[blk.ID]
	if len(in) == 0 {
		v := r.undefined()
		r.start[blk] = v
		return v
	}
	if len(in) == 1 {
		v := r.atEnd(in[0].from)
		r.start[blk] = v
		return v
	}
	p := addParam(r.f, blk, r.v.typ, r.v.name)
	r.start[blk] = p
	for _, e := range in {
		a := r.atEnd(e.from)
		e.edge().Args = append(slices.Clip(e.edge().Args), a)
	}
	return p
}

// addParam adds a parameter to blk; the edges that lead there still have to bring it.
func addParam(f *kir.Func, blk *kir.Block, t kir.Type, note string) *kir.Value {
	p := &kir.Value{ID: f.NewID(), Op: kir.OpArg, Type: t, Imm: uint64(len(blk.Params)), Block: blk, Note: note}
	blk.Params = append(blk.Params, p)
	return p
}

// repair lets each use of a value that has copies see the one that reaches it. What is used in a block of inside, which
// are those that define the values and their copies, is right already. Blocks must have their IDs.
func repair(f *kir.Func, copies map[*kir.Value][]*kir.Value, inside map[*kir.Block]bool) {
	type use struct {
		blk *kir.Block
		v   *kir.Value
	}
	var uses []use
	for _, blk := range f.Blocks {
		if inside[blk] {
			continue
		}
		blk.EachUse(func(v **kir.Value) {
			if _, copied := copies[*v]; copied && !slices.Contains(uses, use{blk, *v}) {
				uses = append(uses, use{blk, *v})
			}
		})
	}
	into := incoming(f)
	found := make(map[*kir.Value]*reaching)
	for _, u := range uses {
		r := found[u.v]
		if r == nil {
			r = reachingOf(f, into, &variable{u.v.Type, u.v.Note, append([]*kir.Value{u.v}, copies[u.v]...)})
			found[u.v] = r
		}
		by := r.atStart(u.blk)
		u.blk.EachUse(func(v **kir.Value) {
			if *v == u.v {
				*v = by
			}
		})
	}
}
