package random

import "github.com/arrayrepl/arrayrepl/kir"

// loopTargets are where a break and a continue of a loop lead, with the values that they bring.
type loopTargets struct {
	exit   *kir.Block
	exits  func() []*kir.Value
	again  *kir.Block
	agains func() []*kir.Value
}

// uniformBool returns a condition that is the same for all threads of a block.
func (g *generator) uniformBool() *kir.Value {
	return g.b.Op(kir.OpLt, g.b.Special(kir.CtaidX), g.b.Int(kir.U32, int64(g.r.IntN(3))))
}

func (g *generator) condition() (cond *kir.Value, uniform bool) {
	switch g.r.IntN(4) {
	case 0:
		return g.uniformBool(), true
	case 1:
		return g.b.Op(kir.OpLt, g.lane, g.i64(int64(g.r.IntN(g.lanes+2)))), false
	case 2:
		t := g.typeOf(kir.Type.IsInteger)
		return g.b.Op(compareOps[g.r.IntN(len(compareOps))], g.pick(t), g.constant(t)), false
	}
	return g.pick(kir.Bool), false
}

// someTypes returns up to n types, with values of them when asked.
func (g *generator) someTypes(n int) []kir.Type {
	var types []kir.Type
	for range g.r.IntN(n + 1) {
		types = append(types, g.anyType())
	}
	return types
}

func (g *generator) values(types []kir.Type) []*kir.Value {
	var out []*kir.Value
	for _, t := range types {
		out = append(out, g.pick(t))
	}
	return out
}

func (g *generator) branch() {
	cond, same := g.condition()
	outer := g.uniform
	g.uniform = outer && same
	types := g.someTypes(3)
	join := g.b.NewBlock("join", types...)
	side := func(blk *kir.Block) {
		g.b.SetBlock(blk)
		g.visible(func() {
			g.statements(g.r.IntN(5))
			g.b.Jump(join, g.values(types)...)
		})
	}
	then := g.b.NewBlock("then")
	switch g.r.IntN(4) {
	case 0: // no else
		g.b.BranchTo(cond, kir.Edge{To: then}, kir.Edge{To: join, Args: g.values(types)})
		side(then)
	case 1: // a && b, a || b: two ways to one side
		second, otherwise := g.b.NewBlock("second"), g.b.NewBlock("else")
		if g.r.IntN(2) == 0 {
			g.b.Branch(cond, second, otherwise)
		} else {
			g.b.Branch(cond, otherwise, second)
		}
		g.b.SetBlock(second)
		also, same := g.condition()
		g.uniform = g.uniform && same
		g.b.Branch(also, then, otherwise)
		side(then)
		side(otherwise)
	default:
		otherwise := g.b.NewBlock("else")
		g.b.Branch(cond, then, otherwise)
		side(then)
		side(otherwise)
	}
	g.b.SetBlock(join)
	g.add(join.Params...)
	g.uniform = outer
}

// loop runs a body a few times; the carried values may be swapped on the way round, a body may leave it or go round
// early.
func (g *generator) loop() {
	outer := g.uniform
	trips, counter := g.b.Int(kir.U32, int64(g.r.IntN(5))), kir.U32
	varies := g.r.IntN(2) == 0
	if varies {
		trips = g.b.Op(kir.OpAnd, g.pick(kir.U32), g.b.Int(kir.U32, 7))
	}
	escapes := g.r.IntN(3) == 0
	g.uniform = outer && !varies && !escapes // a thread that breaks does not come to the others' barriers
	first, step := g.b.Int(counter, 0), g.b.Int(counter, 1)
	types, start := []kir.Type{counter}, []*kir.Value{first}
	for range g.r.IntN(4) {
		t := types[len(types)-1] // often the same type, so that values can change places
		if t == counter || g.r.IntN(3) == 0 {
			t = g.anyType()
		}
		types, start = append(types, t), append(start, g.pick(t))
	}
	factor := g.pick(counter)
	left := g.someTypes(2) // what comes out
	head, body, exit := g.b.NewBlock("head", types...), g.b.NewBlock("body"), g.b.NewBlock("exit", left...)
	g.b.Jump(head, start...)
	g.b.SetBlock(head)
	i := head.Params[0]
	before := len(g.vals)
	g.add(head.Params...)
	if g.r.IntN(3) == 0 {
		g.add(g.b.Op(kir.OpMul, i, factor))
	}
	next := func() []*kir.Value {
		args := []*kir.Value{g.b.Op(kir.OpAdd, i, step)}
		for _, t := range types[1:] {
			v := g.pick(t)
			if p := head.Params[1+g.r.IntN(len(types)-1)]; p.Type == t {
				v = p
			}
			args = append(args, v)
		}
		return args
	}
	out := func() []*kir.Value { return g.values(left) }
	targets := loopTargets{}
	if escapes {
		targets = loopTargets{exit: exit, exits: out, agains: next}
	}
	g.loops = append(g.loops, targets)
	defer func() { g.loops = g.loops[:len(g.loops)-1] }()
	end := func() {
		g.b.SetBlock(exit)
		g.add(exit.Params...)
		g.uniform = outer
	}
	if g.r.IntN(3) == 0 { // the test at the end
		g.depth++
		g.statements(1 + g.r.IntN(4))
		g.depth--
		more := g.b.Op(kir.OpLt, i, trips)
		g.b.BranchTo(more, kir.Edge{To: head, Args: next()}, kir.Edge{To: exit, Args: out()})
		g.b.SetBlock(body) // nothing leads there
		g.b.Return()
		if escapes { // else what the last round computed stays visible
			g.vals = g.vals[:before]
		}
		end()
		return
	}
	g.depth++
	g.statements(g.r.IntN(3)) // runs once more than the body
	g.depth--
	more := g.b.Op(kir.OpLt, i, trips)
	if g.r.IntN(2) == 0 {
		g.b.BranchTo(more, kir.Edge{To: body}, kir.Edge{To: exit, Args: out()})
	} else {
		g.b.BranchTo(g.b.Op(kir.OpNot, more), kir.Edge{To: exit, Args: out()}, kir.Edge{To: body})
	}
	g.b.SetBlock(body)
	g.loops[len(g.loops)-1].again = head // from here on: before the test it would be a way round that never ends
	g.depth++
	g.statements(1 + g.r.IntN(4))
	g.depth--
	g.b.Jump(head, next()...)
	g.vals = g.vals[:before+len(head.Params)]
	if escapes {
		g.vals = g.vals[:before]
	}
	end()
}

// escape breaks out of the innermost loop, or goes on with its next round, where a condition holds.
func (g *generator) escape() {
	l := g.loops[len(g.loops)-1]
	if l.exit == nil {
		return
	}
	cond, _ := g.condition()
	stay := g.b.NewBlock("stay")
	if l.again == nil || g.r.IntN(2) == 0 {
		g.b.BranchTo(cond, kir.Edge{To: l.exit, Args: l.exits()}, kir.Edge{To: stay})
	} else {
		g.b.BranchTo(cond, kir.Edge{To: l.again, Args: l.agains()}, kir.Edge{To: stay})
	}
	g.b.SetBlock(stay)
}

// leave lets some threads return.
func (g *generator) leave() {
	out, stay := g.b.NewBlock("out"), g.b.NewBlock("stay")
	cond, _ := g.condition()
	g.b.Branch(cond, out, stay)
	g.b.SetBlock(out)
	g.b.Return()
	g.b.SetBlock(stay)
}
