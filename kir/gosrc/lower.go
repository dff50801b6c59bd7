package gosrc

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxDepth bounds calls within calls, and maxValues the size of a kernel: inlining multiplies.
const (
	maxDepth  = 64
	maxValues = 1 << 17
)

// lowerer turns the SSA form of Go into kir.
type lowerer struct {
	p     *program
	b     *kir.Builder
	entry *kir.Block
	cur   *block // nil where the code cannot be reached
	stack []*ssa.Function

	kernel    bool // it is compiled for gpu.Launch, not to be put into other kernels
	unchecked bool // indices and divisors are as they must be, says the user
	inMemory  map[*ssa.Alloc]bool
	globals   map[*types.Var]part // the addresses of variables of packages
	dynamic   *kir.Value          // dynamic shared memory
	prints    bool
	slices    []paramSlice                  // among the kernel's parameters
	launches  *launching                    // from the kernel; nil while there are none
	places    func(param int) [4]*kir.Value // see StreamHooks.Index; nil in functions of no streams
	vectors   func(made []*kir.Value)       // is told what the methods of vectors have emitted; nil for nobody
}

// paramSlice is a slice among a kernel's parameters: its address is parameter number first.
type paramSlice struct {
	first int
	base  *kir.Value
}

// frame is one inlined call.
type frame struct {
	fn     *ssa.Function
	env    map[ssa.Value]value
	blocks map[*ssa.BasicBlock]*block
	ret    *block // where the call returns to; nil for a body of one block
	static value  // what of the result is known now
}

// failure carries an *Error out of the lowering.
type failure struct{ err *Error }

func (l *lowerer) fail(pos token.Pos, hint, format string, args ...any) {
	panic(failure{l.p.errorf(pos, hint, format, args...)})
}

// guard runs f and returns the error that it fails with.
func guard(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = Errors{r.err}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func (l *lowerer) at(pos token.Pos) {
	if pos.IsValid() {
		p := l.p.src.Fset.Position(pos)
		l.b.Pos = kir.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
	}
}

// call makes the code of fn with the given arguments, in the current block and those that follow.
func (l *lowerer) call(fn *ssa.Function, args, free []value, pos token.Pos) value {
	if slices.Contains(l.stack, fn) {
		l.fail(pos, "write a loop", "kernel code cannot call %s again while it runs: recursion", fn.Name())
	}
	if len(l.stack) >= maxDepth {
		l.fail(pos, "", "kernel code has calls more than %d deep", maxDepth)
	}
	l.stack = append(l.stack, fn)
	saved := l.b.Pos
	defer func() { l.stack = l.stack[:len(l.stack)-1]; l.b.Pos = saved }()
	f := &frame{fn: fn, env: map[ssa.Value]value{}, blocks: map[*ssa.BasicBlock]*block{}}
	for i, p := range fn.Params {
		f.env[p] = args[i]
	}
	for i, v := range fn.FreeVars {
		f.env[v] = free[i]
	}
	order := reversePostOrder(fn)
	if len(order) > 1 {
		ts := l.parts(fn.Signature.Results(), pos)
		f.ret = l.newBlock("", dropVoid(ts)...)
		f.ret.kb.Name = fn.Name() + ".end"
	}
	for i, sb := range order {
		l.lowerBlock(f, sb, i == 0)
	}
	if f.ret == nil {
		return f.static
	}
	if len(f.ret.preds) == 0 { // it does not return
		l.cur = nil
		return l.zero(fn.Signature.Results(), pos)
	}
	l.setBlock(f.ret)
	out := slices.Clone(f.static)
	k := 0
	for i := range out {
		if out[i].v != nil {
			out[i].v = f.ret.kb.Params[k]
			k++
		}
	}
	return out
}

// dropVoid returns the types of the parts that have registers.
func dropVoid(ts []kir.Type) []kir.Type {
	return slices.DeleteFunc(slices.Clone(ts), func(t kir.Type) bool { return t == kir.Void })
}

// reversePostOrder returns the blocks of fn that can be reached, each but for the ends of loops after those that lead
// to it.
func reversePostOrder(fn *ssa.Function) []*ssa.BasicBlock {
	var post []*ssa.BasicBlock
	seen := make([]bool, len(fn.Blocks))
	var visit func(*ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b.Index] = true
		for _, s := range slices.Backward(b.Succs) {
			if !seen[s.Index] {
				visit(s)
			}
		}
		post = append(post, b)
	}
	visit(fn.Blocks[0])
	slices.Reverse(post)
	return post
}

// lowerBlock makes the code of one basic block.
func (l *lowerer) lowerBlock(f *frame, sb *ssa.BasicBlock, first bool) {
	if first {
		f.blocks[sb] = l.cur
	} else {
		b := f.blocks[sb]
		if b == nil || len(b.preds) == 0 {
			return // nothing leads here
		}
		l.setBlock(b)
	}
	for _, instr := range sb.Instrs {
		if l.cur == nil {
			return
		}
		if _, ok := instr.(*ssa.Phi); ok {
			continue
		}
		l.at(instr.Pos())
		l.instr(f, instr)
	}
}

