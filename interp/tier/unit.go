package tier

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// unit is a function or a loop that is being lowered.
type unit struct {
	c      *code
	eng    Engine
	fn     *ssa.Function
	head   *ssa.BasicBlock
	in     []bool            // by block: the unit has it
	blocks []*ssa.BasicBlock // in the order of the code
	next   map[*ssa.BasicBlock]*ssa.BasicBlock

	inline  map[ssa.Value]bool // made where they are used: addresses and conditions
	places  map[ssa.Value]place
	shared  map[ssa.Value]ssa.Value // towards the value whose register a value has
	outside map[ssa.Value]bool      // values that blocks outside the unit use
	appends map[*ssa.Call]ssa.Value // calls of append with one element
	dead    map[ssa.Instruction]bool
	local   map[*ssa.Alloc]int // variables in the machine's memory

	words    map[uint64]uint16 // registers of constants
	zeros    map[int]uint16
	ptrs     map[ssa.Value]place
	prologue []instr
	nregs    int
	pregs    int

	ins      []instr
	from     []ssa.Instruction
	at       ssa.Instruction
	labels   []int // by block
	labelled int   // where the last label is
	fixes    []fix
	stubs    []stub
	nout     int
	pout     int
}

// fix is a place in the code that a target is to be written to.
type fix struct {
	ins   int
	label int // of a block, or a stub below 0
	short bool
}

// stub is code at the end that a branch goes to: moves and a jump, or an exit.
type stub struct {
	from, to *ssa.BasicBlock
	pc       int
}

func newUnit(c *code) *unit {
	u := &unit{
		c: c, eng: c.prog.eng, fn: c.fn, head: c.head, next: map[*ssa.BasicBlock]*ssa.BasicBlock{},
		inline: map[ssa.Value]bool{}, places: map[ssa.Value]place{}, shared: map[ssa.Value]ssa.Value{}, outside: map[ssa.Value]bool{},
		appends: map[*ssa.Call]ssa.Value{}, dead: map[ssa.Instruction]bool{},
		words: map[uint64]uint16{}, zeros: map[int]uint16{}, ptrs: map[ssa.Value]place{},
	}
	if u.head == nil {
		u.head = c.fn.Blocks[0]
	}
	return u
}

// collect finds the blocks of the unit, in an order in which those of a loop stand together.
func (u *unit) collect() {
	u.in = make([]bool, len(u.fn.Blocks))
	seen := map[*ssa.BasicBlock]bool{}
	var post []*ssa.BasicBlock
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if seen[b] || u.c.loop != nil && !u.c.loop[b] {
			return
		}
		seen[b] = true
		exit, next := pollBlock(b)
		if u.c.loop == nil && blockObstacle(b).What != "" {
			return
		}
		u.in[b.Index] = true
		if exit != nil {
			u.next[b] = next
			visit(next)
		} else {
			for i := len(b.Succs) - 1; i >= 0; i-- { // the first successor, a loop's body, comes next in the code
				visit(b.Succs[i])
			}
		}
		post = append(post, b)
	}
	visit(u.head)
	for i := len(post) - 1; i >= 0; i-- {
		u.blocks = append(u.blocks, post[i])
	}
	if len(u.blocks) == 0 {
		panic(refusal("nothing of it can be compiled"))
	}
}

// succs are the blocks that b leads to; that of a poll is the one after it.
func (u *unit) succs(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if n := u.next[b]; n != nil {
		return []*ssa.BasicBlock{n}
	}
	return b.Succs
}

// owns reports whether v is computed by the unit and has a register of its own.
func (u *unit) owns(v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	return ok && u.in[in.Block().Index] && !u.inline[v] && !u.dead[in] && u.alias(v) == nil
}

