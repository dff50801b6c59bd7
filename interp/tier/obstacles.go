package tier

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Obstacle is the construct for which a function or loop does not qualify; the zero Obstacle is none.
type Obstacle struct {
	What string
	Pos  token.Pos
}

// Why returns the first construct of fn, in the order of its text, for which the engine must run it.
func Why(fn *ssa.Function) Obstacle {
	switch {
	case len(fn.Blocks) == 0:
		return Obstacle{"no Go code: it is compiled", fn.Pos()}
	case fn.Recover != nil:
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if d, ok := in.(*ssa.Defer); ok {
					return Obstacle{"a defer statement", d.Pos()}
				}
			}
		}
		return Obstacle{"a defer statement", fn.Pos()}
	}
	if isGeneric(fn) {
		return Obstacle{"type parameters", fn.Pos()}
	}
	for _, v := range inputs(fn) {
		if KindOf(v.Type())&held == 0 {
			return Obstacle{"a parameter of type " + v.Type().String(), v.Pos()}
		}
	}
	for r := range fn.Signature.Results().Variables() {
		if KindOf(r.Type())&held == 0 {
			return Obstacle{"a result of type " + r.Type().String(), r.Pos()}
		}
	}
	var first Obstacle
	reached := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if reached[b] {
			return
		}
		reached[b] = true
		if o := blockObstacle(b); o.What != "" { // also of one that ends with a poll
			if !isCold(b) && (first.What == "" || o.Pos.IsValid() && o.Pos < first.Pos) {
				first = o
			}
			return
		}
		if poll, next := pollBlock(b); poll != nil {
			visit(next)
			return
		}
		for _, s := range b.Succs {
			visit(s)
		}
	}
	visit(fn.Blocks[0])
	if first.What == "" && blockObstacle(fn.Blocks[0]).What != "" {
		return blockObstacle(fn.Blocks[0]) // it only panics
	}
	return first
}

// isGeneric reports whether fn, or a function around it, is generic and not an instance.
func isGeneric(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
			return true
		}
	}
	return false
}

// inputs are what a call of fn gives it.
func inputs(fn *ssa.Function) []ssa.Value {
	var out []ssa.Value
	for _, p := range fn.Params {
		out = append(out, p)
	}
	for _, f := range fn.FreeVars {
		out = append(out, f)
	}
	return out
}

// isCold reports whether b leads to a panic and nowhere else: such blocks are left to the engine.
func isCold(b *ssa.BasicBlock) bool {
	for range 8 {
		if len(b.Succs) == 0 {
			_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
			return ok
		}
		if len(b.Succs) > 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// LoopBlocks returns the blocks of the loop that begins with head, nil when none does.
func LoopBlocks(head *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	if head == head.Parent().Recover {
		return nil
	}
	var body map[*ssa.BasicBlock]bool
	var add func(b *ssa.BasicBlock)
	add = func(b *ssa.BasicBlock) {
		if body[b] {
			return
		}
		body[b] = true
		for _, p := range b.Preds {
			add(p)
		}
	}
	for _, p := range head.Preds {
		if head.Dominates(p) {
			if body == nil {
				body = map[*ssa.BasicBlock]bool{head: true}
			}
			add(p)
		}
	}
	return body
}

func loopObstacle(blocks map[*ssa.BasicBlock]bool) Obstacle {
	var first Obstacle
	polls := map[*ssa.BasicBlock]bool{}
	for b := range blocks {
		if poll, _ := pollBlock(b); poll != nil {
			polls[poll] = true
		}
	}
	for b := range blocks {
		if polls[b] {
			continue
		}
		if o := blockObstacle(b); o.What != "" && (first.What == "" || o.Pos < first.Pos) {
			first = o
		}
	}
	return first
}

// pollBlock recognizes a block that ends with a poll, if stop { exit() }: the block that exits, and the one after.
func pollBlock(b *ssa.BasicBlock) (exit, next *ssa.BasicBlock) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, nil
	}
	load, ok := br.Cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != b {
		return nil, nil
	}
	g, ok := load.X.(*ssa.Global)
	if !ok || g.Pkg == nil || g.Pkg.Pkg.Path() != pollPackage || g.Name() != pollFlag {
		return nil, nil
	}
	exit = b.Succs[0]
	if len(exit.Succs) != 1 || exit.Succs[0] != b.Succs[1] {
		return nil, nil
	}
	return exit, b.Succs[1]
}

// The flag that the polls of cells read.
const pollPackage, pollFlag = "guard·", "stop·"

func blockObstacle(b *ssa.BasicBlock) Obstacle {
	for _, in := range b.Instrs {
		if what := obstacle(in); what != "" {
			return Obstacle{what, posOf(in)}
		}
	}
	return Obstacle{}
}

// posOf is where in stands, or where what it works on stands.
func posOf(in ssa.Instruction) token.Pos {
	if in.Pos().IsValid() {
		return in.Pos()
	}
	for _, o := range in.Operands(nil) {
		if v, ok := (*o).(ssa.Instruction); ok && v.Pos().IsValid() {
			return v.Pos()
		}
	}
	after := false
	for _, next := range in.Block().Instrs { // what uses it stands nearby
		if after = after || next == in; after && next.Pos().IsValid() {
			return next.Pos()
		}
	}
	return token.NoPos
}

func isTuple(t types.Type) bool { _, ok := t.(*types.Tuple); return ok }

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// LoopQualifies reports whether the loop that begins with head runs in the tier.
func LoopQualifies(head *ssa.BasicBlock) bool {
	blocks := LoopBlocks(head)
	return blocks != nil && !isGeneric(head.Parent()) && loopObstacle(blocks).What == ""
}

// LoopPos is where a loop stands.
func LoopPos(head *ssa.BasicBlock) token.Pos {
	var first token.Pos
	for b := range LoopBlocks(head) {
		for _, in := range b.Instrs {
			if p := in.Pos(); p.IsValid() && (first == token.NoPos || p < first) {
				first = p
			}
		}
	}
	return first
}