// target returns the block of a successor, made when the first edge to it is: then it is known where its values come
// from.
func (l *lowerer) target(f *frame, sb *ssa.BasicBlock) *block {
	if b := f.blocks[sb]; b != nil {
		return b
	}
	b := l.newBlock(sb.Comment)
	b.loop = isLoopHead(sb)
	f.blocks[sb] = b
	for _, instr := range sb.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		ts := l.parts(phi.Type(), phi.Pos())
		v := make(value, len(ts))
		for i, t := range ts {
			if t == kir.Void {
				continue
			}
			v[i].v = l.b.BlockParam(b.kb, t)
			v[i].v.Note = phi.Comment
		}
		f.env[phi] = v
	}
	return b
}

// isLoopHead reports whether an edge leads back to b.
func isLoopHead(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return b.Dominates(p) }) || hasRetreating(b)
}

// hasRetreating is for loops with several entries, which goto can make: what comes later in the order of blocks may
// lead here.
func hasRetreating(b *ssa.BasicBlock) bool {
	order := reversePostOrder(b.Parent())
	at := slices.Index(order, b)
	return slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return slices.Index(order, p) >= at })
}

// edge returns the arguments for the phis of a successor, number n of from's.
func (l *lowerer) edge(f *frame, from *ssa.BasicBlock, n int) (*block, []*kir.Value) {
	to := from.Succs[n]
	b := l.target(f, to)
	at := -1
	for i, p := range to.Preds { // of two edges from one block, the first is that of the first successor
		if p == from && (at < 0 || n == 1 && from.Succs[0] == to) {
			at = i
		}
	}
	var args []*kir.Value
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		in, mine := l.value(f, phi.Edges[at]), f.env[phi]
		for i := range mine {
			l.merge(&mine[i], in[i], phi.Pos())
			if mine[i].v != nil {
				args = append(args, in[i].v)
			}
		}
	}
	return b, args
}

// merge lets a part that several ways lead to come from in too.
func (l *lowerer) merge(to *part, in part, pos token.Pos) {
	switch {
	case in.ref != nil:
		l.fail(pos, "use the variables by their names", "kernel code cannot choose between pointers to variables")
	case in.org != nil:
		if to.org == nil {
			to.org = new(origin)
		}
		if !join(to.org, in.org) {
			l.fail(pos, "use two variables", "this value is in global memory on one way and in shared or local memory on another")
		}
	case in.fn != nil:
		if to.fn != nil && (to.fn.fn != in.fn.fn || len(in.fn.free) > 0) {
			l.fail(pos, "call them in an if", "kernel code cannot choose between functions")
		}
		to.fn = in.fn
	case in.v == nil:
		if to.text != "" && to.text != in.text {
			l.fail(pos, "", "kernel code cannot choose between strings")
		}
		to.text = in.text
	}
}

// parts returns the registers of a type, or fails.
func (l *lowerer) parts(t types.Type, pos token.Pos) []kir.Type {
	if t == nil {
		return nil
	}
	ts, err := partTypes(t)
	if err != nil {
		l.fail(pos, "", "kernel code cannot have %v", err)
	}
	return ts
}

func (l *lowerer) zero(t types.Type, pos token.Pos) value {
	ts := l.parts(t, pos)
	out := make(value, len(ts))
	for i, k := range ts {
		if k != kir.Void {
			out[i].v = l.b.Bits(k, 0)
		}
	}
	return out
}

// value returns the value of an operand.
func (l *lowerer) value(f *frame, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return l.constant(v)
	case *ssa.Function:
		return value{{fn: &closure{fn: v}}}
	case *ssa.Global:
		if obj, ok := v.Object().(*types.Var); ok {
			if p, ok := l.globals[obj]; ok {
				return value{p}
			}
			if isEmptyStruct(obj.Type()) {
				return value{{v: l.b.Int(kir.U64, 0), org: &origin{known: true, space: kir.Local}}}
			}
		}
		l.fail(v.Pos(), "give it to the kernel as a parameter", "kernel code cannot use the variable %s", v.Name())
	}
	x, ok := f.env[v]
	if !ok {
		panic(fmt.Sprintf("gosrc: %s of %s has no value", v.Name(), f.fn))
	}
	return x
}

// function returns the function that a call calls, or nil.
func (l *lowerer) function(f *frame, v ssa.Value) *closure {
	if fn, ok := v.(*ssa.Function); ok {
		return &closure{fn: fn}
	}
	if x, ok := f.env[v]; ok && len(x) == 1 {
		return x[0].fn
	}
	return nil
}

// ret makes a return of values.
func (l *lowerer) ret(f *frame, results value, pos token.Pos) {
	if f.static == nil {
		f.static = make(value, len(results))
		for i, r := range results {
			f.static[i].v = r.v // that there is a register
		}
	}
	for i, r := range results {
		l.merge(&f.static[i], r, pos)
	}
	if f.ret == nil {
		copy(f.static, results)
		return
	}
	var args []*kir.Value
	for _, r := range results {
		if r.v != nil {
			args = append(args, r.v)
		}
	}
	l.jump(f.ret, args...)
}
