package kir

import "slices"

// A variable is what has several definitions after blocks were copied, or after stores became values: the value that a use
// sees depends on the way on which it is reached. repair gives it SSA form again.
type variable struct {
	typ  Type
	name string
	defs []*Value // at most one for each block, there at its end
}

// inEdge is an edge, seen from where it leads to.
type inEdge struct {
	from *Block
	i    int
}

func (e inEdge) edge() *Edge { return &e.from.Term.To[e.i] }

// incoming returns the edges that lead to each block, by ID.
func (f *Func) incoming() [][]inEdge {
	into := make([][]inEdge, len(f.Blocks))
	for _, blk := range f.Blocks {
		for i, e := range blk.Term.Edges() {
			into[e.To.ID] = append(into[e.To.ID], inEdge{blk, i})
		}
	}
	return into
}

// reaching finds the definition of a variable that reaches a place, and makes block parameters where several meet. It is
// the algorithm of Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), less its
// removal of parameters that turn out to be one value, which dropArguments does.
type reaching struct {
	f          *Func
	into       [][]inEdge
	v          *variable
	start, end map[*Block]*Value
	undefined  func() *Value // what the variable is where nothing was assigned; nil when that cannot be
}

func (f *Func) reaching(into [][]inEdge, v *variable) *reaching {
	r := &reaching{f: f, into: into, v: v, start: map[*Block]*Value{}, end: map[*Block]*Value{}}
	for _, d := range v.defs {
		r.end[d.Block] = d
	}
	return r
}

func (r *reaching) atEnd(blk *Block) *Value {
	if d := r.end[blk]; d != nil {
		return d
	}
	return r.atStart(blk)
}

func (r *reaching) atStart(blk *Block) *Value {
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
	p := r.f.addParam(blk, r.v.typ, r.v.name)
	r.start[blk] = p
	for _, e := range in {
		a := r.atEnd(e.from)
		e.edge().Args = append(slices.Clip(e.edge().Args), a)
	}
	return p
}

// addParam adds a parameter to blk; the edges that lead there still have to bring it.
func (f *Func) addParam(blk *Block, t Type, note string) *Value {
	p := &Value{ID: f.NewID(), Op: OpArg, Type: t, Imm: uint64(len(blk.Params)), Block: blk, Note: note}
	blk.Params = append(blk.Params, p)
	return p
}

// repair lets each use of a value that has copies see the one that reaches it. What is used in a block of inside, which are
// those that define the values and their copies, is right already. Blocks must have their IDs.
func (f *Func) repair(copies map[*Value][]*Value, inside map[*Block]bool) {
	type use struct {
		blk *Block
		v   *Value
	}
	var uses []use
	for _, blk := range f.Blocks {
		if inside[blk] {
			continue
		}
		blk.eachUse(func(v **Value) {
			if _, copied := copies[*v]; copied && !slices.Contains(uses, use{blk, *v}) {
				uses = append(uses, use{blk, *v})
			}
		})
	}
	into := f.incoming()
	found := make(map[*Value]*reaching)
	for _, u := range uses {
		r := found[u.v]
		if r == nil {
			r = f.reaching(into, &variable{u.v.Type, u.v.Note, append([]*Value{u.v}, copies[u.v]...)})
			found[u.v] = r
		}
		by := r.atStart(u.blk)
		u.blk.eachUse(func(v **Value) {
			if *v == u.v {
				*v = by
			}
		})
	}
}