// alias returns the value whose registers are those of v, or a part of them.
func (u *unit) alias(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.ChangeType:
		if u.mine(v) {
			return v.X
		}
	case *ssa.Extract:
		if u.mine(v) {
			return v.Tuple
		}
	case *ssa.Convert:
		if u.mine(v) && sameBits(v.X.Type(), v.Type()) {
			return v.X
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && u.mine(v) {
			x := v.Call.Args[0]
			switch b.Name() {
			case "len", "cap":
				if c := shapeOf(x.Type()).class; (c == slice || c == text) && !isConst(x) {
					return x
				}
			case "real", "imag":
				if !isConst(x) {
					return x
				}
			}
		}
	}
	return nil
}

func (u *unit) mine(in ssa.Instruction) bool { return u.in[in.Block().Index] }

func isConst(v ssa.Value) bool { _, ok := v.(*ssa.Const); return ok }

// sameBits reports whether a conversion changes nothing in a register.
func sameBits(from, to types.Type) bool {
	f, t := shapeOf(from), shapeOf(to)
	if f.class == pointer && t.class == pointer {
		return true
	}
	if isText(from) && isText(to) {
		return true
	}
	if f.class != word || t.class != word || isFloat(from) || isFloat(to) {
		return f.class == word && t.class == word && suffix(from) == suffix(to)
	}
	switch {
	case t.size == 8:
		return true
	case f.size < t.size:
		return isUnsigned(from) || !isUnsigned(to)
	}
	return f.size == t.size && isUnsigned(from) == isUnsigned(to)
}

// root follows aliases to the value that has registers; nil for constants and the like.
func (u *unit) root(v ssa.Value) ssa.Value {
	for {
		switch v.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
			return nil
		}
		a := u.alias(v)
		if a == nil {
			return v
		}
		v = a
	}
}

// uses are the values whose registers in reads, where it is executed: what is made inline counts for its user.
func (u *unit) uses(in ssa.Instruction) []ssa.Value {
	if v, ok := in.(ssa.Value); ok && (u.inline[v] || u.alias(v) != nil) {
		return nil
	}
	if u.dead[in] {
		return nil
	}
	var out []ssa.Value
	var add func(v ssa.Value)
	add = func(v ssa.Value) {
		if v == nil {
			return
		}
		if u.inline[v] {
			for _, o := range v.(ssa.Instruction).Operands(nil) {
				add(*o)
			}
			return
		}
		if r := u.root(v); r != nil {
			if u.inline[r] {
				add(r)
				return
			}
			out = append(out, r)
		}
	}
	if call, ok := in.(*ssa.Call); ok {
		if elem := u.appends[call]; elem != nil {
			add(call.Call.Args[0])
			add(elem)
			return out
		}
		if mc, ok := call.Call.Value.(*ssa.MakeClosure); ok {
			for _, v := range append(append([]ssa.Value{}, call.Call.Args...), mc.Bindings...) {
				add(v)
			}
			return out
		}
	}
	if br, ok := in.(*ssa.If); ok && u.next[br.Block()] != nil {
		return nil
	}
	for _, o := range in.Operands(nil) {
		add(*o)
	}
	return out
}

// findOutside notes the values that the engine's part of the function needs.
func (u *unit) findOutside() {
	polls := map[*ssa.BasicBlock]bool{}
	for b := range u.next {
		polls[b.Succs[0]] = true
	}
	for _, b := range u.fn.Blocks {
		if u.in[b.Index] || polls[b] {
			continue
		}
		for _, in := range b.Instrs {
			for _, o := range in.Operands(nil) {
				if *o != nil {
					u.outside[*o] = true
				}
			}
		}
	}
}

// liveAt are the values of the unit that the engine needs when it goes on from b to the block to.
func (u *unit) liveAt(b, to *ssa.BasicBlock) []ssa.Value {
	var out []ssa.Value
	for _, v := range u.outsideValues() {
		if in, ok := v.(ssa.Instruction); ok && (!u.in[in.Block().Index] || !in.Block().Dominates(b)) {
			continue
		}
		if r := u.root(v); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// outsideValues are those values of the unit that outside names, in a fixed order.
func (u *unit) outsideValues() []ssa.Value {
	var out []ssa.Value
	if u.c.loop == nil {
		for _, v := range inputs(u.fn) {
			if u.outside[v] {
				out = append(out, v)
			}
		}
	}
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			if v, ok := in.(ssa.Value); ok && u.outside[v] {
				out = append(out, v)
			}
		}
	}
	return out
}

