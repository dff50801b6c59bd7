package lazy

import (
	"errors"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Products with a matrix that are sums of many terms, as the gradient p·X over all samples, have an order of their own,
// which package arrays has too: a line of terms is a chain, lines of a block are added in order, and then blocks. It
// follows from the terms alone, so that it is the same on all devices, and for a row whatever others there are.
//
// A thread for each of few elements would leave a GPU idle, and several GPUs could not share the sums. There, blocks
// add sumBlock terms each. Where there are many elements, a thread does all of that for one of them: see productKernel.
const (
	longSum   = 1 << 14 // terms
	fewSums   = 1 << 12 // elements of the result
	sumLine   = 256
	sumLines  = 8
	sumBlock  = sumLine * sumLines
	mostInOne = 65535 // blocks of a grid in y and z
)

// long reports whether a product is one of long sums.
func long(c device.Call) bool { return c.N > 1 && c.K >= longSum }

// inBlocks reports whether the sums of a product are divided among blocks.
func inBlocks(c device.Call) bool {
	return long(c) && c.Batch == 1 && c.M*c.N <= fewSums && sumBlocks(c.K) <= mostInOne
}

func sumBlocks(terms int) int { return (terms + sumBlock - 1) / sumBlock }

// longParts multiplies such matrices, and cuts that at ends of blocks.
type longParts struct{ productParts }

// blocks adds the blocks of terms of a and b, which lie as their views say, to parts from byte at on.
func (p longParts) blocks(a, b offload.Arg, left, right partition.View, terms, at int) offload.Launch {
	return offload.Launch{
		Func: ofBlocks(sumBlocksKernel(kirTypes[p.t]), sumLines*kir.WarpSize), Block: kir.Dim3{X: kir.WarpSize, Y: sumLines, Z: 1},
		Grid: kir.Dim3{X: (p.c.N + kir.WarpSize - 1) / kir.WarpSize, Y: p.c.M, Z: sumBlocks(terms)},
		Args: []offload.Arg{a, b, offload.ScratchAt(0, at), offload.Int(p.c.M), offload.Int(p.c.N), offload.Int(terms),
			offload.Int(left.Strides[1]), offload.Int(left.Strides[3]), offload.Int(right.Strides[3]), offload.Int(right.Strides[2])},
	}
}

// together adds what the blocks have.
func (p longParts) together() offload.Launch {
	results := p.c.M * p.c.N
	return elementwise(sumTogetherKernel(kirTypes[p.t]), results, offload.Scratch(0), offload.Pointer(p.out), offload.Int(results), offload.Int(sumBlocks(p.c.K)))
}

// task gives t launches and scratch memory.
func (p longParts) task(t *offload.Task, a, b offload.Arg) {
	_, left, right := p.views()
	t.Scratch = []int{sumBlocks(p.c.K) * p.c.M * p.c.N * p.t.Size()}
	t.Launches = []offload.Launch{p.blocks(a, b, left, right, p.c.K, 0), p.together()}
}

// views are the product's domain, pairs, rows, columns and terms, and the operands over it.
func (p longParts) views() (domain []int, left, right partition.View) {
	domain = []int{1, p.c.M, p.c.N, p.c.K}
	return domain, partition.View{Shape: domain, Strides: []int{0, p.c.K, 0, 1}}, partition.View{Shape: domain, Strides: []int{0, 0, 1, p.c.N}}
}

func (p longParts) Ways() int { return 1 }

func (p longParts) Along(int) (*offload.Cut, error) {
	if p.in[0] == p.in[1] {
		return nil, errors.New("both operands are one array")
	}
	domain, left, right := p.views()
	size, results := p.t.Size(), p.c.M*p.c.N
	field := func(v *offload.Value, view partition.View) offload.Field {
		return offload.Field{Shape: []int{v.Bytes() / size}, Bytes: size, Views: []partition.View{view}}
	}
	cut := &offload.Cut{
		Unit: "terms", Domain: domain, Axis: 3, Align: sumBlock,
		Out:  []offload.Field{field(p.out, partition.View{Shape: domain, Strides: []int{0, p.c.N, 1, 0}})},
		Last: []offload.Launch{p.together()},
	}
	for _, v := range p.all {
		view := left
		if v == p.in[1] {
			view = right
		}
		cut.In = append(cut.In, field(v, view))
	}
	begins := func(part partition.Box) int { return part[3].Start / sumBlock * results * size }
	cut.Filled = func(part partition.Box) []offload.Section {
		return []offload.Section{{At: begins(part), Bytes: sumBlocks(part[3].Len()) * results * size}}
	}
	cut.Launches = func(part partition.Box, at offload.PartView) ([]offload.Launch, error) {
		v, l := at(p.in[0], left)
		w, r := at(p.in[1], right)
		return []offload.Launch{p.blocks(offload.PointerAt(v, l.Offset*size), offload.PointerAt(w, r.Offset*size), l, r, part[3].Len(), begins(part))}, nil
	}
	return cut, nil
}

// sumBlocksKernel adds sumBlock terms for each element of the result: grid z counts blocks of them, y rows, and x warps
// of columns. Row y of a thread block adds a line of them, and row 0 the lines.
func sumBlocksKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("matmul_blocks")
	x, y, parts := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("parts", kir.U64)
	m, n, terms := b.Param("m", kir.I64), b.Param("n", kir.I64), b.Param("terms", kir.I64)
	rowX, termX := b.Param("rowX", kir.I64), b.Param("termX", kir.I64)
	termY, columnY := b.Param("termY", kir.I64), b.Param("columnY", kir.I64)
	sums := b.SharedArray("sums", t, sumLines*kir.WarpSize)
	special := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
	add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
	mul := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, y) }
	least := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpMin, x, y) }
	lane, line, row, block := special(kir.TidX), special(kir.TidY), special(kir.CtaidY), special(kir.CtaidZ)
	column := add(mul(special(kir.CtaidX), number(kir.WarpSize)), lane)
	near := least(column, add(n, number(-1))) // threads beyond the last compute it again
	x, y = b.Index(x, mul(row, rowX), t), b.Index(y, mul(near, columnY), t)
	lo := add(mul(block, number(sumBlock)), mul(line, number(sumLine)))
	hi := least(add(lo, number(sumLine)), terms)

	inner, step, fold := b.NewBlock("inner"), b.NewBlock("step"), b.NewBlock("fold")
	first, store, done := b.NewBlock("first"), b.NewBlock("store"), b.NewBlock("done")
	p, sum := b.BlockParam(inner, kir.I64), b.BlockParam(inner, t)
	b.Jump(inner, lo, b.Const(t, 0))
	b.SetBlock(inner)
	b.Branch(b.Op(kir.OpLt, p, hi), step, fold)
	b.SetBlock(step)
	left, right := b.Load(kir.Global, t, b.Index(x, mul(p, termX), t)), b.Load(kir.Global, t, b.Index(y, mul(p, termY), t))
	b.Jump(inner, add(p, number(1)), multiplyAdd(b, left, right, sum))

	b.SetBlock(fold)
	own := add(mul(line, number(kir.WarpSize)), lane)
	b.Store(kir.Shared, b.Index(sums, own, t), sum)
	b.Barrier()
	b.Branch(b.Op(kir.OpAnd, b.Op(kir.OpEq, line, number(0)), b.Op(kir.OpLt, column, n)), first, done)
	b.SetBlock(first)
	total := sum
	for i := range int64(sumLines - 1) {
		total = add(total, b.Load(kir.Shared, t, b.Index(sums, add(own, number((i+1)*kir.WarpSize)), t)))
	}
	b.Jump(store)
	b.SetBlock(store)
	b.Store(kir.Global, b.Index(parts, add(mul(add(mul(block, m), row), n), column), t), total)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return built(b)
}

