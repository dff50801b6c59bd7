package lazy

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
)

// blockSize is the number of threads of a block in generated kernels: eight warps fill an SM of every preset, and the
// tree of a block's reduction has the same shape on every device, so that all devices give the same bits.
const blockSize = 256

// emitter makes the kernel of one group.
type emitter struct {
	*fused
	b *kir.Builder
	// the parameters; input i is number i: its first element's address, an iota's first number, or a constant
	p     []*kir.Value
	given []*kir.Value // the inputs' elements, where they are not loaded at offsets; else nil
	// all results of the functions that have several, by their first
	results map[firstResult][]*kir.Value
}

// kernel makes the kernel of that name that takes f's parameters.
func (f *fused) kernel(name string, body func(e *emitter)) (*kir.Func, error) {
	e := &emitter{fused: f, b: kir.NewBuilder(kernelName(name))}
	for i := range f.inputs {
		e.p = append(e.p, e.b.Param(fmt.Sprintf("x%d", i), f.inputs[i].parameter()))
	}
	for _, p := range f.params {
		e.p = append(e.p, e.b.Param(p.name, p.t))
	}
	body(e)
	made, err := e.b.Func()
	if err != nil {
		return nil, err
	}
	return ofBlocks(made, blockSize), nil
}

// ofBlocks says that f is launched in blocks of at most so many threads: the device's compiler gives a thread no more
// registers than leave room for one on a multiprocessor.
func ofBlocks(f *kir.Func, threads int) *kir.Func {
	f.Bounds.MaxThreads = threads
	return f
}

// kernelName makes an identifier of a group's name.
func kernelName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// expr emits the elements of a at the given offset into each input. Shared parts are emitted once.
func (e *emitter) expr(a view, at []*kir.Value, memo map[*node]*kir.Value) *kir.Value {
	n := a.node
	switch {
	case !e.g.has(n):
		return e.load(e.input(a), at)
	case memo[n] != nil:
		return memo[n]
	}
	args := make([]*kir.Value, len(n.args))
	for i, arg := range n.args {
		args[i] = e.expr(arg, at, memo)
	}
	v := e.emit(n, args)
	memo[n] = v
	return v
}

// load emits the element of input i; loads of one input at one place are merged when a device optimises the kernel.
func (e *emitter) load(i int, at []*kir.Value) *kir.Value {
	if e.given != nil {
		return e.given[i]
	}
	n, base, off := e.inputs[i].node, e.p[i], at[i]
	switch {
	case n.kind == kindConst, n.kind == kindIota && off == nil:
		return base
	case n.kind == kindIota:
		return e.b.Op(kir.OpAdd, base, off)
	}
	t := kirTypes[n.dtype]
	addr := base
	if off != nil {
		addr = e.b.Index(base, off, t)
	}
	v := e.b.Load(kir.Global, t, addr)
	v.Note = fmt.Sprintf("x%d[i]", i)
	return v
}

// emit computes n from its operands.
func (e *emitter) emit(n *node, args []*kir.Value) *kir.Value {
	switch n.kind {
	case kindCast:
		return e.b.Cast(kirTypes[n.dtype], args[0])
	case kindMap:
		return e.mapped(n, args)
	}
	t := computeType(kirTypes[n.compute])
	for i := range args {
		if n.ufunc == arrays.OpWhere && i == 0 {
			args[i] = e.b.Convert(kir.Bool, args[i])
			continue
		}
		// A number beside halves becomes one first, as in package arrays: 0.1 is not the half that is nearest to it.
		args[i] = e.b.Convert(t, e.b.Convert(kirTypes[n.compute], args[i]))
	}
	k := kernelOps[n.ufunc]
	if k.expr != nil {
		v := k.expr(e.b, args)
		v.Note = n.ufunc.String()
		return e.b.Convert(kirTypes[n.dtype], v)
	}
	op := k.op
	if t == kir.Bool {
		op = k.boolOp
	}
	v := e.b.Op(op, args...)
	v.Note = n.ufunc.String()
	return e.b.Convert(kirTypes[n.dtype], v)
}