// fold decides what is made where it is used: conditions of branches, addresses of loads and stores, elements of
// appends.
func (u *unit) fold() {
	for _, b := range u.blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				u.foldAppend(call)
			}
		}
	}
	for _, b := range u.blocks {
		if u.next[b] != nil {
			u.inline[b.Instrs[len(b.Instrs)-1].(*ssa.If).Cond] = true
			continue
		}
		if br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			if cond, ok := br.Cond.(*ssa.BinOp); ok && cond.Block() == b && len(*cond.Referrers()) == 1 && foldable(cond) {
				u.inline[cond] = true
			}
		}
	}
	for _, b := range u.blocks {
		for i, in := range b.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || u.dead[in] || u.outside[v] || !isAddress(in) {
				continue
			}
			if u.onlyMemory(v) && u.soon(b, i, v) {
				u.inline[v] = true
			}
		}
	}
}

func foldable(cond *ssa.BinOp) bool {
	switch cond.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		c := shapeOf(cond.X.Type()).class
		return c == word || (c == pointer || c == iface || c == slice) && (isNil(cond.X) || isNil(cond.Y))
	}
	return false
}

func isAddress(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.IndexAddr:
		return true
	case *ssa.FieldAddr:
		return true
	case *ssa.UnOp:
		_ = in
	}
	return false
}

// onlyMemory reports whether v is only the address of loads and stores in the unit, directly or through the address of
// a field.
func (u *unit) onlyMemory(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if !u.in[r.Block().Index] || r.Block() != v.(ssa.Instruction).Block() {
			return false
		}
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if r.Addr != v || r.Val == v {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// soon reports whether the first use of the address v, which is made by the i-th instruction of b, comes before
// anything that can be observed: the check of its index must come in its turn.
func (u *unit) soon(b *ssa.BasicBlock, i int, v ssa.Value) bool {
	for _, in := range b.Instrs[i+1:] {
		switch x := in.(type) {
		case *ssa.UnOp:
			if x.Op == token.MUL {
				if x.X == v {
					return true
				}
				if _, ok := x.X.(*ssa.Global); !ok {
					return false
				}
			}
		case *ssa.Store:
			return x.Addr == v
		case *ssa.BinOp:
			if isText(x.X.Type()) || (x.Op == token.QUO || x.Op == token.REM) && isInteger(x.X.Type()) || (x.Op == token.SHL || x.Op == token.SHR) && !isUnsigned(x.Y.Type()) && !isConst(x.Y) {
				return false
			}
		case *ssa.Convert:
			if shapeOf(x.Type()).class != word {
				return false
			}
		case *ssa.ChangeType, *ssa.Extract, *ssa.DebugRef:
		default:
			return false
		}
	}
	return false
}

// foldAppend finds append(s, x): go/ssa makes an array of one element, and a slice of it.
func (u *unit) foldAppend(call *ssa.Call) {
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "append" || len(call.Call.Args) != 2 {
		return
	}
	sl, ok := call.Call.Args[1].(*ssa.Slice)
	if !ok || len(*sl.Referrers()) != 1 || sl.Low != nil || sl.High != nil || sl.Max != nil || !u.mine(sl) {
		return
	}
	array, ok := sl.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" || len(*array.Referrers()) != 2 || !u.mine(array) {
		return
	}
	arr, ok := deref(array.Type()).Underlying().(*types.Array)
	if !ok || arr.Len() != 1 || shapeOf(arr.Elem()).class != word {
		return
	}
	for _, r := range *array.Referrers() {
		ix, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if len(*ix.Referrers()) != 1 {
			return
		}
		st, ok := (*ix.Referrers())[0].(*ssa.Store)
		if !ok || st.Addr != ssa.Value(ix) || st.Block() != call.Block() {
			return
		}
		u.appends[call] = st.Val
		u.dead[ix], u.dead[st], u.dead[array], u.dead[sl] = true, true, true, true
	}
}
