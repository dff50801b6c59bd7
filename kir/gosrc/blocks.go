package gosrc

import "github.com/arrayrepl/arrayrepl/kir"

// block is a basic block under construction. Variables become SSA values as the blocks are made (Braun and others,
// "Simple and efficient construction of static single assignment form", 2013); parameters that turn out to be
// superfluous are removed when the kernel is optimised.
type block struct {
	kb    *kir.Block
	preds []pred
	loop  bool // edges will come that are not known yet
	vars  map[slot]*kir.Value
	late  []slot // variables for which parameters were added, behind the block's own
}

// pred is an edge to a block.
type pred struct {
	from *block
	n    int // of the edge
}

func (l *lowerer) newBlock(name string, params ...kir.Type) *block {
	return &block{kb: l.b.NewBlock(name, params...), vars: map[slot]*kir.Value{}}
}

func (l *lowerer) setBlock(b *block) {
	l.cur = b
	l.b.SetBlock(b.kb)
}

func (l *lowerer) jump(to *block, args ...*kir.Value) {
	from := l.cur
	l.b.Jump(to.kb, args...)
	l.cur = nil
	l.arrive(to, from, 0)
}

func (l *lowerer) branch(cond *kir.Value, then *block, thenArgs []*kir.Value, otherwise *block, otherArgs []*kir.Value) {
	from := l.cur
	l.b.BranchTo(cond, kir.Edge{To: then.kb, Args: thenArgs}, kir.Edge{To: otherwise.kb, Args: otherArgs})
	l.cur = nil
	l.arrive(then, from, 0)
	l.arrive(otherwise, from, 1)
}

// arrive makes an edge known to its target, and gives it what the target has come to want.
func (l *lowerer) arrive(to *block, from *block, n int) {
	p := pred{from, n}
	to.preds = append(to.preds, p)
	for _, s := range to.late {
		l.pass(p, l.read(from, s))
	}
}

func (l *lowerer) pass(p pred, v *kir.Value) {
	e := &p.from.kb.Term.To[p.n]
	e.Args = append(e.Args, v)
}

func (l *lowerer) write(s slot, v *kir.Value) { l.cur.vars[s] = v }

// read returns what a variable is at the end of b, as far as b has been made.
func (l *lowerer) read(b *block, s slot) *kir.Value {
	if v := b.vars[s]; v != nil {
		return v
	}
	if !b.loop && len(b.preds) == 1 {
		v := l.read(b.preds[0].from, s)
		b.vars[s] = v
		return v
	}
	if len(b.preds) == 0 { // Go's variables are set before they are read: this way is never taken
		return l.undefined(s)
	}
	v := l.b.BlockParam(b.kb, s.v.types[s.n])
	b.vars[s] = v
	b.late = append(b.late, s)
	for _, p := range b.preds[:len(b.preds):len(b.preds)] {
		l.pass(p, l.read(p.from, s))
	}
	return v
}

// undefined is the value of a variable on a way that does not exist.
func (l *lowerer) undefined(s slot) *kir.Value {
	defer l.b.SetBlock(l.b.Block())
	l.b.SetBlock(l.entry)
	return l.b.Bits(s.v.types[s.n], 0)
}