// togetherAtOnce is how many parts a thread of sumTogetherKernel loads before it adds them, so that it waits for memory
// once.
const togetherAtOnce = 8

// sumTogetherKernel adds what blocks have for each element of the result, in order.
func sumTogetherKernel(t kir.Type) *kir.Func {
	b := kir.NewBuilder("matmul_together")
	parts, out := b.Param("parts", kir.U64), b.Param("out", kir.U64)
	results, blocks := b.Param("results", kir.I64), b.Param("blocks", kir.I64)
	return eachElement(b, func(e *kir.Value) {
		number := func(x int64) *kir.Value { return b.Int(kir.I64, x) }
		add := func(x, y *kir.Value) *kir.Value { return b.Op(kir.OpAdd, x, y) }
		loop, step, done := b.NewBlock("loop"), b.NewBlock("step"), b.NewBlock("done")
		i, sum := b.BlockParam(loop, kir.I64), b.BlockParam(loop, t)
		b.Jump(loop, number(0), b.Const(t, nothing))
		b.SetBlock(loop)
		b.Branch(b.Op(kir.OpLt, i, blocks), step, done)
		b.SetBlock(step)
		var loaded [togetherAtOnce]*kir.Value
		for k := range loaded {
			near := b.Op(kir.OpMin, add(i, number(int64(k))), add(blocks, number(-1)))
			loaded[k] = b.Load(kir.Global, t, b.Index(parts, add(b.Op(kir.OpMul, near, results), e), t))
		}
		total := sum
		for k, part := range loaded {
			there := b.Op(kir.OpLt, add(i, number(int64(k))), blocks)
			total = add(total, b.Op(kir.OpSelect, there, part, b.Const(t, nothing)))
		}
		b.Jump(loop, add(i, number(togetherAtOnce)), total)
		b.SetBlock(done)
		b.Store(kir.Global, b.Index(out, e, t), sum)
	})
}

// nothing changes no sum that it is added to, not even -0.
var nothing = math.Copysign(0, -1)
